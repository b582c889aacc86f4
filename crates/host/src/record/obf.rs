//! OBF: one position a line, with values of its moves and a comment after `#` or, as Edax writes it, `%`.
//! [`flipside_core::games::reversi::obf`] reads the line itself.

use super::game_record::{CannotHold, GameRecord, StartPosition, field};
use flipside_core::games::reversi::obf;
use flipside_core::search::notation::{PositionError, Style};
use flipside_core::search::types::UNIT;

/// Whether the line begins with 64 squares and a side to move, or with squares and a score.
pub fn is_obf(line: &str) -> bool {
    let position = line.split([';', '#', '%']).next().unwrap_or_default();
    obf::position(position).is_ok() || obf::line(line).is_ok()
}

/// Reads a line.
///
/// # Errors
/// The line has no valid position, or what follows it cannot be read.
pub fn read(line: &str) -> Result<GameRecord, PositionError> {
    let found = obf::line(line)?;
    // A damaged sign must not make values vanish.
    let first = found.comment.trim_start_matches([';', ' ']).split([';', ' ']).next().unwrap_or_default();
    if first.split_once(':').is_some_and(|(mv, score)| mv.len() <= 4 && score.parse::<i32>().is_ok()) {
        return Err(PositionError(format!("expected no `move:score` as a comment, found `{first}`")));
    }
    let start = obf::show(found.board, found.black_to_move);
    Ok(GameRecord {
        game: Some("reversi"),
        start: Some(StartPosition { text: start, style: Style::Plain }),
        comment: field(&found.comment),
        values: found.moves.iter().map(|&(square, discs)| (obf::square_name(square), discs * UNIT)).collect(),
        ..GameRecord::default()
    })
}

/// Writes the start position of a record in the game's own notation; values of moves as whole discs.
///
/// # Errors
/// The record is of another game than Reversi, or has moves or no start position.
pub fn write(record: &GameRecord) -> Result<String, CannotHold> {
    CannotHold::unless_reversi("obf", record)?;
    let start = record.start.as_ref().filter(|_| record.moves.is_empty());
    let start = start.ok_or_else(|| CannotHold::new("obf", "it is a game, not a position"))?;
    let mut text = start.text.clone();
    for (mv, value) in &record.values {
        text.push_str(&format!("; {mv}:{:+}", (f64::from(*value) / f64::from(UNIT)).round()));
    }
    text.push(';');
    if let Some(comment) = &record.comment {
        text.push_str(&format!(" # {comment}"));
    }
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18; h1:+12; # ffo-01\n";

    #[test]
    fn positions_with_values_and_comments() {
        let record = read(LINE).expect("a position");
        assert_eq!(record.values, [("g8".to_string(), 1800), ("h1".to_string(), 1200)]);
        assert_eq!(write(&record).as_deref(), Ok(LINE));
        assert_eq!(read(&LINE.replace('#', "%")), Ok(record), "Edax's comment");
        for damaged in [LINE.replace("X;", "X#"), LINE.replace("+18;", "+18%;"), LINE.replace("h1", "#1")] {
            assert!(read(&damaged).is_err(), "{damaged}");
        }
        assert!(is_obf(LINE) && !is_obf("f5d6c3") && !is_obf(""));
    }
}
