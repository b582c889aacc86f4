//! WTHOR, the French federation's collections of Othello games (`.wtb`), with the names of players (`.jou`) and tournaments
//! (`.trn`) in files of their own. All numbers are little-endian.
//!
//! Each file begins with 16 bytes: century, year, month and day of its making, then the number of games (four bytes),
//! the number of names (two), the year of the games (two), the side of the board (0 and 8 are 8), the kind of games, the
//! depth of their theoretical results, an unused byte. A game is 68 bytes: tournament, Black and White (two bytes each),
//! Black's discs at the end, its discs with best play, 60 moves as ten times the row plus the column, 0 after the last one;
//! passes are left out. A name fills 20 bytes for a player, 26 for a tournament, in Windows-1252 with a 0 behind it; names are
//! numbered from 0, and the first stands for unknown ones.

use super::charset;
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
/// Limit of games in a file; the largest collection has some 140,000.
const MAX_GAMES: u32 = 4_000_000;
/// The name of an unknown player or tournament.
const UNKNOWN: &str = "???";
/// The first moves of Othello.
const FIRST_MOVES: [u8; 4] = [34, 43, 56, 65];

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
    games: u32,
    names: u16,
    year: u16,
    board: u8,
    is_plausible: bool,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Header> {
        let bytes: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        let [century, _, month, day, g0, g1, g2, g3, n0, n1, year0, year1, board, kind, _, _] = *bytes;
        let games = u32::from_le_bytes([g0, g1, g2, g3]);
        let is_date = (19..=20).contains(&century) && month <= 12 && day <= 31;
        let is_plausible = is_date && games <= MAX_GAMES && matches!(board, 0 | 8 | 10) && kind <= 1;
        let [names, year] = [[n0, n1], [year0, year1]].map(u16::from_le_bytes);
        Some(Header { games, names, year, board, is_plausible })
    }

    /// The names that it counts. Flipside 0.2 wrote their number where that of games is.
    fn count_of_names(&self) -> usize {
        if self.names > 0 { self.names.into() } else { self.games as usize }
    }

    /// Whether this many bytes after it are names.
    fn is_of_names(&self, size: usize) -> bool {
        let is_marked =
            if self.games > 0 { self.names == 0 && self.year == 0 && self.board == 0 } else { self.names > 0 };
        is_marked && [PLAYER_BYTES, TOURNAMENT_BYTES].iter().any(|name| self.count_of_names() * name == size)
    }

    fn bytes(games: u32, names: u16, year: u16) -> Vec<u8> {
        // The date is the first day of the games' year, so that equal games make equal files.
        let (century, years) = if year == 0 { (20, 0) } else { ((year / 100) as u8, (year % 100) as u8) };
        let mut bytes = vec![century.clamp(19, 20), years, 1, 1];
        bytes.extend(games.to_le_bytes());
        bytes.extend(names.to_le_bytes());
        bytes.extend(year.to_le_bytes());
        bytes.extend([if names == 0 { 8 } else { 0 }, 0, 0, 0]);
        bytes
    }
}

/// Whether the bytes begin a file of games (or of names, which is refused with a reason): 16 bytes or more that are not
/// text.
pub fn is_wthor(start: &[u8]) -> bool {
    Header::read(start).is_some_and(|header| header.is_plausible)
}

/// The games of a file, each with an error if it is damaged. Players without an entry in `names` appear by number. Games
/// that the header does not count are read, too, and remarked.
///
/// # Errors
/// The file does not hold games on eight by eight squares.
pub fn read(bytes: &[u8], names: &Names) -> Result<Vec<Result<GameRecord, String>>, String> {
    let header = Header::read(bytes).filter(|header| header.is_plausible);
    let header = header.ok_or("expected the header of a WTHOR file")?;
    if header.board == 10 {
        return Err("the games are of a board of ten by ten squares".into());
    }
    let body = bytes.get(HEADER_BYTES..).unwrap_or_default();
    if header.is_of_names(body.len()) {
        return Err("a file of names (.jou or .trn), not of games (.wtb)".into());
    }
    let count = header.games as usize;
    let is_game = |game: &&[u8; GAME_BYTES]| game.get(MOVES_AT).is_some_and(|first| FIRST_MOVES.contains(first));
    let uncounted = body.as_chunks().0.iter().skip(count).take_while(is_game).count();
    let (own, rest) = body.split_at(body.len().min((count + uncounted) * GAME_BYTES));
    let mut games: Vec<_> = own.chunks(GAME_BYTES).map(|game| read_game(game, header.year, names)).collect();
    if games.len() < count {
        let missing = count - games.len();
        games.push(Err(format!("the file ends here; its header promises {missing} more")));
    }
    let total = games.len();
    if let Some(first) = games.get_mut(count).filter(|_| uncounted > 0) {
        remark(first, format!("the header of its file counts only {count} of {total} games"));
    }
    if !rest.is_empty() {
        match games.last_mut() {
            Some(last) => remark(last, format!("bytes after it that are no game: {}", rest.len())),
            None => games.push(Err("there is no game after the header of its file".into())),
        }
    }
    Ok(games)
}

