//! The evaluations of Reversi: patterns with trained weights, and the textbook's features, each alone or weighted by
//! stage.

pub mod choice;
pub mod features;
pub mod network;
pub mod pattern;
pub mod single_feature;
pub mod stage_weighted;

pub use choice::{ReversiEvaluation, WithEvaluation, with_evaluation};
pub use network::NetworkEvaluation;
pub use pattern::PatternEvaluation;
pub use single_feature::SingleFeature;
