//! The games. `engine::registry` opens their rooms by name.

pub mod connect_four;
pub mod minichess;
pub mod reversi;
pub mod tic_tac_toe;
pub mod tree;
