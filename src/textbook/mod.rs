//! The textbook made visible: named searchers on any game, and traces of what they do.

mod memory;
pub mod order;
pub mod plan;
mod production;
pub mod searcher;
pub mod stand;
pub mod trace;
