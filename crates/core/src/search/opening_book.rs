//! The opening book as the engine sees it: plain data about a position's moves. The search does
//! not use it: the caller may ask the book before a search.

use super::game::Game;
use super::result::Iteration;
use super::types::{Certainty, Depth, Score};
use std::fmt::{self, Display};
use std::str::FromStr;

/// How sure a value in a book is, the least sure first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// A search of this position.
    Searched,
    /// Negamax over the book: searches of this position and of positions below it.
    BackedUp,
    /// Only the sign of the score is proven: won, drawn or lost.
    Proven,
    /// The value of perfect play.
    Exact,
}

impl Grade {
    /// All grades with their names.
    pub const ALL: [(Grade, &'static str); 4] = [
        (Grade::Searched, "searched"),
        (Grade::BackedUp, "backed-up"),
        (Grade::Proven, "proven"),
        (Grade::Exact, "exact"),
    ];

    /// Its name: `searched`, `backed-up`, `proven` or `exact`.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(grade, _)| *grade == self).map_or("", |(_, name)| name)
    }

    /// True if the sign of the score is certain.
    pub fn is_proven(self) -> bool {
        matches!(self, Grade::Proven | Grade::Exact)
    }
}

impl Display for Grade {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Grade {
    type Err = ();

    fn from_str(text: &str) -> Result<Grade, ()> {
        Self::ALL.into_iter().find(|(_, name)| *name == text).map(|(grade, _)| grade).ok_or(())
    }
}

/// A legal move whose value the book knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookMove<M> {
    /// The move.
    pub mv: M,
    /// In hundredths of a unit, for the side that makes it.
    pub score: Score,
    /// Plies from the position before the move to the horizon of the search that gave the score.
    pub depth: u32,
    /// The certainty of the score.
    pub certainty: Certainty,
    /// Where the score comes from.
    pub grade: Grade,
    /// Games of the book in which it was played.
    pub games: u64,
}

/// Searches the moves of a position that lead out of the book, to a depth in plies: the best of
/// them, or none if the search was stopped.
pub type BookSearch<'a, G> =
    dyn Fn(&<G as Game>::Position, &[<G as Game>::Move], Depth) -> Option<Iteration<<G as Game>::Move>> + 'a;

/// An opening book of a game.
pub trait OpeningBook<G: Game>: Send + Sync {
    /// The moves whose values the book knows, best first; none if the position is not in the book
    /// or cannot be read any more.
    fn moves(&self, position: &G::Position) -> Vec<BookMove<G::Move>>;
    /// Plies from the start of a game to the position, passes not counted.
    fn plies(&self, position: &G::Position) -> u32;
    /// Teaches the book a game from the usual start, with or without forced passes, and says what
    /// it learned. Stopped searches end it early; the book keeps what it has learned until then.
    ///
    /// # Errors
    /// Why the book cannot be taught.
    fn learn(&self, moves: &[G::Move], search: &BookSearch<'_, G>) -> Result<String, String>;
}
