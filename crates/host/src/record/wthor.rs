//! WTHOR, the French federation's collections of Othello games (`.wtb`), with the names of players (`.jou`) and tournaments
//! (`.trn`) in files of their own. All numbers are little-endian.
//!
//! Each file begins with 16 bytes: century, year, month and day of its making, then the number of records (four bytes),
//! the number of moves or names (two), the year of the games (two), the side of the board (0 and 8 are 8), the kind of
//! games, the depth of their theoretical results, an unused byte. A game is 68 bytes: tournament, Black and White (two bytes each),
//! Black's discs at the end, its discs with best play, 60 moves as ten times the row plus the column, 0 after the last one;
//! passes are left out. A name fills 20 bytes for a player, 26 for a tournament, in Latin-1 with a 0 behind it.

use super::game_record::{CannotHold, GameRecord, GameResult, RecordMove};
use flipside_core::search::notation::Style;
use std::collections::HashMap;

/// Bytes of a header.
const HEADER_BYTES: usize = 16;
/// Bytes of a game.
const GAME_BYTES: usize = 68;
/// Bytes of a game before its moves.
const MOVES_AT: usize = 8;
/// Bytes of a player's name with the 0 behind it.
const PLAYER_BYTES: usize = 20;
/// Bytes of a tournament's name with the 0 behind it.
const TOURNAMENT_BYTES: usize = 26;
/// Limit of games, players or tournaments in a file: numbers are two bytes wide, and the largest collection has some
/// 140,000 games.
const MAX_RECORDS: u32 = 4_000_000;

/// The names of players and tournaments, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Of a `.jou` file.
    pub players: Vec<String>,
    /// Of a `.trn` file.
    pub tournaments: Vec<String>,
}

/// The three files of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// `.wtb`.
    pub games: Vec<u8>,
    /// `.jou`.
    pub players: Vec<u8>,
    /// `.trn`.
    pub tournaments: Vec<u8>,
}

/// What a header tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Header {
    records: u32,
    year: u16,
    board: u8,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Header> {
        let bytes: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        let [century, _, month, day, n0, n1, n2, n3, _, _, year0, year1, board, kind, _, _] = *bytes;
        let records = u32::from_le_bytes([n0, n1, n2, n3]);
        let plausible = (19..=20).contains(&century) && month <= 12 && day <= 31 && kind <= 1;
        let year = u16::from_le_bytes([year0, year1]);
        (plausible && records <= MAX_RECORDS).then_some(Header { records, year, board })
    }

    fn bytes(records: usize, year: u16, is_games: bool) -> Vec<u8> {
        // The date is the first day of the games' year, so that equal games make equal files.
        let (century, years) = if year == 0 { (20, 0) } else { ((year / 100) as u8, (year % 100) as u8) };
        let mut bytes = vec![century.clamp(19, 20), years, 1, 1];
        bytes.extend((records as u32).to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(year.to_le_bytes());
        bytes.extend([if is_games { 8 } else { 0 }, 0, 0, 0]);
        bytes
    }
}

/// Whether the bytes begin a file of games (or of names, which is refused with a reason): 16 bytes or more that are not
/// text.
pub fn is_wthor(start: &[u8]) -> bool {
    Header::read(start).is_some_and(|header| matches!(header.board, 0 | 8 | 10))
}

/// The games of a file, each with an error if it is damaged. Players without an entry in `names` appear by number.
///
/// # Errors
/// The file does not hold games on eight by eight squares.
pub fn read(bytes: &[u8], names: &Names) -> Result<Vec<Result<GameRecord, String>>, String> {
    let header = Header::read(bytes).ok_or("expected the header of a WTHOR file")?;
    if header.board == 10 {
        return Err("the games are of a board of ten by ten squares".into());
    }
    let body = bytes.get(HEADER_BYTES..).unwrap_or_default();
    let count = header.records as usize;
    for size in [PLAYER_BYTES, TOURNAMENT_BYTES] {
        if body.len() == count * size && count * size != count * GAME_BYTES {
            return Err("a file of names (.jou or .trn), not of games (.wtb)".into());
        }
    }
    let mut games: Vec<_> =
        body.chunks(GAME_BYTES).take(count).map(|game| read_game(game, header.year, names)).collect();
    if games.len() < count {
        let missing = count - games.len();
        games.push(Err(format!("the file ends here; its header promises {missing} more")));
    }
    Ok(games)
}

