//! Files of Reversi training games: a header line, then a record of fixed length for each game, so that an interrupted
//! file can be resumed after its last whole record.

use anyhow::{Context, bail, ensure};
use flipside_core::games::reversi::board::{Board, PASS, Placement};
use flipside_core::games::reversi::kernels::portable;
use flipside_support::resume::GrowingFile;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::Range;
use std::path::Path;

/// Moves of the longest game, passes left out.
pub const MAX_GAME_MOVES: usize = 60;
/// Bytes of the header line, padding and line feed included.
const HEADER_BYTES: usize = 512;
/// Bytes of a game: squares, values, four numbers and a checksum.
pub const RECORD_BYTES: usize = 2 * MAX_GAME_MOVES + 8;
/// Values are stored in half discs.
const HALF_DISCS: f32 = 2.0;

/// Everything that determines the games of a file: files with the same header hold the same games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFileHeader {
    /// `flipside games 1`.
    pub format: String,
    /// Seed of the random openings.
    pub seed: u64,
    /// Search depth of a move in plies.
    pub depth: u32,
    /// Positions with at most this many empty squares are solved: their values are exact.
    pub exact: u32,
    /// Name of the evaluation, with the checksum of its weights if it has any.
    pub evaluation: String,
    /// Lengths of the random openings in moves: from the first, below the second; `None` for the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<(u64, u64)>,
    /// Plies of the enumerated openings, if games begin with these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enumerated: Option<u32>,
    /// Moves behind the opening after which games end; `None` if they are played to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

/// The format that this program writes.
pub const FORMAT: &str = "flipside games 1";

/// A finished game. Passes are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingGame {
    /// The squares played, in order.
    pub squares: Vec<u8>,
    /// Value of the position before each move for the side to move, in half discs; 0 in the opening.
    pub values: Vec<i8>,
    /// Moves of the random opening.
    pub opening: u8,
    /// Moves before the first position with an exact value; the number of moves if there is none.
    pub exact: u8,
    /// Disc difference for the first player: the exact value of the first solved position, the final score of a game that
    /// ended before, or the value of the last position of one that was not played to the end.
    pub result: i8,
}

/// A score in hundredths of a disc, rounded to half discs.
pub fn to_half_discs(score: i32) -> i8 {
    (score as f32 * HALF_DISCS / 100.0).round().clamp(-127.0, 127.0) as i8
}

/// A position of a training game with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingPosition {
    /// The position, seen by the side to move.
    pub board: Board,
    /// Whether the first player is to move.
    pub first: bool,
    /// Its value in discs for the side to move.
    pub value: f32,
    /// Whether the value is exact.
    pub exact: bool,
    /// Whether the position belongs to the opening, which has no values.
    pub opening: bool,
    /// The result of its game in discs, for the side to move.
    pub result: f32,
}

impl TrainingPosition {
    /// A position without a game, whose value is taken for exact.
    pub fn scored(board: Board, value: f32) -> TrainingPosition {
        TrainingPosition { board, first: true, value, exact: true, opening: false, result: value }
    }

    /// What a fit should learn: an exact value, or a mixture of the game's result and the value of the search. `None` in
    /// the opening.
    pub fn target(&self, results: &ResultShare) -> Option<f32> {
        let share = if self.exact { 0.0 } else { results.of(self.board) };
        (!self.opening).then_some(share * self.result + (1.0 - share) * self.value)
    }
}

/// The share of a game's result in the targets of its positions, as in TD(lambda); the rest is the value of the search.
#[derive(Clone, Debug)]
pub struct ResultShare {
    /// The share in late positions, from 0 to 1.
    pub lambda: f32,
    /// Numbers of moves made between which the share grows from nothing to `lambda`: how a game ended says little about
    /// its first positions. If the range is empty, all positions have the same share.
    pub moves: Range<u64>,
}

impl ResultShare {
    /// The same share in all positions.
    pub fn constant(lambda: f32) -> ResultShare {
        ResultShare { lambda, moves: 0..0 }
    }

    fn of(&self, board: Board) -> f32 {
        let moves = MAX_GAME_MOVES as u64 - u64::from(board.empties());
        if moves >= self.moves.end {
            return self.lambda;
        }
        let length = self.moves.end - self.moves.start;
        self.lambda * moves.saturating_sub(self.moves.start) as f32 / length as f32
    }
}

