//! Files of games of self-play, of MiniChess or Gomoku: a header, then a line for each game with
//! the result for the first player, the number of random plies at the beginning, and the moves
//! with the values of their searches.
//!
//! A game depends only on the seed and its number, and games are written in order. A file is
//! therefore the same for any number of threads and interruptions.

use super::played_game::PlayedGame;
use super::self_player::SelfPlayer;
use anyhow::{Context, ensure};
use flipside_core::search::notation::Notation;
use flipside_support::ordered_pool;
use flipside_support::resume::{GrowingFile, Line};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Everything that determines the games of a file, and the number of games played in parallel.
#[derive(Clone, Debug)]
pub struct SelfPlayConfig {
    /// Name of the game.
    pub game: &'static str,
    /// Seed of the random openings.
    pub seed: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Games played in parallel.
    pub threads: usize,
    /// The [`fingerprint`] of the evaluation's file.
    pub evaluation: u64,
}

impl SelfPlayConfig {
    /// The first line of the file.
    fn header(&self) -> String {
        format!("# {} seed {} nodes {} weights {:016x}", self.game, self.seed, self.nodes, self.evaluation)
    }
}

/// A file of self-play games to be completed.
pub struct GameFile {
    file: GrowingFile,
    /// Games in the file.
    pub games: usize,
}

impl GameFile {
    /// Creates a file, or resumes one that was played with the same configuration.
    ///
    /// # Errors
    /// The file cannot be read or written, or was played with another configuration.
    pub fn open(path: &Path, config: &SelfPlayConfig) -> anyhow::Result<GameFile> {
        let header = config.header();
        let mut file = GrowingFile::open(path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut number = 0;
        let lines = file.lines(|line| -> anyhow::Result<()> {
            number += 1;
            let is_header = number == 1;
            match line {
                Line::Whole(text) if is_header => {
                    ensure!(text == header, "games of another configuration: not '{header}'")
                }
                Line::Torn(text) if is_header => ensure!(header.starts_with(text), "not a file of games"),
                Line::Whole(text) => drop(PlayedGame::read(text).with_context(|| format!("line {number}"))?),
                Line::Torn(text) => ensure!(text.starts_with(['0', '1', '2']), "line {number}: no game"),
            }
            Ok(())
        });
        let lines = lines.with_context(|| format!("cannot resume {}", path.display()))?;
        if lines == 0 {
            file.append_line(&header).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(GameFile { file, games: lines.saturating_sub(1) as usize })
    }

    /// Plays games by these players until the file holds `count` games or `go_on` is false; calls
    /// `on_game` after each.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn play<G: Notation>(
        &mut self,
        count: usize,
        config: &SelfPlayConfig,
        player: impl Fn() -> SelfPlayer<G>,
        go_on: &(dyn Fn() -> bool + Sync),
        on_game: impl Fn(),
    ) -> anyhow::Result<()> {
        let numbers = (self.games..count).take_while(|_| go_on());
        ordered_pool::run(
            (0..config.threads).map(|_| player()).collect(),
            numbers,
            |player, number| player.play(config.seed, number),
            |game| {
                self.file.append_line(&game.show()).context("cannot write a game")?;
                self.games += 1;
                on_game();
                Ok(())
            },
        )
    }
}

/// The hash of an evaluation's file (FNV-1a, 64 bits).
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Whether the bytes begin a file of self-play games of a game.
pub fn is_game_file(game: &str, start: &[u8]) -> bool {
    start.starts_with(format!("# {game} seed ").as_bytes())
}

/// Reads all games of a file.
///
/// # Errors
/// The file cannot be read, or a line is not a game.
pub fn read(path: &Path) -> anyhow::Result<Vec<PlayedGame>> {
    let mut games = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let place = || format!("{} line {}", path.display(), index + 1);
        let line = line.with_context(place)?;
        if !line.starts_with('#') {
            games.push(PlayedGame::read(&line).with_context(place)?);
        }
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::super::minichess::games::player;
    use super::*;
    use flipside_core::games::minichess::evaluation::plain::PlainEvaluation;
    use flipside_core::games::minichess::evaluation::tapered::TaperedEvaluation;
    use flipside_core::games::minichess::evaluation::weights::TermWeights;
    use flipside_core::games::minichess::searcher::MiniChessEvaluation;

    #[test]
    fn an_interrupted_file_ends_as_an_uninterrupted_one() {
        let path = std::env::temp_dir().join(format!("flipside-minichess-{}.games", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let weights = TermWeights::by_hand();
        let evaluation = fingerprint(weights.show().as_bytes());
        let config = SelfPlayConfig { game: "minichess", seed: 3, nodes: 150, threads: 2, evaluation };
        let eval = MiniChessEvaluation::Plain(PlainEvaluation::Tapered(TaperedEvaluation::new(&weights)));
        let new_player = || player(eval.clone(), config.nodes);
        let mut alone = new_player();
        let expected: Vec<PlayedGame> = (0..3).map(|number| alone.play(config.seed, number)).collect();
        // One whole game and a part of the next.
        let begun = format!("{}\n{}\n{}", config.header(), expected[0].show(), &expected[1].show()[..9]);
        std::fs::write(&path, begun).expect("a file");
        let mut file = GameFile::open(&path, &config).expect("a file");
        assert_eq!(file.games, 1);
        file.play(3, &config, new_player, &|| true, || ()).expect("games");
        drop(file);
        let read = read(&path).expect("games");
        let other = GameFile::open(&path, &SelfPlayConfig { nodes: 151, ..config.clone() });
        assert_eq!(read, expected);
        assert!(format!("{:#}", other.err().expect("refused")).contains("another configuration"));
        for foreign in ["my thesis", "my thesis\n", &format!("{}\nmy thesis\n", config.header())] {
            std::fs::write(&path, foreign).expect("a file");
            assert!(GameFile::open(&path, &config).is_err(), "{foreign}");
            assert_eq!(std::fs::read_to_string(&path).expect("the file"), foreign);
        }
        std::fs::remove_file(&path).expect("the file");
        for game in &read {
            assert_eq!(PlayedGame::read(&game.show()).ok().as_ref(), Some(game));
        }
    }
}
