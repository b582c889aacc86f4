//! Books of other programs: Edax's, binary and as text, and Egaroucid's. A reader gives one [`Record`] after another, a
//! writer takes them; [`SortedBook`](super::sorted::SortedBook) makes the records of one of our books. All three store a
//! position as the least of its eight symmetric ones, by the same order as ours.

pub mod edax;
pub mod edax_text;
pub mod egaroucid;
pub mod level;

use super::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use crate::games::reversi::board::{Board, PASS};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use crate::search::types::UNIT;
use std::io::{self, BufRead};

/// The square of a leaf where the game is over, in all formats.
pub const NO_MOVE: u8 = 65;
/// The bounds of a value that nothing bounds.
pub const UNBOUNDED: [i8; 2] = [-127, 127];
/// The four squares in the centre, which no game leaves empty.
const CENTRE: u64 = Board::START.player | Board::START.opponent;

/// A format of books of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeFormat {
    /// Edax's binary book, version 4 (`.dat`).
    Edax,
    /// Edax's text, a position a line.
    EdaxText,
    /// Egaroucid's book, version 3 (`.egbk3`).
    Egaroucid,
}

impl ExchangeFormat {
    /// The format of a file that begins with these bytes, if they belong to one of them.
    pub fn of_file(start: &[u8]) -> Option<ExchangeFormat> {
        let begins = |magic: &[u8]| start.starts_with(magic);
        let is_square = |byte: &u8| matches!(byte, b'X' | b'x' | b'O' | b'o' | b'*' | b'-' | b'.');
        if begins(edax::MAGIC) {
            Some(ExchangeFormat::Edax)
        } else if begins(egaroucid::MAGIC) {
            Some(ExchangeFormat::Egaroucid)
        } else {
            start.get(..64).is_some_and(|squares| squares.iter().all(is_square)).then_some(ExchangeFormat::EdaxText)
        }
    }
}

/// Why a book of another program cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// The system cannot read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin like a book of that program.
    #[error("not {0}")]
    Foreign(&'static str),
    /// A part of it is damaged.
    #[error("{place} is damaged: {reason}")]
    Damaged {
        /// The part: the header, a record with its number and first byte, a line.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// An error about a part of the file.
fn damaged(place: impl ToString, reason: impl ToString) -> ExchangeError {
    ExchangeError::Damaged { place: place.to_string(), reason: reason.to_string() }
}

/// A move that leads to another position of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// In discs for the side that moves.
    pub score: i8,
    /// 0 (a1) to 63 (h8), 64 for a pass.
    pub square: u8,
}

/// The best of the moves that lead out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// In discs for the side that moves; the result where the game is over.
    pub score: i8,
    /// 0 (a1) to 63 (h8), 64 for a pass, [`NO_MOVE`] where the game is over.
    pub square: u8,
    /// The level of its search; 0 for none.
    pub level: u8,
}

/// A position in a book of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The position.
    pub board: Board,
    /// In discs for the side to move, -64 to 64; none where the format leaves it out.
    pub value: Option<i8>,
    /// Lower and upper bound of the value, in discs.
    pub bounds: [i8; 2],
    /// Lines below the position whose end is solved and won, drawn or lost by the side to move, and all lines.
    pub lines: [u32; 4],
    /// The level of searches of the position, 1 to 60; 0 for none.
    pub level: u8,
    /// The moves that stay in the book.
    pub links: Vec<Link>,
    /// The best of the others.
    pub leaf: Option<Leaf>,
}

impl Record {
    /// A position of which only the level is known.
    fn new(board: Board, level: u8) -> Record {
        Record { board, value: None, bounds: UNBOUNDED, lines: [0; 4], level, links: Vec::new(), leaf: None }
    }

