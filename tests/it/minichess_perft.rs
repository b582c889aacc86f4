//! Perft of MiniChess: every row of `tests/data/minichess_perft.tsv` up to thirty million leaves.
//! The larger rows are for `flipside perft --game minichess --position "N S rows" DEPTH`.

#![cfg(feature = "protocols")]

use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, Start};
use flipside::engine::registry;
use flipside::search::notation::Style;

const ROWS: &str = include_str!("../data/minichess_perft.tsv");
const MOST_LEAVES: u64 = 30_000_000;

struct Row {
    name: &'static str,
    state: &'static str,
    depth: u32,
    leaves: u64,
}

fn rows() -> Vec<Row> {
    let row = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| columns[at].parse::<u64>().expect("a number");
        Row { name: columns[0], state: columns[1], depth: number(2) as u32, leaves: number(3) }
    };
    ROWS.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

fn engine(state: &str) -> Box<dyn DynEngine> {
    let mut engine =
        registry::open(&Settings { game: "minichess".into(), hash: 1, ..Settings::default() }).expect("the game opens");
    engine.set_position(Start::Text(state), &[], Style::Plain, false).expect("the position is read");
    engine
}

/// Tests named after positions; a dash is written as an underscore.
macro_rules! positions {
    ($($name:ident;)*) => {
        $(#[test]
        fn $name() {
            let rows = rows();
            let own = rows.iter().filter(|row| row.name.replace('-', "_").to_lowercase() == stringify!($name));
            let mut seen = 0;
            for row in own.filter(|row| row.leaves <= MOST_LEAVES) {
                seen += 1;
                assert_eq!(engine(row.state).perft(row.depth, None), row.leaves, "{} depth {}", row.state, row.depth);
            }
            assert!(seen > 0, "the file has rows for it");
        })*

        #[test]
        fn every_position_of_the_file_has_a_test() {
            let tests = [$(stringify!($name)),*];
            for row in rows() {
                assert!(tests.contains(&row.name.replace('-', "_").to_lowercase().as_str()), "{}", row.name);
            }
        }
    };
}

positions! {
    start;
    mid1;
    mid2;
    mid4;
    promo_white;
    promo_black;
    bishops;
    bishop_boxed;
    king_in_take;
    kings_adjacent;
    limit_38;
    limit_40w;
    limit_40b;
    endgame_kpk;
    endgame_queens;
    seed_20w;
    seed_21w;
    mid5;
    mid6;
    mid7;
    no_move_white;
    no_move_black;
    no_move_after;
    queens_many;
}
