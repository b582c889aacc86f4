//! The textbook made visible: named searchers on any game, and traces of what they do.

mod memory;
pub mod order;
pub mod picture;
pub mod plan;
mod production;
pub mod searcher;
pub mod sketch;
pub mod stand;
pub mod trace;
pub mod uniform;
