//! The picture of a game: the facts of its record, on the board.

use super::dyn_engine::DynEngine;
use crate::record::game_record::{GameRecord, RecordMove};
use crate::record::svg::Diagram;
use flipside_core::search::notation::{Grid, column_of};
use flipside_core::search::types::Side;
use flipside_support::text::shortened;

/// Most characters of a title.
const TITLE_LENGTH: usize = 50;
/// Most characters of a name where both names with their sides would not fit.
const LONG_NAME: usize = 15;

/// The diagram of a record in the game's own notation; `board` is at its end. `None` if the game has no board to draw.
pub fn of(record: &GameRecord, board: &dyn DynEngine) -> Option<Diagram> {
    let grid = board.grid()?;
    let played: Vec<&RecordMove> = record.moves.iter().filter(|mv| !board.is_pass(&mv.text)).collect();
    let mut numbers = Vec::new();
    for (index, mv) in played.iter().enumerate() {
        // A move that names only a square fills it for the rest of the game; other moves shift pieces.
        if mv.text.len() == 2
            && let Some((row, column)) = square(&mv.text, &grid)
        {
            numbers.push((row, column, index + 1));
        }
    }
    let score = |(index, mv): (usize, &&RecordMove)| {
        let sign = if mv.side == Some(Side::Second) { -1 } else { 1 };
        Some((index + 1, sign * mv.score?))
    };
    let scores = played.iter().enumerate().filter_map(score).collect();
    Some(Diagram {
        titles: titles(record, board),
        caption: caption(record, board),
        last: played.last().and_then(|mv| square(&mv.text, &grid)),
        numbers,
        scores,
        sides: board.sides(),
        unit: if board.points().is_some() { "discs" } else { "pawns" },
        grid,
    })
}

/// Row from the top and column of the square that a move's name ends with.
fn square(text: &str, grid: &Grid) -> Option<(usize, usize)> {
    let letters = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let (letter, number) = (letters.chars().next_back()?, text.get(letters.len()..)?.parse::<usize>().ok()?);
    let column = column_of(letter, grid.rows.first()?.len())?;
    let row = if grid.first_row_on_top { number.checked_sub(1) } else { grid.rows.len().checked_sub(number) }?;
    (column < grid.rows.get(row)?.len()).then_some((row, column))
}

/// The players, then the event, round, place, date and opening.
fn titles(record: &GameRecord, board: &dyn DynEngine) -> Vec<String> {
    let [first, second] = &record.players;
    let name = |name: &Option<String>, side: Side, most: usize| {
        let side = side.of(board.sides());
        name.as_ref().map_or(side.to_string(), |name| format!("{} ({side})", shortened(name, most)))
    };
    let names = |most| format!("{} – {}", name(first, Side::First, most), name(second, Side::Second, most));
    let players = Some(names(usize::MAX)).filter(|names| names.chars().count() <= TITLE_LENGTH);
    let players = players.unwrap_or_else(|| names(LONG_NAME));
    let round = record.round.as_ref().map(|round| format!("round {round}"));
    let facts = [record.event.clone(), round, record.site.clone(), record.date.clone(), record.opening.clone()];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let known = first.is_some() || second.is_some() || !record.moves.is_empty();
    [known.then_some(players), Some(facts).filter(|facts| !facts.is_empty()), record.comment.clone()]
        .into_iter()
        .flatten()
        .collect()
}

/// The side to move or the result, and the points.
fn caption(record: &GameRecord, board: &dyn DynEngine) -> String {
    let sides = board.sides();
    let state = match record.result {
        Some(result) => match (result.winner, result.difference) {
            (None, _) => "a draw".to_string(),
            (Some(winner), Some(difference)) => format!("{} wins by {}", winner.of(sides), difference.abs()),
            (Some(winner), None) => format!("{} wins", winner.of(sides)),
        },
        None => format!("{} to move", board.side().of(sides)),
    };
    let [black, white] = sides;
    let points = board.points().map(|[first, second]| format!("; {black} {first}, {white} {second}"));
    state + &points.unwrap_or_default()
}
