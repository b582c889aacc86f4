//! The textbook made visible: named searchers on any game, and traces of what they do. [`tour`] is the way in.

pub mod count;
mod memory;
pub mod order;
#[cfg(feature = "cli")]
pub mod picture;
pub mod plan;
mod production;
pub mod searcher;
#[cfg(feature = "cli")]
pub mod sketch;
pub mod stand;
#[cfg(feature = "cli")]
pub mod tour;
#[cfg(feature = "cli")]
pub mod trace;
pub mod uniform;
