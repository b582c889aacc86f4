//! Pruning before a node's moves are searched: reverse futility, razoring, ProbCut, null move; and
//! singular extensions, which use the same kind of test.

use super::evaluation::Eval;
use super::game::Game;
use super::margins::PruningMargins;
use super::node::{Node, NodeInfo};
use super::policy::{SearchPolicy, Technique};
use super::technique::{NullMove, ProbCut, ProbCutTest};
use super::transposition_table::{Bound, Entry};
use super::types::{Depth, INFINITE, Score, Selectivity, WIN_IN_MAX_PLY};
use super::worker::{SearchContext, Worker};
use std::ops::ControlFlow::{self, Break, Continue};

/// Where the evaluation is further outside the window than this, in hundredths, an estimate is
/// enough for every ProbCut test.
const STATIC_REACH: Score = 700;

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// The value of a node that a pruning test decides; never on the principal variation.
    #[inline(always)]
    pub fn try_prune(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        if info.is_pv {
            return Continue(());
        }
        let policy = &self.context.policy;
        let may_prune = !self.has_excluded_move(node) && !node.in_check;
        if let Some(margins) = &T::MARGINS.pruning
            && may_prune
            && policy.is_enabled(Technique::Pruning)
        {
            self.try_reverse_futility(margins, info)?;
            self.try_razoring(margins, node, info)?;
        }
        if policy.probcut().is_some()
            && node.allow_pruning
            && self.budget.selectivity < Selectivity::EXACT
            && policy.is_enabled(Technique::ProbCut)
        {
            self.try_probcut(node, info)?;
        }
        if policy.null_move().is_some() && node.allow_pruning && may_prune {
            self.try_null_move(node, info)?;
        }
        Continue(())
    }

    /// Reverse futility pruning: the static evaluation is so far above beta that no quiet reply will bring it back.
    #[inline(always)]
    fn try_reverse_futility(&self, margins: &PruningMargins, info: &NodeInfo) -> ControlFlow<Score> {
        let NodeInfo { depth, beta, eval, .. } = *info;
        let margin = margins.reverse_futility_per_ply * (depth - Depth::from(info.improving));
        let is_quiet_score = beta.abs() < WIN_IN_MAX_PLY && eval < WIN_IN_MAX_PLY;
        if depth <= margins.reverse_futility_max_depth && is_quiet_score && eval - margin >= beta {
            Break((eval + beta) / 2)
        } else {
            Continue(())
        }
    }

    /// Razoring: near the horizon, a static evaluation far below alpha is left to quiescence.
    #[inline(always)]
    fn try_razoring(&mut self, margins: &PruningMargins, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        let NodeInfo { depth, alpha, eval, .. } = *info;
        let policy = &self.context.policy;
        if policy.captures().is_some()
            && depth <= margins.razoring_max_depth
            && alpha.abs() < WIN_IN_MAX_PLY
            && eval + margins.razoring_per_ply * depth <= alpha
            && policy.is_enabled(Technique::Quiescence)
        {
            let score = self.quiesce(node, (alpha, alpha + 1));
            if score <= alpha {
                return Break(score);
            }
        }
        Continue(())
    }

    /// ProbCut: a shallow search (or the static evaluation) is so far outside the window that the
    /// deep one very likely is, too.
    #[inline(always)]
    fn try_probcut(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        let NodeInfo { depth, alpha, beta, .. } = *info;
        let SearchContext { eval, policy, .. } = self.context;
        let Some(probcut) = policy.probcut() else { return Continue(()) };
        let shallow = Node { allow_pruning: false, ..node };
        let near = (alpha - STATIC_REACH, beta + STATIC_REACH);
        let static_eval = eval.static_eval_within(node.accumulator, node.position, near);
        for test in probcut.tests(node.position, depth, self.budget.selectivity) {
            let ProbCutTest { depth, bias, margin, slack } = test;
            let high = beta + margin - bias;
            let low = alpha - margin - bias;
            let value =
                |worker: &mut Self, window| if depth == 0 { static_eval } else { worker.pvs(shallow, window, depth) };
            // The bound on the side of the window that the static evaluation makes likely.
            if static_eval >= beta && high < INFINITE / 2 && static_eval + slack >= high {
                if value(self, (high - 1, high)) >= high && !self.is_stopped() {
                    return Break(beta);
                }
            } else if static_eval <= alpha
                && low > -INFINITE / 2
                && static_eval - slack <= low
                && value(self, (low, low + 1)) <= low
                && !self.is_stopped()
            {
                return Break(alpha);
            }
            if self.is_stopped() {
                return Break(0);
            }
        }
        Continue(())
    }

    /// Singular extension (Anantharaman, Campbell and Hsu, 1988): a shallow search without the
    /// table's move tells whether another move comes near its value; if none does, the table's
    /// move is extended. If the shallow search cuts, so would the node without any one move
    /// ("multi-cut").
    #[inline(always)]
    pub fn singular_extension(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score, Depth> {
        let NodeInfo { depth, beta, is_pv, .. } = *info;
        let Some(margins) = &T::MARGINS.singular else { return Continue(0) };
        let Some(entry) = info.tt_entry.filter(|_| !self.has_excluded_move(node) && info.tt_move.is_some()) else {
            return Continue(0);
        };
        let is_reliable = depth >= margins.min_depth && entry.depth >= depth - 3 && entry.bound != Bound::Upper;
        if !is_reliable
            || node.ply >= self.max_extension_ply
            || entry.score.abs() >= WIN_IN_MAX_PLY
            || !self.context.policy.is_enabled(Technique::Singular)
        {
            return Continue(0);
        }
        let near = entry.score - margins.per_ply * depth;
        let score = self.pvs(Node { excluded: entry.mv, ..node }, (near - 1, near), (depth - 1) / 2);
        match score {
            _ if self.is_stopped() => Continue(0),
            _ if score < near - margins.double_extension && !is_pv => Continue(2),
            _ if score < near => Continue(1),
            _ if near >= beta && !is_pv => Break(near),
            _ => Continue(0),
        }
    }

    /// Null-move pruning: if passing still leaves the side above beta, so will its best move.
    #[inline(always)]
    fn try_null_move(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        let SearchContext { eval, policy, .. } = self.context;
        let NodeInfo { depth, beta, .. } = *info;
        let Some(null_move) = policy.null_move() else { return Continue(()) };
        if depth < null_move.min_depth()
            || info.eval < beta
            || beta.abs() >= WIN_IN_MAX_PLY
            || !policy.is_enabled(Technique::NullMove)
        {
            return Continue(());
        }
        let Some(passed) = null_move.null_move(node.position) else { return Continue(()) };
        let accumulator = eval.pass(node.accumulator, &passed);
        let child = Node {
            position: &passed,
            accumulator: &accumulator,
            ply: node.ply + 1,
            allow_pruning: false,
            in_check: false,
            cut_node: !node.cut_node,
            excluded: None,
        };
        self.piece_to_path[node.ply] = 0;
        let reduction = null_move.reduction(depth, info.eval - beta);
        let score = -self.pvs(child, (-beta, 1 - beta), depth - reduction);
        match score {
            _ if self.is_stopped() => Break(0),
            _ if score >= beta => Break(score.min(WIN_IN_MAX_PLY - 1)),
            _ => Continue(()),
        }
    }
}

/// The static evaluation, replaced by the table's score where its bound shows that the value lies
/// on that side.
#[inline(always)]
pub fn tt_adjusted_eval(static_eval: Score, entry: Entry) -> Score {
    let is_tighter = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > static_eval,
        Bound::Upper => entry.score < static_eval,
    };
    if is_tighter && entry.score.abs() < WIN_IN_MAX_PLY { entry.score } else { static_eval }
}
