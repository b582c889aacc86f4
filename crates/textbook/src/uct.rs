//! UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006): sampling games instead of proving bounds.
//! Each playout follows the tree to a leaf by UCB1, the rule for choosing among slot machines with unknown payouts,
//! continues at random, and adds its result to the mean of every node on its path.

use super::move_order::MoveOrder;
use super::tracer::Tracer;
use super::types::{SearchConfig, SearchInput, SearchOutput};
use super::window::Window;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Budget, Stop};
use flipside_core::search::types::{Depth, Score, UNIT, WIN_IN_MAX_PLY};
use flipside_support::random::Random;
use std::sync::atomic::AtomicU64;

/// How strongly rarely tried moves are preferred to moves with a good mean. With rewards from 0 to 1 the proof requires
/// the square root of two.
const EXPLORATION: f64 = std::f64::consts::SQRT_2;
/// Limits of the tree in nodes and in bytes; the latter bounds the tree of a game with large positions. Playouts from
/// its leaves go on.
const MAX_NODES: usize = 1 << 20;
const MAX_TREE_BYTES: usize = 1 << 29;
/// A playout that is cut short at a static evaluation of this many hundredths gets a reward of 0.73.
const EVALUATION_SCALE: f64 = 4.0 * UNIT as f64;
/// Playouts between two checks of the soft bound of time.
const SOFT_INTERVAL: u64 = 64;
/// The part of a finished game's reward that its margin decides; winning decides the rest.
const MARGIN_SHARE: f64 = 0.04;
/// The margin of the largest win in hundredths, where games end in numbers.
const LARGEST_MARGIN: f64 = 64.0 * UNIT as f64;

/// A node of the tree. Sums are in the view of the side that moved into the node.
struct Node<G: Game> {
    position: G::Position,
    mv: Option<G::Move>,
    visits: u64,
    rewards: f64,
    /// Sum of the scores. Each is at most a win, by one unit if only winning counts.
    scores: f64,
    /// The numbers of the children; empty before the node is expanded.
    children: std::ops::Range<usize>,
}

impl<G: Game> Node<G> {
    fn new(position: G::Position, mv: Option<G::Move>) -> Node<G> {
        Node { position, mv, visits: 0, rewards: 0.0, scores: 0.0, children: 0..0 }
    }

    /// The mean score for the side that moved into the node, in hundredths.
    fn mean(&self) -> Score {
        if self.visits == 0 { 0 } else { (self.scores / self.visits as f64).round() as Score }
    }
}

/// The result of a playout for one side.
#[derive(Clone, Copy)]
struct Result {
    /// From 0 to 1.
    reward: f64,
    /// In hundredths.
    score: f64,
}

impl Result {
    /// The result of a finished game: mainly who won it.
    fn finished(score: Score) -> Result {
        let margin = if score.abs() >= WIN_IN_MAX_PLY { 0.0 } else { f64::from(score) / LARGEST_MARGIN };
        let share = (1.0 - MARGIN_SHARE) * f64::from(score.signum()) + MARGIN_SHARE * margin.clamp(-1.0, 1.0);
        let counted = if score.abs() >= WIN_IN_MAX_PLY { score.signum() * UNIT } else { score };
        Result { reward: 0.5 + share / 2.0, score: f64::from(counted) }
    }

    /// A static evaluation.
    fn estimated(score: Score) -> Result {
        let reward = 1.0 / (1.0 + (-f64::from(score) / EVALUATION_SCALE).exp());
        Result { reward, score: f64::from(score) }
    }

    fn for_other_side(self) -> Result {
        Result { reward: 1.0 - self.reward, score: -self.score }
    }
}

struct Uct<'a, G: Game, E> {
    input: &'a SearchInput<'a, G, E>,
    config: SearchConfig,
    nodes: Vec<Node<G>>,
    random: Random,
    budget: Budget<'a>,
    playouts: u64,
    moves: Vec<G::Move>,
}

/// The node limit for a game's tree.
fn max_nodes<G: Game>() -> usize {
    MAX_NODES.min(MAX_TREE_BYTES / size_of::<Node<G>>())
}

/// Searches a position with the configured number of playouts, or until the search is stopped. Playouts that reach the
/// configured depth are cut short and evaluated. Reports after 1, 2, 4, ... playouts: a report's leaves are the
/// playouts, its depth is the length of the most visited line, its score the mean of the best move. The tracer gets the
/// final tree.
pub(super) fn search<G: Game, E: Eval<G>, O: Tracer<G>>(
    input: &SearchInput<'_, G, E>,
    config: SearchConfig,
    stop: &Stop,
    tracer: &mut O,
    report: &mut dyn FnMut(&SearchOutput<G::Move>),
) -> SearchOutput<G::Move> {
    let entered = AtomicU64::new(0);
    let seed = if let MoveOrder::Random(seed) = config.order { seed } else { 0 };
    let mut uct = Uct {
        input,
        config,
        nodes: vec![Node::new(input.root.clone(), None)],
        random: Random(seed ^ input.game.key(input.root)),
        budget: Budget::new(stop, &entered),
        playouts: 0,
        moves: Vec::new(),
    };
    let is_searched = config.depth > 0 && input.game.outcome(input.root).is_none();
    while is_searched && config.playouts.is_none_or(|playouts| uct.playouts < playouts) && uct.playout() {
        if uct.playouts.is_power_of_two() {
            report(&uct.output());
        }
        if uct.playouts.is_multiple_of(SOFT_INTERVAL) && stop.soft().is_some_and(|soft| stop.elapsed() >= soft) {
            break;
        }
    }
    let output = uct.output();
    if O::ENABLED {
        uct.trace(0, tracer);
    }
    output
}

