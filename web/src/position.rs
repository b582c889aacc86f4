//! A position as JSON: what a page draws.

use flipside::api::command::PlayedMove;
use flipside::engine::dyn_engine::{DynEngine, Start};
use flipside::search::notation::Style;
use flipside::search::types::Side;
use serde_json::{Value, json};

/// Plays moves from a start position, or from the game's own.
pub fn set(engine: &mut dyn DynEngine, start: Option<&str>, moves: &str) -> Result<(), String> {
    let start = start.map_or(Start::Initial, Start::Text);
    let moves = if moves.trim().is_empty() { Vec::new() } else { vec![PlayedMove::new(moves)] };
    engine.set_position(start, &moves, Style::Plain, false).map_err(|error| error.to_string())
}

/// Everything about the present position.
pub fn describe(engine: &dyn DynEngine) -> Value {
    let side_name = |side: Side| side.of(engine.sides());
    let history: Vec<Value> = engine
        .history(Style::Plain)
        .into_iter()
        .map(|(side, text)| json!({ "side": side_name(side), "move": text.to_lowercase() }))
        .collect();
    let legal: Vec<String> = engine.legal_moves(Style::Plain).iter().map(|mv| mv.to_lowercase()).collect();
    let grid = engine.grid();
    let rows: Option<Vec<String>> = grid.as_ref().map(|grid| grid.rows.iter().map(|row| row.iter().collect()).collect());
    let outcome = engine.outcome();
    json!({
        "game": engine.game(),
        "side": side_name(engine.side()),
        "sides": engine.sides(),
        "legal": legal,
        "rows": rows,
        "firstRowOnTop": grid.map(|grid| grid.first_row_on_top),
        "points": engine.points(),
        "position": engine.position(Style::Plain),
        "history": history,
        "opening": engine.opening_name(),
        "over": outcome.is_some(),
        "winner": outcome.as_ref().and_then(|outcome| outcome.winner).map(side_name),
        "margin": outcome.as_ref().and_then(|outcome| outcome.margin),
    })
}