impl TrainingGame {
    /// The positions before each move, passes left out.
    pub fn positions(&self) -> Vec<TrainingPosition> {
        let (mut board, mut first) = (Board::START, true);
        let mut positions = Vec::with_capacity(self.squares.len());
        for (ply, (&square, &value)) in self.squares.iter().zip(&self.values).enumerate() {
            if portable::moves(board.player, board.opponent) == 0 {
                board = board.passed();
                first = !first;
            }
            let flips = portable::flips(board.player, board.opponent, u32::from(square));
            let result = f32::from(self.result);
            positions.push(TrainingPosition {
                board,
                first,
                value: f32::from(value) / HALF_DISCS,
                exact: ply >= usize::from(self.exact),
                opening: ply < usize::from(self.opening),
                result: if first { result } else { -result },
            });
            board = board.after(Placement { square, flips });
            first = !first;
        }
        positions
    }

    /// The game as a record of a file.
    pub fn bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [PASS; RECORD_BYTES];
        bytes[..self.squares.len()].copy_from_slice(&self.squares);
        for (byte, &value) in bytes[MAX_GAME_MOVES..].iter_mut().zip(&self.values) {
            *byte = value as u8;
        }
        let tail = &mut bytes[2 * MAX_GAME_MOVES..];
        tail[0] = self.squares.len() as u8;
        tail[1] = self.opening;
        tail[2] = self.exact;
        tail[3] = self.result as u8;
        let sum = checksum(&bytes[..RECORD_BYTES - 4]);
        bytes[RECORD_BYTES - 4..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a record of a file.
    ///
    /// # Errors
    /// The checksum is wrong, a number is impossible, or a move is not legal.
    pub fn read(bytes: &[u8; RECORD_BYTES]) -> anyhow::Result<TrainingGame> {
        let (data, sum) = bytes.split_at(RECORD_BYTES - 4);
        ensure!(checksum(data).to_le_bytes() == sum, "a game whose checksum is wrong");
        let (moves, tail) = data.split_at(2 * MAX_GAME_MOVES);
        let (count, result) = (usize::from(tail[0]), tail[3] as i8);
        let is_possible = count <= MAX_GAME_MOVES && tail[1].max(tail[2]) <= tail[0] && result.unsigned_abs() <= 64;
        ensure!(is_possible, "a game with impossible numbers");
        let values = &moves[MAX_GAME_MOVES..];
        ensure!(is_legal(&moves[..count]), "a game with an illegal move");
        Ok(TrainingGame {
            squares: moves[..count].to_vec(),
            values: values[..count].iter().map(|&byte| byte as i8).collect(),
            opening: tail[1],
            exact: tail[2],
            result,
        })
    }
}

/// Whether these squares, without passes, are a game from the start.
fn is_legal(squares: &[u8]) -> bool {
    let mut board = Board::START;
    squares.iter().all(|&square| {
        if portable::moves(board.player, board.opponent) == 0 {
            board = board.passed();
        }
        let legal = square < 64 && portable::moves(board.player, board.opponent) >> square & 1 != 0;
        if legal {
            let flips = portable::flips(board.player, board.opponent, u32::from(square));
            board = board.after(Placement { square, flips });
        }
        legal
    })
}

/// The hash of Fowler, Noll and Vo (FNV-1a) with 32 bits.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Writes a file of games.
pub struct GameFileWriter {
    file: GrowingFile,
    /// Games in the file.
    pub games: u64,
}

impl GameFileWriter {
    /// Creates a file, or resumes one that has the same header.
    ///
    /// # Errors
    /// The file cannot be written, or holds other games.
    pub fn open(path: &Path, header: &GameFileHeader) -> anyhow::Result<GameFileWriter> {
        let place = || path.display().to_string();
        let mut file = GrowingFile::open(path).with_context(|| format!("cannot write {}", path.display()))?;
        let line = header.line()?;
        let start = file.start(HEADER_BYTES as u64).with_context(place)?;
        if start.len() < HEADER_BYTES && line.starts_with(&start) {
            file.cut(0).with_context(place)?;
            file.append(&line).with_context(place)?;
            return Ok(GameFileWriter { file, games: 0 });
        }
        let found = read_header(&mut start.as_slice()).with_context(place)?;
        if found != *header {
            bail!("{} holds other games: {}", path.display(), serde_json::to_string(&found)?);
        }
        let games = file.records(HEADER_BYTES as u64, RECORD_BYTES as u64).with_context(place)?;
        Ok(GameFileWriter { file, games })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, game: &TrainingGame) -> std::io::Result<()> {
        self.file.append(&game.bytes())?;
        self.games += 1;
        Ok(())
    }
}

impl GameFileHeader {
    /// The header as the file's first line, padded to [`HEADER_BYTES`].
    fn line(&self) -> anyhow::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        ensure!(line.len() < HEADER_BYTES, "the header is too long");
        line.resize(HEADER_BYTES - 1, b' ');
        line.push(b'\n');
        Ok(line)
    }
}

