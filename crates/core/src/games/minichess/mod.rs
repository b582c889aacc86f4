//! MiniChess on 5x6 with the rules of the Internet MiniChess Server: kings are captured, bishops may also step to an
//! orthogonal empty neighbour, pawns promote to queens, and Black's 40th move ends the game as a draw.

pub mod board;
pub mod evaluation;
pub mod margins;
mod move_classes;
pub mod movegen;
pub mod notation;
pub mod policy;
pub mod proof;
pub mod rules;
pub mod searcher;
pub mod see;
pub mod squares;
pub mod state_text;
pub mod tables;
