//! The recursion: principal variation search, fail-soft, one heading per idea.

use super::busy::{self, Company, Turns};
use super::game::*;
use super::guess::{CUSHION, Others, hopeless, sharpened};
use super::level::Level;
use super::limits::{Budget, Stop};
use super::order::{Memory, Reductions};
use super::stages::{Moves, Ranked, Stage};
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
    /// What [`Tactics::threatened`] says of the position.
    pub threatened: bool,
    /// True where a null window is expected to be cut by one good move; false where all moves will have to be searched,
    /// and on the principal variation.
    pub expects_cut: bool,
    /// The code of a move that is left out: what are the others worth?
    pub excluded: Option<u16>,
}

impl<G: Game, E: Eval<G>> Clone for Node<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Eval<G>> Copy for Node<'_, G, E> {}

/// From this depth on, a node without a table move is searched one ply less deep: what the table
/// does not know is seldom important (internal iterative reduction).
const REDUCE_UNKNOWN: Depth = 5;
/// Up to this depth no quiet move may give away...
const GIFTS: Depth = 6;
/// ... more than this for each ply.
const GIFT: Score = 2 * UNIT / 5;
/// What a quiet move may gain next to the horizon.
const RAZOR: Score = 8 * UNIT / 5;

/// One thread of one search.
pub struct Worker<'a, G: Game, E: Eval<G>, T: Tactics<G, E>> {
    /// Rules, judgement, tactics.
    pub brain: &'a Brain<G, E, T>,
    /// Shared with the other threads.
    pub table: &'a Table,
    /// Nodes and the end.
    pub budget: Budget<'a>,
    /// The other threads.
    pub company: Company<'a>,
    /// Killers and history.
    pub memory: Memory,
    /// Deepest ply of the present iteration.
    pub selective_depth: usize,
    /// What a drawn game is worth to the side to move at the root: less than any win, more than any
    /// loss, within a unit of zero.
    pub draw: Score,
    /// Plies up to which positions may be searched deeper than the iteration asks.
    pub reach: usize,
    /// [`Tactics::theme`] of the move made at each ply; 0 for none.
    pub themes: [usize; MAX_PLY + 1],
    /// The judgement of the position at each ply, where it was asked for.
    judgements: [Score; MAX_PLY + 1],
    reductions: &'static Reductions,
    lines: Vec<Line<G::Move>>,
}

