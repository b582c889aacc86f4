//! A record of the nodes that a search visited, with their windows and values.

use super::trace_tree::{TraceTree, VisitResult};
use super::tracer::{Tracer, VisitedBy};
use super::units::Units;
use flipside_core::search::game::Game;
use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::{Score, Side, WIN};
use std::collections::HashMap;

/// A visited or a pruned node, in the view of Max.
#[derive(Clone, Debug)]
pub struct Visit<G: Game> {
    /// The move that leads here.
    pub mv: Option<G::Move>,
    /// The position; `None` if the subtree was pruned.
    pub position: Option<G::Position>,
    /// Whether Max is to move.
    pub max: bool,
    /// The window of the call.
    pub window: (Score, Score),
    /// The value that was returned.
    pub value: Score,
    /// Whether the value comes from the transposition table.
    pub from_table: bool,
    /// The technique that visits it, unless the visit is a full search of a move.
    pub visited_by: Option<VisitedBy>,
    /// The number of playouts whose mean the value is; `None` for other values.
    pub playouts: Option<u64>,
    /// The indices of the children in [`Trace::visits`].
    pub children: Vec<usize>,
}

/// The record of a search of the root. With iterative deepening only the last iteration is kept.
#[derive(Clone, Debug)]
pub struct Trace<G: Game> {
    /// The nodes in the order of their visits, the root first.
    pub visits: Vec<Visit<G>>,
    /// The searches of the root in the same iteration before this one, whose windows were too narrow.
    pub failed: Vec<Trace<G>>,
    /// The indices of the nodes from the root to the present one.
    path: Vec<usize>,
    root: Side,
}

impl<G: Game> Tracer<G> for Trace<G> {
    fn enter(&mut self, position: &G::Position, mv: Option<G::Move>, (alpha, beta): (Score, Score)) {
        if self.path.is_empty() && !self.visits.is_empty() {
            *self = Trace::new(self.root);
        }
        let max = self.is_max_next();
        let window = if max { (alpha, beta) } else { turned((alpha, beta)) };
        let number = self.add(mv, Some(position.clone()), max, window);
        self.path.push(number);
    }

    fn search_again(&mut self) {
        let visits = std::mem::take(&mut self.visits);
        self.failed.push(Trace { visits, ..Trace::new(self.root) });
    }

    fn leave(&mut self, value: Score) {
        let Some(number) = self.path.pop() else { return };
        let visit = &mut self.visits[number];
        visit.value = if visit.max { value } else { -value };
    }

    fn prune(&mut self, mv: G::Move) {
        self.add(Some(mv), None, self.is_max_next(), (0, 0));
    }

    fn visited_by(&mut self, technique: VisitedBy) {
        let Some(&number) = self.path.last() else { return };
        let visit = &mut self.visits[number];
        visit.visited_by = Some(technique);
        if matches!(technique, VisitedBy::ProbCut(_)) {
            // The parent's position itself, with the same side to move.
            (visit.max, visit.window) = (!visit.max, turned(visit.window));
        }
    }

    fn sampled(&mut self, visits: u64) {
        if let Some(&number) = self.path.last() {
            self.visits[number].playouts = Some(visits);
        }
    }

    fn table_hit(&mut self) {
        if let Some(&number) = self.path.last() {
            self.visits[number].from_table = true;
        }
    }
}

/// A window in the view of the other player.
fn turned((low, high): (Score, Score)) -> (Score, Score) {
    (-high, -low)
}

/// The name of a move in a position, if it has one.
pub type MoveNames<'a, G> = &'a dyn Fn(&<G as Game>::Position, <G as Game>::Move) -> Option<String>;
/// The subtree below a pruned move, drawn in outline.
pub type PrunedSubtrees<'a, G> = &'a dyn Fn(&<G as Game>::Position, <G as Game>::Move) -> TraceTree;

/// How a trace is shown.
pub struct Presentation<'a, G: Game> {
    /// The names of moves.
    pub names: MoveNames<'a, G>,
    /// Pruned subtrees.
    pub pruned: PrunedSubtrees<'a, G>,
    /// Scores in the game's own unit.
    pub units: &'a dyn Fn(Score) -> Units,
}

impl<G: Game> Trace<G> {
    /// An empty record of a search in which Max (`Side::First`) or Min is to move at the root.
    pub fn new(root: Side) -> Trace<G> {
        Trace { visits: Vec::new(), failed: Vec::new(), path: Vec::new(), root }
    }

    /// Whether Max is to move after a move of the present node; without one, at the root.
    fn is_max_next(&self) -> bool {
        self.path.last().map_or(self.root == Side::First, |&parent| !self.visits[parent].max)
    }

