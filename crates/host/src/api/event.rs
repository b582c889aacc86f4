//! What the engine reports: events of searches and answers to commands. Each protocol writes them in its own form.

use super::command::CommandError;
use super::options::OptionInfo;
use flipside_core::search::notation::Grid;
use flipside_core::search::opening_book::Grade;
pub use flipside_core::search::result::Iteration;
pub use flipside_core::search::transposition_table::Bound;
#[cfg(test)]
use flipside_core::search::types::Certainty;
use flipside_core::search::types::{Score, Side};
use flipside_core::search::wdl::Wdl;
use std::fmt::{self, Display};
use std::time::Duration;

/// An answer to a command, or an event of a search under way.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The command was carried out and has no other answer.
    Done,
    /// Text that the protocol itself asked for ([`super::command::Command::Reply`]), or a plain fact.
    Text(String),
    /// The command failed; the state is as before.
    Error(CommandError),
    /// The answer to [`super::command::Command::Handshake`].
    Handshake {
        /// The options that can be set, in the order of their declaration.
        options: Vec<OptionInfo>,
        /// UCI names of the games that XBoard can be told to draw.
        xboard_variants: Vec<String>,
    },
    /// Everything before is done.
    Ready,
    /// Moves to which a search was to be limited, and which are none in its position: it leaves them out.
    IllegalSearchMoves(Vec<String>),
    /// Another game was selected: what a host needs to know of it.
    GameSelected {
        /// The game's own name.
        game: String,
        /// Its UCI name.
        variant: Option<String>,
        /// What UCI hosts want to know of the variant: files, ranks, start position.
        variant_facts: Option<String>,
        /// The lines by which XBoard draws it.
        xboard_setup: Option<String>,
        /// The options whose values are others in this game than in the one before.
        options: Vec<OptionInfo>,
    },
    /// An option has a new value.
    OptionSet(OptionInfo),
    /// A search has begun.
    SearchStarted,
    /// A finished iteration of a search under way.
    Info(Iteration<String>),
    /// What the opening book knows of the position, the best move first: before a move that it answers with, which is the first
    /// then, before an analysis that shows it, or as the answer to [`super::command::Query::Book`].
    Book(Vec<BookLine>),
    /// The result of a search for a move.
    BestMove(BestMove),
    /// The end of an analysis.
    AnalysisFinished(SearchStatistics),
    /// Game analysis: the score of one position of the game.
    GameAnalysis {
        /// Moves before the position, passes included; 0 is the start.
        ply: usize,
        /// In hundredths of a unit, for the side to move at that point.
        score: Score,
        /// The chances of that side, if the game has a model of them.
        wdl: Option<Wdl>,
    },
    /// The opening book has learned the game; describes what it learned.
    Learned(String),
    /// The result of a perft.
    Perft(PerftCounts),
    /// The board.
    Board {
        /// The squares, if the game has a board.
        grid: Option<Grid>,
        /// The board drawn as text, without empty lines.
        picture: String,
    },
    /// Whose turn it is.
    SideToMove {
        /// The side to move.
        side: Side,
        /// Its name in this game.
        name: String,
    },
    /// The legal moves; empty when the game is over.
    LegalMoves(Vec<String>),
    /// The empty squares that the rules forbid to the first player.
    ForbiddenMoves(Vec<String>),
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
    /// What the last search cost, and the line of the opening book if the book gave its answer.
    Statistics(SearchStatistics, Option<BookLine>),
    /// What the search under way has cost so far; `None` if none is under way.
    Progress(Option<SearchStatistics>),
    /// Names of the games.
    Games(Vec<String>),
    /// The processor time that the engine has used, all threads together.
    ProcessorTime(Duration),
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

/// What a search thread sends: all results leave the search in this form.
#[derive(Clone, Debug)]
pub enum SearchEvent {
    /// A finished iteration of one principal variation.
    Info(Iteration<String>),
    /// What the opening book knows of the position, before anything else: as in [`Event::Book`].
    Book(Vec<BookLine>),
    /// After each finished iteration: the answer if the search had to end now.
    Candidate(BestMove),
    /// The end of a search; exactly one, the last event.
    BestMove(BestMove),
    /// The end of a perft. The counts are too small if its stop flag was raised.
    Perft(PerftCounts),
}

/// An iteration for the tests of what protocols write.
#[cfg(test)]
pub fn example(score: Score, pv: &[&str]) -> Iteration<String> {
    Iteration {
        seldepth: 6,
        bound: Bound::Lower,
        nodes: 1000,
        time: Duration::from_millis(500),
        hashfull: 7,
        wdl: Some(Wdl { win: 100, draw: 50, loss: 850 }),
        ..Iteration::known(score, Certainty::Selective(73), 8, pv.iter().map(|mv| mv.to_string()).collect())
    }
}

/// A move of the opening book.
#[derive(Clone, Debug, PartialEq)]
pub struct BookLine {
    /// The code of the move.
    pub code: u16,
    /// The move and the book's best moves after it with the value: no node was searched and no time used.
    pub info: Iteration<String>,
    /// What the value rests on.
    pub grade: Grade,
    /// Games of the book in which the move was played.
    pub games: u64,
}

impl Display for BookLine {
    /// The line's reliability: `depth 24 certainty mid@95% grade backed-up games 12`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Iteration { depth, certainty, .. } = self.info;
        write!(formatter, "depth {depth} certainty {certainty} grade {} games {}", self.grade, self.games)
    }
}

/// What a search cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchStatistics {
    /// Nodes over all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BestMove {
    /// The move; `None` when the game is over.
    pub mv: Option<String>,
    /// The move's code, by which the engine plays it; `None` without a move, and for the closing pass of a finished
    /// game.
    pub code: Option<u16>,
    /// The expected answer to it.
    pub ponder: Option<String>,
    /// True for a pass.
    pub is_pass: bool,
    /// The last finished iteration of the best variation, if the search finished one.
    pub info: Option<Iteration<String>>,
    /// Set if the move comes from the opening book, without a search: what the book knows of it.
    pub book: Option<BookLine>,
    /// What the search cost.
    pub statistics: SearchStatistics,
    /// What happened, if the search failed inside and the move is only the best so far.
    pub failure: Option<String>,
}

/// Leaves of a game tree, counted by perft.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftCounts {
    /// Each legal move with the leaves below it.
    pub divided: Vec<(String, u64)>,
    /// All leaves. A game that is over has no moves but may count as a leaf.
    pub total: u64,
}
