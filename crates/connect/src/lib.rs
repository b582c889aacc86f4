//! Clients of game servers (`flipside connect`): [`ggs`] plays Othello on GGS, [`imcs`] MiniChess on IMCS.
//!
//! A client is a state machine: it is told what the server says and what the engine has chosen, and answers with
//! [`client::Action`]s. [`run`] carries them out: it owns the connection, the engines and the clock. So every
//! conversation can be tested without a network. Each line of a server counts as hostile: lines have a limited length,
//! numbers a range, and what cannot be understood changes nothing.

#![forbid(unsafe_code)]

pub mod client;
pub mod event;
pub mod game;
pub mod ggs;
#[cfg(test)]
mod hostile_tests;
pub mod imcs;
pub mod lines;
mod link;
pub mod rules;
pub mod run;
mod thinkers;
