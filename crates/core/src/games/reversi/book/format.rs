//! The bytes of a book; `docs/book.md` describes them.

use super::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use super::error::BookError;
use crate::games::reversi::board::{Board, PASS, SQUARES};
use crate::search::types::{Selectivity, UNIT};
use flipside_support::hash::checksum_of_parts;
use std::cmp::Ordering;

/// Bytes of a block, and of the header before the first.
pub const BLOCK_BYTES: usize = 4096;
/// Bytes of a record.
pub const RECORD_BYTES: usize = 44;
/// Bytes of a block before its records.
const BLOCK_HEADER: usize = 16;
/// Records of a block at most.
pub const BLOCK_RECORDS: usize = (BLOCK_BYTES - BLOCK_HEADER) / RECORD_BYTES;

const MAGIC: &[u8; 16] = b"flipside book 1\n";
/// The magic word up to the version.
const MAGIC_NAME: &[u8; 14] = b"flipside book ";
/// The end of the header's checksum, which covers all that follows.
const HEADER_SUMMED: usize = 24;
/// Where the note begins.
const NOTE: usize = 60;
/// Longest note in bytes.
pub const MAX_NOTE: usize = BLOCK_BYTES - NOTE;
/// The deviation's square if there is no deviation.
const NO_SQUARE: u8 = 255;
/// Largest score in hundredths.
const MAX_SCORE: i32 = 64 * UNIT;

/// A block, or the header.
pub type Block = [u8; BLOCK_BYTES];

/// The head of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Positions in all blocks.
    pub positions: u64,
    /// Blocks of positions.
    pub blocks: u64,
    /// Identity of the book, and of the book that it was made from; 0 for none.
    pub identities: [u64; 2],
    /// How the book was made, for people.
    pub note: String,
}

