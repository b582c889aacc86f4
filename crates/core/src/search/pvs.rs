//! The recursion: principal variation search, fail-soft (Marsland and Campbell, 1982; Reinefeld's
//! NegaScout, 1983). A node is entered, probed in the transposition table and evaluated; if
//! nothing prunes it, its moves are searched.

use super::abdada::{DeferredMovesOf, SearchingEntry};
use super::evaluation::Eval;
use super::game::Game;
use super::move_picker::{ScoredMove, ScoredMoves, Stage};
use super::node::{BestSoFar, Candidate, Node, NodeInfo};
use super::policy::{SearchPolicy, Technique};
use super::pruning::tt_adjusted_eval;
use super::technique::Observer;
use super::transposition_table::{Bound, Entry, score_from_tt, score_to_tt};
use super::types::{Depth, INFINITE, MAX_PLY, Score, WIN};
use super::worker::{SearchContext, Worker};
use std::ops::ControlFlow::{self, Break, Continue};

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// The search itself; [`Level::pvs`](super::level::Level::pvs) compiles it for a processor and is the way to call it.
    #[inline(always)]
    pub fn pvs_body(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> Score {
        match self.before_moves(node, window, depth) {
            Break(score) => score,
            Continue(info) => self.search_moves(node, info),
        }
    }

    /// All tests that may make the moves unnecessary, the cheapest first; what they found on the
    /// way.
    #[inline(always)]
    fn before_moves(
        &mut self,
        node: Node<'_, G, E>,
        window: (Score, Score),
        depth: Depth,
    ) -> ControlFlow<Score, NodeInfo> {
        self.enter_node(node)?;
        let depth = self.extend_or_drop_into_quiescence(node, window, depth)?;
        let mut info = self.probe_table(node, window, depth)?;
        self.evaluate_node(node, &mut info);
        self.try_prune(node, &info)?;
        info.extension = self.singular_extension(node, &info)?;
        if self.is_stopped() { Break(0) } else { Continue(info) }
    }

    /// Counts the node; its value if the game is over or perfect play is known.
    #[inline(always)]
    fn enter_node(&mut self, node: Node<'_, G, E>) -> ControlFlow<Score> {
        let SearchContext { game, eval, policy } = self.context;
        let Node { position, ply, .. } = node;
        if self.budget.count_node() {
            return Break(0);
        }
        self.pv_table[ply].clear();
        self.seldepth = self.seldepth.max(ply);
        // Where a game ends because no move is left, the search of the moves finds that, except at
        // the horizon. After a root move it is tested here: hosts show that the game is over.
        if (!G::ENDS_WITHOUT_MOVES || ply == 1)
            && let Some(score) = game.outcome(position)
        {
            return Break(self.terminal_score(score, ply));
        }
        // The parent has probed the children of other nodes before they are entered.
        if (ply == 1 || !node.allow_pruning)
            && let Some(score) = policy.probe_exact(position)
        {
            return Break(self.terminal_score(score, ply));
        }
        if ply >= MAX_PLY - 1 { Break(eval.static_eval(node.accumulator, position)) } else { Continue(()) }
    }

    /// Check extension; at the horizon, the value by quiescence.
    #[inline(always)]
    fn extend_or_drop_into_quiescence(
        &mut self,
        node: Node<'_, G, E>,
        window: (Score, Score),
        mut depth: Depth,
    ) -> ControlFlow<Score, Depth> {
        let SearchContext { eval, policy, .. } = self.context;
        if T::MARGINS.check_extensions
            && node.in_check
            && node.ply < self.max_extension_ply
            && policy.is_enabled(Technique::CheckExtensions)
        {
            depth += 1;
        }
        if depth > 0 {
            return Continue(depth);
        }
        let quiesces = policy.captures().is_some() && policy.is_enabled(Technique::Quiescence);
        Break(if quiesces {
            self.quiesce(node, window)
        } else {
            eval.static_eval_within(node.accumulator, node.position, window)
        })
    }

    /// The transposition table's entry, and the value where its bound is enough or another thread has found one.
    #[inline(always)]
    fn probe_table(
        &mut self,
        node: Node<'_, G, E>,
        (alpha, beta): (Score, Score),
        mut depth: Depth,
    ) -> ControlFlow<Score, NodeInfo> {
        let SearchContext { game, policy, .. } = self.context;
        let is_pv = beta - alpha > 1;
        // Mate-distance pruning: a shorter win or loss than the window allows does not matter.
        let alpha = alpha.max(score_from_tt(-WIN, node.ply));
        let beta = beta.min(score_from_tt(WIN, node.ply + 1));
        if alpha >= beta {
            return Break(alpha);
        }
        let key = game.key(node.position);
        let tt_entry = self.table.probe(key);
        if let Some(entry) = tt_entry
            && !is_pv
            && !self.has_excluded_move(node)
            && policy.is_enabled(Technique::TableValues)
            && (entry.depth == depth || !T::EXACT_DEPTH && entry.depth > depth)
            && entry.selectivity >= self.budget.selectivity
        {
            let score = score_from_tt(entry.score, node.ply);
            if entry.cuts(score, (alpha, beta)) {
                return Break(score);
            }
        }
        let tt_move = tt_entry.filter(|_| policy.is_enabled(Technique::TableMoves)).and_then(|entry| entry.mv);
        // Internal iterative reduction: a position without a table entry is seldom important.
        if !T::EXACT_DEPTH && tt_move.is_none() && depth >= T::MARGINS.internal_reduction_min_depth {
            depth -= 1;
        }
        if self.parallel.has_ancestor_cutoff(self.table, self.budget.selectivity, depth) {
            return Break(0);
        }
        let (eval, improving, extension) = (-INFINITE, false, 0);
        Continue(NodeInfo { key, depth, alpha, beta, is_pv, tt_entry, tt_move, eval, improving, extension })
    }

    /// Static evaluation, and whether it is better than two plies ago.
    #[inline(always)]
    fn evaluate_node(&mut self, node: Node<'_, G, E>, info: &mut NodeInfo) {
        let ply = node.ply;
        let prunes = T::MARGINS.pruning.is_some();
        if (self.context.policy.null_move().is_some() || prunes) && !node.in_check {
            let static_eval = self.context.eval.static_eval(node.accumulator, node.position);
            info.eval = info.tt_entry.map_or(static_eval, |entry| tt_adjusted_eval(static_eval, entry));
            self.static_evals[ply] = static_eval;
            info.improving = ply >= 2 && static_eval > self.static_evals[ply - 2];
        } else if prunes {
            // In check a static evaluation means nothing: that of two plies ago stands in for
            // comparisons.
            self.static_evals[ply] = if ply >= 2 { self.static_evals[ply - 2] } else { 0 };
        }
    }

    /// The value by the node's moves, or by another thread that finds it first.
    #[inline(always)]
    fn search_moves(&mut self, node: Node<'_, G, E>, info: NodeInfo) -> Score {
        let NodeInfo { key, depth, alpha, beta, is_pv, .. } = info;
        let allows_ancestor_cutoff =
            self.parallel.at(depth).is_some() && !self.has_excluded_move(node) && (!is_pv || self.budget.is_helper());
        if allows_ancestor_cutoff {
            self.parallel.add_ancestor(node.ply, key, depth, (alpha, beta));
        }
        let score = self.search_moves_in_order(node, &info);
        let ancestor_cutoff = if allows_ancestor_cutoff { self.parallel.remove_ancestor() } else { None };
        ancestor_cutoff.unwrap_or(score)
    }

    /// The moves, best first, until one of them cuts.
    #[inline(always)]
    fn search_moves_in_order(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> Score {
        let SearchContext { game, policy, .. } = self.context;
        let Node { position, ply, .. } = node;
        let NodeInfo { depth, beta, is_pv, tt_move, .. } = *info;
        let mut stage = if policy.captures().is_some() { Stage::TtMove } else { Stage::All };
        let mut moves = ScoredMoves::<G>::default();
        self.generate_stage(node, tt_move, depth, &mut stage, &mut moves);
        let mut found =
            BestSoFar { alpha: info.alpha, best: -INFINITE, best_code: None, most_pruned: -INFINITE, resolved: 0 };
        let mut order = DeferredMovesOf::<G>::default();
        let searching = self.parallel.at(depth);
        let mut is_next_selected = false;
        loop {
            if !std::mem::take(&mut is_next_selected) {
                self.select_next(node, tt_move, depth, &mut stage, &mut moves, order.untried());
            }
            let generated = moves.as_ref();
            let Some((index, first_time)) = order.next(generated.len()) else { break };
            let (mv, score) = (generated[index].mv, generated[index].score());
            if T::MARGINS.singular.is_some() && node.excluded == Some(game.code(mv)) {
                found.resolved += 1;
                continue;
            }
            // Deferred moves come after all others and keep the number of their first time.
            let move_count = if first_time { index - found.resolved } else { index };
            let candidate = Candidate { mv, score, is_quiet: !self.is_noisy(position, mv), move_count };
            let futile = self.futile_bound(node, info, &found, &candidate);
            // Asking for the table's bucket this early hides a part of the memory's latency. Most evasions of a check
            // are illegal, and have no entry.
            let early_key = if futile.is_some() || node.in_check { None } else { game.key_after(position, mv) };
            if let Some(key) = early_key {
                self.table.prefetch(key);
            }
            if let Some(most) = self.prune(node, info, &found, &candidate, futile) {
                found.most_pruned = found.most_pruned.max(most);
                continue;
            }
            let child = game.play(position, mv);

            // ABDADA: defer a move that another thread is searching until the other moves are
            // done. A cut-node waits for its first move; where all moves must be searched, any
            // will do.
            let entry = searching.map(|searching| searching.entry(game.key(&child), depth));
            let may_wait = index > 0 || !(is_pv || node.cut_node);
            if first_time && may_wait && order.defer(index, entry) {
                continue;
            }

            let is_prefetched = early_key.is_some();
            if is_prefetched && first_time {
                is_next_selected = self.prefetch_next(node, tt_move, depth, &mut stage, &mut moves, index + 1);
            }
            let score = match self.search_move(node, info, &mut found, candidate, (&child, is_prefetched), entry) {
                Continue(score) => score,
                Break(own) => return own,
            };
            if found.update(score, game.code(mv)) && is_pv {
                self.update_pv(ply, mv);
            }
            if found.alpha >= beta {
                let moves = moves.as_ref();
                if let Some(observer) = policy.observer() {
                    observer.cutoff(moves.len() - index - 1);
                }
                if candidate.is_quiet {
                    self.update_histories(position, &moves[..=index], ply, depth);
                }
                break;
            }
        }
        self.store_result(node, info, found, moves.as_ref().is_empty())
    }

    /// The value of a move, known or by a search; the node's own value where the search must end
    /// here.
    #[inline(always)]
    fn search_move(
        &mut self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &mut BestSoFar,
        candidate: Candidate<G::Move>,
        (child, is_prefetched): (&G::Position, bool),
        entry: Option<SearchingEntry<'_>>,
    ) -> ControlFlow<Score, Score> {
        let ply = node.ply;
        if let Some(exact) = self.context.policy.probe_exact(child) {
            // A known value needs no search; the position still counts as a node.
            if self.budget.count_node() {
                return Break(found.best.max(found.alpha));
            }
            self.pv_table[ply + 1].clear();
            found.resolved += 1;
            return Continue(-self.terminal_score(exact, ply + 1));
        }
        let SearchContext { game, policy, .. } = self.context;
        if !is_prefetched && (info.depth > 1 || policy.captures().is_some()) {
            self.table.prefetch(game.key(child));
        }
        if let Some(entry) = entry {
            entry.start();
        }
        let score = self.search_child(node, info, found.alpha, candidate, child);
        if let Some(entry) = entry {
            entry.finish();
        }
        if self.is_stopped() { Break(found.best.max(found.alpha)) } else { Continue(score) }
    }

    /// The value of a move by a search: null windows for all but the first, with less depth for late quiet ones.
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
        let accumulator = eval.update(node.accumulator, node.position, mv, child);
        let child = Node {
            position: child,
            accumulator: &accumulator,
            ply: node.ply + 1,
            allow_pruning: true,
            in_check: self.in_check(child),
            cut_node: is_pv || !node.cut_node,
            excluded: None,
        };
        self.piece_to_path[node.ply] = policy.piece_to(mv);
        let extension = if info.tt_move == Some(game.code(mv)) { info.extension } else { 0 };
        let new_depth = depth - game.cost(mv) + extension;
        let mut score = INFINITE;
        if move_count > 0 {
            let reduction = self.reduction(info, candidate, node.in_check || child.in_check);
            score = -self.pvs(child, (-alpha - 1, -alpha), new_depth - reduction);
            if reduction > 0 && score > alpha && !self.is_stopped() {
                score = -self.pvs(child, (-alpha - 1, -alpha), new_depth);
            }
        }
        if move_count == 0 || (is_pv && score > alpha && score < beta && !self.is_stopped()) {
            let child = Node { cut_node: !is_pv && child.cut_node, ..child };
            score = -self.pvs(child, (-beta, -alpha), new_depth);
        }
        score
    }

    /// Late-move reduction: the fewer plies of a move that comes late.
    #[inline(always)]
    fn reduction(&self, info: &NodeInfo, candidate: Candidate<G::Move>, checks: bool) -> Depth {
        let Candidate { score, is_quiet, move_count, .. } = candidate;
        if let Some(reductions) = self.reductions
            && is_quiet
            && self.context.policy.is_enabled(Technique::Reductions)
        {
            let adjustment = Depth::from(!info.is_pv) + Depth::from(!info.improving) - Depth::from(checks);
            return reductions.plies(info.depth, move_count, adjustment, score);
        }
        match &T::MARGINS.fixed_reduction {
            Some(fixed) if info.depth >= fixed.min_depth && move_count >= fixed.first_move => fixed.plies,
            _ => 0,
        }
    }

    /// The value of a node whose moves are done, stored in the transposition table. An upper bound
    /// is no lower than what pruned moves may be worth.
    #[inline(always)]
    fn store_result(&mut self, node: Node<'_, G, E>, info: &NodeInfo, found: BestSoFar, no_moves: bool) -> Score {
        let (NodeInfo { key, depth, .. }, best) = (*info, found.best);
        if self.has_excluded_move(node) {
            // The value without a move is not the value of the position.
            return best.max(-WIN);
        }
        if no_moves {
            return self.context.game.outcome(node.position).map_or(0, |score| self.terminal_score(score, node.ply));
        }
        let bound = Bound::of(best, (info.alpha, info.beta));
        let selectivity = self.budget.selectivity;
        if info.is_pv
            && self.parallel.at(depth).is_some()
            && bound == Bound::Exact
            && let Some(entry) = self.table.probe(key)
            && (entry.depth, entry.bound, entry.selectivity) == (depth, bound, selectivity)
        {
            // Another thread was here first. Its value may be different; the threads continue with
            // the same windows around the stored value.
            return score_from_tt(entry.score, node.ply);
        }
        let score = score_to_tt(best.max(found.most_pruned), node.ply);
        self.table.store(key, Entry { mv: found.best_code, score, depth, bound, selectivity });
        best
    }

    /// Killers and histories: a bonus for the last move, which cut, and a malus for the quiet
    /// moves tried before it.
    #[inline(always)]
    fn update_histories(&mut self, position: &G::Position, tried: &[ScoredMove<G::Move>], ply: usize, depth: Depth) {
        let SearchContext { game, policy, .. } = self.context;
        let ordering = &T::MARGINS.ordering;
        for (index, &ScoredMove { mv, .. }) in tried.iter().enumerate() {
            let last = index + 1 == tried.len();
            let code = game.code(mv);
            if ordering.killers && last {
                self.histories.add_killer(ply, code);
            }
            if !last && self.is_noisy(position, mv) {
                continue;
            }
            let sign = if last { 1 } else { -1 };
            if ordering.history.is_some() {
                self.histories.update_history(code, depth, sign);
            }
            if ordering.piece_to_codes.is_some() {
                for earlier in self.previous_piece_to(ply) {
                    self.histories.update_continuation(earlier, policy.piece_to(mv), depth, sign);
                }
            }
        }
    }
}