fn read_game(bytes: &[u8], year: u16, names: &Names) -> Result<GameRecord, String> {
    let bytes: &[u8; GAME_BYTES] =
        bytes.try_into().map_err(|_| format!("the file ends within it: {} of {GAME_BYTES} bytes", bytes.len()))?;
    let (head, moves) = bytes.split_at(MOVES_AT);
    let [t0, t1, b0, b1, w0, w1, discs, _] = *head else { return Err("its head is cut short".into()) };
    let named = |names: &[String], word: &str, number: [u8; 2]| {
        let number = u16::from_le_bytes(number);
        let name = names.get(usize::from(number)).filter(|name| !name.is_empty()).cloned();
        Some(name.unwrap_or_else(|| format!("{word} {number}")))
    };
    if discs > 64 {
        return Err(format!("expected at most 64 discs of Black at its end, saw {discs}"));
    }
    let mut record = GameRecord {
        game: Some("reversi"),
        style: Style::Plain,
        players: [named(&names.players, "player", [b0, b1]), named(&names.players, "player", [w0, w1])],
        event: named(&names.tournaments, "tournament", [t0, t1]),
        date: (year > 0).then(|| format!("{year:04}")),
        result: Some(GameResult::by_difference(2 * i32::from(discs) - 64)),
        ..GameRecord::default()
    };
    let length = moves.iter().position(|&mv| mv == 0).unwrap_or(moves.len());
    if let Some(mv) = moves.iter().skip(length).find(|mv| **mv != 0) {
        return Err(format!("expected nothing after its last move, {length}, saw {mv}"));
    }
    for (index, &mv) in moves.iter().enumerate().take(length) {
        let (row, column) = (mv / 10, mv % 10);
        if !((1..=8).contains(&row) && (1..=8).contains(&column)) {
            return Err(format!("move {}: expected ten times the row plus the column (11 to 88), saw {mv}", index + 1));
        }
        let square = format!("{}{row}", char::from(b'a' + column - 1));
        record.moves.push(RecordMove::new(None, square));
    }
    Ok(record)
}

/// The names of a `.jou` or `.trn` file; the size of the records shows which of the two it is.
///
/// # Errors
/// The file does not hold names.
pub fn read_names(bytes: &[u8]) -> Result<Vec<String>, String> {
    let header = Header::read(bytes).ok_or("expected the header of a WTHOR file")?;
    let body = bytes.get(HEADER_BYTES..).unwrap_or_default();
    let count = header.records as usize;
    let size = [PLAYER_BYTES, TOURNAMENT_BYTES].into_iter().find(|size| body.len() == count * size);
    let size = size.ok_or_else(|| {
        format!("expected {count} names of {PLAYER_BYTES} or {TOURNAMENT_BYTES} bytes, saw {} bytes", body.len())
    })?;
    let name =
        |bytes: &[u8]| bytes.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect::<String>();
    Ok(body.chunks(size).map(|bytes| name(bytes).trim().to_string()).collect())
}

/// Assigns numbers to names; equal names get equal numbers.
struct Numbers {
    by_name: HashMap<String, u16>,
    names: Vec<String>,
}

impl Numbers {
    /// Number 0 is for those without a name.
    fn new() -> Numbers {
        Numbers { by_name: HashMap::new(), names: vec![String::new()] }
    }

    fn of(&mut self, name: Option<&String>) -> Result<u16, CannotHold> {
        let Some(name) = name else { return Ok(0) };
        if let Some(&number) = self.by_name.get(name) {
            return Ok(number);
        }
        let number = u16::try_from(self.names.len())
            .map_err(|_| CannotHold::new("wthor", "there are more than 65,535 names"))?;
        self.by_name.insert(name.clone(), number);
        self.names.push(name.clone());
        Ok(number)
    }

    fn file(&self, size: usize) -> Vec<u8> {
        let mut bytes = Header::bytes(self.names.len(), 0, false);
        for name in &self.names {
            let latin = name.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'));
            let latin: Vec<u8> = latin.take(size - 1).collect();
            bytes.extend(&latin);
            bytes.resize(bytes.len() + size - latin.len(), 0);
        }
        bytes
    }
}

/// Collects games for a file.
pub struct Writer {
    games: Vec<u8>,
    players: Numbers,
    tournaments: Numbers,
    year: Option<u16>,
}

impl Default for Writer {
    fn default() -> Self {
        Writer { games: Vec::new(), players: Numbers::new(), tournaments: Numbers::new(), year: None }
    }
}

impl Writer {
    /// Adds a game whose moves are squares or passes.
    ///
    /// # Errors
    /// The record is of another game than Reversi, does not begin at the usual start, or its result in discs is
    /// unknown.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), CannotHold> {
        CannotHold::unless_reversi("wthor", record)?;
        if record.start.is_some() {
            return Err(CannotHold::new("wthor", "it begins from another position than the usual one"));
        }
        let black_discs = discs_of_black(record)?;
        let mut moves = [0u8; GAME_BYTES - MOVES_AT];
        let squares = record.moves.iter().filter_map(|mv| square(&mv.text));
        for (index, square) in squares.enumerate() {
            *moves.get_mut(index).ok_or_else(|| CannotHold::new("wthor", "it has more than 60 moves"))? = square;
        }
        let [black, white] = &record.players;
        let tournament = self.tournaments.of(record.event.as_ref())?;
        let players = [self.players.of(black.as_ref())?, self.players.of(white.as_ref())?];
        for number in [tournament, players[0], players[1]] {
            self.games.extend(number.to_le_bytes());
        }
        self.games.extend([black_discs, black_discs]);
        self.games.extend(moves);
        let year = record.date.as_ref().and_then(|date| date.get(..4)?.parse().ok()).unwrap_or(0);
        // A file has one year for all its games: none if they differ.
        self.year = Some(if self.year.is_none_or(|known| known == year) { year } else { 0 });
        Ok(())
    }

    /// The files.
    pub fn finish(self) -> Files {
        let mut games = Header::bytes(self.games.len() / GAME_BYTES, self.year.unwrap_or(0), true);
        games.extend(&self.games);
        Files { games, players: self.players.file(PLAYER_BYTES), tournaments: self.tournaments.file(TOURNAMENT_BYTES) }
    }
}

