//! The review of a finished game: its costliest moves.

use super::thinking;
use crate::api::command::PlayedMove;
use crate::api::settings::Settings;
use crate::cli::interrupt::Interrupt;
use crate::cli::progress;
use crate::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use crate::engine::registry;
use crate::search::limits::Limits;
use crate::search::notation::Style;
use crate::search::types::{Score, Side, UNIT};
use anyhow::Context;
use std::cmp::Reverse;
use std::io::{IsTerminal, stderr};

/// Nodes for each position. All moves of a position are searched together, so that they are judged alike.
const NODES: u64 = 30_000;
/// MiB of its tables.
const HASH: usize = 16;
/// Losses up to this, in hundredths, are noise.
const NOISE: Score = 50;
/// How many moves are named.
const COUNT: usize = 3;

/// A move that cost something.
#[derive(Clone, Debug, PartialEq)]
struct Mistake {
    /// The ply, counted from 1.
    ply: usize,
    side: Side,
    played: String,
    best: String,
    loss: Score,
}

/// The costliest moves of the game on the board, a line each; `None` if Ctrl-C cut the review short.
///
/// # Errors
/// A search failed inside.
pub fn costliest(board: &dyn DynEngine, settings: &Settings, interrupt: &Interrupt) -> anyhow::Result<Option<String>> {
    let Some(mut mistakes) = mistakes(board, settings, interrupt)? else { return Ok(None) };
    mistakes.sort_by_key(|mistake| (Reverse(mistake.loss), mistake.ply));
    let sides = board.sides();
    let line = |mistake: &Mistake| {
        let Mistake { ply, side, played, best, loss } = mistake;
        let discs = f64::from(*loss) / f64::from(UNIT);
        format!("  {ply}. {played} ({}) lost {discs:.2}; best was {best}\n", side.of(sides))
    };
    let lines: String = mistakes.iter().take(COUNT).map(line).collect();
    Ok(Some(if lines.is_empty() { "no costly moves\n".into() } else { format!("costliest moves:\n{lines}") }))
}

fn mistakes(board: &dyn DynEngine, settings: &Settings, interrupt: &Interrupt) -> anyhow::Result<Option<Vec<Mistake>>> {
    let mut engine = registry::open(&Settings { hash: HASH, ..settings.clone() })?;
    engine
        .set_position(Start::Text(&board.start_position(Style::Plain)), &[], Style::Plain, false)
        .context("the start of the game cannot be set up")?;
    let moves = board.history(Style::Plain);
    let bar = progress::bar(moves.len() as u64, "reviewing {bar:30} {pos}/{len}");
    if !stderr().is_terminal() {
        bar.set_draw_target(indicatif::ProgressDrawTarget::hidden());
    }
    let mut mistakes = Vec::new();
    for (index, (side, played)) in moves.into_iter().enumerate() {
        let legal = engine.legal_moves(Style::Plain);
        if legal.len() > 1 {
            let limits = Limits { nodes: Some(NODES), ..Limits::default() };
            let request = SearchRequest { multipv: legal.len(), ..SearchRequest::new(limits) };
            let Some(found) = thinking::search(&*engine, request, interrupt)? else { return Ok(None) };
            let first_move = |line: &crate::api::event::Info| line.pv.first().cloned();
            let line = found.lines.iter().find(|line| first_move(line).as_ref() == Some(&played));
            if let (Some(best), Some(line)) = (found.lines.first(), line) {
                let (loss, best) = (best.score - line.score, first_move(best).unwrap_or_default());
                mistakes.push(Mistake { ply: index + 1, side, played: played.clone(), best, loss });
            }
        }
        engine
            .set_position(Start::Here, &[PlayedMove::by(side, played)], Style::Plain, false)
            .context("a move of the game cannot be played again")?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    mistakes.retain(|mistake| mistake.loss > NOISE);
    Ok(Some(mistakes))
}
