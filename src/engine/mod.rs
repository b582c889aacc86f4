//! What happens between a line and an answer.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

pub mod clock;
pub mod command;
pub mod event;
pub mod game_room;
mod job;
pub mod options;
pub mod perft;
pub mod registry;
pub mod room;
pub mod session;
pub mod taste;
pub mod wire;
