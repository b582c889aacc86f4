//! `loadsgf FILE [N]`: the position before move N of an SGF file, or after its last move.

use crate::api::command::{Command, CommandError};
use crate::protocol::token::{number, words};
use std::path::PathBuf;

/// The command for these arguments.
pub fn load_sgf(arguments: &str) -> Result<Command, CommandError> {
    let list = words(arguments);
    // A number at the end is N, unless it is the only argument.
    let move_number = list.last().filter(|_| list.len() > 1).and_then(|last| number::<usize>(last));
    let path = match (move_number, arguments.rsplit_once(' ')) {
        (Some(_), Some((path, _))) => path.trim(),
        _ => arguments,
    };
    if path.is_empty() {
        return Err(CommandError::Syntax("expected loadsgf FILE [MOVE]".into()));
    }
    let max_moves = move_number.map_or(usize::MAX, |number| number.saturating_sub(1));
    Ok(Command::LoadSgf { path: PathBuf::from(path), max_moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_and_the_number_of_a_move() {
        let load = |path: &str, max_moves| Ok(Command::LoadSgf { path: path.into(), max_moves });
        assert_eq!(load_sgf("/a b/c.sgf 3"), load("/a b/c.sgf", 2));
        assert_eq!(load_sgf("/a b/c.sgf"), load("/a b/c.sgf", usize::MAX));
        assert_eq!(load_sgf("17"), load("17", usize::MAX));
        assert!(matches!(load_sgf(""), Err(CommandError::Syntax(_))));
    }
}
