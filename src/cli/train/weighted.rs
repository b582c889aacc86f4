//! `flipside train weighted`: fits the evaluation `weighted` by linear regression over the positions of games.
//!
//! Weights are interpolated between stages. A position therefore contributes to the stage before it and to the one after
//! it, and one regression finds the weights of all stages.

use super::game_sources::GameSources;
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use clap::Args;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::evaluation::stage_weighted::{
    FEATURES, StageWeighted, StageWeights, features, interpolation,
};
use flipside_core::search::types::UNIT;
use flipside_support::json;
use flipside_train::game_file::TrainingPosition;
use flipside_train::regression::Regression;
use flipside_train::samples::VALIDATION_INTERVAL;
use flipside_train::training_games::TrainingGames;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train weighted`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train weighted --games my.games --out my.toml"])]
pub struct WeightedArgs {
    /// Files of games, from train selfplay or label, or records in any format
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Stages with weights of their own, by discs on the board in ascending order
    #[arg(long, value_name = "DISCS", value_delimiter = ',', default_value = "12,24,32,40,46,52,58,64")]
    stages: Vec<u8>,
    /// Skip positions with a greater disc difference
    #[arg(long, value_name = "DISCS", default_value_t = 20)]
    within: u8,
    /// File of weights to write (TOML)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print the errors as one JSON object per row
    #[arg(long)]
    json: bool,
}

/// A row of the table of errors: the object of `--json`.
#[derive(Serialize)]
struct ErrorRow {
    /// Discs on the board, from and to.
    discs: [u32; 2],
    positions: u64,
    squared: f64,
    squared_built_in: f64,
}

/// Discs of a row in the table of errors.
const DISCS_PER_ROW: u32 = 6;

/// Fits the weights and writes them.
///
/// # Errors
/// The stages are not ascending, or a file cannot be read or written.
pub fn run(args: &WeightedArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let mut stages: Vec<StageWeights> =
        args.stages.iter().map(|&discs| StageWeights::new(discs.into(), [0; FEATURES])).collect();
    // Checks the stages before reading the games.
    StageWeighted::new(stages.clone())?;
    let mut files = GameSources::default();
    let games = files.open_all(&args.games)?;
    let (regression, validation) = read(&games, args.within, &stages)?;
    for (stage, weights) in stages.iter_mut().zip(regression.coefficients().chunks_exact(FEATURES)) {
        let rounded = std::array::from_fn(|feature| (weights[feature] * UNIT as f32).round() as i32);
        *stage = StageWeights::new(stage.discs_on_board, rounded);
    }
    let fitted = StageWeighted::new(stages)?;
    whole_file::write(&args.out, fitted.text()?.as_bytes())?;
    print_errors(&errors(&validation, &fitted), args.json, out)?;
    Ok(ExitCode::from(u8::from(files.has_bad_game())))
}

/// A regression over the training set, and the positions of the validation set.
fn read(
    games: &[TrainingGames],
    within: u8,
    stages: &[StageWeights],
) -> anyhow::Result<(Regression, Vec<TrainingPosition>)> {
    let mut regression = Regression::new(stages.len() * FEATURES);
    let mut validation = Vec::new();
    for list in games {
        for (number, positions) in (0u64..).zip(list.positions()?) {
            let mut positions = positions?;
            positions.retain(|position| !position.opening && position.value.abs() <= within.into());
            if number % VALIDATION_INTERVAL == 0 {
                validation.append(&mut positions);
            }
            for position in positions {
                regression.add(&terms(stages, position.board), position.value.into(), 1.0);
            }
        }
    }
    Ok((regression, validation))
}

/// The features of a position as terms of the two stages around it, weighted by their shares.
fn terms(stages: &[StageWeights], board: Board) -> Vec<f32> {
    let counts = features(board);
    let mut terms = vec![0.0; stages.len() * FEATURES];
    let stages_around = interpolation(stages, 64 - board.empties() as i32);
    let whole: i32 = stages_around.iter().map(|(_, share)| share).sum();
    for (stage, share) in stages_around {
        let stage_terms = &mut terms[stage * FEATURES..][..FEATURES];
        stage_terms.iter_mut().zip(counts).for_each(|(term, count)| *term += (share * count) as f32 / whole as f32);
    }
    terms
}

/// The errors on the validation set beside those of the built-in weights.
fn errors(validation: &[TrainingPosition], fitted: &StageWeighted) -> Vec<ErrorRow> {
    let built_in = StageWeighted::built_in();
    let mut squares = BTreeMap::<u32, (f64, [f64; 2])>::new();
    for position in validation {
        let (count, sums) = squares.entry((64 - position.board.empties()) / DISCS_PER_ROW * DISCS_PER_ROW).or_default();
        *count += 1.0;
        for (sum, weights) in sums.iter_mut().zip([fitted, &built_in]) {
            let value = f64::from(weights.value(position.board)) / f64::from(UNIT);
            *sum += (value - f64::from(position.value)).powi(2);
        }
    }
    let row = |(discs, (count, sums)): (u32, (f64, [f64; 2]))| {
        let [squared, squared_built_in] = sums.map(|sum| (sum / count).sqrt());
        ErrorRow { discs: [discs, discs + DISCS_PER_ROW - 1], positions: count as u64, squared, squared_built_in }
    };
    squares.into_iter().map(row).collect()
}

fn print_errors(rows: &[ErrorRow], as_json: bool, out: &mut Output) -> std::io::Result<()> {
    if !as_json {
        writeln!(out, "discs: validation positions, root mean square error, that of the built-in weights")?;
    }
    for row in rows {
        let ErrorRow { discs: [first, last], positions, squared, squared_built_in } = row;
        match as_json {
            true => writeln!(out, "{}", json::line(row)?)?,
            false => writeln!(out, "{first:2} to {last:2}: {positions:6} {squared:6.2} {squared_built_in:6.2}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_contributes_to_the_stages_around_it() {
        // One disc more than the opponent, seven in total.
        let board = Board { player: 0b1111, opponent: 0b111 << 32 };
        let terms = |stages: &[i32]| {
            let stages: Vec<_> = stages.iter().map(|&discs| StageWeights::new(discs, [0; FEATURES])).collect();
            terms(&stages, board)
        };
        let counts = features(board).map(|count| count as f32);
        let found = terms(&[4, 10]);
        let half = counts.map(|count| count / 2.0);
        assert_eq!((&found[..FEATURES], &found[FEATURES..]), (&half[..], &half[..]));
        assert_eq!(terms(&[7, 10])[..FEATURES], counts);
        assert_eq!(terms(&[4, 6])[FEATURES..], counts);
        assert_eq!(terms(&[60]), counts);
    }
}