    fn add(&mut self, mv: Option<G::Move>, position: Option<G::Position>, max: bool, window: (Score, Score)) -> usize {
        let number = self.visits.len();
        self.visits.push(Visit {
            mv,
            position,
            max,
            window,
            value: 0,
            from_table: false,
            visited_by: None,
            playouts: None,
            children: Vec::new(),
        });
        if let Some(&parent) = self.path.last() {
            self.visits[parent].children.push(number);
        }
        number
    }

    /// The value of the root in the view of Max; `None` before a search.
    pub fn value(&self) -> Option<Score> {
        self.visits.first().map(|visit| visit.value)
    }

    /// The number of distinct nodes visited, and the number of repeated visits. Visits of techniques beside the tree or
    /// beyond its depth do not count.
    pub fn visited(&self, game: &G) -> (usize, usize) {
        let all = if self.visits.is_empty() { 0 } else { self.below(0) };
        let distinct = if all == 0 { 0 } else { self.distinct(game, &[0]) };
        (distinct, all - distinct)
    }

    /// The number of visits beside the tree (null moves, ProbCut) and beyond its depth (quiescence).
    pub fn beside(&self) -> usize {
        let all = self.visits.iter().filter(|visit| visit.position.is_some()).count();
        all - if self.visits.is_empty() { 0 } else { self.below(0) }
    }

    /// Whether the node belongs to the tree within the search's depth.
    pub(super) fn is_within(&self, number: usize) -> bool {
        let Visit { position, visited_by, .. } = &self.visits[number];
        position.is_some() && matches!(visited_by, None | Some(VisitedBy::Reduction(_)))
    }

    /// The visits within the tree from this one down.
    fn below(&self, number: usize) -> usize {
        let children = self.visits[number].children.iter().filter(|&&child| self.is_within(child));
        1 + children.map(|&child| self.below(child)).sum::<usize>()
    }

    /// The number of distinct nodes in a subtree, its root included, from all visits of the root.
    fn distinct(&self, game: &G, visits_of_root: &[usize]) -> usize {
        let searched = |mut visits: Vec<usize>| {
            visits.retain(|&visit| self.is_within(visit));
            if visits.is_empty() { 0 } else { self.distinct(game, &visits) }
        };
        1 + self.moves(game, visits_of_root).into_iter().map(searched).sum::<usize>()
    }

    /// The moves of a node within the tree in the order in which its visits met them: for each move the visits of its
    /// child, pruned ones included.
    pub(super) fn moves(&self, game: &G, visits_of_node: &[usize]) -> Vec<Vec<usize>> {
        // Found by the moves' codes, which several moves may share, because a node may have a million children.
        let mut known = HashMap::<u16, Vec<usize>>::new();
        let mut moves: Vec<Vec<usize>> = Vec::new();
        for &child in visits_of_node.iter().flat_map(|&number| &self.visits[number].children) {
            let Visit { mv: Some(mv), position, .. } = &self.visits[child] else { continue };
            if position.is_some() && !self.is_within(child) {
                continue;
            }
            let same_code = known.entry(game.code(*mv)).or_default();
            match same_code.iter().find(|&&index| self.visits[moves[index][0]].mv == Some(*mv)) {
                Some(&index) => moves[index].push(child),
                None => {
                    same_code.push(moves.len());
                    moves.push(vec![child]);
                }
            }
        }
        moves
    }

    pub(super) fn result(&self, visit: &Visit<G>, shown: &Presentation<'_, G>) -> VisitResult {
        let (low, high) = visit.window;
        let Visit { value, from_table, visited_by, playouts, .. } = *visit;
        let window = playouts.is_none().then(|| ((shown.units)(low), (shown.units)(high)));
        VisitResult { window, value: (shown.units)(value), bound: self.bound(visit), from_table, visited_by, playouts }
    }

    pub(super) fn is_leaf(&self, number: usize) -> bool {
        let Visit { position, children, from_table, .. } = &self.visits[number];
        position.is_some() && children.is_empty() && !from_table
    }

    /// Whether the value of a visit is exact or a bound.
    pub(super) fn bound(&self, visit: &Visit<G>) -> Bound {
        let (low, high) = visit.window;
        match visit.value {
            _ if visit.children.is_empty() && !visit.from_table => Bound::Exact,
            // A window that reaches to a loss or a win has no values beyond it, so the value is exact.
            value if value <= low && low > -WIN => Bound::Upper,
            value if value >= high && high < WIN => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}
