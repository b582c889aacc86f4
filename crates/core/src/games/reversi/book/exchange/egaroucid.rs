//! Egaroucid's book, version 3 (`.egbk3`): a header of 14 bytes, then records of 25. Its first square is h8; that is half a
//! turn of the board, a symmetry, so its numbers are taken as they are. It stores no positions whose side must pass, but
//! those after the pass; the reader adds the others.

use super::{
    ExchangeError, Leaf, Link, NO_MOVE, Place, Record, board_of, bytes, bytes_of, damaged, header_bytes, least, level,
};
use crate::games::reversi::board::{PASS, Placement};
use crate::games::reversi::rules::Reversi;
use crate::search::game::Game;
use std::io::{self, BufRead, Write};

/// The first bytes of a book of any version from 2 on.
pub const MAGIC: &[u8; 9] = b"DICUORAGE";
/// The version of the format.
const VERSION: u8 = 3;
/// Bytes of the header.
const HEADER_BYTES: u64 = 14;
/// Bytes of a record.
const RECORD_BYTES: u64 = 25;
/// The level of what was not searched.
const NO_LEVEL: i8 = -1;
/// Value and move of a leaf that is none.
const NO_LEAF: (i8, u8) = (-126, 125);
/// The largest number of lines.
const MOST_LINES: u32 = 4_000_000_000;

/// Reads the records of a book.
pub struct EgaroucidReader<R> {
    input: R,
    place: Place,
    /// A position whose side must pass, before the one that was read last.
    before_pass: Option<Record>,
}

impl<R: BufRead> EgaroucidReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// The file cannot be read, is no book of Egaroucid, has another version, or ends inside the header.
    pub fn new(mut input: R) -> Result<EgaroucidReader<R>, ExchangeError> {
        if &header_bytes(&mut input)? != MAGIC {
            let expected = "an opening book of Egaroucid (expected a file that begins with `DICUORAGE`)";
            return Err(ExchangeError::Foreign(expected));
        }
        let [version] = header_bytes(&mut input)?;
        if version != VERSION {
            let reason = format!("its version is {version}; this program reads version {VERSION} (.egbk3)");
            return Err(damaged("the header", reason));
        }
        let place = Place::new(i32::from_le_bytes(header_bytes(&mut input)?), HEADER_BYTES)?;
        Ok(EgaroucidReader { input, place, before_pass: None })
    }
}

impl<R: BufRead> Iterator for EgaroucidReader<R> {
    type Item = Result<Record, ExchangeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(record) = self.before_pass.take() {
            return Some(Ok(record));
        }
        let read = self.place.next(&mut self.input, read_record);
        self.before_pass = read.as_ref().and_then(|read| before_pass(read.as_ref().ok()?));
        read
    }
}

fn read_record(input: &mut impl BufRead) -> io::Result<(Result<Record, &'static str>, u64)> {
    let board = board_of(&bytes(input)?);
    let [value, level] = bytes(input)?;
    let lines = u32::from_le_bytes(bytes(input)?);
    let [score, square, leaf_level] = bytes(input)?;
    let searched = |level: u8| if level > level::HIGHEST { 0 } else { level };
    let leaf = Leaf { score: score as i8, square, level: searched(leaf_level) };
    let is_none = square >= NO_MOVE || leaf.score == NO_LEAF.0;
    let record = Record {
        value: Some(value as i8),
        lines: [0, 0, 0, lines],
        leaf: (!is_none).then_some(leaf),
        ..Record::new(board, searched(level))
    };
    Ok((record.checked(), RECORD_BYTES))
}

/// The position before a pass that leads to this one, if its side can only pass.
fn before_pass(after: &Record) -> Option<Record> {
    let before = after.board.passed();
    let must_pass = Reversi::portable().moves(&before).next() == Some(Placement::PASS);
    let score = -after.value?;
    let record = Record { value: Some(score), lines: after.lines, ..Record::new(least(before), after.level) };
    must_pass.then_some(Record { links: vec![Link { score, square: PASS }], ..record })
}

/// What Egaroucid stores of a position: the position after it where its side must pass, unless that is in the book anyway.
fn stored(record: Record) -> Option<Record> {
    if record.links.iter().any(|link| link.square == PASS) {
        return None;
    }
    match record.leaf {
        Some(Leaf { square: PASS, score, level }) => {
            Some(Record { value: Some(-score), ..Record::new(least(record.board.passed()), level) })
        }
        leaf => Some(Record { leaf: leaf.filter(|leaf| leaf.square < PASS), ..record }),
    }
}

/// Writes a book of records that have values.
///
/// # Errors
/// Those of `out`.
pub fn write(records: impl Iterator<Item = Record>, out: &mut impl Write) -> io::Result<()> {
    // The header says how many records follow.
    let mut body = Vec::new();
    let mut count = 0_i32;
    let level_byte = |level: u8| if level == 0 { NO_LEVEL as u8 } else { level };
    for Record { board, value, lines: [.., lines], level, leaf, .. } in records.filter_map(stored) {
        let (leaf, leaf_level) =
            leaf.map_or((NO_LEAF, NO_LEVEL as u8), |leaf| ((leaf.score, leaf.square), level_byte(leaf.level)));
        body.extend(bytes_of(board));
        body.extend([value.unwrap_or(0) as u8, level_byte(level)]);
        body.extend(lines.min(MOST_LINES).to_le_bytes());
        body.extend([leaf.0 as u8, leaf.1, leaf_level]);
        count = count.saturating_add(1);
    }
    out.write_all(MAGIC)?;
    out.write_all(&[VERSION])?;
    out.write_all(&count.to_le_bytes())?;
    out.write_all(&body)
}