/// Black's discs at the end, the empty squares counted for the winner.
fn discs_of_black(record: &GameRecord) -> Result<u8, CannotHold> {
    let refused = |reason: String| CannotHold::new("wthor", reason);
    let result = record.result.ok_or_else(|| refused("it has no result".into()))?;
    let difference = result.discs().ok_or_else(|| refused("its result in discs is unknown".into()))?;
    let twice = u8::try_from(difference.saturating_add(64)).ok().filter(|twice| twice % 2 == 0 && *twice <= 128);
    let twice = twice.ok_or_else(|| refused(format!("64 discs cannot be shared with a difference of {difference}")))?;
    Ok(twice / 2)
}

/// Ten times the row plus the column of a square.
fn square(text: &str) -> Option<u8> {
    match text.to_ascii_lowercase().as_bytes() {
        [file @ b'a'..=b'h', row @ b'1'..=b'8'] => Some((row - b'0') * 10 + (file - b'a') + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::game_record::Cause;
    use super::*;
    use flipside_core::search::types::Side;

    fn game(moves: &str) -> GameRecord {
        GameRecord {
            players: [Some("Ann".into()), Some("Zoë".into())],
            event: Some("Open".into()),
            date: Some("1999-03-04".into()),
            result: Some(GameResult::by_difference(-12)),
            ..super::super::transcript::read(moves, true)
        }
    }

    fn files(games: &[GameRecord]) -> Files {
        let mut writer = Writer::default();
        games.iter().for_each(|game| writer.add(game).expect("it fits"));
        writer.finish()
    }

    #[test]
    fn games_with_their_names_are_read_again() {
        let games = [game("f5d6c3"), GameRecord { players: [Some("Zoë".into()), None], ..game("f5f6e6f4") }];
        let files = files(&games);
        assert!(is_wthor(&files.games) && files.games.len() == 16 + 2 * 68);
        assert_eq!(files.games.get(16 + 8..16 + 12), Some(&[56, 64, 33, 0][..]), "row and column");
        let names = Names {
            players: read_names(&files.players).expect("players"),
            tournaments: read_names(&files.tournaments).expect("tournaments"),
        };
        assert_eq!(names.players, ["", "Ann", "Zoë"]);
        let read: Vec<_> =
            read(&files.games, &names).expect("games").into_iter().map(|game| game.expect("a game")).collect();
        let expected = GameRecord { date: Some("1999".into()), ..games[0].clone() };
        assert_eq!(read[0], expected);
        assert_eq!(read[1].players, [Some("Zoë".into()), Some("player 0".into())]);
    }

    #[test]
    fn what_black_had_is_known_or_refused() {
        let discs = |result| discs_of_black(&GameRecord { result, ..game("f5") }).map_err(|refused| refused.reason);
        let by = |difference| discs(Some(GameResult::by_difference(difference)));
        assert_eq!([-64, -12, 0, 64].map(by), [Ok(0), Ok(26), Ok(32), Ok(64)]);
        for impossible in [-65, -66, 13, 65, 66, 1000, i32::MIN, i32::MAX] {
            assert!(by(impossible).is_err_and(|reason| reason.contains("64 discs")), "{impossible}");
        }
        let won = GameResult { winner: Some(Side::First), difference: None, cause: None };
        let left = GameResult { difference: Some(10), cause: Some(Cause::Left), ..won };
        for unknown in [won, left] {
            assert_eq!(discs(Some(unknown)), Err("its result in discs is unknown".into()));
        }
        assert_eq!(discs(None), Err("it has no result".into()));
    }

    #[test]
    fn damaged_games_are_told_and_the_good_ones_pass() {
        let mut bytes = files(&[game("f5"), game("f5d6"), game("f5f6")]).games;
        bytes[16 + 68 + 9] = 99;
        bytes.truncate(bytes.len() - 10);
        let games = read(&bytes, &Names::default()).expect("a file");
        assert!(games[0].is_ok());
        assert!(games[1].as_ref().is_err_and(|reason| reason.contains("move 2") && reason.contains("99")));
        assert!(games[2].as_ref().is_err_and(|reason| reason.contains("58 of 68")));
        bytes.truncate(16 + 68);
        let games = read(&bytes, &Names::default()).expect("a file");
        assert!(games.len() == 2 && games[1].as_ref().is_err_and(|reason| reason.contains("2 more")));
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let files = files(&[game("f5")]);
        assert!(read(&files.players, &Names::default()).unwrap_err().contains(".jou"));
        assert!(!is_wthor(b"f5d6c3f5d6c3f5d6c3") && !is_wthor(b"(;GM[Othello]PC[]PB") && !is_wthor(b""));
        assert!(read_names(&files.games).is_err());
    }
}
