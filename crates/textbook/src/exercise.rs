//! Exercises: a tree, questions about the search of it, and the solutions, all of them from a seed.

use super::move_order::MoveOrder;
use super::svg;
use super::trace_tree::{Cut, TraceTree, VisitResult};
use super::traced_search::{Drawing, TracedTree};
use super::types::SearchConfig;
use super::window::RootWindow;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::Side;
use flipside_support::random::{Random, splitmix64};
use std::fmt::{self, Display};
use std::str::FromStr;

/// Leaves at most, so that a tree fits a sheet.
const MOST_LEAVES: usize = 20;
/// Leaf values are whole numbers from 0 to this.
const LARGEST_VALUE: usize = 20;
/// Names of moves to inner nodes; `L` and `W` would read like a loss and a win.
const INNER_NAMES: &str = "ABCDEFGHIJKMNOPQRSTUVXYZ";
/// Names of moves to leaves.
const LEAF_NAMES: &str = "abcdefghijklmnopqrstuvwxyz";

/// The difficulties of a sheet from easy to hard: moves of a node at most, plies, and the order of the moves.
const STEPS: [(usize, usize, Ordering); 8] = [
    (2, 2, Ordering::Best),
    (2, 2, Ordering::Random),
    (3, 2, Ordering::Random),
    (2, 3, Ordering::Best),
    (2, 3, Ordering::Random),
    (3, 3, Ordering::Random),
    (3, 3, Ordering::Worst),
    (2, 4, Ordering::Random),
];
/// The number of the hardest exercise, from 0.
pub const HARDEST: usize = STEPS.len() - 1;

/// How good the order of the moves is: the better, the more is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordering {
    /// The best move of each node is searched first.
    Best,
    /// Moves come in any order.
    Random,
    /// The best move is searched last.
    Worst,
}

impl Ordering {
    /// The orderings by name.
    pub const ALL: [(&'static str, Ordering); 3] =
        [("best", Ordering::Best), ("random", Ordering::Random), ("worst", Ordering::Worst)];
}

impl FromStr for Ordering {
    type Err = String;

    fn from_str(text: &str) -> Result<Ordering, String> {
        let found = Self::ALL.into_iter().find(|(name, _)| *name == text);
        found.map(|(_, ordering)| ordering).ok_or_else(|| format!("expected best, random or worst, saw '{text}'"))
    }
}

/// How hard an exercise is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// Moves of a node at most, from 2.
    pub branching: usize,
    /// Plies from the root to the leaves, from 2.
    pub plies: usize,
    /// The order of the moves.
    pub ordering: Ordering,
}

impl Difficulty {
    /// From easy to hard: the difficulty of the exercise of this number, from 0.
    pub fn rising(number: usize) -> Difficulty {
        let (branching, plies, ordering) = STEPS[number.min(HARDEST)];
        Difficulty { branching, plies, ordering }
    }
}

impl Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = match self.ordering {
            Ordering::Best => "the best first",
            Ordering::Random => "in any order",
            Ordering::Worst => "the best last",
        };
        write!(f, "{} plies, at most {} moves, {order}", self.plies, self.branching)
    }
}

/// A question with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question.
    pub text: String,
    /// The solution.
    pub answer: String,
}

/// An exercise.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The tree in the text form of `flipside trace`.
    pub tree: String,
    /// The tree before the search, as an SVG picture.
    pub picture: String,
    /// The tree after the search.
    pub solution: String,
    /// The questions.
    pub questions: Vec<Question>,
}

/// A node of a random tree; a leaf has no children.
struct RandomTree {
    /// The minimax value for Max.
    value: i32,
    children: Vec<RandomTree>,
}

impl RandomTree {
    fn grow(random: &mut Random, difficulty: Difficulty, plies: usize, max: bool) -> RandomTree {
        if plies == 0 {
            return RandomTree { value: random.below(LARGEST_VALUE + 1) as i32, children: Vec::new() };
        }
        let count = 2 + random.below(difficulty.branching - 1);
        let mut children: Vec<_> = (0..count).map(|_| Self::grow(random, difficulty, plies - 1, !max)).collect();
        let for_mover = |child: &RandomTree| if max { child.value } else { -child.value };
        match difficulty.ordering {
            Ordering::Best => children.sort_by_key(|child| -for_mover(child)),
            Ordering::Worst => children.sort_by_key(for_mover),
            Ordering::Random => {}
        }
        let value = children.iter().map(for_mover).max().unwrap_or_default();
        RandomTree { value: if max { value } else { -value }, children }
    }

