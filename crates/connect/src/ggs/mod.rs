//! GGS, the Generic Game Server, and its Othello service `/os`.
//!
//! The server sends messages of one or several lines (`message`); the service's requests have a language of their own
//! (`request`). Boards come as GGF to programs (`client +`) and as pictures to others (`picture`); both are read.

mod client;
mod login;
mod message;
mod picture;
mod request;
mod settings;

pub use client::GgsClient;
pub use request::MatchType;
pub use settings::{GgsSettings, Offer};
