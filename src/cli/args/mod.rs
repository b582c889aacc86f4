//! Arguments that several subcommands share.

pub mod play_book;
pub mod technique_args;
pub mod variant_args;
