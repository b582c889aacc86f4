//! Iterative deepening: the root of the tree, aspiration windows, several principal variations, endgame solves,
//! and the decision when to stop.

mod claim;
mod speed;

use super::abdada::DeferredMoves;
use super::evaluation::Eval;
use super::game::Game;
use super::limits::{RemainingBudget, Stop};
use super::node::Node;
use super::parallel::{EndOnDrop, Parallel, wake_solver};
use super::policy::{SearchPolicy, Technique};
use super::result::{Iteration, SearchParameters, SearchResult};
use super::root_broadcast::{RootBroadcast, RootTask};
use super::technique::{EndgameSolver, Observer};
use super::transposition_table::{Bound, TranspositionTable};
use super::types::{Depth, INFINITE, IterationGoal, IterationPlan, MAX_PLY, Score, UNIT, WIN, WIN_IN_MAX_PLY};
use super::worker::{SearchContext, Worker};
use flipside_support::thread_pool;
use speed::useful_speed;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A move of the root with its value and its variation.
#[derive(Clone)]
struct RootMove<M> {
    mv: M,
    score: Score,
    pv: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    fn new(mv: M) -> RootMove<M> {
        RootMove { mv, score: -INFINITE, pv: vec![mv] }
    }
}

/// Root moves, those of higher ordering score first. A function of the move type alone, so that
/// sorting is compiled once a game and not once a policy.
fn ordered_root_moves<M: Copy>(mut scored: Vec<(i32, M)>) -> Vec<RootMove<M>> {
    scored.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    scored.into_iter().map(|(_, mv)| RootMove::new(mv)).collect()
}

/// Sorts root moves by score; equal ones keep their order.
fn sort_by_score<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
}

/// Percentage of the soft bound for an iteration that is planned to its end, such as a solve: the
/// time beyond that is missing in all later moves. Found by SPSA.
const SOLVE_PERCENT: u32 = 160;
/// Aspiration windows from this depth on.
const ASPIRATION_MIN_DEPTH: Depth = 4;
/// The windows of the second and later lines of play are this many times as wide: lesser moves are
/// worth less certain values.
const LATER_LINES_WIDTH: Score = 2;

/// Searches a position until a limit, the stop flag, or a proven result.
///
/// `report` is called with every finished iteration of every variation, from the calling thread.
pub fn search<G: Game, E: Eval<G>, T: SearchPolicy<G, E>>(
    context: &SearchContext<G, E, T>,
    table: &TranspositionTable,
    root: &G::Position,
    parameters: &SearchParameters<G::Move>,
    stop: &Stop,
    report: &mut dyn FnMut(Iteration<G::Move>),
) -> SearchResult<G::Move> {
    let parallel = (parameters.threads > 1).then(|| Parallel::new(parameters.threads));
    search_sharing(context, table, root, parameters, stop, report, parallel)
}

/// The same, by threads that share work in this way.
pub(crate) fn search_sharing<G: Game, E: Eval<G>, T: SearchPolicy<G, E>>(
    context: &SearchContext<G, E, T>,
    table: &TranspositionTable,
    root: &G::Position,
    parameters: &SearchParameters<G::Move>,
    stop: &Stop,
    report: &mut dyn FnMut(Iteration<G::Move>),
    parallel: Option<Parallel<G>>,
) -> SearchResult<G::Move> {
    table.new_search();
    context.eval.new_search(parameters.threads);
    if let Some(solver) = context.policy.solver() {
        solver.new_search();
    }
    let nodes = AtomicU64::new(0);
    let moves: Vec<_> =
        context.game.moves(root).filter(|mv| parameters.only.is_empty() || parameters.only.contains(mv)).collect();
    let mut result = SearchResult { pv: Vec::new(), best: None, nodes: 0, time: Duration::ZERO };
    if !moves.is_empty() && context.game.outcome(root).is_none() {
        let new =
            |report| Deepening::new(context, table, root, &moves, parameters, stop, &nodes, parallel.as_ref(), report);
        let mut send = |finished| report(finished);
        let mut listener: Listener<'_, _> = Some(&mut send);
        thread_pool::run(parameters.threads, &|_helper| new(None).help(), &mut || {
            // The helpers must end even if this thread panics.
            let _end = EndOnDrop { stop, parallel: parallel.as_ref(), context };
            let mut main = new(listener.take());
            main.run();
            result = main.result();
        });
    }
    SearchResult { nodes: nodes.load(Ordering::Relaxed), time: stop.elapsed(), ..result }
}

