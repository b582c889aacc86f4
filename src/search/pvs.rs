//! The recursion: principal variation search, fail-soft. A node is entered, looked up, guessed at; then come its moves.

use super::abdada::{DeferredMoves, Place};
use super::evaluation::Eval;
use super::game::Game;
use super::move_picker::{ScoredMove, ScoredMoves, Stage};
use super::policy::{SearchPolicy, Technique};
use super::pruning::{SEE_QUIET_DEPTH, SEE_QUIET_MARGIN, is_futile_or_late, tt_adjusted_eval};
use super::transposition_table::{Bound, Entry, score_from_tt, score_to_tt};
use super::types::{Depth, INFINITE, MAX_PLY, Score, WIN, WIN_IN_MAX_PLY};
use super::worker::{Node, SearchContext, Worker};
use std::ops::ControlFlow::{self, Break, Continue};

/// From this depth on, a node without a table move is searched one ply less deep: what the table
/// does not know is seldom important (internal iterative reduction).
const IIR_MIN_DEPTH: Depth = 5;

/// What is known of a node before its moves are made.
#[derive(Clone, Copy)]
pub struct NodeInfo {
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
    /// The judgement, tt_adjusted_eval by the table; below all others where the side to move is in_check, for nothing
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
    move_count: usize,
}

/// What the moves so far have brought.
struct BestSoFar {
    alpha: Score,
    best: Score,
    best_code: Option<u16>,
    /// ScoredMoves that needed no search.
    resolved: usize,
}