    fn leaves(&self) -> usize {
        self.children.iter().map(RandomTree::leaves).sum::<usize>().max(1)
    }

    fn write(&self, inner: &mut impl Iterator<Item = char>, leaf: &mut impl Iterator<Item = char>) -> String {
        if self.children.is_empty() {
            return self.value.to_string();
        }
        let children = self.children.iter().map(|child| {
            let name = if child.children.is_empty() { leaf.next() } else { inner.next() };
            format!("{}:{}", name.unwrap_or('_'), child.write(inner, leaf))
        });
        format!("({})", children.collect::<Vec<_>>().join(" "))
    }
}

/// A node of the traced search with what questions need.
struct Visited<'a> {
    name: &'a str,
    node: &'a TraceTree,
    /// The reason of the cutoff that prunes it or a node above it.
    cut: Option<&'a Cut>,
}

fn flattened<'a>(node: &'a TraceTree, cut: Option<&'a Cut>, all: &mut Vec<Visited<'a>>) {
    for child in node.drawn_children() {
        let cut = cut.or(node.cut.as_ref().filter(|_| child.visit.is_none()));
        all.push(Visited { name: child.name.as_deref().unwrap_or_default(), node: child, cut });
        flattened(child, cut, all);
    }
}

/// The seed of the exercise of this number, from 0, on the sheet of a seed.
pub fn seed_on_sheet(sheet: u64, number: usize) -> u64 {
    splitmix64(sheet).wrapping_add(number as u64)
}

/// The exercise of this seed. The algorithm is one that searches the whole tree: not UCT.
///
/// # Panics
/// If the difficulty has less than two moves or plies, or the algorithm finds nothing.
pub fn exercise(seed: u64, difficulty: Difficulty, algorithm: Algorithm, side: Side) -> Exercise {
    let mut random = Random(splitmix64(seed));
    let tree = loop {
        let tree = RandomTree::grow(&mut random, difficulty, difficulty.plies, side == Side::First);
        if tree.leaves() <= MOST_LEAVES {
            break tree.write(&mut INNER_NAMES.chars(), &mut LEAF_NAMES.chars());
        }
    };
    let traced = TracedTree::read(&tree, side, algorithm, RootWindow::FULL).expect("a tree");
    let config = SearchConfig::fixed(algorithm, MoveOrder::Natural, TracedTree::WHOLE);
    let Drawing { tree: searched, summary, .. } = traced.draw(config, false).expect("a search");
    Exercise {
        picture: svg::render(&traced.outline(), &format!("{algorithm}, {difficulty}")),
        solution: svg::render(&searched, &format!("{algorithm}: {summary}")),
        questions: questions(&searched, &mut random),
        tree,
    }
}

