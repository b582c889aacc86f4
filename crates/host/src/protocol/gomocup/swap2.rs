//! The opening by swap2: one side puts three stones, the other chooses a colour or adds stones, and the first may choose.

use super::coordinates::Coordinates;
use super::state::{Placed, Stone};
use crate::api::event::BestMove;
use flipside_core::search::types::Side;

/// The three stones with which the engine opens: columns from the left edge, and rows below the middle of the board. Near
/// the edge Black's first move is worth so little that a search of eight plies sees neither side better (+0.06 for White).
const OPENING: [(usize, usize); 3] = [(1, 0), (2, 0), (1, 3)];

/// The stones that the engine puts on an empty board with `size` points a side.
pub(super) fn opening(size: usize) -> Vec<Coordinates> {
    OPENING.map(|(x, y)| Coordinates { x, y: size / 2 + y }).into()
}

/// Stones in the order of play: Black, White, Black ...; White is to move. `None` for a number of stones that does not
/// occur.
pub(super) fn placed(points: &[Coordinates]) -> Option<Placed> {
    let sides = [Side::First, Side::Second].into_iter().cycle();
    let stones = points.iter().zip(sides).map(|(&at, side)| Stone { at, side }).collect();
    matches!(points.len(), 3 | 5).then_some(Placed { stones, to_move: Side::Second })
}

/// Whether the engine takes Black rather than White, who is to move and was searched for.
pub(super) fn takes_black(best_move: &BestMove) -> bool {
    best_move.info.as_ref().is_some_and(|info| info.score < 0)
}
