//! Everything that the engine can say back; a protocol finds the words.

use super::command::CommandError;
use super::options::OptionInfo;
use crate::search::notation::Grid;
pub use crate::search::transposition_table::Bound;
use crate::search::types::{Certainty, Score, Side};
use std::time::Duration;

/// An answer to a command, or news of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Done; nothing to tell.
    Done,
    /// Text that the protocol itself asked for ([`super::command::Command::Say`]), or plain facts.
    Text(String),
    /// The request was refused; the state is as before.
    Refused(CommandError),
    /// The greeting: the options that can be set and the variants on offer.
    Introduction {
        /// In the order of their declaration.
        options: Vec<OptionInfo>,
        /// UCI names of the games.
        variants: Vec<String>,
        /// Those of them that XBoard can be told to draw.
        drawn: Vec<String>,
    },
    /// Everything before is done.
    Ready,
    /// A cancelled search is gone.
    Cancelled(u64),
    /// The engine changed: what a host needs to know of the new game.
    Selected {
        /// The game's own name.
        game: String,
        /// Its UCI name.
        variant: Option<String>,
        /// UCI facts: files, ranks, start position.
        facts: Option<String>,
        /// Lines by which XBoard draws it.
        drawing: Option<String>,
    },
    /// An option has a new value.
    OptionSet(OptionInfo),
    /// A search began to think (UCI needs nothing, NBoard says `status`).
    Thinking,
    /// News of a search under way.
    Progress(Progress),
    /// The search is over.
    Chosen(Choice),
    /// An analysis ended.
    AnalysisClosed(Totals),
    /// Value after `ply` moves of the game, for the side to move there.
    AnalyzeGame {
        /// 0 is the start; passes count.
        ply: usize,
        /// For the side to move at that point.
        score: Score,
    },
    /// The leaves below each move, and their sum.
    Perft {
        /// Move and count.
        divided: Vec<(String, u64)>,
        /// The sum.
        total: u64,
    },
    /// The board.
    Board {
        /// The squares, if the game has a board.
        grid: Option<Grid>,
        /// The whole picture as text, without empty lines.
        picture: String,
    },
    /// Whose turn.
    Turn {
        /// The side to move.
        side: Side,
        /// Its name in this game.
        name: String,
    },
    /// The legal moves; empty when the game is over.
    LegalMoves(Vec<String>),
    /// The result of a finished game.
    Result {
        /// Who won, and by how much.
        outcome: Outcome,
        /// The winner's name in the game; `None` is a draw.
        winner: Option<String>,
    },
    /// Points of both sides (Reversi: discs on the board), the first player's first.
    Points(Option<[u32; 2]>),
    /// The options.
    Options(Vec<OptionInfo>),
    /// The last search.
    Statistics(Totals),
    /// Names of the games.
    Games(Vec<String>),
    /// Columns and rows of the board.
    Size(usize, usize),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// By how many units (discs, empties to the winner), where the game counts them.
    pub margin: Option<u32>,
}

/// One line of play under discussion.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// 1 for the best line.
    pub rank: usize,
    /// How many lines are being followed.
    pub of: usize,
    /// Plies of the finished iteration.
    pub depth: u32,
    /// The deepest line seen.
    pub seldepth: u32,
    /// For the side to move.
    pub score: Score,
    /// Whether the score is only a bound so far.
    pub bound: Bound,
    /// What the score claims.
    pub certainty: Certainty,
    /// Positions, over all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Filled part of the table, in thousandths.
    pub hashfull: u32,
    /// Best play for both, in the session's style.
    pub line: Vec<String>,
    /// Whether the game is over at the end of the line.
    pub ends: bool,
}

/// What a search cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Totals {
    /// Positions, over all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}

/// The end of a search for a move.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move; `None` when the game is over.
    pub mv: Option<String>,
    /// The expected answer.
    pub ponder: Option<String>,
    /// True for a pass.
    pub pass: bool,
    /// The last finished line, if the search finished one.
    pub best: Option<Progress>,
    /// What it cost.
    pub totals: Totals,
    /// Set if the search failed inside and the move is only the best so far.
    pub trouble: Option<String>,
}
