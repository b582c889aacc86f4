//! The rules of a game: the file to read first.

use super::types::{Depth, Score};
use std::fmt::Debug;

/// More moves than any position of any game here has.
pub const MAX_MOVES: usize = 128;

/// The rules of a game of two players and full information, and nothing else.
///
/// A position knows who is to move only as far as the rules need it: the room counts the turns.
/// Positions are small: they are copied, never undone.
pub trait Game: Send + Sync + 'static {
    /// Everything the rules need to go on.
    type Position: Clone + Send + Sync + PartialEq + Debug + 'static;
    /// A legal move; it may carry what playing it needs (a square and the discs it turns).
    type Move: Copy + Send + Sync + PartialEq + Debug + 'static;

    /// True when a position is over exactly if [`Game::moves`] yields nothing, so that the search
    /// need not ask [`Game::outcome`] before it looks for moves.
    const ENDS_WITHOUT_MOVES: bool = false;

    /// Where a game begins.
    fn start(&self) -> Self::Position;
    /// The final score for the side to move if the game is over: a number in hundredths of the
    /// unit, or `WIN`, `0`, `-WIN` where only winning counts.
    fn outcome(&self, position: &Self::Position) -> Option<Score>;
    /// The legal moves, a forced pass included; none when the game is over.
    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = Self::Move>;
    /// The position after a legal move, seen by the opponent.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;
    /// A hash of all that distinguishes two positions.
    fn key(&self, position: &Self::Position) -> u64;
    /// A short name of the move for tables and histories; equal for the same move in other
    /// positions. Never `u16::MAX`.
    fn code(&self, mv: Self::Move) -> u16;
    /// Plies that a move uses up: a forced pass may be free.
    fn cost(&self, _mv: Self::Move) -> Depth {
        1
    }
}