impl<'a, G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'a, G, E, T> {
    /// A thread's own part of a search.
    pub fn new(brain: &'a Brain<G, E, T>, table: &'a Table, stop: &'a Stop, nodes: &'a AtomicU64) -> Self {
        let lines = (0..=MAX_PLY).map(|_| Line::new()).collect();
        let budget = Budget::new(stop, nodes);
        Worker {
            brain,
            table,
            budget,
            company: Company::none(),
            memory: Memory::new(T::CONTINUATION),
            selective_depth: 0,
            draw: 0,
            reach: MAX_PLY,
            themes: [0; MAX_PLY + 1],
            judgements: [0; MAX_PLY + 1],
            reductions: Reductions::shared(),
            lines,
        }
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
        let Node { position, state, ply, threatened, .. } = node;
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
        // Other nodes were asked about by the one above, before they were entered.
        if (ply == 1 || !node.may_guess)
            && let Some(score) = tactics.known(position)
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

        // --- Threats are looked into more deeply.
        if T::EXTENSIONS && threatened && ply < self.reach && tactics.uses(Trick::Extensions) {
            depth += 1;
        }

        // --- The horizon.
        if depth <= 0 {
            let calm = !T::QUIESCENCE || !tactics.uses(Trick::Quiescence);
            return if calm { eval.score(state, position) } else { self.quiesce(node, (alpha, beta)) };
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
        let whole = !T::SINGULAR || node.excluded.is_none();
        if let Some(entry) = known
            && !is_pv
            && whole
            && tactics.uses(Trick::TableValues)
            && (entry.depth == depth || !T::EXACT_DEPTH && entry.depth > depth)
            && entry.selectivity >= self.budget.selectivity
        {
            let score = to_root(entry.score, ply);
            if entry.cuts(score, (alpha, beta)) {
                return score;
            }
        }
        let table_move = known.filter(|_| tactics.uses(Trick::TableMoves)).and_then(|entry| entry.mv);
        if !T::EXACT_DEPTH && table_move.is_none() && depth >= REDUCE_UNKNOWN {
            depth -= 1;
        }

        // --- Another thread may have found the value of this node or of one above.
        if self.company.is_overtaken(self.table, self.budget.selectivity, ply, depth) {
            return 0;
        }

        // --- What the position looks like, and whether it looks better than a move ago.
        let mut look = -INFINITE;
        let mut improving = false;
        if (T::NULL_MOVE || T::PRUNING) && !threatened {
            let judgement = eval.score(state, position);
            look = known.map_or(judgement, |entry| sharpened(judgement, entry));
            self.judgements[ply] = judgement;
            improving = ply >= 2 && judgement > self.judgements[ply - 2];
        } else if T::PRUNING {
            // A threatened position is not judged: comparisons look past it.
            self.judgements[ply] = if ply >= 2 { self.judgements[ply - 2] } else { 0 };
        }

        // --- Reverse futility: near the horizon nothing will undo so large an advantage.
        if T::PRUNING
            && !is_pv
            && whole
            && !threatened
            && depth <= 7
            && beta.abs() < WIN_BAND
            && look < WIN_BAND
            && look - CUSHION * (depth - Depth::from(improving)) >= beta
            && tactics.uses(Trick::Pruning)
        {
            return (look + beta) / 2;
        }

        // --- Razoring: next to the horizon, what is this far behind is left to quiescence.
        if T::PRUNING
            && T::QUIESCENCE
            && !is_pv
            && whole
            && !threatened
            && depth <= 2
            && alpha.abs() < WIN_BAND
            && look + RAZOR * depth <= alpha
            && tactics.uses(Trick::Pruning)
            && tactics.uses(Trick::Quiescence)
        {
            let score = self.quiesce(node, (alpha, alpha + 1));
            if score <= alpha {
                return score;
            }
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
            && whole
            && !threatened
            && depth >= 3
            && look >= beta
            && tactics.uses(Trick::NullMove)
            && let Some(score) = self.try_null(node, look, beta, depth)
        {
            return score;
        }

        // --- Singular extension: a move that no other one comes near is looked into more deeply.
        let mut extension = 0;
        if T::SINGULAR
            && whole
            && table_move.is_some()
            && let Some(entry) = known
            && tactics.uses(Trick::Singular)
        {
            match self.compare_others(node, entry, (alpha, beta), depth) {
                Others::Trail(plies) => extension = plies,
                Others::Cut(score) => return score,
            }
        }
        if self.is_out() {
            return 0;
        }

        // --- Moves, best first.
        let mut stage = if T::STAGED { Stage::Table } else { Stage::All };
        let mut moves = Moves::new();
        self.fill(node, table_move, depth, &mut stage, &mut moves);
        let original_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_code = None;
        let mut needless = 0;
        let mut turns = Turns::default();
        let busy = self.company.at(depth);
        if busy.is_some() && whole && (!is_pv || self.budget.is_advice()) {
            self.company.promise(ply, key, depth, (alpha, beta));
        }
        loop {
            self.bring_best(node, table_move, depth, &mut stage, &mut moves, turns.untried());
            let Some((index, first_time)) = turns.next(moves.len()) else { break };
            let (mv, rank) = (moves[index].mv, moves[index].rank());
            if T::SINGULAR && node.excluded == Some(game.code(mv)) {
                needless += 1;
                continue;
            }
            let quiet = !tactics.noisy(position, mv);
            // Moves put off come after all others: their place stays that of their first turn.
            let place = if first_time { index - needless } else { index };

            // --- Late quiet moves, quiet moves that cannot repair so bad a position or that give a man away, and
            // losing captures are left out near the horizon.
            if T::PRUNING
                && !is_pv
                && !threatened
                && best > -WIN_BAND
                && tactics.uses(Trick::Pruning)
                && (hopeless(quiet, depth, place, rank, improving, alpha - look)
                    || quiet && depth <= GIFTS && tactics.gives_away(game, position, mv, GIFT * depth))
                && !tactics.threatens(game, position, mv)
            {
                continue;
            }

            let child = game.play(position, mv);
            self.table.prefetch(game.key(&child));

            // --- A move that another thread is at is put off until the others are done.
            let at = busy.map_or(0, |_| busy::place(game.key(&child), depth));
            // Who expects a cut waits for the first move; where all must be searched, any will do.
            let may_wait = index > 0 || !(is_pv || node.expects_cut);
            if first_time && may_wait && turns.puts_off(index, busy, at) {
                continue;
            }

            // --- What is known of the position after the move needs no search; entered it is all the same.
            let mut score = INFINITE;
            if let Some(known) = tactics.known(&child) {
                if self.budget.spend() {
                    return best.max(alpha);
                }
                self.lines[ply + 1].clear();
                score = -self.settled(known, ply + 1);
                needless += 1;
            } else {
                let threatens = tactics.threatened(&child);
                let child_state = eval.advance(state, position, mv, &child);
                let below = Node {
                    position: &child,
                    state: &child_state,
                    ply: ply + 1,
                    may_guess: true,
                    threatened: threatens,
                    expects_cut: is_pv || !node.expects_cut,
                    excluded: None,
                };
                self.themes[ply] = tactics.theme(mv);
                let more = if table_move == Some(game.code(mv)) { extension } else { 0 };
                let deeper = depth - game.cost(mv) + more;

                if let Some(busy) = busy {
                    busy.take(at);
                }

                // --- Null windows for all but the first move; reductions for late quiet ones.
                if place > 0 {
                    let reduction = if T::REDUCTIONS && quiet && tactics.uses(Trick::Reductions) {
                        let calm = Depth::from(!is_pv) + Depth::from(!improving) - Depth::from(threatened || threatens);
                        self.reductions.plies(depth, place, calm, rank)
                    } else if T::PAIR_LATE.is_some_and(|(from, late)| depth >= from && place >= late) {
                        2
                    } else {
                        0
                    };
                    score = -self.pvs(below, (-alpha - 1, -alpha), deeper - reduction);
                    if reduction > 0 && score > alpha && !self.is_out() {
                        score = -self.pvs(below, (-alpha - 1, -alpha), deeper);
                    }
                }
                if place == 0 || (is_pv && score > alpha && score < beta && !self.is_out()) {
                    let below = Node { expects_cut: !is_pv && below.expects_cut, ..below };
                    score = -self.pvs(below, (-beta, -alpha), deeper);
                }
                if let Some(busy) = busy {
                    busy.free(at);
                }
                if let Some(score) = self.company.instead(ply) {
                    return score;
                }
                if self.budget.is_out() {
                    return best.max(alpha);
                }
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
                    self.remember_cut(position, &moves[..=index], ply, depth);
                }
                break;
            }
        }
        if !whole {
            // The table knows whole positions only.
            return best.max(-WIN);
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
        if is_pv
            && busy.is_some()
            && kind == Kind::Exact
            && let Some(entry) = self.table.probe(key)
            && (entry.depth, entry.kind, entry.selectivity) == (depth, kind, selectivity)
        {
            // Another thread was here before. Its value may be another one; windows around it are what
            // the threads have in common.
            return to_root(entry.score, ply);
        }
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

    /// True if what is being searched no longer matters or must end.
    #[inline(always)]
    pub fn is_out(&self) -> bool {
        self.budget.is_out() || self.company.overtaken.is_some()
    }

    /// The last of the moves that were tried has cut; the quiet ones before it have not.
    #[inline(always)]
    fn remember_cut(&mut self, position: &G::Position, tried: &[Ranked<G::Move>], ply: usize, depth: Depth) {
        let Brain { game, tactics, .. } = self.brain;
        for (index, &Ranked { mv, .. }) in tried.iter().enumerate() {
            let last = index + 1 == tried.len();
            let code = game.code(mv);
            if T::KILLERS && last {
                self.memory.add_killer(ply, code);
            }
            if !last && tactics.noisy(position, mv) {
                continue;
            }
            let sign = if last { 1 } else { -1 };
            if T::HISTORY {
                self.memory.learn(code, depth, sign);
            }
            if T::CONTINUATION {
                for theme in self.themes_before(ply) {
                    self.memory.learn_reply(theme, tactics.theme(mv), depth, sign);
                }
            }
        }
    }

    /// The themes of the last move and of the one before it.
    #[inline(always)]
    pub fn themes_before(&self, ply: usize) -> [usize; 2] {
        match ply {
            0 => [0, 0],
            1 => [self.themes[0], 0],
            _ => [self.themes[ply - 1], self.themes[ply - 2]],
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
