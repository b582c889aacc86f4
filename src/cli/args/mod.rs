//! Arguments that several subcommands share.

pub mod elo_args;
pub mod evaluation;
pub mod play_book;
pub mod position;
pub mod technique_args;
pub mod variant_args;
pub mod xot;
