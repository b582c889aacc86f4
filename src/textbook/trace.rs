//! What a searcher visited, with which window and value.

use super::plan::Observer;
use super::sketch::{Mark, Seen, Sketch};
use crate::search::game::Game;
use crate::search::types::{Score, Side, WIN};

/// A visited or a pruned node, in the view of Max.
#[derive(Clone, Debug)]
pub struct Visit<G: Game> {
    /// The move that leads here.
    pub mv: Option<G::Move>,
    /// The position; none where the subtree was pruned.
    pub position: Option<G::Position>,
    /// True when Max is to move.
    pub max: bool,
    /// The window it was called with: what Max and Min have for sure.
    pub window: (Score, Score),
    /// Its value.
    pub value: Score,
    /// True if the value comes from the table.
    pub recalled: bool,
    /// The nodes below, by number.
    pub children: Vec<usize>,
}

/// The record of a search from the root; where a searcher starts there again, of its last start.
#[derive(Clone, Debug)]
pub struct Trace<G: Game> {
    /// The nodes in the order of their visits; the root is the first.
    pub visits: Vec<Visit<G>>,
    path: Vec<usize>,
    root: Side,
}

impl<G: Game> Observer<G> for Trace<G> {
    fn enter(&mut self, position: &G::Position, mv: Option<G::Move>, (alpha, beta): (Score, Score)) {
        if self.path.is_empty() {
            self.visits.clear();
        }
        let max = (self.root == Side::First) == self.path.len().is_multiple_of(2);
        let window = if max { (alpha, beta) } else { (-beta, -alpha) };
        let number = self.add(mv, Some(position.clone()), max, window);
        self.path.push(number);
    }

    fn leave(&mut self, value: Score) {
        let Some(number) = self.path.pop() else { return };
        let visit = &mut self.visits[number];
        visit.value = if visit.max { value } else { -value };
    }

    fn prune(&mut self, mv: G::Move) {
        let max = (self.root == Side::First) == self.path.len().is_multiple_of(2);
        self.add(Some(mv), None, max, (0, 0));
    }

    fn recall(&mut self) {
        if let Some(&number) = self.path.last() {
            self.visits[number].recalled = true;
        }
    }
}

/// The name of a move of a position, if it has one.
pub type Names<'a, G> = &'a dyn Fn(&<G as Game>::Position, <G as Game>::Move) -> Option<String>;
/// How a subtree that was pruned is to be drawn.
pub type Beyond<'a, G> = &'a dyn Fn(&<G as Game>::Position, <G as Game>::Move) -> Sketch;

impl<G: Game> Trace<G> {
    /// An empty record of a search whose root belongs to Max (`Side::First`) or Min.
    pub fn new(root: Side) -> Trace<G> {
        Trace { visits: Vec::new(), path: Vec::new(), root }
    }

    fn add(&mut self, mv: Option<G::Move>, position: Option<G::Position>, max: bool, window: (Score, Score)) -> usize {
        let number = self.visits.len();
        self.visits.push(Visit { mv, position, max, window, value: 0, recalled: false, children: Vec::new() });
        if let Some(&parent) = self.path.last() {
            self.visits[parent].children.push(number);
        }
        number
    }

    /// The value of the root in the view of Max; none before a search.
    pub fn value(&self) -> Option<Score> {
        self.visits.first().map(|visit| visit.value)
    }

    /// How many nodes were visited, and how many visits came back to one of them.
    pub fn visited(&self) -> (usize, usize) {
        let all = self.visits.iter().filter(|visit| visit.position.is_some()).count();
        let distinct = if all == 0 { 0 } else { self.distinct(&[0]) };
        (distinct, all - distinct)
    }

    /// Nodes of the tree below and with one node, all visits of which are given.
    fn distinct(&self, same: &[usize]) -> usize {
        let mut below: Vec<(Option<G::Move>, Vec<usize>)> = Vec::new();
        for &child in same.iter().flat_map(|&number| &self.visits[number].children) {
            let visit = &self.visits[child];
            if visit.position.is_none() {
                continue;
            }
            match below.iter_mut().find(|(mv, _)| *mv == visit.mv) {
                Some((_, visits)) => visits.push(child),
                None => below.push((visit.mv, vec![child])),
            }
        }
        1 + below.iter().map(|(_, visits)| self.distinct(visits)).sum::<usize>()
    }

    /// The record as a tree to draw, the line of best play marked; none before a search.
    pub fn sketch(&self, line: &[G::Move], names: Names<'_, G>, beyond: Beyond<'_, G>) -> Option<Sketch> {
        (!self.visits.is_empty()).then(|| self.sketch_of(0, Some(line), names, beyond))
    }

    /// `line` is the rest of best play if the node lies on it.
    fn sketch_of(&self, number: usize, line: Option<&[G::Move]>, names: Names<'_, G>, beyond: Beyond<'_, G>) -> Sketch {
        let visit = &self.visits[number];
        let (mut children, mut best) = (Vec::new(), None);
        let next = line.and_then(|line| line.split_first());
        if let Some((mv, _)) = next {
            // A move that was searched twice proved itself the second time.
            best = visit.children.iter().rposition(|&child| self.visits[child].mv == Some(*mv));
        }
        for (index, &child) in visit.children.iter().enumerate() {
            let rest = next.filter(|_| best == Some(index)).map(|(_, rest)| rest);
            let (Some(position), Some(mv)) = (&visit.position, self.visits[child].mv) else { continue };
            let pruned = self.visits[child].position.is_none();
            let sketch = if pruned { beyond(position, mv) } else { self.sketch_of(child, rest, names, beyond) };
            children.push(Sketch { name: names(position, mv), ..sketch });
        }
        let seen = Seen { window: visit.window, value: visit.value, mark: self.mark(visit), recalled: visit.recalled };
        Sketch { name: None, max: visit.max, seen: Some(seen), static_value: None, main: line.is_some(), children }
    }

    fn mark(&self, visit: &Visit<G>) -> Mark {
        let (low, high) = visit.window;
        let read_off = visit.children.is_empty() && !visit.recalled;
        match visit.value {
            _ if read_off => Mark::Exact,
            // Nothing lies beyond a win and a loss.
            value if value <= low && low > -WIN => Mark::AtMost,
            value if value >= high && high < WIN => Mark::AtLeast,
            _ => Mark::Exact,
        }
    }
}
