//! Quiescence: at the horizon only noisy moves (captures, promotions) are followed until the
//! position is calm enough to be judged.

use super::game::*;
use super::worker::{Brain, Moves, Node, Ranked, Worker, pick};

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'_, G, E, T> {
    /// The value of a position once its captures are played out; the side to move may stand pat.
    pub fn quiesce(&mut self, node: Node<'_, G, E>, (mut alpha, beta): (Score, Score)) -> Score {
        let Node { position, state, ply, .. } = node;
        let Brain { game, eval, tactics } = self.brain;
        let mut best = eval.score(state, position);
        if best >= beta || ply >= MAX_PLY - 1 {
            return best;
        }
        alpha = alpha.max(best);
        let mut moves = Moves::new();
        moves.extend(
            game.moves(position)
                .filter(|&mv| tactics.noisy(position, mv))
                .map(|mv| Ranked { mv, rank: tactics.order(game, position, mv) }),
        );
        for index in 0..moves.len() {
            let mv = pick(&mut moves, index);
            let child = game.play(position, mv);
            if self.budget.spend() {
                return best;
            }
            self.selective_depth = self.selective_depth.max(ply + 1);
            let score = match game.outcome(&child) {
                Some(score) => -self.settled(score, ply + 1),
                None => {
                    let child_state = eval.advance(state, position, mv, &child);
                    let below = Node { position: &child, state: &child_state, ply: ply + 1, may_guess: true };
                    -self.quiesce(below, (-beta, -alpha))
                }
            };
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
