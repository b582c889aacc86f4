//! The recursion: principal variation search, fail-soft. A node is entered, looked up, guessed at; then come its moves.

use super::busy::{Place, Turns};
use super::game::*;
use super::guess::{GIFT, GIFTS, hopeless, sharpened};
use super::stages::{Moves, Ranked, Stage};
use super::table::{Entry, Kind, from_root, to_root};
use super::worker::{Brain, Node, Worker};
use std::ops::ControlFlow::{self, Break, Continue};

/// From this depth on, a node without a table move is searched one ply less deep: what the table
/// does not know is seldom important (internal iterative reduction).
const REDUCE_UNKNOWN: Depth = 5;

/// What is known of a node before its moves are made.
#[derive(Clone, Copy)]
pub struct View {
    /// The position's name in the table.
    pub key: u64,
    /// Plies to search, at least one.
    pub depth: Depth,
    /// The lower end of the window.
    pub alpha: Score,
    /// The upper end of the window.
    pub beta: Score,
    /// True where the window is open: the value itself is wanted, not only a side of it.
    pub is_pv: bool,
    /// What the table knows.
    pub known: Option<Entry>,
    /// The table's move.
    pub table_move: Option<u16>,
    /// The judgement, sharpened by the table; below all others where the side to move is threatened, for nothing
    /// calm can be said there.
    pub look: Score,
    /// Whether it judges better than a move ago.
    pub improving: bool,
    /// Plies more for the table's move.
    pub extension: Depth,
}

/// A move whose turn has come.
#[derive(Clone, Copy)]
struct Candidate<M> {
    mv: M,
    rank: i32,
    quiet: bool,
    /// How many moves were searched before it.
    place: usize,
}

/// What the moves so far have brought.
struct Yield {
    alpha: Score,
    best: Score,
    best_code: Option<u16>,
    /// Moves that needed no search.
    needless: usize,
}

