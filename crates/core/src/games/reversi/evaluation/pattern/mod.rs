//! The pattern evaluation (option value `linear`; after Buro's Logistello): weights of disc patterns, of mobility and of
//! the tempo, by stage of the game. `flipside train` makes the weights; `docs/training.md` says how.

pub mod geometry;
pub mod weights;
pub mod weights_file;

use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::rules::Reversi;
use crate::search::evaluation::Eval;
use crate::search::types::{Score, UNIT};
use flipside_support::program_pages;
use geometry::PatternIndices;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use weights::PatternWeights;
use weights_file::PatternWeightsError;

/// The file of weights in the binary.
static PACKED: &[u8] = include_bytes!("weights.bin");

/// The pattern evaluation with its weights.
pub struct PatternEvaluation<K: Kernels> {
    game: Reversi<K>,
    weights: Arc<PatternWeights>,
}

impl<K: Kernels> Clone for PatternEvaluation<K> {
    fn clone(&self) -> Self {
        PatternEvaluation { game: self.game.clone(), weights: Arc::clone(&self.weights) }
    }
}

/// The weights of the file, or those in the binary, which are unpacked once.
///
/// # Errors
/// The file cannot be read, or what is wrong with it.
pub fn open_weights(file: Option<&Path>) -> Result<Arc<PatternWeights>, PatternWeightsError> {
    static BUILT_IN: OnceLock<Result<Arc<PatternWeights>, PatternWeightsError>> = OnceLock::new();
    match file {
        Some(path) => weights_file::load(path).map(Arc::new),
        None => {
            let unpacked = BUILT_IN.get_or_init(|| {
                let unpacked = weights_file::unpack(PACKED).map(Arc::new);
                // SAFETY: the bytes lie in the program.
                unsafe { program_pages::release(PACKED) };
                unpacked
            });
            unpacked.clone()
        }
    }
}

impl<K: Kernels> PatternEvaluation<K> {
    /// The evaluation with these weights.
    pub fn new(game: &Reversi<K>, weights: Arc<PatternWeights>) -> PatternEvaluation<K> {
        PatternEvaluation { game: game.clone(), weights }
    }

    /// The value of a position: the linear one after `correct`, which also gets the numbers of
    /// moves of the side to move and of its opponent. A side without discs has lost all 64.
    #[inline(always)]
    pub fn value(
        &self,
        indices: &PatternIndices,
        board: &Board,
        correct: impl FnOnce(Score, [u32; 2]) -> Score,
    ) -> Score {
        if board.player == 0 {
            return -64 * UNIT;
        }
        if board.opponent == 0 {
            return 64 * UNIT;
        }
        let moves = [self.game.placements(*board).count_ones(), self.game.placements(board.passed()).count_ones()];
        correct(self.weights.value(indices, *board, moves), moves)
    }
}

impl<K: Kernels> Eval<Reversi<K>> for PatternEvaluation<K> {
    type Accumulator = PatternIndices;

    fn refresh(&self, board: &Board) -> PatternIndices {
        PatternIndices::of(*board)
    }

    #[inline(always)]
    fn update(&self, indices: &PatternIndices, _: &Board, mv: Placement, _: &Board) -> PatternIndices {
        indices.after(mv)
    }

    #[inline(always)]
    fn evaluate(&self, indices: &PatternIndices, board: &Board) -> Score {
        self.value(
            indices,
            board,
            #[inline(always)]
            |linear, _| linear,
        )
    }
}
