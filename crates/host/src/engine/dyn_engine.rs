//! The type-erased engine: one game with its evaluation and policy behind text and plain numbers. A virtual call for each
//! command, none for a node.

use super::book_choice::BookChoice;
use super::book_learning::BookLearning;
use super::skill::Skill;
use super::textbook_position::TextbookPosition;
use crate::api::command::PlayedMove;
use crate::api::event::{BestMove, BookLine, Outcome, SearchEvent};
use crate::api::settings::{BookSource, Settings};
use flipside_core::games::names::GameNames;
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::{Grid, PerftRule, PositionError, Style};
use flipside_core::search::searcher::TimeHint;
use flipside_core::search::types::{Score, Side};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A search to start.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// When it must end.
    pub limits: Limits,
    /// After this long it is stopped, whatever its limits: no limit of the search, but a host's guard against one that
    /// never ends.
    pub guard: Option<Duration>,
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
    /// What the opening book is for.
    pub book: BookUse,
}

/// What a search does with the engine's opening book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookUse {
    /// Nothing.
    Nothing,
    /// It shows what the book knows of the position, then searches.
    Show,
    /// It plays a move of the book, chosen like this, without a search, if there is one.
    Play(BookChoice),
}

impl SearchRequest {
    /// The best move within these limits, by one thread, in the game's own notation.
    pub fn new(limits: Limits) -> SearchRequest {
        SearchRequest {
            limits,
            guard: None,
            multipv: 1,
            searchmoves: Vec::new(),
            style: Style::Plain,
            threads: 1,
            skill: Skill::BEST,
            book: BookUse::Nothing,
        }
    }
}

/// Where a search sends its events; called by the search thread.
pub type EventSink = Arc<dyn Fn(SearchEvent) + Send + Sync>;

/// A search under way.
pub struct SearchHandle {
    /// Its end.
    pub stop: Arc<Stop>,
    /// Hears when it has ended; closed without a word if it panicked outside the search itself.
    pub ended: Receiver<()>,
}

impl SearchHandle {
    /// Waits for the search to end.
    ///
    /// # Errors
    /// It panicked outside the search itself.
    pub fn join(self) -> Result<(), String> {
        self.ended.recv().map_err(|_| "the search thread panicked".to_string())
    }
}

/// Searches the present position of an engine, in the engine's thread, and waits for the result.
///
/// # Errors
/// It panicked outside the search itself.
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

/// Looks a position up in an opening book: its moves there, the best first.
pub type BookLookup = Box<dyn FnOnce() -> Vec<BookLine> + Send>;

/// Opens an opening book and puts it in the place of the engine's; one that cannot be used changes nothing.
pub type BookOpening = Box<dyn FnOnce() -> Result<(), OpenError> + Send>;

/// Where a position to set starts.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// The present position.
    Here,
    /// The game's own start.
    Initial,
    /// The position of this text.
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

