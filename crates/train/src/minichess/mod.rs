//! Training of MiniChess's evaluations: self-play [`games`], their [`quiet`] positions, the [`fit`] of the tapered
//! weights to their [`samples`], and the training of the [`network`].

pub mod fit;
pub mod games;
pub mod network;
pub mod quiet;
pub mod samples;
