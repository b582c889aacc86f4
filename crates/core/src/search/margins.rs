//! The numbers of selective techniques. A game states those that it has tuned; the shared
//! recursion reads them as constants, so that an absent technique is not compiled in.

use super::types::{Depth, Score, UNIT};

/// The numbers of all techniques; start from [`Margins::NONE`]. Scores are hundredths of the game's unit.
#[derive(Clone, Copy, Debug)]
pub struct Margins {
    /// Half the width of the first aspiration window.
    pub aspiration: Score,
    /// Move ordering by what earlier searches have learned.
    pub ordering: OrderingMargins,
    /// Pruning near the horizon: futility, razoring, late moves, moves that lose material.
    pub pruning: Option<PruningMargins>,
    /// Singular extensions.
    pub singular: Option<SingularMargins>,
    /// Late-move reduction by a fixed number of plies.
    pub fixed_reduction: Option<FixedReduction>,
    /// Quiescence: what a capture may gain besides the piece it takes (delta pruning).
    pub delta: Score,
    /// Quiescence: quiet answers to a check that are tried once one of them has avoided the loss.
    pub max_quiet_evasions: usize,
    /// Check extension: one ply more where the side to move is in check.
    pub check_extensions: bool,
    /// Internal iterative reduction: from this depth on, a node without a table move is searched one ply less deep.
    pub internal_reduction_min_depth: Depth,
}

impl Margins {
    /// No selective technique: plain principal variation search with a transposition table.
    pub const NONE: Margins = Margins {
        aspiration: 3 * UNIT,
        ordering: OrderingMargins::NONE,
        pruning: None,
        singular: None,
        fixed_reduction: None,
        delta: 2 * UNIT,
        max_quiet_evasions: 2,
        check_extensions: false,
        internal_reduction_min_depth: 5,
    };
}

/// What moves are ordered by, besides [`score_move`](super::policy::SearchPolicy::score_move).
#[derive(Clone, Copy, Debug)]
pub struct OrderingMargins {
    /// Killer moves: quiet moves that cut at the same ply.
    pub killers: bool,
    /// The history of quiet moves that cut anywhere.
    pub history: Option<HistoryMargins>,
    /// Continuation history: quiet moves that cut after a certain move, by
    /// [`piece_to`](super::policy::SearchPolicy::piece_to), which is below this number.
    pub piece_to_codes: Option<usize>,
    /// From this depth on, the static evaluation after a move counts.
    pub evaluation_min_depth: Option<Depth>,
    /// From this depth on, the table's buckets of all children are prefetched while the moves are
    /// ordered: for games that play a move in a few instructions. At any depth, what the evaluation
    /// has cached on them is.
    pub prefetch_min_depth: Option<Depth>,
}

impl OrderingMargins {
    /// The order of the game's own scores.
    pub const NONE: OrderingMargins = OrderingMargins {
        killers: false,
        history: None,
        piece_to_codes: None,
        evaluation_min_depth: None,
        prefetch_min_depth: None,
    };
}

/// Bonus of a move in the history tables, whose values stay within ±16384 ("history gravity").
#[derive(Clone, Copy, Debug)]
pub struct HistoryMargins {
    /// Bonus (or malus) for each ply of depth.
    pub bonus_per_ply: i32,
    /// The largest bonus.
    pub max_bonus: i32,
    /// Weight of the continuation history after the opponent's last move, in fifths of that after one's own.
    pub reply_fifths: i32,
}

impl HistoryMargins {
    /// Found by SPSA on games of MiniChess (docs/experiments/minichess.md); good enough for other
    /// games.
    pub const DEFAULT: HistoryMargins = HistoryMargins { bonus_per_ply: 128, max_bonus: 1_950, reply_fifths: 7 };
}

/// Pruning near the horizon. Each `per_ply` is multiplied by the remaining depth.
#[derive(Clone, Copy, Debug)]
pub struct PruningMargins {
    /// Reverse futility: the static evaluation is above beta by this for each ply...
    pub reverse_futility_per_ply: Score,
    /// ... up to this depth.
    pub reverse_futility_max_depth: Depth,
    /// Razoring: the static evaluation is below alpha by this for each ply...
    pub razoring_per_ply: Score,
    /// ... up to this depth.
    pub razoring_max_depth: Depth,
    /// Futility: what a quiet move may gain at the horizon...
    pub futility: Score,
    /// ... and for each ply before it...
    pub futility_per_ply: Score,
    /// ... up to this depth, which bounds late-move pruning, too.
    pub futility_max_depth: Depth,
    /// Late-move pruning: quiet moves tried at least...
    pub late_moves: Depth,
    /// ... and this many tenths more for each square of the depth; half as many where the position
    /// does not improve.
    pub late_moves_tenths: Depth,
    /// Candidates: this many quiet moves are tried at any node...
    pub candidates: Depth,
    /// ... and so many more for each ply of the depth.
    pub candidates_per_ply: Depth,
    /// Captures that lose material are pruned up to this depth.
    pub losing_captures_max_depth: Depth,
    /// Quiet moves may lose this much material for each ply by static exchange evaluation...
    pub see_quiet_per_ply: Score,
    /// ... up to this depth.
    pub see_quiet_max_depth: Depth,
}

/// Singular extensions (Anantharaman, Campbell and Hsu, 1988).
#[derive(Clone, Copy, Debug)]
pub struct SingularMargins {
    /// From this depth on the search compares the table's move with the others.
    pub min_depth: Depth,
    /// Others come near if they reach the table's value less this for each ply.
    pub per_ply: Score,
    /// Missing even that by this much extends by two plies.
    pub double_extension: Score,
}

/// Late-move reduction by an even number of plies, which keeps the side that moves last.
#[derive(Clone, Copy, Debug)]
pub struct FixedReduction {
    /// From this depth on.
    pub min_depth: Depth,
    /// From the move of this index on.
    pub first_move: usize,
    /// The reduction in plies.
    pub plies: Depth,
}
