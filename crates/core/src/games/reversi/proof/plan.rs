//! Plans which frontier positions to solve now, in which order and in which window.
//!
//! Principal variation search over the tree: the probably best line with an open window, its
//! siblings with null windows at the best value known or, while that line is not solved, at its
//! expected value. Solving the first task and planning again does what alpha-beta would do;
//! solving many at once does those first that will most probably stay necessary.

use super::bounds::Bounds;
use super::cost;
use super::tree::{Below, Child, ProofTree};
use crate::games::reversi::board::{Board, Placement};
use std::collections::{HashMap, HashSet};

/// Standard deviation of an estimate's error in discs.
const ERROR: f64 = 4.0;

/// Estimates the value of every legal move of a position, in discs for the side to move. `None`
/// leaves the position unexpanded, and nothing below it is planned.
pub type Estimate<'a> = dyn FnMut(Board) -> Option<Vec<(Placement, f32)>> + 'a;

/// A frontier position to be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// Index of its node.
    pub node: usize,
    /// The question: where in this window its value is, in discs for the side to move.
    pub window: (i32, i32),
    /// Positions that the solver will probably enter.
    pub cost: f64,
}

/// The window asked of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Its value.
    Exact,
    /// Win, draw or loss.
    WinLossDraw,
}

impl Question {
    /// The window of the root in discs.
    pub fn window(self) -> (i32, i32) {
        match self {
            Question::Exact => (-65, 65),
            Question::WinLossDraw => (-1, 1),
        }
    }

    /// Whether these bounds of the root answer it.
    pub fn is_answered(self, bounds: Bounds) -> bool {
        bounds.decide(self.window())
    }
}

/// The tasks worth solving now, the first ones first, at most this many; none once the question is
/// answered. Positions above the frontier are expanded on the way.
pub fn plan(tree: &mut ProofTree, question: Question, most: usize, estimate: &mut Estimate<'_>) -> Vec<Task> {
    let (order, windows) = (Vec::new(), HashMap::new());
    let mut planner = Planner { tree, most, estimate, order, windows, seen: HashSet::new(), has_expanded: true };
    // An expansion changes the estimates and sometimes the bounds, and so the tasks: plan again
    // until nothing new is expanded.
    while std::mem::take(&mut planner.has_expanded) {
        planner.order.clear();
        planner.windows.clear();
        planner.seen.clear();
        planner.root(question);
    }
    let Planner { tree, order, windows, .. } = planner;
    let task = |node: usize| {
        let window = windows[&node];
        let position = tree.node(node);
        Task { node, window, cost: cost::nodes(position.board, f64::from(position.believed) - f64::from(window.0)) }
    };
    order.into_iter().map(task).collect()
}

struct Planner<'a, 'b> {
    tree: &'a mut ProofTree,
    most: usize,
    estimate: &'a mut Estimate<'b>,
    /// Tasks in the order in which they came up.
    order: Vec<usize>,
    windows: HashMap<usize, (i32, i32)>,
    /// Nodes that were planned in a window.
    seen: HashSet<(usize, i32, i32)>,
    /// Whether the tree has grown.
    has_expanded: bool,
}

