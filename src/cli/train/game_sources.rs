//! Files of games for training: games of self-play, records in any format, or positions with scores, recognised by
//! content.

use crate::cli::io::game_input::NameFiles;
use crate::cli::io::input_lines;
use crate::cli::io::interrupt::Interrupt;
use crate::cli::io::reversi_games::{RecordedGame, ReversiGames};
use anyhow::{Context, ensure};
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::obf::{self, ObfLine};
use flipside_core::search::types::{Score, Side, UNIT};
use flipside_support::diagnostics;
use flipside_train::game_file::{TrainingGame, is_game_file, to_half_discs};
use flipside_train::training_games::TrainingGames;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes at the start of a file that identify files of self-play.
const HEAD_BYTES: u64 = 64;

/// Opens files of games one after another.
#[derive(Debug, Default)]
pub struct GameSources {
    has_bad_game: bool,
}

impl GameSources {
    /// Opens a file. Records are read at once; games without use for training are reported on stderr.
    ///
    /// # Errors
    /// The file cannot be read, or has no game for training.
    pub fn open(&mut self, path: &Path) -> anyhow::Result<TrainingGames> {
        if is_game_file(&head(path)?) {
            return Ok(TrainingGames::File(path.to_path_buf()));
        }
        if is_scored(path)? {
            return Ok(TrainingGames::Positions(self.scored_positions(path)?.into()));
        }
        // Nothing is watched: a signal ends the program, also later, while it fits.
        let mut records = ReversiGames::open(Some(path), &NameFiles::default(), &Interrupt::default())?;
        let mut games = Vec::new();
        while let Some((found, game)) = records.next_game()? {
            match training_game(&game) {
                Ok(game) => games.push(game),
                Err(reason) => records.refuse(&found, &reason)?,
            }
        }
        self.has_bad_game |= records.has_bad_game();
        ensure!(!games.is_empty(), "{} holds no game for training", path.display());
        Ok(TrainingGames::Records(games.into()))
    }

    /// The positions of a file with their scores: of the position, or of its best move. Other lines are reported on stderr.
    fn scored_positions(&mut self, path: &Path) -> anyhow::Result<Vec<(Board, f32)>> {
        let mut positions = Vec::new();
        for (number, line) in (1..).zip(input_lines::open(Some(path), &Interrupt::default())?) {
            let line = line.with_context(|| format!("cannot read {}", path.display()))?;
            let text = String::from_utf8_lossy(&line);
            if is_data(&text) {
                match obf::line(&text).map_err(|error| error.0).and_then(|line| Ok((line.board, score(&line)?))) {
                    Ok(position) => positions.push(position),
                    Err(reason) => {
                        self.has_bad_game = true;
                        diagnostics::report(Some(path), format_args!("line {number}: {reason}"))?;
                    }
                }
            }
        }
        ensure!(!positions.is_empty(), "{} holds no position for training", path.display());
        Ok(positions)
    }

    /// Opens several files.
    ///
    /// # Errors
    /// As for one file.
    pub fn open_all(&mut self, paths: &[PathBuf]) -> anyhow::Result<Vec<TrainingGames>> {
        paths.iter().map(|path| self.open(path)).collect()
    }

    /// Whether games were skipped.
    pub fn has_bad_game(&self) -> bool {
        self.has_bad_game
    }
}

/// Whether the line is neither empty nor a comment.
fn is_data(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%'])
}

/// Whether the first position or game of a file is a position with a score.
fn is_scored(path: &Path) -> anyhow::Result<bool> {
    for line in input_lines::open(Some(path), &Interrupt::default())? {
        let line = line.with_context(|| format!("cannot read {}", path.display()))?;
        let text = String::from_utf8_lossy(&line);
        if is_data(&text) {
            return Ok(obf::line(&text).is_ok_and(|line| score(&line).is_ok()));
        }
    }
    Ok(false)
}

/// The score of a position for the side to move.
fn score(line: &ObfLine) -> Result<f32, String> {
    let best = line.moves.iter().map(|&(_, score)| score as f32).reduce(f32::max);
    let stated = || line.value("score")?.parse().ok().filter(|score: &f32| score.abs() <= 64.0);
    best.or_else(stated).ok_or_else(|| "the position has no score".to_string())
}

/// The first bytes of a file.
///
/// # Errors
/// The file cannot be read.
pub fn head(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(head)
}

/// The game of a record. If moves have evaluations, the moves before the first of these are the opening. The value of a
/// position without an evaluation is the result.
fn training_game(game: &RecordedGame) -> anyhow::Result<TrainingGame> {
    let first = game.moves.first().context("it has no moves")?;
    ensure!((first.board, first.side) == (Board::START, Side::First), "it does not begin at the usual start");
    let result = game.result.and_then(|result| result.discs()).context("it has no result in discs")?;
    let value = |side: Side, score: Option<Score>| score.unwrap_or(side.of([result, -result]) * UNIT);
    let opening = game.moves.iter().position(|mv| mv.score.is_some()).unwrap_or(0);
    Ok(TrainingGame {
        squares: game.moves.iter().map(|mv| mv.mv.square).collect(),
        values: game.moves.iter().map(|mv| to_half_discs(value(mv.side, mv.score))).collect(),
        opening: opening as u8,
        exact: game.moves.len() as u8,
        result: result as i8,
    })
}
