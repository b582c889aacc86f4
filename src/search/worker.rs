//! The recursion: principal variation search, fail-soft, one heading per idea.

use super::game::*;
use super::level::Level;
use super::limits::{Budget, Stop};
use super::order::Memory;
use super::table::{Entry, Kind, Table, from_root, to_root};
use arrayvec::ArrayVec;
use std::sync::atomic::AtomicU64;

/// What stays the same for all searches of a room.
pub struct Brain<G, E, T> {
    /// The rules.
    pub game: G,
    /// The judgement.
    pub eval: E,
    /// What the search may do.
    pub tactics: T,
}

/// A line of play.
pub type Line<M> = ArrayVec<M, MAX_PLY>;

/// A position in the tree with what belongs to it.
pub struct Node<'n, G: Game, E: Eval<G>> {
    /// The position.
    pub position: &'n G::Position,
    /// The evaluation's memory of it.
    pub state: &'n E::State,
    /// Plies from the root.
    pub ply: usize,
    /// False right after a null move or inside ProbCut's own verification.
    pub may_guess: bool,
}

impl<G: Game, E: Eval<G>> Clone for Node<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Eval<G>> Copy for Node<'_, G, E> {}

/// A move with its rank for ordering.
#[derive(Clone, Copy)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// Higher is earlier.
    pub rank: i32,
}

/// The moves of a node, ranked.
pub type Moves<M> = ArrayVec<Ranked<M>, MAX_MOVES>;

/// Ranks above anything that tactics give.
const TABLE_MOVE: i32 = i32::MAX;
const KILLER: i32 = 1 << 24;
/// From this depth on, a node without a table move is searched one ply less deep: what the table
/// does not know is seldom important (internal iterative reduction).
const REDUCE_UNKNOWN: Depth = 5;

/// One thread of one search.
pub struct Worker<'a, G: Game, E: Eval<G>, T: Tactics<G, E>> {
    /// Rules, judgement, tactics.
    pub brain: &'a Brain<G, E, T>,
    /// Shared with the other threads.
    pub table: &'a Table,
    /// Nodes and the end.
    pub budget: Budget<'a>,
    /// Killers and history.
    pub memory: Memory,
    /// Deepest ply of the present iteration.
    pub selective_depth: usize,
    /// What a drawn game is worth to the side to move at the root: less than any win, more than any
    /// loss, within a unit of zero.
    pub draw: Score,
    lines: Vec<Line<G::Move>>,
}

impl<'a, G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'a, G, E, T> {
    /// A thread's own part of a search.
    pub fn new(brain: &'a Brain<G, E, T>, table: &'a Table, stop: &'a Stop, nodes: &'a AtomicU64) -> Self {
        let lines = (0..=MAX_PLY).map(|_| Line::new()).collect();
        let budget = Budget::new(stop, nodes);
        Worker { brain, table, budget, memory: Memory::default(), selective_depth: 0, draw: 0, lines }
    }

    /// The principal variation below `ply`, as far as the last full-window search knows it.
    pub fn line(&self, ply: usize) -> &Line<G::Move> {
        &self.lines[ply]
    }

