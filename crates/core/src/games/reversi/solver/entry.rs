//! The entries of the solver's table, and how a search changes them.

use crate::games::reversi::board::PASS;
use crate::search::types::Selectivity;

/// The table's entry of a position: bounds in discs for the side to move, and its best moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score is at least this.
    pub lower: i8,
    /// The score is at most this.
    pub upper: i8,
    /// The best move and the best one before it; [`PASS`] if unknown.
    pub moves: [u8; 2],
    /// Selectivity of the bounds.
    pub selectivity: Selectivity,
}

/// The result of searching a position, to be stored.
#[derive(Clone, Copy, Debug)]
pub struct StoreData {
    /// The fail-soft score.
    pub score: i32,
    /// The lower end of the window.
    pub alpha: i32,
    /// The upper end of the window.
    pub beta: i32,
    /// The best move.
    pub best: u8,
    /// Selectivity of the search.
    pub selectivity: Selectivity,
    /// See [`work`]; for replacement.
    pub work: u8,
}

impl Entry {
    /// Nothing is known.
    pub const UNKNOWN: Entry = Entry { lower: -64, upper: 64, moves: [PASS; 2], selectivity: Selectivity::BOLDEST };

    /// The entry with a new result merged in; it keeps the bounds of the less selective of the
    /// two.
    #[inline(always)]
    pub fn merged(mut self, data: &StoreData) -> Entry {
        let score = data.score.clamp(-64, 64) as i8;
        if data.selectivity > self.selectivity {
            (self.lower, self.upper, self.selectivity) = (-64, 64, data.selectivity);
        }
        if data.selectivity == self.selectivity {
            if data.score < data.beta && score < self.upper {
                self.upper = score;
            }
            if data.score > data.alpha && score > self.lower {
                self.lower = score;
            }
            // Selective bounds may contradict each other; the newer one counts.
            if self.lower > self.upper {
                (self.lower, self.upper) = (score, score);
            }
        }
        if (data.score > data.alpha || self.moves[0] == PASS) && data.best != self.moves[0] && data.best != PASS {
            self.moves = [data.best, self.moves[0]];
        }
        self
    }

    /// One word, whose uppermost byte is left to the generation.
    #[inline(always)]
    pub fn pack(self, work: u8, age: u8) -> u64 {
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.moves[0],
            self.moves[1],
            self.selectivity.0,
            work,
            age,
            0,
        ])
    }

    /// The entry of such a word.
    #[inline(always)]
    pub fn unpack(data: u64) -> Entry {
        let [lower, upper, first, second, selectivity, ..] = data.to_le_bytes();
        Entry { lower: lower as i8, upper: upper as i8, moves: [first, second], selectivity: Selectivity(selectivity) }
    }
}

/// The logarithm of a number of nodes, in quarters of a power of two.
#[inline(always)]
pub fn work(nodes: u64) -> u8 {
    let nodes = nodes.max(4);
    let log = 63 - nodes.leading_zeros();
    (log * 4 + (nodes >> (log - 2) & 3) as u32) as u8
}
