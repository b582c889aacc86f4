//! The recursion high above the end: moves sorted by shallow searches with the evaluation, and shared
//! with idle threads at split points.
//!
//! Scores are discs for the side to move, except in shallow searches, whose values are in the
//! evaluation's unit (hundredths of a disc). Results are meaningless once the budget is out.

use super::super::board::{Board, PASS, Placement, Reversi};
use super::super::kernels::Kernels;
use super::super::mobility::{neighbours, weighted_mobility};
use super::fastest_first::{FastestFirst, KNOWN_BEST, SolverMove, SolverMoves, select_next, work};
use super::table::{Entry, StoreData};
use super::ybwc::{SplitPoint, SplitPool};
use crate::search::evaluation::Eval;
use crate::search::types::{INFINITE, Selectivity, UNIT};
use std::sync::Arc;

/// One thread's part of a solve that has an evaluation.
pub struct EvaluationOrdered<'a, 'b, K: Kernels, E: Eval<Reversi<K>>> {
    /// The recursion below.
    pub deep: FastestFirst<'a, 'b, K>,
    /// For ordering.
    pub eval: &'a E,
    /// How sure bounds must be: 0..=5.
    pub selectivity: u8,
    /// Those who help.
    pub team: &'a SplitPool,
    /// The split point below which this thread is at work.
    pub split: Option<Arc<SplitPoint>>,
    /// Set for good when a helper's budget ran out below.
    pub aborted: bool,
}

impl<K: Kernels, E: Eval<Reversi<K>>> EvaluationOrdered<'_, '_, K, E> {
    /// True when what is being searched no longer matters or must end.
    #[inline(always)]
    pub fn is_out(&self) -> bool {
        self.aborted || self.deep.budget.is_stopped() || self.split.as_ref().is_some_and(|split| split.is_cut())
    }

    /// The null window `(alpha, alpha + 1)`, by whatever recursion suits the empty squares.
    #[inline(always)]
    pub fn null(&mut self, board: Board, state: &E::Accumulator, alpha: i32, empties: u32) -> i32 {
        if empties < self.deep.settings.evaluation_from {
            return self.deep.null(board, alpha, empties);
        }
        // SAFETY: whoever made `deep` promised that the processor has the level's features.
        unsafe { K::high(self, board, state, alpha, empties) }
    }

    /// What the table knows surely enough.
    #[inline(always)]
    pub fn known(&self, board: Board) -> Entry {
        match self.deep.table.probe(board) {
            Some(known) if known.selectivity >= self.selectivity => known,
            Some(known) => Entry { moves: known.moves, ..Entry::NOTHING },
            None => Entry::NOTHING,
        }
    }

    /// The recursion; [`Kernels::high`] compiles it for a level.
    #[inline(always)]
    pub fn null_body(&mut self, board: Board, state: &E::Accumulator, alpha: i32, empties: u32) -> i32 {
        if self.deep.budget.count_node() || self.is_out() {
            return 0;
        }
        if let Some(most) = self.deep.stability_cut(board, alpha, empties) {
            return most;
        }
        let known = self.known(board);
        if i32::from(known.lower) > alpha {
            return i32::from(known.lower);
        }
        if i32::from(known.upper) <= alpha {
            return i32::from(known.upper);
        }
        let moves = self.deep.placements(board);
        if moves == 0 {
            return self.pass(board, state, alpha, empties);
        }
        let start = self.deep.budget.nodes;
        let mut ranked = self.children(board, moves);
        if let Some(score) = self.certain(&ranked, alpha) {
            return score;
        }
        if self.selectivity < 5
            && let Some(score) = self.bet(board, state, alpha, empties)
        {
            return score;
        }
        self.rank(board, state, &mut ranked, known.moves, (alpha, alpha + 1), empties);
        let Some((best, square)) = self.search(board, state, &mut ranked, alpha, empties) else { return 0 };
        let work = work(self.deep.budget.nodes - start);
        let found =
            StoreData { score: best, alpha, beta: alpha + 1, best: square, selectivity: self.selectivity, work };
        self.deep.table.store(board, &found);
        best
    }

