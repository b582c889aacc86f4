//! Game records as files and hosts exchange them: text in, a plain structure out, and back. They
//! know no rules: squares and boards stay text.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

pub mod ggf;
#[cfg(feature = "protocols")]
pub mod sgf;
