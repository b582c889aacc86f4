//! The referee: runs engines against each other and estimates the difference in strength (`flipside match`), and checks
//! that an engine keeps the rules of its protocol ([`lint`]).
//!
//! The referee's own rules decide what is legal, and the referee measures time itself. No player can block it, because threads
//! read the output and all waiting has deadlines.

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod balanced_lines;
mod builtin;
mod client;
mod dialogue;
mod effort;
pub mod external;
mod game;
mod gtp_response;
pub mod limits;
pub mod lint;
pub mod openings;
mod participant;
pub mod plan;
pub mod player;
mod process;
mod process_group;
mod record;
mod recorder;
pub mod schedule;
pub mod shard;
mod shell_words;
pub mod spec;
mod standings;
mod standings_json;
pub mod statistics;
pub mod time_control;
mod tournament;
pub mod types;

pub use tournament::run;
