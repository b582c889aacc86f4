//! `flipside openings`: searches random lines and keeps the balanced ones, which favour neither side.

use crate::cli::args::variant_args::VariantArgs;
use crate::cli::io::output::Output;
use clap::Args;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, UNIT};
use flipside_host::api::settings::Settings;
use flipside_host::engine::registry;
use flipside_referee::balanced_lines::BalancedLines;
use serde::Serialize;
use std::process::ExitCode;

/// Arguments of `flipside openings`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside openings --plies 8 --count 50 > openings.txt"])]
pub struct OpeningsArgs {
    /// Game of the openings
    #[arg(long, value_name = "NAME", default_value = "reversi")]
    game: String,
    #[command(flatten)]
    variant: VariantArgs,
    /// Length of a line, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Number of lines to find
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    count: usize,
    /// Depth of the search that scores a line, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Largest score for either side of a kept line, in discs (or the game's unit)
    #[arg(long, value_name = "DISCS", default_value_t = 1.5)]
    margin: f64,
    /// Seed of the random lines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object per opening
    #[arg(long)]
    json: bool,
}

/// An opening: the object of `--json`.
#[derive(Serialize)]
struct OpeningLine<'a> {
    game: &'a str,
    moves: &'a [String],
    /// In the game's unit, for the first player.
    score: f64,
}

/// Prints one line per opening: the moves, a tab, the score for the first player.
///
/// # Errors
/// An unknown game; the output cannot be written.
pub fn run(args: &OpeningsArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let mut board = registry::open(&Settings { game: args.variant.game(&args.game)?, ..Settings::default() })?;
    let margin = (args.margin * f64::from(UNIT)) as Score;
    let mut lines = BalancedLines::new(args.plies, args.depth, margin, args.seed);
    for _ in 0..args.count {
        let Some(score) = lines.next_line(board.as_mut()) else { break };
        let moves: Vec<String> = board.history(Style::Plain).into_iter().map(|(_, mv)| mv.to_lowercase()).collect();
        let units = f64::from(score) / f64::from(UNIT);
        let opening = OpeningLine { game: board.game(), moves: &moves, score: units };
        out.print(args.json, &opening, format_args!("{}\t{units:+.2}", moves.join(" ")))?;
    }
    Ok(ExitCode::SUCCESS)
}
