//! The engine behind the protocols: sessions, engines of any game, time management, skill, and the two ends of the pipe.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

pub mod bench;
pub mod bindings;
pub mod book_choice;
pub mod book_learning;
#[cfg(feature = "protocols")]
pub mod clock;
pub mod diagram;
pub mod dyn_engine;
pub mod dyn_position;
pub mod engine_book;
pub mod game_engine;
mod game_history;
#[cfg(feature = "protocols")]
pub mod message;
mod opened_book;
pub mod recorded_game;
pub mod recorded_result;
mod recorded_variations;
pub mod registry;
mod search_runner;
mod search_thread;
#[cfg(feature = "protocols")]
pub mod session;
mod sight;
pub mod skill;
#[cfg(feature = "protocols")]
pub mod stdio;
pub mod textbook_position;
pub mod watch;