impl Planner<'_, '_> {
    fn root(&mut self, question: Question) {
        let root = ProofTree::ROOT;
        self.expand(root);
        let expected = self.tree.expected();
        match question {
            // Aspiration window around the expected value, repeated until the value is inside.
            Question::Exact => {
                let expected = nearest_even(expected);
                self.open_window(root, (expected - 1, expected + 1), expected);
            }
            // Two null windows: prove or disprove the more probable outcome first.
            Question::WinLossDraw => {
                let bounds = self.tree.node(root).bounds;
                let likely_won = expected >= 1.0 && bounds.upper > 0;
                let order = if likely_won { [0, -1] } else { [-1, 0] };
                for alpha in order {
                    if !question.is_answered(bounds) {
                        self.null_window(root, alpha);
                    }
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        self.order.len() >= self.most
    }

    fn expand(&mut self, node: usize) {
        if self.tree.node(node).below == Below::Unexpanded
            && let Some(values) = (self.estimate)(self.tree.node(node).board)
        {
            self.tree.expand(node, &values);
            self.has_expanded = true;
        }
    }

    /// Asks for a frontier position's value in a window. Several windows become the one around
    /// them all.
    fn ask(&mut self, node: usize, window: (i32, i32)) {
        let (alpha, beta) = self.tree.node(node).bounds.narrow((window.0.max(-64), window.1.min(64)));
        match self.windows.get_mut(&node) {
            Some(known) => *known = (known.0.min(alpha), known.1.max(beta)),
            None => {
                self.windows.insert(node, (alpha, beta));
                self.order.push(node);
            }
        }
    }

    /// True if this node needs no plan in this window; a frontier position is asked for.
    fn is_settled(&mut self, node: usize, window: (i32, i32)) -> bool {
        if self.is_full() || self.tree.node(node).bounds.decide(window) || !self.seen.insert((node, window.0, window.1))
        {
            return true;
        }
        if self.tree.node(node).below == Below::Leaf {
            self.ask(node, window);
            return true;
        }
        self.expand(node);
        self.tree.node(node).bounds.decide(window)
    }

    /// A node whose value is wanted; `expected` is the expected value.
    fn open_window(&mut self, node: usize, (alpha, beta): (i32, i32), expected: i32) {
        if beta - alpha == 1 {
            return self.null_window(node, alpha);
        }
        if self.is_settled(node, (alpha, beta)) {
            return;
        }
        let lower = self.tree.node(node).bounds.lower;
        let alpha = alpha.max(lower);
        let children = self.tree.children(node).to_vec();
        // The child with the best proven value, else the one with the best estimate.
        let proven = |child: &&Child| self.tree.node(child.node).bounds.upper < 64;
        // Among several that are worse than expected, and now all estimated as bad as proven, the
        // one that had the best estimate before.
        let by_belief = |a: &&Child, b: &&Child| {
            let (a, b) = (self.tree.node(a.node), self.tree.node(b.node));
            a.believed.total_cmp(&b.believed).then(a.estimate.total_cmp(&b.estimate))
        };
        let by_proof = |a: &&Child, b: &&Child| {
            self.tree.node(a.node).bounds.upper.cmp(&self.tree.node(b.node).bounds.upper).then(by_belief(a, b))
        };
        let first = children.iter().filter(proven).min_by(by_proof).or_else(|| children.iter().min_by(by_belief));
        let Some(&first) = first else { return };
        let is_open = !self.tree.node(first.node).bounds.decide((-beta, -alpha));
        self.open_window(first.node, (-beta, -alpha), -expected);
        let speculation = if is_open { alpha.max(expected) } else { alpha };
        if speculation >= beta {
            return;
        }
        for child in self.ranked(&children, speculation) {
            if child.node != first.node {
                self.null_window(child.node, -speculation - 1);
            }
        }
    }

    /// A node for which is asked whether its value is above `alpha`.
    fn null_window(&mut self, node: usize, alpha: i32) {
        if self.is_settled(node, (alpha, alpha + 1)) {
            return;
        }
        let children = self.tree.children(node).to_vec();
        let open = |child: &Child| self.tree.node(child.node).bounds.lower < -alpha;
        let open: Vec<Child> = children.into_iter().filter(open).collect();
        let ranked = self.ranked(&open, alpha);
        // One good move is enough; if none is expected, all must be refuted.
        let wanted = if self.tree.node(node).believed > alpha as f32 { 1 } else { ranked.len() };
        for child in &ranked[..wanted.min(ranked.len())] {
            self.null_window(child.node, -alpha - 1);
        }
    }

    /// The children ordered by chance of success for the expected cost, so that the first one
    /// above `alpha` is found at the least expected cost. A refutation costs less than a success,
    /// so a move that is cheap only because it will probably fail must not come first.
    fn ranked(&self, children: &[Child], alpha: i32) -> Vec<Child> {
        let rank = |child: &Child| {
            let node = self.tree.node(child.node);
            // How much better off the opponent is than the move allows: the move succeeds if that
            // is not positive.
            let margin = f64::from(node.believed + alpha as f32 + 1.0);
            let chance = 1.0 / (1.0 + (margin / ERROR).exp());
            let success = cost::nodes(node.board, margin.min(0.0));
            let failure = cost::nodes(node.board, margin.max(f64::MIN_POSITIVE));
            chance / (chance * success + (1.0 - chance) * failure)
        };
        let mut ranked: Vec<(f64, Child)> = children.iter().map(|child| (rank(child), *child)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.into_iter().map(|(_, child)| child).collect()
    }
}

fn nearest_even(value: f32) -> i32 {
    (value / 2.0).round() as i32 * 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::reversi::obf;
    use crate::games::reversi::proof::certificate::{Side, check, claims};
    use crate::games::reversi::rules::Reversi;
    use crate::search::game::Game;
    use flipside_support::random::Random;

    /// The value by plain minimax.
    fn minimax(board: Board, alpha: i32, beta: i32) -> i32 {
        let game = Reversi::portable();
        let moves: Vec<Placement> = game.moves(&board).collect();
        if moves.is_empty() {
            return board.final_discs();
        }
        let mut best = -64;
        for mv in moves {
            best = best.max(-minimax(board.after(mv), -beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        best
    }

    /// A position with this many empty squares, after random moves.
    fn random_position(random: &mut Random, empties: u32) -> Board {
        let game = Reversi::portable();
        let mut board = Board::START;
        while board.empties() > empties {
            let moves: Vec<Placement> = game.moves(&board).collect();
            if moves.is_empty() {
                board = Board::START;
                continue;
            }
            board = board.after(moves[random.below(moves.len())]);
        }
        board
    }

    /// A move that will probably be refuted cheaply must not be tried first for that reason.
    #[test]
    fn what_probably_succeeds_comes_first() {
        let (mut random, mut rounds) = (Random(5), 0);
        while rounds < 20 {
            let mut tree = ProofTree::new(random_position(&mut random, 30), 29);
            let board = tree.node(ProofTree::ROOT).board;
            let moves = tree.moves(board);
            let mut mobility = moves.iter().map(|mv| tree.moves(board.after(*mv)).len());
            // With very few replies another move may come first for that reason.
            if moves.len() < 2 || !mobility.all(|count| (5..=15).contains(&count)) {
                continue;
            }
            rounds += 1;
            let best = random.below(moves.len());
            let value = |index: usize| if index == best { -2.0 } else { -11.0 };
            let values: Vec<_> = moves.iter().enumerate().map(|(index, mv)| (*mv, value(index))).collect();
            tree.expand(ProofTree::ROOT, &values);
            let children = tree.children(ProofTree::ROOT).to_vec();
            let (order, windows, seen) = (Vec::new(), HashMap::new(), HashSet::new());
            let estimate: &mut Estimate<'_> = &mut |_| None;
            let planner = Planner { tree: &mut tree, most: 1, estimate, order, windows, seen, has_expanded: false };
            let first = planner.ranked(&children, -9)[0];
            assert_eq!(planner.tree.node(first.node).believed, 2.0, "{}", obf::show(board, true));
        }
    }

    /// With random estimates, any number of tasks at a time and late answers, the value is right
    /// and proven.
    #[test]
    fn whatever_is_believed_the_value_is_proven() {
        let mut random = Random(11);
        for round in 0..100 {
            let board = random_position(&mut random, 9);
            let question = if round % 2 == 0 { Question::Exact } else { Question::WinLossDraw };
            let mut tree = ProofTree::new(board, 5);
            let mut dice = Random(round);
            let mut estimate = |board: Board| {
                let game = Reversi::portable();
                Some(game.moves(&board).map(|mv| (mv, dice.below(41) as f32 - 20.0)).collect())
            };
            let mut tasks = 0;
            loop {
                let planned = plan(&mut tree, question, 1 + round as usize % 7, &mut estimate);
                if planned.is_empty() {
                    break;
                }
                for task in planned {
                    let (alpha, beta) = task.window;
                    assert!(-64 <= alpha && alpha < beta && beta <= 64, "{task:?}");
                    let value = minimax(tree.node(task.node).board, alpha, beta);
                    assert!(tree.prove(task.node, Bounds::of_search(value, task.window)));
                    tasks += 1;
                }
                assert!(tasks < 10_000, "no end");
            }
            let bounds = tree.node(ProofTree::ROOT).bounds;
            let value = minimax(board, -64, 64);
            let shown = obf::show(board, true);
            match question {
                Question::Exact => assert_eq!(bounds, Bounds::exact(value), "{shown}"),
                Question::WinLossDraw => {
                    assert!(question.is_answered(bounds), "{shown}");
                    assert!((bounds.lower..=bounds.upper).contains(&value), "{shown}: {bounds:?} {value}");
                }
            }
            let roots = [(Side::AtLeast, bounds.lower), (Side::AtMost, bounds.upper)];
            let (list, _) = claims(&tree, &roots).expect("a proof");
            check(&list).expect("the proof holds");
        }
    }
}
