//! The engine: where the types of a game end. One virtual call a command, none a node.

use super::skill::Skill;
use crate::api::command::PlayedMove;
use crate::api::event::{BestMove, Outcome, SearchEvent};
use crate::api::settings::Settings;
use crate::games::names::GameNames;
use crate::search::algorithm::Algorithm;
use crate::search::limits::{Limits, Stop};
use crate::search::notation::{Grid, PerftRule, PositionError, Style};
use crate::search::types::{Score, Side};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread::JoinHandle;

/// A search to start.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// When it must end.
    pub limits: Limits,
    /// Principal variations to search, at least 1.
    pub multipv: usize,
    /// Only these moves; all if empty.
    pub searchmoves: Vec<String>,
    /// The notation of moves, in the request and in its events.
    pub style: Style,
    /// Threads.
    pub threads: usize,
    /// How the move is chosen.
    pub skill: Skill,
}

impl SearchRequest {
    /// The best move within these limits, by one thread, in the game's own notation.
    pub fn new(limits: Limits) -> SearchRequest {
        SearchRequest {
            limits,
            multipv: 1,
            searchmoves: Vec::new(),
            style: Style::Plain,
            threads: 1,
            skill: Skill::BEST,
        }
    }
}

/// Where a search sends its events; called by the search thread.
pub type EventSink = Arc<dyn Fn(SearchEvent) + Send + Sync>;

/// A search under way.
pub struct SearchHandle {
    /// Its end.
    pub stop: Arc<Stop>,
    /// Its main thread, or why it could not be started.
    pub thread: Result<JoinHandle<()>, String>,
}

impl SearchHandle {
    /// Waits for the search thread to end.
    ///
    /// # Errors
    /// The thread could not be started, or it panicked outside the search.
    pub fn join(self) -> Result<(), String> {
        self.thread?.join().map_err(|_| "the search thread panicked".to_string())
    }
}

/// Searches the present position of an engine and waits for the result. The search has a thread of its own.
///
/// # Errors
/// The thread could not be started, or it panicked outside the search.
pub fn search_and_wait(engine: &dyn DynEngine, request: SearchRequest) -> Result<BestMove, String> {
    let (sender, events) = channel();
    // The receiver lives until the search is over.
    let handle = engine.search(request, Arc::new(move |event| drop(sender.send(event))));
    handle.join()?;
    let found = events.try_iter().find_map(|event| match event {
        SearchEvent::BestMove(best_move) => Some(best_move),
        _ => None,
    });
    found.ok_or_else(|| "the search ended without a best move".to_string())
}

/// What the clock wants to know of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeHint {
    /// Moves that the side to move still has to think about.
    pub moves_left: u32,
    /// Moves that it may still have to make until the game ends.
    pub moves_to_end: u32,
    /// Share of an even split that this move deserves, in percent.
    pub weight: u32,
    /// True when there is nothing to choose.
    pub forced: bool,
}

/// Where an arrangement begins.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// At the present position.
    Here,
    /// At the game's own start.
    Initial,
    /// At the position of this text.
    Text(&'a str),
}

/// Why a position cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The text of the start position is wrong.
    #[error("bad position: {0}")]
    Position(PositionError),
    /// A move cannot be played: its text and the reason.
    #[error("illegal move: {0}: {1}")]
    Move(String, String),
}

/// Why an engine does not open.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// No game of that name.
    #[error("unknown game '{name}': one of {}", known.join(", "))]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// The games' own names.
        known: Vec<&'static str>,
    },
    /// The game has no such evaluation.
    #[error("{game} has no evaluation '{name}'")]
    UnknownEvaluation {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
    },
    /// The game's search has no such technique to disable.
    #[error("{game} has no technique '{name}' to disable")]
    UnknownTechnique {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
    },
    /// The weights could not be used: the reason.
    #[error("cannot use the weights: {0}")]
    Weights(String),
}

/// Opens engines; the session asks it for another game, another evaluation or another table size.
pub trait EngineFactory: Send {
    /// The games on offer, the default first.
    fn games(&self) -> &[GameNames];
    /// The engine that the settings name, at its start position.
    ///
    /// # Errors
    /// There is no such game or evaluation, or its weights cannot be used.
    fn open(&self, settings: &Settings) -> Result<Box<dyn DynEngine>, OpenError>;
}

