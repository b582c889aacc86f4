//! The evaluations of MiniChess: a neural network, and weighted terms blended by game phase. Both are scaled down towards
//! the draw at move 41.

#[cfg(test)]
mod consistency;
pub mod limit;
pub mod network;
pub mod tapered;
pub mod terms;
pub mod weights;
