//! `flipside train probcut`: how far shallow searches by an evaluation miss, measured on positions of
//! self-play; learned weights are written with what was found, once their odd and even depths agree.

use super::fit::replace;
use super::judge::Judge;
use super::record::GameReader;
use super::regression::Regression;
use super::tempo::{self, Swing};
use crate::games::reversi::board::{Board, Reversi};
use crate::games::reversi::evaluation::pattern::weights::PatternWeights;
use crate::games::reversi::evaluation::pattern::weights_file::pack;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::{ErrorModel, ProbCutModel, TERMS, terms};
use crate::games::reversi::solver::Solver;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::search::evaluation::Eval;
use crate::search::iterative_deepening::{self, Request};
use crate::search::limits::{Limits, Stop};
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Selectivity, UNIT};
use crate::search::worker::SearchContext;
use crate::support::random::Random;
use anyhow::ensure;
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Arguments of `flipside train probcut`.
#[derive(Args, Debug)]
pub struct ProbcutArgs {
    /// File of games that positions are taken from
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    #[command(flatten)]
    judge: Judge,
    /// File of weights to write: the same learned weights, balanced, with their statistics; other evaluations are only measured
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Positions of the middle game; half as many of the endgame
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// Plies of the deepest search of the middle game
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(3..=20))]
    depth: u32,
    /// Most empty squares of an endgame position
    #[arg(long, default_value_t = 18, value_parser = clap::value_parser!(u32).range(8..=26))]
    empties: u32,
    /// Decides which positions are taken
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Empty squares of the endgame positions from which perfect play is bet on.
const END_FROM: u32 = 10;
/// Plies of the deepest shallow search that bets on perfect play.
const END_SHALLOW: u32 = 6;
/// Discs of a class of positions.
const CLASS: u32 = 8;
/// Fewest differences that tell a sigma.
const FEWEST: usize = 20;

/// Measures and writes.
///
/// # Errors
/// Files that cannot be read or written, or too few positions.
pub fn run(args: &ProbcutArgs) -> anyhow::Result<ExitCode> {
    let mut evaluation = args.judge.open()?;
    if let ReversiEvaluation::Pattern(weights) = &mut evaluation {
        ensure!(args.out.is_some(), "--out FILE: where shall the weights with their statistics go?");
        let swinging = positions(args, args.positions, tempo::DEPTH as u32 + 3..=54)?;
        let swings = with_evaluation(&ReversiEvaluation::Pattern(Arc::clone(weights)), Sway(&swinging));
        *weights = Arc::new(tempo::balanced(weights, &swings));
    } else {
        ensure!(args.out.is_none(), "--out: only learned weights have a file that keeps statistics");
    }
    let middle = positions(args, args.positions, args.depth + 2..=54)?;
    let end = positions(args, args.positions / 2, END_FROM..=args.empties)?;
    let job = Measure { middle: &middle, end: &end, depth: args.depth };
    let (middle, end) = with_evaluation(&evaluation, job);
    let mut out = stdout().lock();
    writeln!(out, "{}{}", middle.table("middle game", "deep"), end.table("endgame", "empty squares"))?;
    let probcut_model = ProbCutModel { middle: middle.model()?, end: end.model()? };
    writeln!(out, "{probcut_model:?}")?;
    if let (ReversiEvaluation::Pattern(weights), Some(path)) = (evaluation, &args.out) {
        let mut measured = PatternWeights::clone(&weights);
        measured.probcut_model = probcut_model;
        replace(path, &pack(&measured))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Positions from games, one of a game, not from the opening.
fn positions(args: &ProbcutArgs, count: usize, empties: std::ops::RangeInclusive<u32>) -> anyhow::Result<Vec<Board>> {
    let mut random = Random(args.seed);
    let mut boards = Vec::with_capacity(count);
    for game in GameReader::open(&args.games)? {
        let mut moments = game?.moments();
        moments.retain(|moment| !moment.opening && empties.contains(&moment.board.empties()));
        if !moments.is_empty() {
            boards.push(moments[random.below(moments.len())].board);
        }
        if boards.len() == count {
            break;
        }
    }
    ensure!(boards.len() == count, "{} has only {} positions to measure", args.games.display(), boards.len());
    Ok(boards)
}

/// Differences in discs between deep and shallow values, by discs on the board and both depths.
#[derive(Default)]
pub struct Differences(BTreeMap<(u32, u32, u32), Vec<f64>>);

impl Differences {
    fn add(&mut self, board: Board, (shallow, low): (u32, f64), (deep, high): (u32, f64)) {
        let class = (64 - board.empties()) / CLASS * CLASS + CLASS / 2;
        self.0.entry((class, shallow, deep)).or_default().push(high - low);
    }

    /// Discs, depths, count, mean and standard deviation of what was seen often enough.
    fn cells(&self) -> impl Iterator<Item = ((u32, u32, u32), usize, f64, f64)> {
        self.0.iter().filter(|(_, differences)| differences.len() >= FEWEST).map(|(&cell, differences)| {
            let count = differences.len() as f64;
            let mean = differences.iter().sum::<f64>() / count;
            let variance = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (count - 1.0);
            (cell, differences.len(), mean, variance.sqrt().max(0.1))
        })
    }

    /// The smooth functions.
    ///
    /// # Errors
    /// Nothing was seen often enough.
    pub fn model(&self) -> anyhow::Result<ErrorModel> {
        let (mut sigma, mut bias) = (Regression::new(TERMS), Regression::new(TERMS));
        for ((discs, shallow, deep), count, mean, deviation) in self.cells() {
            let terms = terms(discs, shallow, deep);
            sigma.add(&terms, deviation.ln(), count as f64);
            bias.add(&terms, mean, count as f64);
        }
        ensure!(self.cells().next().is_some(), "too few positions to measure anything");
        let fixed = |regression: Regression| -> [f32; TERMS] {
            let found = regression.coefficients();
            std::array::from_fn(|term| found[term])
        };
        Ok(ErrorModel { sigma: fixed(sigma), bias: fixed(bias) })
    }

    fn table(&self, title: &str, deep_word: &str) -> String {
        let mut text = format!("{title}: discs, shallow, {deep_word}: positions, bias, sigma\n");
        for ((discs, shallow, deep), count, mean, deviation) in self.cells() {
            text += &format!("{discs:3} {shallow:3} {deep:3}: {count:5} {mean:+6.2} {deviation:6.2}\n");
        }
        text
    }
}

/// Measures the swing between odd and even depths.
struct Sway<'a>(&'a [Board]);

impl WithEvaluation for Sway<'_> {
    type Output = Vec<Swing>;

    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        _: Option<&ProbCutModel>,
    ) -> Self::Output {
        let context = SearchContext { policy: ReversiPolicy::new(&game, 1), game, eval };
        let swing = |table: &mut TranspositionTable, &board: &Board| {
            Swing::of(board, &values(&context, table, board, tempo::DEPTH as u32 + 1))
        };
        self.0.par_iter().map_init(|| TranspositionTable::new(1), swing).flatten().collect()
    }
}

