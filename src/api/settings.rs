//! The settings of an engine and its session as plain values. `options` says how a host sees and sets them.

use crate::search::algorithm::Algorithm;
use std::path::PathBuf;
use std::time::Duration;

/// The effort level without a depth limit.
pub const FULL_LEVEL: u32 = 60;
/// Full playing strength, in percent.
pub const FULL_STRENGTH: u32 = 100;

/// The values of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Name of the game.
    pub game: String,
    /// Memory of the search tables in MiB.
    pub hash: usize,
    /// Threads of one search.
    pub threads: usize,
    /// Principal variations that a search for a move follows.
    pub multipv: usize,
    /// Whether the host may ask for pondering.
    pub ponder: bool,
    /// Reserve for the host's lag, taken off the time of every move.
    pub move_overhead: Duration,
    /// The search algorithm.
    pub algorithm: Algorithm,
    /// Name of the evaluation; `default` is the game's best.
    pub evaluation: String,
    /// Weights to load instead of those in the binary.
    pub weights: Option<PathBuf>,
    /// Whether a host may name files to be read.
    pub host_files: bool,
    /// Search techniques to disable, separated by commas.
    pub disabled_techniques: String,
    /// Depth limit of a move in plies; [`FULL_LEVEL`] is unlimited.
    pub level: u32,
    /// Playing strength in percent, up to [`FULL_STRENGTH`].
    pub strength: u32,
    /// How much worse than the best a chosen move may be, in hundredths of a unit.
    pub variety: i32,
    /// Seed of the best_move that strength or variety leave open; 0 draws another one each time.
    pub seed: u64,
    /// Value of a drawn game for the first player in hundredths of a unit (NBoard's contempt).
    pub contempt: i32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            game: "reversi".into(),
            hash: 64,
            threads: 1,
            multipv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(20),
            algorithm: Algorithm::Pvs,
            evaluation: "default".into(),
            weights: None,
            host_files: true,
            disabled_techniques: String::new(),
            level: FULL_LEVEL,
            strength: FULL_STRENGTH,
            variety: 0,
            seed: 0,
            contempt: 0,
        }
    }
}

impl Settings {
    /// The settings for another game: what belongs to one game only is as in a fresh engine.
    pub fn for_game(&self, game: &str) -> Settings {
        let Settings { evaluation, weights, disabled_techniques, .. } = Settings::default();
        Settings { game: game.to_string(), evaluation, weights, disabled_techniques, ..self.clone() }
    }
}
