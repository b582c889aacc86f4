//! `flipside train gomoku`: plays Gomoku games by self-play, fits the weights of line patterns to
//! their quiet positions, and writes the result. It made the weights in the binary.

use super::self_play_args::SelfPlayArgs;
use crate::cli::args::variant_args::VariantArgs;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::Context;
use clap::Args;
use flipside_core::games::gomoku::rules::Gomoku;
use flipside_core::games::gomoku::weights::PatternWeights;
use flipside_core::games::names::GOMOKU;
use flipside_support::bounded_file;
use flipside_train::gomoku::{fit, games, samples};
use flipside_train::logistic::Samples;
use flipside_train::played_games;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside train gomoku`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train gomoku --games gomoku.games --out my-gomoku.txt"])]
pub struct GomokuArgs {
    #[command(flatten)]
    shared: SelfPlayArgs,
    #[command(flatten)]
    variant: VariantArgs,
    /// Weights that play the games and start the fit: a file, `patterns` (those
    /// of the rule) or `by-hand`
    #[arg(long, default_value = "patterns")]
    start: String,
    /// Further files of games for the fit
    #[arg(long, value_name = "FILE")]
    also: Vec<PathBuf>,
}

/// Plays the games, fits, and writes the result.
///
/// # Errors
/// A file cannot be read, written or resumed.
pub fn run(args: &GomokuArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let name = args.variant.game(GOMOKU[0].name)?;
    let game = Gomoku::named(&name).with_context(|| format!("{name} is not a game of gomoku"))?;
    let start = match PatternWeights::named(&args.start, game.rule()) {
        Some(weights) => weights,
        None => {
            let text = bounded_file::read_text(args.start.as_ref(), PatternWeights::MAX_FILE_SIZE);
            PatternWeights::read(&text.with_context(|| args.start.clone())?).with_context(|| args.start.clone())?
        }
    };
    let (interrupt, shared) = (Interrupt::new()?, &args.shared);
    let player = || games::player(game, &start, shared.nodes);
    if !shared.play(game.names().name, start.show().as_bytes(), &interrupt, player)? {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    // The games are safe, and the rest begins anew.
    let _fitting = interrupt.ends_at_once();
    let (mut fitted, mut number) = (Samples::default(), 0);
    for path in shared.files(&args.also) {
        for played in played_games::read(path)? {
            let place = || format!("{}: game {}", path.display(), number + 1);
            samples::add(&mut fitted, &game, number, &played, shared.lambda(70)).with_context(place)?;
            number += 1;
        }
    }
    shared.print_counts((fitted.list.len(), number as usize), out)?;
    let weights = fit::fit(&fitted, &start, shared.epochs, &mut |epoch| shared.print_epoch(epoch, out))?;
    whole_file::write(&shared.out, weights.show().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
