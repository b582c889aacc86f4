//! Why a search left moves of a node unsearched: which value passed which bound, and where both come from.

use super::trace::{Presentation, Trace, Visit};
use super::trace_tree::Cut;
use super::tracer::VisitedBy;
use super::units::Units;
use flipside_core::search::game::Game;
use flipside_core::search::types::{Score, WIN};
use std::collections::HashMap;

/// The reasons of a search's cutoffs, by the numbers of the nodes where they happened.
pub(super) fn cuts<G: Game>(trace: &Trace<G>, shown: &Presentation<'_, G>) -> HashMap<usize, Cut> {
    let has_cuts = trace.visits.iter().any(|visit| visit.position.is_none() || is_test(visit));
    let mut finder = Finder { trace, shown, places: Vec::new(), path: Vec::new(), cuts: HashMap::new() };
    if has_cuts {
        finder.places = places(trace);
        finder.visit(0);
    }
    finder.cuts
}

/// Whether a technique tests its parent's position with this visit.
fn is_test<G: Game>(visit: &Visit<G>) -> bool {
    matches!(visit.visited_by, Some(VisitedBy::NullMove(_) | VisitedBy::ProbCut(_)))
}

/// A node on the path from the root to the present node.
struct PathNode {
    number: usize,
    max: bool,
    window: (Score, Score),
    /// The best value of a child so far, for the player to move, and the child's number.
    best: Option<(Score, usize)>,
}

/// The place of a node below its parent.
#[derive(Clone, Copy)]
struct Place {
    parent: usize,
    /// From 1; the visits of one move count once.
    among_moves: usize,
}

struct Finder<'a, G: Game> {
    trace: &'a Trace<G>,
    shown: &'a Presentation<'a, G>,
    /// By node; the root's is meaningless.
    places: Vec<Place>,
    path: Vec<PathNode>,
    cuts: HashMap<usize, Cut>,
}

/// Where a bound comes from.
enum Source {
    /// The value of a node that the opponent has elsewhere.
    Elsewhere(usize),
    /// A null window around the player's own value of a node.
    NullWindow(usize),
    /// A win, better than which nothing is.
    BestPossible,
    /// The window with which a technique searches.
    Technique(VisitedBy),
    /// The window of the root.
    Root,
}

fn places<G: Game>(trace: &Trace<G>) -> Vec<Place> {
    let mut places = vec![Place { parent: 0, among_moves: 0 }; trace.visits.len()];
    for (parent, visit) in trace.visits.iter().enumerate() {
        let (mut among_moves, mut last) = (0, None);
        for &child in &visit.children {
            let mv = trace.visits[child].mv;
            among_moves += usize::from(mv.is_none() || mv != last);
            last = mv;
            places[child] = Place { parent, among_moves };
        }
    }
    places
}

