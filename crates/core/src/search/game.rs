//! The rules of a game: read this file first. A game is one `impl Game`; what the search may know
//! beyond the rules is in [`evaluation`](super::evaluation) and [`policy`](super::policy), the
//! names of moves and positions in [`notation`](super::notation).

use super::types::{Depth, Score};
use arrayvec::ArrayVec;
use std::fmt::Debug;

/// The rules of a game of two players with perfect information, and nothing else.
///
/// The engine counts the turns: a position stores the side to move only if the rules need it.
/// Positions are small: they are copied, never undone.
pub trait Game: Send + Sync + 'static {
    /// Everything the rules need to continue the game.
    type Position: Clone + Send + Sync + PartialEq + Debug + 'static;
    /// A legal move; it may carry what playing it needs (a square and the discs it flips).
    type Move: Copy + Send + Sync + PartialEq + Debug + 'static;
    /// A list with one item for each move of any position: `Vec<T>`, or the faster `ArrayVec<T,
    /// N>` on the stack if no position has more than `N` moves.
    type MoveList<T: Clone>: MoveList<T>;

    /// True if a position is over exactly when [`Game::moves`] is empty, so that the search
    /// generates moves without asking [`Game::outcome`] first.
    const ENDS_WITHOUT_MOVES: bool = false;
    /// [`Game::code`] is below this: the size of the search's history tables.
    const MOVE_CODES: usize = 1 << 16;

    /// The position at the start of a game.
    fn start(&self) -> Self::Position;
    /// The final score for the side to move if the game is over: hundredths of the game's unit, or `WIN`, `0`, `-WIN`
    /// where only winning counts.
    fn outcome(&self, position: &Self::Position) -> Option<Score>;
    /// The legal moves, a forced pass included; none when the game is over.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;
    /// The position after a legal move, as the opponent sees it.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;
    /// A hash of all that distinguishes two positions.
    fn key(&self, position: &Self::Position) -> u64;
    /// [`Game::key`] of the position after a legal move, if that costs less than to play it: the search then asks the
    /// memory for the table's entry before it knows whether it will play the move.
    #[inline(always)]
    fn key_after(&self, _position: &Self::Position, _mv: Self::Move) -> Option<u64> {
        None
    }
    /// A code of the move for transposition table and histories; equal for the same move in other
    /// positions, below [`Game::MOVE_CODES`], never `u16::MAX`.
    fn code(&self, mv: Self::Move) -> u16;
    /// Plies that a move costs: a forced pass may cost none.
    fn cost(&self, _mv: Self::Move) -> Depth {
        1
    }
}

/// A growing list with room for all moves of a position: see [`Game::MoveList`].
pub trait MoveList<T>: Default + AsRef<[T]> + AsMut<[T]> {
    /// Adds an item at the end.
    ///
    /// # Panics
    /// If the game declares a list shorter than its positions have moves: no move is dropped
    /// silently.
    fn append(&mut self, item: T);
}

impl<T, const N: usize> MoveList<T> for ArrayVec<T, N> {
    #[inline(always)]
    fn append(&mut self, item: T) {
        self.push(item);
    }
}

impl<T> MoveList<T> for Vec<T> {
    #[inline(always)]
    fn append(&mut self, item: T) {
        self.push(item);
    }
}
