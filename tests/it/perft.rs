//! Perft of Reversi in all three pass conventions: every known row up to thirty million leaves.
//!
//! The counts of the start position are published (A. Bik, Egaroucid); those of the other positions agree between two
//! programs.

#![cfg(feature = "protocols")]

use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, Start};
use flipside::engine::registry;
use flipside::search::notation::PerftRule;
use flipside::search::notation::Style;

const START: &str = "---------------------------OX------XO--------------------------- X";
const PASS_ROOT: &str = "OO-XXXXOXXXXXXX--XXXXOXX-XXXOOOO-XXXOOOO--XXOOXO---OOOOO--XXXXXO X";
const WIPED_OUT: &str = "--------------------X------XXX----XXXXX----XXX------X----------- O";
const FULL_BOARD: &str = "OXXXXXXOOXXXXXOOOOOXXOOOOOXXOOOOOOOXOOOOOOXOXXOXXXOXOOXXXXXXXXXX O";
const EDGE_WRAP: &str = "---X---OX--O----------XOXO-----OXO-----OX-----------------XOO--- X";
const ONE_EMPTY: &str = "XXXXXXOOXXXXXXOOOOXXOOXOOOXOOOXOOOOXOXXOOOOOXXXOOOOOOXOO-OOOOOOO O";

fn engine(game: &str, position: &str) -> Box<dyn DynEngine> {
    let mut engine =
        registry::open(&Settings { game: game.into(), hash: 1, ..Settings::default() }).expect("the game opens");
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("the position is read");
    engine
}

/// Named rows: position, depth, counts by `passply`, `full` and `discply`.
macro_rules! rows {
    ($($name:ident: $position:ident $depth:literal => $passply:literal $full:literal $discply:literal;)*) => {
        $(#[test]
        fn $name() {
            let engine = engine("reversi", $position);
            let counts = [PerftRule::PassPly, PerftRule::Full, PerftRule::DiscPly].map(|rule| engine.perft($depth, Some(rule)));
            assert_eq!(counts, [$passply, $full, $discply]);
        })*
    };
}

rows! {
    start_1: START 1 => 4 4 4;
    start_2: START 2 => 12 12 12;
    start_3: START 3 => 56 56 56;
    start_4: START 4 => 244 244 244;
    start_5: START 5 => 1396 1396 1396;
    start_6: START 6 => 8200 8200 8200;
    start_7: START 7 => 55092 55092 55092;
    start_8: START 8 => 390216 390216 390216;
    start_9: START 9 => 3005288 3005288 3005320;
    start_10: START 10 => 24571284 24571056 24571420;
    pass_root_1: PASS_ROOT 1 => 1 1 9;
    pass_root_2: PASS_ROOT 2 => 9 9 51;
    pass_root_3: PASS_ROOT 3 => 29 29 316;
    pass_root_4: PASS_ROOT 4 => 211 211 1523;
    pass_root_5: PASS_ROOT 5 => 786 786 7958;
    pass_root_6: PASS_ROOT 6 => 4977 4977 31977;
    pass_root_7: PASS_ROOT 7 => 15925 15925 134062;
    pass_root_8: PASS_ROOT 8 => 82269 82269 427547;
    wiped_out_1: WIPED_OUT 1 => 1 0 1;
    wiped_out_2: WIPED_OUT 2 => 1 0 1;
    wiped_out_3: WIPED_OUT 3 => 1 0 1;
    wiped_out_4: WIPED_OUT 4 => 1 0 1;
    wiped_out_5: WIPED_OUT 5 => 1 0 1;
    wiped_out_6: WIPED_OUT 6 => 1 0 1;
    wiped_out_7: WIPED_OUT 7 => 1 0 1;
    wiped_out_8: WIPED_OUT 8 => 1 0 1;
    full_board_1: FULL_BOARD 1 => 1 0 1;
    full_board_2: FULL_BOARD 2 => 1 0 1;
    full_board_3: FULL_BOARD 3 => 1 0 1;
    full_board_4: FULL_BOARD 4 => 1 0 1;
    full_board_5: FULL_BOARD 5 => 1 0 1;
    full_board_6: FULL_BOARD 6 => 1 0 1;
    full_board_7: FULL_BOARD 7 => 1 0 1;
    full_board_8: FULL_BOARD 8 => 1 0 1;
    edge_wrap_1: EDGE_WRAP 1 => 6 6 6;
    edge_wrap_2: EDGE_WRAP 2 => 21 21 21;
    edge_wrap_3: EDGE_WRAP 3 => 108 108 108;
    edge_wrap_4: EDGE_WRAP 4 => 265 265 277;
    edge_wrap_5: EDGE_WRAP 5 => 1321 1313 1325;
    edge_wrap_6: EDGE_WRAP 6 => 4403 4215 4471;
    edge_wrap_7: EDGE_WRAP 7 => 27329 27113 27425;
    edge_wrap_8: EDGE_WRAP 8 => 119081 118273 120267;
    one_empty_1: ONE_EMPTY 1 => 1 1 1;
    one_empty_2: ONE_EMPTY 2 => 1 1 1;
    one_empty_3: ONE_EMPTY 3 => 1 0 1;
    one_empty_4: ONE_EMPTY 4 => 1 0 1;
    one_empty_5: ONE_EMPTY 5 => 1 0 1;
    one_empty_6: ONE_EMPTY 6 => 1 0 1;
    one_empty_7: ONE_EMPTY 7 => 1 0 1;
    one_empty_8: ONE_EMPTY 8 => 1 0 1;
}

