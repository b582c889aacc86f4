//! Samples for the network: positions with what the linear weights miss of their values.

use crate::games::reversi::board::Board;
use crate::games::reversi::evaluation::network::weights::ROWS;
use crate::games::reversi::evaluation::pattern::geometry::{
    GEOMETRY, OFFSETS, PATTERN_WEIGHTS, PATTERNS, PatternIndices,
};
use crate::games::reversi::evaluation::pattern::weights::{MOBILITIES, PatternWeights};
use crate::games::reversi::kernels::portable::moves;
use crate::search::types::UNIT;
use crate::train::samples::VALIDATION_INTERVAL;
use crate::train::training_games::TrainingGames;

/// Rows that a position adds up: one for each pattern, and the numbers of moves of both sides.
pub const ACTIVE_ROWS: usize = PATTERNS + 2;
/// Positions further from balance count less, in discs.
const BALANCED: f32 = 20.0;

/// A position as the fit sees it.
#[derive(Clone, Copy, Debug)]
pub struct NetworkSample {
    /// The position, for the side to move.
    pub board: Board,
    /// What the correction should be, in discs for the side to move.
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
    /// Reads the positions of games that have so many empty squares or more.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(games: &[TrainingGames], linear: &PatternWeights, min_empties: u32) -> anyhow::Result<NetworkSamples> {
        let mut samples = NetworkSamples::default();
        for list in games {
            for (number, game) in (0u64..).zip(list.games()?) {
                let is_validation = number % VALIDATION_INTERVAL == 0;
                let list = if is_validation { &mut samples.validation } else { &mut samples.training };
                let positions = game?.positions().into_iter();
                let wanted = positions.filter(|position| !position.opening && position.board.empties() >= min_empties);
                list.extend(wanted.map(|position| sample(position.board, position.value, linear)));
            }
        }
        Ok(samples)
    }
}

fn sample(board: Board, value: f32, linear: &PatternWeights) -> NetworkSample {
    let linear = linear.value(&PatternIndices::of(board), board, move_counts(board)) as f32 / UNIT as f32;
    NetworkSample { board, target: value - linear, weight: BALANCED / value.abs().max(BALANCED) }
}

/// The numbers of moves of the side to move and of its opponent.
pub fn move_counts(board: Board) -> [u32; 2] {
    [moves(board.player, board.opponent).count_ones(), moves(board.opponent, board.player).count_ones()]
}

/// Finds the rows of positions; a configuration and its mirror image share one.
pub struct RowFinder {
    representatives: Vec<u32>,
}

impl RowFinder {
    /// Finds the mirror images of all configurations.
    pub fn new() -> RowFinder {
        let mut representatives = vec![0; PATTERN_WEIGHTS];
        for shape in &GEOMETRY.shapes {
            let half = (shape.configurations / 2) as i32;
            for index in -half..=half {
                let at = |index: i32| (shape.offset as i32 + index) as usize;
                representatives[at(index)] = at(shape.representative(index)) as u32;
            }
        }
        RowFinder { representatives }
    }

    /// The row that a row shares its weights with.
    pub fn representative(&self, row: usize) -> usize {
        self.representatives.get(row).map_or(row, |&representative| representative as usize)
    }

    /// The rows that a position adds up.
    #[inline(always)]
    pub fn rows(&self, board: Board) -> [u32; ACTIVE_ROWS] {
        let indices = PatternIndices::of(board).0;
        let mut rows = [0; ACTIVE_ROWS];
        for pattern in 0..PATTERNS {
            rows[pattern] = self.representatives[(OFFSETS[pattern] + i32::from(indices[pattern])) as usize];
        }
        for (side, count) in move_counts(board).into_iter().enumerate() {
            let count = (count as usize).min(MOBILITIES - 1);
            rows[PATTERNS + side] = (PATTERN_WEIGHTS + side * MOBILITIES + count) as u32;
        }
        debug_assert!(rows.iter().all(|&row| (row as usize) < ROWS));
        rows
    }
}

impl Default for RowFinder {
    fn default() -> Self {
        RowFinder::new()
    }
}
