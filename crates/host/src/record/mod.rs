//! Game records in files and between hosts: text in, a plain structure out, and back. Squares and boards stay text,
//! because these modules do not know the rules. [`texts`] detects the formats by content; [`codec`] reads and writes
//! them all as one [`game_record::GameRecord`].

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

pub mod charset;
pub mod codec;
pub mod fen;
pub mod format;
pub mod game_record;
pub mod ggf;
pub mod json;
mod marks;
pub mod obf;
pub mod pasted;
pub mod pgn;
pub mod san;
pub mod sgf;
pub mod svg;
pub mod texts;
mod times;
pub mod transcript;
mod tree;
pub mod wthor;
