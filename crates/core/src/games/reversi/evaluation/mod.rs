//! The evaluations of Reversi: patterns with trained weights, and the textbook's features, each alone or weighted by
//! stage.

pub mod choice;
pub mod features;
pub mod network;
pub mod pattern;
pub mod plain;
pub mod single_feature;
pub mod stage_weighted;

pub use choice::ReversiEvaluation;
pub use network::NetworkEvaluation;
pub use pattern::PatternEvaluation;
pub use plain::PlainEvaluation;
pub use single_feature::SingleFeature;
