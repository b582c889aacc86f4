//! What happens between a line and an answer.

pub mod command;
pub mod event;
pub mod game_room;
pub mod options;
pub mod perft;
pub mod room;