/// Opens engines; the session asks it for another game, another evaluation or another table size.
pub trait EngineFactory: Send + Sync {
    /// The games on offer, the default first.
    fn games(&self) -> &[GameNames];
    /// The engine that the settings name, at its start position.
    ///
    /// # Errors
    /// There is no such game or evaluation, its weights cannot be used, or there is not enough memory.
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
    /// Prefaults the memory of the search tables, for a second at most, while no clock runs: on a machine whose memory
    /// comes slowly (a fresh virtual one: 0.2 seconds for 64 MiB) the first move of a timed game would be late.
    fn prepare(&self);
    /// Sets the start position, clears the search tables and histories, and prepares.
    fn new_game(&mut self);
    /// Clears the search tables and histories.
    fn clear_hash(&mut self);
    /// Sets the value of a drawn game for the first player, in hundredths of a unit and within one unit of zero, and
    /// clears the search tables. Any win stays above a draw, any loss below.
    fn set_contempt(&mut self, value: Score);
    /// Sets the search algorithm: the production search, or one of the textbook's, which have one thread and one
    /// principal variation.
    fn set_algorithm(&mut self, algorithm: Algorithm);
    /// Sets a start position and plays moves from it; forced passes that are not written are implied.
    ///
    /// # Errors
    /// The start or a move is wrong. Everything stays as it was, but for the moves before an illegal one if
    /// `keep_prefix`.
    fn set_position(
        &mut self,
        start: Start<'_>,
        moves: &[PlayedMove],
        style: Style,
        keep_prefix: bool,
    ) -> Result<(), SetupError>;
    /// Plays the legal move of this code ([`BestMove::code`]).
    ///
    /// # Errors
    /// There is no such move, or the game is too long.
    fn play_code(&mut self, code: u16) -> Result<(), String>;
    /// Passes for the side to move if it must, so that `side` is to move.
    ///
    /// # Errors
    /// The side to move has moves, or the game is over.
    fn force_pass(&mut self, side: Side) -> Result<(), String>;
    /// Takes back a pass that [`DynEngine::force_pass`] made.
    fn undo_forced_pass(&mut self);
    /// Takes back so many moves with the passes implied around them; false, and nothing taken back, if fewer were
    /// played.
    fn undo(&mut self, count: u32) -> bool;
    /// The side to move.
    fn side(&self) -> Side;
    /// The legal moves, a forced pass included; none when the game is over.
    fn legal_moves(&self, style: Style) -> Vec<String>;
    /// Whether the text is a legal move, in any spelling that the notation has.
    fn is_legal(&self, text: &str, style: Style) -> bool;
    /// True for any spelling of a pass.
    fn is_pass(&self, text: &str) -> bool;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The pass that a host may ask for on a finished game.
    fn closing_pass(&self, style: Style) -> Option<String>;
    /// Discs or points of the first and the second player, where the game counts them.
    fn points(&self) -> Option<[u32; 2]>;
    /// What the pieces of the first and the second player are worth, in pawns, where the game has pieces of several worths.
    fn material(&self) -> Option<[u32; 2]>;
    /// The board as characters.
    fn grid(&self) -> Option<Grid>;
    /// The name of the opening that the game began with, where people have given it one.
    fn opening_name(&self) -> Option<&'static str>;
    /// The board drawn with its coordinates, whose turn it is, the points and the opening's name; no empty lines.
    ///
    /// In [`Style::Uci`] the rows are numbered as UCI's moves number them.
    fn picture(&self, style: Style) -> String;
    /// The position on one line.
    fn position(&self, style: Style) -> String;
    /// The position that the moves of [`DynEngine::history`] start from.
    fn start_position(&self, style: Style) -> String;
    /// Whether they start from the game's own start.
    fn has_usual_start(&self) -> bool;
    /// The moves so far with their players, passes included.
    fn history(&self, style: Style) -> Vec<(Side, String)>;
    /// Searches the present position in the engine's thread, once its earlier searches have ended.
    fn search(&self, request: SearchRequest, sink: EventSink) -> SearchHandle;
    /// The same on the calling thread, which needs a stack of [`flipside_support::thread_pool::STACK`] bytes.
    fn search_blocking(&self, request: SearchRequest) -> BestMove;
    /// Another opening book for this engine, to be opened where a slow file keeps nobody waiting. The search tables stay.
    fn book_opening(&self, source: &BookSource) -> BookOpening;
    /// A look-up of the position before the last `moves_back` moves in the opening book, to be run where a slow file keeps
    /// nobody waiting; `None` if the engine has no book.
    fn book_lookup(&self, moves_back: usize, style: Style) -> Option<BookLookup>;
    /// Teaching the opening book the present game; `None` if the engine has no book.
    fn book_learning(&self) -> Option<BookLearning>;
    /// What time management needs to know of the present position.
    fn time_hint(&self) -> TimeHint;
    /// The static evaluation of the present position for the side to move, in hundredths; the final score of a finished game.
    fn static_eval(&self) -> Score;
    /// The present position for the textbook's searchers.
    fn textbook(&self) -> Box<dyn TextbookPosition>;
    /// Perft in the engine's thread, move by move, by the game's own rule.
    fn divide(&self, depth: u32, style: Style, sink: EventSink) -> SearchHandle;
    /// Perft: the leaves at this depth; `None` counts by the game's own rule.
    fn perft(&self, depth: u32, rule: Option<PerftRule>) -> u64;
    /// Splits a run of moves (`f5d6c3`) into moves.
    fn split_moves(&self, text: &str) -> Vec<String>;
}