impl<G: Game> Finder<'_, G> {
    fn visit(&mut self, number: usize) {
        let trace = self.trace;
        let visit = &trace.visits[number];
        self.path.push(PathNode { number, max: visit.max, window: visit.window, best: None });
        let searched = visit.children.iter().take_while(|&&child| trace.visits[child].position.is_some());
        let mut last = None;
        for &child in searched.clone() {
            let found = &trace.visits[child];
            self.visit(child);
            last = Some(child);
            let Some(node) = self.path.last_mut().filter(|_| found.mv.is_some()) else { continue };
            let is_better = |(best, of): (Score, usize)| {
                trace.visits[of].mv == found.mv || if node.max { found.value > best } else { found.value < best }
            };
            let (alpha, beta) = node.window;
            let is_inside = if node.max { found.value > alpha } else { found.value < beta };
            if is_inside && node.best.is_none_or(is_better) {
                node.best = Some((found.value, child));
            }
        }
        // After a successful test no move is searched.
        if let Some(last) = last.filter(|&last| searched.count() < visit.children.len() || is_test(&trace.visits[last]))
        {
            self.cuts.extend(self.cut(last).map(|cut| (number, cut)));
        }
        self.path.pop();
    }

    /// The reason of the cutoff at the end of the path, after the visit of this child.
    fn cut(&self, value_node: usize) -> Option<Cut> {
        let node = self.path.last()?;
        let (bound, name, sign) = if node.max { (node.window.1, "beta", ">=") } else { (node.window.0, "alpha", "<=") };
        let (player, opponent, more) = if node.max { ("Max", "Min", "more") } else { ("Min", "Max", "less") };
        let test = match self.trace.visits[value_node].visited_by {
            Some(VisitedBy::NullMove(_)) => "even without a move, ",
            Some(VisitedBy::ProbCut(_)) => "by ProbCut's shallow search, ",
            _ => "",
        };
        let (source, known) = (self.source(node, bound), self.shown_value(bound));
        let because = match source {
            Source::Elsewhere(_) => format!("{opponent} already has {known} elsewhere, so {player} never gets here"),
            Source::NullWindow(of) => {
                let own = self.value_of(of);
                format!("the null window only asks whether {player} gets {more} than {own}, and the answer is yes")
            }
            Source::BestPossible => format!("nothing is better for {player}"),
            Source::Technique(technique) => format!("the window of the search ({technique}) asks for no more"),
            Source::Root => "the window of the root asks for no more".to_string(),
        };
        let bound_node = match source {
            Source::Elsewhere(of) | Source::NullWindow(of) => Some(of),
            _ => None,
        };
        let places = [Some(value_node), bound_node].into_iter().flatten();
        let places: Vec<_> = places.map(|of| format!("{} at {}", self.value_of(of), self.path_to(of))).collect();
        let value = self.value_of(value_node);
        let reason = format!("{test}{value} {sign} {name} {known}: {because} ({})", places.join(", "));
        Some(Cut { reason, value_node, bound_node })
    }

    fn source(&self, node: &PathNode, bound: Score) -> Source {
        let ancestors = || self.path.iter().rev().skip(1);
        let holds = |player: bool, value: Score| {
            ancestors()
                .filter(move |other| other.max == player)
                .find_map(move |other| other.best.filter(|&(best, _)| best == value).map(|(_, of)| of))
        };
        if let Some(of) = holds(!node.max, bound) {
            return Source::Elsewhere(of);
        }
        let own = if node.max { node.window.0 } else { node.window.1 };
        if let Some(of) = holds(node.max, own).filter(|_| node.window.1 - node.window.0 == 1) {
            return Source::NullWindow(of);
        }
        let mut tests =
            self.path.iter().rev().map(|other| &self.trace.visits[other.number]).filter(|visit| is_test(visit));
        match tests.find_map(|visit| visit.visited_by) {
            Some(technique) => Source::Technique(technique),
            None if bound.abs() >= WIN => Source::BestPossible,
            None => Source::Root,
        }
    }

    fn shown_value(&self, value: Score) -> Units {
        (self.shown.units)(value)
    }

    fn value_of(&self, number: usize) -> Units {
        self.shown_value(self.trace.visits[number].value)
    }

    /// The moves that lead to a node, by name or by number: `d3 c5`, `1.2.1`.
    fn path_to(&self, mut number: usize) -> String {
        let mut names = Vec::new();
        let mut is_named = false;
        while number != 0 {
            let Place { parent, among_moves } = self.places[number];
            let name = match (&self.trace.visits[parent].position, &self.trace.visits[number]) {
                (Some(before), Visit { mv: Some(mv), .. }) => (self.shown.names)(before, *mv),
                (_, Visit { visited_by: Some(VisitedBy::NullMove(_)), .. }) => Some("null-move".to_string()),
                (_, Visit { visited_by: Some(VisitedBy::ProbCut(_)), .. }) => Some("ProbCut".to_string()),
                _ => None,
            };
            is_named |= name.is_some();
            names.push(name.unwrap_or_else(|| among_moves.to_string()));
            number = parent;
        }
        names.reverse();
        names.join(if is_named { " " } else { "." })
    }
}
