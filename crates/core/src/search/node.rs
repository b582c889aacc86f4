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