fn questions(root: &TraceTree, random: &mut Random) -> Vec<Question> {
    let mut all = Vec::new();
    flattened(root, None, &mut all);
    let mut pick = |is_asked: &dyn Fn(&Visited<'_>) -> bool| {
        let chosen: Vec<_> = all.iter().filter(|visited| is_asked(visited)).collect();
        (!chosen.is_empty()).then(|| chosen[random.below(chosen.len())])
    };
    let result = |visited: &Visited<'_>| visited.node.visit;
    let is_full = |visit: VisitResult| root.visit.is_some_and(|root| root.window == visit.window);
    // Windows that tell something first, any other only where there is none.
    let windowed = pick(&|visited| result(visited).is_some_and(|visit| !is_full(visit)));
    let windowed = windowed.or_else(|| pick(&|visited| result(visited).is_some()));
    let returned = pick(&|visited| result(visited).is_some() && !visited.node.children.is_empty());
    let pruned = pick(&|visited| visited.cut.is_some());
    let visited = pick(&|visited| result(visited).is_some() && visited.node.children.is_empty());
    // In any order, so that the place does not tell the answer.
    let mut is_pruned = [pruned, visited];
    random.shuffle(&mut is_pruned);
    let mut questions = vec![Question {
        text: "Which value does the search return at the root?".into(),
        answer: root.visit.map_or_else(String::new, |visit| visit.value.to_string()),
    }];
    let mut ask = |text: String, answer: String| questions.push(Question { text, answer });
    if let Some((name, visit)) = windowed.and_then(|of| Some((of.name, result(of)?))) {
        ask(format!("What is the window [alpha,beta] when the search enters {name}?"), visit.window_label());
    }
    if let Some((name, visit)) = returned.and_then(|of| Some((of.name, result(of)?))) {
        let kind = match visit.bound {
            Bound::Exact => "exact",
            Bound::Lower => "a bound: the true value is at least as large",
            Bound::Upper => "a bound: the true value is at most as large",
        };
        ask(
            format!("What does {name} return, and is that its true value or a bound?"),
            format!("{}, {kind}", visit.value),
        );
    }
    for asked in is_pruned.into_iter().flatten() {
        let answer = asked.cut.map_or_else(|| "It is visited.".into(), |cut| format!("It is pruned: {}.", cut.reason));
        ask(format!("Is {} pruned or visited?", asked.name), answer);
    }
    let leaves = |is_counted: &dyn Fn(&Visited<'_>) -> bool| {
        all.iter().filter(|visited| visited.node.children.is_empty() && is_counted(visited)).count()
    };
    ask(
        "How many of the leaves does the search visit?".into(),
        format!("{} of {}", leaves(&|visited| result(visited).is_some()), leaves(&|_| true)),
    );
    questions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_gives_the_same_exercise_and_others_differ() {
        let make = |seed| exercise(seed, Difficulty::rising(5), Algorithm::AlphaBeta, Side::First);
        assert_eq!(make(7), make(7));
        assert!((0..20).map(make).collect::<Vec<_>>().windows(2).all(|pair| pair[0].tree != pair[1].tree));
    }

    /// A plain minimax, independent of the searchers, finds the value in the first answer.
    #[test]
    fn solutions_are_right_and_trees_as_hard_as_asked() {
        fn value(tree: &TraceTree) -> f64 {
            let values = tree.children.iter().map(value);
            match (tree.static_value, tree.max) {
                (Some(leaf), _) => leaf.0,
                (None, true) => values.fold(f64::MIN, f64::max),
                (None, false) => values.fold(f64::MAX, f64::min),
            }
        }
        fn plies(tree: &TraceTree) -> usize {
            tree.children.iter().map(|child| 1 + plies(child)).max().unwrap_or(0)
        }
        for (number, seed) in (0..10).flat_map(|number| (0..20).map(move |seed| (number, seed))) {
            let (difficulty, side) =
                (Difficulty::rising(number), if seed % 2 == 0 { Side::First } else { Side::Second });
            let made = exercise(seed, difficulty, Algorithm::AlphaBeta, side);
            let outline =
                TracedTree::read(&made.tree, side, Algorithm::AlphaBeta, RootWindow::FULL).expect("a tree").outline();
            assert_eq!(made.questions[0].answer, value(&outline).to_string(), "{}", made.tree);
            assert_eq!(plies(&outline), difficulty.plies, "{}", made.tree);
            assert!(
                made.questions.len() >= 5 && made.questions.iter().all(|asked| !asked.answer.is_empty()),
                "{made:?}"
            );
        }
    }

    #[test]
    fn the_best_order_prunes_more_than_the_worst() {
        let pruned = |ordering| {
            let difficulty = Difficulty { ordering, ..Difficulty::rising(5) };
            let make = |seed| exercise(seed, difficulty, Algorithm::AlphaBeta, Side::First);
            (0..50).map(|seed| make(seed).solution.matches("class=\"cut\"").count()).sum::<usize>()
        };
        let (best, random, worst) = (pruned(Ordering::Best), pruned(Ordering::Random), pruned(Ordering::Worst));
        assert!(best > random && random > worst, "{best} {random} {worst}");
    }
}
