//! `loadsgf FILE [N]`: the position before move N of an SGF file, or after its last move.

use crate::api::command::{Command, CommandError, PlayedMove};
use crate::protocol::token::{number, words};
use crate::record::sgf::SgfGame;
use crate::search::notation::Style;
use std::fs;

/// Largest file read, in bytes.
const MAX_FILE_SIZE: u64 = 4 << 20;

/// The command for these arguments. Reads the file.
pub fn load_sgf(arguments: &str) -> Result<Command, CommandError> {
    let list = words(arguments);
    // A number at the end is N, unless it is all there is.
    let move_number = list.last().filter(|_| list.len() > 1).and_then(|last| number::<usize>(last));
    let path = match (move_number, arguments.rsplit_once(' ')) {
        (Some(_), Some((path, _))) => path.trim(),
        _ => arguments,
    };
    if path.is_empty() {
        return Err(CommandError::Syntax("expected loadsgf FILE [MOVE]".into()));
    }
    let failed = |error: std::io::Error| CommandError::CannotLoad(format!("{path}: {error}"));
    let metadata = fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() || metadata.len() > MAX_FILE_SIZE {
        return Err(CommandError::CannotLoad(format!("{path}: not a file of at most 4 MiB")));
    }
    let bytes = fs::read(path).map_err(failed)?;
    let max_moves = move_number.map_or(usize::MAX, |number| number.saturating_sub(1));
    let game = SgfGame::read(&String::from_utf8_lossy(&bytes), max_moves);
    Ok(set_position(game.map_err(|error| CommandError::CannotLoad(error.to_string()))?))
}

fn set_position(game: SgfGame) -> Command {
    let moves = game.moves.into_iter().map(|(side, text)| PlayedMove::by(side, text)).collect();
    Command::SetPosition { start: game.board, moves, style: Style::Ggf, keep_prefix: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_read_is_an_error() {
        assert!(matches!(load_sgf("/no/such/file.sgf 3"), Err(CommandError::CannotLoad(_))));
        assert!(matches!(load_sgf(""), Err(CommandError::Syntax(_))));
    }
}
