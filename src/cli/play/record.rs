//! Saving and loading games: in the format that the file's name asks for, or as a comment that names the game and its
//! moves as people write them.

use crate::cli::io::whole_file;
use anyhow::{Context, anyhow, bail};
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::recorded_game;
use flipside_host::record::codec;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::texts;
use flipside_host::record::transcript::HEAD;
use flipside_host::record::wthor::Names;
use flipside_support::bounded_file;
use std::path::Path;
use time::OffsetDateTime;

/// Largest file read, in bytes.
const MAX_SIZE: usize = 64 << 20;
/// The event of a saved game, by which an earlier one is recognised.
const EVENT: &str = "flipside play";

/// The moves so far, passes left out, in lower case.
pub fn moves(board: &dyn DynEngine) -> String {
    let moves = board.history(Style::Plain).into_iter().map(|(_, mv)| mv).filter(|mv| !board.is_pass(mv));
    moves.map(|mv| mv.to_lowercase()).collect::<Vec<_>>().join(" ")
}

/// Writes the game with these facts in the format that the file's name asks for. Overwrites only an earlier saved game.
///
/// # Errors
/// The format cannot hold the game, the file exists and is not a saved game, or it cannot be written.
pub fn save(board: &dyn DynEngine, facts: GameRecord, file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    let format = format_of(file)?;
    let text = match format {
        Format::Transcript => format!("{HEAD}{}\n{}\n", board.game(), moves(board)),
        _ => {
            let today = OffsetDateTime::now_utc().date().to_string();
            let facts = GameRecord { event: Some(EVENT.into()), date: Some(today), ..facts };
            let (start, moves) = (format.start_style(), format.move_style(board.game()));
            codec::write(&recorded_game::restyled(board, &facts, start, moves), format)?
        }
    };
    if file.exists() && !is_saved_game(file, board.game()) {
        bail!("{name} exists and is not a saved game: choose another name");
    }
    whole_file::write(file, text.as_bytes())?;
    Ok(format!("saved to {name}\n"))
}

/// The format that a file's name asks for.
fn format_of(file: &Path) -> anyhow::Result<Format> {
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match Format::ALL.into_iter().find(|format| format.name() == extension) {
        None if extension == "wtb" => bail!("save writes no WTHOR: save the game as .ggf and convert it"),
        None => Ok(Format::Transcript),
        Some(format @ (Format::Transcript | Format::Ggf | Format::Sgf | Format::Pgn | Format::Json)) => Ok(format),
        Some(format) => bail!("save writes no {}: save the game as .ggf or .pgn and convert it", format.name()),
    }
}

/// Whether a file holds one game that [`save`] wrote, and nothing else.
fn is_saved_game(file: &Path, game: &str) -> bool {
    let Ok(bytes) = bounded_file::read(file, MAX_SIZE) else { return false };
    let records = || texts::in_bytes(&bytes).flat_map(|text| codec::read(&text, game, &Names::default()));
    let is_ours = |record: Result<GameRecord, _>| record.is_ok_and(|record| record.event.as_deref() == Some(EVENT));
    bytes.starts_with(HEAD.as_bytes()) || records().count() == 1 && records().all(is_ours)
}

/// Sets the board to the first game of a file, in any format that `flipside convert` reads.
///
/// # Errors
/// The file cannot be read, is of another game, or has an illegal move. The board is then unchanged.
pub fn load(board: &mut dyn DynEngine, file: &Path) -> anyhow::Result<()> {
    let name = file.display();
    let bytes = bounded_file::read(file, MAX_SIZE).with_context(|| format!("cannot read {name}"))?;
    let first = codec::read_first(&bytes, board.game()).with_context(|| format!("{name} holds no game"))?;
    let record = first.record.map_err(|reason| anyhow!("{name} is not a game: {reason}"))?;
    recorded_game::load(board, &record).with_context(|| format!("{name} is not a game of {}", board.game()))
}