    #[inline(always)]
    fn pass(&mut self, board: Board, state: &E::Accumulator, alpha: i32, empties: u32) -> i32 {
        let passed = board.passed();
        if self.deep.placements(passed) == 0 {
            return board.final_discs();
        }
        let state = self.eval.update(state, &board, Placement::PASS, &passed);
        -self.null(passed, &state, -alpha - 1, empties)
    }

    /// The moves in turn; from the second on with whoever is idle.
    #[inline(always)]
    fn search(
        &mut self,
        board: Board,
        state: &E::Accumulator,
        ranked: &mut SolverMoves,
        alpha: i32,
        empties: u32,
    ) -> Option<(i32, u8)> {
        let mut best = (-65, PASS);
        for index in 0..ranked.len() {
            let splits = index > 0 && index + 1 < ranked.len() && empties >= self.deep.settings.split_from;
            if splits && self.team.has_idle() {
                let split = (board, alpha, empties, self.selectivity);
                let split = SplitPoint::new(split, self.split.clone(), (ranked, index), best);
                return self.share(&split, state);
            }
            let mv = select_next(ranked, index);
            let score = -self.child(board, state, mv, -alpha - 1, empties - 1);
            if self.is_out() {
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

    /// Searches the moves of a split point together with all who join.
    #[cold]
    fn share(&mut self, split: &Arc<SplitPoint>, state: &E::Accumulator) -> Option<(i32, u8)> {
        self.team.open(split);
        let above = self.split.replace(split.clone());
        loop {
            self.work(split, state);
            self.team.close(split);
            while let Some(below) = self.team.join_below(split) {
                self.help(&below);
            }
            // SolverMoves are left only if a helper panicked.
            if !split.has_moves() {
                break;
            }
        }
        self.split = above;
        let result = split.result();
        self.aborted |= result.is_none();
        result.filter(|_| !self.is_out())
    }

    /// Works at a split point that this thread has joined.
    fn help(&mut self, split: &Arc<SplitPoint>) {
        let above = self.split.replace(split.clone());
        let selectivity = std::mem::replace(&mut self.selectivity, split.selectivity);
        let state = self.eval.refresh(&split.board);
        self.work(split, &state);
        (self.split, self.selectivity) = (above, selectivity);
    }

    /// Takes moves of a split point until none is left.
    fn work(&mut self, split: &SplitPoint, state: &E::Accumulator) {
        while let Some(turn) = split.take() {
            let score = -self.child(split.board, state, turn.mv, -split.alpha - 1, split.empties - 1);
            if self.aborted || self.deep.budget.is_stopped() {
                return split.abort();
            }
            if !split.is_cut() {
                turn.report(score);
            }
        }
    }

    /// Helps whoever splits, until it is over or the budget is out.
    pub fn assist(&mut self, is_over: impl Fn() -> bool) {
        while !self.is_out()
            && let Some(split) = self.team.join_any(&is_over)
        {
            self.help(&split);
        }
    }

    /// The null window after a move, for the opponent.
    #[inline(always)]
    pub fn child(&mut self, board: Board, state: &E::Accumulator, mv: SolverMove, alpha: i32, empties: u32) -> i32 {
        if empties < self.deep.settings.evaluation_from {
            return self.deep.null_with(mv.child, mv.replies, alpha, empties);
        }
        let state = self.eval.update(state, &board, placement(board, mv), &mv.child);
        self.null(mv.child, &state, alpha, empties)
    }

    /// The positions after all moves, not yet ranked.
    #[inline(always)]
    pub fn children(&self, board: Board, mut moves: u64) -> SolverMoves {
        let mut ranked = SolverMoves::new();
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let child = board.after(self.deep.placement(board, square));
            self.deep.table.prefetch(child);
            ranked.push(SolverMove { rank: 0, square: square as u8, child, replies: self.deep.placements(child) });
        }
        ranked
    }

    /// A move that takes every disc, or one whose position the table knows to be bad enough.
    #[inline(always)]
    pub fn certain(&self, ranked: &SolverMoves, alpha: i32) -> Option<i32> {
        if ranked.iter().any(|mv| mv.child.player == 0) {
            return Some(64);
        }
        ranked.iter().find_map(|mv| {
            let score = -i32::from(self.known(mv.child).upper);
            (score > alpha).then_some(score)
        })
    }

    /// Ranks by the value that a shallow search gives, and by the work that a proof will take.
    #[inline(always)]
    pub fn rank(
        &mut self,
        board: Board,
        state: &E::Accumulator,
        ranked: &mut SolverMoves,
        known: [u8; 2],
        (alpha, beta): (i32, i32),
        empties: u32,
    ) {
        if ranked.len() < 2 {
            return;
        }
        let depth = self.deep.settings.sort_depth(empties);
        // What is far outside the window needs no exact rank.
        let window = (
            (-beta - self.deep.settings.sort_window).max(-100) * UNIT,
            (-alpha + self.deep.settings.sort_window).min(100) * UNIT,
        );
        for mv in ranked {
            if mv.square == known[0] {
                mv.rank = KNOWN_BEST;
                continue;
            }
            let child_state = self.eval.update(state, &board, placement(board, *mv), &mv.child);
            let value = self.shallow(mv.child, &child_state, window, depth);
            mv.rank = self.fastest_first(mv) * self.deep.settings.speed_weight - value * 4;
            if mv.square == known[1] {
                mv.rank += self.deep.settings.second_bonus;
            }
        }
    }

    /// Few replies, and few squares that may become replies.
    #[inline(always)]
    fn fastest_first(&self, mv: &SolverMove) -> i32 {
        let open = (neighbours(mv.child.opponent) & mv.child.empty()).count_ones();
        let settings = &self.deep.settings;
        -settings.reply_weight * weighted_mobility(mv.replies) - settings.open_weight * open as i32
    }

    /// A search by the evaluation alone, `depth` plies deep.
    #[inline(always)]
    pub fn shallow(&mut self, board: Board, state: &E::Accumulator, window: (i32, i32), depth: u32) -> i32 {
        // SAFETY: whoever made `deep` promised that the processor has the level's features.
        unsafe { K::shallow(self, board, state, window, depth) }
    }

    /// NoPolicy alpha-beta, fail-soft; [`Kernels::shallow`] compiles it for a level.
    #[inline(always)]
    pub fn shallow_body(
        &mut self,
        board: Board,
        state: &E::Accumulator,
        (mut alpha, beta): (i32, i32),
        depth: u32,
    ) -> i32 {
        self.deep.budget.nodes += 1;
        if depth == 0 {
            return self.eval.evaluate(state, &board);
        }
        let moves = self.deep.placements(board);
        if moves == 0 {
            let passed = board.passed();
            if self.deep.placements(passed) == 0 {
                return board.final_discs() * UNIT;
            }
            let state = self.eval.update(state, &board, Placement::PASS, &passed);
            return -self.shallow(passed, &state, (-beta, -alpha), depth);
        }
        let mut ranked = self.children(board, moves);
        if depth > 1 {
            for mv in &mut ranked {
                mv.rank = self.fastest_first(mv);
            }
        }
        let mut best = -INFINITE;
        for index in 0..ranked.len() {
            let mv = if depth > 1 { select_next(&mut ranked, index) } else { ranked[index] };
            let child_state = self.eval.update(state, &board, placement(board, mv), &mv.child);
            best = best.max(-self.shallow(mv.child, &child_state, (-beta, -alpha), depth - 1));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// ProbCut: a shallow search far enough outside the window speaks for the whole.
    #[inline(always)]
    fn bet(&mut self, board: Board, state: &E::Accumulator, alpha: i32, empties: u32) -> Option<i32> {
        let bet = self.deep.settings.bets.bet(empties);
        let (depth, bias) = (bet.shallow as u32, i32::from(bet.bias));
        let margin = bet.margin(Selectivity(self.selectivity));
        let guess = self.eval.evaluate(state, &board);
        let high = (alpha + 1) * UNIT + margin - bias;
        let low = alpha * UNIT - margin - bias;
        if guess >= alpha * UNIT && high < 64 * UNIT {
            let value = self.shallow(board, state, (high - 1, high), depth);
            return (value >= high).then_some(alpha + 1);
        }
        if guess <= alpha * UNIT && low > -64 * UNIT {
            let value = self.shallow(board, state, (low, low + 1), depth);
            return (value <= low).then_some(alpha);
        }
        None
    }
}

/// The move that leads to a ranked child.
#[inline(always)]
pub fn placement(board: Board, mv: SolverMove) -> Placement {
    Placement { square: mv.square, flips: board.player ^ mv.child.opponent ^ (1 << mv.square) }
}
