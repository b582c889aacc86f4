//! The fixed lists of positions whose node count with one thread is the fingerprint of the search. It changes only if
//! the search does, and is equal on every system and processor.

use super::dyn_engine::{SearchRequest, SetupError, Start};
use super::registry;
use super::watch::search_and_wait;
use crate::api::event::BestMove;
use crate::api::settings::Settings;
use flipside_core::search::limits::Limits;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Score;
use std::time::Duration;

/// Name of the game, position (empty: the start position), depth in plies.
pub type BenchPosition = (&'static str, &'static str, u32);

/// The evaluation for Reversi's positions of the fingerprint: every build has it, the browser's included.
pub const EVALUATION: &str = "linear";

/// Reversi from the opening to the endgame, tic-tac-toe and Connect Four.
pub const POSITIONS: [BenchPosition; 12] = [
    ("reversi", "", 11),
    ("reversi", "--------------------------XXX----OOXX----OXO-----XOO----O------- O", 11),
    ("reversi", "--OX----OXXXX-O-XXXXXO--XXOXXXO-OOOXXO--OOOOX---O-OX--------O--- X", 11),
    ("reversi", "-----O-----OO-----XOOX---OOOXXXO--OXXOOO--OXOOO---XOO---------O- X", 10),
    ("reversi", "----XX----XXX----XXOXO--OOXXOXX-OOOXOXXX-OOXXX----OOX----------- O", 10),
    ("reversi", "---O------OO-X--XXOOXX--XXXXXOO-XXXOOXO-XXXOXOO---OOO---------O- O", 9),
    ("reversi", "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 14),
    ("reversi", "XOOOOOO-XXOOOOO-XOXOOOO-XOOXOOX-XOOOXXX-XOOOOX--XXOOO-----XXX--- X", 60),
    ("tic-tac-toe", "", 9),
    ("connect-four", "", 13),
    ("connect-four", "......./......./...o.../...x.../..oxo../.xxox.. o", 13),
    ("connect-four", "......./..x..../..o.x../..xoo../o.oxx../xxoox.. o", 14),
];

/// MiniChess: positions of games, from the start to the limit of moves. Searched without endgame tables, because
/// installed tables would change the node count.
pub const MINICHESS: [BenchPosition; 9] = [
    ("minichess", "", 12),
    ("minichess", "5 B kq..r/p.pbp/.pp../.P..P/P.PP./RB.QK", 11),
    ("minichess", "8 B k.bnr/...qp/pBpp./N.P.P/P..PK/R..Q.", 11),
    ("minichess", "12 B .k..r/q.b.p/pp.p./P..PP/..PB./R..KQ", 11),
    ("minichess", "14 W k...q/.pQ../p..p./.P.../P..../RN.Kr", 11),
    ("minichess", "16 B k..../p..../q..../.pB../.P..P/...K.", 12),
    ("minichess", "26 B ..b.r/Rk.../....p/..B.P/...P./...K.", 10),
    ("minichess", "31 B .b.nq/p..k./Pp.p./.PpPp/N.P.P/.R.QK", 12),
    ("minichess", "34 B ..r../.kn.p/R..../..N../...../....K", 12),
];

/// Gomoku: positions of games on both boards, under both rules.
pub const GOMOKU: [BenchPosition; 6] = [
    ("gomoku", "15/15/15/15/15/15/7o7/7x7/8x6/15/15/15/15/15/15 o", 10),
    ("gomoku", "15/15/15/15/8o6/6ox7/6xox6/5oxo7/6x8/5x9/15/15/15/15/15 o", 10),
    ("gomoku", "15/15/15/9o5/5xo1x6/6xoo6/4oxxxo6/5xo1x6/6o8/15/15/15/15/15/15 x", 9),
    ("gomoku-exactly-five", "15/15/15/15/15/6x1o6/6oxx6/7xo6/6o8/15/15/15/15/15/15 x", 9),
    ("gomoku-20x20", "20/20/20/20/20/20/20/20/9x10/9ox9/8ox10/9o10/20/20/20/20/20/20/20/20 x", 9),
    ("gomoku-20x20-exactly-five", "20/20/20/20/20/20/20/20/9xx9/8oxo9/9o10/20/20/20/20/20/20/20/20/20 x", 9),
];

/// The list of a game, if it has one.
pub fn of_game(game: &str) -> Option<&'static [BenchPosition]> {
    match game {
        "reversi" => Some(&POSITIONS),
        "minichess" => Some(&MINICHESS),
        "gomoku" => Some(&GOMOKU),
        _ => None,
    }
}

/// The result of a bench.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fingerprint {
    /// Positions entered.
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
    /// The score of each position.
    pub scores: Vec<Score>,
}

/// Searches a list of positions, those of Reversi with this evaluation. Calls `report` with the game and the result of each.
///
/// # Errors
/// A position cannot be read, or a search ends without an answer.
pub fn measure(
    list: &[BenchPosition],
    evaluation: &str,
    threads: usize,
    hash: usize,
    mut report: impl FnMut(&str, &BestMove),
) -> Result<Fingerprint, String> {
    let mut sum = Fingerprint::default();
    for &(game, position, depth) in list {
        let disabled = if game == "minichess" { "tables" } else { "" };
        let mut engine = registry::open(&Settings {
            game: game.into(),
            evaluation: if game == "reversi" { evaluation.into() } else { Settings::default().evaluation },
            hash,
            disabled_techniques: disabled.into(),
            ..Settings::default()
        })
        .map_err(|error| error.to_string())?;
        if !position.is_empty()
            && let Err(SetupError::Position(error)) =
                engine.set_position(Start::Text(position), &[], Style::Plain, false)
        {
            return Err(format!("{position}: {error}"));
        }
        let limits = Limits::depth(depth);
        let request = SearchRequest { threads, ..SearchRequest::new(limits) };
        let best_move = search_and_wait(engine.as_ref(), request)?;
        report(game, &best_move);
        sum.nodes += best_move.statistics.nodes;
        sum.time += best_move.statistics.time;
        sum.scores.extend(best_move.info.map(|best| best.score));
    }
    Ok(sum)
}
