//! The network evaluation (option value `network`): the value of the linear weights, and a
//! correction by a small neural network over the same pattern indices. The correction adds what
//! combinations of patterns mean, which 46 sums of tables cannot express.
//!
//! Each configuration of a pattern adds a row to the neurons of the first layer (as pieces on
//! squares do in NNUE, Yu Nasu, 2018); two small layers for each number of empty squares turn the
//! squares of these neurons into a correction. Two techniques keep it cheap: where the linear
//! value is further outside the window than corrections reach, it is used alone (lazy evaluation);
//! moves are ordered by the linear value alone.

pub mod cache;
pub mod file;
pub mod weights;

use super::pattern::geometry::PatternIndices;
use super::pattern::{PatternEvaluation, open_weights, wiped_out};
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::rules::Reversi;
use crate::search::evaluation::Eval;
use crate::search::types::{Score, UNIT};
use cache::{CachedValues, EvaluationCache};
use file::NetworkFileError;
use flipside_support::memory::MemoryError;
use flipside_support::program_pages;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use weights::PatternNetwork;

/// Lazy evaluation: this far outside the window, in hundredths of a disc, the linear value is used
/// without a correction.
const LAZY_MARGIN: Score = 500;

/// True if a linear value is so far outside the window that it is used alone.
#[inline(always)]
fn stands(linear: Score, (alpha, beta): (Score, Score)) -> bool {
    linear >= beta + LAZY_MARGIN || linear <= alpha - LAZY_MARGIN
}

/// The network evaluation with its weights.
pub struct NetworkEvaluation<K: Kernels> {
    linear: PatternEvaluation<K>,
    network: Arc<PatternNetwork>,
    cache: Arc<EvaluationCache>,
}

impl<K: Kernels> Clone for NetworkEvaluation<K> {
    fn clone(&self) -> Self {
        let NetworkEvaluation { linear, network, cache } = self;
        NetworkEvaluation { linear: linear.clone(), network: Arc::clone(network), cache: Arc::clone(cache) }
    }
}

impl<K: Kernels> NetworkEvaluation<K> {
    /// The evaluation with this network.
    ///
    /// # Errors
    /// There is not enough memory for the evaluation cache.
    pub fn new(game: &Reversi<K>, network: Arc<PatternNetwork>) -> Result<NetworkEvaluation<K>, MemoryError> {
        let linear = PatternEvaluation::new(game, Arc::clone(&network.linear));
        Ok(NetworkEvaluation { linear, network, cache: Arc::new(EvaluationCache::new()?) })
    }

    /// The value of a position whose linear value and numbers of moves are known.
    #[inline(always)]
    fn corrected(&self, indices: &PatternIndices, board: &Board, linear: Score, moves: [u32; 2]) -> Score {
        (linear + self.network.correction(indices, *board, moves)).clamp(-64 * UNIT, 64 * UNIT)
    }
}

/// The file of the network in the binary; none without the feature `network`.
static PACKED: &[u8] = if cfg!(feature = "network") { include_bytes!("network.bin") } else { &[] };

/// The network of the file, or the one in the binary, which is unpacked once.
///
/// # Errors
/// The file cannot be read, or what is wrong with it.
pub fn open_network(file: Option<&Path>) -> Result<Arc<PatternNetwork>, NetworkFileError> {
    static BUILT_IN: OnceLock<Result<Arc<PatternNetwork>, NetworkFileError>> = OnceLock::new();
    let linear = || open_weights(None).map_err(|_| NetworkFileError::Damaged("the linear weights in the binary"));
    match file {
        Some(path) => file::load(path, linear()?).map(Arc::new),
        None => {
            let unpacked = BUILT_IN.get_or_init(|| {
                let unpacked = file::unpack(PACKED, linear()?).map(Arc::new);
                // SAFETY: the bytes lie in the program.
                unsafe { program_pages::release(PACKED) };
                unpacked
            });
            unpacked.clone()
        }
    }
}

/// A window that contains every value.
const EVERYTHING: (Score, Score) = (-1_000 * UNIT, 1_000 * UNIT);

impl<K: Kernels> Eval<Reversi<K>> for NetworkEvaluation<K> {
    type Accumulator = PatternIndices;

    fn new_search(&self, threads: usize) {
        self.cache.resize(threads);
    }

    fn refresh(&self, board: &Board) -> PatternIndices {
        self.linear.refresh(board)
    }

    #[inline(always)]
    fn update(&self, indices: &PatternIndices, board: &Board, mv: Placement, child: &Board) -> PatternIndices {
        self.linear.update(indices, board, mv, child)
    }

    #[inline(always)]
    fn evaluate(&self, indices: &PatternIndices, board: &Board) -> Score {
        self.static_eval_within(indices, board, EVERYTHING)
    }

    #[inline(always)]
    fn static_eval_within(&self, indices: &PatternIndices, board: &Board, window: (Score, Score)) -> Score {
        let slot = self.cache.slot(*board);
        let known = slot.load();
        if let Some(CachedValues { linear, corrected }) = known
            && let Some(value) = if stands(linear, window) { Some(linear) } else { corrected }
        {
            return value;
        }
        if let Some(value) = wiped_out(board) {
            return value;
        }
        let moves = self.linear.moves(board);
        let linear = match known {
            Some(known) => known.linear,
            None => self.linear.value(indices, board, moves),
        };
        let corrected = (!stands(linear, window)).then(
            #[inline(always)]
            || self.corrected(indices, board, linear, moves),
        );
        slot.store(CachedValues { linear, corrected });
        corrected.unwrap_or(linear)
    }

    #[inline(always)]
    fn prefetch(&self, board: &Board) {
        self.cache.slot(*board).prefetch();
    }

    #[inline(always)]
    fn static_eval_within_once(&self, indices: &PatternIndices, board: &Board, window: (Score, Score)) -> Score {
        if let Some(value) = wiped_out(board) {
            return value;
        }
        let moves = self.linear.moves(board);
        let linear = self.linear.value(indices, board, moves);
        if stands(linear, window) { linear } else { self.corrected(indices, board, linear, moves) }
    }

    #[inline(always)]
    fn ordering_eval(&self, indices: &PatternIndices, board: &Board) -> Score {
        let slot = self.cache.slot(*board);
        if let Some(CachedValues { linear, .. }) = slot.load() {
            return linear;
        }
        let linear = self.linear.evaluate(indices, board);
        slot.store(CachedValues { linear, corrected: None });
        linear
    }

    #[inline(always)]
    fn ordering_eval_once(&self, indices: &PatternIndices, board: &Board) -> Score {
        self.linear.evaluate(indices, board)
    }
}

#[cfg(test)]
mod tests;
