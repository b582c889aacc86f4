//! The textbook made visible: named searchers on any game, and traces of what they do.

pub mod order;
pub mod searcher;
pub mod stand;
pub mod trace;
