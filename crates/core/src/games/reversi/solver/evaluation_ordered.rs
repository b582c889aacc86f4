//! Evaluation-ordered search, from twelve empty squares on: moves are ordered by shallow searches with the evaluation,
//! ProbCut prunes in selective passes, and moves are shared with idle threads at split points.
//!
//! Scores are discs for the side to move, except in shallow searches, whose values are in the evaluation's unit
//! (hundredths of a disc). Results are meaningless once the search was stopped.

use super::entry::{Entry, StoreData, work};
use super::level::SolverLevel;
use super::moves::{SolverMove, SolverMoves, TABLE_MOVE, select_next};
use super::thread::EvaluationOrdered;
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::mobility::{neighbours, weighted_mobility};
use crate::games::reversi::rules::Reversi;
use crate::search::evaluation::Eval;
use crate::search::types::{INFINITE, Selectivity, UNIT};

impl<K: SolverLevel, E: Eval<Reversi<K>>> EvaluationOrdered<'_, '_, K, E> {
    /// True once the search must end, or its result no longer matters because a split point above was cut off.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.aborted || self.inner.budget.is_stopped() || self.split.is_cut()
    }

    /// The null window `(alpha, alpha + 1)` by the recursion for the number of empty squares.
    #[inline(always)]
    pub fn null_window(&mut self, board: Board, state: &E::Accumulator, alpha: i32, empties: u32) -> i32 {
        if empties < self.inner.settings.evaluation_from {
            return self.inner.null_window(board, alpha, empties);
        }
        // SAFETY: `inner` holds the proof that the processor has the level's features.
        unsafe { K::evaluation_ordered(self, board, state, alpha, empties) }
    }

    /// The table's entry; without its bounds if they are more selective than this search.
    #[inline(always)]
    pub fn probe(&self, board: Board) -> Entry {
        match self.inner.table.probe(board) {
            Some(entry) if entry.selectivity >= self.selectivity => entry,
            Some(entry) => Entry { moves: entry.moves, ..Entry::UNKNOWN },
            None => Entry::UNKNOWN,
        }
    }

    /// The recursion; [`SolverLevel::evaluation_ordered`] compiles it for a level.
    #[inline(always)]
    pub fn evaluation_ordered_body(&mut self, board: Board, state: &E::Accumulator, alpha: i32, empties: u32) -> i32 {
        if self.inner.budget.count_node() || self.is_stopped() {
            return 0;
        }
        if let Some(most) = self.inner.stability_cut(board, alpha, empties) {
            return most;
        }
        let entry = self.probe(board);
        if i32::from(entry.lower) > alpha {
            return i32::from(entry.lower);
        }
        if i32::from(entry.upper) <= alpha {
            return i32::from(entry.upper);
        }
        let moves = self.inner.placements(board);
        if moves == 0 {
            return self.pass(board, state, alpha, empties);
        }
        let start = self.inner.budget.nodes;
        let mut ranked = self.children(board, moves);
        if wipes_out(&ranked) {
            return 64;
        }
        if let Some(score) = self.enhanced_transposition_cutoff(&ranked, alpha) {
            return score;
        }
        if self.selectivity < Selectivity::EXACT
            && empties >= self.inner.settings.evaluation_from
            && let Some(score) = self.try_probcut(board, moves, state, alpha, empties)
        {
            return score;
        }
        if empties < self.inner.settings.evaluation_from {
            // Here only because many threads are idle.
            ranked.iter_mut().for_each(|mv| mv.rank = self.fastest_first(mv));
        } else {
            self.rank(board, state, &mut ranked, entry.moves, (alpha, alpha + 1), empties);
        }
        let Some((best, square)) = self.search_moves(board, state, &mut ranked, alpha, empties) else { return 0 };
        let work = work(self.inner.budget.nodes - start);
        let data = StoreData { score: best, alpha, beta: alpha + 1, best: square, selectivity: self.selectivity, work };
        self.inner.table.store(board, &data);
        best
    }

    #[inline(always)]
    fn pass(&mut self, board: Board, state: &E::Accumulator, alpha: i32, empties: u32) -> i32 {
        let passed = board.passed();
        if self.inner.placements(passed) == 0 {
            return board.final_discs();
        }
        let state = self.eval.update(state, &board, Placement::PASS, &passed);
        -self.null_window(passed, &state, -alpha - 1, empties)
    }

    /// Young brothers wait: the moves in turn, from the second on together with idle threads.
    #[inline(always)]
    fn search_moves(
        &mut self,
        board: Board,
        state: &E::Accumulator,
        ranked: &mut SolverMoves,
        alpha: i32,
        empties: u32,
    ) -> Option<(i32, u8)> {
        let mut best = (-65, PASS);
        for index in 0..ranked.len() {
            if self.is_shared(ranked.len(), index, empties) {
                return Some(self.search_split_point((board, alpha, empties), state, &ranked[index..], best)?.best);
            }
            let mv = select_next(ranked, index);
            let score = -self.child(board, state, mv, -alpha - 1, empties - 1);
            if self.is_stopped() {
                return None;
            }
            if score > best.0 {
                best = (score, mv.square);
                if score > alpha {
                    break;
                }
            }
        }
        Some(best)
    }

    /// The null window after a move, for the opponent.
    #[inline(always)]
    pub fn child(&mut self, board: Board, state: &E::Accumulator, mv: SolverMove, alpha: i32, empties: u32) -> i32 {
        if empties < self.inner.settings.evaluation_from {
            if self.shares_small(empties) {
                // SAFETY: `inner` holds the proof that the processor has the level's features.
                return unsafe { K::evaluation_ordered(self, mv.child, state, alpha, empties) };
            }
            return self.inner.null_window_with(mv.child, mv.replies, alpha, empties);
        }
        let state = self.eval.update(state, &board, mv.placement(board), &mv.child);
        self.null_window(mv.child, &state, alpha, empties)
    }

    /// The positions after all moves, not yet ranked.
    #[inline(always)]
    pub fn children(&mut self, board: Board, moves: u64) -> SolverMoves {
        let mut ranked = SolverMoves::new();
        self.inner.budget.listed += u64::from(moves.count_ones());
        self.inner.each_child(
            board,
            moves,
            #[inline(always)]
            |square, child, replies| {
                self.inner.table.prefetch(child);
                ranked.push(SolverMove { rank: 0, square: square as u8, child, replies });
            },
        );
        ranked
    }

    /// Enhanced transposition cutoff: the table's bound of a child already refutes the position before it.
    #[inline(always)]
    fn enhanced_transposition_cutoff(&mut self, ranked: &SolverMoves, alpha: i32) -> Option<i32> {
        self.inner.budget.listed += ranked.len() as u64;
        ranked.iter().find_map(|mv| {
            let score = -i32::from(self.probe(mv.child).upper);
            (score > alpha).then_some(score)
        })
    }

    /// Orders moves by the value of a shallow search and, because proving takes work, by the
    /// mobility that a move leaves.
    #[inline(always)]
    pub fn rank(
        &mut self,
        board: Board,
        state: &E::Accumulator,
        ranked: &mut SolverMoves,
        table_moves: [u8; 2],
        (alpha, beta): (i32, i32),
        empties: u32,
    ) {
        if ranked.len() < 2 {
            return;
        }
        let depth = self.inner.settings.sort_depth(empties);
        // Moves far outside the window need no exact rank.
        let window = (
            (-beta - self.inner.settings.sort_window).max(-100) * UNIT,
            (-alpha + self.inner.settings.sort_window).min(100) * UNIT,
        );
        for mv in ranked {
            if mv.square == table_moves[0] {
                mv.rank = TABLE_MOVE;
                continue;
            }
            let child_state = self.eval.update(state, &board, mv.placement(board), &mv.child);
            let value = self.shallow_search(mv.child, mv.replies, &child_state, window, depth);
            mv.rank = self.fastest_first(mv) * self.inner.settings.speed_weight - value * 4;
            if mv.square == table_moves[1] {
                mv.rank += self.inner.settings.second_bonus;
            }
        }
    }

    /// Fastest first: few replies now, and few empty squares that may become replies (potential mobility).
    #[inline(always)]
    fn fastest_first(&self, mv: &SolverMove) -> i32 {
        let open = (neighbours(mv.child.opponent) & mv.child.empty()).count_ones();
        let settings = &self.inner.settings;
        -settings.reply_weight * weighted_mobility(mv.replies) - settings.open_weight * open as i32
    }

    /// A search to a fixed depth with the evaluation at its leaves. `moves` are the legal ones;
    /// leaves do not use them.
    #[inline(always)]
    pub fn shallow_search(
        &mut self,
        board: Board,
        moves: u64,
        state: &E::Accumulator,
        window: (i32, i32),
        depth: u32,
    ) -> i32 {
        if depth == 0 {
            self.inner.budget.nodes += 1;
            return self.leaf(board, state, window);
        }
        // SAFETY: `inner` holds the proof that the processor has the level's features.
        unsafe { K::shallow_search(self, board, moves, state, window, depth) }
    }

    /// Alpha-beta, fail-soft, without a table, one ply deep or more; [`SolverLevel::shallow_search`] compiles it for a level.
    #[inline(always)]
    pub fn shallow_search_body(
        &mut self,
        board: Board,
        moves: u64,
        state: &E::Accumulator,
        (mut alpha, beta): (i32, i32),
        depth: u32,
    ) -> i32 {
        self.inner.budget.nodes += 1;
        if moves == 0 {
            let passed = board.passed();
            let replies = self.inner.placements(passed);
            if replies == 0 {
                return board.final_discs() * UNIT;
            }
            let state = self.eval.update(state, &board, Placement::PASS, &passed);
            return -self.shallow_search(passed, replies, &state, (-beta, -alpha), depth);
        }
        if depth == 1 {
            return self.best_leaf(board, moves, state, (alpha, beta));
        }
        let mut ranked = self.children(board, moves);
        for mv in &mut ranked {
            mv.rank = self.fastest_first(mv);
        }
        let mut best = -INFINITE;
        for index in 0..ranked.len() {
            let mv = select_next(&mut ranked, index);
            let child_state = self.eval.update(state, &board, mv.placement(board), &mv.child);
            best = best.max(-self.shallow_search(mv.child, mv.replies, &child_state, (-beta, -alpha), depth - 1));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The last ply of a shallow search: one move after the other is played and evaluated until one reaches `beta`.
    #[inline(always)]
    fn best_leaf(&mut self, board: Board, mut moves: u64, state: &E::Accumulator, (alpha, beta): (i32, i32)) -> i32 {
        let mut best = -INFINITE;
        while moves != 0 && best < beta {
            let placement = self.inner.placement(board, moves.trailing_zeros());
            moves &= moves - 1;
            let child = board.after(placement);
            let child_state = self.eval.update(state, &board, placement, &child);
            self.inner.budget.nodes += 1;
            best = best.max(-self.leaf(child, &child_state, (-beta, -alpha)));
        }
        best
    }

    /// The value of a leaf. ProbCut needs the value whose errors were measured. The ordering search takes it far from the
    /// end, where a better order saves the most, and an estimate nearer to the end.
    #[inline(always)]
    fn leaf(&self, board: Board, state: &E::Accumulator, window: (i32, i32)) -> i32 {
        if self.in_probcut || board.empties() >= self.inner.settings.value_from {
            self.eval.static_eval_within_once(state, &board, window)
        } else {
            self.eval.ordering_eval_once(state, &board)
        }
    }

    /// ProbCut: the value of a shallow search so far outside the window predicts that the exact score is outside too.
    #[inline(always)]
    fn try_probcut(
        &mut self,
        board: Board,
        moves: u64,
        state: &E::Accumulator,
        alpha: i32,
        empties: u32,
    ) -> Option<i32> {
        let pair = self.inner.settings.probcut.pair(empties);
        let (depth, bias) = (pair.shallow as u32, i32::from(pair.bias));
        let margin = pair.margin(self.selectivity);
        let above = self.eval.static_eval_within_once(state, &board, (alpha * UNIT, alpha * UNIT + 1)) >= alpha * UNIT;
        let bound = if above { (alpha + 1) * UNIT + margin } else { alpha * UNIT - margin } - bias;
        if bound.abs() >= 64 * UNIT {
            return None;
        }
        let window = if above { (bound - 1, bound) } else { (bound, bound + 1) };
        self.in_probcut = true;
        let value = self.shallow_search(board, moves, state, window, depth);
        self.in_probcut = false;
        if above { (value >= bound).then_some(alpha + 1) } else { (value <= bound).then_some(alpha) }
    }
}

/// True if a move flips the opponent's last discs, which wins all 64 squares.
#[inline(always)]
fn wipes_out(ranked: &SolverMoves) -> bool {
    ranked.iter().any(|mv| mv.child.player == 0)
}

#[cfg(test)]
mod tests {
    use crate::games::reversi::board::{Board, Placement};
    use crate::games::reversi::evaluation::pattern::geometry::PatternIndices;
    use crate::games::reversi::evaluation::pattern::{PatternEvaluation, open_weights};
    use crate::games::reversi::random_games::random_moves;
    use crate::games::reversi::rules::Reversi;
    use crate::games::reversi::solver::Solver;
    use crate::games::reversi::solver::settings::SolverSettings;
    use crate::search::evaluation::Eval;
    use crate::search::level::Base;
    use crate::search::limits::{Budget, Limits, Stop};
    use crate::search::types::{Score, Selectivity};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// The linear evaluation, which counts its values and its estimates.
    struct Counted {
        linear: PatternEvaluation<Base>,
        values: AtomicU64,
        estimates: AtomicU64,
    }

    impl Eval<Reversi> for Counted {
        type Accumulator = PatternIndices;

        fn refresh(&self, board: &Board) -> PatternIndices {
            self.linear.refresh(board)
        }

        fn update(&self, indices: &PatternIndices, board: &Board, mv: Placement, child: &Board) -> PatternIndices {
            self.linear.update(indices, board, mv, child)
        }

        fn evaluate(&self, indices: &PatternIndices, board: &Board) -> Score {
            self.values.fetch_add(1, Ordering::Relaxed);
            self.linear.evaluate(indices, board)
        }

        fn ordering_eval(&self, indices: &PatternIndices, board: &Board) -> Score {
            self.estimates.fetch_add(1, Ordering::Relaxed);
            self.linear.evaluate(indices, board)
        }
    }

    #[test]
    fn order_takes_estimates_near_the_end_and_probcut_takes_values() {
        let weights = open_weights(None).expect("the weights in the binary");
        let settings = SolverSettings::default().with_probcut(Some(&weights.probcut_model));
        let game = Reversi::portable();
        let (board, _) = random_moves(1).into_iter().find(|(board, _)| board.empties() == 16).expect("a whole game");
        let asked = |percent, value_from| {
            let linear = PatternEvaluation::new(&game, Arc::clone(&weights));
            let eval = Counted { linear, values: AtomicU64::new(0), estimates: AtomicU64::new(0) };
            let settings = SolverSettings { value_from, ..settings };
            let solver = Solver::with_settings(1, settings).expect("a small table");
            let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
            let mut budget = Budget::new(&stop, &nodes);
            budget.selectivity = Selectivity::from_percent(percent);
            solver.solve(&game, &eval, &eval.refresh(&board), board, (-64, 64), &mut budget).expect("no limit");
            [eval.values, eval.estimates].map(|count| count.into_inner() > 0)
        };
        assert_eq!(asked(73, 16), [true, true]);
        assert_eq!(asked(100, 16), [false, true], "a leaf has at most fourteen empty squares");
        assert_eq!(asked(100, 14), [true, true]);
    }
}
