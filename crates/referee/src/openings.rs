//! Openings: lines of a file, or balanced random ones for every game.

use super::balanced_lines::{BalancedLines, is_wide};
use anyhow::{Context, anyhow, bail};
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, UNIT};
use flipside_host::api::command::PlayedMove;
use flipside_host::engine::dyn_engine::{DynEngine, Start};
use flipside_host::engine::recorded_game;
use flipside_host::record::codec;
use flipside_host::record::format::Format;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::texts::{self, RecordText};
use flipside_host::record::wthor::Names;
use flipside_support::random::Random;
use std::path::Path;

/// The opening of a match game: a start position and moves from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The opening as given, for records.
    pub text: String,
    /// The start position and the moves from it in the game's own notation; the usual start if `None`.
    start: Option<String>,
    moves: Vec<PlayedMove>,
}

impl Opening {
    /// The game's own start.
    pub fn none() -> Opening {
        Opening::default()
    }

    /// Reads the first game or position of a text, of any format. `board` supplies the rules and stays at the opening.
    ///
    /// # Errors
    /// The text has no game, or it is not legal.
    pub fn read(text: &str, board: &mut dyn DynEngine) -> anyhow::Result<Opening> {
        let text = texts::in_bytes(text.as_bytes()).next().context("there is no opening")?;
        Opening::all_of(&text, board)?.into_iter().next().context("there is no opening")
    }

    /// The openings of a text: one, except for WTHOR.
    fn all_of(text: &RecordText, board: &mut dyn DynEngine) -> anyhow::Result<Vec<Opening>> {
        let games = codec::read(text, board.game(), &Names::default());
        let opening = |game: Result<GameRecord, String>| {
            let game = recorded_game::replay(board, &game.map_err(|reason| anyhow!("{reason}"))?)?;
            game.remarks.iter().for_each(|remark| log::warn!("opening in line {}: {remark}", text.line));
            let text = shown(text, &game);
            let moves = game
                .moves
                .into_iter()
                .map(|mv| PlayedMove { player: mv.side.map(Into::into), text: mv.text })
                .collect();
            Ok(Opening { text, start: game.start.map(|start| start.text), moves })
        };
        games.into_iter().map(opening).collect()
    }

    /// Sets up the opening on a board.
    ///
    /// # Errors
    /// A move is illegal or the position is invalid; the text names it.
    pub fn set_up(&self, board: &mut dyn DynEngine) -> anyhow::Result<()> {
        let start = self.start.as_deref().map_or(Start::Initial, Start::Text);
        Ok(board.set_position(start, &self.moves, Style::Plain, false)?)
    }
}

/// The text of an opening for records: as given, without comments; the moves if the source is not text.
fn shown(text: &RecordText, record: &GameRecord) -> String {
    let given = String::from_utf8_lossy(&text.bytes);
    match text.format {
        Format::Wthor => record.moves.iter().map(|mv| mv.text.to_lowercase()).collect::<Vec<_>>().join(" "),
        Format::Transcript | Format::Obf | Format::Fen => {
            given.split(['#', '\t']).next().unwrap_or_default().trim().to_string()
        }
        _ => given.trim().to_string(),
    }
}

/// The openings of Reversi inside the program, a line of eight moves each.
pub const BUILT_IN: &str = include_str!("openings.txt");

/// Random openings are made as long as this many different lines require.
const ENOUGH_LINES: u64 = 10_000;
/// Plies by which random openings grow once all shorter ones are used.
const MAX_GROWTH: u32 = 6;
/// Random openings on a wide board have this many plies, because the first few moves do not interact there...
const WIDE_BOARD_PLIES: u32 = 5;
/// ... and the search scores neither side higher than this.
const WIDE_BOARD_MARGIN: Score = UNIT / 4;
/// Depth of the search that checks the balance of a random opening.
const DEPTH: u32 = 6;
/// Its largest score for either side.
const MARGIN: Score = 3 * UNIT / 2;

/// The openings of a match, made when needed; their number does not change the first ones.
pub struct Openings {
    board: Box<dyn DynEngine>,
    list: Vec<Opening>,
    /// The source of more openings.
    random: Option<BalancedLines>,
    /// Plies by which random openings may still grow.
    growth: u32,
}

