//! `flipside train probcut`: measures the errors of shallow searches on positions of self-play, for ProbCut. The weights
//! are first corrected for the odd-even effect, and written with the measured error model.

use super::evaluation_args::EvaluationArgs;
use super::game_sources::GameSources;
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::ensure;
use clap::Args;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::evaluation::network::file;
use flipside_core::games::reversi::evaluation::network::weights::PatternNetwork;
use flipside_core::games::reversi::evaluation::pattern::weights::PatternWeights;
use flipside_core::games::reversi::evaluation::pattern::weights_file::pack;
use flipside_core::games::reversi::probcut::{ErrorModel, ProbCutModel, TERMS};
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::solve::SolveTask;
use flipside_support::json;
use flipside_support::random::Random;
use flipside_train::game_file::TrainingPosition;
use flipside_train::odd_even::{self, OddEvenClass, OddEvenEffect};
use flipside_train::search_errors::{ErrorClass, SearchErrors, discs, values_by_depth};
use flipside_train::training_games::TrainingGames;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Arguments of `flipside train probcut`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train probcut --games my.games --weights my.bin --out better.bin"])]
pub struct ProbcutArgs {
    /// File of games to draw positions from: of train selfplay or label, or records in any format
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    #[command(flatten)]
    evaluation: EvaluationArgs,
    /// File to write the weights to, corrected for the odd-even effect, with their error model; only for the
    /// evaluations `linear` and `network`, others are only measured
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Number of middle game positions; half this number of endgame positions is added
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// Depth of the deepest search of the middle game, in plies
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(3..=20))]
    depth: u32,
    /// Most empty squares of an endgame position
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
    /// The odd-even effect before its correction; empty for evaluations that are not corrected.
    odd_even: Vec<OddEvenClass>,
}

/// The error model of a phase of the game, and what it was fitted to.
#[derive(Serialize)]
struct Phase {
    sigma: [f32; TERMS],
    bias: [f32; TERMS],
    classes: Vec<ErrorClass>,
}

/// Depths at which the odd-even effect of linear weights is measured, by searches without ProbCut.
const LINEAR_DEPTHS: RangeInclusive<usize> = 4..=4;
/// The same of a network, by searches as in play: deep selective ones have a tenth less of it than shallow ones.
const NETWORK_DEPTHS: RangeInclusive<usize> = 8..=12;
/// Measurements and corrections of a network. The first correction reaches only a part of the
/// effect; from the second on they are larger by that.
const NETWORK_ROUNDS: usize = 3;
/// The odd-even effect is measured on positions that are at most this far from balance, in discs:
/// lopsided ones have less.
const BALANCED: f32 = 16.0;
/// Fewest empty squares of an endgame position whose exact score ProbCut predicts.
const ENDGAME_MIN_EMPTIES: u32 = 10;
/// Depth in plies of the deepest shallow search that predicts an exact score.
const ENDGAME_SHALLOW_DEPTH: u32 = 6;

/// Measures the errors and writes the weights with their model.
///
/// # Errors
/// A file cannot be read or written, or there are too few positions.
pub fn run(args: &ProbcutArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let mut evaluation = args.evaluation.open()?;
    let mut files = GameSources::default();
    let games = files.open(&args.games)?;
    let mut effects = Vec::new();
    match &mut evaluation {
        ReversiEvaluation::Plain(_) => {
            ensure!(
                args.out.is_none(),
                "--out: only the evaluations linear and network have files with an error model"
            );
        }
        ReversiEvaluation::Pattern(weights) => {
            ensure!(args.out.is_some(), "--out FILE is missing: the file for the weights with their error model");
            effects = odd_even_effects(args, &games, ReversiEvaluation::Pattern(Arc::clone(weights)), LINEAR_DEPTHS)?;
            *weights = Arc::new(weights.with_tempo(odd_even::tempo(&effects, 1.0)));
        }
        ReversiEvaluation::Network(network) => {
            let mut share = 1.0;
            for round in 0..NETWORK_ROUNDS {
                let evaluation = ReversiEvaluation::Network(Arc::clone(network));
                let found = odd_even_effects(args, &games, evaluation, NETWORK_DEPTHS)?;
                match round {
                    0 => effects.clone_from(&found),
                    1 => share = odd_even::share_reached(&effects, &found),
                    _ => {}
                }
                *network = Arc::new(network.with_tempo(odd_even::tempo(&found, share)));
            }
        }
    }
    let odd_even = odd_even::classes(&effects);
    let middle = positions(args, &games, args.positions, args.depth + 2..=54, f32::INFINITY)?;
    let end = positions(args, &games, args.positions / 2, ENDGAME_MIN_EMPTIES..=args.empties, f32::INFINITY)?;
    let (middle, end) = errors(&evaluation, &middle, &end, args.depth);
    let probcut_model = ProbCutModel { middlegame: middle.model()?, endgame: end.model()? };
    if args.json {
        let phase = |errors: &SearchErrors, model: &ErrorModel| Phase {
            sigma: model.sigma,
            bias: model.bias,
            classes: errors.classes(),
        };
        let (middlegame, endgame) = (phase(&middle, &probcut_model.middlegame), phase(&end, &probcut_model.endgame));
        writeln!(out, "{}", json::line(&Measured { middlegame, endgame, odd_even })?)?;
    } else {
        for OddEvenClass { discs, comparisons, difference } in &odd_even {
            writeln!(out, "odd-even effect, {discs} discs at the leaves: {comparisons:5} {difference:+6.2}")?;
        }
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
            // The solver orders and prunes by the linear value, which has other errors.
            measured.probcut_model = ProbCutModel { endgame: network.linear.probcut_model.endgame, ..probcut_model };
            whole_file::write(path, &file::pack(&measured))?;
        }
        _ => {}
    }
    Ok(ExitCode::from(u8::from(files.has_bad_game())))
}

