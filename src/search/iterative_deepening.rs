//! Iterative deepening: the root of the tree, aspiration windows, several pv_table of play, reports,
//! and the decision when to stop.

use super::abdada::{DeferredMoves, SearchingTable};
use super::evaluation::Eval;
use super::game::Game;
use super::limits::{Limits, Stop};
use super::policy::SearchPolicy;
use super::root_broadcast::{RootBroadcast, RootTask};
use super::transposition_table::{Bound, TranspositionTable};
use super::types::{
    Certainty, Depth, Effort, INFINITE, MAX_DEPTH, MAX_PLY, RemainingBudget, Score, UNIT, WIN, WIN_IN_MAX_PLY,
};
use super::worker::{Node, SearchContext, Worker};
use crate::support::thread_pool;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// A search to make.
#[derive(Clone, Debug)]
pub struct Request<M> {
    /// When it must end.
    pub limits: Limits,
    /// Lines of play to follow, at least 1.
    pub multipv: usize,
    /// Only these moves; all if empty.
    pub only: Vec<M>,
    /// Threads, at least 1.
    pub threads: usize,
    /// What a drawn game is worth to the side to move, within a unit of zero.
    pub draw: Score,
}

/// A finished iteration of one line.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// 1 for the best line.
    pub rank: usize,
    /// Lines followed.
    pub of: usize,
    /// Plies of the iteration.
    pub depth: Depth,
    /// Deepest ply seen in it.
    pub seldepth: usize,
    /// For the side to move at the root.
    pub score: Score,
    /// Whether the score is only a bound.
    pub kind: Bound,
    /// What the score claims.
    pub certainty: Certainty,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Thousandths of the table in use.
    pub hashfull: u32,
    /// Best play; the first move is the move to make.
    pub line: Vec<M>,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// The best move with the line expected after it; empty only if there is no legal move.
    pub line: Vec<M>,
    /// The last report of the best line.
    pub best: Option<Report<M>>,
    /// Positions entered by all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}

/// A move of the root with what is known about it.
#[derive(Clone)]
struct RootMove<M> {
    mv: M,
    score: Score,
    line: Vec<M>,
}

impl<M: Copy> RootMove<M> {
    fn new(mv: M) -> RootMove<M> {
        RootMove { mv, score: -INFINITE, line: vec![mv] }
    }
}

/// ScoredMoves of the root, those of higher rank first. Sorting knows only the type of a move: it is compiled once a game.
fn highest_first<M: Copy>(mut ranked: Vec<(i32, M)>) -> Vec<RootMove<M>> {
    ranked.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    ranked.into_iter().map(|(_, mv)| RootMove::new(mv)).collect()
}

/// Sorts moves of the root by their scores; equals keep their order.
fn best_first<M>(moves: &mut [RootMove<M>]) {
    moves.sort_by_key(|mv| std::cmp::Reverse(mv.score));
}

/// The pace is measured from this time and so many positions on (a process that had to wait for a processor has
/// entered few)...
const PACE_SAMPLE: (Duration, u64) = (Duration::from_millis(5), 5_000);
/// ... and before it is taken to be so many positions a millisecond.
const FIRST_PACE: u64 = 1000;
/// A step that is planned to its end, such as a solve, gets so much of the soft bound, in percent: what it takes beyond
/// is deficit in all later moves. Found by SPSA.
const SOLVE_PERCENT: u32 = 160;
/// From this depth on windows are narrow.
const ASPIRATION_MIN_DEPTH: Depth = 4;

/// Searches a position until its limits, the stop flag, or the end of what can be learned.
///
/// `report` hears of every finished iteration of every line, from the calling thread.
pub fn search<G: Game, E: Eval<G>, T: SearchPolicy<G, E>>(
    context: &SearchContext<G, E, T>,
    table: &TranspositionTable,
    root: &G::Position,
    request: &Request<G::Move>,
    stop: &Stop,
    report: &mut dyn FnMut(Report<G::Move>),
) -> SearchResult<G::Move> {
    table.new_search();
    context.policy.begin();
    let nodes = AtomicU64::new(0);
    let moves: Vec<_> =
        context.game.moves(root).filter(|mv| request.only.is_empty() || request.only.contains(mv)).collect();
    let mut result = SearchResult { line: Vec::new(), best: None, nodes: 0, time: Duration::ZERO };
    if !moves.is_empty() && context.game.outcome(root).is_none() {
        let parallel = (request.threads > 1).then(|| (SearchingTable::new(), RootBroadcast::new()));
        let new =
            |report| Deepening::new(context, table, root, &moves, request, stop, &nodes, parallel.as_ref(), report);
        let mut tell = |finished| report(finished);
        let mut listener: Listener<'_, _> = Some(&mut tell);
        thread_pool::run(request.threads, &|_helper| new(None).help(), &mut || {
            // Whatever happens here, a panic included, the helpers must end.
            let _end = RaiseOnDrop(stop);
            let mut main = new(listener.take());
            main.run();
            result = main.result();
        });
    }
    result.with_nodes(&nodes, stop)
}

