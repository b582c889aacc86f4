//! What the search tries in Reversi: the order of moves, the schedule of depths, shares of time.

use super::board::{Board, PASS, Placement, Reversi};
use super::kernels::Kernels;
use crate::search::game::{Depth, Effort, Eval, Game, Selectivity, Tactics};
use std::marker::PhantomData;

/// Tactics of Reversi for a processor level.
#[derive(Debug)]
pub struct ReversiTactics<K>(PhantomData<K>);

impl<K: Kernels> ReversiTactics<K> {
    /// Tactics whose solver keeps a table of `hash` MiB.
    pub fn new(_hash: usize) -> Self {
        ReversiTactics(PhantomData)
    }
}

/// Ranks by kind of square: corners first, squares beside empty corners last.
const SQUARE_RANK: [i32; 64] = square_ranks();

const fn square_ranks() -> [i32; 64] {
    // One quadrant, a1 to d4; the others mirror it.
    const QUADRANT: [[i32; 4]; 4] =
        [[900, -300, 150, 120], [-300, -500, -60, -40], [150, -60, 40, 20], [120, -40, 20, 0]];
    let mut ranks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        ranks[square] = QUADRANT[row][column];
        square += 1;
    }
    ranks
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// What one more reply of the opponent costs in rank, and one more at a corner.
const REPLY: i32 = 110;
/// Empty squares next to the mover's discs after the move: replies of a later day.
const FRONTIER: i32 = 18;
/// From so many plies before the end the search goes straight for it.
const LEAP: Depth = 9;

impl<K: Kernels, E: Eval<Reversi<K>>> Tactics<Reversi<K>, E> for ReversiTactics<K> {
    type Level = K;
    const PRESORT: Option<Depth> = Some(4);

    /// Fastest first: few replies for the opponent, corners, and few open neighbours.
    #[inline(always)]
    fn order(&self, game: &Reversi<K>, board: &Board, mv: Placement) -> i32 {
        if mv.square == PASS {
            return 0;
        }
        let child = game.play(board, mv);
        let replies = game.placements(child);
        let count = replies.count_ones() + (replies & CORNERS).count_ones();
        let open = (neighbours(child.opponent) & child.empty()).count_ones();
        SQUARE_RANK[usize::from(mv.square)] - REPLY * count as i32 - FRONTIER * open as i32
    }

    fn horizon(&self, board: &Board) -> Option<Depth> {
        Some(board.empties() as Depth)
    }

    /// Ply by ply, then in one leap to the end of the game.
    fn next(&self, board: &Board, last: Option<Effort>, limit: Depth) -> Option<Effort> {
        let end = board.empties() as Depth;
        let done = last.map_or(0, |effort| effort.depth);
        if done >= end.max(1) {
            return None;
        }
        let depth = if end <= limit && done + LEAP >= end { end.max(1) } else { done + 1 };
        (depth <= limit).then_some(Effort { depth, selectivity: Selectivity::EXACT })
    }

    /// Half of the empty squares, but the last dozen are solved in no time.
    fn moves_left(&self, board: &Board) -> u32 {
        (board.empties().saturating_sub(12) / 2).max(2)
    }

    /// The middle game before the exact solve decides most games.
    fn weight(&self, board: &Board) -> u32 {
        match board.empties() {
            49.. => 60,
            41..=48 => 90,
            33..=40 => 120,
            20..=32 => 140,
            _ => 100,
        }
    }
}

/// The squares next to the discs, whether empty or not.
#[inline(always)]
pub fn neighbours(discs: u64) -> u64 {
    let sideways = discs | (discs << 1 & 0xfefe_fefe_fefe_fefe) | (discs >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    sideways | sideways << 8 | sideways >> 8
}
