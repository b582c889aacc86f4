//! Openings: lines of a file, or balanced ones of our own for every game.

use super::balanced_lines::BalancedLines;
use crate::api::command::PlayedMove;
use crate::engine::dyn_engine::{DynEngine, SetupError, Start};
use crate::record::ggf;
use crate::search::notation::Style;
use crate::search::types::{Score, UNIT};
use crate::support::random::Random;
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

/// Random openings are as long as so many different lines need.
const ENOUGH_LINES: u64 = 10_000;
/// Plies by which random openings grow once all shorter ones are used.
const MAX_GROWTH: u32 = 6;
/// Depth of the search that finds a random opening balanced.
const DEPTH: u32 = 6;
/// Its largest score for either side.
const MARGIN: Score = 3 * UNIT / 2;

/// The openings of a match, made as they are needed: the first ones are the same however many follow.
pub struct Openings {
    board: Box<dyn DynEngine>,
    list: Vec<Opening>,
    /// Where more come from.
    random: Option<BalancedLines>,
    /// Plies by which random openings may still grow.
    growth: u32,
}

impl Openings {
    /// All openings of a file, in an order that the seed decides: one a line; empty lines, comments after `#` and what
    /// follows a tab are left out. `board` supplies the rules.
    ///
    /// # Errors
    /// Names the line that is not legal.
    pub fn load(path: &Path, mut board: Box<dyn DynEngine>, seed: u64) -> anyhow::Result<Openings> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut list = read_all(without_bom(&text), board.as_mut()).with_context(|| path.display().to_string())?;
        if list.is_empty() {
            bail!("{} holds no opening", path.display());
        }
        Random(seed).shuffle(&mut list);
        Ok(Openings { board, list, random: None, growth: 0 })
    }

    /// The openings that come with the program, in an order that the seed decides, and random balanced ones after them,
    /// or from the first on where it has none for the game.
    ///
    /// # Errors
    /// A built-in opening is not legal.
    pub fn built_in(mut board: Box<dyn DynEngine>, seed: u64) -> anyhow::Result<Openings> {
        board.new_game();
        let plies =
            (1..).find(|&plies| board.perft(plies, None) >= ENOUGH_LINES || plies == MAX_GROWTH + 4).unwrap_or(1);
        let mut random = BalancedLines::new(plies, DEPTH, MARGIN, seed);
        let text = if board.game() == "reversi" { include_str!("openings.txt") } else { "" };
        let mut list = read_all(text, board.as_mut())?;
        for opening in &list {
            opening.set_up(board.as_mut())?;
            random.exclude(board.as_ref());
        }
        Random(seed).shuffle(&mut list);
        Ok(Openings { board, list, random: Some(random), growth: MAX_GROWTH })
    }

    /// The opening of this index, counted from 0. Where there are fewer they come again.
    pub fn get(&mut self, index: usize) -> Opening {
        while self.list.len() <= index && self.add_random() {}
        self.list.get(index % self.list.len().max(1)).cloned().unwrap_or_else(Opening::none)
    }

    /// Adds a random opening; false if there are no more.
    fn add_random(&mut self) -> bool {
        let Some(random) = &mut self.random else { return false };
        while random.next_line(self.board.as_mut()).is_none() {
            if self.growth == 0 {
                self.random = None;
                return false;
            }
            (random.plies, self.growth) = (random.plies + 1, self.growth - 1);
        }
        let history = self.board.history(Style::Plain);
        let text = history.iter().map(|(_, mv)| mv.to_lowercase()).collect::<Vec<_>>().join(" ");
        let moves = history.into_iter().map(|(side, mv)| PlayedMove::by(side, mv)).collect();
        self.list.push(Opening { text, start: None, moves });
        true
    }
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

    fn positions(openings: &mut Openings, count: usize) -> Vec<String> {
        let set_up = |index| {
            let opening = openings.get(index);
            opening.set_up(openings.board.as_mut()).expect("legal");
            assert!(openings.board.outcome().is_none());
            openings.board.position(Style::Plain)
        };
        (0..count).map(set_up).collect()
    }

    /// Also beyond the list of the program.
    #[test]
    fn every_game_has_openings_without_repetition() {
        for game in crate::games::names::GAMES {
            let open = || registry::open(&Settings { hash: 1, game: game.name.into(), ..Settings::default() });
            let mut openings = Openings::built_in(open().expect("the game"), 5).expect("openings");
            let first = positions(&mut openings, 70);
            let different: std::collections::HashSet<&String> = first.iter().collect();
            assert_eq!(different.len(), 70, "{}", game.name);
            let mut again = Openings::built_in(open().expect("the game"), 5).expect("openings");
            assert_eq!(positions(&mut again, 3), first[..3], "{}", game.name);
            let mut other = Openings::built_in(open().expect("the game"), 6).expect("openings");
            assert_ne!(positions(&mut other, 3), first[..3], "{}", game.name);
        }
    }

    #[test]
    fn openings_of_a_small_game_come_again() {
        let board = || registry::open(&Settings { hash: 1, game: "tic-tac-toe".into(), ..Settings::default() });
        let mut openings = Openings::built_in(board().expect("the game"), 1).expect("openings");
        openings.growth = 0;
        let last = positions(&mut openings, 2_000);
        let count = openings.list.len();
        assert!(count > 50 && count < 1_000 && last[count] == last[0], "{count}");
    }
}
