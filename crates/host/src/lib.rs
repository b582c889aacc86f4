//! The layer between the engine Flipside and its hosts: plain data ([`api`]), engines of any game behind text
//! ([`engine`]), protocols ([`protocol`]) and game records ([`record`]).

#![forbid(unsafe_code)]

pub mod api;
pub mod engine;
#[cfg(feature = "protocols")]
pub mod protocol;
pub mod record;