/// Called with every finished iteration.
type Listener<'a, M> = Option<&'a mut dyn FnMut(Iteration<M>)>;

/// One thread's iterative deepening.
struct Deepening<'a, G: Game, E: Eval<G>, T: SearchPolicy<G, E>> {
    worker: Worker<'a, G, E, T>,
    root: &'a G::Position,
    accumulator: E::Accumulator,
    moves: Vec<RootMove<G::Move>>,
    /// True if there are as many lines of play as moves: each move is then searched with a window
    /// of its own instead of being compared with another.
    values_all_moves: bool,
    parameters: &'a SearchParameters<G::Move>,
    stop: &'a Stop,
    /// `None` with a single thread.
    broadcast: Option<&'a RootBroadcast<G::Move>>,
    listener: Listener<'a, G::Move>,
    best: Option<Iteration<G::Move>>,
    /// Iterations since the best move last changed.
    stable: u32,
}

impl<'a, G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Deepening<'a, G, E, T> {
    #[allow(clippy::too_many_arguments, reason = "the pieces of one search, named once")]
    fn new(
        context: &'a SearchContext<G, E, T>,
        table: &'a TranspositionTable,
        root: &'a G::Position,
        moves: &[G::Move],
        parameters: &'a SearchParameters<G::Move>,
        stop: &'a Stop,
        nodes: &'a AtomicU64,
        parallel: Option<&'a Parallel<G>>,
        listener: Listener<'a, G::Move>,
    ) -> Self {
        let scored = |mv: &G::Move| (context.policy.score_move(&context.game, root, *mv), *mv);
        let moves = ordered_root_moves(moves.iter().map(scored).collect());
        let mut worker = Worker::new(context, table, stop, nodes);
        worker.draw = parameters.draw;
        worker.budget.threads = parameters.threads;
        worker.parallel.searching = parallel.and_then(|parallel| parallel.searching.as_ref());
        let values_all_moves = moves.len() > 1 && parameters.multipv >= moves.len();
        let broadcast = parallel.map(|parallel| &parallel.broadcast);
        let accumulator = context.eval.refresh(root);
        let (best, stable) = (None, 0);
        Deepening {
            worker,
            root,
            accumulator,
            moves,
            values_all_moves,
            parameters,
            stop,
            broadcast,
            listener,
            best,
            stable,
        }
    }

    fn next_iteration(&self, last: Option<IterationPlan>) -> Option<IterationPlan> {
        let SearchParameters { ref limits, selectivity, solve_selectivity, multipv, ref only, .. } = *self.parameters;
        let best_move_only = multipv <= 1 && only.is_empty();
        let goal = IterationGoal { depth: limits.max_depth(), selectivity, solve_selectivity, best_move_only };
        self.worker.context.policy.next_iteration(self.root, last, goal, self.remaining())
    }

    /// The main thread: every iteration in turn.
    fn run(&mut self) {
        let mut next = self.next_iteration(None);
        while let Some(plan) = next {
            if !self.iterate(plan) || self.should_stop(plan) {
                break;
            }
            next = self.next_iteration(Some(plan));
        }
    }

