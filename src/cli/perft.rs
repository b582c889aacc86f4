//! `flipside perft`: counts the leaves of the game tree, depth by depth.

use crate::cli::args::position;
use crate::cli::io::output::Output;
use clap::{Args, ValueEnum};
use flipside_core::search::notation::{PerftRule, Style};
use flipside_host::api::settings::Settings;
use serde::Serialize;
use std::process::ExitCode;
use std::time::Instant;

/// Arguments of `flipside perft`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside perft 9", "flipside perft 5 --game minichess"])]
pub struct PerftArgs {
    /// Depth to count to, in plies
    #[arg(value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Game whose tree to count
    #[arg(long, default_value = "reversi")]
    game: String,
    /// Position in the game's one-line notation (default: the start position)
    #[arg(long, allow_hyphen_values = true)]
    position: Option<String>,
    /// Counting rule for passes and early ends (default: the game's own rule)
    #[arg(long)]
    rule: Option<Rule>,
    /// Print one JSON object per depth
    #[arg(long)]
    json: bool,
}

/// The leaves at a depth: the object of `--json`.
#[derive(Serialize)]
struct PerftLine<'a> {
    game: &'a str,
    position: &'a str,
    depth: u32,
    leaves: u64,
    seconds: f64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rule {
    /// A forced pass is a ply; a game that ends early is one leaf
    Passply,
    /// A forced pass is a ply; a game that ends early is not counted
    Full,
    /// Only moves that place a piece are plies; a game that ends early is one leaf
    Discply,
}

/// Prints `DEPTH COUNT` for every depth up to the given one.
///
/// # Errors
/// The game is unknown, the position cannot be read, or the output cannot be written.
pub fn run(args: &PerftArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let settings = Settings { game: args.game.clone(), hash: 1, ..Settings::default() };
    let engine = position::open(&settings, args.position.as_deref())?;
    let rule = args.rule.map(|rule| match rule {
        Rule::Passply => PerftRule::PassPly,
        Rule::Full => PerftRule::Full,
        Rule::Discply => PerftRule::DiscPly,
    });
    let (game, position) = (engine.game(), engine.position(Style::Plain));
    for depth in 1..=args.depth {
        let started = Instant::now();
        let leaves = engine.perft(depth, rule);
        let seconds = started.elapsed().as_secs_f64();
        let line = PerftLine { game, position: &position, depth, leaves, seconds };
        out.print(args.json, &line, format_args!("{depth} {leaves}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
