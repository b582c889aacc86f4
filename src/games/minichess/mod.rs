//! MiniChess on 5x6 with the rules of the Internet MiniChess Server: kings are captured, bishops may
//! also step to an empty neighbour, pawns become queens, and Black's 40th move ends the game.

pub mod board;
pub mod evaluation;
pub mod exchange;
pub mod generate;
pub mod notation;
pub mod rules;
pub mod squares;
pub mod state_text;
pub mod tables;
pub mod tactics;
