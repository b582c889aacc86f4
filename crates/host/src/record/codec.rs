//! One reader and one writer for all formats.

use super::format::Format;
use super::game_record::{CannotHold, GameRecord};
use super::ggf::GgfGame;
use super::json;
use super::sgf::{self, SgfGame};
use super::texts::{MAX_TEXT_LENGTH, RecordText, in_bytes};
use super::wthor::{self, Names};
use super::{fen, obf, pasted, pgn, transcript};
use flipside_core::games::names;

/// The first game of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstGame {
    /// Its format.
    pub format: Format,
    /// The number of its first line, from 1.
    pub line: u64,
    /// The record, or why it cannot be read. Its moves have not been checked against the rules.
    pub record: Result<GameRecord, String>,
}

/// Reads the games of a text: one, except for WTHOR. Transcripts that name no game belong to `default_game`.
///
/// Does not check that the moves are legal; that needs the rules.
pub fn read(text: &RecordText, default_game: &str, names: &Names) -> Vec<Result<GameRecord, String>> {
    let line = String::from_utf8_lossy(&text.bytes);
    let game = match text.format {
        _ if text.is_cut => Err(format!("expected a record of less than {MAX_TEXT_LENGTH} bytes")),
        Format::Wthor => return wthor::read(&text.bytes, names).unwrap_or_else(|reason| vec![Err(reason)]),
        Format::Transcript if pasted::is_heading(&line) => return Vec::new(),
        Format::Transcript => read_transcript(&line, text.game.as_deref().unwrap_or(default_game)),
        Format::Ggf => GgfGame::read(&line).map(|game| game.record()).map_err(|error| error.to_string()),
        Format::Sgf => SgfGame::read(&line).map(|game| game.record()).map_err(|error| error.to_string()),
        Format::Pgn => pgn::read(&line).map_err(|error| error.to_string()),
        Format::Obf => obf::read(&line).map_err(|error| error.to_string()),
        Format::Fen => fen::read(&line),
        Format::Json => pasted::quest(&line).map_or_else(|| json::read(&line), Ok),
        Format::Svg => Err("a picture holds no moves that can be read".into()),
    };
    vec![game]
}

/// Reads the first game of a file; `None` without a game. What continues the first game behind its end is an error.
pub fn read_first(bytes: &[u8], default_game: &str) -> Option<FirstGame> {
    let mut texts = in_bytes(bytes);
    let text = texts.next()?;
    if let Some(warning) = &text.warning {
        log::warn!("line {}: {warning}", text.line);
    }
    let record = read(&text, default_game, &Names::default()).into_iter().next()?;
    let is_torn = texts.next().is_some_and(|next| next.continues(&text));
    let record = if is_torn { record.and(Err("expected nothing after the end of the game".into())) } else { record };
    Some(FirstGame { format: text.format, line: text.line, record })
}

fn read_transcript(line: &str, game: &str) -> Result<GameRecord, String> {
    let known = names::find(game).ok_or_else(|| format!("unknown game '{game}'"))?;
    let is_reversi = known.name == names::REVERSI.name;
    let line = if is_reversi { pasted::plain(line) } else { line.into() };
    let record = transcript::read(&line, is_reversi);
    if record.moves.is_empty() {
        return Err("expected moves".into());
    }
    Ok(GameRecord { game: Some(known.name), ..record })
}

/// Writes a record in the notation that [`Format::start_style`] and [`Format::move_style`] name, line end included.
/// Pictures and WTHOR's files have writers of their own: [`super::svg`], [`wthor::Writer`].
///
/// # Errors
/// The format cannot hold it.
pub fn write(record: &GameRecord, format: Format) -> Result<String, CannotHold> {
    match format {
        Format::Transcript => transcript::write(record),
        Format::Ggf => GgfGame::of_record(record).map(|game| format!("{game}\n")),
        Format::Sgf => sgf::write(record),
        Format::Pgn => pgn::write(record, &[]),
        Format::Obf => obf::write(record),
        Format::Fen => fen::write(record),
        Format::Json => json::write(record),
        Format::Wthor | Format::Svg => Err(CannotHold::new(format.name(), "it is not a text format for one game")),
    }
}
