//! Quiescence search: at the horizon only noisy moves (captures, promotions) are followed until the
//! position is quiet enough for its static evaluation to hold.

use super::evaluation::Eval;
use super::game::Game;
use super::level::Level;
use super::move_picker::{ScoredMoves, TT_MOVE, append, select_best};
use super::node::Node;
use super::policy::{SearchPolicy, Technique};
use super::technique::{CaptureSearch, Observer, QUIESCENCE_DEPTH};
use super::transposition_table::{Bound, Entry, score_from_tt, score_to_tt};
use super::types::{INFINITE, MAX_PLY, Score, WIN_IN_MAX_PLY};
use super::worker::{SearchContext, Worker};

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'_, G, E, T> {
    /// The value of a position, which is not over, once its captures are played out; the side to
    /// move may stand pat unless it is in check.
    #[inline(always)]
    pub fn quiesce(&mut self, node: Node<'_, G, E>, window: (Score, Score)) -> Score {
        // SAFETY: the worker holds the proof that the processor has the level's features.
        unsafe { T::Level::quiesce(self, node, window) }
    }

    /// The recursion itself; [`Level::quiesce`] compiles it for a processor.
    #[inline(always)]
    pub fn quiesce_body(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score)) -> Score {
        let Node { position, ply, in_check, .. } = node;
        let SearchContext { game, eval, policy } = self.context;
        let Some(captures) = policy.captures() else { return eval.static_eval(node.accumulator, position) };
        if ply >= MAX_PLY - 1 {
            return eval.static_eval(node.accumulator, position);
        }
        // Standing pat: the side to move need not capture. The evaluation comes before the table, whose entry is still
        // on its way from memory.
        let stand_pat = if in_check { -INFINITE } else { eval.static_eval(node.accumulator, position) };
        let key = game.key(position);
        let tt_entry = self.table.probe(key);
        if let Some(entry) = tt_entry
            && beta - alpha == 1
            && policy.is_enabled(Technique::TableValues)
            && let score = score_from_tt(entry.score, ply)
            && entry.cuts(score, (alpha, beta))
        {
            return score;
        }

        if stand_pat >= beta {
            return stand_pat;
        }
        let (mut best, mut best_code, mut highest) = (stand_pat, None, alpha.max(stand_pat));
        let mut moves = ScoredMoves::<G>::default();
        self.generate_noisy(node, tt_entry.and_then(|entry| entry.mv), &mut moves);
        let moves = moves.as_mut();
        let (mut quiet_evasions, mut most_pruned) = (0, -INFINITE);
        for index in 0..moves.len() {
            let mv = select_best(moves, index);
            if in_check {
                if best > -WIN_IN_MAX_PLY && !captures.is_noisy(position, mv) {
                    quiet_evasions += 1;
                    if quiet_evasions > T::MARGINS.max_quiet_evasions {
                        most_pruned = highest;
                        continue;
                    }
                }
            } else if moves[index].score() < TT_MOVE && !captures.see_ge(game, position, mv, 0) {
                continue;
            } else {
                // Delta pruning: not even the captured piece and the margin reach alpha.
                let most = stand_pat + captures.capture_gain(position, mv) + T::MARGINS.delta;
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
            let score = self.quiesce_child(node, mv, &child, (highest, beta));
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
        let bound = Bound::of(best, (alpha, beta));
        let selectivity = self.budget.selectivity;
        // An upper bound is no lower than what the evasions that were left out may be worth.
        let score = score_to_tt(best.max(most_pruned), ply);
        self.table.store(key, Entry { mv: best_code, score, depth: 0, bound, selectivity });
        best
    }

    /// The moves to try: the noisy ones, or every evasion of a check.
    #[inline(always)]
    fn generate_noisy(&self, node: Node<'_, G, E>, tt_move: Option<u16>, moves: &mut ScoredMoves<G>) {
        let SearchContext { game, policy, .. } = self.context;
        let Some(captures) = policy.captures() else { return };
        let score = |mv| {
            if Some(game.code(mv)) == tt_move { TT_MOVE } else { policy.score_move(game, node.position, mv) }
        };
        if node.in_check {
            captures.evasions(
                game,
                node.position,
                #[inline(always)]
                |mv| append(moves, mv, score(mv)),
            );
        } else {
            captures.noisy_moves(
                game,
                node.position,
                #[inline(always)]
                |mv| append(moves, mv, score(mv)),
            );
        }
    }

    /// The value of a move after the captures that follow it.
    #[inline(always)]
    fn quiesce_child(
        &mut self,
        node: Node<'_, G, E>,
        mv: G::Move,
        child: &G::Position,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let SearchContext { game, policy, .. } = self.context;
        let ply = node.ply + 1;
        let observer = policy.observer();
        if let Some(observer) = observer {
            observer.enter(child, ply, (-beta, -alpha), QUIESCENCE_DEPTH);
        }
        let value = match policy.probe_exact(child).or_else(|| game.outcome(child)) {
            Some(score) => self.terminal_score(score, ply),
            None => self.quiesce_unfinished_child(node, mv, child, (alpha, beta)),
        };
        if let Some(observer) = observer {
            observer.leave(value);
        }
        -value
    }

    /// The same where the child is not over; for the side to move there.
    #[inline(always)]
    fn quiesce_unfinished_child(
        &mut self,
        node: Node<'_, G, E>,
        mv: G::Move,
        child: &G::Position,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let ply = node.ply + 1;
        self.seldepth = self.seldepth.max(ply);
        let accumulator = &self.context.eval.update(node.accumulator, node.position, mv, child);
        let in_check = self.in_check(child);
        self.quiesce(Node { position: child, accumulator, ply, in_check, ..node }, (-beta, -alpha))
    }
}
