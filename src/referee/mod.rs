//! `flipside match`: a referee that runs engines against each other and gives a verdict.
//!
//! The referee's own rules decide what is legal, it measures the time itself, and nothing a player
//! does can hang it: players are read by threads and waited for with deadlines.

mod builtin;
mod client;
pub mod find_openings;
mod game;
pub mod lint;
mod openings;
mod options;
mod player;
mod process;
mod record;
mod schedule;
mod spec;
mod standing;
pub mod statistics;
mod tournament;
mod words;

pub use options::MatchArgs;
pub use tournament::run;
