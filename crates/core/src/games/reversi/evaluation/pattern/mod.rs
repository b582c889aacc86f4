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

/// The value of a position where one side has no disc: it has lost all 64.
#[inline(always)]
pub fn wiped_out(board: &Board) -> Option<Score> {
    match (board.player, board.opponent) {
        (0, _) => Some(-64 * UNIT),
        (_, 0) => Some(64 * UNIT),
        _ => None,
    }
}

impl<K: Kernels> PatternEvaluation<K> {
    /// The evaluation with these weights.
    pub fn new(game: &Reversi<K>, weights: Arc<PatternWeights>) -> PatternEvaluation<K> {
        PatternEvaluation { game: game.clone(), weights }
    }

    /// The numbers of moves of the side to move and of its opponent.
    #[inline(always)]
    pub fn moves(&self, board: &Board) -> [u32; 2] {
        [self.game.placements(*board).count_ones(), self.game.placements(board.passed()).count_ones()]
    }

    /// The linear value of a position where the sides have these numbers of moves.
    #[inline(always)]
    pub fn value(&self, indices: &PatternIndices, board: &Board, moves: [u32; 2]) -> Score {
        self.weights.value(indices, *board, moves)
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
        match wiped_out(board) {
            Some(value) => value,
            None => self.value(indices, board, self.moves(board)),
        }
    }
}
