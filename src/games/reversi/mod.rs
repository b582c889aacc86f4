//! Reversi.

pub mod board;
pub mod kernels;
