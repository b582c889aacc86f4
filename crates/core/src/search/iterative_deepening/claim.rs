//! What a finished iteration claims of its values: which are those of perfect play, and which wins and losses come at the
//! earliest ply.

use super::Deepening;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::policy::SearchPolicy;
use crate::search::types::{Certainty, IterationPlan, Score, WIN, WIN_IN_MAX_PLY};
use crate::search::worker::SearchContext;

/// The proofs that no faster ends exist enter at most this many positions an iteration, a few milliseconds.
const PROOF_POSITIONS: usize = 5_000;

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Deepening<'_, G, E, T> {
    /// The score of the variation of this rank, and its certainty.
    pub(super) fn claim(&self, rank: usize, plan: IterationPlan) -> (Score, Certainty) {
        let (score, percent) = (self.moves[rank].score, plan.selectivity.percent());
        match self.is_solve(plan) {
            true if plan.wld => (score, Certainty::WinLossDraw),
            true if percent == 100 => (score, Certainty::Exact),
            true => (score, Certainty::Selective(percent)),
            _ if score == self.parameters.draw && self.is_known_draw(rank) => (0, Certainty::Exact),
            _ if score.abs() >= WIN_IN_MAX_PLY && self.is_fastest(rank) => (score, Certainty::Exact),
            _ => (score, Certainty::of_search(score, percent)),
        }
    }

    /// True if a draw, whatever it is worth, is the value of perfect play: the move leads to one by the rules or an endgame
    /// table. Of the best variation the values of all other moves must be known as well.
    fn is_known_draw(&self, rank: usize) -> bool {
        let SearchContext { game, policy, .. } = self.worker.context;
        let value = |mv| {
            let child = game.play(self.root, mv);
            policy.probe_exact(&child).or_else(|| game.outcome(&child))
        };
        value(self.moves[rank].mv) == Some(0) && (rank > 0 || self.moves.iter().all(|other| value(other.mv).is_some()))
    }

    /// True if the win or loss of this rank comes at the earliest ply. The search has proven that it comes no later; but it
    /// leaves out moves that may be faster. A search of all moves proves that there are none, if it is short enough.
    fn is_fastest(&self, rank: usize) -> bool {
        let score = self.moves[rank].score;
        let (wins, plies) = (score < 0, WIN - score.abs() - 2);
        let mut positions = PROOF_POSITIONS / self.lines();
        let mut may_be_faster =
            |mv| self.may_end(&self.worker.context.game.play(self.root, mv), wins, plies, &mut positions);
        // A faster win may begin with any move. Only the other side can hasten a loss, and any move but the best.
        match rank == 0 && score > 0 {
            true => !self.moves.iter().any(|candidate| may_be_faster(candidate.mv)),
            false => !may_be_faster(self.moves[rank].mv),
        }
    }

    /// Whether the side to move forces a win (`wins`) or cannot avoid a loss within so many plies, by a search of all moves.
    /// True also if that takes more positions than are left.
    fn may_end(&self, position: &G::Position, wins: bool, plies: Score, positions: &mut usize) -> bool {
        let SearchContext { game, policy, .. } = self.worker.context;
        if plies < 0 {
            return false;
        }
        if let Some(value) = game.outcome(position).or_else(|| policy.probe_distance(position)) {
            return (value > 0) == wins && WIN - value.abs() <= plies;
        }
        let mut after = |mv| {
            let is_affordable = *positions > 0;
            *positions = positions.saturating_sub(1);
            !is_affordable || self.may_end(&game.play(position, mv), !wins, plies - 1, positions)
        };
        let mut moves = game.moves(position);
        plies > 0 && if wins { moves.any(&mut after) } else { moves.all(&mut after) }
    }
}
