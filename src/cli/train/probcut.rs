//! `flipside train probcut`: measures the errors of shallow searches on positions of self-play, for ProbCut. Pattern
//! weights are first corrected for the odd-even effect, and written with the measured error model.

use super::evaluation_args::EvaluationArgs;
use super::game_sources::GameSources;
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use crate::games::reversi::board::Board;
use crate::games::reversi::evaluation::network::file;
use crate::games::reversi::evaluation::network::weights::PatternNetwork;
use crate::games::reversi::evaluation::pattern::weights::PatternWeights;
use crate::games::reversi::evaluation::pattern::weights_file::pack;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::{ErrorModel, ProbCutModel, TERMS};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::solver::Solver;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::search::evaluation::Eval;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::result::SearchParameters;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::UNIT;
use crate::search::worker::SearchContext;
use crate::support::json;
use crate::support::random::Random;
use crate::train::odd_even::{self, OddEvenEffect};
use crate::train::search_errors::{ErrorClass, SearchErrors};
use crate::train::training_games::TrainingGames;
use anyhow::ensure;
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Arguments of `flipside train probcut`.
#[derive(Args, Debug)]
pub struct ProbcutArgs {
    /// File of games from which positions are drawn: of train selfplay and label, or records in any format
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// File of weights to write: the same weights, corrected for the odd-even effect, with their error model. Only the
    /// evaluations `linear` and `network` have such files; others are measured and not written
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of middle game positions; half as many of the endgame
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// Depth in plies of the deepest search of the middle game
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(3..=20))]
    depth: u32,
    /// Maximum empty squares of an endgame position
    #[arg(long, default_value_t = 18, value_parser = clap::value_parser!(u32).range(8..=26))]
    empties: u32,
    /// Seed of the choice of positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the errors and the model as one JSON object
    #[arg(long)]
    json: bool,
}

/// The object of `--json`.
#[derive(Serialize)]
struct Measured {
    middlegame: Phase,
    endgame: Phase,
}

/// The error model of a phase of the game, and what it was fitted to.
#[derive(Serialize)]
struct Phase {
    sigma: [f32; TERMS],
    bias: [f32; TERMS],
    classes: Vec<ErrorClass>,
}

/// Fewest empty squares of an endgame position whose exact score ProbCut predicts.
const ENDGAME_MIN_EMPTIES: u32 = 10;
/// Depth in plies of the deepest shallow search that predicts an exact score.
const ENDGAME_SHALLOW_DEPTH: u32 = 6;

/// Measures the errors and writes the weights with them.
///
/// # Errors
/// Files that cannot be read or written, or too few positions.
pub fn run(args: &ProbcutArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let mut evaluation = args.evaluation.open()?;
    let mut files = GameSources::default();
    let games = files.open(&args.games)?;
    if let ReversiEvaluation::Pattern(weights) = &mut evaluation {
        ensure!(args.out.is_some(), "--out FILE is missing: the file for the weights with their error model");
        let sample = positions(args, &games, args.positions, odd_even::EVEN_DEPTH as u32 + 3..=54)?;
        let effects = with_evaluation(&ReversiEvaluation::Pattern(Arc::clone(weights)), MeasureOddEven(&sample));
        *weights = Arc::new(odd_even::corrected(weights, &effects));
    } else if !matches!(evaluation, ReversiEvaluation::Network(_)) {
        ensure!(args.out.is_none(), "--out: only the evaluations linear and network have files with an error model");
    }
    let middle = positions(args, &games, args.positions, args.depth + 2..=54)?;
    let end = positions(args, &games, args.positions / 2, ENDGAME_MIN_EMPTIES..=args.empties)?;
    let measure = MeasureErrors { middle: &middle, end: &end, depth: args.depth };
    let (middle, end) = with_evaluation(&evaluation, measure);
    let probcut_model = ProbCutModel { middlegame: middle.model()?, endgame: end.model()? };
    if args.json {
        let phase = |errors: &SearchErrors, model: &ErrorModel| Phase {
            sigma: model.sigma,
            bias: model.bias,
            classes: errors.classes(),
        };
        let (middlegame, endgame) = (phase(&middle, &probcut_model.middlegame), phase(&end, &probcut_model.endgame));
        writeln!(out, "{}", json::line(&Measured { middlegame, endgame })?)?;
    } else {
        writeln!(out, "{}{}", middle.table("middle game", "deep"), end.table("endgame", "empty squares"))?;
        writeln!(out, "{probcut_model:?}")?;
    }
    match (evaluation, &args.out) {
        (ReversiEvaluation::Pattern(weights), Some(path)) => {
            let mut measured = PatternWeights::clone(&weights);
            measured.probcut_model = probcut_model;
            whole_file::write(path, &pack(&measured))?;
        }
        (ReversiEvaluation::Network(network), Some(path)) => {
            let mut measured = PatternNetwork::clone(&network);
            // The solver orders and prunes by the linear value, whose errors are other ones.
            measured.probcut_model = ProbCutModel { endgame: network.linear.probcut_model.endgame, ..probcut_model };
            whole_file::write(path, &file::pack(&measured))?;
        }
        _ => {}
    }
    Ok(ExitCode::from(u8::from(files.has_bad_game())))
}

