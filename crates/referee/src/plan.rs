//! The plan of a match.

use super::limits::PlayerLimits;
use super::schedule::Tournament;
use super::spec::PlayerSpec;
use super::statistics::sprt::Sprt;
use super::types::MatchConfig;
use std::path::PathBuf;

/// A match that can be played.
#[derive(Debug)]
pub struct MatchPlan {
    /// All players with their limits.
    pub players: Vec<(PlayerSpec, PlayerLimits)>,
    /// The game's name.
    pub game: String,
    /// Games of each pairing.
    pub games: usize,
    /// File of openings; the built-in ones if there is none.
    pub openings: Option<PathBuf>,
    /// Seed of the order of the openings.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Which players meet.
    pub tournament: Tournament,
    /// The settings of every game.
    pub config: MatchConfig,
    /// The test that ends the match early.
    pub sprt: Option<Sprt>,
    /// File of JSON lines.
    pub json: Option<PathBuf>,
    /// Whether the closing report is a JSON object.
    pub json_report: bool,
    /// Whether to continue after the games in that file.
    pub resume: bool,
    /// Numbers of the games to play and to print as a shard, from the first, below the second; `None` plays all.
    pub range: Option<(u64, u64)>,
    /// Whether to print a line for every finished game on stderr.
    pub verbose: bool,
    /// File of game records.
    pub record: Option<PathBuf>,
}
