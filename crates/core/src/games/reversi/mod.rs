//! Reversi (Othello) on 8x8: board, kernels by processor level, rules, symmetries, evaluations, ProbCut, the exact
//! solver and the opening book.

pub mod board;
pub mod book;
pub mod evaluation;
pub mod kernels;
pub mod level;
pub mod mobility;
pub mod notation;
pub mod obf;
pub mod opening_names;
pub mod policy;
pub mod probcut;
pub mod proof;
#[cfg(test)]
pub mod random_games;
pub mod rules;
pub mod searcher;
pub mod small;
pub mod solver;
pub mod stability;
pub mod symmetry;
#[cfg(all(test, unix, feature = "virtual-processors"))]
mod virtual_threads;
