//! A traced search as a graph: transpositions of a position are one node.

use super::trace::{Presentation, Trace};
use super::trace_tree::TraceTree;
use flipside_core::search::game::Game;
use flipside_core::search::transposition_table::Bound;
use std::collections::HashMap;

/// All visits of one position at one ply.
struct Group {
    visits: Vec<usize>,
    /// The number of moves that lead here; a move counts once for each position in which it is played.
    parents: usize,
    /// The number by which other places refer to it, if any do.
    number: Option<usize>,
    is_drawn: bool,
}

struct Builder<'a, G: Game> {
    trace: &'a Trace<G>,
    game: &'a G,
    shown: &'a Presentation<'a, G>,
    /// The group of each visit within the tree.
    group_of: Vec<Option<usize>>,
    groups: Vec<Group>,
    numbered: usize,
}

/// The record as a tree in which each position is expanded where the search met it first; other places hold a reference
/// to it. `None` before a search. Null moves, ProbCut and quiescence are left out.
pub fn graph<G: Game>(trace: &Trace<G>, game: &G, pv: &[G::Move], shown: &Presentation<'_, G>) -> Option<TraceTree> {
    (!trace.visits.is_empty()).then(|| {
        let mut builder =
            Builder { trace, game, shown, group_of: vec![None; trace.visits.len()], groups: Vec::new(), numbered: 0 };
        builder.find_groups();
        builder.count_parents();
        builder.node(0, Some(pv)).numbered()
    })
}

impl<G: Game> Builder<'_, G> {
    /// Groups visits of the same position at the same ply, the root's first.
    fn find_groups(&mut self) {
        let mut known: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
        let mut open = vec![(0, 0)];
        while let Some((visit, ply)) = open.pop() {
            let Some(position) = &self.trace.visits[visit].position else { continue };
            let same_key = known.entry((ply, self.game.key(position))).or_default();
            let is_same =
                |group: &&usize| self.trace.visits[self.groups[**group].visits[0]].position.as_ref() == Some(position);
            let group = same_key.iter().find(is_same).copied().unwrap_or_else(|| {
                self.groups.push(Group { visits: Vec::new(), parents: 0, number: None, is_drawn: false });
                same_key.push(self.groups.len() - 1);
                self.groups.len() - 1
            });
            self.groups[group].visits.push(visit);
            self.group_of[visit] = Some(group);
            let children = self.trace.visits[visit].children.iter().rev();
            open.extend(children.filter(|&&child| self.trace.is_within(child)).map(|&child| (child, ply + 1)));
        }
    }

    /// The moves of a group in the order in which they were first met, each with a visit; if the move was searched in
    /// one visit and pruned in another, the searched one.
    fn moves(&self, group: usize) -> Vec<usize> {
        let is_searched = |&&visit: &&usize| self.trace.visits[visit].position.is_some();
        let one = |visits: Vec<usize>| visits.iter().find(is_searched).copied().unwrap_or(visits[0]);
        self.trace.moves(self.game, &self.groups[group].visits).into_iter().map(one).collect()
    }

    fn count_parents(&mut self) {
        for group in 0..self.groups.len() {
            for child in self.moves(group) {
                if let Some(child) = self.group_of[child] {
                    self.groups[child].parents += 1;
                }
            }
        }
    }

    /// The subtree of a group, or a reference if it is drawn elsewhere. `pv` is the rest of the principal variation if
    /// the node is on it.
    fn node(&mut self, group: usize, pv: Option<&[G::Move]>) -> TraceTree {
        if self.groups[group].parents > 1 && self.groups[group].number.is_none() {
            self.numbered += 1;
            self.groups[group].number = Some(self.numbered);
        }
        let Group { number, is_drawn, .. } = self.groups[group];
        let shown = self.shown_visit(group);
        let visit = Some(self.trace.result(&self.trace.visits[shown], self.shown));
        let max = self.trace.visits[shown].max;
        let node = TraceTree { max, visit, number, on_pv: pv.is_some(), ..TraceTree::default() };
        if is_drawn {
            return TraceTree { is_reference: true, ..node };
        }
        self.groups[group].is_drawn = true;
        let next = pv.and_then(|pv| pv.split_first());
        let Some(position) = self.trace.visits[shown].position.clone() else { return node };
        let mut children = Vec::new();
        for child in self.moves(group) {
            let Some(mv) = self.trace.visits[child].mv else { continue };
            let rest = next.filter(|(best, _)| **best == mv).map(|(_, rest)| rest);
            let subtree = match self.group_of[child] {
                Some(group) => self.node(group, rest),
                None => (self.shown.pruned)(&position, mv),
            };
            children.push(TraceTree { name: (self.shown.names)(&position, mv), ..subtree });
        }
        TraceTree { children, ..node }
    }

    /// The visit whose value is shown: preferably one with the exact value, and one that searched rather than probed
    /// the table.
    fn shown_visit(&self, group: usize) -> usize {
        let rank = |&visit: &usize| {
            let visit = &self.trace.visits[visit];
            (self.trace.bound(visit) == Bound::Exact, !visit.from_table)
        };
        // Of equal visits the last: later searches have wider windows.
        self.groups[group].visits.iter().copied().max_by_key(rank).unwrap_or_default()
    }
}