impl BestSoFar {
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

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// The search itself; [`Level::pvs`](super::level::Level::pvs) compiles it for a processor and is the way to call it.
    #[inline(always)]
    pub fn pvs_body(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> Score {
        match self.before_moves(node, window, depth) {
            Break(score) => score,
            Continue(info) => self.search_moves(node, info),
        }
    }

    /// All that may make moves unnecessary, the cheapest first; what was learned on the way.
    #[inline(always)]
    fn before_moves(
        &mut self,
        node: Node<'_, G, E>,
        window: (Score, Score),
        depth: Depth,
    ) -> ControlFlow<Score, NodeInfo> {
        self.enter(node)?;
        let depth = self.horizon(node, window, depth)?;
        let mut info = self.look_up(node, window, depth)?;
        self.judge(node, &mut info);
        self.try_prune(node, &info)?;
        info.extension = self.singular(node, &info)?;
        if self.is_out() { Break(0) } else { Continue(info) }
    }

    /// Counts the node and asks whether its value is certain.
    #[inline(always)]
    fn enter(&mut self, node: Node<'_, G, E>) -> ControlFlow<Score> {
        let SearchContext { game, eval, policy } = self.context;
        let Node { position, ply, .. } = node;
        if self.budget.count_node() {
            return Break(0);
        }
        self.pv_table[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        if !G::ENDS_WITHOUT_MOVES
            && let Some(score) = game.outcome(position)
        {
            return Break(self.terminal_score(score, ply));
        }
        // Other nodes were asked about by the one above, before they were entered.
        if (ply == 1 || !node.allow_pruning)
            && let Some(score) = policy.known(position)
        {
            return Break(self.terminal_score(score, ply));
        }
        if ply >= MAX_PLY - 1 { Break(eval.evaluate(node.state, position)) } else { Continue(()) }
    }

    /// Plies to search from here, threats extended; the value where the certain end of the game or the horizon is
    /// reached.
    #[inline(always)]
    fn horizon(&mut self, node: Node<'_, G, E>, window: (Score, Score), mut depth: Depth) -> ControlFlow<Score, Depth> {
        let SearchContext { eval, policy, .. } = self.context;
        if T::SOLVER && policy.horizon(node.position).is_some_and(|horizon| depth >= horizon) {
            return Break(self.solve(node, window));
        }
        if T::CHECK_EXTENSIONS
            && node.in_check
            && node.ply < self.max_extension_ply
            && policy.uses(Technique::CheckExtensions)
        {
            depth += 1;
        }
        if depth > 0 {
            return Continue(depth);
        }
        let calm = !T::QUIESCENCE || !policy.uses(Technique::Quiescence);
        Break(if calm { eval.evaluate(node.state, node.position) } else { self.quiesce(node, window) })
    }

    /// What the table knows, and the value where that is should_stop or another thread has found one.
    #[inline(always)]
    fn look_up(
        &mut self,
        node: Node<'_, G, E>,
        (alpha, beta): (Score, Score),
        mut depth: Depth,
    ) -> ControlFlow<Score, NodeInfo> {
        let SearchContext { game, policy, .. } = self.context;
        let is_pv = beta - alpha > 1;
        // A shorter win or loss than the window allows cannot matter.
        let alpha = alpha.max(score_from_tt(-WIN, node.ply));
        let beta = beta.min(score_from_tt(WIN, node.ply + 1));
        if alpha >= beta {
            return Break(alpha);
        }
        let key = game.key(node.position);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && !is_pv
            && self.has_no_exclusion(node)
            && policy.uses(Technique::TableValues)
            && (entry.depth == depth || !T::EXACT_DEPTH && entry.depth > depth)
            && entry.selectivity >= self.budget.selectivity
        {
            let score = score_from_tt(entry.score, node.ply);
            if entry.cuts(score, (alpha, beta)) {
                return Break(score);
            }
        }
        let table_move = known.filter(|_| policy.uses(Technique::TableMoves)).and_then(|entry| entry.mv);
        if !T::EXACT_DEPTH && table_move.is_none() && depth >= IIR_MIN_DEPTH {
            depth -= 1;
        }
        if self.parallel.has_ancestor_cutoff(self.table, self.budget.selectivity, node.ply, depth) {
            return Break(0);
        }
        let (look, improving, extension) = (-INFINITE, false, 0);
        Continue(NodeInfo { key, depth, alpha, beta, is_pv, known, table_move, look, improving, extension })
    }

    /// What the position looks like, and whether it looks better than a move ago.
    #[inline(always)]
    fn judge(&mut self, node: Node<'_, G, E>, info: &mut NodeInfo) {
        let ply = node.ply;
        if (T::NULL_MOVE || T::PRUNING) && !node.in_check {
            let judgement = self.context.eval.evaluate(node.state, node.position);
            info.look = info.known.map_or(judgement, |entry| tt_adjusted_eval(judgement, entry));
            self.static_evals[ply] = judgement;
            info.improving = ply >= 2 && judgement > self.static_evals[ply - 2];
        } else if T::PRUNING {
            // A in_check position is not judged: comparisons look past it.
            self.static_evals[ply] = if ply >= 2 { self.static_evals[ply - 2] } else { 0 };
        }
    }

    /// The moves, best first, until one of them cuts.
    #[inline(always)]
    fn search_moves(&mut self, node: Node<'_, G, E>, info: NodeInfo) -> Score {
        let SearchContext { game, policy, .. } = self.context;
        let Node { position, ply, .. } = node;
        let NodeInfo { depth, beta, is_pv, .. } = info;
        let mut stage = if T::STAGED_GENERATION { Stage::TtMove } else { Stage::All };
        let mut moves = ScoredMoves::new();
        self.generate_stage(node, info.table_move, depth, &mut stage, &mut moves);
        let mut found = BestSoFar { alpha: info.alpha, best: -INFINITE, best_code: None, resolved: 0 };
        let mut turns = DeferredMoves::default();
        let searching = self.parallel.at(depth);
        if searching.is_some() && self.has_no_exclusion(node) && (!is_pv || self.budget.is_helper()) {
            self.parallel.add_ancestor(ply, info.key, depth, (info.alpha, beta));
        }
        loop {
            self.select_next(node, info.table_move, depth, &mut stage, &mut moves, turns.untried());
            let Some((index, first_time)) = turns.next(moves.len()) else { break };
            let mv = moves[index].mv;
            if T::SINGULAR && node.excluded == Some(game.code(mv)) {
                found.resolved += 1;
                continue;
            }
            // ScoredMoves put off come after all others: their move_count stays that of their first turn.
            let move_count = if first_time { index - found.resolved } else { index };
            let candidate = Candidate { mv, rank: moves[index].rank(), quiet: !policy.noisy(position, mv), move_count };
            if self.should_prune(node, &info, &found, candidate) {
                continue;
            }
            let child = game.play(position, mv);
            self.table.prefetch(game.key(&child));

            // A move that another thread is at is put off until the others are done. Who expects a cut waits for the
            // first move; where all must be searched, any will do.
            let shared = searching.map(|searching| searching.move_count(game.key(&child), depth));
            let may_wait = index > 0 || !(is_pv || node.cut_node);
            if first_time && may_wait && turns.defer(index, shared) {
                continue;
            }

            let score = match self.visit(node, &info, &mut found, candidate, &child, shared) {
                Continue(score) => score,
                Break(own) => return own,
            };
            if found.take(score, game.code(mv)) && is_pv {
                self.update_pv(ply, mv);
            }
            if found.alpha >= beta {
                policy.cut(moves.len() - index - 1);
                if candidate.quiet {
                    self.update_histories(position, &moves[..=index], ply, depth);
                }
                break;
            }
        }
        self.store_result(node, &info, found, moves.is_empty())
    }

    /// What a move is worth, if it is known or by a search; the node's own value where it must end here.
    #[inline(always)]
    fn visit(
        &mut self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &mut BestSoFar,
        candidate: Candidate<G::Move>,
        child: &G::Position,
        shared: Option<Place<'_>>,
    ) -> ControlFlow<Score, Score> {
        let ply = node.ply;
        if let Some(known) = self.context.policy.known(child) {
            // What is known needs no search; the position is entered all the same.
            if self.budget.count_node() {
                return Break(found.best.max(found.alpha));
            }
            self.pv_table[ply + 1].clear();
            found.resolved += 1;
            return Continue(-self.terminal_score(known, ply + 1));
        }
        if let Some(move_count) = shared {
            move_count.take();
        }
        let score = self.search_child(node, info, found.alpha, candidate, child);
        if let Some(move_count) = shared {
            move_count.free();
        }
        if let Some(own) = self.parallel.take_ancestor_cutoff(ply) {
            return Break(own);
        }
        if self.budget.is_stopped() { Break(found.best.max(found.alpha)) } else { Continue(score) }
    }

    /// True near the horizon for late quiet moves, for quiet moves that cannot repair so bad a position or that give a
    /// man away, and for losing captures.
    #[inline(always)]
    fn should_prune(
        &self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &BestSoFar,
        candidate: Candidate<G::Move>,
    ) -> bool {
        let SearchContext { game, policy, .. } = self.context;
        let Candidate { mv, rank, quiet, move_count } = candidate;
        let NodeInfo { depth, improving, look, .. } = *info;
        T::PRUNING
            && !info.is_pv
            && !node.in_check
            && found.best > -WIN_IN_MAX_PLY
            && policy.uses(Technique::Pruning)
            && (is_futile_or_late(quiet, depth, move_count, rank, improving, found.alpha - look)
                || quiet
                    && depth <= SEE_QUIET_DEPTH
                    && policy.loses_more_than(game, node.position, mv, SEE_QUIET_MARGIN * depth))
            && !policy.gives_check(game, node.position, mv)
    }

    /// What a move is worth by a search: null windows for all but the first, with less depth for late quiet ones.
    #[inline(always)]
    fn search_child(
        &mut self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        alpha: Score,
        candidate: Candidate<G::Move>,
        child: &G::Position,
    ) -> Score {
        let SearchContext { game, eval, policy } = self.context;
        let NodeInfo { depth, beta, is_pv, .. } = *info;
        let Candidate { mv, move_count, .. } = candidate;
        let state = eval.update(node.state, node.position, mv, child);
        let below = Node {
            position: child,
            state: &state,
            ply: node.ply + 1,
            allow_pruning: true,
            in_check: policy.in_check(child),
            cut_node: is_pv || !node.cut_node,
            excluded: None,
        };
        self.piece_to_path[node.ply] = policy.piece_to(mv);
        let more = if info.table_move == Some(game.code(mv)) { info.extension } else { 0 };
        let deeper = depth - game.cost(mv) + more;
        let mut score = INFINITE;
        if move_count > 0 {
            let reduction = self.reduction(info, candidate, node.in_check || below.in_check);
            score = -self.pvs(below, (-alpha - 1, -alpha), deeper - reduction);
            if reduction > 0 && score > alpha && !self.is_out() {
                score = -self.pvs(below, (-alpha - 1, -alpha), deeper);
            }
        }
        if move_count == 0 || (is_pv && score > alpha && score < beta && !self.is_out()) {
            let below = Node { cut_node: !is_pv && below.cut_node, ..below };
            score = -self.pvs(below, (-beta, -alpha), deeper);
        }
        score
    }

    /// Plies less for a move that comes late.
    #[inline(always)]
    fn reduction(&self, info: &NodeInfo, candidate: Candidate<G::Move>, threats: bool) -> Depth {
        let Candidate { rank, quiet, move_count, .. } = candidate;
        if T::REDUCTIONS && quiet && self.context.policy.uses(Technique::Reductions) {
            let calm = Depth::from(!info.is_pv) + Depth::from(!info.improving) - Depth::from(threats);
            self.reductions.plies(info.depth, move_count, calm, rank)
        } else if T::LATE_MOVE_REDUCTION.is_some_and(|(from, late)| info.depth >= from && move_count >= late) {
            2
        } else {
            0
        }
    }

    /// The value of a node whose moves are done, which the table shall know.
    #[inline(always)]
    fn store_result(&mut self, node: Node<'_, G, E>, info: &NodeInfo, found: BestSoFar, no_moves: bool) -> Score {
        let (NodeInfo { key, depth, .. }, best) = (*info, found.best);
        if !self.has_no_exclusion(node) {
            // The table knows whole positions only.
            return best.max(-WIN);
        }
        if no_moves {
            return self.context.game.outcome(node.position).map_or(0, |score| self.terminal_score(score, node.ply));
        }
        let kind = Bound::of(best, (info.alpha, info.beta));
        let selectivity = self.budget.selectivity;
        if info.is_pv
            && self.parallel.at(depth).is_some()
            && kind == Bound::Exact
            && let Some(entry) = self.table.probe(key)
            && (entry.depth, entry.kind, entry.selectivity) == (depth, kind, selectivity)
        {
            // Another thread was here before. Its value may be another one; windows around it are what
            // the threads have in common.
            return score_from_tt(entry.score, node.ply);
        }
        let score = score_to_tt(best, node.ply);
        self.table.store(key, Entry { mv: found.best_code, score, depth, kind, selectivity });
        best
    }

    /// The last of the moves that were tried has cut; the quiet ones before it have not.
    #[inline(always)]
    fn update_histories(&mut self, position: &G::Position, tried: &[ScoredMove<G::Move>], ply: usize, depth: Depth) {
        let SearchContext { game, policy, .. } = self.context;
        for (index, &ScoredMove { mv, .. }) in tried.iter().enumerate() {
            let last = index + 1 == tried.len();
            let code = game.code(mv);
            if T::KILLERS && last {
                self.histories.add_killer(ply, code);
            }
            if !last && policy.noisy(position, mv) {
                continue;
            }
            let sign = if last { 1 } else { -1 };
            if T::HISTORY {
                self.histories.learn(code, depth, sign);
            }
            if T::CONTINUATION {
                for piece_to in self.previous_piece_to(ply) {
                    self.histories.update_continuation(piece_to, policy.piece_to(mv), depth, sign);
                }
            }
        }
    }
}
