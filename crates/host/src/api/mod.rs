//! Plain data that protocols and the engine share: commands and events, settings and option descriptions, and
//! what the session needs to know of a protocol. Neither side imports the other; both import this.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

pub mod command;
pub mod elo;
pub mod event;
pub mod options;
pub mod protocol;
pub mod settings;