    fn remaining(&self) -> RemainingBudget<'_> {
        let (spent, elapsed) = (self.worker.budget.total(), self.stop.elapsed());
        let speed = useful_speed(spent, elapsed, self.parameters.threads);
        let soft = self.stop.soft().map(|soft| soft * SOLVE_PERCENT / 100);
        let time = self.stop.hard().map(|hard| {
            let bound = soft.map_or(hard, |soft| soft.min(hard));
            let left = bound.saturating_sub(elapsed).as_micros() as u64;
            left.saturating_mul(speed) / 1000
        });
        let nodes = self.parameters.limits.nodes.map(|limit| limit.saturating_sub(spent));
        RemainingBudget { nodes, time, stop: self.stop }
    }

    /// A helping thread: it joins the first thread's task, and then starts the next iterations;
    /// its results reach the others through the transposition table.
    fn help(&mut self) {
        let Some(broadcast) = self.broadcast else { return };
        let mut seen = 0;
        loop {
            let idle = &mut self.worker.budget.parallel_work.idle;
            let Some((task_id, task)) = broadcast.next(seen, idle, || self.stop.is_raised()) else { break };
            seen = task_id;
            self.worker.budget.join_task(broadcast.task_id(), task_id);
            self.worker.budget.helps_solver = self.is_solve(task.plan);
            self.moves = task.moves.into_iter().map(RootMove::new).collect();
            let mut next = Some(task.plan);
            while let Some(plan) = next {
                self.prepare(plan);
                self.search_moves(0, task.window, plan);
                if self.worker.budget.poll() {
                    break;
                }
                next = self.next_iteration(Some(plan)).filter(|&next| !self.is_solve(next));
            }
        }
    }

    /// Sets what all threads of an iteration need.
    fn prepare(&mut self, plan: IterationPlan) {
        self.worker.budget.selectivity = plan.selectivity;
        self.worker.max_extension_ply = 2 * plan.depth as usize;
        self.worker.parallel.start_iteration(plan.depth);
    }

    /// True if the iteration reaches the certain end of the game: the endgame solver takes it.
    fn is_solve(&self, plan: IterationPlan) -> bool {
        let solver = self.worker.context.policy.solver();
        solver.is_some_and(|solver| plan.depth >= solver.plies_to_end(self.root))
    }

    /// One iteration of all variations; false when the budget ran out.
    fn iterate(&mut self, plan: IterationPlan) -> bool {
        self.prepare(plan);
        self.worker.seldepth = 0;
        let previous_best = self.moves[0].mv;
        let multipv = self.lines();
        let previous: Vec<Score> = self.moves[..multipv].iter().map(|line| line.score).collect();
        for (rank, previous) in previous.into_iter().enumerate() {
            self.aspiration_search(rank, plan, previous);
            if self.worker.budget.is_stopped() {
                if self.values_all_moves {
                    sort_by_score(&mut self.moves[..rank]);
                }
                return false;
            }
            self.complete_pv(rank, plan);
        }
        // ProbCut may value a later variation higher than an earlier one.
        sort_by_score(&mut self.moves[..multipv]);
        (0..multipv).for_each(|rank| self.report(rank, multipv, plan));
        self.stable = if self.moves[0].mv == previous_best { self.stable + 1 } else { 0 };
        true
    }

    /// Lines of play to search.
    fn lines(&self) -> usize {
        self.parameters.multipv.clamp(1, self.moves.len())
    }

    /// The moves among which the variation of this rank is searched.
    fn candidates(&self, rank: usize) -> Range<usize> {
        rank..if self.values_all_moves { rank + 1 } else { self.moves.len() }
    }

    /// Aspiration search: the moves from `rank` on with a window around the last value, widened on the side where it
    /// fails, up to the ends of the search's window. If the search of the variation above gave the first of them no
    /// value, the last value is `previous`, that of the same rank in the iteration before.
    fn aspiration_search(&mut self, rank: usize, plan: IterationPlan, previous: Score) {
        let last = if self.moves[rank].score > -INFINITE { self.moves[rank].score } else { previous };
        let mut width = T::MARGINS.aspiration * if rank == 0 { 1 } else { LATER_LINES_WIDTH };
        let is_narrow = plan.depth >= ASPIRATION_MIN_DEPTH
            && last.abs() < WIN_IN_MAX_PLY
            && self.worker.context.policy.is_enabled(Technique::Aspiration);
        let (low, high) = self.parameters.window;
        let reach = if is_narrow { width } else { 2 * INFINITE };
        let (mut alpha, mut beta) = ((last - reach).clamp(low, high - 1), (last + reach).clamp(low + 1, high));
        if plan.wld {
            (alpha, beta) = (-UNIT, UNIT);
        }
        loop {
            if let Some(broadcast) = self.broadcast {
                let moves = self.moves[self.candidates(rank)].iter().map(|entry| entry.mv).collect();
                broadcast.set(RootTask { moves, window: (alpha, beta), plan });
                wake_solver(self.worker.context);
            }
            let score = self.search_moves(rank, (alpha, beta), plan);
            if self.worker.budget.is_stopped() {
                return;
            }
            let candidates = self.candidates(rank);
            sort_by_score(&mut self.moves[candidates]);
            if plan.wld {
                return;
            }
            width *= 3;
            if score <= alpha && alpha > low {
                alpha = if width > 30 * UNIT { low } else { (score - width).max(low) };
            } else if score >= beta && beta < high {
                beta = if width > 30 * UNIT { high } else { (score + width).min(high) };
            } else {
                // If every move fails low, none has the bound of them all.
                self.moves[rank].score = score;
                return;
            }
        }
    }

    /// Principal variation search over the moves from `rank` on. A move that was not searched to
    /// its value falls behind those that were, in its old order. If the budget runs out, the best
    /// move of the finished part leads, unless its value is only an upper bound.
    fn search_moves(&mut self, rank: usize, window: (Score, Score), plan: IterationPlan) -> Score {
        let observer = self.worker.context.policy.observer();
        if let Some(observer) = observer {
            observer.enter(self.root, 0, window, plan.depth);
        }
        let value = self.search_moves_within(rank, window, plan);
        if let Some(observer) = observer {
            observer.leave(value);
        }
        value
    }

    fn search_moves_within(&mut self, rank: usize, (mut alpha, beta): (Score, Score), plan: IterationPlan) -> Score {
        let (depth, is_solve) = (plan.depth, self.is_solve(plan));
        let SearchContext { game, policy, .. } = self.worker.context;
        let mut best = -INFINITE;
        let mut best_index = None;
        let mut order = DeferredMoves::<Vec<u32>>::default();
        while let Some((turn, first_time)) = order.next(self.candidates(rank).len()) {
            let index = rank + turn;
            let child = game.play(self.root, self.moves[index].mv);
            let entry = self.worker.parallel.searching.map(|searching| searching.entry(game.key(&child), depth));
            if first_time && turn > 0 && order.defer(turn, entry) {
                self.moves[index].score = -INFINITE;
                continue;
            }
            if let Some(entry) = entry {
                entry.start();
            }
            let score = self.search_root_move(index, index == rank, &child, (alpha, beta), (depth, is_solve));
            if let Some(entry) = entry {
                entry.finish();
            }
            if self.worker.budget.is_stopped() {
                if let Some(found) = best_index {
                    self.moves[rank..=found].rotate_right(1);
                }
                return best;
            }
            let root_move = &mut self.moves[index];
            if score > alpha {
                root_move.pv.clear();
                root_move.pv.push(root_move.mv);
                root_move.pv.extend(self.worker.pv(1).iter().copied());
                best_index = Some(index);
            }
            root_move.score = if score > alpha || index == rank { score } else { -INFINITE };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                if let Some(observer) = policy.observer() {
                    observer.cutoff(self.moves.len() - index - 1);
                }
                let later = index + 1..self.candidates(rank).end;
                self.moves[later].iter_mut().for_each(|later| later.score = -INFINITE);
                break;
            }
        }
        best
    }

    /// The value of a root move: the first one by the whole window, the others by a null window first; by the
    /// endgame solver in a solve.
    fn search_root_move(
        &mut self,
        index: usize,
        is_first: bool,
        child: &G::Position,
        (alpha, beta): (Score, Score),
        (depth, is_solve): (Depth, bool),
    ) -> Score {
        let SearchContext { game, eval, policy } = self.worker.context;
        let mv = self.moves[index].mv;
        let accumulator = eval.update(&self.accumulator, self.root, mv, child);
        let in_check = self.worker.in_check(child);
        self.worker.piece_to_path[0] = policy.piece_to(mv);
        let node = Node {
            position: child,
            accumulator: &accumulator,
            ply: 1,
            allow_pruning: true,
            in_check,
            cut_node: true,
            excluded: None,
        };
        let new_depth = depth - game.cost(mv);
        let worker = &mut self.worker;
        let search = |worker: &mut Worker<'a, G, E, T>, node, window| {
            if is_solve { worker.solve_child(node, window) } else { worker.pvs(node, window, new_depth) }
        };
        let mut score = INFINITE;
        if !is_first {
            score = -search(worker, node, (-alpha - 1, -alpha));
        }
        if is_first || (score > alpha && score < beta && !worker.budget.is_stopped()) {
            score = -search(worker, Node { cut_node: false, ..node }, (-beta, -alpha));
        }
        score
    }

    /// The principal variation of a solve ends where the solver took over; the solver's table completes it.
    fn complete_pv(&mut self, rank: usize, plan: IterationPlan) {
        let SearchContext { game, policy, .. } = self.worker.context;
        let Some(solver) = policy.solver().filter(|_| self.is_solve(plan)) else { return };
        let pv = &mut self.moves[rank].pv;
        let mut position = pv.iter().fold(self.root.clone(), |position, &mv| game.play(&position, mv));
        while let Some(mv) = solver.best_move(game, &position)
            && pv.len() < MAX_PLY
        {
            pv.push(mv);
            position = game.play(&position, mv);
        }
    }

    fn report(&mut self, rank: usize, multipv: usize, plan: IterationPlan) {
        let (score, certainty) = self.claim(rank, plan);
        let iteration = Iteration {
            rank: rank + 1,
            multipv,
            depth: plan.depth.unsigned_abs(),
            seldepth: self.worker.seldepth.max(plan.depth as usize) as u32,
            score,
            bound: Bound::of(score, self.parameters.window),
            certainty,
            nodes: self.worker.budget.total(),
            time: self.stop.elapsed(),
            hashfull: self.worker.table.hashfull(),
            pv: self.moves[rank].pv.clone(),
            pv_ends_game: false,
            wdl: None,
        };
        if rank == 0 {
            self.best = Some(iteration.clone());
        }
        if let Some(listener) = &mut self.listener {
            listener(iteration);
        }
    }

    /// True if another iteration is not worth starting: a single move, a proven result of every variation, or too
    /// little time to finish one.
    fn should_stop(&self, plan: IterationPlan) -> bool {
        let lines = &self.moves[..self.lines()];
        let distances = lines.iter().map(|line| WIN - line.score.abs());
        let is_proven = distances.max().is_some_and(|distance| distance <= plan.depth.min(WIN - WIN_IN_MAX_PLY));
        let (score, mate) = (self.moves[0].score, self.parameters.limits.mate);
        let is_mate = score >= WIN_IN_MAX_PLY && mate.is_some_and(|moves| (WIN - score + 1) as u32 / 2 <= moves);
        let Some(soft) = self.stop.soft() else {
            return is_proven || is_mate;
        };
        // The next iteration costs as much as all before it, or half as much again; the hard bound leaves room for it.
        // A best move that has been stable for long needs less time, one that has just changed needs more. Found by SPSA.
        let share = match self.stable {
            0 => 100,
            1..=3 => 88,
            _ => 35,
        };
        is_proven || is_mate || self.moves.len() == 1 || self.stop.elapsed() * 100 >= soft * share
    }

    fn result(self) -> SearchResult<G::Move> {
        let pv = self.moves[0].pv.clone();
        SearchResult { pv, best: self.best, nodes: 0, time: Duration::ZERO }
    }
}
