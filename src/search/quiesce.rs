//! Quiescence: at the horizon only noisy moves (captures, promotions) are followed until the
//! position is calm enough to be judged.

use super::game::*;
use super::level::Level;
use super::stages::{Moves, TABLE_MOVE, append, pick};
use super::table::{Entry, Kind, from_root, to_root};
use super::worker::{Brain, Node, Worker};

/// What a capture may bring beside the man it takes.
const SURPRISE: Score = 2 * UNIT;
/// Quiet answers to a threat that are looked at once one of them has saved the day.
const QUIET_ANSWERS: usize = 2;

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'_, G, E, T> {
    /// The value of a position, which is not over, once its captures are played out; the side to
    /// move may stand pat unless it is threatened.
    #[inline(always)]
    pub fn quiesce(&mut self, node: Node<'_, G, E>, window: (Score, Score)) -> Score {
        // SAFETY: a room that opens tactics of a level has checked that the processor has it.
        unsafe { T::Level::quiesce(self, node, window) }
    }

    /// The recursion itself; [`Level::quiesce`] compiles it for a processor.
    #[inline(always)]
    pub fn quiesce_body(&mut self, node: Node<'_, G, E>, (mut alpha, beta): (Score, Score)) -> Score {
        let Node { position, state, ply, threatened, .. } = node;
        let Brain { game, eval, tactics } = self.brain;
        if ply >= MAX_PLY - 1 {
            return eval.score(state, position);
        }

        // --- Transposition table.
        let key = game.key(position);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && beta - alpha == 1
            && tactics.uses(Trick::TableValues)
        {
            let score = to_root(entry.score, ply);
            match entry.kind {
                Kind::Lower if score < beta => {}
                Kind::Upper if score > alpha => {}
                _ => return score,
            }
        }

        // --- Standing pat.
        let mut best = -INFINITE;
        if !threatened {
            best = eval.score(state, position);
            if best >= beta {
                return best;
            }
        }
        let stand = best;
        let original_alpha = alpha;
        alpha = alpha.max(best);

        // --- Moves: the noisy ones, or every answer to a threat.
        let table_move = known.and_then(|entry| entry.mv);
        let mut moves = Moves::new();
        let rank = |mv| {
            let at_once = Some(game.code(mv)) == table_move;
            if at_once { TABLE_MOVE } else { tactics.order(game, position, mv) }
        };
        if threatened {
            for mv in game.moves(position) {
                append(&mut moves, mv, rank(mv));
            }
        } else {
            tactics.noisy_moves(
                game,
                position,
                #[inline(always)]
                |mv| append(&mut moves, mv, rank(mv)),
            );
        }
        let mut best_code = None;
        let mut quiet_answers = 0;
        for index in 0..moves.len() {
            let mv = pick(&mut moves, index);
            if threatened {
                if best > -WIN_BAND && !tactics.noisy(position, mv) {
                    quiet_answers += 1;
                    if quiet_answers > QUIET_ANSWERS {
                        continue;
                    }
                }
            } else if moves[index].rank() < TABLE_MOVE && tactics.loses(game, position, mv) {
                continue;
            } else {
                let most = stand + tactics.gain(position, mv) + SURPRISE;
                if most <= alpha {
                    best = best.max(most);
                    continue;
                }
            }
            let child = game.play(position, mv);
            self.table.prefetch(game.key(&child));
            if self.budget.spend() {
                return best;
            }
            let score = match tactics.known(&child).or_else(|| game.outcome(&child)) {
                Some(score) => -self.settled(score, ply + 1),
                None => {
                    self.selective_depth = self.selective_depth.max(ply + 1);
                    let child_state = eval.advance(state, position, mv, &child);
                    let threatened = tactics.threatened(&child);
                    let below = Node { position: &child, state: &child_state, ply: ply + 1, threatened, ..node };
                    -self.quiesce(below, (-beta, -alpha))
                }
            };
            if self.budget.is_out() {
                return best;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_code = Some(game.code(mv));
                }
            }
            if alpha >= beta {
                break;
            }
        }

        let kind = match best {
            _ if best >= beta => Kind::Lower,
            _ if best > original_alpha => Kind::Exact,
            _ => Kind::Upper,
        };
        let selectivity = self.budget.selectivity;
        self.table.store(key, Entry { mv: best_code, score: from_root(best, ply), depth: 0, kind, selectivity });
        best
    }
}
