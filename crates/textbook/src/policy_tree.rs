//! The policy that a search proves along optimal play: one move in each position of the side to move at the root, every
//! move in each position of its opponent. It secures the value at the root against every answer.

use super::searcher;
use super::trace::Presentation;
use super::trace_tree::{TraceTree, VisitResult};
use super::tracer::NoTracer;
use super::types::{SearchConfig, SearchInput};
use super::units::Units;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::{Depth, Score, Side};
use std::sync::Arc;

/// Size limit of a policy that is drawn.
const MAX_POSITIONS: usize = 100_000;

/// A policy and its size.
pub struct Policy {
    /// One move below each node of the policy's side, every move below each other node.
    pub tree: TraceTree,
    /// The value at the root for Max.
    pub value: Units,
    /// Positions in which the policy names a move.
    pub answers: usize,
    /// Lines of play to the depth or to the end of the game.
    pub lines: usize,
}

/// The state of the recursion.
struct Builder<'a, 'b, G: Game, E> {
    input: &'a SearchInput<'b, G, E>,
    config: SearchConfig,
    shown: &'a Presentation<'a, G>,
    positions: usize,
    answers: usize,
    lines: usize,
}

/// The policy of the side to move, each of its moves found by a search with the configuration; `None` if it has more
/// than a hundred thousand positions.
pub fn policy<G: Game + Clone, E: Eval<G> + Clone>(
    input: &SearchInput<'_, G, E>,
    config: SearchConfig,
    side: Side,
    shown: &Presentation<'_, G>,
) -> Option<Policy> {
    let mut builder = Builder { input, config, shown, positions: 0, answers: 0, lines: 0 };
    let (tree, value) = builder.own_node(input.root, config.depth, side == Side::First)?;
    let value = (shown.units)(if side == Side::First { value } else { -value });
    Some(Policy {
        tree: TraceTree { on_pv: true, ..tree }.numbered(),
        value,
        answers: builder.answers,
        lines: builder.lines,
    })
}

impl<G: Game + Clone, E: Eval<G> + Clone> Builder<'_, '_, G, E> {
    /// The subtree of a position of the policy's side, and its value for that side.
    fn own_node(&mut self, position: &G::Position, depth: Depth, max: bool) -> Option<(TraceTree, Score)> {
        self.count()?;
        let SearchInput { game, eval, .. } = *self.input;
        let only = if position == self.input.root { self.input.only.clone() } else { Vec::new() };
        let input = SearchInput {
            game,
            eval,
            root: position,
            only,
            scorer: self.input.scorer.clone(),
            heuristics: Arc::clone(&self.input.heuristics),
        };
        let output = searcher::search(&input, SearchConfig { depth, ..self.config }, &mut NoTracer);
        let Some(mv) = output.best() else {
            self.lines += 1;
            return Some((self.node(max, output.score, Vec::new()), output.score));
        };
        self.answers += 1;
        let reply = self.opponents_node(&game.play(position, mv), depth - 1, !max)?;
        let reply = TraceTree { name: (self.shown.names)(position, mv), on_pv: true, ..reply };
        Some((self.node(max, output.score, vec![reply]), output.score))
    }

    /// The subtree of a position of the opponent, with every move answered.
    fn opponents_node(&mut self, position: &G::Position, depth: Depth, max: bool) -> Option<TraceTree> {
        self.count()?;
        let SearchInput { game, .. } = *self.input;
        let is_leaf = depth <= 0 || game.outcome(position).is_some();
        let moves: Vec<_> = if is_leaf { Vec::new() } else { game.moves(position).collect() };
        let mut least = None;
        let mut children = Vec::new();
        for mv in moves {
            let (child, value) = self.own_node(&game.play(position, mv), depth - 1, !max)?;
            least = Some(least.map_or(value, |least: Score| least.min(value)));
            children.push(TraceTree { name: (self.shown.names)(position, mv), ..child });
        }
        self.lines += usize::from(children.is_empty());
        let value = least.unwrap_or_else(|| -self.input.static_value(position));
        Some(self.node(max, -value, children))
    }

    fn count(&mut self) -> Option<()> {
        self.positions += 1;
        (self.positions <= MAX_POSITIONS).then_some(())
    }

    /// A node without a window, of this value for the side to move.
    fn node(&self, max: bool, value: Score, children: Vec<TraceTree>) -> TraceTree {
        let value = (self.shown.units)(if max { value } else { -value });
        let (bound, from_table) = (Bound::Exact, false);
        let visit = VisitResult { window: None, value, bound, from_table, visited_by: None, playouts: None };
        TraceTree { max, visit: Some(visit), children, ..TraceTree::default() }
    }
}
