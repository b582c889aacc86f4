//! A node of the tree: a position with its context, and what is known before its moves are
//! searched.

use super::evaluation::Eval;
use super::game::Game;
use super::transposition_table::Entry;
use super::types::{Depth, Score};

/// A position in the tree with its context.
pub struct Node<'n, G: Game, E: Eval<G>> {
    /// The position.
    pub position: &'n G::Position,
    /// The evaluation's accumulator of the position.
    pub accumulator: &'n E::Accumulator,
    /// Plies from the root.
    pub ply: usize,
    /// False right after a null move and inside ProbCut's own verification: neither is tried again there.
    pub allow_pruning: bool,
    /// The answer of [`CaptureSearch::in_check`](super::technique::CaptureSearch::in_check).
    pub in_check: bool,
    /// Expected cut-node: a null window that one good move should cut. False at expected all-nodes and on the
    /// principal variation.
    pub cut_node: bool,
    /// Singular extension: the code of the move that this search excludes.
    pub excluded: Option<u16>,
}

impl<G: Game, E: Eval<G>> Clone for Node<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Eval<G>> Copy for Node<'_, G, E> {}

/// What is known of a node before its moves are searched.
#[derive(Clone, Copy)]
pub struct NodeInfo {
    /// The position's key in the transposition table.
    pub key: u64,
    /// Plies to search, at least one.
    pub depth: Depth,
    /// The lower end of the window.
    pub alpha: Score,
    /// The upper end of the window.
    pub beta: Score,
    /// Principal variation: the window is open, because the search wants the value and not only a
    /// bound.
    pub is_pv: bool,
    /// The entry of the transposition table.
    pub tt_entry: Option<Entry>,
    /// The code of the transposition table's move.
    pub tt_move: Option<u16>,
    /// The static evaluation, adjusted by the table's bound; below all scores in check, where a
    /// static evaluation means nothing.
    pub eval: Score,
    /// Whether the static evaluation is better than a move (two plies) ago.
    pub improving: bool,
    /// Singular extension: plies more for the table's move.
    pub extension: Depth,
}

/// A move to be searched next.
#[derive(Clone, Copy)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Its move-ordering score.
    pub score: i32,
    /// Neither a capture nor a promotion.
    pub is_quiet: bool,
    /// The number of moves searched before it.
    pub move_count: usize,
}

/// The best of the moves searched so far.
pub struct BestSoFar {
    /// The lower end of the window, raised by the best move.
    pub alpha: Score,
    /// The best value, fail-soft.
    pub best: Score,
    /// The code of the move that raised alpha last.
    pub best_code: Option<u16>,
    /// The highest bound on the value of a pruned move.
    pub most_pruned: Score,
    /// Moves resolved without a search: excluded, or of known value.
    pub resolved: usize,
}

impl BestSoFar {
    /// Records a searched move; true if it is the best within the window so far.
    #[inline(always)]
    pub fn update(&mut self, score: Score, code: u16) -> bool {
        let raises = score > self.best && score > self.alpha;
        self.best = self.best.max(score);
        if raises {
            self.alpha = score;
            self.best_code = Some(code);
        }
        raises
    }
}