/// Draws one position of each game, not from the opening.
fn positions(
    args: &ProbcutArgs,
    games: &TrainingGames,
    count: usize,
    empties: RangeInclusive<u32>,
) -> anyhow::Result<Vec<Board>> {
    let mut random = Random(args.seed);
    let mut boards = Vec::new();
    for game in games.games()? {
        let mut candidates = game?.positions();
        candidates.retain(|position| !position.opening && empties.contains(&position.board.empties()));
        if !candidates.is_empty() {
            boards.push(candidates[random.below(candidates.len())].board);
        }
        if boards.len() == count {
            break;
        }
    }
    ensure!(boards.len() == count, "{} has only {} positions to measure", args.games.display(), boards.len());
    Ok(boards)
}

/// Measures the odd-even effect.
struct MeasureOddEven<'a>(&'a [Board]);

impl WithEvaluation for MeasureOddEven<'_> {
    type Output = Vec<OddEvenEffect>;

    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        _: Option<&ProbCutModel>,
    ) -> Self::Output {
        let context = SearchContext { policy: ReversiPolicy::new(&game, 1).expect("a small table"), game, eval };
        let effect = |table: &mut TranspositionTable, &board: &Board| {
            OddEvenEffect::of(board, &values(&context, table, board, odd_even::EVEN_DEPTH as u32 + 1))
        };
        self.0.par_iter().map_init(|| TranspositionTable::new(1).expect("a small table"), effect).flatten().collect()
    }
}

/// Searches all positions to all depths.
struct MeasureErrors<'a> {
    middle: &'a [Board],
    end: &'a [Board],
    depth: u32,
}

impl WithEvaluation for MeasureErrors<'_> {
    type Output = (SearchErrors, SearchErrors);

    /// The searches are without ProbCut, since their own errors are measured.
    fn run<K: SolverLevel, E: Eval<Reversi<K>> + Clone>(
        self,
        game: Reversi<K>,
        eval: E,
        _: Option<&ProbCutModel>,
    ) -> Self::Output {
        let context = SearchContext { policy: ReversiPolicy::new(&game, 1).expect("a small table"), game, eval };
        let bar = ProgressBar::new((self.middle.len() + self.end.len()) as u64);
        let values = |boards: &[Board], depth: u32| -> Vec<Vec<f64>> {
            let search = |table: &mut TranspositionTable, &board: &Board| {
                bar.inc(1);
                values(&context, table, board, depth)
            };
            boards.par_iter().map_init(|| TranspositionTable::new(4).expect("a small table"), search).collect()
        };
        let mut middle = SearchErrors::default();
        for (&board, values) in self.middle.iter().zip(values(self.middle, self.depth)) {
            for (deep, &high) in (0u32..).zip(&values).skip(2) {
                for shallow in (0..deep - 1).filter(|shallow| (deep - shallow) % 2 == 0) {
                    middle.add(board, (shallow, values[shallow as usize]), (deep, high));
                }
            }
        }
        let mut end = SearchErrors::default();
        let exact: Vec<f64> = self
            .end
            .par_iter()
            .map_init(|| Solver::new(4).expect("a small table"), |s, &b| exact_score(&context, s, b))
            .collect();
        for ((&board, values), &high) in self.end.iter().zip(values(self.end, ENDGAME_SHALLOW_DEPTH)).zip(&exact) {
            for (shallow, &low) in (0u32..).zip(&values) {
                end.add(board, (shallow, low), (board.empties(), high));
            }
        }
        bar.finish_and_clear();
        (middle, end)
    }
}

/// The values in discs at all depths from 0 to this one.
fn values<K: SolverLevel, E: Eval<Reversi<K>>>(
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
    let request = SearchParameters { limits, multipv: 1, only: Vec::new(), threads: 1, draw: 0 };
    iterative_deepening::search(context, table, &board, &request, &stop, &mut |report| {
        values.push(discs(report.score))
    });
    values
}

/// The exact score in discs.
fn exact_score<K: SolverLevel, E: Eval<Reversi<K>>>(
    context: &SearchContext<Reversi<K>, E, ReversiPolicy<K>>,
    solver: &mut Solver,
    board: Board,
) -> f64 {
    solver.clear();
    let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
    let task = SolveTask::exact(1);
    let root = RootSolver { solver, game: &context.game, eval: &context.eval, stop: &stop, nodes: &nodes, task };
    f64::from(root.score(board).unwrap_or(0))
}
