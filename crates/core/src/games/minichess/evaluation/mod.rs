//! The evaluations of MiniChess: a neural network, and weighted terms blended by game phase, both scaled down towards the
//! draw at move 41; and material alone, for students of search.

#[cfg(test)]
mod consistency;
pub mod limit;
pub mod material;
pub mod network;
pub mod plain;
pub mod sums;
pub mod tapered;
pub mod terms;
pub mod weights;
