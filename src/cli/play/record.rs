//! Saving and loading games: a comment that names the game, then its moves as people write them.

use crate::api::command::PlayedMove;
use crate::cli::whole_file;
use crate::engine::dyn_engine::{DynEngine, Start};
use crate::search::notation::Style;
use anyhow::{Context, bail};
use std::fs;
use std::path::Path;

/// How a saved game begins; its name follows.
const HEAD: &str = "# flipside game of ";

/// The moves so far, passes left out, in lower case.
pub fn moves(board: &dyn DynEngine) -> String {
    let moves = board.history(Style::Plain).into_iter().map(|(_, mv)| mv).filter(|mv| !board.is_pass(mv));
    moves.map(|mv| mv.to_lowercase()).collect::<Vec<_>>().join(" ")
}

/// Writes the game. Only a game that was saved before is overwritten.
///
/// # Errors
/// The file exists and is something else, or it cannot be written.
pub fn save(board: &dyn DynEngine, file: &Path) -> anyhow::Result<String> {
    let name = file.display();
    if file.exists() && !fs::read_to_string(file).is_ok_and(|text| text.starts_with(HEAD)) {
        bail!("{name} exists and is no saved game: choose another name");
    }
    let text = format!("{HEAD}{}\n{}\n", board.game(), moves(board));
    whole_file::write(file, text.as_bytes())?;
    Ok(format!("saved to {name}\n"))
}

/// Sets the board to the game of a file: moves as people write them, lines that begin with `#` left out.
///
/// # Errors
/// The file cannot be read, is of another game, or has an illegal move; the board is as before.
pub fn load(board: &mut dyn DynEngine, file: &Path) -> anyhow::Result<()> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    if let Some(game) = text.lines().find_map(|line| line.strip_prefix(HEAD))
        && game.trim() != board.game()
    {
        bail!("{name} is a game of {}, this is {}", game.trim(), board.game());
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let moves: Vec<PlayedMove> = board.split_moves(&lines.join(" ")).iter().map(|text| PlayedMove::new(text)).collect();
    board.set_position(Start::Initial, &moves, Style::Plain, false).with_context(|| format!("{name} is no game"))?;
    Ok(())
}
