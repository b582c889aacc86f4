//! Openings: lines of a file, or the built-in balanced ones.

use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, SetupError, Start};
use crate::record::ggf;
use crate::search::notation::Style;
use crate::support::text::without_bom;
use anyhow::{Context, bail};
use std::path::Path;

/// The opening of a match game: a start position and moves from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// As it was given, for records.
    pub text: String,
    start: Option<(String, Style)>,
    moves: Vec<PlayedMove>,
}

impl Opening {
    /// The game's own start.
    pub fn none() -> Opening {
        Opening { text: String::new(), start: None, moves: Vec::new() }
    }

    /// Reads a line: GGF, a position with anything after a semicolon (OBF), or moves. `board` supplies the rules and is
    /// left at the opening.
    ///
    /// # Errors
    /// The line is none of them; the reason is that of moves.
    pub fn read(line: &str, board: &mut dyn DynEngine) -> anyhow::Result<Opening> {
        let text = line.to_string();
        if line.starts_with("(;") {
            let game = ggf::GgfGame::read(line)?;
            let moves = game.moves.into_iter().map(|mv| PlayedMove::by(mv.side, mv.text)).collect();
            let opening = Opening { text, start: game.board.map(|board| (board, Style::Ggf)), moves };
            opening.set_up(board)?;
            return Ok(opening);
        }
        let position = line.split(';').next().unwrap_or(line).trim();
        let placed = Opening { text: text.clone(), start: Some((position.into(), Style::Plain)), moves: Vec::new() };
        if placed.set_up(board).is_ok() {
            return Ok(placed);
        }
        // Some write dashes between squares, which not every game's notation allows.
        let spellings = [line.to_string(), line.replace('-', "")];
        let mut first_error = None;
        for spelling in spellings {
            let opening = Opening { text: text.clone(), start: None, moves: vec![PlayedMove::new(&spelling)] };
            match opening.set_up(board) {
                Ok(()) => return Ok(opening),
                Err(error) => drop(first_error.get_or_insert(error)),
            }
        }
        Err(first_error.unwrap_or_else(|| anyhow::anyhow!("cannot be read")))
    }

    /// Sets up the opening on a board.
    ///
    /// # Errors
    /// Names the illegal move or what is wrong with the position.
    pub fn set_up(&self, board: &mut dyn DynEngine) -> anyhow::Result<()> {
        let (start, style) = match &self.start {
            Some((text, style)) => (Start::Text(text), *style),
            None => (Start::Initial, Style::Plain),
        };
        board.set_position(start, &self.moves, style, false).map_err(|error| match error {
            SetupError::Position(error) => anyhow::anyhow!("{error}"),
            SetupError::Move(mv, reason) => anyhow::anyhow!("{mv}: {reason}"),
        })
    }
}

/// All openings of a file: one a line; empty lines, comments after `#` and what follows a tab are left out.
///
/// # Errors
/// Names the line that is not legal.
pub fn load(path: &Path, board: &mut dyn DynEngine) -> anyhow::Result<Vec<Opening>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let openings = read_all(without_bom(&text), board).with_context(|| path.display().to_string())?;
    if openings.is_empty() {
        bail!("{} holds no opening", path.display());
    }
    Ok(openings)
}

fn read_all(text: &str, board: &mut dyn DynEngine) -> anyhow::Result<Vec<Opening>> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split(['#', '\t']).next().unwrap_or_default().trim();
        if !line.is_empty() {
            openings.push(Opening::read(line, board).with_context(|| format!("line {}: {line}", index + 1))?);
        }
    }
    Ok(openings)
}

/// The openings that come with the program, found by `flipside openings`; the game's own start where it has none for the
/// game.
///
/// # Errors
/// A built-in opening is not legal.
pub fn built_in(board: &mut dyn DynEngine) -> anyhow::Result<Vec<Opening>> {
    match board.game() {
        "reversi" => read_all(include_str!("openings.txt"), board),
        _ => Ok(vec![Opening::none()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::settings::Settings;
    use crate::engine::registry;

    fn reversi() -> Box<dyn DynEngine> {
        registry::open(&Settings { hash: 1, ..Settings::default() }).expect("reversi")
    }

    #[test]
    fn every_form_of_a_line() {
        let mut board = reversi();
        let text = "# comment\nf5d6c4d3c2b3b4b5\n\nF5 d6 c3\t7\n\
            --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18; # ffo-01\n\
            (;GM[Othello]PB[a\\]b]BO[8 ---------------------------O*------*O--------------------------- *]B[f5/1.2/3]W[d6];)\n";
        let openings = read_all(text, board.as_mut()).expect("openings");
        assert_eq!(openings.len(), 4);
        let lengths: Vec<usize> = openings
            .iter()
            .map(|opening| {
                opening.set_up(board.as_mut()).expect("legal");
                board.history(Style::Plain).len()
            })
            .collect();
        assert_eq!(lengths, [8, 3, 0, 2]);
    }

    #[test]
    fn bad_lines_are_named() {
        let mut board = reversi();
        let error = read_all("f5d6\nf5f6f1", board.as_mut()).expect_err("not legal");
        assert!(format!("{error:#}").contains("line 2") && format!("{error:#}").contains("f1"), "{error:#}");
        assert!(read_all("(;BO[8", board.as_mut()).is_err());
    }

    #[test]
    fn the_built_in_list_is_legal_and_without_repetition() {
        let mut board = reversi();
        let openings = built_in(board.as_mut()).expect("openings");
        let positions: std::collections::HashSet<String> = openings
            .iter()
            .map(|opening| {
                opening.set_up(board.as_mut()).expect("legal");
                board.position(Style::Plain)
            })
            .collect();
        assert!(openings.len() >= 40 && positions.len() == openings.len());
    }
}
