//! GGS, the Generic Game Server, and its Othello service `/os`.
//!
//! The server sends messages of one or several lines ([`message`]); the service's requests have a language of their own
//! ([`request`]). Boards come as GGF to programs (`client +`) and as pictures to others ([`picture`]); both are read.

mod client;
mod message;
mod picture;
mod request;

pub use client::{GgsClient, GgsSettings, Offer};
pub use request::MatchType;
