//! Files of games: a header line of fixed length, then one record of fixed length a game, so that
//! an interrupted file is continued behind its last whole record.

use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::kernels::portable;
use crate::support::resume;
use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Write};
use std::path::Path;

/// The most discs that a game adds to the first four.
pub const MOST_MOVES: usize = 60;
/// Bytes of the header line, blanks and line feed included.
const HEADER: usize = 512;
/// Bytes of a game.
const RECORD: usize = 2 * MOST_MOVES + 8;
/// Values are kept in halves of a disc.
const HALVES: f32 = 2.0;

/// What decides the games of a file, and nothing else: the same header remaining the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `flipside games 1`.
    pub format: String,
    /// Decides the openings.
    pub seed: u64,
    /// Plies of the searches that choose moves.
    pub depth: u32,
    /// Empty squares from which every value is exact.
    pub exact: u32,
    /// Name of the evaluation, and the checksum of its weights if it has any.
    pub evaluation: String,
}

/// The format that this program writes.
pub const FORMAT: &str = "flipside games 1";

/// A finished game. Forced passes are implied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Squares in the order in which they were filled.
    pub squares: Vec<u8>,
    /// The value of the position before each move for its mover, in halves of a disc; 0 in the opening.
    pub values: Vec<i8>,
    /// Moves of the opening, which nobody chose for being good.
    pub opening: u8,
    /// Moves before the first value that is exact; the number of moves if there is none.
    pub exact: u8,
    /// Discs for the first player after perfect play from the first exact value on, or at the end
    /// of a game that was over before.
    pub result: i8,
}

/// A value in hundredths of a disc as a record keeps it.
pub fn halves(score: i32) -> i8 {
    (score as f32 * HALVES / 100.0).round().clamp(-127.0, 127.0) as i8
}

/// A position of a game with what the game says about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The position, seen by the side to move.
    pub board: Board,
    /// True if the first player is to move.
    pub first: bool,
    /// Its value in discs for the side to move.
    pub value: f32,
    /// Whether the value is exact.
    pub exact: bool,
    /// Whether the position comes from the opening, which has no values.
    pub opening: bool,
}

impl GameRecord {
    /// Plays the game again.
    pub fn moments(&self) -> Vec<Moment> {
        let (mut board, mut first) = (Board::START, true);
        let mut moments = Vec::with_capacity(self.squares.len());
        for (ply, (&square, &value)) in self.squares.iter().zip(&self.values).enumerate() {
            if portable::moves(board.player, board.opponent) == 0 {
                board = board.passed();
                first = !first;
            }
            let flips = portable::flips(board.player, board.opponent, u32::from(square));
            moments.push(Moment {
                board,
                first,
                value: f32::from(value) / HALVES,
                exact: ply >= usize::from(self.exact),
                opening: ply < usize::from(self.opening),
            });
            board = board.after(Placement { square, flips });
            first = !first;
        }
        moments
    }

    fn bytes(&self) -> [u8; RECORD] {
        let mut bytes = [PASS; RECORD];
        bytes[..self.squares.len()].copy_from_slice(&self.squares);
        for (byte, &value) in bytes[MOST_MOVES..].iter_mut().zip(&self.values) {
            *byte = value as u8;
        }
        let tail = &mut bytes[2 * MOST_MOVES..];
        tail[0] = self.squares.len() as u8;
        tail[1] = self.opening;
        tail[2] = self.exact;
        tail[3] = self.result as u8;
        let sum = checksum(&bytes[..RECORD - 4]);
        bytes[RECORD - 4..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8; RECORD]) -> anyhow::Result<GameRecord> {
        let (data, sum) = bytes.split_at(RECORD - 4);
        ensure!(checksum(data).to_le_bytes() == sum, "a game whose checksum is wrong");
        let (moves, tail) = data.split_at(2 * MOST_MOVES);
        let count = usize::from(tail[0]).min(MOST_MOVES);
        let values = &moves[MOST_MOVES..];
        Ok(GameRecord {
            squares: moves[..count].to_vec(),
            values: values[..count].iter().map(|&byte| byte as i8).collect(),
            opening: tail[1],
            exact: tail[2],
            result: tail[3] as i8,
        })
    }
}

/// Fowler, Noll and Vo's hash (FNV-1a) of 32 bits.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// A file of games being written.
pub struct GameWriter {
    file: File,
    /// Games in it.
    pub games: u64,
}

