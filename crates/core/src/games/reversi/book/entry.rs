//! A book's knowledge of a position.

use crate::games::reversi::board::Board;
use crate::games::reversi::symmetry::Symmetry;
pub use crate::search::opening_book::Grade;
use crate::search::types::{Certainty, Score, Selectivity, UNIT};

/// A value and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// In hundredths of a disc for the side to move, -6400 to 6400.
    pub score: Score,
    /// Plies from the position to the horizon of the search that gave the score; where that
    /// reached the end of the game, the number of empty squares.
    pub depth: u8,
    /// Selectivity of that search: 73, 80, 87, 95, 98, 99 or 100 percent.
    pub selectivity: u8,
    /// How sure the score is.
    pub grade: Grade,
}

impl Value {
    /// The value for the opponent, one ply earlier.
    pub fn negated(self) -> Value {
        Value { score: -self.score, depth: self.depth.saturating_add(1), ..self }
    }

    /// What is known of a position without a search.
    pub const UNKNOWN: Value =
        Value { score: 0, depth: 0, selectivity: Selectivity::PERCENT[0], grade: Grade::Searched };

    /// The result of a game that is over.
    pub fn of_finished(board: Board) -> Value {
        let (score, depth) = (board.final_discs() * UNIT, board.empties() as u8);
        Value { score, depth, selectivity: Selectivity::EXACT.percent(), grade: Grade::Exact }
    }

    /// Negamax: the best of the values of the moves that stay in the book, and of the deviation, which stands for all
    /// others; none if no move's value is known. The position has `moves` legal moves.
    pub fn backed_up(empties: u32, moves: usize, links: &[Value], deviation: Option<Value>) -> Option<Value> {
        let values = || links.iter().copied().chain(deviation);
        let best = values().max_by_key(|value| (value.score, value.grade.is_proven()))?;
        let is_complete = deviation.is_some() || links.len() == moves;
        let all = |grade: fn(Grade) -> bool| is_complete && values().all(|value| grade(value.grade));
        let empties = empties as u8;
        let depth = best.depth.min(empties);
        Some(if all(|grade| grade == Grade::Exact) {
            Value { score: best.score, depth: empties, selectivity: 100, grade: Grade::Exact }
        } else if all(Grade::is_proven) || values().any(|value| value.grade.is_proven() && value.score > 0) {
            Value { depth, grade: Grade::Proven, ..best }
        } else {
            Value { depth, grade: if links.is_empty() { best.grade } else { Grade::BackedUp }, ..best }
        })
    }

    /// This score with at most the certainty of `other`. A value that stands for several moves is only as certain as
    /// the least certain of them, because that move may be the best.
    pub fn no_surer_than(self, other: Value) -> Value {
        Value {
            score: self.score,
            depth: self.depth.min(other.depth),
            selectivity: self.selectivity.min(other.selectivity),
            grade: self.grade.min(other.grade),
        }
    }

    /// A deviation's value with no more certainty than it can have: only a search of full width to the end of the game
    /// proves one. `empties` are those of the position.
    pub fn founded(self, empties: u32) -> Value {
        Value { grade: if self.is_whole(empties) { self.grade } else { self.grade.min(Grade::BackedUp) }, ..self }
    }

    /// Whether the search reached the end of the game at full width. `empties` are those of the position.
    pub fn is_whole(self, empties: u32) -> bool {
        u32::from(self.depth) >= empties && self.selectivity == Selectivity::EXACT.percent()
    }

    /// The certainty of the score, in the words of all outputs. `empties` are those of the
    /// position.
    pub fn certainty(self, empties: u32) -> Certainty {
        match self.grade {
            Grade::Exact => Certainty::Exact,
            Grade::Proven => Certainty::WinLossDraw,
            _ if u32::from(self.depth) >= empties => Certainty::Selective(self.selectivity),
            _ => Certainty::Estimate(self.selectivity),
        }
    }
}

/// The best of the moves that lead out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// Its square, 0 (a1) to 63 (h8), or 64 for a pass.
    pub square: u8,
    /// Its value for the side that makes it.
    pub value: Value,
}

/// Games through a position, by result for its side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Games won by the side to move.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost by it.
    pub lost: u32,
}

impl GameCounts {
    /// All games.
    pub fn total(self) -> u64 {
        u64::from(self.won) + u64::from(self.drawn) + u64::from(self.lost)
    }

    /// The same games as the opponent sees them.
    pub fn negated(self) -> GameCounts {
        GameCounts { won: self.lost, lost: self.won, ..self }
    }

    /// The games of both counts.
    pub fn plus(self, other: GameCounts) -> GameCounts {
        GameCounts {
            won: self.won.saturating_add(other.won),
            drawn: self.drawn.saturating_add(other.drawn),
            lost: self.lost.saturating_add(other.lost),
        }
    }
}

/// What a book stores about a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The value of the best move.
    pub value: Value,
    /// The number of book positions whose own searches the value rests on, including this one if
    /// it was searched.
    pub leaves: u32,
    /// The best move that leads out of the book, if one does.
    pub deviation: Option<Deviation>,
    /// Games through the position.
    pub games: GameCounts,
}

impl BookEntry {
    /// The entry for the position that this symmetry makes of this one.
    pub fn transformed(self, symmetry: Symmetry) -> BookEntry {
        let lead = |deviation: Deviation| Deviation { square: symmetry.square(deviation.square), ..deviation };
        BookEntry { deviation: self.deviation.map(lead), ..self }
    }

    /// The least of the eight symmetric forms of the entry's position, and the entry for it.
    pub fn canonical(self, board: Board) -> (Board, BookEntry) {
        let (canonical, symmetry) = Symmetry::canonical(board);
        (canonical, self.transformed(symmetry))
    }
}

/// A legal move whose value the book knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// Its square, 0 (a1) to 63 (h8), or 64 for a pass.
    pub square: u8,
    /// Its value for the side that makes it.
    pub value: Value,
    /// Games through the position after it, by result for the side that makes the move.
    pub games: GameCounts,
    /// False for the best move that leads out of the book.
    pub in_book: bool,
}