/// A whole file of games.
///
/// # Errors
/// The header is too long.
pub fn whole(header: &GameFileHeader, games: impl Iterator<Item = TrainingGame>) -> anyhow::Result<Vec<u8>> {
    let mut bytes = header.line()?;
    games.for_each(|game| bytes.extend(game.bytes()));
    Ok(bytes)
}

fn read_header(input: &mut impl Read) -> anyhow::Result<GameFileHeader> {
    let mut line = [0; HEADER_BYTES];
    input.read_exact(&mut line).context("not a file of games: too short")?;
    let header: GameFileHeader = serde_json::from_slice(&line).context("not a file of games")?;
    ensure!(header.format == FORMAT, "expected '{FORMAT}', found '{}'", header.format);
    Ok(header)
}

/// Whether the bytes begin a file of training games, possibly a damaged one.
pub fn is_game_file(start: &[u8]) -> bool {
    start.starts_with(b"{\"format\":\"flipside games")
}

/// Reads a file of games.
pub struct GameFileReader {
    input: BufReader<File>,
    /// The header of the file.
    pub header: GameFileHeader,
}

impl GameFileReader {
    /// Opens a file of games.
    ///
    /// # Errors
    /// The file cannot be read or has another format.
    pub fn open(path: &Path) -> anyhow::Result<GameFileReader> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let header = read_header(&mut input).with_context(|| path.display().to_string())?;
        Ok(GameFileReader { input, header })
    }

    /// The number of whole games in the file, read or not.
    ///
    /// # Errors
    /// The length of the file cannot be read.
    pub fn count_all(&self) -> anyhow::Result<u64> {
        Ok(self.input.get_ref().metadata()?.len().saturating_sub(HEADER_BYTES as u64) / RECORD_BYTES as u64)
    }
}

impl Iterator for GameFileReader {
    type Item = anyhow::Result<TrainingGame>;

