//! `flipside train weighted`: weights for the textbook's features, by one regression over the positions of games.
//!
//! Between two stages weights change evenly, so that a position speaks for the stage before it and for
//! the one after it, and all of them are found at once.

use super::fit::replace;
use super::record::{GameReader, Moment};
use super::regression::Regression;
use super::samples::HELD_OUT;
use crate::games::reversi::board::Board;
use crate::games::reversi::evaluation::stage_weighted::{FEATURES, StageWeighted, StageWeights, around, features};
use crate::search::types::UNIT;
use clap::Args;
use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train weighted`.
#[derive(Args, Debug)]
pub struct WeightedArgs {
    /// Files of games
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Numbers of discs on the board that get weights of their own, the fewest first
    #[arg(long, value_name = "DISCS", value_delimiter = ',', default_value = "12,24,32,40,46,52,58,64")]
    stages: Vec<u8>,
    /// Positions that are worth more discs to either side count for nothing
    #[arg(long, value_name = "DISCS", default_value_t = 20)]
    within: u8,
    /// File of weights to write (TOML)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Discs of a line of the table of errors.
const CLASS: u32 = 6;

/// Fits and writes.
///
/// # Errors
/// Stages in disorder, or files that cannot be read or written.
pub fn run(args: &WeightedArgs) -> anyhow::Result<ExitCode> {
    let mut stages: Vec<StageWeights> =
        args.stages.iter().map(|&discs| StageWeights::new(discs.into(), [0; FEATURES])).collect();
    // Stages in disorder are found before the games are read.
    StageWeighted::new(stages.clone())?;
    let (regression, held_out) = read(args, &stages)?;
    for (stage, weights) in stages.iter_mut().zip(regression.coefficients().chunks_exact(FEATURES)) {
        let rounded = std::array::from_fn(|feature| (weights[feature] * UNIT as f32).round() as i32);
        *stage = StageWeights::new(stage.discs_on_board, rounded);
    }
    let made = StageWeighted::new(stages)?;
    replace(&args.out, made.text()?.as_bytes())?;
    tell_errors(&held_out, &made)?;
    Ok(ExitCode::SUCCESS)
}

/// The positions that count: a regression over most of them, and those that are held out.
fn read(args: &WeightedArgs, stages: &[StageWeights]) -> anyhow::Result<(Regression, Vec<Moment>)> {
    let mut regression = Regression::new(stages.len() * FEATURES);
    let mut held_out = Vec::new();
    for path in &args.games {
        for (number, game) in (0u64..).zip(GameReader::open(path)?) {
            let mut moments = game?.moments();
            moments.retain(|moment| !moment.opening && moment.value.abs() <= args.within.into());
            if number % HELD_OUT == 0 {
                held_out.append(&mut moments);
            }
            for moment in moments {
                regression.add(&terms(stages, moment.board), moment.value.into(), 1.0);
            }
        }
    }
    Ok((regression, held_out))
}

/// The features of a position in the places of the stages that it lies between.
fn terms(stages: &[StageWeights], board: Board) -> Vec<f32> {
    let counts = features(board);
    let mut terms = vec![0.0; stages.len() * FEATURES];
    let around = around(stages, 64 - board.empties() as i32);
    let whole: i32 = around.iter().map(|(_, share)| share).sum();
    for (stage, share) in around {
        let places = &mut terms[stage * FEATURES..][..FEATURES];
        places.iter_mut().zip(counts).for_each(|(term, count)| *term += (share * count) as f32 / whole as f32);
    }
    terms
}

/// Prints the errors on the positions held out, beside those of the weights in the program.
fn tell_errors(held_out: &[Moment], made: &StageWeighted) -> std::io::Result<()> {
    let built_in = StageWeighted::built_in();
    let mut squares = BTreeMap::<u32, (f64, [f64; 2])>::new();
    for moment in held_out {
        let (count, sums) = squares.entry((64 - moment.board.empties()) / CLASS * CLASS).or_default();
        *count += 1.0;
        for (sum, weights) in sums.iter_mut().zip([made, &built_in]) {
            let value = f64::from(weights.value(moment.board)) / f64::from(UNIT);
            *sum += (value - f64::from(moment.value)).powi(2);
        }
    }
    let mut out = stdout().lock();
    writeln!(out, "discs: positions held out, their mean error (root of the square), that of the built-in weights")?;
    for (discs, (count, sums)) in squares {
        let [new, old] = sums.map(|sum| (sum / count).sqrt());
        writeln!(out, "{discs:2} to {:2}: {count:6} {new:6.2} {old:6.2}", discs + CLASS - 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_speaks_for_the_stages_around_it() {
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