impl Yield {
    /// A move was searched; true if it is the best within the window so far.
    #[inline(always)]
    fn take(&mut self, score: Score, code: u16) -> bool {
        let raises = score > self.best && score > self.alpha;
        self.best = self.best.max(score);
        if raises {
            self.alpha = score;
            self.best_code = Some(code);
        }
        raises
    }
}

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'_, G, E, T> {
    /// The search itself; [`Level::pvs`](super::level::Level::pvs) compiles it for a processor and is the way to call it.
    #[inline(always)]
    pub fn pvs_body(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> Score {
        match self.before_moves(node, window, depth) {
            Break(score) => score,
            Continue(view) => self.search_moves(node, view),
        }
    }

    /// All that may make moves unnecessary, the cheapest first; what was learned on the way.
    #[inline(always)]
    fn before_moves(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> ControlFlow<Score, View> {
        self.enter(node)?;
        let depth = self.horizon(node, window, depth)?;
        let mut view = self.look_up(node, window, depth)?;
        self.judge(node, &mut view);
        self.guess(node, &view)?;
        view.extension = self.singular(node, &view)?;
        if self.is_out() { Break(0) } else { Continue(view) }
    }

    /// Counts the node and asks whether its value is certain.
    #[inline(always)]
    fn enter(&mut self, node: Node<'_, G, E>) -> ControlFlow<Score> {
        let Brain { game, eval, tactics } = self.brain;
        let Node { position, ply, .. } = node;
        if self.budget.spend() {
            return Break(0);
        }
        self.lines[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        if !G::ENDS_WITHOUT_MOVES
            && let Some(score) = game.outcome(position)
        {
            return Break(self.settled(score, ply));
        }
        // Other nodes were asked about by the one above, before they were entered.
        if (ply == 1 || !node.may_guess)
            && let Some(score) = tactics.known(position)
        {
            return Break(self.settled(score, ply));
        }
        if ply >= MAX_PLY - 1 { Break(eval.score(node.state, position)) } else { Continue(()) }
    }

    /// Plies to search from here, threats extended; the value where the certain end of the game or the horizon is
    /// reached.
    #[inline(always)]
    fn horizon(&mut self, node: Node<'_, G, E>, window: (Score, Score), mut depth: Depth) -> ControlFlow<Score, Depth> {
        let Brain { eval, tactics, .. } = self.brain;
        if T::SOLVER && tactics.horizon(node.position).is_some_and(|horizon| depth >= horizon) {
            return Break(self.solve(node, window));
        }
        if T::EXTENSIONS && node.threatened && node.ply < self.reach && tactics.uses(Trick::Extensions) {
            depth += 1;
        }
        if depth > 0 {
            return Continue(depth);
        }
        let calm = !T::QUIESCENCE || !tactics.uses(Trick::Quiescence);
        Break(if calm { eval.score(node.state, node.position) } else { self.quiesce(node, window) })
    }

    /// What the table knows, and the value where that is enough or another thread has found one.
    #[inline(always)]
    fn look_up(
        &mut self,
        node: Node<'_, G, E>,
        (alpha, beta): (Score, Score),
        mut depth: Depth,
    ) -> ControlFlow<Score, View> {
        let Brain { game, tactics, .. } = self.brain;
        let is_pv = beta - alpha > 1;
        // A shorter win or loss than the window allows cannot matter.
        let alpha = alpha.max(to_root(-WIN, node.ply));
        let beta = beta.min(to_root(WIN, node.ply + 1));
        if alpha >= beta {
            return Break(alpha);
        }
        let key = game.key(node.position);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && !is_pv
            && self.is_whole(node)
            && tactics.uses(Trick::TableValues)
            && (entry.depth == depth || !T::EXACT_DEPTH && entry.depth > depth)
            && entry.selectivity >= self.budget.selectivity
        {
            let score = to_root(entry.score, node.ply);
            if entry.cuts(score, (alpha, beta)) {
                return Break(score);
            }
        }
        let table_move = known.filter(|_| tactics.uses(Trick::TableMoves)).and_then(|entry| entry.mv);
        if !T::EXACT_DEPTH && table_move.is_none() && depth >= REDUCE_UNKNOWN {
            depth -= 1;
        }
        if self.company.is_overtaken(self.table, self.budget.selectivity, node.ply, depth) {
            return Break(0);
        }
        let (look, improving, extension) = (-INFINITE, false, 0);
        Continue(View { key, depth, alpha, beta, is_pv, known, table_move, look, improving, extension })
    }

    /// What the position looks like, and whether it looks better than a move ago.
    #[inline(always)]
    fn judge(&mut self, node: Node<'_, G, E>, view: &mut View) {
        let ply = node.ply;
        if (T::NULL_MOVE || T::PRUNING) && !node.threatened {
            let judgement = self.brain.eval.score(node.state, node.position);
            view.look = view.known.map_or(judgement, |entry| sharpened(judgement, entry));
            self.judgements[ply] = judgement;
            view.improving = ply >= 2 && judgement > self.judgements[ply - 2];
        } else if T::PRUNING {
            // A threatened position is not judged: comparisons look past it.
            self.judgements[ply] = if ply >= 2 { self.judgements[ply - 2] } else { 0 };
        }
    }

    /// The moves, best first, until one of them cuts.
    #[inline(always)]
    fn search_moves(&mut self, node: Node<'_, G, E>, view: View) -> Score {
        let Brain { game, tactics, .. } = self.brain;
        let Node { position, ply, .. } = node;
        let View { depth, beta, is_pv, .. } = view;
        let mut stage = if T::STAGED { Stage::Table } else { Stage::All };
        let mut moves = Moves::new();
        self.fill(node, view.table_move, depth, &mut stage, &mut moves);
        let mut found = Yield { alpha: view.alpha, best: -INFINITE, best_code: None, needless: 0 };
        let mut turns = Turns::default();
        let busy = self.company.at(depth);
        if busy.is_some() && self.is_whole(node) && (!is_pv || self.budget.is_advice()) {
            self.company.promise(ply, view.key, depth, (view.alpha, beta));
        }
        loop {
            self.bring_best(node, view.table_move, depth, &mut stage, &mut moves, turns.untried());
            let Some((index, first_time)) = turns.next(moves.len()) else { break };
            let mv = moves[index].mv;
            if T::SINGULAR && node.excluded == Some(game.code(mv)) {
                found.needless += 1;
                continue;
            }
            // Moves put off come after all others: their place stays that of their first turn.
            let place = if first_time { index - found.needless } else { index };
            let candidate = Candidate { mv, rank: moves[index].rank(), quiet: !tactics.noisy(position, mv), place };
            if self.leaves_out(node, &view, &found, candidate) {
                continue;
            }
            let child = game.play(position, mv);
            self.table.prefetch(game.key(&child));

            // A move that another thread is at is put off until the others are done. Who expects a cut waits for the
            // first move; where all must be searched, any will do.
            let shared = busy.map(|busy| busy.place(game.key(&child), depth));
            let may_wait = index > 0 || !(is_pv || node.expects_cut);
            if first_time && may_wait && turns.puts_off(index, shared) {
                continue;
            }

            let score = match self.visit(node, &view, &mut found, candidate, &child, shared) {
                Continue(score) => score,
                Break(own) => return own,
            };
            if found.take(score, game.code(mv)) && is_pv {
                self.extend_line(ply, mv);
            }
            if found.alpha >= beta {
                tactics.cut(moves.len() - index - 1);
                if candidate.quiet {
                    self.remember_cut(position, &moves[..=index], ply, depth);
                }
                break;
            }
        }
        self.conclude(node, &view, found, moves.is_empty())
    }

    /// What a move is worth, if it is known or by a search; the node's own value where it must end here.
    #[inline(always)]
    fn visit(
        &mut self,
        node: Node<'_, G, E>,
        view: &View,
        found: &mut Yield,
        candidate: Candidate<G::Move>,
        child: &G::Position,
        shared: Option<Place<'_>>,
    ) -> ControlFlow<Score, Score> {
        let ply = node.ply;
        if let Some(known) = self.brain.tactics.known(child) {
            // What is known needs no search; the position is entered all the same.
            if self.budget.spend() {
                return Break(found.best.max(found.alpha));
            }
            self.lines[ply + 1].clear();
            found.needless += 1;
            return Continue(-self.settled(known, ply + 1));
        }
        if let Some(place) = shared {
            place.take();
        }
        let score = self.value_of(node, view, found.alpha, candidate, child);
        if let Some(place) = shared {
            place.free();
        }
        if let Some(own) = self.company.instead(ply) {
            return Break(own);
        }
        if self.budget.is_out() { Break(found.best.max(found.alpha)) } else { Continue(score) }
    }

    /// True near the horizon for late quiet moves, for quiet moves that cannot repair so bad a position or that give a
    /// man away, and for losing captures.
    #[inline(always)]
    fn leaves_out(&self, node: Node<'_, G, E>, view: &View, found: &Yield, candidate: Candidate<G::Move>) -> bool {
        let Brain { game, tactics, .. } = self.brain;
        let Candidate { mv, rank, quiet, place } = candidate;
        let View { depth, improving, look, .. } = *view;
        T::PRUNING
            && !view.is_pv
            && !node.threatened
            && found.best > -WIN_BAND
            && tactics.uses(Trick::Pruning)
            && (hopeless(quiet, depth, place, rank, improving, found.alpha - look)
                || quiet && depth <= GIFTS && tactics.gives_away(game, node.position, mv, GIFT * depth))
            && !tactics.threatens(game, node.position, mv)
    }

    /// What a move is worth by a search: null windows for all but the first, with less depth for late quiet ones.
    #[inline(always)]
    fn value_of(
        &mut self,
        node: Node<'_, G, E>,
        view: &View,
        alpha: Score,
        candidate: Candidate<G::Move>,
        child: &G::Position,
    ) -> Score {
        let Brain { game, eval, tactics } = self.brain;
        let View { depth, beta, is_pv, .. } = *view;
        let Candidate { mv, place, .. } = candidate;
        let state = eval.advance(node.state, node.position, mv, child);
        let below = Node {
            position: child,
            state: &state,
            ply: node.ply + 1,
            may_guess: true,
            threatened: tactics.threatened(child),
            expects_cut: is_pv || !node.expects_cut,
            excluded: None,
        };
        self.themes[node.ply] = tactics.theme(mv);
        let more = if view.table_move == Some(game.code(mv)) { view.extension } else { 0 };
        let deeper = depth - game.cost(mv) + more;
        let mut score = INFINITE;
        if place > 0 {
            let reduction = self.reduction(view, candidate, node.threatened || below.threatened);
            score = -self.pvs(below, (-alpha - 1, -alpha), deeper - reduction);
            if reduction > 0 && score > alpha && !self.is_out() {
                score = -self.pvs(below, (-alpha - 1, -alpha), deeper);
            }
        }
        if place == 0 || (is_pv && score > alpha && score < beta && !self.is_out()) {
            let below = Node { expects_cut: !is_pv && below.expects_cut, ..below };
            score = -self.pvs(below, (-beta, -alpha), deeper);
        }
        score
    }

    /// Plies less for a move that comes late.
    #[inline(always)]
    fn reduction(&self, view: &View, candidate: Candidate<G::Move>, threats: bool) -> Depth {
        let Candidate { rank, quiet, place, .. } = candidate;
        if T::REDUCTIONS && quiet && self.brain.tactics.uses(Trick::Reductions) {
            let calm = Depth::from(!view.is_pv) + Depth::from(!view.improving) - Depth::from(threats);
            self.reductions.plies(view.depth, place, calm, rank)
        } else if T::PAIR_LATE.is_some_and(|(from, late)| view.depth >= from && place >= late) {
            2
        } else {
            0
        }
    }

    /// The value of a node whose moves are done, which the table shall know.
    #[inline(always)]
    fn conclude(&mut self, node: Node<'_, G, E>, view: &View, found: Yield, no_moves: bool) -> Score {
        let (View { key, depth, .. }, best) = (*view, found.best);
        if !self.is_whole(node) {
            // The table knows whole positions only.
            return best.max(-WIN);
        }
        if no_moves {
            return self.brain.game.outcome(node.position).map_or(0, |score| self.settled(score, node.ply));
        }
        let kind = Kind::of(best, (view.alpha, view.beta));
        let selectivity = self.budget.selectivity;
        if view.is_pv
            && self.company.at(depth).is_some()
            && kind == Kind::Exact
            && let Some(entry) = self.table.probe(key)
            && (entry.depth, entry.kind, entry.selectivity) == (depth, kind, selectivity)
        {
            // Another thread was here before. Its value may be another one; windows around it are what
            // the threads have in common.
            return to_root(entry.score, node.ply);
        }
        let score = from_root(best, node.ply);
        self.table.store(key, Entry { mv: found.best_code, score, depth, kind, selectivity });
        best
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
}