#[test]
fn depth_zero_is_the_position_itself() {
    for position in [START, FULL_BOARD, PASS_ROOT] {
        assert_eq!(engine("reversi", position).perft(0, None), 1);
    }
}

#[test]
fn passes_are_plies_unless_told_otherwise() {
    let engine = engine("reversi", PASS_ROOT);
    assert_eq!(engine.perft(3, None), engine.perft(3, Some(PerftRule::PassPly)));
}

/// Known counts of the two small games.
#[test]
fn tic_tac_toe_counts() {
    // 255,168 games in all: 1,440 end after five plies, 5,328 after six, ..., 127,872 after nine.
    let engine = engine("tic-tac-toe", "......... x");
    assert_eq!(engine.perft(5, None), 15_120);
    assert_eq!(engine.perft(6, None), 54_720);
    assert_eq!(engine.perft(9, None), 127_872);
    assert_eq!(engine.perft(9, Some(PerftRule::PassPly)), 255_168);
}

/// From an empty board, all orders of points. From four in a row, fives end games: one of the 217 moves of the side to
/// move wins at once, which `Full` counts at depth 1 only.
#[test]
fn gomoku_counts() {
    let empty = |size: usize| format!("{} x", vec![size.to_string(); size].join("/"));
    let fifteen = engine("gomoku", &empty(15));
    assert_eq!([fifteen.perft(1, None), fifteen.perft(2, None)], [225, 225 * 224]);
    let twenty = engine("gomoku-20x20-exactly-five", &empty(20));
    assert_eq!(twenty.perft(2, None), 400 * 399);
    let rows = "oxxxx10/ooo12/15/15/15/15/15/15/15/15/15/15/15/15/15 x";
    let four = engine("gomoku", rows);
    assert_eq!([four.perft(1, None), four.perft(2, None)], [217, 216 * 216]);
    assert_eq!(four.perft(2, Some(PerftRule::PassPly)), 216 * 216 + 1);
    // Five of six in a row: under the rule of exactly five, the sixth stone wins nothing.
    let rows = "oxxxx1x8/ooo12/15/15/15/15/15/15/15/15/15/15/15/15/15 x";
    assert_eq!(engine("gomoku", rows).perft(2, None), 215 * 215);
    assert_eq!(engine("gomoku-exactly-five", rows).perft(2, None), 216 * 215);
}

#[test]
fn connect_four_counts() {
    let engine = engine("connect-four", "......./......./......./......./......./....... x");
    assert_eq!(engine.perft(6, None), 117_649);
    assert_eq!(engine.perft(7, None), 823_536);
    assert_eq!(engine.perft(8, None), 5_673_234);
}