/// Draws one position from each game, after the opening and at most this far from balance: as many
/// as `count`, or fewer where a distance is set.
fn positions(
    args: &ProbcutArgs,
    games: &TrainingGames,
    count: usize,
    empties: RangeInclusive<u32>,
    furthest: f32,
) -> anyhow::Result<Vec<Board>> {
    let mut random = Random(args.seed);
    let mut boards = Vec::new();
    for positions in games.positions()? {
        let mut candidates = positions?;
        candidates.retain(|TrainingPosition { board, value, opening, .. }| {
            !opening && empties.contains(&board.empties()) && value.abs() <= furthest
        });
        if !candidates.is_empty() {
            boards.push(candidates[random.below(candidates.len())].board);
        }
        if boards.len() == count {
            break;
        }
    }
    let fewest = if furthest.is_finite() { count.min(1) } else { count };
    ensure!(boards.len() >= fewest, "{} has only {} positions to measure", args.games.display(), boards.len());
    Ok(boards)
}

/// A search with tables of this size, without ProbCut for the measurement of its errors.
fn open(evaluation: &ReversiEvaluation, hash: usize, probcut: bool) -> ReversiSearcher {
    let options = SearcherOptions { probcut, ..SearcherOptions::with_tables(hash, hash) };
    searcher::open(evaluation, &options).expect("small tables")
}

/// Measures the odd-even effect of searches at these depths.
fn odd_even_effects(
    args: &ProbcutArgs,
    games: &TrainingGames,
    evaluation: ReversiEvaluation,
    depths: RangeInclusive<usize>,
) -> anyhow::Result<Vec<OddEvenEffect>> {
    let deepest = *depths.end() as u32 + 1;
    let sample = positions(args, games, args.positions, deepest + 2..=54, BALANCED)?;
    let effects = |searcher: &mut ReversiSearcher, &board: &Board| -> Vec<OddEvenEffect> {
        OddEvenEffect::of(board, &values_by_depth(searcher, board, deepest), depths.clone()).collect()
    };
    let probcut = matches!(evaluation, ReversiEvaluation::Network(_));
    Ok(sample.par_iter().map_init(|| open(&evaluation, 1, probcut), effects).flatten().collect())
}

/// Searches positions of the middle game to all depths up to `depth`, and compares endgames with their exact scores.
fn errors(
    evaluation: &ReversiEvaluation,
    middlegames: &[Board],
    endgames: &[Board],
    depth: u32,
) -> (SearchErrors, SearchErrors) {
    let bar = ProgressBar::new((middlegames.len() + endgames.len()) as u64);
    let all_values = |boards: &[Board], depth: u32| -> Vec<Vec<f64>> {
        let search = |searcher: &mut ReversiSearcher, &board: &Board| {
            bar.inc(1);
            values_by_depth(searcher, board, depth)
        };
        boards.par_iter().map_init(|| open(evaluation, 4, false), search).collect()
    };
    let mut middle = SearchErrors::default();
    for (&board, values) in middlegames.iter().zip(all_values(middlegames, depth)) {
        for (deep, &high) in (0u32..).zip(&values).skip(2) {
            for shallow in (0..deep - 1).filter(|shallow| (deep - shallow) % 2 == 0) {
                middle.add(board, (shallow, values[shallow as usize]), (deep, high));
            }
        }
    }
    let mut end = SearchErrors::default();
    let exact: Vec<f64> = endgames
        .par_iter()
        .map_init(|| open(evaluation, 4, false), |searcher, &board| exact_score(searcher, board))
        .collect();
    for ((&board, values), &high) in endgames.iter().zip(all_values(endgames, ENDGAME_SHALLOW_DEPTH)).zip(&exact) {
        for (shallow, &low) in (0u32..).zip(&values) {
            end.add(board, (shallow, low), (board.empties(), high));
        }
    }
    bar.finish_and_clear();
    (middle, end)
}

/// The exact score in discs.
fn exact_score(searcher: &ReversiSearcher, board: Board) -> f64 {
    let task = SolveTask { fresh: true, ..SolveTask::exact(1) };
    let solution = searcher.solve(&board, &task, &Stop::new(&Limits::default()));
    discs(solution.map_or(0, |solution| solution.score))
}