    /// The record, if it is possible by the rules.
    ///
    /// # Errors
    /// What is wrong with it.
    fn checked(self) -> Result<Record, &'static str> {
        let Board { player, opponent } = self.board;
        if player & opponent != 0 || self.board.empty() & CENTRE != 0 {
            return Err("it holds an impossible position");
        }
        if self.level > level::HIGHEST {
            return Err("its level is above 60");
        }
        let leaf = self.leaf.filter(|leaf| leaf.square != NO_MOVE);
        let moves = self.links.iter().copied().chain(leaf.map(|Leaf { score, square, .. }| Link { score, square }));
        let scores = self.value.into_iter().chain(self.leaf.map(|leaf| leaf.score));
        if scores.chain(self.links.iter().map(|link| link.score)).any(|score| score.unsigned_abs() > 64) {
            return Err("a value is beyond 64 discs");
        }
        let mut legal: Vec<u8> = Reversi::portable().moves(&self.board).map(|mv| mv.square).collect();
        for mv in moves {
            let place = legal.iter().position(|square| *square == mv.square);
            legal.swap_remove(place.ok_or("a move is illegal or comes twice")?);
        }
        Ok(self)
    }

    /// What our book keeps of it. The value is graded as if the level's search had given it, and not surer than
    /// `backed-up` where moves stay in the book.
    pub fn entry(&self) -> (Board, BookEntry) {
        let empties = self.board.empties();
        let searched = |score: i8, level| level::value(i32::from(score) * UNIT, level, empties);
        let leaf = self.leaf.filter(|leaf| leaf.square <= PASS);
        let deviation = leaf.map(|leaf| Deviation { square: leaf.square, value: searched(leaf.score, leaf.level) });
        let value = self.value.map(|score| {
            let value = searched(score, self.level);
            if self.links.is_empty() { value } else { Value { grade: Grade::BackedUp, ..value } }
        });
        (
            self.board,
            BookEntry {
                value: value.unwrap_or(Value::UNKNOWN),
                leaves: self.lines[3],
                deviation,
                games: GameCounts::default(),
            },
        )
    }
}

/// The records of a book, one after another.
pub type Records<'a> = Box<dyn Iterator<Item = Result<Record, ExchangeError>> + 'a>;

/// Reads a book. Each record is checked by the rules.
///
/// # Errors
/// The file cannot be read, is not of this format, or its header is damaged.
pub fn read<'a>(format: ExchangeFormat, input: impl BufRead + 'a) -> Result<Records<'a>, ExchangeError> {
    Ok(match format {
        ExchangeFormat::Edax => Box::new(edax::EdaxReader::new(input)?),
        ExchangeFormat::EdaxText => Box::new(edax_text::records(input)),
        ExchangeFormat::Egaroucid => Box::new(egaroucid::EgaroucidReader::new(input)?),
    })
}

/// The number of a record, and of bytes before it: where a reader of binary records is.
struct Place {
    read: u64,
    announced: u64,
    offset: u64,
}

impl Place {
    /// Before the first record of as many as the header, of `offset` bytes, says.
    fn new(announced: i32, offset: u64) -> Result<Place, ExchangeError> {
        let announced =
            u64::try_from(announced).map_err(|_| damaged("the header", "its number of positions is negative"))?;
        Ok(Place { read: 0, announced, offset })
    }

    /// Reads the next record by `read`, which says how many bytes it took, until the file ends after the last one.
    fn next<R: BufRead>(
        &mut self,
        input: &mut R,
        read: impl FnOnce(&mut R) -> io::Result<(Result<Record, &'static str>, u64)>,
    ) -> Option<Result<Record, ExchangeError>> {
        let Place { read: number, announced, offset } = *self;
        match input.fill_buf().map(<[u8]>::is_empty) {
            Err(error) => return Some(Err(error.into())),
            Ok(true) if number == announced => return None,
            Ok(true) => {
                let reason = format!("it ends after {number} of {announced} positions");
                return Some(Err(damaged("the file", reason)));
            }
            Ok(false) if number == announced => {
                let reason = format!("bytes follow its {announced} positions");
                return Some(Err(damaged("the file", reason)));
            }
            Ok(false) => {}
        }
        let place = || format!("record {} (at byte {offset})", number + 1);
        Some(match read(input) {
            Ok((record, length)) => {
                self.read += 1;
                self.offset += length;
                record.map_err(|reason| damaged(place(), reason))
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(damaged(place(), "the file ends inside it"))
            }
            Err(error) => Err(error.into()),
        })
    }
}

/// The next bytes of the file.
fn bytes<const N: usize>(input: &mut impl BufRead) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The next bytes of a header; an error that names it where the file is shorter.
fn header_bytes<const N: usize>(input: &mut impl BufRead) -> Result<[u8; N], ExchangeError> {
    bytes(input).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged("the header", "the file ends inside it"),
        _ => error.into(),
    })
}

/// The position of 16 bytes: the discs of the side to move, then of the other side.
fn board_of(bytes: &[u8; 16]) -> Board {
    let both = u128::from_le_bytes(*bytes);
    Board { player: both as u64, opponent: (both >> 64) as u64 }
}

/// The 16 bytes of a position.
fn bytes_of(board: Board) -> [u8; 16] {
    (u128::from(board.opponent) << 64 | u128::from(board.player)).to_le_bytes()
}

/// The same position as the least of its eight symmetric ones.
fn least(board: Board) -> Board {
    Symmetry::canonical(board).0
}

#[cfg(test)]
mod tests;