struct RaiseOnDrop<'a>(&'a Stop);

impl Drop for RaiseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.raise();
    }
}

impl<M> SearchResult<M> {
    fn with_nodes(mut self, nodes: &AtomicU64, stop: &Stop) -> Self {
        self.nodes = nodes.load(std::sync::atomic::Ordering::Relaxed);
        self.time = stop.elapsed();
        self
    }
}

/// Hears of finished iterations.
type Listener<'a, M> = Option<&'a mut dyn FnMut(Report<M>)>;

/// One thread's iterative deepening.
struct Deepening<'a, G: Game, E: Eval<G>, T: SearchPolicy<G, E>> {
    worker: Worker<'a, G, E, T>,
    root: &'a G::Position,
    state: E::Accumulator,
    moves: Vec<RootMove<G::Move>>,
    request: &'a Request<G::Move>,
    stop: &'a Stop,
    /// None where one thread searches alone.
    broadcast: Option<&'a RootBroadcast<G::Move>>,
    listener: Listener<'a, G::Move>,
    best: Option<Report<G::Move>>,
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
        request: &'a Request<G::Move>,
        stop: &'a Stop,
        nodes: &'a AtomicU64,
        parallel: Option<&'a (SearchingTable, RootBroadcast<G::Move>)>,
        listener: Listener<'a, G::Move>,
    ) -> Self {
        let ranked = |mv: &G::Move| (context.policy.order(&context.game, root, *mv), *mv);
        let moves = highest_first(moves.iter().map(ranked).collect());
        let mut worker = Worker::new(context, table, stop, nodes);
        worker.draw = request.draw;
        worker.parallel.searching = parallel.map(|(searching, _)| searching);
        let broadcast = parallel.map(|(_, broadcast)| broadcast);
        let state = context.eval.refresh(root);
        Deepening { worker, root, state, moves, request, stop, broadcast, listener, best: None, stable: 0 }
    }

    fn limit(&self) -> Depth {
        self.request.limits.depth.map_or(MAX_DEPTH, |depth| (depth as Depth).clamp(1, MAX_DEPTH))
    }

    /// The main thread: every step in turn.
    fn run(&mut self) {
        let policy = &self.worker.context.policy;
        let mut step = policy.next(self.root, None, self.limit(), self.remaining());
        while let Some(effort) = step {
            if !self.iterate(effort) || self.should_stop(effort) {
                break;
            }
            step = policy.next(self.root, Some(effort), self.limit(), self.remaining());
        }
    }

    fn remaining(&self) -> RemainingBudget {
        let (spent, elapsed) = (self.worker.budget.total(), self.stop.elapsed());
        let terminal_score = elapsed >= PACE_SAMPLE.0 && spent >= PACE_SAMPLE.1;
        let pace = if terminal_score { spent / elapsed.as_millis().max(1) as u64 } else { FIRST_PACE };
        let soft = self.stop.soft().map(|soft| soft * SOLVE_PERCENT / 100);
        let time = self.stop.hard().map(|hard| {
            let bound = soft.map_or(hard, |soft| soft.min(hard));
            let left = bound.saturating_sub(elapsed).as_micros() as u64;
            left.saturating_mul(pace) / 1000
        });
        RemainingBudget { nodes: self.request.limits.nodes.map(|limit| limit.saturating_sub(spent)), time }
    }

    /// A helping thread: whatever the first thread is at, and when nothing is left of that, a start on
    /// the next iterations; what is learned reaches the others through the table.
    fn help(&mut self) {
        let Some(broadcast) = self.broadcast else { return };
        let mut seen = 0;
        while let Some((step, task)) = broadcast.next(seen, || self.stop.is_raised()) {
            seen = step;
            self.worker.budget.take_up(broadcast.step(), step);
            self.worker.budget.helper = self.solves(task.effort);
            self.moves = task.moves.into_iter().map(RootMove::new).collect();
            let mut step = Some(task.effort);
            while let Some(effort) = step {
                self.prepare(effort);
                self.search_moves(0, task.window, effort.depth);
                if self.worker.budget.poll() {
                    break;
                }
                let policy = &self.worker.context.policy;
                step = policy.next(self.root, Some(effort), self.limit(), self.remaining());
                step = step.filter(|&next| !self.solves(next));
            }
        }
    }

    /// What every thread of an iteration sets.
    fn prepare(&mut self, effort: Effort) {
        self.worker.budget.selectivity = effort.selectivity;
        self.worker.max_extension_ply = 2 * effort.depth as usize;
        self.worker.parallel.start(effort.depth);
    }

    /// True if the iteration plays to the certain end of the game.
    fn solves(&self, effort: Effort) -> bool {
        self.worker.context.policy.horizon(self.root).is_some_and(|horizon| effort.depth >= horizon)
    }

    /// One step for all pv_table; false when the budget ran out.
    fn iterate(&mut self, effort: Effort) -> bool {
        self.prepare(effort);
        self.worker.seldepth = 0;
        let previous_best = self.moves[0].mv;
        let pv_table = self.request.multipv.clamp(1, self.moves.len());
        for rank in 0..pv_table {
            self.aspiration_search(rank, effort);
            if self.worker.budget.is_stopped() {
                return false;
            }
            self.complete_line(rank, effort);
        }
        // Bets may value a later line higher than an earlier one.
        best_first(&mut self.moves[..pv_table]);
        (0..pv_table).for_each(|rank| self.tell(rank, pv_table, effort));
        self.stable = if self.moves[0].mv == previous_best { self.stable + 1 } else { 0 };
        true
    }

    /// Searches the moves from `rank` on with a window around the last value, widened on the side
    /// where it proves too narrow.
    fn aspiration_search(&mut self, rank: usize, effort: Effort) {
        let try_prune = self.moves[rank].score;
        let mut width = T::ASPIRATION;
        let narrow = effort.depth >= ASPIRATION_MIN_DEPTH && try_prune.abs() < WIN_IN_MAX_PLY;
        let (mut alpha, mut beta) = if narrow { (try_prune - width, try_prune + width) } else { (-INFINITE, INFINITE) };
        if effort.wld {
            (alpha, beta) = (-UNIT, UNIT);
        }
        loop {
            if let Some(broadcast) = self.broadcast {
                let moves = self.moves[rank..].iter().map(|entry| entry.mv).collect();
                broadcast.set(RootTask { moves, window: (alpha, beta), effort });
            }
            let score = self.search_moves(rank, (alpha, beta), effort.depth);
            if self.worker.budget.is_stopped() {
                return;
            }
            best_first(&mut self.moves[rank..]);
            if effort.wld {
                return;
            }
            width *= 3;
            if score <= alpha && alpha > -INFINITE {
                alpha = if width > 30 * UNIT { -INFINITE } else { (score - width).max(-INFINITE) };
            } else if score >= beta && beta < INFINITE {
                beta = if width > 30 * UNIT { INFINITE } else { (score + width).min(INFINITE) };
            } else {
                return;
            }
        }
    }

    /// Principal variation search over the moves from `rank` on. A move that was not searched to
    /// its value sinks behind those that were, in its old order. If the budget runs out, the best
    /// move of the finished part leads, provided its value is not just a bound from above.
    fn search_moves(&mut self, rank: usize, window: (Score, Score), depth: Depth) -> Score {
        let policy = &self.worker.context.policy;
        policy.enter(self.root, 0, window, depth);
        let value = self.search_moves_within(rank, window, depth);
        policy.leave(value);
        value
    }

    fn search_moves_within(&mut self, rank: usize, (mut alpha, beta): (Score, Score), depth: Depth) -> Score {
        let SearchContext { game, eval, policy } = self.worker.context;
        let mut best = -INFINITE;
        let mut best_index = None;
        let mut turns = DeferredMoves::default();
        while let Some((turn, first_time)) = turns.next(self.moves.len() - rank) {
            let index = rank + turn;
            let mv = self.moves[index].mv;
            let child = game.play(self.root, mv);
            let move_count =
                self.worker.parallel.searching.map(|searching| searching.move_count(game.key(&child), depth));
            if first_time && turn > 0 && turns.defer(turn, move_count) {
                self.moves[index].score = -INFINITE;
                continue;
            }
            if let Some(move_count) = move_count {
                move_count.take();
            }
            let state = eval.update(&self.state, self.root, mv, &child);
            let in_check = policy.in_check(&child);
            self.worker.piece_to_path[0] = policy.piece_to(mv);
            let node = Node {
                position: &child,
                state: &state,
                ply: 1,
                allow_pruning: true,
                in_check,
                cut_node: true,
                excluded: None,
            };
            let deeper = depth - game.cost(mv);
            let mut score = INFINITE;
            if index > rank {
                score = -self.worker.pvs(node, (-alpha - 1, -alpha), deeper);
            }
            if index == rank || (score > alpha && score < beta && !self.worker.budget.is_stopped()) {
                score = -self.worker.pvs(Node { cut_node: false, ..node }, (-beta, -alpha), deeper);
            }
            if let Some(move_count) = move_count {
                move_count.free();
            }
            if self.worker.budget.is_stopped() {
                if let Some(found) = best_index {
                    self.moves[rank..=found].rotate_right(1);
                }
                return best;
            }
            let entry = &mut self.moves[index];
            if score > alpha {
                entry.line.clear();
                entry.line.push(mv);
                entry.line.extend(self.worker.line(1).iter().copied());
                best_index = Some(index);
            }
            entry.score = if score > alpha || index == rank { score } else { -INFINITE };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                policy.cut(self.moves.len() - index - 1);
                for later in &mut self.moves[index + 1..] {
                    later.score = -INFINITE;
                }
                break;
            }
        }
        best
    }

    /// A solved line ends where the solver took over; its table knows how it goes on.
    fn complete_line(&mut self, rank: usize, effort: Effort) {
        let SearchContext { game, policy, .. } = self.worker.context;
        if !self.solves(effort) {
            return;
        }
        let line = &mut self.moves[rank].line;
        let mut position = line.iter().fold(self.root.clone(), |position, &mv| game.play(&position, mv));
        while let Some(mv) = policy.solver_best_move(game, &position)
            && line.len() < MAX_PLY
        {
            line.push(mv);
            position = game.play(&position, mv);
        }
    }

    fn certainty(&self, effort: Effort) -> Certainty {
        let percent = effort.selectivity.percent();
        match self.solves(effort) {
            true if effort.wld => Certainty::WinLossDraw,
            true if percent == 100 => Certainty::Exact,
            true => Certainty::Selective(percent),
            _ if self.moves[0].score.abs() >= WIN_IN_MAX_PLY => Certainty::Exact,
            _ => Certainty::Estimate(percent),
        }
    }

    fn tell(&mut self, rank: usize, pv_table: usize, effort: Effort) {
        let found = &self.moves[rank];
        let report = Report {
            rank: rank + 1,
            of: pv_table,
            depth: effort.depth,
            seldepth: self.worker.seldepth.max(effort.depth as usize),
            score: found.score,
            kind: Bound::Exact,
            certainty: self.certainty(effort),
            nodes: self.worker.budget.total(),
            time: self.stop.elapsed(),
            hashfull: self.worker.table.full(),
            line: found.line.clone(),
        };
        if rank == 0 {
            self.best = Some(report.clone());
        }
        if let Some(listener) = &mut self.listener {
            listener(report);
        }
    }

    /// True when another iteration would be a waste: nothing to choose, a proven result, or too
    /// little time to finish one.
    fn should_stop(&self, effort: Effort) -> bool {
        let score = self.moves[0].score;
        let distance = WIN - score.abs();
        let proven = score.abs() >= WIN_IN_MAX_PLY && distance <= effort.depth;
        let asked_for = self
            .request
            .limits
            .mate
            .is_some_and(|moves| score >= WIN_IN_MAX_PLY && (distance + 1) / 2 <= moves as Score);
        let Some(soft) = self.stop.soft() else {
            return proven || asked_for;
        };
        // The next iteration costs as much as all before it, or half as much again; the hard bound leaves room for it.
        // A move that has stood for long needs less thought, one that has just changed needs more. Found by SPSA.
        let share = match self.stable {
            0 => 100,
            1..=3 => 88,
            _ => 35,
        };
        proven || asked_for || self.moves.len() == 1 || self.stop.elapsed() * 100 >= soft * share
    }

    fn result(self) -> SearchResult<G::Move> {
        let line = self.moves[0].line.clone();
        SearchResult { line, best: self.best, nodes: 0, time: Duration::ZERO }
    }
}