/// Searches all positions to all depths.
struct Measure<'a> {
    middle: &'a [Board],
    end: &'a [Board],
    depth: u32,
}

impl WithEvaluation for Measure<'_> {
    type Output = (Differences, Differences);

    /// The searches bet on nothing: what they miss is what is measured.
    fn run<K: Kernels, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        _: Option<&ProbCutModel>,
    ) -> Self::Output {
        let context = SearchContext { policy: ReversiPolicy::new(&game, 1), game, eval };
        let bar = ProgressBar::new((self.middle.len() + self.end.len()) as u64);
        let values = |boards: &[Board], depth: u32| -> Vec<Vec<f64>> {
            let searched = |table: &mut TranspositionTable, &board: &Board| {
                bar.inc(1);
                values(&context, table, board, depth)
            };
            boards.par_iter().map_init(|| TranspositionTable::new(4), searched).collect()
        };
        let mut middle = Differences::default();
        for (&board, values) in self.middle.iter().zip(values(self.middle, self.depth)) {
            for (deep, &high) in (0u32..).zip(&values).skip(2) {
                for shallow in (0..deep - 1).filter(|shallow| (deep - shallow) % 2 == 0) {
                    middle.add(board, (shallow, values[shallow as usize]), (deep, high));
                }
            }
        }
        let mut end = Differences::default();
        let exact: Vec<f64> = self.end.par_iter().map_init(|| Solver::new(4), |s, &b| solved(&context, s, b)).collect();
        for ((&board, values), &high) in self.end.iter().zip(values(self.end, END_SHALLOW)).zip(&exact) {
            for (shallow, &low) in (0u32..).zip(&values) {
                end.add(board, (shallow, low), (board.empties(), high));
            }
        }
        bar.finish_and_clear();
        (middle, end)
    }
}

/// The value in discs at every depth from 0 to this one.
fn values<K: Kernels, E: Eval<Reversi<K>>>(
    context: &SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    table: &mut TranspositionTable,
    board: Board,
    depth: u32,
) -> Vec<f64> {
    table.clear();
    let discs = |score: i32| f64::from(score) / f64::from(UNIT);
    let mut values = vec![discs(context.eval.evaluate(&context.eval.refresh(&board), &board))];
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let stop = Stop::new(&limits);
    let request = Request { limits, multipv: 1, only: Vec::new(), threads: 1, draw: 0 };
    iterative_deepening::search(context, table, &board, &request, &stop, &mut |report| {
        values.push(discs(report.score))
    });
    values
}

/// The value of perfect play in discs.
fn solved<K: Kernels, E: Eval<Reversi<K>>>(
    context: &SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    solver: &mut Solver,
    board: Board,
) -> f64 {
    solver.clear();
    let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
    let task = SolveTask { window: (-64, 64), selectivity: Selectivity::EXACT, threads: 1 };
    let root = RootSolver { solver, game: &context.game, eval: &context.eval, stop: &stop, nodes: &nodes, task };
    f64::from(root.score(board).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bias_and_spread_are_measured() {
        let mut differences = Differences::default();
        for number in 0..100 {
            let miss = if number % 2 == 0 { 3.0 } else { -1.0 };
            differences.add(Board::START, (2, 5.0), (4, 5.0 + miss));
        }
        differences.add(Board::START, (1, 0.0), (3, 40.0));
        let cells: Vec<_> = differences.cells().collect();
        assert_eq!(cells.len(), 1, "one difference tells nothing");
        let ((discs, shallow, deep), count, mean, deviation) = cells[0];
        assert_eq!((discs, shallow, deep, count, mean), (4, 2, 4, 100, 1.0));
        assert!((deviation - 2.01).abs() < 0.01);
        let bet = differences.model().expect("enough").at(4, 2, 4);
        assert!((bet.bias - 100).abs() < 5 && (bet.sigma - 201).abs() < 5, "{bet:?}");
        assert!(Differences::default().model().is_err());
    }
}
