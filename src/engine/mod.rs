//! What happens between a line and an answer.

pub mod command;
pub mod event;
pub mod options;
pub mod room;
