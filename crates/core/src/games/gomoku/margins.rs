//! The numbers of the search in Gomoku. Scores are hundredths of about an open three.

use crate::search::history::ReductionTable;
use crate::search::margins::{HistoryMargins, Margins, OrderingMargins, PruningMargins};
use crate::search::types::{Depth, UNIT};

/// Margins of the shared recursion: fours take the place of captures.
pub const MARGINS: Margins = Margins {
    aspiration: UNIT / 2,
    ordering: OrderingMargins { killers: true, history: Some(HistoryMargins::DEFAULT), ..OrderingMargins::NONE },
    pruning: Some(PruningMargins {
        reverse_futility_per_ply: 3 * UNIT / 4,
        reverse_futility_max_depth: 6,
        razoring_per_ply: 2 * UNIT,
        razoring_max_depth: 2,
        futility: UNIT,
        futility_per_ply: UNIT,
        futility_max_depth: 6,
        late_moves: 8,
        late_moves_tenths: 13,
        candidates: 6,
        candidates_per_ply: 4,
        losing_captures_max_depth: 3,
        see_quiet_per_ply: 0,
        see_quiet_max_depth: 0,
    }),
    singular: None,
    fixed_reduction: None,
    delta: 2 * UNIT,
    max_quiet_evasions: 2,
    check_extensions: true,
    internal_reduction_min_depth: 5,
};

/// Late-move reductions; a history score of ±1,720 is worth a quarter of a ply, at most one and a half plies.
pub fn reductions() -> ReductionTable {
    ReductionTable::logarithmic(0.5, 2.0, 1_720, 6)
}

/// Null moves are tried from this depth on.
pub const NULL_MOVE_MIN_DEPTH: Depth = 2;
