//! Arguments that several subcommands share.

pub mod evaluation;
pub mod play_book;
pub mod position;
pub mod strength;
pub mod technique_args;
pub mod variant_args;
pub mod xot;
