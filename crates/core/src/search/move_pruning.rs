//! Pruning of single moves near the horizon: futility, late moves, moves that lose material.

use super::evaluation::Eval;
use super::game::Game;
use super::margins::PruningMargins;
use super::move_picker::ScoredMove;
use super::node::{BestSoFar, Candidate, Node, NodeInfo};
use super::policy::{SearchPolicy, Technique};
use super::technique::CaptureSearch;
use super::types::{Depth, Score, WIN_IN_MAX_PLY};
use super::worker::{SearchContext, Worker};

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// Futility and late-move pruning: true for a move near the horizon that may be left out if it gives no check.
    #[inline(always)]
    pub(super) fn is_futile(
        &self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &BestSoFar,
        candidate: Candidate<G::Move>,
    ) -> bool {
        let Some(margins) = &T::MARGINS.pruning else { return false };
        let Candidate { score, is_quiet, move_count, .. } = candidate;
        self.may_prune(node, info, found)
            && is_futile_or_late(
                margins,
                (is_quiet, move_count, score),
                info.depth,
                info.improving,
                found.alpha - info.eval,
            )
    }

    /// True where single moves may be pruned.
    #[inline(always)]
    fn may_prune(&self, node: Node<'_, G, E>, info: &NodeInfo, found: &BestSoFar) -> bool {
        !info.is_pv
            && !node.in_check
            && found.best > -WIN_IN_MAX_PLY
            && self.context.policy.is_enabled(Technique::Pruning)
    }

    /// Pruning of single moves near the horizon: late quiet moves, quiet moves that cannot raise
    /// the evaluation to alpha or that lose material, and captures that lose material. Moves that
    /// give check are never pruned. The value is the most that a pruned move may be worth: the
    /// futility bound, at most alpha.
    #[inline(always)]
    pub(super) fn prune(
        &self,
        node: Node<'_, G, E>,
        info: &NodeInfo,
        found: &BestSoFar,
        candidate: Candidate<G::Move>,
        is_futile: bool,
    ) -> Option<Score> {
        let SearchContext { game, policy, .. } = self.context;
        let (margins, captures) = (T::MARGINS.pruning.as_ref()?, policy.captures()?);
        let Candidate { mv, is_quiet, .. } = candidate;
        let depth = info.depth;
        let is_pruned = (is_futile
            || is_quiet
                && depth <= margins.see_quiet_max_depth
                && self.may_prune(node, info, found)
                && !captures.see_ge(game, node.position, mv, -margins.see_quiet_per_ply * depth))
            && !captures.gives_check(game, node.position, mv);
        is_pruned.then(|| futility_bound(margins, info, found))
    }

    /// Prunes all futile moves at once, the quiet moves from `index` on that give no check, where the first of them is
    /// futile: later ones are, too. Sorts them before the others; their number.
    #[inline(always)]
    pub(super) fn prune_futile_moves(
        &self,
        node: Node<'_, G, E>,
        moves: &mut [ScoredMove<G::Move>],
        index: usize,
    ) -> usize {
        let SearchContext { game, policy, .. } = self.context;
        let Some(captures) = policy.captures() else { return 0 };
        let mut end = index;
        for at in index..moves.len() {
            let mv = moves[at].mv;
            if !captures.is_noisy(node.position, mv)
                && (T::MARGINS.singular.is_none() || node.excluded != Some(game.code(mv)))
                && !captures.gives_check(game, node.position, mv)
            {
                moves.swap(at, end);
                end += 1;
            }
        }
        end - index
    }
}

/// The most that a move pruned by futility may be worth, at most alpha.
#[inline(always)]
pub fn futility_bound(margins: &PruningMargins, info: &NodeInfo, found: &BestSoFar) -> Score {
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
