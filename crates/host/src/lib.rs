//! The layer between the engine Flipside and its hosts: plain data ([`api`]), engines of any game behind text
//! ([`engine`]), protocols ([`protocol`]) and game records ([`record`]).

#[forbid(unsafe_code)]
pub mod api;
pub mod engine;
#[cfg(feature = "protocols")]
#[forbid(unsafe_code)]
pub mod protocol;
#[forbid(unsafe_code)]
pub mod record;
