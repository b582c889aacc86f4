//! MiniChess on 5x6 (Internet MiniChess Server rules) for users of the library: typed boards, squares and moves.
//!
//! Kings are captured, bishops may also step to an empty neighbour, pawns become queens, and Black's 40th move ends the
//! game.
//!
//! ```
//! use flipside::minichess::{Board, Move};
//! use flipside::Color;
//!
//! let board = Board::default();
//! assert_eq!((board.side_to_move(), board.legal_moves().count()), (Color::White, 7));
//! let board = board.play("b2b3".parse::<Move>()?)?;
//! println!("{board:#}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engine itself works on [`games::minichess`](flipside_core::games::minichess).

mod board;
mod engine;
mod square;

pub use board::{Board, IllegalMove, Outcome, ParseBoardError};
pub use engine::MiniChess;
pub use flipside_core::games::minichess::board::Piece;
pub use square::{Move, ParseMoveError, ParseSquareError, Square};
