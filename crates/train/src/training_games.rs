//! Sources of training games: a file of self-play, or games of other records, which are kept in memory.

use super::game_file::{GameFileHeader, GameFileReader, TrainingGame};
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
}

/// Reads games from the first on.
pub type GamesIterator = Box<dyn Iterator<Item = anyhow::Result<TrainingGame>> + Send>;

impl TrainingGames {
    /// The games from the first on.
    ///
    /// # Errors
    /// The file cannot be read or has another format.
    pub fn games(&self) -> anyhow::Result<GamesIterator> {
        Ok(match self {
            TrainingGames::File(path) => Box::new(GameFileReader::open(path)?),
            TrainingGames::Records(games) => {
                let games = Arc::clone(games);
                Box::new((0..games.len()).map(move |index| Ok(games[index].clone())))
            }
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
        }
    }
}