/// Adds a remark to a game, or to the reason why it cannot be read.
fn remark(game: &mut Result<GameRecord, String>, text: String) {
    match game {
        Ok(record) => record.remarks.push(text),
        Err(reason) => *reason = format!("{reason}; {text}"),
    }
}

fn read_game(bytes: &[u8], year: u16, names: &Names) -> Result<GameRecord, String> {
    let bytes: &[u8; GAME_BYTES] =
        bytes.try_into().map_err(|_| format!("the file ends within it: {} of {GAME_BYTES} bytes", bytes.len()))?;
    let (head, moves) = bytes.split_at(MOVES_AT);
    let [t0, t1, b0, b1, w0, w1, discs, _] = *head else { return Err("its head is cut short".into()) };
    let named = |names: &[String], word: &str, number: [u8; 2]| {
        let number = u16::from_le_bytes(number);
        let name = names.get(usize::from(number)).filter(|name| !name.is_empty()).cloned();
        Some(name.unwrap_or_else(|| format!("{word} {number}"))).filter(|name| name != UNKNOWN)
    };
    let is_possible = discs <= 64;
    let impossible = || format!("its {discs} discs of Black are impossible and count as unknown");
    let mut record = GameRecord {
        game: Some("reversi"),
        style: Style::Plain,
        players: [named(&names.players, "player", [b0, b1]), named(&names.players, "player", [w0, w1])],
        event: named(&names.tournaments, "tournament", [t0, t1]),
        date: (year > 0).then(|| format!("{year:04}")),
        result: is_possible.then(|| GameResult::by_difference(2 * i32::from(discs) - 64)),
        remarks: if is_possible { Vec::new() } else { vec![impossible()] },
        ..GameRecord::default()
    };
    let plies = moves.iter().rposition(|&mv| mv != 0).map_or(0, |last| last + 1);
    for (index, &mv) in moves.iter().enumerate().take(plies) {
        let (row, column) = (mv / 10, mv % 10);
        if !((1..=8).contains(&row) && (1..=8).contains(&column)) {
            return Err(format!("move {}: expected ten times the row plus the column (11 to 88), saw {mv}", index + 1));
        }
        let square = format!("{}{row}", char::from(b'a' + column - 1));
        record.moves.push(RecordMove::new(None, square));
    }
    Ok(record)
}

/// The players' names of a `.jou` file.
///
/// # Errors
/// The file does not hold players' names.
pub fn read_players(bytes: &[u8]) -> Result<Vec<String>, String> {
    read_names(bytes, PLAYER_BYTES)
}

/// The tournaments' names of a `.trn` file.
///
/// # Errors
/// The file does not hold names of tournaments.
pub fn read_tournaments(bytes: &[u8]) -> Result<Vec<String>, String> {
    read_names(bytes, TOURNAMENT_BYTES)
}

/// Names of this size.
fn read_names(bytes: &[u8], size: usize) -> Result<Vec<String>, String> {
    let header = Header::read(bytes).ok_or("expected the header of a WTHOR file")?;
    let body = bytes.get(HEADER_BYTES..).unwrap_or_default();
    let count = header.count_of_names();
    if count.checked_mul(size) != Some(body.len()) {
        return Err(format!("expected {count} names of {size} bytes, saw {} bytes", body.len()));
    }
    let until_0 = |bytes: &[u8]| bytes.iter().copied().take_while(|&byte| byte != 0).collect::<Vec<_>>();
    Ok(body.chunks(size).map(|bytes| charset::from_windows_1252(&until_0(bytes)).trim().to_string()).collect())
}

/// Assigns numbers to names; equal names get equal numbers.
struct Numbers {
    by_name: HashMap<String, u16>,
    names: Vec<String>,
}

impl Numbers {
    /// Number 0 is for those without a name.
    fn new() -> Numbers {
        Numbers { by_name: HashMap::new(), names: vec![UNKNOWN.into()] }
    }

    fn of(&mut self, name: Option<&String>) -> Result<u16, CannotHold> {
        let Some(name) = name else { return Ok(0) };
        if let Some(&number) = self.by_name.get(name) {
            return Ok(number);
        }
        // The number of names must fit its field, too.
        let number = u16::try_from(self.names.len()).ok().filter(|number| *number < u16::MAX);
        let number = number.ok_or_else(|| CannotHold::new("wthor", "there are more than 65,534 names"))?;
        self.by_name.insert(name.clone(), number);
        self.names.push(name.clone());
        Ok(number)
    }

    fn file(&self, size: usize) -> Vec<u8> {
        let mut bytes = Header::bytes(0, self.names.len() as u16, 0);
        for name in &self.names {
            let start = bytes.len();
            bytes.extend(name.chars().map(charset::to_windows_1252).take(size - 1));
            bytes.resize(start + size, 0);
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
        let mut games = Header::bytes((self.games.len() / GAME_BYTES) as u32, 0, self.year.unwrap_or(0));
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
mod tests;
