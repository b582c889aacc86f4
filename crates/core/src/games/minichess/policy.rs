//! The search policy of MiniChess: captures and checks, null move, endgame tables, hints for the clock.

use super::board::{Board, LAST_NUMBER, Move, Piece};
use super::margins::{MARGINS, NULL_MOVE_MIN_DEPTH, reductions};
use super::movegen::{attacks_king_after, captures, decode, quiet_moves, quiet_promotions};
use super::rules::MiniChess;
use super::see::{PIECE_VALUE, capture_gain, captured_value, see};
use super::tables::{DRAW, EndgameTables};
use crate::search::evaluation::Eval;
use crate::search::history::ReductionTable;
use crate::search::level::{Level, Supported};
use crate::search::limits::RemainingBudget;
use crate::search::margins::Margins;
use crate::search::policy::{SearchPolicy, Technique, TechniqueSet};
use crate::search::technique::{CaptureSearch, ClockHints, MoveClasses, NullMove};
use crate::search::types::{Depth, IterationGoal, IterationPlan, Score, WIN};
use std::sync::Arc;

/// The search policy of MiniChess for a processor level.
pub struct MiniChessPolicy<L> {
    disabled: TechniqueSet,
    tables: Option<Arc<EndgameTables>>,
    reductions: ReductionTable,
    level: Supported<L>,
}

impl<L> MiniChessPolicy<L> {
    /// Enables all techniques except these, with endgame tables if there are any.
    pub fn new(level: Supported<L>, disabled: &[Technique], tables: Option<Arc<EndgameTables>>) -> Self {
        let disabled = disabled.iter().copied().collect();
        MiniChessPolicy { disabled, tables, reductions: reductions(), level }
    }
}

/// Score of captures and promotions, above killers and history.
const NOISY: i32 = 1 << 28;
/// With at most this many plies left before the move limit, a null move would change the position's value too much.
const NULL_MOVE_MIN_PLIES_LEFT: u32 = 6;
/// Iterations go this many plies beyond the end of the game to make up for reductions.
const BEYOND: Depth = 6;

/// Static exchange evaluation: whether the exchanges on the move's square win at least `threshold`, which is at most 0.
/// Capturing a piece worth at least the capturing one never loses material, so it skips the exchange.
#[inline(always)]
fn see_ge(board: &Board, mv: Move, threshold: Score) -> bool {
    let is_even = mv.piece != Piece::King && captured_value(mv.captured) >= PIECE_VALUE[mv.piece as usize];
    (is_even && !mv.promotes()) || see(board, mv) >= threshold
}

/// Calls `each` with the moves that take or promote.
#[inline(always)]
#[expect(clippy::redundant_closure, reason = "a function that is handed on is not compiled for the level")]
fn noisy_moves(board: &Board, mut each: impl FnMut(Move)) {
    captures(
        board,
        #[inline(always)]
        |mv| each(mv),
    );
    quiet_promotions(board, each);
}

impl<L: Level, E: Eval<MiniChess>> SearchPolicy<MiniChess, E> for MiniChessPolicy<L> {
    type Level = L;
    const MARGINS: Margins = MARGINS;

    fn level(&self) -> Supported<L> {
        self.level
    }

    /// MVV-LVA: captures and promotions by the captured piece, the cheapest attacker first.
    #[inline(always)]
    fn score_move(&self, _: &MiniChess, _: &Board, mv: Move) -> i32 {
        match capture_gain(mv) {
            0 => 0,
            gain => NOISY + 16 * gain - PIECE_VALUE[mv.piece as usize] / 64,
        }
    }

    #[inline(always)]
    fn piece_to(&self, mv: Move) -> usize {
        1 + ((mv.side as usize * 6 + mv.piece as usize) << 5 | usize::from(mv.to))
    }

    /// Scores a position whose king can be captured, or looks it up if it has few pieces. A result that takes more
    /// plies than the limit leaves is a draw.
    #[inline(always)]
    fn probe_exact(&self, board: &Board) -> Option<Score> {
        if board.number() >= LAST_NUMBER {
            return None;
        }
        if board.attacks_king(board.to_move()) {
            return Some(WIN - 1);
        }
        let plies = self.tables.as_ref()?.dtm(board)?;
        Some(match plies {
            plies if plies == DRAW || u32::from(plies) > board.plies_left() => 0,
            plies if plies % 2 == 1 => WIN - Score::from(plies),
            plies => Score::from(plies) - WIN,
        })
    }

