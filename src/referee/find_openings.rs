//! `flipside openings`: searches random lines and keeps those that favour nobody.

use crate::api::command::PlayedMove;
use crate::api::settings::Settings;
use crate::engine::dyn_engine::{DynEngine, SearchRequest, Start, search_and_wait};
use crate::engine::registry;
use crate::search::limits::Limits;
use crate::search::notation::Style;
use crate::search::types::{Score, UNIT};
use crate::support::random::Random;
use clap::Args;
use std::collections::HashSet;
use std::io::{Write, stdout};
use std::process::ExitCode;

/// Arguments of `flipside openings`.
#[derive(Args, Debug)]
pub struct OpeningsArgs {
    /// Game whose openings are sought
    #[arg(long, default_value = "reversi")]
    game: String,
    /// Moves of a line
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// Lines to find
    #[arg(long, default_value_t = 50)]
    count: usize,
    /// Depth of the search that judges a line, in plies
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// How far from zero a kept line may be, in discs (or the game's unit)
    #[arg(long, default_value_t = 1.5)]
    margin: f64,
    /// Decides the random lines
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints one line an opening: the moves, a tab, the value for the first player.
///
/// # Errors
/// An unknown game.
pub fn run(args: &OpeningsArgs) -> anyhow::Result<ExitCode> {
    let mut room = registry::open(&Settings { game: args.game.clone(), ..Settings::default() })?;
    let mut random = Random(args.seed);
    let mut seen = HashSet::new();
    let mut out = stdout().lock();
    let margin = (args.margin * f64::from(UNIT)) as Score;
    let mut found = 0;
    // Small games have few lines; so many tries without a new one are enough.
    let mut idle = 0;
    while found < args.count && idle < 10_000 {
        idle += 1;
        if !random_line(room.as_mut(), args.plies, &mut random) || !seen.insert(room.position(Style::Plain)) {
            continue;
        }
        idle = 0;
        let Some(value) = value(room.as_ref(), args.depth) else { continue };
        if value.abs() <= margin {
            found += 1;
            let own = if room.side() == crate::search::types::Side::First { value } else { -value };
            let moves: Vec<String> = room.history(Style::Plain).into_iter().map(|(_, mv)| mv.to_lowercase()).collect();
            let value = f64::from(own) / f64::from(UNIT);
            if writeln!(out, "{}\t{value:+.2}", moves.join(" ")).and_then(|()| out.flush()).is_err() {
                break;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays random moves from the start; false if the game ended on the way.
fn random_line(room: &mut dyn DynEngine, plies: u32, random: &mut Random) -> bool {
    room.new_game();
    (0..plies).all(|_| {
        let moves = room.legal_moves(Style::Plain);
        !moves.is_empty() && {
            let turn = PlayedMove::by(room.side(), moves[random.below(moves.len())].clone());
            room.set_position(Start::Here, &[turn], Style::Plain, false).is_ok()
        }
    }) && room.outcome().is_none()
}

/// The value for the side to move.
fn value(room: &dyn DynEngine, depth: u32) -> Option<Score> {
    let request = SearchRequest::new(Limits { depth: Some(depth), ..Limits::default() });
    search_and_wait(room, request).ok()?.info.map(|info| info.score)
}