    /// The value of a node within the window, fail-soft; meaningless once the budget is out.
    #[inline(always)]
    pub fn pvs(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> Score {
        self.brain.tactics.enter(node.position, node.ply, window, depth);
        // SAFETY: a room that opens tactics of a level has checked that the processor has it.
        let value = unsafe { T::Level::pvs(self, node, window, depth) };
        self.brain.tactics.leave(value);
        value
    }

    /// The search itself; [`Level::pvs`] compiles it for a processor and is the way to call it.
    #[inline(always)]
    pub fn pvs_body(&mut self, node: Node<'_, G, E>, window: (Score, Score), mut depth: Depth) -> Score {
        let Node { position, state, ply, .. } = node;
        let Brain { game, eval, tactics } = self.brain;
        let (mut alpha, mut beta) = window;
        let is_pv = beta - alpha > 1;

        // --- The node is entered.
        if self.budget.spend() {
            return 0;
        }
        self.lines[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        if !G::ENDS_WITHOUT_MOVES
            && let Some(score) = game.outcome(position)
        {
            return self.settled(score, ply);
        }
        if ply >= MAX_PLY - 1 {
            return eval.score(state, position);
        }

        // --- The certain end of the game is in reach: exact play takes over.
        if T::SOLVER && tactics.horizon(position).is_some_and(|horizon| depth >= horizon) {
            return self.solve(node, (alpha, beta));
        }

        // --- The horizon.
        if depth <= 0 {
            return if T::QUIESCENCE { self.quiesce(node, (alpha, beta)) } else { eval.score(state, position) };
        }

        // --- A shorter win or loss than the window allows cannot matter.
        alpha = alpha.max(to_root(-WIN, ply));
        beta = beta.min(to_root(WIN, ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // --- Transposition table.
        let key = game.key(position);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && !is_pv
            && tactics.uses(Trick::TableValues)
            && (entry.depth == depth || !T::EXACT_DEPTH && entry.depth > depth)
            && entry.selectivity >= self.budget.selectivity
        {
            let score = to_root(entry.score, ply);
            let cuts = match entry.kind {
                Kind::Exact => true,
                Kind::Lower => score >= beta,
                Kind::Upper => score <= alpha,
            };
            if cuts {
                return score;
            }
        }
        let table_move = known.filter(|_| tactics.uses(Trick::TableMoves)).and_then(|entry| entry.mv);
        if !T::EXACT_DEPTH && table_move.is_none() && depth >= REDUCE_UNKNOWN {
            depth -= 1;
        }

        // --- ProbCut: a shallow search that is far outside the window speaks for the deep one.
        if T::PROBCUT
            && !is_pv
            && node.may_guess
            && self.budget.selectivity < Selectivity::EXACT
            && let Some(score) = self.try_probcut(node, (alpha, beta), depth)
        {
            return score;
        }

        // --- Null move: if passing is good enough, a real move is too.
        if T::NULL_MOVE
            && !is_pv
            && node.may_guess
            && depth >= 3
            && let Some(score) = self.try_null(node, beta, depth)
        {
            return score;
        }
        if self.budget.is_out() {
            return 0;
        }

        // --- Moves, best first.
        let mut moves = self.ranked(node, table_move, depth);
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_code = None;
        for index in 0..moves.len() {
            let mv = pick(&mut moves, index);
            let child = game.play(position, mv);
            self.table.prefetch(game.key(&child));
            let child_state = eval.advance(state, position, mv, &child);
            let below = Node { position: &child, state: &child_state, ply: ply + 1, may_guess: true };
            let deeper = depth - game.cost(mv);
            let quiet = !tactics.noisy(position, mv);

            // --- Null windows for all but the first move; reductions for late quiet ones.
            let mut score = INFINITE;
            if index > 0 {
                let reduction = if T::REDUCTIONS && quiet { self.reduction(depth, index, is_pv) } else { 0 };
                score = -self.pvs(below, (-alpha - 1, -alpha), deeper - reduction);
                if reduction > 0 && score > alpha && !self.budget.is_out() {
                    score = -self.pvs(below, (-alpha - 1, -alpha), deeper);
                }
            }
            if index == 0 || (is_pv && score > alpha && score < beta && !self.budget.is_out()) {
                score = -self.pvs(below, (-beta, -alpha), deeper);
            }
            if self.budget.is_out() {
                return best.max(alpha);
            }

            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_code = Some(game.code(mv));
                    if is_pv {
                        self.extend_line(ply, mv);
                    }
                }
            }
            if alpha >= beta {
                tactics.cut(moves.len() - index - 1);
                if quiet {
                    self.remember_cut(&moves[..index], game.code(mv), ply, depth);
                }
                break;
            }
        }
        if moves.is_empty() {
            return game.outcome(position).map_or(0, |score| self.settled(score, ply));
        }

        // --- What was learned goes into the table.
        let kind = match best {
            _ if best >= beta => Kind::Lower,
            _ if best > original_alpha => Kind::Exact,
            _ => Kind::Upper,
        };
        let selectivity = self.budget.selectivity;
        self.table.store(key, Entry { mv: best_code, score: from_root(best, ply), depth, kind, selectivity });
        best
    }

    /// The value of a game that is over at this ply, for the side to move there.
    #[inline(always)]
    pub fn settled(&self, score: Score, ply: usize) -> Score {
        match score {
            0 if ply.is_multiple_of(2) => self.draw,
            0 => -self.draw,
            _ => to_root(score, ply),
        }
    }

    /// Exact play to the end. Where a draw is worth something, a bound within a unit of zero is moved
    /// out of the way: solvers count in whole units and do not know what a draw is worth.
    #[inline(always)]
    fn solve(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score)) -> Score {
        let Brain { eval, tactics, .. } = self.brain;
        let moved = |bound: Score, away| if self.draw != 0 && bound.abs() < UNIT { away } else { bound };
        let window = (moved(alpha, -UNIT), moved(beta, UNIT));
        let score = tactics.solve(eval, node.state, node.position, window, &mut self.budget);
        score.map_or(0, |score| if score == 0 { self.settled(0, node.ply) } else { score })
    }

    /// The legal moves with their ranks.
    #[inline(always)]
    fn ranked(&self, node: Node<'_, G, E>, table_move: Option<u16>, depth: Depth) -> Moves<G::Move> {
        let Brain { game, eval, tactics } = self.brain;
        let mut moves = Moves::new();
        for mv in game.moves(node.position) {
            let code = game.code(mv);
            let rank = if Some(code) == table_move {
                TABLE_MOVE
            } else {
                let mut rank = tactics.order(game, node.position, mv);
                if T::PRESORT.is_some_and(|from| depth >= from) {
                    let child = game.play(node.position, mv);
                    let state = eval.advance(node.state, node.position, mv, &child);
                    rank -= eval.score(&state, &child);
                }
                if T::KILLERS && tactics.uses(Trick::Killers) {
                    rank += self.memory.killer(node.ply, code) * KILLER;
                }
                if T::HISTORY && tactics.uses(Trick::History) {
                    rank += self.memory.history(code);
                }
                rank
            };
            moves.push(Ranked { mv, rank });
        }
        moves
    }

    #[inline(always)]
    fn try_probcut(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score), depth: Depth) -> Option<Score> {
        let Brain { eval, tactics, .. } = self.brain;
        let verify = Node { may_guess: false, ..node };
        let guess = eval.score(node.state, node.position);
        for bet in tactics.probcut(node.position, depth, self.budget.selectivity) {
            let high = beta + bet.margin - bet.bias;
            let low = alpha - bet.margin - bet.bias;
            // The search that is more likely to succeed, by the look of the position; half the
            // margin is what a static value is allowed to miss.
            if guess >= beta && high < INFINITE / 2 && guess + bet.margin >= high {
                if self.pvs(verify, (high - 1, high), bet.depth) >= high && !self.budget.is_out() {
                    return Some(beta);
                }
            } else if guess <= alpha
                && low > -INFINITE / 2
                && guess - bet.margin <= low
                && self.pvs(verify, (low, low + 1), bet.depth) <= low
                && !self.budget.is_out()
            {
                return Some(alpha);
            }
            if self.budget.is_out() {
                return None;
            }
        }
        None
    }

