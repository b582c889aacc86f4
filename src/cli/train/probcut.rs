//! `flipside train probcut`: measures the errors of shallow searches on positions of self-play, for ProbCut. The weights
//! are first balanced for the side to move at the leaves, and written with the measured error model.

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
use flipside_train::leaf_errors::{self, LeafError, LeafErrorClass};
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
    /// File to write the weights to, balanced, with their error model; only for the evaluations `linear` and
    /// `network`, others are only measured
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
    /// What the side to move at the leaves misses before the balance; empty for evaluations that are not balanced.
    leaf_errors: Vec<LeafErrorClass>,
}

/// The error model of a phase of the game, and what it was fitted to.
#[derive(Serialize)]
struct Phase {
    sigma: [f32; TERMS],
    bias: [f32; TERMS],
    classes: Vec<ErrorClass>,
}

/// Depths of the searches by which linear weights are balanced, without ProbCut.
const LINEAR_DEPTHS: RangeInclusive<usize> = 3..=6;
/// The same of a network, by searches as in play.
const NETWORK_DEPTHS: RangeInclusive<usize> = 4..=12;
/// Neighbouring depths whose values are compared: the deepest ones, because the odd-even effect of shallow searches is smaller.
const COMPARED_DEPTHS: usize = 4;
/// Measurements and corrections. Only a part of a correction reaches the values of selective searches, which cut at leaves of
/// both parities.
const BALANCING_ROUNDS: usize = 3;
/// The errors at the leaves are measured on positions that are at most this far from balance, in discs.
const BALANCED: f32 = 16.0;
/// Most empty squares of a middle game position by which weights are balanced.
const MIDDLEGAME_MAX_EMPTIES: u32 = 44;
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
    let leaf_errors = match &evaluation {
        ReversiEvaluation::Plain(_) => {
            ensure!(
                args.out.is_none(),
                "--out: only the evaluations linear and network have files with an error model"
            );
            Vec::new()
        }
        ReversiEvaluation::Pattern(_) => {
            ensure!(args.out.is_some(), "--out FILE is missing: the file for the weights with their error model");
            balance(args, &games, &mut evaluation, LINEAR_DEPTHS)?
        }
        ReversiEvaluation::Network(_) => balance(args, &games, &mut evaluation, NETWORK_DEPTHS)?,
    };
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
        writeln!(out, "{}", json::line(&Measured { middlegame, endgame, leaf_errors })?)?;
    } else {
        for LeafErrorClass { discs, searches, missing } in &leaf_errors {
            writeln!(
                out,
                "the side to move at leaves with {discs} discs misses, {searches:5} searches: {missing:+6.2}"
            )?;
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
            // The solver's margins fit the errors of the linear value: with the network's own it searches a tree a twentieth
            // larger.
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

/// Gives the side to move at the leaves what it misses, measured by searches to these depths: of endgames with exact scores,
/// and of middle game positions, whose values differ between odd and even depths. A position with fewer empty squares than
/// the deepest search has plies tells nothing, because such a search solves it. Returns what the side to move missed in
/// endgames before.
fn balance(
    args: &ProbcutArgs,
    games: &TrainingGames,
    evaluation: &mut ReversiEvaluation,
    depths: RangeInclusive<usize>,
) -> anyhow::Result<Vec<LeafErrorClass>> {
    let probcut = matches!(evaluation, ReversiEvaluation::Network(_));
    let endgames = positions(args, games, args.positions, ENDGAME_MIN_EMPTIES..=args.empties, BALANCED)?;
    let middlegames = positions(args, games, args.positions, args.empties + 1..=MIDDLEGAME_MAX_EMPTIES, BALANCED)?;
    let exact = exact_scores(evaluation, &endgames);
    let deepest = depths.end().saturating_sub(COMPARED_DEPTHS).max(*depths.start())..=*depths.end();
    let mut before = Vec::new();
    for round in 0..BALANCING_ROUNDS {
        let [of_endgames, of_middlegames] = [&endgames, &middlegames].map(|boards| {
            let depth = *depths.end() as u32;
            all_values(boards, depth, || open(evaluation, 1, probcut), &ProgressBar::hidden())
        });
        let (mut solved, mut between_depths) = (Vec::new(), Vec::new());
        for ((&board, &exact), values) in endgames.iter().zip(&exact).zip(&of_endgames) {
            solved.extend(LeafError::of(board, exact, values, depths.clone()));
        }
        let all = endgames.iter().chain(&middlegames).zip(of_endgames.iter().chain(&of_middlegames));
        for (&board, values) in all {
            between_depths.extend(LeafError::between_depths(board, values, deepest.clone()));
        }
        if round == 0 {
            before = leaf_errors::classes(&solved);
        }
        let tempo = leaf_errors::tempo(&solved, &between_depths);
        match evaluation {
            ReversiEvaluation::Plain(_) => {}
            ReversiEvaluation::Pattern(weights) => *weights = Arc::new(weights.with_tempo(tempo)),
            ReversiEvaluation::Network(network) => *network = Arc::new(network.with_tempo(tempo)),
        }
    }
    Ok(before)
}

/// The values of these positions at all depths up to this one, each thread with a searcher of its own.
fn all_values(
    boards: &[Board],
    depth: u32,
    open: impl Fn() -> ReversiSearcher + Sync + Send,
    bar: &ProgressBar,
) -> Vec<Vec<f64>> {
    let search = |searcher: &mut ReversiSearcher, &board: &Board| {
        bar.inc(1);
        values_by_depth(searcher, board, depth)
    };
    boards.par_iter().map_init(open, search).collect()
}

/// Searches positions of the middle game to all depths up to `depth`, and compares endgames with their exact scores.
fn errors(
    evaluation: &ReversiEvaluation,
    middlegames: &[Board],
    endgames: &[Board],
    depth: u32,
) -> (SearchErrors, SearchErrors) {
    let bar = ProgressBar::new((middlegames.len() + endgames.len()) as u64);
    let values = |boards: &[Board], depth| all_values(boards, depth, || open(evaluation, 4, false), &bar);
    let mut middle = SearchErrors::default();
    for (&board, values) in middlegames.iter().zip(values(middlegames, depth)) {
        for (deep, &high) in (0u32..).zip(&values).skip(2) {
            for shallow in (0..deep - 1).filter(|shallow| (deep - shallow) % 2 == 0) {
                middle.add(board, (shallow, values[shallow as usize]), (deep, high));
            }
        }
    }
    let mut end = SearchErrors::default();
    let exact = exact_scores(evaluation, endgames);
    for ((&board, values), &high) in endgames.iter().zip(values(endgames, ENDGAME_SHALLOW_DEPTH)).zip(&exact) {
        for (shallow, &low) in (0u32..).zip(&values) {
            end.add(board, (shallow, low), (board.empties(), high));
        }
    }
    bar.finish_and_clear();
    (middle, end)
}

/// The exact scores in discs.
fn exact_scores(evaluation: &ReversiEvaluation, boards: &[Board]) -> Vec<f64> {
    let solve = |searcher: &mut ReversiSearcher, &board: &Board| {
        let task = SolveTask { fresh: true, ..SolveTask::exact(1) };
        discs(searcher.solve(&board, &task, &Stop::new(&Limits::default())).map_or(0, |solution| solution.score))
    };
    boards.par_iter().map_init(|| open(evaluation, 4, false), solve).collect()
}