impl Header {
    /// The bytes of the header. A note that is too long is cut.
    pub fn encode(&self) -> Block {
        let mut bytes = [0; BLOCK_BYTES];
        bytes[..16].copy_from_slice(MAGIC);
        bytes[24..32].copy_from_slice(&self.positions.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.blocks.to_le_bytes());
        let note = &self.note.as_bytes()[..self.note.floor_char_boundary(MAX_NOTE)];
        bytes[40..48].copy_from_slice(&self.identities[0].to_le_bytes());
        bytes[48..56].copy_from_slice(&self.identities[1].to_le_bytes());
        bytes[56..60].copy_from_slice(&(note.len() as u32).to_le_bytes());
        bytes[NOTE..NOTE + note.len()].copy_from_slice(note);
        let sum = checksum_of_parts([&bytes[HEADER_SUMMED..]]);
        bytes[16..24].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header.
    ///
    /// # Errors
    /// It is another kind of file or another version, or is damaged.
    pub fn decode(bytes: &[u8]) -> Result<Header, BookError> {
        let magic = bytes.get(..16).unwrap_or(bytes);
        if magic != MAGIC {
            let version = magic.strip_prefix(MAGIC_NAME.as_slice()).ok_or(BookError::Foreign)?;
            return Err(BookError::OtherVersion(String::from_utf8_lossy(version).trim().to_string()));
        }
        let bytes: &Block = bytes.first_chunk().ok_or(BookError::DamagedHeader("the file is too short"))?;
        if checksum_of_parts([&bytes[HEADER_SUMMED..]]) != u64_at(bytes, 16) {
            return Err(BookError::DamagedHeader("its checksum is wrong"));
        }
        let (positions, blocks) = (u64_at(bytes, 24), u64_at(bytes, 32));
        let largest = u64::MAX / BLOCK_BYTES as u64 - 1;
        if blocks > largest || positions > blocks * BLOCK_RECORDS as u64 || positions < blocks {
            return Err(BookError::DamagedHeader("its numbers of positions and blocks contradict each other"));
        }
        let note = bytes.get(NOTE..).and_then(|rest| rest.get(..u32_at(bytes, 56) as usize));
        let note = note.and_then(|note| std::str::from_utf8(note).ok());
        let note = note.ok_or(BookError::DamagedHeader("its note is not text"))?.to_string();
        let identities = [u64_at(bytes, 40), u64_at(bytes, 48)];
        Ok(Header { positions, blocks, identities, note })
    }
}

/// Where a block begins in the file.
pub fn block_offset(block: u64) -> u64 {
    (block + 1) * BLOCK_BYTES as u64
}

/// The order of positions in a book: by hash, then by the discs of the mover, then of the opponent.
pub fn compare(one: Board, other: Board) -> Ordering {
    let key = |board: Board| (board.hash(), board.player, board.opponent);
    key(one).cmp(&key(other))
}

/// The bytes of a block of records, at most [`BLOCK_RECORDS`] of them.
pub fn encode_block(block: u64, records: &[[u8; RECORD_BYTES]]) -> Block {
    let mut bytes = [0; BLOCK_BYTES];
    bytes[8..12].copy_from_slice(&(records.len() as u32).to_le_bytes());
    for (record, place) in records.iter().zip(bytes[BLOCK_HEADER..].chunks_exact_mut(RECORD_BYTES)) {
        place.copy_from_slice(record);
    }
    let sum = block_checksum(block, &bytes);
    bytes[..8].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The checksum of a block and its number, so that a block in the wrong place is detected.
fn block_checksum(block: u64, bytes: &Block) -> u64 {
    checksum_of_parts([&block.to_le_bytes(), &bytes[8..]])
}

/// Checks a block: its checksum, the order and the values of its records.
///
/// # Errors
/// What is wrong with it.
pub fn check_block(block: u64, bytes: &Block) -> Result<(), &'static str> {
    if block_checksum(block, bytes) != u64_at(bytes, 0) {
        return Err("its checksum is wrong");
    }
    let count = u32_at(bytes, 8) as usize;
    if !(1..=BLOCK_RECORDS).contains(&count) {
        return Err("its number of positions is impossible");
    }
    let mut last = None;
    for index in 0..count {
        let (board, _) = decode_record(record(bytes, index)).ok_or("it holds an impossible position or value")?;
        if last.is_some_and(|last| compare(last, board) != Ordering::Less) {
            return Err("its positions are out of order");
        }
        last = Some(board);
    }
    Ok(())
}

/// Records of a block that was checked.
pub fn records(bytes: &Block) -> usize {
    (u32_at(bytes, 8) as usize).min(BLOCK_RECORDS)
}

/// A record of a block.
pub fn record(bytes: &Block, index: usize) -> &[u8; RECORD_BYTES] {
    const NONE: &[u8; RECORD_BYTES] = &[0; RECORD_BYTES];
    let (records, _) = bytes[BLOCK_HEADER..].as_chunks::<RECORD_BYTES>();
    records.get(index).unwrap_or(NONE)
}

/// The position of a record.
pub fn record_board(record: &[u8; RECORD_BYTES]) -> Board {
    Board { player: u64_at(record, 0), opponent: u64_at(record, 8) }
}

/// The bytes of a record.
///
/// # Errors
/// A value does not fit a record.
pub fn encode_record(board: Board, entry: &BookEntry) -> Result<[u8; RECORD_BYTES], BookError> {
    let mut bytes = [0; RECORD_BYTES];
    bytes[..8].copy_from_slice(&board.player.to_le_bytes());
    bytes[8..16].copy_from_slice(&board.opponent.to_le_bytes());
    bytes[16..21].copy_from_slice(&encode_value(entry.value));
    bytes[21] = entry.deviation.map_or(NO_SQUARE, |deviation| deviation.square);
    let deviation = entry.deviation.map_or([0; 5], |deviation| encode_value(deviation.value));
    bytes[22..27].copy_from_slice(&deviation);
    bytes[28..32].copy_from_slice(&entry.leaves.to_le_bytes());
    bytes[32..36].copy_from_slice(&entry.games.won.to_le_bytes());
    bytes[36..40].copy_from_slice(&entry.games.drawn.to_le_bytes());
    bytes[40..44].copy_from_slice(&entry.games.lost.to_le_bytes());
    match decode_record(&bytes) {
        Some(read) if read == (board, *entry) => Ok(bytes),
        _ => Err(BookError::Unwritable(
            "a score beyond 64 discs, a depth beyond 64 plies, an unknown selectivity, or an occupied square",
        )),
    }
}

/// Reads a record; none if it holds an impossible position or value.
pub fn decode_record(bytes: &[u8; RECORD_BYTES]) -> Option<(Board, BookEntry)> {
    let board = record_board(bytes);
    let square = bytes[21];
    let is_free = square == PASS || square < 64 && board.empty() >> square & 1 != 0;
    if board.player & board.opponent != 0 || !(is_free || square == NO_SQUARE) || bytes[27] != 0 {
        return None;
    }
    let deviation = if is_free { Some(Deviation { square, value: decode_value(bytes, 22)? }) } else { None };
    let games = GameCounts { won: u32_at(bytes, 32), drawn: u32_at(bytes, 36), lost: u32_at(bytes, 40) };
    let value = decode_value(bytes, 16)?;
    Some((board, BookEntry { value, leaves: u32_at(bytes, 28), deviation, games }))
}

/// A value in five bytes: score, depth, selectivity, grade.
fn encode_value(value: Value) -> [u8; 5] {
    // A score that does not fit would not decode.
    let [low, high] = i16::try_from(value.score).unwrap_or(i16::MAX).to_le_bytes();
    let grade = Grade::ALL.iter().position(|(grade, _)| *grade == value.grade).unwrap_or(0);
    [low, high, value.depth, value.selectivity, grade as u8]
}

fn decode_value(bytes: &[u8; RECORD_BYTES], at: usize) -> Option<Value> {
    let score = i32::from(i16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let (grade, _) = *Grade::ALL.get(usize::from(bytes[at + 4]))?;
    let value = Value { score, depth: bytes[at + 2], selectivity: bytes[at + 3], grade };
    let is_score = score.abs() <= MAX_SCORE && u32::from(value.depth) <= SQUARES;
    let is_possible = is_score && Selectivity::PERCENT.contains(&value.selectivity);
    is_possible.then_some(value)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u64::from_le_bytes(*word))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |word| u32::from_le_bytes(*word))
}
