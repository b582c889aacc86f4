//! The textbook made visible: named searchers on any game, and traces of what they do. [`tour`] is the way in.

pub mod count;
mod memory;
pub mod order;
pub mod picture;
pub mod plan;
mod production;
pub mod searcher;
pub mod sketch;
pub mod stand;
pub mod tour;
pub mod trace;
pub mod uniform;
