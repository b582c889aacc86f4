//! NoPolicy data that protocols and the engine share: commands and events.

pub mod command;
pub mod event;
