//! `flipside bench --endgame`: the speed of the endgame solver on one thread.

use super::output::Output;
use crate::games::reversi::board::Board;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::obf;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::Solver;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::games::reversi::solver::settings::SolverSettings;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::level::Supported;
use crate::search::limits::{Limits, Stop};
use crate::support::random::Random;
use anyhow::{Context, ensure};
use std::hint::black_box;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// FFO #40 to #49 with their exact scores for the side to move.
const FFO: [(&str, i32); 10] = [
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
    ("---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X", 6),
    ("---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", -8),
    ("-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O", 4),
    ("-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", 28),
    ("--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X", 16),
];
/// Number of the first of them in the suite.
const FFO_FIRST: usize = 40;
/// Number of random positions.
const SAMPLES: usize = 1000;
/// Repetitions of a kernel on each of them.
const ROUNDS: usize = 2000;
/// Empty squares of the random positions.
const EMPTIES: u32 = 12;

/// Prints a line for each measurement.
///
/// # Errors
/// A wrong score of the solver; the output cannot be written.
pub fn run(mebibytes: usize, out: &mut Output) -> anyhow::Result<ExitCode> {
    with_evaluation(&ReversiEvaluation::open("default", None)?, MeasureEndgame { mebibytes, out })
}

struct MeasureEndgame<'a> {
    mebibytes: usize,
    out: &'a mut Output,
}

impl WithEvaluation for MeasureEndgame<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> anyhow::Result<ExitCode> {
        let settings = SolverSettings::with_probcut(probcut_model);
        let mut solver = Solver::with_settings(self.mebibytes, settings).context("--hash is too large")?;
        let out = self.out;
        let mut random = Random(12);
        let sample: Vec<Board> = (0..SAMPLES).map(|_| random_position(&game, &mut random)).collect();
        let (placements, flips) = kernel_times(&game, &sample);
        writeln!(out, "kernels: legal moves {placements:.1} ns, all moves with their flips {flips:.1} ns a position")?;

        let nodes = AtomicU64::new(0);
        let stop = Stop::new(&Limits::default());
        let score = |solver: &Solver, board| {
            let task = SolveTask::exact(1);
            RootSolver { solver, game: &game, eval: &eval, stop: &stop, nodes: &nodes, task }.score(board)
        };
        let small = Solver::with_settings(1, settings)?;
        let start = Instant::now();
        let sum: i32 = sample.iter().filter_map(|&board| score(&small, board)).sum();
        let seconds = start.elapsed().as_secs_f64();
        let count = nodes.swap(0, Ordering::Relaxed);
        let rate = SAMPLES as f64 / seconds;
        writeln!(out, "{EMPTIES} empties: {rate:.0} positions/s, {count} nodes, sum of scores {sum:+}")?;

        let (mut all, mut total) = (0, 0.0);
        for (index, (text, expected)) in FFO.iter().enumerate() {
            let (board, _) = obf::position(text)?;
            solver.clear();
            let start = Instant::now();
            let found = score(&solver, board);
            let seconds = start.elapsed().as_secs_f64();
            let count = nodes.swap(0, Ordering::Relaxed);
            ensure!(found == Some(*expected), "FFO #{} is {expected:+}, not {found:?}", FFO_FIRST + index);
            let speed = count as f64 / seconds / 1e6;
            writeln!(
                out,
                "FFO #{} {expected:+3} nodes {count:>11} {seconds:7.2} s {speed:5.1} M/s",
                FFO_FIRST + index
            )?;
            (all, total) = (all + count, total + seconds);
        }
        writeln!(out, "FFO #40-#49 nodes {all} {total:.2} s {:.1} M/s", all as f64 / total / 1e6)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A position of a random game with [`EMPTIES`] empty squares in which the game is not over.
fn random_position<K: SolverLevel>(game: &Reversi<K>, random: &mut Random) -> Board {
    loop {
        let mut board = Board::START;
        while board.empties() > EMPTIES && game.outcome(&board).is_none() {
            let moves: Vec<_> = game.moves(&board).collect();
            board = board.after(moves[random.below(moves.len())]);
        }
        if board.empties() == EMPTIES && game.outcome(&board).is_none() {
            return board;
        }
    }
}

/// Nanoseconds per position for generating the legal moves, and for generating all moves with their flips.
fn kernel_times<K: SolverLevel>(game: &Reversi<K>, sample: &[Board]) -> (f64, f64) {
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
fn inside<K: SolverLevel>(_: Supported<K>, sample: &[Board], kernel: impl Fn(&Board) -> u64) -> u64 {
    // SAFETY: the first argument is the proof that the processor has the level's features.
    unsafe {
        K::inside(
            #[inline(always)]
            || sample.iter().fold(0_u64, |sum, board| sum.wrapping_add(kernel(board))),
        )
    }
}
