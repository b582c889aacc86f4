//! Variations of game records: their legal moves, in another notation.

use super::dyn_engine::DynEngine;
use super::dyn_position::{DynPosition, SharedPosition};
use crate::record::game_record::RecordMove;
use crate::record::san;
use flipside_core::search::notation::Style;

/// The variations from a position of the board's game, in the notation `to` instead of `from`. Each ends before its first
/// move that is not legal.
pub(super) fn restyled(
    board: &dyn DynEngine,
    position: &SharedPosition,
    variations: &[Vec<RecordMove>],
    from: Style,
    to: Style,
) -> Vec<Vec<RecordMove>> {
    let lines = variations.iter().map(|line| restyled_line(board, position, line, from, to));
    lines.filter(|line| !line.is_empty()).collect()
}

fn restyled_line(
    board: &dyn DynEngine,
    start: &SharedPosition,
    line: &[RecordMove],
    from: Style,
    to: Style,
) -> Vec<RecordMove> {
    let mut position = SharedPosition::clone(start);
    let mut legal = Vec::with_capacity(line.len());
    for mv in line {
        let passed = || position.after(position.forced_pass()?);
        let here = |position: SharedPosition| Some((code(board, &*position, &mv.text, from)?, position));
        // A forced pass may be left out.
        let found = here(SharedPosition::clone(&position)).or_else(|| here(passed()?));
        let Some((code, before)) = found else { break };
        let variations = restyled(board, &before, &mv.variations, from, to);
        let text = before.names(&[code], to).concat();
        legal.push(RecordMove { side: Some(before.side()), text, variations, ..mv.clone() });
        let Some(after) = before.after(code) else { break };
        position = after;
    }
    legal
}

/// The code of the legal move of this name, which may be a word for a pass or in short algebraic notation.
fn code(board: &dyn DynEngine, position: &dyn DynPosition, text: &str, style: Style) -> Option<u16> {
    if board.is_pass(text) {
        return position.forced_pass();
    }
    let moves = position.moves();
    let names = |style| moves.iter().map(|&code| position.names(&[code], style).concat()).collect::<Vec<_>>();
    let named = |names: &[String], text: &str| names.iter().position(|name| name.eq_ignore_ascii_case(text));
    let index = named(&names(style), text).or_else(|| {
        let legal = names(Style::Uci);
        named(&legal, san::find_on(&position.grid()?, text, &legal)?)
    })?;
    moves.get(index).copied()
}
