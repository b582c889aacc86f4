//! Saving and loading games: a comment that names the game, then its moves as people write them.

use crate::cli::io::whole_file;
use anyhow::{Context, anyhow, bail};
use flipside_core::search::notation::Style;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::recorded_game;
use flipside_host::record::codec;
use flipside_host::record::transcript::HEAD;
use flipside_support::bounded_file;
use std::fs;
use std::path::Path;

/// Largest file read, in bytes.
const MAX_SIZE: usize = 64 << 20;

/// The moves so far, passes left out, in lower case.
pub fn moves(board: &dyn DynEngine) -> String {
    let moves = board.history(Style::Plain).into_iter().map(|(_, mv)| mv).filter(|mv| !board.is_pass(mv));
    moves.map(|mv| mv.to_lowercase()).collect::<Vec<_>>().join(" ")
}

/// Writes the game. Overwrites only an earlier saved game.
///
/// # Errors
/// The file exists and is not a saved game, or it cannot be written.
pub fn save(board: &dyn DynEngine, file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    if file.exists() && !fs::read_to_string(file).is_ok_and(|text| text.starts_with(HEAD)) {
        bail!("{name} exists and is not a saved game: choose another name");
    }
    let text = format!("{HEAD}{}\n{}\n", board.game(), moves(board));
    whole_file::write(file, text.as_bytes())?;
    Ok(format!("saved to {name}\n"))
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
