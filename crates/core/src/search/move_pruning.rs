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
    /// The tests that need no exchange of pieces: the most that the move may be worth if it is quiet and no candidate, or,
    /// off the principal variation, futile or late. It may be left out if it gives no check.
    #[inline(always)]
    pub fn futile_bound(
        &self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &BestSoFar,
        candidate: &Candidate<G::Move>,
    ) -> Option<Score> {
        let margins = T::MARGINS.pruning.as_ref().filter(|_| self.may_prune(node, found))?;
        let Candidate { score, is_quiet, move_count, .. } = *candidate;
        let NodeInfo { depth, improving, eval, is_pv, .. } = *info;
        if is_quiet && move_count as Depth > margins.candidates + margins.candidates_per_ply * depth {
            return Some(found.alpha);
        }
        let is_futile =
            !is_pv && is_futile_or_late(margins, (is_quiet, move_count, score), depth, improving, found.alpha - eval);
        is_futile.then(|| futility_bound(margins, info, found))
    }

    /// True where single moves may be pruned.
    #[inline(always)]
    fn may_prune(&self, node: Node<'_, G, E>, found: &BestSoFar) -> bool {
        !node.in_check && found.best > -WIN_IN_MAX_PLY && self.context.policy.is_enabled(Technique::Pruning)
    }

    /// Pruning of single moves: those with a bound by [`Worker::futile_bound`] and, off the principal variation and near the
    /// horizon, quiet moves that lose material. Moves that give check are never pruned. The value is the most that a pruned
    /// move may be worth.
    #[inline(always)]
    pub fn prune(
        &self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &BestSoFar,
        candidate: &Candidate<G::Move>,
        futile: Option<Score>,
    ) -> Option<Score> {
        let SearchContext { game, policy, .. } = self.context;
        let (margins, captures) = (T::MARGINS.pruning.as_ref()?, policy.captures()?);
        let loses_material = || {
            candidate.is_quiet
                && !info.is_pv
                && info.depth <= margins.see_quiet_max_depth
                && self.may_prune(node, found)
                && !captures.see_ge(game, node.position, candidate.mv, -margins.see_quiet_per_ply * info.depth)
        };
        let bound = futile.or_else(|| loses_material().then(|| futility_bound(margins, info, found)))?;
        (!captures.gives_check(game, node.position, candidate.mv)).then_some(bound)
    }
}

/// The most that a move pruned near the horizon may be worth.
#[inline(always)]
fn futility_bound(margins: &PruningMargins, info: &NodeInfo, found: &BestSoFar) -> Score {
    (info.eval + margins.futility + margins.futility_per_ply * info.depth).min(found.alpha)
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
