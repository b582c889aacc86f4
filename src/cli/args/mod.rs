//! Arguments that several subcommands share.

pub mod evaluation;
pub mod play_book;
pub mod technique_args;
pub mod textbook_position;
pub mod variant_args;