    /// Ends the iterations a few plies beyond the end of the game.
    fn next_iteration(
        &self,
        board: &Board,
        last: Option<IterationPlan>,
        goal: IterationGoal,
        _: RemainingBudget<'_>,
    ) -> Option<IterationPlan> {
        let depth = last.map_or(1, |last| last.depth + 1);
        let longest = board.plies_left() as Depth + BEYOND;
        (depth <= goal.depth.min(longest)).then_some(IterationPlan::plies(depth))
    }

    #[inline(always)]
    fn is_enabled(&self, technique: Technique) -> bool {
        !self.disabled.contains(technique)
    }

    #[inline(always)]
    fn reductions(&self) -> Option<&ReductionTable> {
        Some(&self.reductions)
    }

    #[inline(always)]
    fn captures(&self) -> Option<&impl CaptureSearch<MiniChess>> {
        Some(self)
    }

    #[inline(always)]
    fn null_move(&self) -> Option<&impl NullMove<MiniChess>> {
        Some(self)
    }

    fn move_classes(&self) -> Option<&impl MoveClasses<MiniChess>> {
        Some(self)
    }

    #[inline(always)]
    fn clock_hints(&self) -> Option<&impl ClockHints<MiniChess>> {
        Some(self)
    }
}

impl<L> CaptureSearch<MiniChess> for MiniChessPolicy<L> {
    #[inline(always)]
    fn is_noisy(&self, _: &Board, mv: Move) -> bool {
        mv.captured.is_some() || mv.promotes()
    }

    #[inline(always)]
    fn noisy_moves(&self, _: &MiniChess, board: &Board, each: impl FnMut(Move)) {
        noisy_moves(board, each);
    }

    #[inline(always)]
    fn quiet_moves(&self, _: &MiniChess, board: &Board, mut each: impl FnMut(Move)) {
        quiet_moves(
            board,
            #[inline(always)]
            |mv| {
                if !mv.promotes() {
                    each(mv);
                }
            },
        );
    }

    #[inline(always)]
    fn decode_tt_move(&self, _: &MiniChess, board: &Board, code: u16) -> Option<Move> {
        decode(board, code)
    }

    #[inline(always)]
    fn see_ge(&self, _: &MiniChess, board: &Board, mv: Move, threshold: Score) -> bool {
        see_ge(board, mv, threshold)
    }

    #[inline(always)]
    fn capture_gain(&self, _: &Board, mv: Move) -> Score {
        capture_gain(mv)
    }

    #[inline(always)]
    fn in_check(&self, board: &Board) -> bool {
        board.attacks_king(board.to_move().other())
    }

    #[inline(always)]
    fn gives_check(&self, _: &MiniChess, board: &Board, mv: Move) -> bool {
        attacks_king_after(board, mv)
    }
}

impl<L> NullMove<MiniChess> for MiniChessPolicy<L> {
    /// Allows a null move only if the side has a piece: kings and pawns get into zugzwang, and a lone king may have
    /// nothing but suicide, which is how games are won. The opponent must also have no capture that does not lose,
    /// because the shallow search after a null move sees too little of it.
    #[inline(always)]
    fn null_move(&self, board: &Board) -> Option<Board> {
        let side = board.to_move();
        let pieces = board.pieces(side) & !board.of(side, Piece::Pawn) & !board.of(side, Piece::King);
        if pieces == 0 || board.plies_left() <= NULL_MOVE_MIN_PLIES_LEFT {
            return None;
        }
        let passed = board.pass();
        let mut hangs = false;
        noisy_moves(
            &passed,
            #[inline(always)]
            |mv| hangs = hangs || see_ge(&passed, mv, 0),
        );
        (!hangs).then_some(passed)
    }

    #[inline(always)]
    fn min_depth(&self) -> Depth {
        NULL_MOVE_MIN_DEPTH
    }
}

impl<L> ClockHints<MiniChess> for MiniChessPolicy<L> {
    /// Evenly matched games are mostly decided before the limit.
    fn moves_left(&self, board: &Board) -> u32 {
        (board.plies_left().div_ceil(2) * 3 / 5).max(4)
    }

    fn moves_to_end(&self, board: &Board) -> u32 {
        board.plies_left().div_ceil(2)
    }
}