impl GameWriter {
    /// Begins a file, or continues one that has the same header.
    ///
    /// # Errors
    /// The file cannot be written, or holds other games.
    pub fn open(path: &Path, header: &Header) -> anyhow::Result<GameWriter> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        if file.metadata()?.len() == 0 {
            let mut line = serde_json::to_string(header)?;
            ensure!(line.len() < HEADER, "the header is too long");
            line.push_str(&" ".repeat(HEADER - 1 - line.len()));
            line.push('\n');
            file.write_all(line.as_bytes())?;
            return Ok(GameWriter { file, games: 0 });
        }
        let found = read_header(&mut file).with_context(|| path.display().to_string())?;
        if found != *header {
            bail!("{} holds other games: {}", path.display(), serde_json::to_string(&found)?);
        }
        let games = resume::records(&mut file, HEADER as u64, RECORD as u64)?;
        Ok(GameWriter { file, games })
    }

    /// Adds a game. It is in the system's hands when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, game: &GameRecord) -> std::io::Result<()> {
        self.file.write_all(&game.bytes())?;
        self.games += 1;
        Ok(())
    }
}

fn read_header(input: &mut impl Read) -> anyhow::Result<Header> {
    let mut line = [0; HEADER];
    input.read_exact(&mut line).context("no file of games: too short")?;
    let header: Header = serde_json::from_slice(&line).context("no file of games")?;
    ensure!(header.format == FORMAT, "expected '{FORMAT}', found '{}'", header.format);
    Ok(header)
}

/// A file of games being read.
pub struct GameReader {
    input: BufReader<File>,
    /// What decided the games.
    pub header: Header,
}

impl GameReader {
    /// Opens a file of games.
    ///
    /// # Errors
    /// It cannot be read or is no such file.
    pub fn open(path: &Path) -> anyhow::Result<GameReader> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let header = read_header(&mut input).with_context(|| path.display().to_string())?;
        Ok(GameReader { input, header })
    }

    /// Whole games in the file, read or not.
    ///
    /// # Errors
    /// The system does not tell its length.
    pub fn count_all(&self) -> anyhow::Result<u64> {
        Ok(self.input.get_ref().metadata()?.len().saturating_sub(HEADER as u64) / RECORD as u64)
    }
}

impl Iterator for GameReader {
    type Item = anyhow::Result<GameRecord>;

    /// The next game; a last one that is not whole counts as none.
    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = [0; RECORD];
        match self.input.read_exact(&mut bytes) {
            Ok(()) => Some(GameRecord::read(&bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => None,
            Err(error) => Some(Err(error.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header { format: FORMAT.into(), seed: 7, depth: 3, exact: 10, evaluation: "weighted".into() }
    }

    fn game(result: i8) -> GameRecord {
        GameRecord { squares: vec![19, 18, 26], values: vec![0, -5, 127], opening: 1, exact: 2, result }
    }

    #[test]
    fn a_torn_file_is_continued_behind_its_last_whole_game() {
        let path = std::env::temp_dir().join(format!("flipside-games-{}", std::process::id()));
        let mut writer = GameWriter::open(&path, &header()).unwrap();
        writer.write(&game(4)).unwrap();
        writer.file.write_all(&[1, 2, 3]).unwrap();
        drop(writer);
        let mut writer = GameWriter::open(&path, &header()).unwrap();
        assert_eq!(writer.games, 1);
        writer.write(&game(-6)).unwrap();
        let games: Vec<_> = GameReader::open(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(games, [game(4), game(-6)]);
        let other = Header { seed: 8, ..header() };
        let refusal = GameWriter::open(&path, &other).err().map(|error| error.to_string()).unwrap();
        assert!(refusal.contains("other games"), "{refusal}");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_damaged_game_is_refused() {
        let mut bytes = game(4).bytes();
        assert_eq!(GameRecord::read(&bytes).unwrap(), game(4));
        bytes[1] ^= 1;
        assert!(GameRecord::read(&bytes).is_err());
    }

    #[test]
    fn a_game_is_played_again_with_its_values() {
        let moments = game(0).moments();
        assert_eq!(moments[0].board, Board::START);
        assert_eq!(moments.iter().map(|moment| moment.first).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!((moments[1].value, moments[2].value), (-2.5, 63.5));
        assert_eq!(
            moments.iter().map(|moment| (moment.opening, moment.exact)).collect::<Vec<_>>(),
            [(true, false), (false, false), (false, true)]
        );
        assert_eq!(moments[1].board.empties(), 59);
    }
}
