//! IMCS, the server of MiniChess: log in, offer or accept one game on each connection, play it.

mod client;
mod message;

pub use client::{ImcsClient, ImcsSettings};
