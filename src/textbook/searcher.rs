//! The algorithms of the textbook under their names, as one recursion in which each shows its few lines of its own.
//!
//! Values are for the side to move (negamax), which changes neither the tree nor the values that a trace shows.
//! After Knuth and Moore, "An analysis of alpha-beta pruning" (1975), and Pearl, "Scout" (1980).

use super::memory::{FULL, Memory, standing};
use super::order::Order;
use super::plan::{Algorithm, Answer, Observer, Plan, Task};
use super::production;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::limits::{Budget, Limits, Stop};
use crate::search::types::{Depth, INFINITE, Score};
use std::sync::atomic::AtomicU64;

/// Searches a position by any of the algorithms, without a limit of time.
pub fn search<G, E, O>(task: &Task<'_, G, E>, plan: Plan, observer: &mut O) -> Answer<G::Move>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
    O: Observer<G>,
{
    search_until(task, plan, &Stop::new(&Limits::default()), observer)
}

/// Searches a position by any of the algorithms until the end of the plan or the stop.
pub fn search_until<G, E, O>(task: &Task<'_, G, E>, plan: Plan, stop: &Stop, observer: &mut O) -> Answer<G::Move>
where
    G: Game + Clone,
    E: Eval<G> + Clone,
    O: Observer<G>,
{
    match plan.algorithm {
        Algorithm::Pvs => production::search(task, plan, stop, observer),
        _ => named(task, plan, stop, observer, &mut |_| ()),
    }
}

/// Searches by one of the algorithms that the textbook writes out: all but [`Algorithm::Pvs`], which is taken for
/// [`Algorithm::Scout`]. Every finished iteration is reported. The answer is that of the deepest finished iteration;
/// if the stop comes before the first is finished, the best move so far.
pub fn named<G: Game, E: Eval<G>, O: Observer<G>>(
    task: &Task<'_, G, E>,
    plan: Plan,
    stop: &Stop,
    observer: &mut O,
    report: &mut dyn FnMut(&Answer<G::Move>),
) -> Answer<G::Move> {
    let nodes = AtomicU64::new(0);
    let budget = Budget::new(stop, &nodes);
    let mut run = Run {
        task,
        plan,
        observer,
        memory: Memory::default(),
        budget,
        lines: Vec::new(),
        cutoffs: 0,
        leaves: 0,
        horizon: false,
    };
    let deepens = plan.deepen || plan.order == Order::Previous;
    let mut answer = None;
    for depth in if deepens { plan.depth.min(1) } else { plan.depth }..=plan.depth {
        run.horizon = false;
        let score = run.value(task.root, &task.eval.refresh(task.root), None, FULL, depth, 0);
        if run.budget.is_stopped() {
            break;
        }
        let found = run.answer(score, depth);
        report(&found);
        answer = Some(found);
        let late = stop.soft().is_some_and(|soft| stop.elapsed() >= soft);
        // Where no line was cut off by the depth, a deeper search sees nothing new.
        if late || !run.horizon {
            break;
        }
    }
    let answer = answer.unwrap_or_else(|| run.unfinished());
    Answer { nodes: run.budget.nodes, cutoffs: run.cutoffs, leaves: run.leaves, ..answer }
}

struct Run<'a, G: Game, E, O> {
    task: &'a Task<'a, G, E>,
    plan: Plan,
    observer: &'a mut O,
    memory: Memory,
    budget: Budget<'a>,
    /// Best play from each ply on, as far as it is known.
    lines: Vec<Vec<G::Move>>,
    cutoffs: u64,
    leaves: u64,
    /// Whether a line of this iteration ended at the depth and not with the game.
    horizon: bool,
}

impl<G: Game, E: Eval<G>, O: Observer<G>> Run<'_, G, E, O> {
    fn answer(&self, score: Score, depth: Depth) -> Answer<G::Move> {
        let line = self.lines.first().cloned().unwrap_or_default();
        Answer { line, score, nodes: self.budget.nodes, cutoffs: self.cutoffs, leaves: self.leaves, depth }
    }

    /// What there is to say before the first iteration is finished: the best move so far, or any.
    fn unfinished(&self) -> Answer<G::Move> {
        let Task { game, root, only, .. } = self.task;
        let mut answer = self.answer(standing(self.task, root), 0);
        if answer.line.is_empty() && game.outcome(root).is_none() {
            answer.line.extend(game.moves(root).find(|mv| only.is_empty() || only.contains(mv)));
        }
        answer
    }

    /// The value of a position reached by a move: read off, remembered, or searched.
    fn value(
        &mut self,
        position: &G::Position,
        state: &E::Accumulator,
        mv: Option<G::Move>,
        window: (Score, Score),
        depth: Depth,
        ply: usize,
    ) -> Score {
        let Task { game, eval, .. } = self.task;
        self.budget.count_node();
        if self.lines.len() <= ply {
            self.lines.push(Vec::new());
        }
        self.lines[ply].clear();
        self.observer.enter(position, mv, window);
        let value = match game.outcome(position) {
            Some(value) => {
                self.leaves += 1;
                value
            }
            None if depth <= 0 => {
                self.leaves += 1;
                self.horizon = true;
                eval.evaluate(state, position)
            }
            None => match self.remembered(position, window, depth, ply) {
                Some(value) => {
                    self.horizon = true;
                    self.observer.recall();
                    value
                }
                None => self.inner(position, state, window, depth, ply),
            },
        };
        self.observer.leave(value);
        value
    }

    fn inner(
        &mut self,
        position: &G::Position,
        state: &E::Accumulator,
        (alpha, beta): (Score, Score),
        depth: Depth,
        ply: usize,
    ) -> Score {
        use Algorithm::{AlphaBeta, AlphaBetaHard, Minimax, Negamax, Pvs, Scout};
        let Task { game, eval, .. } = self.task;
        let algorithm = self.plan.algorithm;
        let moves = self.moves(position, depth, ply);
        // The hard form starts from the window's own edge, the others from nothing.
        let mut best = if algorithm == AlphaBetaHard { alpha } else { -INFINITE };
        let mut best_move = None;
        let mut low = alpha;
        for (index, &mv) in moves.iter().enumerate() {
            let child = game.play(position, mv);
            let below = eval.update(state, position, mv, &child);
            let mut look = |window| -self.value(&child, &below, Some(mv), window, depth - 1, ply + 1);
            let value = match algorithm {
                Minimax => look(FULL),
                AlphaBeta | AlphaBetaHard | Negamax => look((-beta, -low)),
                Scout | Pvs if index == 0 || beta - low <= 1 => look((-beta, -low)),
                Scout | Pvs => match look((-low - 1, -low)) {
                    value if value > low && value < beta => look((-beta, -low)),
                    value => value,
                },
            };
            if self.budget.is_stopped() {
                return best;
            }
            // Only a strictly better value replaces a best move: among equals the first searched stays.
            if value > best || best_move.is_none() {
                best_move = Some(mv);
                self.extend_line(ply, mv);
            }
            best = best.max(value);
            low = low.max(best);
            let cuts = match algorithm {
                Minimax => false,
                AlphaBetaHard => best > beta,
                _ => low >= beta,
            };
            if cuts {
                let rest = &moves[index + 1..];
                self.cutoffs += u64::from(!rest.is_empty());
                rest.iter().for_each(|&mv| self.observer.prune(mv));
                self.memory.learn_cut(self.plan.order, game.code(mv), depth, ply);
                break;
            }
        }
        if algorithm == AlphaBetaHard {
            best = best.min(beta);
        }
        if let Some(mv) = best_move {
            self.memory.learn(self.plan, game.key(position), (alpha, beta), depth, (best, game.code(mv)));
        }
        best
    }

    fn moves(&mut self, position: &G::Position, depth: Depth, ply: usize) -> Vec<G::Move> {
        let mut moves = self.memory.ordered(self.task, self.plan.order, position, depth, ply);
        if ply == 0 && !self.task.only.is_empty() {
            moves.retain(|mv| self.task.only.contains(mv));
        }
        moves
    }

    /// The root is always searched: its move is wanted, too.
    fn remembered(&self, position: &G::Position, window: (Score, Score), depth: Depth, ply: usize) -> Option<Score> {
        if !self.plan.table || ply == 0 {
            return None;
        }
        let score = self.memory.value(self.task.game.key(position), window, depth)?;
        let hard = self.plan.algorithm == Algorithm::AlphaBetaHard;
        Some(if hard { score.clamp(window.0, window.1) } else { score })
    }

    /// The line of this ply becomes the move and the line after it.
    fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply].clear();
        upper[ply].push(mv);
        upper[ply].extend(lower.first().into_iter().flatten().copied());
    }
}
