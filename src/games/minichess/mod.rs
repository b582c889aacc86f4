//! MiniChess on 5x6 with the rules of the Internet MiniChess Server: kings are captured, bishops may
//! also step to an empty neighbour, pawns become queens, and Black's 40th move ends the game.

pub mod board;
pub mod evaluation;
pub mod movegen;
pub mod notation;
pub mod policy;
pub mod rules;
pub mod see;
pub mod squares;
pub mod state_text;
pub mod tables;
