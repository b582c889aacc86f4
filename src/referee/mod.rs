//! The referee: `flipside match` runs engines against each other and estimates the difference in strength, `lint` checks
//! protocols, `openings` finds balanced openings.
//!
//! Our own rules decide what is legal, the referee measures time itself, and no player can hang it: output is read by
//! threads and waited for with deadlines.

mod builtin;
mod client;
mod external;
pub mod find_openings;
mod game;
mod gtp_response;
mod limits;
pub mod lint;
mod openings;
mod options;
mod participant;
mod player;
mod process;
mod record;
mod recorder;
mod schedule;
mod shell_words;
mod spec;
mod standings;
pub mod statistics;
mod tournament;
mod types;

pub use options::MatchArgs;
pub use tournament::run;
