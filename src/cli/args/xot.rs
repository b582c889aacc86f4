//! XOT: games whose first eight moves are set, from a list of lines that favour neither side.

use crate::cli::io::reversi_games::{RecordedGame, ReversiReplay};
use anyhow::{Context, anyhow, ensure};
use clap::Args;
use flipside_core::games::names::REVERSI;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::symmetry::Symmetry;
use flipside_host::api::settings::Settings;
use flipside_host::engine::registry;
use flipside_host::record::codec;
use flipside_host::record::game_record::GameRecord;
use flipside_host::record::texts;
use flipside_host::record::wthor::Names;
use flipside_referee::openings::{BUILT_IN, Openings};
use flipside_support::clock::time_seed;
use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;

/// The number of set moves of an XOT game.
pub const XOT_MOVES: usize = 8;

/// The list of XOT lines.
#[derive(Args, Clone, Debug, Default)]
pub struct XotArgs {
    /// File of XOT lines in any format, of which the first eight moves count [default: the openings inside the program]
    #[arg(long, value_name = "FILE")]
    pub xot_lines: Option<PathBuf>,
}

impl XotArgs {
    /// The positions after the set moves, each for all its symmetric ones.
    ///
    /// # Errors
    /// The file cannot be read, or a line is not legal.
    pub fn starts(&self) -> anyhow::Result<HashSet<Board>> {
        match &self.xot_lines {
            None => starts(BUILT_IN.as_bytes()),
            Some(path) => {
                let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
                starts(&bytes).with_context(|| path.display().to_string())
            }
        }
    }

    /// The lines as openings of games in an order determined by the seed; 0 draws another one each time.
    ///
    /// # Errors
    /// The game is not Reversi, the file cannot be read, or a line is not legal.
    pub fn openings(&self, game: &str, seed: u64) -> anyhow::Result<Openings> {
        ensure!(game == REVERSI.name, "--opening xot is for Reversi, not for {game}");
        let seed = if seed == 0 { time_seed() } else { seed };
        let board = registry::open(&Settings { hash: 1, ..Settings::default() })?;
        match &self.xot_lines {
            None => Openings::built_in(board, seed),
            Some(path) => Openings::load(path, board, seed),
        }
    }
}

fn starts(bytes: &[u8]) -> anyhow::Result<HashSet<Board>> {
    let mut replay = ReversiReplay::new()?;
    let mut starts = HashSet::new();
    for text in texts::in_bytes(bytes) {
        for record in codec::read(&text, REVERSI.name, &Names::default()) {
            let record = record.map_err(|reason| anyhow!(reason));
            let game = record.and_then(|record| replay.game(&record)).with_context(|| format!("line {}", text.line))?;
            starts.extend(start_of(&game));
        }
    }
    Ok(starts)
}

/// The position after the eighth move.
fn start_of(game: &RecordedGame) -> Option<Board> {
    let board = match game.moves.get(XOT_MOVES) {
        Some(next) => next.board,
        None if game.moves.len() == XOT_MOVES => game.end.0,
        None => return None,
    };
    Some(Symmetry::canonical(board).0)
}

/// The first move of a game that its players chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstMove {
    /// The move of this number, from 1.
    Number(usize),
    /// The ninth.
    Xot,
    /// The ninth where the game is one of XOT, else the first.
    Auto,
}

impl FromStr for FirstMove {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<FirstMove, &'static str> {
        match (text.to_lowercase().as_str(), text.parse()) {
            ("xot", _) => Ok(FirstMove::Xot),
            ("auto", _) => Ok(FirstMove::Auto),
            (_, Ok(number @ 1..=60)) => Ok(FirstMove::Number(number)),
            _ => Err("expected the number of a move from 1 to 60, xot, or auto"),
        }
    }
}

impl FirstMove {
    /// The number of moves before it, at most those of the game. A game is one of XOT if its record says so, or if it
    /// begins at the usual start and one of these positions comes after its eighth move.
    pub fn set_moves(self, game: &RecordedGame, record: &GameRecord, xot_starts: &HashSet<Board>) -> usize {
        let says_so = || {
            let texts = [&record.event, &record.site, &record.round, &record.opening, &record.comment];
            texts.into_iter().flatten().any(|text| text.to_lowercase().contains("xot"))
        };
        let is_listed = || start_of(game).is_some_and(|start| xot_starts.contains(&start));
        let begins_usually = || game.moves.first().is_some_and(|first| first.board == Board::START);
        let is_xot = || begins_usually() && (says_so() || is_listed());
        let set_moves = match self {
            FirstMove::Number(number) => number - 1,
            FirstMove::Auto if !is_xot() => 0,
            FirstMove::Xot | FirstMove::Auto => XOT_MOVES,
        };
        set_moves.min(game.moves.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first line inside the program, played on, and its image with files and ranks swapped.
    const LINE: &str = "c4e3f4c5e2b3e6g4";
    const IMAGE: &str = "d3c5d6e3b5c2f5d7";

    fn set_moves(first: &str, moves: &str, record: GameRecord) -> usize {
        let text = texts::in_bytes(moves.as_bytes()).next().expect("a game");
        let read = codec::read(&text, "reversi", &Names::default()).remove(0).expect("a record");
        let game = ReversiReplay::new().expect("a board").game(&read).expect("legal");
        let starts = XotArgs::default().starts().expect("the lines inside the program");
        first.parse::<FirstMove>().expect("a first move").set_moves(&game, &record, &starts)
    }

    #[test]
    fn games_that_begin_with_a_line_of_the_list_are_recognised() {
        let plain = GameRecord::default;
        for moves in [LINE, IMAGE] {
            assert_eq!(set_moves("auto", moves, plain()), 8, "{moves}");
        }
        assert_eq!(set_moves("auto", &format!("{LINE}c3"), plain()), 8);
        let short = &LINE[..14];
        assert_eq!([set_moves("auto", short, plain()), set_moves("xot", short, plain())], [0, 7]);
        assert_eq!(set_moves("auto", "f5d6c3d3c4f4f6f3e6", plain()), 0);
    }

    #[test]
    fn a_record_may_say_so_itself() {
        let event = GameRecord { event: Some("Brussels XOT Open".into()), ..GameRecord::default() };
        assert_eq!(set_moves("auto", "f5d6c3d3c4f4f6f3e6", event), 8);
        assert_eq!(set_moves("4", "f5d6c3d3c4", GameRecord::default()), 3);
        for wrong in ["0", "61", "xott", ""] {
            assert!(wrong.parse::<FirstMove>().is_err(), "{wrong}");
        }
    }
}