/// One game with its evaluation and policy, in text and plain numbers.
pub trait DynEngine: Send {
    /// The game's name, in lower case.
    fn game(&self) -> &'static str;
    /// Its name in UCI, if it has one.
    fn variant(&self) -> Option<&'static str>;
    /// What UCI hosts want to know of the variant (files, ranks, start position).
    fn variant_facts(&self) -> Option<String>;
    /// Lines by which XBoard draws the game.
    fn drawing(&self) -> Option<String>;
    /// Names of the two sides, the first mover's first.
    fn sides(&self) -> [&'static str; 2];
    /// There is time before the first search: has the system bring the memory that it will need, for a second at most. On
    /// a machine whose memory comes slowly (a fresh virtual one: 0.2 seconds for 64 MiB) the first move on a clock would
    /// be late.
    fn prepare(&self);
    /// Back to the start; searched things are forgotten. Prepares.
    fn new_game(&mut self);
    /// Clears the search tables and histories.
    fn clear_hash(&mut self);
    /// What a drawn game is worth to the first player, in hundredths of a unit and within one unit of
    /// zero; searched things are forgotten. Any win stays above a draw, any loss below.
    fn set_contempt(&mut self, worth: Score);
    /// Who searches from now on: the production search, or one of the textbook's searchers, which follow one line
    /// with one thread.
    fn set_algorithm(&mut self, algorithm: Algorithm);
    /// Sets up a start and plays moves from it; forced passes that nobody wrote are implied. On an
    /// error everything stays as it was, but for the moves before a bad one if `keep_prefix`.
    fn set_position(
        &mut self,
        start: Start<'_>,
        moves: &[PlayedMove],
        style: Style,
        keep_prefix: bool,
    ) -> Result<(), SetupError>;
    /// Passes for the side to move if it must, so that `side` is to move; a reason if it cannot be.
    fn force_pass(&mut self, side: Side) -> Result<(), String>;
    /// Takes back a pass that only [`DynEngine::force_pass`] made.
    fn undo_forced_pass(&mut self);
    /// Takes back so many moves with the passes implied around them; false, and nothing taken
    /// back, if there are fewer.
    fn undo(&mut self, count: u32) -> bool;
    /// Who is to move.
    fn side(&self) -> Side;
    /// The legal moves, a forced pass included; none when the game is over.
    fn legal_moves(&self, style: Style) -> Vec<String>;
    /// True for any spelling of a pass.
    fn is_pass(&self, text: &str) -> bool;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The pass that a host may still ask for on a finished game.
    fn closing_pass(&self, style: Style) -> Option<String>;
    /// Discs or points of the first and the second player, where the game counts them.
    fn points(&self) -> Option<[u32; 2]>;
    /// The board as characters.
    fn grid(&self) -> Option<Grid>;
    /// The board drawn with its coordinates, whose turn it is and the points; no empty lines.
    fn picture(&self) -> String;
    /// The position on one line.
    fn position(&self, style: Style) -> String;
    /// The position that the moves of [`DynEngine::history`] start from.
    fn start_position(&self, style: Style) -> String;
    /// The moves so far with their players, passes included.
    fn history(&self, style: Style) -> Vec<(Side, String)>;
    /// Starts a search of the present position in a thread of its own.
    fn search(&self, request: SearchRequest, sink: EventSink) -> SearchHandle;
    /// The same on the calling thread, which needs a stack of [`crate::support::thread_pool::STACK`] bytes.
    fn search_blocking(&self, request: SearchRequest) -> BestMove;
    /// For the clock.
    fn time_hint(&self) -> TimeHint;
    /// Counts the leaves below each move in a thread of its own, by the game's own rule.
    fn divide(&self, depth: u32, style: Style, sink: EventSink) -> SearchHandle;
    /// Leaves at this depth in all; `None` counts by the game's own rule.
    fn perft(&self, depth: u32, rule: Option<PerftRule>) -> u64;
    /// Splits a run of moves (`f5d6c3`) into moves.
    fn split_moves(&self, text: &str) -> Vec<String>;
}
