//! `flipside openings`: searches random lines and keeps the balanced ones, which favour neither side.

use super::output::Output;
use crate::api::command::PlayedMove;
use crate::api::settings::Settings;
use crate::engine::dyn_engine::{DynEngine, SearchRequest, Start, search_and_wait};
use crate::engine::registry;
use crate::search::limits::Limits;
use crate::search::notation::Style;
use crate::search::types::{Score, Side, UNIT};
use crate::support::random::Random;
use clap::Args;
use std::collections::HashSet;
use std::io::Write;
use std::process::ExitCode;

/// Tries in a row without a new line after which the search ends: small games have few lines.
const MAX_REPEATED: u32 = 10_000;

/// Arguments of `flipside openings`.
#[derive(Args, Debug)]
pub struct OpeningsArgs {
    /// Game to find openings of
    #[arg(long, value_name = "NAME", default_value = "reversi")]
    game: String,
    /// Moves of a line, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Lines to find
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    count: usize,
    /// Depth of the search that scores a line, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Largest score of a kept line for either side, in discs (or the game's unit)
    #[arg(long, value_name = "DISCS", default_value_t = 1.5)]
    margin: f64,
    /// Seed of the random lines
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints one line an opening: the moves, a tab, the score for the first player.
///
/// # Errors
/// An unknown game; the output cannot be written.
pub fn run(args: &OpeningsArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let mut board = registry::open(&Settings { game: args.game.clone(), ..Settings::default() })?;
    let mut random = Random(args.seed);
    let mut seen = HashSet::new();
    let margin = (args.margin * f64::from(UNIT)) as Score;
    let mut found = 0;
    let mut repeated = 0;
    while found < args.count && repeated < MAX_REPEATED {
        repeated += 1;
        if !random_line(board.as_mut(), args.plies, &mut random) || !seen.insert(board.position(Style::Plain)) {
            continue;
        }
        repeated = 0;
        let Some(score) = score(board.as_ref(), args.depth) else { continue };
        if score.abs() <= margin {
            found += 1;
            let score = if board.side() == Side::First { score } else { -score };
            let moves: Vec<String> = board.history(Style::Plain).into_iter().map(|(_, mv)| mv.to_lowercase()).collect();
            let units = f64::from(score) / f64::from(UNIT);
            writeln!(out, "{}\t{units:+.2}", moves.join(" "))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays random moves from the start; false if the game ended on the way.
fn random_line(board: &mut dyn DynEngine, plies: u32, random: &mut Random) -> bool {
    board.new_game();
    (0..plies).all(|_| {
        let moves = board.legal_moves(Style::Plain);
        !moves.is_empty() && {
            let played = PlayedMove::by(board.side(), moves[random.below(moves.len())].clone());
            board.set_position(Start::Here, &[played], Style::Plain, false).is_ok()
        }
    }) && board.outcome().is_none()
}

/// The score for the side to move.
fn score(board: &dyn DynEngine, depth: u32) -> Option<Score> {
    let request = SearchRequest::new(Limits { depth: Some(depth), ..Limits::default() });
    search_and_wait(board, request).ok()?.info.map(|info| info.score)
}
