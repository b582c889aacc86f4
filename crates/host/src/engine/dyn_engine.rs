//! The type-erased engine: one game with its evaluation and policy behind text, plain numbers and
//! positions as values. Each command costs one virtual call; nodes cost none.

use super::book_choice::BookChoice;
use super::book_learning::BookLearning;
use super::dyn_position::{DynPosition, SharedPosition};
use super::skill::Skill;
use super::textbook_position::TextbookPosition;
use crate::api::command::{PlayedMove, ValueQuestion};
use crate::api::event::{BestMove, BookLine, Iteration, Outcome, SearchEvent};
use crate::api::settings::{BookSource, Settings};
use flipside_core::games::names::GameNames;
use flipside_core::games::searcher_settings::OpenError;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::notation::{Grid, PerftRule, PositionError, Style};
use flipside_core::search::searcher::TimeHint;
use flipside_core::search::types::{Score, Side};
use std::any::Any;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// A search to start.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// When the search must end.
    pub limits: Limits,
    /// Stops the search after this time, whatever its limits. This is the host's guard against a search that never
    /// ends, not a limit of the search.
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
    /// How the opening book is used.
    pub book: BookUse,
    /// What is asked about the value; `None` searches for a move as in games.
    pub value: Option<ValueQuestion>,
}

/// What a search does with the engine's opening book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookUse {
    /// The book is not used.
    Nothing,
    /// The search shows the book's moves in the position first.
    Show,
    /// If the book has a move, it is chosen like this and played without a search.
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
            value: None,
        }
    }

    /// A move within these limits as the settings want it played: with their threads, skill and use of the book.
    pub fn played(settings: &Settings, limits: Limits) -> SearchRequest {
        let skill = Skill::new(settings);
        SearchRequest {
            threads: settings.threads,
            skill,
            book: BookUse::Play(BookChoice::new(settings)),
            ..SearchRequest::new(skill.limited(limits))
        }
    }
}

/// Where a search sends its events; called by the search thread.
pub type EventSink = Arc<dyn Fn(SearchEvent) + Send + Sync>;

/// A running search.
pub struct SearchHandle {
    /// Stops the search.
    pub stop: Arc<Stop>,
    /// Receives a message when the search has ended; closes without one if the search thread panicked outside the
    /// search.
    pub ended: Receiver<()>,
}

impl SearchHandle {
    /// Waits for the search to end.
    ///
    /// # Errors
    /// The search thread panicked outside the search itself.
    pub fn join(self) -> Result<(), String> {
        self.ended.recv().map_err(|_| "the search thread panicked".to_string())
    }
}

/// Looks a position up in an opening book: its moves there, the best first.
pub type BookLookup = Box<dyn FnOnce() -> Vec<BookLine> + Send>;

/// Opens an opening book and replaces the engine's with it; a book that cannot be used changes nothing.
pub type BookOpening = Box<dyn FnOnce() -> Result<(), OpenError> + Send>;

/// The start of a position to set.
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
    /// The text of the start position is invalid.
    #[error("bad position: {0}")]
    Position(PositionError),
    /// A move cannot be played: its text and the reason.
    #[error("illegal move: {0}: {1}")]
    Move(String, String),
}

impl SetupError {
    /// The reason without the words `bad position`, for places where only the position is set.
    pub fn reason(self) -> String {
        match self {
            SetupError::Position(error) => error.to_string(),
            other => other.to_string(),
        }
    }
}

/// A game as an engine keeps it, for another engine of the same game.
pub struct SavedGame {
    pub(super) game: &'static str,
    pub(super) history: Box<dyn Any + Send>,
    /// Its moves, passes included.
    pub plies: usize,
}