    /// The next game; an incomplete record at the end is ignored.
    fn next(&mut self) -> Option<Self::Item> {
        let mut bytes = [0; RECORD_BYTES];
        match self.input.read_exact(&mut bytes) {
            Ok(()) => Some(TrainingGame::read(&bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => None,
            Err(error) => Some(Err(error.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> GameFileHeader {
        GameFileHeader {
            format: FORMAT.into(),
            seed: 7,
            depth: 3,
            exact: 10,
            evaluation: "weighted".into(),
            openings: None,
            enumerated: None,
            moves: None,
        }
    }

    fn game(result: i8) -> TrainingGame {
        TrainingGame { squares: vec![19, 18, 26], values: vec![0, -5, 127], opening: 1, exact: 2, result }
    }

    /// The values of the game are 0, -2.5 and 63.5 discs; its first player won by 8 discs.
    #[test]
    fn targets_have_their_share_of_the_result() {
        let targets = |results: ResultShare| -> Vec<_> {
            game(8).positions().iter().map(|position| position.target(&results)).collect()
        };
        let constant = ResultShare::constant;
        assert_eq!(targets(constant(0.0)), [None, Some(-2.5), Some(63.5)]);
        assert_eq!(targets(constant(0.5)), [None, Some(-5.25), Some(63.5)]);
        assert_eq!(targets(constant(1.0)), [None, Some(-8.0), Some(63.5)]);
        let growing = |moves| targets(ResultShare { lambda: 1.0, moves })[1];
        assert_eq!([growing(0..1), growing(0..2), growing(1..2)], [Some(-8.0), Some(-5.25), Some(-2.5)]);
    }

    #[test]
    fn a_torn_file_is_resumed_behind_its_last_whole_game() {
        let path = std::env::temp_dir().join(format!("flipside-games-{}", std::process::id()));
        let mut writer = GameFileWriter::open(&path, &header()).unwrap();
        writer.write(&game(4)).unwrap();
        writer.file.append(&[1, 2, 3]).unwrap();
        drop(writer);
        let mut writer = GameFileWriter::open(&path, &header()).unwrap();
        assert_eq!(writer.games, 1);
        writer.write(&game(-6)).unwrap();
        drop(writer);
        let games: Vec<_> = GameFileReader::open(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(games, [game(4), game(-6)]);
        let other = GameFileHeader { seed: 8, ..header() };
        let refusal = GameFileWriter::open(&path, &other).err().map(|error| error.to_string()).unwrap();
        assert!(refusal.contains("other games"), "{refusal}");
        std::fs::remove_file(&path).unwrap();
    }

    /// A kill or a full disk may cut the header, which is then rewritten; a file with another beginning is not touched.
    #[test]
    fn a_torn_header_is_written_again() {
        let path = std::env::temp_dir().join(format!("flipside-header-{}", std::process::id()));
        let line = header().line().unwrap();
        std::fs::write(&path, &line[..100]).unwrap();
        assert_eq!(GameFileWriter::open(&path, &header()).unwrap().games, 0);
        assert_eq!(std::fs::read(&path).unwrap(), line);
        assert!(is_game_file(&line) && !is_game_file(b"{\"game\":0}"));
        std::fs::write(&path, "my thesis").unwrap();
        assert!(GameFileWriter::open(&path, &header()).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"my thesis");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_damaged_game_is_refused() {
        let mut bytes = game(4).bytes();
        assert_eq!(TrainingGame::read(&bytes).unwrap(), game(4));
        bytes[1] ^= 1;
        assert!(TrainingGame::read(&bytes).is_err());
        for squares in [vec![19, 18, 200], vec![19, 19, 26], vec![0]] {
            let bytes = TrainingGame { values: vec![0; squares.len()], squares, ..game(4) }.bytes();
            assert!(TrainingGame::read(&bytes).is_err(), "the checksum is right, the moves are not legal");
        }
    }

    /// Numbers of a record at both ends of their ranges and beyond, with the right checksum.
    #[test]
    fn numbers_of_a_game_end_at_the_board() {
        let read = |at: usize, byte: u8| {
            let mut bytes = game(4).bytes();
            bytes[at] = byte;
            let sum = checksum(&bytes[..RECORD_BYTES - 4]);
            bytes[RECORD_BYTES - 4..].copy_from_slice(&sum.to_le_bytes());
            TrainingGame::read(&bytes)
        };
        let [count, opening, exact, result] = [0, 1, 2, 3].map(|at| 2 * MAX_GAME_MOVES + at);
        for beyond in [1, 4, 60, 61, 255] {
            assert!(read(count, beyond).is_err(), "{beyond} moves of three");
        }
        for at in [opening, exact] {
            assert!(
                read(at, 0).is_ok() && read(at, 3).is_ok() && read(at, 4).is_err() && read(at, 255).is_err(),
                "{at}"
            );
        }
        let of_result = |discs: i8| read(result, discs as u8).map(|game| game.result).ok();
        assert_eq!([-64, 64].map(of_result), [Some(-64), Some(64)]);
        assert_eq!([-65, 65, i8::MIN, i8::MAX].map(of_result), [None; 4]);
        let of_value = |half_discs: i8| read(MAX_GAME_MOVES, half_discs as u8).map(|game| game.values[0]).ok();
        assert_eq!([i8::MIN, i8::MAX].map(of_value), [Some(i8::MIN), Some(i8::MAX)]);
        assert_eq!([i32::MIN, -6_400, 6_300, i32::MAX].map(to_half_discs), [-127, -127, 126, 127]);
    }

    #[test]
    fn the_positions_of_a_game_carry_its_values() {
        let positions = game(0).positions();
        assert_eq!(positions[0].board, Board::START);
        assert_eq!(positions.iter().map(|position| position.first).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!((positions[1].value, positions[2].value), (-2.5, 63.5));
        assert_eq!(
            positions.iter().map(|position| (position.opening, position.exact)).collect::<Vec<_>>(),
            [(true, false), (false, false), (false, true)]
        );
        assert_eq!(positions[1].board.empties(), 59);
    }
}
