//! The numbers of the search that were tuned for MiniChess, most of them by SPSA (Spall, 1992) on its games
//! (docs/experiments/minichess.md). Scores are hundredths of a pawn.

use crate::search::history::ReductionTable;
use crate::search::margins::{HistoryMargins, Margins, OrderingMargins, PruningMargins, SingularMargins};
use crate::search::types::{Depth, UNIT};

/// All techniques of the shared recursion.
pub const MARGINS: Margins = Margins {
    aspiration: 3 * UNIT / 20,
    ordering: OrderingMargins {
        killers: true,
        history: Some(HistoryMargins { bonus_per_ply: 128, max_bonus: 1_950, reply_fifths: 7 }),
        piece_to_codes: Some(512),
        ..OrderingMargins::NONE
    },
    pruning: Some(PruningMargins {
        reverse_futility_per_ply: 3 * UNIT / 4,
        reverse_futility_max_depth: 7,
        razoring_per_ply: 8 * UNIT / 5,
        razoring_max_depth: 2,
        futility: 4 * UNIT / 5,
        futility_per_ply: 5 * UNIT / 8,
        futility_max_depth: 6,
        late_moves: 4,
        late_moves_tenths: 13,
        candidates: Depth::MAX,
        candidates_per_ply: 0,
        losing_captures_max_depth: 3,
        see_quiet_per_ply: 2 * UNIT / 5,
        see_quiet_max_depth: 6,
    }),
    singular: Some(SingularMargins { min_depth: 7, per_ply: 3 * UNIT / 100, double_extension: 3 * UNIT / 10 }),
    fixed_reduction: None,
    delta: 2 * UNIT,
    max_quiet_evasions: 2,
    check_extensions: true,
    internal_reduction_min_depth: 5,
};

/// Late-move reductions; a history score of ±1,720 is worth a quarter of a ply, at most one and a half plies.
pub fn reductions() -> ReductionTable {
    ReductionTable::logarithmic(0.5, 2.3, 1_720, 6)
}

/// Null moves are tried from this depth on.
pub const NULL_MOVE_MIN_DEPTH: Depth = 3;
