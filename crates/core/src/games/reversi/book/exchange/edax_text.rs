//! Edax's book as text, a position a line: 64 squares, a blank, the side to move, then level, leaf and its score between
//! commas. It holds no values of positions and no links.

use super::{ExchangeError, Leaf, NO_MOVE, Record, damaged};
use crate::games::reversi::board::PASS;
use crate::games::reversi::obf;
use std::io::{self, BufRead, Write};

/// The score of a leaf that is none.
const NO_SCORE: i8 = -127;

/// Reads the records; leaf and score may be missing, and empty lines are skipped.
pub fn records(input: impl BufRead) -> impl Iterator<Item = Result<Record, ExchangeError>> {
    let lines = input.lines().enumerate().filter(|(_, line)| !line.as_ref().is_ok_and(|line| line.trim().is_empty()));
    lines.map(|(index, line)| record(&line?).map_err(|reason| damaged(format_args!("line {}", index + 1), reason)))
}

fn record(line: &str) -> Result<Record, String> {
    let mut fields = line.trim().split(',');
    let (board, _) = obf::position(fields.next().unwrap_or_default()).map_err(|error| error.to_string())?;
    let level = fields.next().unwrap_or("0").parse().map_err(|_| "its level is no number from 0 to 60")?;
    let leaf = fields.next().map(|name| leaf(name, fields.next(), level)).transpose()?;
    if fields.next().is_some() {
        return Err("more follows the score of its leaf".into());
    }
    Ok(Record { leaf: leaf.flatten(), ..Record::new(board, level) }.checked()?)
}

fn leaf(name: &str, score: Option<&str>, level: u8) -> Result<Option<Leaf>, &'static str> {
    let square = match name {
        "--" => NO_MOVE,
        name => obf::square(name).ok().filter(|(rest, _)| rest.is_empty()).ok_or("its leaf is no square")?.1,
    };
    let score = score.unwrap_or("-127").parse().map_err(|_| "the score of its leaf is no number of discs")?;
    Ok((score != NO_SCORE).then_some(Leaf { score, square, level }))
}

/// Writes the records.
///
/// # Errors
/// Those of `out`.
pub fn write(records: impl Iterator<Item = Record>, out: &mut impl Write) -> io::Result<()> {
    for Record { board, level, leaf, .. } in records {
        let (name, score) = match leaf {
            None => ("--".to_string(), NO_SCORE),
            Some(Leaf { square: NO_MOVE, score, .. }) => ("--".to_string(), score),
            Some(Leaf { square: PASS, score, .. }) => ("PA".to_string(), score),
            Some(Leaf { square, score, .. }) => (obf::square_name(square).to_uppercase(), score),
        };
        writeln!(out, "{},{},{name},{score}", obf::show(board, true), level.max(1))?;
    }
    Ok(())
}
