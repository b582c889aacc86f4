//! The speed of the board kernels.

use crate::games::reversi::board::Board;
use crate::games::reversi::level::{ForLevel, at_best_level};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::level::SolverLevel;
use crate::search::game::Game;
use crate::search::level::Supported;
use std::hint::black_box;
use std::time::Instant;

/// Repetitions of a kernel on each position.
const ROUNDS: usize = 2000;

/// Nanoseconds per position for generating the legal moves, and for generating all moves with their flips, at the best level of
/// this processor.
pub fn kernel_times(sample: &[Board]) -> (f64, f64) {
    struct Times<'a>(&'a [Board]);
    impl ForLevel for Times<'_> {
        type Output = (f64, f64);
        fn run<K: SolverLevel>(self, game: Reversi<K>) -> (f64, f64) {
            times(&game, self.0)
        }
    }
    at_best_level(Times(sample))
}

fn times<K: SolverLevel>(game: &Reversi<K>, sample: &[Board]) -> (f64, f64) {
    let time = |work: &dyn Fn(&[Board]) -> u64| {
        let start = Instant::now();
        let mut sum = 0_u64;
        for _ in 0..ROUNDS {
            sum = sum.wrapping_add(work(black_box(sample)));
        }
        black_box(sum);
        start.elapsed().as_nanos() as f64 / (ROUNDS * sample.len()) as f64
    };
    let placements = |sample: &[Board]| {
        inside(
            game.level(),
            sample,
            #[inline(always)]
            |board| game.placements(*board),
        )
    };
    let flips = |sample: &[Board]| {
        inside(
            game.level(),
            sample,
            #[inline(always)]
            |board| game.moves(board).fold(0, |sum, mv| sum ^ mv.flips),
        )
    };
    (time(&placements), time(&flips))
}

/// Sums a kernel over the sample, compiled for the processor's level.
fn inside<K: SolverLevel>(level: Supported<K>, sample: &[Board], kernel: impl Fn(&Board) -> u64) -> u64 {
    level.inside(
        #[inline(always)]
        || sample.iter().fold(0_u64, |sum, board| sum.wrapping_add(kernel(board))),
    )
}
