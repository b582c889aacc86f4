//! What happens between a line and an answer.

pub mod clock;
pub mod command;
pub mod event;
pub mod game_room;
pub mod options;
pub mod perft;
pub mod registry;
pub mod room;
pub mod session;
pub mod wire;
