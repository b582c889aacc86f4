//! What a searcher visited, with which window and value, drawn as a diagram or told event by event.

use super::plan::Observer;
use crate::search::game::{Game, Score, Side, UNIT, WIN};

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It is the value.
    Exact,
    /// The value is at least this.
    AtLeast,
    /// The value is at most this.
    AtMost,
}

impl Mark {
    /// `=`, `>=` or `<=`.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Exact => "=",
            Mark::AtLeast => ">=",
            Mark::AtMost => "<=",
        }
    }
}

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
    /// What the value says.
    pub mark: Mark,
    /// The nodes below, by number.
    pub children: Vec<usize>,
}

/// The record of a search.
#[derive(Clone, Debug)]
pub struct Trace<G: Game> {
    /// The nodes in the order of their visits; the root is the first.
    pub visits: Vec<Visit<G>>,
    path: Vec<usize>,
    root: Side,
}

impl<G: Game> Observer<G> for Trace<G> {
    fn enter(&mut self, position: &G::Position, mv: Option<G::Move>, (alpha, beta): (Score, Score)) {
        let max = (self.root == Side::First) == self.path.len().is_multiple_of(2);
        let window = if max { (alpha, beta) } else { (-beta, -alpha) };
        let number = self.add(mv, Some(position.clone()), max, window);
        self.path.push(number);
    }

    fn leave(&mut self, value: Score) {
        let Some(number) = self.path.pop() else { return };
        let visit = &mut self.visits[number];
        visit.value = if visit.max { value } else { -value };
        let (low, high) = visit.window;
        visit.mark = match visit.value {
            _ if visit.children.is_empty() => Mark::Exact,
            // Nothing lies beyond a win and a loss.
            value if value <= low && low > -WIN => Mark::AtMost,
            value if value >= high && high < WIN => Mark::AtLeast,
            _ => Mark::Exact,
        };
    }

    fn prune(&mut self, mv: G::Move) {
        self.add(Some(mv), None, false, (0, 0));
    }
}

impl<G: Game> Trace<G> {
    /// An empty record of a search whose root belongs to Max (`Side::First`) or Min.
    pub fn new(root: Side) -> Trace<G> {
        Trace { visits: Vec::new(), path: Vec::new(), root }
    }

    fn add(&mut self, mv: Option<G::Move>, position: Option<G::Position>, max: bool, window: (Score, Score)) -> usize {
        let number = self.visits.len();
        self.visits.push(Visit { mv, position, max, window, value: 0, mark: Mark::Exact, children: Vec::new() });
        if let Some(&parent) = self.path.last() {
            self.visits[parent].children.push(number);
        }
        number
    }

    /// How many nodes were visited; a node searched twice counts twice.
    pub fn visited(&self) -> usize {
        self.visits.iter().filter(|visit| visit.position.is_some()).count()
    }

    /// The tree as a diagram: `value[min,max]` at each visited node, `X` for each pruned subtree.
    pub fn diagram(&self, name: &dyn Fn(G::Move) -> Option<String>) -> String {
        let mut text = String::new();
        if !self.visits.is_empty() {
            self.draw(0, "", "", name, &mut text);
        }
        text
    }

    fn draw(
        &self,
        number: usize,
        lead: &str,
        below: &str,
        name: &dyn Fn(G::Move) -> Option<String>,
        text: &mut String,
    ) {
        let visit = &self.visits[number];
        let label = visit.mv.and_then(name).map_or_else(String::new, |name| format!("{name}:"));
        let inner = if visit.max { "max " } else { "min " };
        let kind = if visit.children.is_empty() { "" } else { inner };
        match visit.position {
            None => text.push_str(&format!("{lead}{label}X\n")),
            Some(_) => text.push_str(&format!("{lead}{label}{kind}{} {}\n", self.worded(visit), visit.mark.sign())),
        }
        for (index, &child) in visit.children.iter().enumerate() {
            let (branch, trunk) =
                if index + 1 == visit.children.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            self.draw(child, &format!("{below}{branch}"), &format!("{below}{trunk}"), name, text);
        }
    }

    /// `value[min,max]`.
    pub fn worded(&self, visit: &Visit<G>) -> String {
        format!("{}[{},{}]", shown(visit.value), shown(visit.window.0), shown(visit.window.1))
    }

    /// One line an event: entering, pruning, leaving.
    pub fn steps(&self, name: &dyn Fn(G::Move) -> Option<String>) -> String {
        let mut text = String::new();
        if !self.visits.is_empty() {
            self.tell(0, 0, name, &mut text);
        }
        text
    }

    fn tell(&self, number: usize, ply: usize, name: &dyn Fn(G::Move) -> Option<String>, text: &mut String) {
        let visit = &self.visits[number];
        let label = visit.mv.and_then(name).map_or_else(String::new, |name| format!(" {name}"));
        if visit.position.is_none() {
            text.push_str(&format!("prune {ply}{label}\n"));
            return;
        }
        let (low, high) = visit.window;
        text.push_str(&format!("enter {ply}{label} [{},{}]\n", shown(low), shown(high)));
        visit.children.iter().for_each(|&child| self.tell(child, ply + 1, name, text));
        text.push_str(&format!("leave {ply}{label} {} {}\n", visit.mark.sign(), shown(visit.value)));
    }
}

/// A value as the textbook writes it: `W`, `L`, or units with at most two decimals.
pub fn shown(score: Score) -> String {
    match score {
        WIN.. => "W".into(),
        _ if score <= -WIN => "L".into(),
        _ => format!("{}", f64::from(score) / f64::from(UNIT)),
    }
}
