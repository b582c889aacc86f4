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
    pub fn quiesce_body(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score)) -> Score {
        let Node { position, ply, threatened, .. } = node;
        let Brain { game, eval, tactics } = self.brain;
        if ply >= MAX_PLY - 1 {
            return eval.score(node.state, position);
        }
        let key = game.key(position);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && beta - alpha == 1
            && tactics.uses(Trick::TableValues)
            && let score = to_root(entry.score, ply)
            && entry.cuts(score, (alpha, beta))
        {
            return score;
        }

        // Standing pat.
        let stand = if threatened { -INFINITE } else { eval.score(node.state, position) };
        if stand >= beta {
            return stand;
        }
        let (mut best, mut best_code, mut highest) = (stand, None, alpha.max(stand));
        let mut moves = Moves::new();
        self.fill_noisy(node, known.and_then(|entry| entry.mv), &mut moves);
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
                if most <= highest {
                    best = best.max(most);
                    continue;
                }
            }
            let child = game.play(position, mv);
            self.table.prefetch(game.key(&child));
            if self.budget.spend() {
                return best;
            }
            let score = self.calm_value_of(node, mv, &child, (highest, beta));
            if self.budget.is_out() {
                return best;
            }
            if score > best {
                best = score;
                if score > highest {
                    highest = score;
                    best_code = Some(game.code(mv));
                }
            }
            if highest >= beta {
                break;
            }
        }
        let kind = Kind::of(best, (alpha, beta));
        let selectivity = self.budget.selectivity;
        self.table.store(key, Entry { mv: best_code, score: from_root(best, ply), depth: 0, kind, selectivity });
        best
    }

    /// The moves to look at: the noisy ones, or every answer to a threat.
    #[inline(always)]
    fn fill_noisy(&self, node: Node<'_, G, E>, table_move: Option<u16>, moves: &mut Moves<G::Move>) {
        let Brain { game, tactics, .. } = self.brain;
        let rank = |mv| {
            let at_once = Some(game.code(mv)) == table_move;
            if at_once { TABLE_MOVE } else { tactics.order(game, node.position, mv) }
        };
        if node.threatened {
            for mv in game.moves(node.position) {
                append(moves, mv, rank(mv));
            }
        } else {
            tactics.noisy_moves(
                game,
                node.position,
                #[inline(always)]
                |mv| append(moves, mv, rank(mv)),
            );
        }
    }

    /// What a move is worth once the captures after it are played out.
    #[inline(always)]
    fn calm_value_of(
        &mut self,
        node: Node<'_, G, E>,
        mv: G::Move,
        child: &G::Position,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let Brain { game, eval, tactics } = self.brain;
        let ply = node.ply + 1;
        if let Some(score) = tactics.known(child).or_else(|| game.outcome(child)) {
            return -self.settled(score, ply);
        }
        self.selective_depth = self.selective_depth.max(ply);
        let state = &eval.advance(node.state, node.position, mv, child);
        let threatened = tactics.threatened(child);
        -self.quiesce(Node { position: child, state, ply, threatened, ..node }, (-beta, -alpha))
    }
}