impl<G: Game, E: Eval<G>> Uct<'_, G, E> {
    /// Runs a playout; returns false if the search was stopped during it, so that it does not count.
    fn playout(&mut self) -> bool {
        let mut path = vec![0];
        let mut number = 0;
        if self.budget.count_node() {
            return false;
        }
        while self.nodes[number].visits > 0 && self.expand(number, path.len() as Depth - 1) {
            number = self.select(number);
            if self.budget.count_node() {
                return false;
            }
            path.push(number);
        }
        let position = self.nodes[number].position.clone();
        let Some(mut result) = self.play_out(position, path.len() as Depth - 1) else { return false };
        // The result is for the side to move at the end of the path; each node adds it for the side that moved into it.
        for &number in path.iter().rev() {
            result = result.for_other_side();
            let node = &mut self.nodes[number];
            node.visits += 1;
            node.rewards += result.reward;
            node.scores += result.score;
        }
        self.playouts += 1;
        true
    }

    /// Adds the children of a node to the tree, if it has none yet; returns false if the node stays a leaf.
    fn expand(&mut self, number: usize, ply: Depth) -> bool {
        let SearchInput { game, only, .. } = self.input;
        if !self.nodes[number].children.is_empty() {
            return true;
        }
        let position = self.nodes[number].position.clone();
        if ply >= self.config.depth || self.nodes.len() >= max_nodes::<G>() || game.outcome(&position).is_some() {
            return false;
        }
        let first = self.nodes.len();
        for mv in game.moves(&position).filter(|mv| number > 0 || only.is_empty() || only.contains(mv)) {
            self.nodes.push(Node::new(game.play(&position, mv), Some(mv)));
        }
        self.nodes[number].children = first..self.nodes.len();
        true
    }

    /// UCB1: the child with the highest sum of its mean and a bonus that falls with its visits; unvisited children
    /// first.
    fn select(&self, number: usize) -> usize {
        let Node { visits, children, .. } = &self.nodes[number];
        let log = (*visits as f64).ln();
        let bound = |child: &Node<G>| match child.visits as f64 {
            0.0 => f64::INFINITY,
            visits => child.rewards / visits + EXPLORATION * (log / visits).sqrt(),
        };
        // The first of equals wins.
        let (mut best, mut highest) = (children.start, f64::NEG_INFINITY);
        for child in children.clone() {
            let value = bound(&self.nodes[child]);
            if value > highest {
                (best, highest) = (child, value);
            }
        }
        best
    }

    /// The result of random play for the side to move; `None` if the search was stopped.
    fn play_out(&mut self, mut position: G::Position, mut ply: Depth) -> Option<Result> {
        let SearchInput { game, eval, .. } = self.input;
        let mut is_other_side = false;
        loop {
            if self.budget.is_stopped() {
                return None;
            }
            let result = match game.outcome(&position) {
                Some(score) => Some(Result::finished(score)),
                None if ply >= self.config.depth => {
                    Some(Result::estimated(eval.static_eval(&eval.refresh(&position), &position)))
                }
                None => None,
            };
            if let Some(result) = result {
                return Some(if is_other_side { result.for_other_side() } else { result });
            }
            self.moves.clear();
            self.moves.extend(game.moves(&position));
            let chosen = self.random.below(self.moves.len());
            position = game.play(&position, *self.moves.get(chosen)?);
            is_other_side = !is_other_side;
            ply += 1;
            self.budget.count_node();
        }
    }

    /// The most visited child, the first of equals.
    fn most_visited(&self, number: usize) -> Option<usize> {
        let children = self.nodes[number].children.clone();
        children.rev().max_by_key(|&child| self.nodes[child].visits).filter(|&child| self.nodes[child].visits > 0)
    }

    fn output(&self) -> SearchOutput<G::Move> {
        let SearchInput { game, root, only, .. } = self.input;
        let best = self.most_visited(0);
        let mut pv = Vec::new();
        let mut number = 0;
        while let Some(child) = self.most_visited(number) {
            pv.extend(self.nodes[child].mv);
            number = child;
        }
        // Stopped before the first move was tried: any legal move.
        if pv.is_empty() && self.config.depth > 0 && game.outcome(root).is_none() {
            pv.extend(game.moves(root).find(|mv| only.is_empty() || only.contains(mv)));
        }
        SearchOutput {
            depth: pv.len() as Depth,
            pv,
            score: best.map_or_else(|| self.input.static_value(root), |best| self.nodes[best].mean()),
            nodes: self.budget.nodes.max(1),
            cutoffs: 0,
            leaves: self.playouts.max(1),
        }
    }

    /// Reports the visited nodes of the tree with their visits and means.
    fn trace<O: Tracer<G>>(&self, number: usize, tracer: &mut O) {
        let node = &self.nodes[number];
        tracer.enter(&node.position, node.mv, Window::FULL.bounds());
        tracer.sampled(node.visits);
        for child in node.children.clone().filter(|&child| self.nodes[child].visits > 0) {
            self.trace(child, tracer);
        }
        // A game that is won or lost keeps its name; its mean would be that of a score of one unit.
        let finished = self.input.game.outcome(&node.position).filter(|score| score.abs() >= WIN_IN_MAX_PLY);
        tracer.leave(finished.unwrap_or_else(|| -node.mean()));
    }
}