/// Opens engines. The session opens another one for another game, evaluation or table size.
pub trait EngineFactory: Send + Sync {
    /// The available games, the default first.
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
    /// Touches the memory of the search tables, for a second at most, while no clock runs. On a machine that provides
    /// memory slowly (a fresh virtual one: 0.2 seconds for 64 MiB) the first move of a timed game would otherwise be
    /// late.
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
    /// The start or a move is invalid. Everything stays as it was; with `keep_prefix` the moves before an illegal one
    /// stay played.
    fn set_position(
        &mut self,
        start: Start<'_>,
        moves: &[PlayedMove],
        style: Style,
        keep_prefix: bool,
    ) -> Result<(), SetupError>;
    /// Tries these moves first from the position of this text on, where a search meets them and knows no better.
    ///
    /// # Errors
    /// The position or a move is invalid; nothing changes.
    fn suggest(&self, start: &str, moves: &[PlayedMove], style: Style) -> Result<(), SetupError>;
    /// Plays the legal move of this code ([`BestMove::code`]).
    ///
    /// # Errors
    /// There is no such move, or the game is too long.
    fn play_code(&mut self, code: u16) -> Result<(), String>;
    /// Passes for the side to move if it has no other move, so that `side` is to move.
    ///
    /// # Errors
    /// The side to move has moves, or the game is over.
    fn force_pass(&mut self, side: Side) -> Result<(), String>;
    /// Takes back the pass of [`DynEngine::force_pass`].
    fn undo_forced_pass(&mut self);
    /// Takes back `count` moves with the passes implied around them. Returns false, and takes nothing back, if fewer
    /// were played.
    fn undo(&mut self, count: u32) -> bool;
    /// The side to move.
    fn side(&self) -> Side;
    /// The legal moves, a forced pass included; none when the game is over.
    fn legal_moves(&self, style: Style) -> Vec<String>;
    /// The empty squares that the rules forbid to the first player, whoever is to move.
    fn forbidden_moves(&self) -> Vec<String>;
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
    /// The value of the pieces of the first and the second player in pawns, where pieces differ in value.
    fn material(&self) -> Option<[u32; 2]>;
    /// The board as characters.
    fn grid(&self) -> Option<Grid>;
    /// The name of the game's opening, if it has a common one.
    fn opening_name(&self) -> Option<&'static str>;
    /// The board drawn with its coordinates, the side to move, the points and the opening's name; no empty lines.
    ///
    /// In [`Style::Uci`] the rows are numbered as UCI's moves number them.
    fn picture(&self, style: Style) -> String;
    /// The position on one line.
    fn position(&self, style: Style) -> String;
    /// The start position of [`DynEngine::history`].
    fn start_position(&self, style: Style) -> String;
    /// Whether the history starts from the game's own start.
    fn has_usual_start(&self) -> bool;
    /// The moves so far with their players, passes included.
    fn history(&self, style: Style) -> Vec<(Side, String)>;
    /// The game so far. Passes that no host wrote count as written.
    fn save(&self) -> SavedGame;
    /// Goes on with a saved game; false, and everything as before, if it is of another game.
    fn resume(&mut self, saved: SavedGame) -> bool;
    /// The present position as a value.
    fn present(&self) -> SharedPosition;
    /// The moves so far as codes, each with the position before it, passes included.
    fn course(&self) -> Vec<(SharedPosition, u16)>;
    /// Searches these moves of a position in the engine's thread and waits for the end: a variation for each of them, the best
    /// first, as the last iteration that finished them all has it. Moves for which
    /// the limits are too small are left out.
    ///
    /// # Errors
    /// It is a position of another game, or the search panicked.
    fn score_moves(
        &self,
        position: &dyn DynPosition,
        moves: &[u16],
        limits: Limits,
        stop: Arc<Stop>,
    ) -> Result<Vec<Iteration<u16>>, String>;
    /// Searches the present position in the engine's thread, after its earlier searches have ended.
    fn search(&self, request: SearchRequest, sink: EventSink) -> SearchHandle;
    /// Searches on the calling thread, which needs a stack of [`flipside_support::thread_pool::STACK`] bytes.
    fn search_blocking(&self, request: SearchRequest) -> BestMove;
    /// Prepares the opening of another book for this engine; run it where a slow file blocks nothing. The search tables
    /// stay.
    fn book_opening(&self, source: &BookSource) -> BookOpening;
    /// Prepares a look-up in the opening book of the position before the last `moves_back` moves; run it where a slow
    /// file blocks nothing. `None` if the engine has no book.
    fn book_lookup(&self, moves_back: usize, style: Style) -> Option<BookLookup>;
    /// Prepares adding the present game to the opening book; `None` if the engine has no book.
    fn book_learning(&self) -> Option<BookLearning>;
    /// The facts about the present position that time management uses.
    fn time_hint(&self) -> TimeHint;
    /// The static evaluation of the present position for the side to move, in hundredths; the final score of a finished game.
    fn static_eval(&self) -> Score;
    /// The present position for the textbook's searchers.
    fn textbook(&self) -> Box<dyn TextbookPosition>;
    /// Perft in the engine's thread, divided by move, by the game's own rule.
    fn divide(&self, depth: u32, style: Style, sink: EventSink) -> SearchHandle;
    /// Perft: the leaves at this depth; `None` counts by the game's own rule.
    fn perft(&self, depth: u32, rule: Option<PerftRule>) -> u64;
}
