//! Reversi (Othello) for users of the library: typed boards, squares and moves, and an exact solver.
//!
//! ```
//! use flipside::reversi::{Board, Move, Square};
//!
//! let board = Board::default();
//! let moves: Vec<Move> = board.legal_moves().collect();
//! assert_eq!(moves, ["d3", "c4", "f5", "e6"].map(|name| name.parse().unwrap()));
//! let board = board.play(Move::Place("f5".parse::<Square>()?))?;
//! println!("{board:#}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engine itself works on [`games::reversi`](flipside_core::games::reversi): boards of two words without a side to
//! move, and kernels for each processor level.

mod board;
mod engine;
mod square;

pub use board::{Board, IllegalMove, Outcome, ParseBoardError};
pub use engine::{Reversi, Solution};
pub use square::{Move, ParseMoveError, ParseSquareError, Square};
