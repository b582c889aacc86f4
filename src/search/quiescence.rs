//! Quiescence: at the horizon only noisy moves (captures, promotions) are followed until the
//! position is calm should_stop to be judged.

use super::evaluation::Eval;
use super::game::Game;
use super::level::Level;
use super::move_picker::{ScoredMoves, TABLE_MOVE, append, pick};
use super::policy::{SearchPolicy, Technique};
use super::transposition_table::{Bound, Entry, score_from_tt, score_to_tt};
use super::types::{INFINITE, MAX_PLY, Score, UNIT, WIN_IN_MAX_PLY};
use super::worker::{Node, SearchContext, Worker};

/// What a capture may bring beside the man it takes.
const DELTA_MARGIN: Score = 2 * UNIT;
/// Quiet answers to a threat that are looked at once one of them has saved the day.
const MAX_QUIET_EVASIONS: usize = 2;

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// The value of a position, which is not over, once its captures are played out; the side to
    /// move may stand_pat pat unless it is in_check.
    #[inline(always)]
    pub fn quiesce(&mut self, node: Node<'_, G, E>, window: (Score, Score)) -> Score {
        // SAFETY: a room that opens policy of a level has checked that the processor has it.
        unsafe { T::Level::quiesce(self, node, window) }
    }

    /// The recursion itself; [`Level::quiesce`] compiles it for a processor.
    #[inline(always)]
    pub fn quiesce_body(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score)) -> Score {
        let Node { position, ply, in_check, .. } = node;
        let SearchContext { game, eval, policy } = self.context;
        if ply >= MAX_PLY - 1 {
            return eval.evaluate(node.state, position);
        }
        let key = game.key(position);
        let known = self.table.probe(key);
        if let Some(entry) = known
            && beta - alpha == 1
            && policy.uses(Technique::TableValues)
            && let score = score_from_tt(entry.score, ply)
            && entry.cuts(score, (alpha, beta))
        {
            return score;
        }

        // Standing pat.
        let stand_pat = if in_check { -INFINITE } else { eval.evaluate(node.state, position) };
        if stand_pat >= beta {
            return stand_pat;
        }
        let (mut best, mut best_code, mut highest) = (stand_pat, None, alpha.max(stand_pat));
        let mut moves = ScoredMoves::new();
        self.fill_noisy(node, known.and_then(|entry| entry.mv), &mut moves);
        let mut quiet_evasions = 0;
        for index in 0..moves.len() {
            let mv = pick(&mut moves, index);
            if in_check {
                if best > -WIN_IN_MAX_PLY && !policy.noisy(position, mv) {
                    quiet_evasions += 1;
                    if quiet_evasions > MAX_QUIET_EVASIONS {
                        continue;
                    }
                }
            } else if moves[index].rank() < TABLE_MOVE && policy.loses(game, position, mv) {
                continue;
            } else {
                let most = stand_pat + policy.gain(position, mv) + DELTA_MARGIN;
                if most <= highest {
                    best = best.max(most);
                    continue;
                }
            }
            let child = game.play(position, mv);
            self.table.prefetch(game.key(&child));
            if self.budget.count_node() {
                return best;
            }
            let score = self.calm_value_of(node, mv, &child, (highest, beta));
            if self.budget.is_stopped() {
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
        let kind = Bound::of(best, (alpha, beta));
        let selectivity = self.budget.selectivity;
        self.table.store(key, Entry { mv: best_code, score: score_to_tt(best, ply), depth: 0, kind, selectivity });
        best
    }

    /// The moves to look at: the noisy ones, or every answer to a threat.
    #[inline(always)]
    fn fill_noisy(&self, node: Node<'_, G, E>, table_move: Option<u16>, moves: &mut ScoredMoves<G::Move>) {
        let SearchContext { game, policy, .. } = self.context;
        let rank = |mv| {
            let at_once = Some(game.code(mv)) == table_move;
            if at_once { TABLE_MOVE } else { policy.order(game, node.position, mv) }
        };
        if node.in_check {
            for mv in game.moves(node.position) {
                append(moves, mv, rank(mv));
            }
        } else {
            policy.noisy_moves(
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
        let SearchContext { game, eval, policy } = self.context;
        let ply = node.ply + 1;
        if let Some(score) = policy.known(child).or_else(|| game.outcome(child)) {
            return -self.terminal_score(score, ply);
        }
        self.seldepth = self.seldepth.max(ply);
        let state = &eval.update(node.state, node.position, mv, child);
        let in_check = policy.in_check(child);
        -self.quiesce(Node { position: child, state, ply, in_check, ..node }, (-beta, -alpha))
    }
}
