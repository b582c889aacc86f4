//! What the search tries in MiniChess.

use super::board::{Board, LAST_NUMBER, Move, Piece};
use super::movegen::{attacks_king_after, captures, decode, quiet_moves, quiet_promotions};
use super::rules::MiniChess;
use super::see::{PIECE_VALUE, capture_gain, captured_value, see};
use super::tables::{DRAW, EndgameTables};
use crate::search::evaluation::Eval;
use crate::search::level::Level;
use crate::search::policy::{SearchPolicy, Technique};
use crate::search::types::{Depth, Effort, RemainingBudget, Score, UNIT, WIN};
use std::marker::PhantomData;
use std::sync::Arc;

/// SearchPolicy of MiniChess for a processor level.
pub struct MiniChessPolicy<L> {
    /// Bits of the tricks that are not used, by their number.
    without: u32,
    tables: Option<Arc<EndgameTables>>,
    level: PhantomData<L>,
}

impl<L> MiniChessPolicy<L> {
    /// SearchPolicy that do without these tricks, and with endgame tables if there are any.
    pub fn new(without: &[Technique], tables: Option<Arc<EndgameTables>>) -> Self {
        let tables = tables.filter(|_| !without.contains(&Technique::Tables));
        let without = without.iter().fold(0, |bits, &trick| bits | 1 << trick as u32);
        MiniChessPolicy { without, tables, level: PhantomData }
    }
}

/// Above killers and history.
const WINNING: i32 = 1 << 28;
/// With so few plies left a pass would change too much.
const TOO_LATE_TO_PASS: u32 = 6;
/// Searching a little beyond the limit makes up for reductions.
const BEYOND: Depth = 6;

/// True if a move that takes or promotes loses material on its square.
#[inline(always)]
fn loses(board: &Board, mv: Move) -> bool {
    let promotes = mv.promotes();
    let safe = !promotes && mv.piece != Piece::King && captured_value(mv.captured) >= PIECE_VALUE[mv.piece as usize];
    !safe && see(board, mv) < 0
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
    const QUIESCENCE: bool = true;
    const NULL_MOVE: bool = true;
    const KILLERS: bool = true;
    const HISTORY: bool = true;
    const CONTINUATION: bool = true;
    const REDUCTIONS: bool = true;
    const PRUNING: bool = true;
    const CHECK_EXTENSIONS: bool = true;
    const SINGULAR: bool = true;
    const STAGED_GENERATION: bool = true;
    const ASPIRATION: Score = 3 * UNIT / 20;

    /// Captures and promotions by what they take, the cheapest attacker first.
    #[inline(always)]
    fn order(&self, _: &MiniChess, _: &Board, mv: Move) -> i32 {
        match capture_gain(mv) {
            0 => 0,
            gain => WINNING + 16 * gain - PIECE_VALUE[mv.piece as usize] / 64,
        }
    }

    #[inline(always)]
    fn loses(&self, _: &MiniChess, board: &Board, mv: Move) -> bool {
        loses(board, mv)
    }

    #[inline(always)]
    fn loses_more_than(&self, _: &MiniChess, board: &Board, mv: Move, most: Score) -> bool {
        see(board, mv) < -most
    }

    #[inline(always)]
    fn noisy(&self, _: &Board, mv: Move) -> bool {
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
    fn gain(&self, _: &Board, mv: Move) -> Score {
        capture_gain(mv)
    }

    /// A king that can be captured is captured; positions of few pieces are looked up. A win that takes more plies than the
    /// limit leaves is a draw.
    #[inline(always)]
    fn known(&self, board: &Board) -> Option<Score> {
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

    #[inline(always)]
    fn in_check(&self, board: &Board) -> bool {
        board.attacks_king(board.to_move().other())
    }

    /// Passing is a fair test only with a piece on the board: kings and pawns know zugzwang, and a
    /// lone king may be left with nothing but suicide, which is how games are won. And it is one only where nothing
    /// hangs: against a capture that does not lose, the shallow search after a pass sees too little.
    #[inline(always)]
    fn null(&self, board: &Board) -> Option<Board> {
        let side = board.to_move();
        let pieces = board.pieces(side) & !board.of(side, Piece::Pawn) & !board.of(side, Piece::King);
        if pieces == 0 || board.plies_left() <= TOO_LATE_TO_PASS {
            return None;
        }
        let passed = board.pass();
        let mut hangs = false;
        noisy_moves(
            &passed,
            #[inline(always)]
            |mv| hangs = hangs || !loses(&passed, mv),
        );
        (!hangs).then_some(passed)
    }

    #[inline(always)]
    fn gives_check(&self, _: &MiniChess, board: &Board, mv: Move) -> bool {
        attacks_king_after(board, mv)
    }

    #[inline(always)]
    fn piece_to(&self, mv: Move) -> usize {
        1 + ((mv.side as usize * 6 + mv.piece as usize) << 5 | usize::from(mv.to))
    }

    /// No deeper than the game can last, and a little more.
    fn next(&self, board: &Board, last: Option<Effort>, limit: Depth, _: RemainingBudget) -> Option<Effort> {
        let depth = last.map_or(1, |effort| effort.depth + 1);
        let longest = board.plies_left() as Depth + BEYOND;
        (depth <= limit.min(longest)).then_some(Effort::plies(depth))
    }

    /// Games between equals are mostly decided before the limit.
    fn moves_left(&self, board: &Board) -> u32 {
        (board.plies_left().div_ceil(2) * 3 / 5).max(4)
    }

    fn moves_to_end(&self, board: &Board) -> u32 {
        board.plies_left().div_ceil(2)
    }

    #[inline(always)]
    fn uses(&self, trick: Technique) -> bool {
        self.without & 1 << trick as u32 == 0
    }
}
