//! The record of a search as a tree for drawings, steps and JSON.

use super::cut;
use super::trace::{Presentation, Trace, Visit};
use super::trace_tree::{Cut, TraceTree};
use flipside_core::search::game::Game;
use std::collections::HashMap;

impl<G: Game> Trace<G> {
    /// The record as a tree with the principal variation marked; `None` before a search.
    pub fn tree(&self, pv: &[G::Move], shown: &Presentation<'_, G>) -> Option<TraceTree> {
        let cuts = cut::cuts(self, shown);
        (!self.visits.is_empty()).then(|| self.subtree(0, Some(pv), shown, &cuts).numbered())
    }

    /// The latest finished search of the same position, if the value of a visit comes from the transposition table. `None`
    /// if an earlier iteration stored it.
    fn stored_by(&self, number: usize) -> Option<usize> {
        let Visit { position, from_table, .. } = &self.visits[number];
        if !from_table {
            return None;
        }
        let last_below = |mut number: usize| {
            while let Some(&last) = self.visits[number].children.last() {
                number = last;
            }
            number
        };
        let is_source = |&other: &usize| {
            let Visit { position: same, from_table, children, .. } = &self.visits[other];
            same == position && !from_table && !children.is_empty() && last_below(other) < number
        };
        (0..number).rev().find(is_source)
    }

    /// `pv` is the rest of the principal variation if the node lies on it.
    fn subtree(
        &self,
        number: usize,
        pv: Option<&[G::Move]>,
        shown: &Presentation<'_, G>,
        cuts: &HashMap<usize, Cut>,
    ) -> TraceTree {
        let visit = &self.visits[number];
        let mut children = Vec::new();
        let next = pv.and_then(|pv| pv.split_first());
        // If a move was searched again with a wider window, its last visit returned the value.
        let pv_child =
            next.and_then(|(mv, _)| visit.children.iter().rposition(|&child| self.visits[child].mv == Some(*mv)));
        for (index, &child) in visit.children.iter().enumerate() {
            let rest = next.filter(|_| pv_child == Some(index)).map(|(_, rest)| rest);
            let Some(position) = &visit.position else { continue };
            let Some(mv) = self.visits[child].mv else {
                children.push(self.subtree(child, None, shown, cuts));
                continue;
            };
            let is_pruned = self.visits[child].position.is_none();
            let subtree = if is_pruned { (shown.pruned)(position, mv) } else { self.subtree(child, rest, shown, cuts) };
            let next = visit.children.get(index + 1).filter(|&&next| self.visits[next].mv == Some(mv));
            let is_searched_again = next.is_some_and(|&next| self.is_leaf(child) && self.is_leaf(next));
            let is_again = index > 0 && self.visits[visit.children[index - 1]].mv == Some(mv);
            children.push(TraceTree { name: (shown.names)(position, mv), is_searched_again, is_again, ..subtree });
        }
        TraceTree {
            max: visit.max,
            visit: Some(self.result(visit, shown)),
            on_pv: pv.is_some(),
            cut: cuts.get(&number).cloned(),
            stored_by: self.stored_by(number),
            children,
            ..TraceTree::default()
        }
    }
}
