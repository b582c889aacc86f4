//! Training of MiniChess's evaluations: self-play [`games`], their [`quiet`] positions, the [`fit`] of the tapered
//! weights and the training of the [`network`].

pub mod adam;
pub mod epoch;
pub mod fit;
pub mod games;
pub mod network;
pub mod quiet;
pub mod samples;
pub mod validation;
