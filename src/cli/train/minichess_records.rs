//! Files of MiniChess games for training: games of self-play, or records in any format, recognised by content.

use super::game_sources::head;
use crate::cli::io::game_input::{FoundGame, GameInput, NameFiles};
use crate::cli::io::interrupt::Interrupt;
use anyhow::{Context, anyhow, ensure};
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_host::engine::dyn_engine::DynEngine;
use flipside_host::engine::registry;
use flipside_train::played_game::PlayedGame;
use flipside_train::played_games;
use std::path::Path;

/// Reads files one after another.
#[derive(Debug, Default)]
pub struct MiniChessRecords {
    has_bad_game: bool,
}

impl MiniChessRecords {
    /// The games of a file. Records without use for training are reported on stderr.
    ///
    /// # Errors
    /// The file cannot be read, a line of self-play is not a game, or the records have no game for training.
    pub fn read(&mut self, path: &Path) -> anyhow::Result<Vec<PlayedGame>> {
        if played_games::is_game_file(names::MINICHESS.name, &head(path)?) {
            return played_games::read(path);
        }
        let mut board = registry::rules(names::MINICHESS.name)?;
        // Nothing is watched: a signal ends the program, also later, while it fits.
        let interrupt = Interrupt::default();
        let mut input = GameInput::open(Some(path), &NameFiles::default(), board.game(), &interrupt)?;
        let mut played = Vec::new();
        while let Some(found) = input.next_game()? {
            match played_game(&mut *board, &found) {
                Ok(game) => played.push(game),
                Err(reason) => {
                    self.has_bad_game = true;
                    found.report(&reason)?;
                }
            }
        }
        ensure!(!played.is_empty(), "{} holds no game for training", path.display());
        Ok(played)
    }

    /// Whether games were skipped.
    pub fn has_bad_game(&self) -> bool {
        self.has_bad_game
    }
}

/// The game of a record. The moves before the first evaluation are the opening; every later move needs an evaluation.
fn played_game(board: &mut dyn DynEngine, found: &FoundGame) -> anyhow::Result<PlayedGame> {
    let record = found.replay(board)?;
    ensure!(board.has_usual_start(), "it does not begin at the usual start");
    let result = record.result.context("it has no result")?;
    let random = record.moves.iter().position(|mv| mv.score.is_some()).context("its moves have no evaluations")?;
    let words = board.history(Style::Uci).into_iter().zip(&record.moves).enumerate();
    let moves = words.map(|(index, ((_, text), mv))| match mv.score {
        None if index >= random => Err(anyhow!("move {}: it has no evaluation", index + 1)),
        score => Ok((text, score.unwrap_or(0))),
    });
    let halves = match result.winner {
        Some(Side::First) => 2,
        Some(Side::Second) => 0,
        None => 1,
    };
    Ok(PlayedGame { halves, random, moves: moves.collect::<anyhow::Result<_>>()? })
}
