//! Sources of training games: a file of self-play, or games of other records or positions with scores, which are kept in
//! memory.

use super::game_file::{GameFileHeader, GameFileReader, TrainingGame, TrainingPosition};
use anyhow::bail;
use flipside_core::games::reversi::board::Board;
use flipside_support::hash;
use std::path::PathBuf;
use std::sync::Arc;

/// Games that can be read repeatedly.
#[derive(Clone, Debug)]
pub enum TrainingGames {
    /// The games of a file of self-play, read from it each time.
    File(PathBuf),
    /// Games of other records.
    Records(Arc<[TrainingGame]>),
    /// Positions with scores in discs for the side to move, without games.
    Positions(Arc<[(Board, f32)]>),
}

/// What is asked for games of positions.
const NO_GAMES: &str =
    "the file holds positions with scores, but no games: games can be given new values, positions cannot";

/// Reads games from the first on.
pub type GamesIterator = Box<dyn Iterator<Item = anyhow::Result<TrainingGame>> + Send>;

/// Reads the positions of games, game by game from the first on.
pub type PositionsIterator = Box<dyn Iterator<Item = anyhow::Result<Vec<TrainingPosition>>> + Send>;

impl TrainingGames {
    /// The positions of each game from the first on; a position without a game is by itself.
    ///
    /// # Errors
    /// The file cannot be read or has another format.
    pub fn positions(&self) -> anyhow::Result<PositionsIterator> {
        Ok(match self {
            TrainingGames::Positions(positions) => {
                let positions = Arc::clone(positions);
                let scored = move |(board, score): (Board, f32)| vec![TrainingPosition::scored(board, score)];
                Box::new((0..positions.len()).map(move |index| Ok(scored(positions[index]))))
            }
            _ => Box::new(self.games()?.map(|game| Ok(game?.positions()))),
        })
    }

    /// The games from the first on.
    ///
    /// # Errors
    /// The file cannot be read or has another format, or holds positions without games.
    pub fn games(&self) -> anyhow::Result<GamesIterator> {
        Ok(match self {
            TrainingGames::File(path) => Box::new(GameFileReader::open(path)?),
            TrainingGames::Records(games) => {
                let games = Arc::clone(games);
                Box::new((0..games.len()).map(move |index| Ok(games[index].clone())))
            }
            TrainingGames::Positions(_) => bail!(NO_GAMES),
        })
    }

    /// The number of games.
    ///
    /// # Errors
    /// The file cannot be read or has another format.
    pub fn count(&self) -> anyhow::Result<u64> {
        match self {
            TrainingGames::File(path) => GameFileReader::open(path)?.count_all(),
            TrainingGames::Records(games) => Ok(games.len() as u64),
            TrainingGames::Positions(_) => bail!(NO_GAMES),
        }
    }

    /// What determines the games: the seed of their openings, and their player; for records seed 0 and a checksum of
    /// the games.
    ///
    /// # Errors
    /// The file cannot be read or has another format.
    pub fn origin(&self) -> anyhow::Result<(u64, String)> {
        match self {
            TrainingGames::File(path) => {
                let GameFileHeader { seed, evaluation, .. } = GameFileReader::open(path)?.header;
                Ok((seed, evaluation))
            }
            TrainingGames::Records(games) => {
                let bytes: Vec<u8> = games.iter().flat_map(TrainingGame::bytes).collect();
                Ok((0, format!("the players of {} records, {:016x}", games.len(), hash::checksum(&bytes))))
            }
            TrainingGames::Positions(_) => bail!(NO_GAMES),
        }
    }
}
