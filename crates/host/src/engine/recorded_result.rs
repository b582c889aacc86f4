//! Results of records against the rules: where the moves end the game the rules decide, whatever the record states.

use super::dyn_engine::DynEngine;
use crate::record::game_record::{GameRecord, GameResult};
use flipside_core::search::types::Side;

/// The result, if the game is over by its rules.
pub fn result(board: &dyn DynEngine) -> Option<GameResult> {
    let outcome = board.outcome()?;
    let sign = if outcome.winner == Some(Side::Second) { -1 } else { 1 };
    let difference = outcome.margin.map(|margin| sign * margin as i32);
    Some(GameResult { winner: outcome.winner, difference, cause: None })
}

/// The result of a game whose record states this one; the board is at its end. A margin that no position of the game has is
/// unknown.
pub fn settled(board: &dyn DynEngine, stated: Option<GameResult>) -> Option<GameResult> {
    let possible = |result: GameResult| GameResult {
        difference: result.difference.filter(|it| is_possible(board, *it)),
        ..result
    };
    result(board).or(stated.map(possible))
}

/// Whether the squares of the board are enough for this difference in discs.
fn is_possible(board: &dyn DynEngine, difference: i32) -> bool {
    let grid = board.points().and_then(|_| board.grid());
    let squares = grid.map(|grid| grid.rows.iter().map(Vec::len).sum::<usize>());
    squares.is_none_or(|squares| difference.unsigned_abs() as usize <= squares)
}

/// Says in what a record's result contradicts its moves, or the game; the board is at its end.
pub fn contradiction(board: &dyn DynEngine, record: &GameRecord) -> Option<String> {
    let stated = record.result?;
    let Some(played) = result(board) else {
        let difference = stated.difference.filter(|difference| !is_possible(board, *difference))?;
        return Some(format!("its result, a difference of {difference} discs, is impossible and counts as unknown"));
    };
    // Some count the empty squares for nobody.
    let on_board = board.points().map(|[first, second]| first as i32 - second as i32);
    let agrees = stated.difference.is_none_or(|it| Some(it) == played.difference || Some(it) == on_board);
    let words = |result| in_words(board, result);
    (stated.winner != played.winner || !agrees)
        .then(|| format!("its result, {}, contradicts its moves: by them {}", words(stated), words(played)))
}

/// `black wins by 12`, `white wins`, `it is a draw`.
fn in_words(board: &dyn DynEngine, result: GameResult) -> String {
    let Some(winner) = result.winner else { return "it is a draw".into() };
    let margin = result.difference.map(|difference| format!(" by {}", difference.unsigned_abs())).unwrap_or_default();
    format!("{} wins{margin}", winner.of(board.sides()))
}
