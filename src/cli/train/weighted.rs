//! `flipside train weighted`: the weights of the evaluation `weighted` by linear regression over the positions of games.
//!
//! Weights are interpolated between stages. A position therefore contributes to the stage before it and to the one after
//! it, and one regression finds the weights of all stages.

use crate::cli::output::Output;
use crate::cli::whole_file;
use crate::games::reversi::board::Board;
use crate::games::reversi::evaluation::stage_weighted::{
    FEATURES, StageWeighted, StageWeights, features, interpolation,
};
use crate::search::types::UNIT;
use crate::train::game_file::{GameFileReader, TrainingPosition};
use crate::train::regression::Regression;
use crate::train::samples::VALIDATION_INTERVAL;
use clap::Args;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train weighted`.
#[derive(Args, Debug)]
pub struct WeightedArgs {
    /// Files of games
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Stages with weights of their own, by discs on the board in ascending order
    #[arg(long, value_name = "DISCS", value_delimiter = ',', default_value = "12,24,32,40,46,52,58,64")]
    stages: Vec<u8>,
    /// Leave out positions with a greater disc difference
    #[arg(long, value_name = "DISCS", default_value_t = 20)]
    within: u8,
    /// File of weights to write (TOML)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Discs of a row in the table of errors.
const DISCS_PER_ROW: u32 = 6;

/// Fits the weights and writes them.
///
/// # Errors
/// Stages that are not ascending, or files that cannot be read or written.
pub fn run(args: &WeightedArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let mut stages: Vec<StageWeights> =
        args.stages.iter().map(|&discs| StageWeights::new(discs.into(), [0; FEATURES])).collect();
    // Checks the stages before the games are read.
    StageWeighted::new(stages.clone())?;
    let (regression, validation) = read(args, &stages)?;
    for (stage, weights) in stages.iter_mut().zip(regression.coefficients().chunks_exact(FEATURES)) {
        let rounded = std::array::from_fn(|feature| (weights[feature] * UNIT as f32).round() as i32);
        *stage = StageWeights::new(stage.discs_on_board, rounded);
    }
    let fitted = StageWeighted::new(stages)?;
    whole_file::write(&args.out, fitted.text()?.as_bytes())?;
    print_errors(&validation, &fitted, out)?;
    Ok(ExitCode::SUCCESS)
}

/// A regression over the training set, and the positions of the validation set.
fn read(args: &WeightedArgs, stages: &[StageWeights]) -> anyhow::Result<(Regression, Vec<TrainingPosition>)> {
    let mut regression = Regression::new(stages.len() * FEATURES);
    let mut validation = Vec::new();
    for path in &args.games {
        for (number, game) in (0u64..).zip(GameFileReader::open(path)?) {
            let mut positions = game?.positions();
            positions.retain(|position| !position.opening && position.value.abs() <= args.within.into());
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

/// The features of a position as terms of the stages that it lies between, by their shares.
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

/// Prints the errors on the validation set beside those of the built-in weights.
fn print_errors(validation: &[TrainingPosition], fitted: &StageWeighted, out: &mut Output) -> std::io::Result<()> {
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
    writeln!(out, "discs: validation positions, root mean square error, that of the built-in weights")?;
    for (discs, (count, sums)) in squares {
        let [new, old] = sums.map(|sum| (sum / count).sqrt());
        writeln!(out, "{discs:2} to {:2}: {count:6} {new:6.2} {old:6.2}", discs + DISCS_PER_ROW - 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_contributes_to_the_stages_around_it() {
        // One disc more than the opponent, seven in all.
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
