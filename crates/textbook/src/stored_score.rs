//! A score in a table.

use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::{Depth, Score};

/// The score of a position that was searched to some depth, and what it says about the value.
#[derive(Clone, Copy)]
pub(super) struct StoredScore {
    pub(super) depth: Depth,
    pub(super) score: Score,
    pub(super) bound: Bound,
}

impl StoredScore {
    /// Whether the score replaces a search of this window and depth.
    pub(super) fn is_usable(self, (alpha, beta): (Score, Score), depth: Depth) -> bool {
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        self.depth == depth && decides
    }
}
