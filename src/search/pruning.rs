//! What is believed of a node before, or take_ancestor_cutoff of, its moves: shallow searches, a pass, a look.

use super::evaluation::Eval;
use super::game::Game;
use super::policy::{SearchPolicy, Technique};
use super::pvs::NodeInfo;
use super::transposition_table::{Bound, Entry};
use super::types::{Depth, INFINITE, Score, Selectivity, UNIT, WIN_IN_MAX_PLY};
use super::worker::{Node, SearchContext, Worker};
use std::ops::ControlFlow::{self, Break, Continue};

/// What a ply may cost where the game is as good as decided.
const REVERSE_FUTILITY_MARGIN: Score = 3 * UNIT / 4;
/// What a quiet move may gain at the horizon...
const FUTILITY_MARGIN: Score = 4 * UNIT / 5;
/// ... and for each ply before it.
const FUTILITY_MARGIN_PER_PLY: Score = 5 * UNIT / 8;
/// What a quiet move may gain next to the horizon.
const RAZORING_MARGIN: Score = 8 * UNIT / 5;
/// Up to this depth no quiet move may give away...
pub const SEE_QUIET_DEPTH: Depth = 6;
/// ... more than this for each ply.
pub const SEE_QUIET_MARGIN: Score = 2 * UNIT / 5;
/// From this depth on a table's move is compared with the others.
const SINGULAR_MIN_DEPTH: Depth = 7;
/// Others come near if they max_extension_ply the table's value less so much for each ply...
const SINGULAR_MARGIN: Score = 3 * UNIT / 100;
/// ... and are far behind if they miss that by so much.
const DOUBLE_EXTENSION_MARGIN: Score = 3 * UNIT / 10;

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// The value of a node that need not be searched, by all that is believed.
    #[inline(always)]
    pub fn try_prune(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        if info.is_pv {
            return Continue(());
        }
        if T::PRUNING && self.has_no_exclusion(node) && !node.in_check && self.context.policy.uses(Technique::Pruning) {
            self.try_reverse_futility(info)?;
            self.try_razoring(node, info)?;
        }
        if T::PROBCUT && node.allow_pruning && self.budget.selectivity < Selectivity::EXACT {
            self.try_probcut(node, info)?;
        }
        if T::NULL_MOVE && node.allow_pruning && self.has_no_exclusion(node) && !node.in_check {
            self.try_null(node, info)?;
        }
        Continue(())
    }

    /// Reverse futility: near the horizon nothing will undo so large an advantage.
    #[inline(always)]
    fn try_reverse_futility(&self, info: &NodeInfo) -> ControlFlow<Score> {
        let NodeInfo { depth, beta, look, .. } = *info;
        let safe = look - REVERSE_FUTILITY_MARGIN * (depth - Depth::from(info.improving)) >= beta;
        if depth <= 7 && beta.abs() < WIN_IN_MAX_PLY && look < WIN_IN_MAX_PLY && safe {
            Break((look + beta) / 2)
        } else {
            Continue(())
        }
    }

    /// Razoring: next to the horizon, what is this far behind is left to quiescence.
    #[inline(always)]
    fn try_razoring(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        let NodeInfo { depth, alpha, look, .. } = *info;
        if T::QUIESCENCE
            && depth <= 2
            && alpha.abs() < WIN_IN_MAX_PLY
            && look + RAZORING_MARGIN * depth <= alpha
            && self.context.policy.uses(Technique::Quiescence)
        {
            let score = self.quiesce(node, (alpha, alpha + 1));
            if score <= alpha {
                return Break(score);
            }
        }
        Continue(())
    }

    /// ProbCut: the bound that shallow searches make likely should_stop.
    #[inline(always)]
    fn try_probcut(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        let NodeInfo { depth, alpha, beta, .. } = *info;
        let SearchContext { eval, policy, .. } = self.context;
        let verify = Node { allow_pruning: false, ..node };
        let try_prune = eval.evaluate(node.state, node.position);
        for bet in policy.probcut(node.position, depth, self.budget.selectivity) {
            let high = beta + bet.margin - bet.bias;
            let low = alpha - bet.margin - bet.bias;
            let value = |worker: &mut Self, window| {
                if bet.depth == 0 { try_prune } else { worker.pvs(verify, window, bet.depth) }
            };
            // The search that is more likely to succeed, by the look of the position.
            if try_prune >= beta && high < INFINITE / 2 && try_prune + bet.slack >= high {
                if value(self, (high - 1, high)) >= high && !self.is_out() {
                    return Break(beta);
                }
            } else if try_prune <= alpha
                && low > -INFINITE / 2
                && try_prune - bet.slack <= low
                && value(self, (low, low + 1)) <= low
                && !self.is_out()
            {
                return Break(alpha);
            }
            if self.is_out() {
                break;
            }
        }
        Continue(())
    }

    /// Singular extension (Anantharaman, Campbell and Hsu, 1988): a shallow search without the table's move tells
    /// whether any other one comes near its value; if none does, that move deserves more plies. If that search cuts,
    /// so would the node, whatever it leaves out ("multi-cut").
    #[inline(always)]
    pub fn singular(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score, Depth> {
        let NodeInfo { depth, beta, is_pv, .. } = *info;
        let Some(entry) =
            info.known.filter(|_| T::SINGULAR && self.has_no_exclusion(node) && info.table_move.is_some())
        else {
            return Continue(0);
        };
        let known = depth >= SINGULAR_MIN_DEPTH && entry.depth >= depth - 3 && entry.kind != Bound::Upper;
        if !known
            || node.ply >= self.max_extension_ply
            || entry.score.abs() >= WIN_IN_MAX_PLY
            || !self.context.policy.uses(Technique::Singular)
        {
            return Continue(0);
        }
        let near = entry.score - SINGULAR_MARGIN * depth;
        let score = self.pvs(Node { excluded: entry.mv, ..node }, (near - 1, near), (depth - 1) / 2);
        match score {
            _ if self.is_out() => Continue(0),
            _ if score < near - DOUBLE_EXTENSION_MARGIN && !is_pv => Continue(2),
            _ if score < near => Continue(1),
            _ if near >= beta && !is_pv => Break(near),
            _ => Continue(0),
        }
    }

    /// Null move: the bound that the side to move reaches without moving.
    #[inline(always)]
    fn try_null(&mut self, node: Node<'_, G, E>, info: &NodeInfo) -> ControlFlow<Score> {
        let SearchContext { eval, policy, .. } = self.context;
        let NodeInfo { depth, beta, look, .. } = *info;
        if depth < 3 || look < beta || beta.abs() >= WIN_IN_MAX_PLY || !policy.uses(Technique::NullMove) {
            return Continue(());
        }
        let Some(passed) = policy.null(node.position) else { return Continue(()) };
        let state = eval.pass(node.state, &passed);
        let below = Node {
            position: &passed,
            state: &state,
            ply: node.ply + 1,
            allow_pruning: false,
            in_check: false,
            cut_node: !node.cut_node,
            excluded: None,
        };
        self.piece_to_path[node.ply] = 0;
        let less = 3 + depth / 4 + ((look - beta) / (2 * UNIT)).min(2);
        let score = -self.pvs(below, (-beta, 1 - beta), depth - less);
        if score >= beta && !self.is_out() { Break(score.min(WIN_IN_MAX_PLY - 1)) } else { Continue(()) }
    }
}

/// A judgement with what the table knows about the position.
#[inline(always)]
pub fn tt_adjusted_eval(judgement: Score, entry: Entry) -> Score {
    let better = match entry.kind {
        Bound::Exact => true,
        Bound::Lower => entry.score > judgement,
        Bound::Upper => entry.score < judgement,
    };
    if better && entry.score.abs() < WIN_IN_MAX_PLY { entry.score } else { judgement }
}

/// True for a move near the horizon that will not raise a judgement by `deficit`.
#[inline(always)]
pub fn is_futile_or_late(quiet: bool, depth: Depth, index: usize, rank: i32, improving: bool, deficit: Score) -> bool {
    if !quiet {
        return rank < 0 && depth <= 3;
    }
    let should_stop = (4 + depth * depth * 13 / 10) >> i32::from(!improving);
    depth <= 6 && (index as Depth > should_stop || deficit >= FUTILITY_MARGIN + FUTILITY_MARGIN_PER_PLY * depth)
}
