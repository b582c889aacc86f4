//! Proving the value of one position by the values of many easier ones, which may be solved
//! anywhere and in any order.
//!
//! [`ProofTree`] holds the positions above the frontier and their bounds ([`Bounds`]), [`plan`]
//! says which frontier positions to solve now and in which window, [`certificate`] writes down why
//! the value is proven and checks such a proof by the rules alone.

pub mod bounds;
pub mod certificate;
pub mod cost;
pub mod plan;
pub mod tree;

pub use bounds::Bounds;
pub use tree::ProofTree;