impl Openings {
    /// All games and positions of a file, in any format, in an order determined by the seed. `board` supplies the
    /// rules.
    ///
    /// # Errors
    /// A line is not legal; the text names it.
    pub fn load(path: &Path, mut board: Box<dyn DynEngine>, seed: u64) -> anyhow::Result<Openings> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut list = read_all(&bytes, board.as_mut()).with_context(|| path.display().to_string())?;
        if list.is_empty() {
            bail!("{} holds no opening", path.display());
        }
        Random(seed).shuffle(&mut list);
        Ok(Openings { board, list, random: None, growth: 0 })
    }

    /// The openings inside the program in an order determined by the seed, then random balanced ones; only random ones
    /// for a game without openings in the program.
    ///
    /// # Errors
    /// A built-in opening is not legal.
    pub fn built_in(mut board: Box<dyn DynEngine>, seed: u64) -> anyhow::Result<Openings> {
        board.new_game();
        let plies =
            (1..).find(|&plies| board.perft(plies, None) >= ENOUGH_LINES || plies == MAX_GROWTH + 4).unwrap_or(1);
        let (plies, margin) =
            if is_wide(board.as_ref()) { (plies.max(WIDE_BOARD_PLIES), WIDE_BOARD_MARGIN) } else { (plies, MARGIN) };
        let mut random = BalancedLines::new(plies, DEPTH, margin, seed);
        let text = if board.game() == "reversi" { BUILT_IN } else { "" };
        let mut list = read_all(text.as_bytes(), board.as_mut())?;
        for opening in &list {
            opening.set_up(board.as_mut())?;
            random.exclude(board.as_ref());
        }
        Random(seed).shuffle(&mut list);
        Ok(Openings { board, list, random: Some(random), growth: MAX_GROWTH })
    }

    /// The opening of this index, from 0. Indices beyond the last opening start again from the first.
    pub fn get(&mut self, index: usize) -> Opening {
        while self.list.len() <= index && self.add_random() {}
        self.list.get(index % self.list.len().max(1)).cloned().unwrap_or_else(Opening::none)
    }

    /// Adds a random opening; returns false if there are no more.
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

fn read_all(bytes: &[u8], board: &mut dyn DynEngine) -> anyhow::Result<Vec<Opening>> {
    let mut openings = Vec::new();
    for text in texts::in_bytes(bytes) {
        if let Some(warning) = &text.warning {
            log::warn!("line {}: {warning}", text.line);
        }
        let place = || {
            let line = String::from_utf8_lossy(&text.bytes).lines().next().unwrap_or_default().to_string();
            if text.format == Format::Wthor { "a game".into() } else { format!("line {}: {line}", text.line) }
        };
        openings.extend(Opening::all_of(&text, board).with_context(place)?);
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_host::api::settings::Settings;
    use flipside_host::engine::registry;

    fn reversi() -> Box<dyn DynEngine> {
        registry::open(&Settings { hash: 1, ..Settings::default() }).expect("reversi")
    }

    #[test]
    fn every_form_of_a_line() {
        let mut board = reversi();
        let text = "# comment\nf5d6c4d3c2b3b4b5\n\nF5 d6 c3\t7\n1. f5-d6 # dashes\n\
            --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18; # ffo-01\n\
            (;GM[Othello]PB[a\\]b]BO[8 ---------------------------O*------*O--------------------------- *]B[f5/1.2/3]W[d6];)\n";
        let openings = read_all(text.as_bytes(), board.as_mut()).expect("openings");
        assert_eq!(openings.len(), 5);
        let lengths: Vec<usize> = openings
            .iter()
            .map(|opening| {
                opening.set_up(board.as_mut()).expect("legal");
                board.history(Style::Plain).len()
            })
            .collect();
        assert_eq!(lengths, [8, 3, 2, 0, 2]);
    }

    #[test]
    fn bad_lines_are_named() {
        let mut board = reversi();
        let error = read_all(b"f5d6\nf5f6f1", board.as_mut()).expect_err("not legal");
        assert!(format!("{error:#}").contains("line 2") && format!("{error:#}").contains("f1"), "{error:#}");
        assert!(read_all(b"(;BO[8", board.as_mut()).is_err());
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

    /// Covers openings beyond the program's list. Gomoku gets fewer here, because its openings take the longest
    /// searches.
    #[test]
    fn every_game_has_openings_without_repetition() {
        for game in flipside_core::games::names::GAMES {
            let open = || registry::open(&Settings { hash: 1, game: game.name.into(), ..Settings::default() });
            let mut openings = Openings::built_in(open().expect("the game"), 5).expect("openings");
            let count = if game.name.starts_with("gomoku") { 8 } else { 70 };
            let first = positions(&mut openings, count);
            let different: std::collections::HashSet<&String> = first.iter().collect();
            assert_eq!(different.len(), count, "{}", game.name);
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
