//! Pruning of single moves: no candidates, futility, late moves, moves that lose material.

use super::evaluation::Eval;
use super::game::Game;
use super::margins::PruningMargins;
use super::node::{BestSoFar, Candidate, Node, NodeInfo};
use super::policy::{SearchPolicy, Technique};
use super::technique::CaptureSearch;
use super::types::{Depth, Score, WIN_IN_MAX_PLY};
use super::worker::{SearchContext, Worker};

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// The tests that need no exchange of pieces: true for a quiet move that is no candidate, and off the principal
    /// variation for a futile or late one. It may be left out if it gives no check.
    #[inline(always)]
    pub fn is_futile(
        &self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &BestSoFar,
        candidate: &Candidate<G::Move>,
    ) -> bool {
        let Some(margins) = &T::MARGINS.pruning else { return false };
        let is_futile_or_late = || {
            let Candidate { score, is_quiet, move_count, .. } = *candidate;
            let deficit = found.alpha - info.eval;
            is_futile_or_late(margins, (is_quiet, move_count, score), info.depth, info.improving, deficit)
        };
        self.may_prune(node, found)
            && (is_no_candidate(margins, candidate, info.depth) || !info.is_pv && is_futile_or_late())
    }

    /// True where single moves may be pruned.
    #[inline(always)]
    fn may_prune(&self, node: Node<'_, G, E>, found: &BestSoFar) -> bool {
        !node.in_check && found.best > -WIN_IN_MAX_PLY && self.context.policy.is_enabled(Technique::Pruning)
    }

    /// Pruning of single moves: those of [`Worker::is_futile`] and, off the principal variation and near the horizon, quiet
    /// moves that lose material. Moves that give check are never pruned. The value is the most that a pruned move may be
    /// worth: alpha, or the futility bound if that is lower.
    #[inline(always)]
    pub fn prune(
        &self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &BestSoFar,
        candidate: &Candidate<G::Move>,
        is_futile: bool,
    ) -> Option<Score> {
        let SearchContext { game, policy, .. } = self.context;
        let (margins, captures) = (T::MARGINS.pruning.as_ref()?, policy.captures()?);
        let NodeInfo { depth, eval, .. } = *info;
        let loses_material = || {
            candidate.is_quiet
                && !info.is_pv
                && depth <= margins.see_quiet_max_depth
                && self.may_prune(node, found)
                && !captures.see_ge(game, node.position, candidate.mv, -margins.see_quiet_per_ply * depth)
        };
        let is_pruned = (is_futile || loses_material()) && !captures.gives_check(game, node.position, candidate.mv);
        let futility = eval + margins.futility + margins.futility_per_ply * depth;
        let bound = if is_no_candidate(margins, candidate, depth) { found.alpha } else { futility.min(found.alpha) };
        is_pruned.then_some(bound)
    }
}

/// True for a quiet move after the candidates of a node.
#[inline(always)]
fn is_no_candidate<M>(margins: &PruningMargins, candidate: &Candidate<M>, depth: Depth) -> bool {
    candidate.is_quiet && candidate.move_count as Depth > margins.candidates + margins.candidates_per_ply * depth
}

/// Futility pruning and late-move pruning: true for a quiet move near the horizon that comes late
/// or cannot raise a static evaluation by `deficit`, and for captures that lose material there.
#[inline(always)]
fn is_futile_or_late(
    margins: &PruningMargins,
    (is_quiet, move_count, score): (bool, usize, i32),
    depth: Depth,
    improving: bool,
    deficit: Score,
) -> bool {
    if !is_quiet {
        return score < 0 && depth <= margins.losing_captures_max_depth;
    }
    let tried = (margins.late_moves + depth * depth * margins.late_moves_tenths / 10) >> i32::from(!improving);
    depth <= margins.futility_max_depth
        && (move_count as Depth > tried || deficit >= margins.futility + margins.futility_per_ply * depth)
}
