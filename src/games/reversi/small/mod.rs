//! Reversi on 6x6 and 4x4: the same boards and kernels as on 8x8, with a mask of the squares that exist. The board's corner a1
//! is that of 8x8. Squares beyond the mask stay empty, so that no line of discs passes them and no kernel need know of it.

pub mod evaluation;
pub mod notation;
pub mod policy;
pub mod rules;
pub mod solver;
mod symmetry;