    #[inline(always)]
    fn try_null(&mut self, node: Node<'_, G, E>, beta: Score, depth: Depth) -> Option<Score> {
        let Brain { eval, tactics, .. } = self.brain;
        if beta.abs() >= WIN_BAND || eval.score(node.state, node.position) < beta {
            return None;
        }
        let passed = tactics.null(node.position)?;
        let state = eval.fresh(&passed);
        let below = Node { position: &passed, state: &state, ply: node.ply + 1, may_guess: false };
        let score = -self.pvs(below, (-beta, 1 - beta), depth - 3 - depth / 4);
        (score >= beta && !self.budget.is_out()).then_some(score.min(WIN_BAND - 1))
    }

    /// Plies that a late quiet move is searched less deep.
    #[inline(always)]
    fn reduction(&self, depth: Depth, index: usize, is_pv: bool) -> Depth {
        if depth < 3 || index < 3 {
            return 0;
        }
        let log = |n: u32| (32 - n.leading_zeros()) as Depth;
        let plies = log(depth as u32) * log(index as u32) / 6;
        (plies - Depth::from(is_pv)).clamp(0, depth - 2)
    }

    #[inline(always)]
    fn remember_cut(&mut self, tried: &[Ranked<G::Move>], code: u16, ply: usize, depth: Depth) {
        if T::KILLERS {
            self.memory.add_killer(ply, code);
        }
        if T::HISTORY {
            self.memory.learn(code, depth, 1);
            for earlier in tried {
                self.memory.learn(self.brain.game.code(earlier.mv), depth, -1);
            }
        }
    }

    /// The line of `ply` becomes this move and the line below it.
    pub fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity().min(lower[0].len());
        line.extend(lower[0][..room].iter().copied());
    }
}

/// Moves the best of the remaining moves to `index` and returns it; among equals the earlier one.
#[inline(always)]
pub fn pick<M: Copy>(moves: &mut Moves<M>, index: usize) -> M {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].rank > moves[best].rank {
            best = other;
        }
    }
    // A rotation keeps the order of the others, so that equals stay in the game's order.
    moves[index..=best].rotate_right(1);
    moves[index].mv
}
