//! The record of a search as a tree for drawings, steps and JSON.

use super::cut;
use super::trace::{Presentation, Trace, Visit};
use super::trace_tree::{Cut, TraceTree};
use flipside_core::search::game::Game;
use std::collections::HashMap;

/// Where cutoffs and values of the transposition table come from, by the numbers of the visits.
struct Sources {
    cuts: HashMap<usize, Cut>,
    stored_by: HashMap<usize, usize>,
}

impl<G: Game> Trace<G> {
    /// The record as a tree with the principal variation marked; `None` before a search.
    pub fn tree(&self, game: &G, pv: &[G::Move], shown: &Presentation<'_, G>) -> Option<TraceTree> {
        let sources = Sources { cuts: cut::cuts(self, shown), stored_by: self.stored_by(game) };
        (!self.visits.is_empty()).then(|| self.subtree(0, Some(pv), shown, &sources).numbered())
    }

    /// For each visit whose value comes from the transposition table the latest finished search of the same position.
    /// Without the visits whose value an earlier iteration stored.
    fn stored_by(&self, game: &G) -> HashMap<usize, usize> {
        let last_below = |mut number: usize| {
            while let Some(&last) = self.visits[number].children.last() {
                number = last;
            }
            number
        };
        let mut searches: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut stored_by = HashMap::new();
        for (number, Visit { position, from_table, children, .. }) in self.visits.iter().enumerate() {
            let Some(position) = position else { continue };
            if *from_table {
                let is_source = |&&other: &&usize| {
                    self.visits[other].position.as_ref() == Some(position) && last_below(other) < number
                };
                let same_key = searches.get(&game.key(position)).into_iter().flatten();
                stored_by.extend(same_key.rev().find(is_source).map(|&source| (number, source)));
            } else if !children.is_empty() {
                searches.entry(game.key(position)).or_default().push(number);
            }
        }
        stored_by
    }

    /// `pv` is the rest of the principal variation if the node lies on it.
    fn subtree(
        &self,
        number: usize,
        pv: Option<&[G::Move]>,
        shown: &Presentation<'_, G>,
        sources: &Sources,
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
                children.push(self.subtree(child, None, shown, sources));
                continue;
            };
            let is_pruned = self.visits[child].position.is_none();
            let subtree =
                if is_pruned { (shown.pruned)(position, mv) } else { self.subtree(child, rest, shown, sources) };
            let next = visit.children.get(index + 1).filter(|&&next| self.visits[next].mv == Some(mv));
            let is_searched_again = next.is_some_and(|&next| self.is_leaf(child) && self.is_leaf(next));
            let is_again = index > 0 && self.visits[visit.children[index - 1]].mv == Some(mv);
            children.push(TraceTree { name: (shown.names)(position, mv), is_searched_again, is_again, ..subtree });
        }
        TraceTree {
            max: visit.max,
            visit: Some(self.result(visit, shown)),
            on_pv: pv.is_some(),
            cut: sources.cuts.get(&number).cloned(),
            stored_by: sources.stored_by.get(&number).copied(),
            children,
            ..TraceTree::default()
        }
    }
}
