//! Reversi on 6x6 and 4x4: the boards and kernels of 8x8, with a mask of the existing squares. The
//! board's corner a1 is that of 8x8. Squares outside the mask stay empty, so no line of discs
//! passes them, and the kernels need no changes.

pub mod evaluation;
pub mod notation;
pub mod policy;
pub mod rules;
pub mod solver;
mod symmetry;
