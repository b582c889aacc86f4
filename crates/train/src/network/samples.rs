//! Samples for the network: positions with the difference between their values and the linear weights' values.

use crate::game_file::TrainingPosition;
use crate::samples::{SampleSources, VALIDATION_INTERVAL, move_counts};
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::evaluation::pattern::geometry::PatternIndices;
use flipside_core::games::reversi::evaluation::pattern::weights::PatternWeights;
use flipside_core::search::types::UNIT;

/// Positions further from balance than this, in discs, count less.
const BALANCED: f32 = 20.0;

/// A position of the fit.
#[derive(Clone, Copy, Debug)]
pub struct NetworkSample {
    /// The position, for the side to move.
    pub board: Board,
    /// The desired correction, in discs for the side to move.
    pub target: f32,
    /// Weight of the sample, at most 1.
    pub weight: f32,
}

/// The samples of all games.
#[derive(Debug, Default)]
pub struct NetworkSamples {
    /// The training set.
    pub training: Vec<NetworkSample>,
    /// The validation set: whole games, which the fit does not see.
    pub validation: Vec<NetworkSample>,
}

impl NetworkSamples {
    /// Reads the positions of games, and those with exact values of endings, that have at least `min_empties` empty
    /// squares.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(sources: &SampleSources, linear: &PatternWeights, min_empties: u32) -> anyhow::Result<NetworkSamples> {
        let mut samples = NetworkSamples::default();
        for (list, only_exact) in sources.lists() {
            for (number, positions) in (0u64..).zip(list.positions()?) {
                let is_validation = number % VALIDATION_INTERVAL == 0;
                let list = if is_validation { &mut samples.validation } else { &mut samples.training };
                let is_wanted = |position: &TrainingPosition| {
                    (position.exact || !only_exact) && position.board.empties() >= min_empties
                };
                list.extend(
                    positions?.into_iter().filter(is_wanted).filter_map(|position| {
                        Some(sample(position.board, position.target(&sources.results)?, linear))
                    }),
                );
            }
        }
        Ok(samples)
    }
}

fn sample(board: Board, value: f32, linear: &PatternWeights) -> NetworkSample {
    let linear = linear.value(&PatternIndices::of(board), board, move_counts(board)) as f32 / UNIT as f32;
    NetworkSample { board, target: value - linear, weight: BALANCED / value.abs().max(BALANCED) }
}
