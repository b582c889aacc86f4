//! Edax's binary book, version 4: a header of 42 bytes, then records of 42 bytes and two for each link.

use super::{ExchangeError, Leaf, Link, NO_MOVE, Place, Record, board_of, bytes, bytes_of, damaged, header_bytes};
use std::io::{self, BufRead, Write};

/// The first bytes of a book.
pub const MAGIC: &[u8; 8] = b"XADEKOOB";
/// The version of the format.
const VERSION: u8 = 4;
/// Bytes of the header.
const HEADER_BYTES: u64 = 42;
/// The score of a leaf that is none.
const NO_SCORE: i8 = -127;
/// As Egaroucid writes it.
const NO_SCORE_OF_EGAROUCID: i8 = -126;

/// The head of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The second number of the version of Edax that wrote it.
    pub release: u8,
    /// Year, month, day, hour, minute and second of the last save.
    pub saved: [i16; 6],
    /// Level, number of empty squares up to which the book goes, error of searches in the midgame and of solves, and
    /// verbosity.
    pub options: [i32; 5],
    /// Number of records.
    pub positions: i32,
}

impl Header {
    /// The head of a book of this level whose positions have at least `empties` empty squares, with the usual errors.
    /// Edax counts to the position after the last move.
    pub fn new(saved: [i16; 6], level: u8, empties: u32, positions: usize) -> Header {
        let options = [i32::from(level), empties as i32 + 1, MIDGAME_ERROR.into(), ENDGAME_ERROR.into(), 0];
        Header { release: 5, saved, options, positions: i32::try_from(positions).unwrap_or(i32::MAX) }
    }

    fn read(input: &mut impl BufRead) -> Result<Header, ExchangeError> {
        if &header_bytes(input)? != MAGIC {
            return Err(ExchangeError::Foreign(
                "an opening book of Edax (expected a file that begins with `XADEKOOB`)",
            ));
        }
        let [version, release] = header_bytes(input)?;
        if version != VERSION {
            let reason = format!("its version is {version}; this program reads version {VERSION}");
            return Err(damaged("the header", reason));
        }
        let year = i16::from_le_bytes(header_bytes(input)?);
        let [month, day, hour, minute, second, _] = header_bytes::<6>(input)?.map(i16::from);
        let mut numbers = [0; 6];
        for number in &mut numbers {
            *number = i32::from_le_bytes(header_bytes(input)?);
        }
        let [level, empties, midgame_error, endgame_error, verbosity, positions] = numbers;
        let options = [level, empties, midgame_error, endgame_error, verbosity];
        Ok(Header { release, saved: [year, month, day, hour, minute, second], options, positions })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [year, rest @ ..] = self.saved;
        out.write_all(MAGIC)?;
        out.write_all(&[VERSION, self.release])?;
        out.write_all(&year.to_le_bytes())?;
        out.write_all(&rest.map(|number| number as u8))?;
        out.write_all(&[0])?;
        for number in self.options.iter().chain([&self.positions]) {
            out.write_all(&number.to_le_bytes())?;
        }
        Ok(())
    }
}

/// What Edax takes for the error of a search that does not reach the end of the game, in discs.
pub const MIDGAME_ERROR: i8 = 2;
/// The same of a selective search that does.
pub const ENDGAME_ERROR: i8 = 1;

/// Reads the records of a book.
pub struct EdaxReader<R> {
    input: R,
    /// The head of the book.
    pub header: Header,
    place: Place,
}

impl<R: BufRead> EdaxReader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// The file cannot be read, is no book of Edax, has another version, or ends inside the header.
    pub fn new(mut input: R) -> Result<EdaxReader<R>, ExchangeError> {
        let header = Header::read(&mut input)?;
        let place = Place::new(header.positions, HEADER_BYTES)?;
        Ok(EdaxReader { input, header, place })
    }
}

impl<R: BufRead> Iterator for EdaxReader<R> {
    type Item = Result<Record, ExchangeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.place.next(&mut self.input, read_record)
    }
}

fn read_record(input: &mut impl BufRead) -> io::Result<(Result<Record, &'static str>, u64)> {
    let board = board_of(&bytes(input)?);
    let mut lines = [0; 4];
    for count in &mut lines {
        *count = u32::from_le_bytes(bytes(input)?);
    }
    let mut values = [0; 3];
    for value in &mut values {
        // What does not fit is beyond 64 discs, too.
        *value = i8::try_from(i16::from_le_bytes(bytes(input)?)).unwrap_or(i8::MIN);
    }
    let [value, lower, upper] = values;
    let [count, level] = bytes(input)?;
    let mv = |input: &mut _| bytes(input).map(|[score, square]: [u8; 2]| (score as i8, square));
    let mut links = Vec::with_capacity(count.into());
    for _ in 0..count {
        let (score, square) = mv(input)?;
        links.push(Link { score, square });
    }
    let (score, square) = mv(input)?;
    let is_none = square == NO_MOVE && [NO_SCORE, NO_SCORE_OF_EGAROUCID].contains(&score);
    let leaf = (!is_none).then_some(Leaf { score, square, level });
    let record = Record { board, value: Some(value), bounds: [lower, upper], lines, level, links, leaf };
    Ok((record.checked(), 42 + 2 * u64::from(count)))
}

/// Writes a book: the header, then the records, of which each needs a value.
///
/// # Errors
/// Those of `out`.
pub fn write(header: &Header, records: impl Iterator<Item = Record>, out: &mut impl Write) -> io::Result<()> {
    header.write(out)?;
    for record in records {
        let Record { board, value, bounds: [lower, upper], lines, level, links, leaf } = record;
        out.write_all(&bytes_of(board))?;
        for count in lines {
            out.write_all(&count.to_le_bytes())?;
        }
        for value in [value.unwrap_or(0), lower, upper] {
            out.write_all(&i16::from(value).to_le_bytes())?;
        }
        // Edax takes no lower level than 1 for new searches.
        out.write_all(&[links.len() as u8, level.max(1)])?;
        let leaf = leaf.map_or((NO_SCORE, NO_MOVE), |leaf| (leaf.score, leaf.square));
        for (score, square) in links.iter().map(|link| (link.score, link.square)).chain([leaf]) {
            out.write_all(&[score as u8, square])?;
        }
    }
    Ok(())
}
