//! The arguments of self-play and of fits to its games, which MiniChess and Gomoku share.

use super::progress::games_bar;
use crate::cli::io::interrupt::Interrupt;
use crate::cli::io::output::Output;
use clap::Args;
use flipside_core::search::notation::Notation;
use flipside_support::json;
use flipside_train::epoch::EpochReport;
use flipside_train::played_games::{GameFile, SelfPlayConfig, fingerprint};
use flipside_train::self_player::SelfPlayer;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Arguments of `flipside train minichess` and `flipside train gomoku`.
#[derive(Args, Debug)]
pub struct SelfPlayArgs {
    /// File of games; missing games are played and appended
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Number of games of the complete file
    #[arg(long, default_value_t = 20_000)]
    count: usize,
    /// Seed of the random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes searched per move
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Games played in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Share of the game's result in the target of a position, in percent (lambda); the rest is
    /// the value of the search [default: 70, of a network 10]
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub result: Option<u8>,
    /// Number of epochs
    #[arg(long, default_value_t = 60, alias = "passes")]
    pub epochs: usize,
    /// File of weights, or of the network, to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Print the errors as one JSON object per epoch
    #[arg(long)]
    json: bool,
}

/// The first line of `--json`.
#[derive(Serialize)]
struct Counts {
    positions: usize,
    games: usize,
}

impl SelfPlayArgs {
    /// Plays the missing games by the evaluation of this file; false if interrupted.
    ///
    /// # Errors
    /// The file of games cannot be read, written or resumed.
    pub fn play<G: Notation>(
        &self,
        game: &'static str,
        evaluation: &[u8],
        interrupt: &Interrupt,
        player: impl Fn() -> SelfPlayer<G>,
    ) -> anyhow::Result<bool> {
        let (seed, nodes, threads) = (self.seed, self.nodes, usize::from(self.threads));
        let config = SelfPlayConfig { game, seed, nodes, threads, evaluation: fingerprint(evaluation) };
        let opening = interrupt.ends_at_once();
        let mut file = GameFile::open(&self.games, &config)?;
        drop(opening);
        let bar = games_bar(self.count as u64, file.games as u64);
        file.play(self.count, &config, player, &|| !interrupt.is_raised(), || bar.inc(1))?;
        bar.abandon();
        Ok(!interrupt.is_raised())
    }

    /// The file of games and further ones.
    pub fn files<'a>(&'a self, also: &'a [PathBuf]) -> impl Iterator<Item = &'a Path> {
        std::iter::once(&self.games).chain(also).map(PathBuf::as_path)
    }

    /// The share of the game's result in a target, by default this percentage.
    pub fn lambda(&self, default: u8) -> f64 {
        f64::from(self.result.unwrap_or(default)) / 100.0
    }

    /// Prints the number of positions and games.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn print_counts(&self, (positions, games): (usize, usize), out: &mut Output) -> anyhow::Result<()> {
        let words = format_args!("{positions} positions of {games} games");
        out.print(self.json, &Counts { positions, games }, words)
    }

    /// Prints the errors of an epoch.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn print_epoch(&self, report: EpochReport, out: &mut Output) -> io::Result<()> {
        if self.json {
            return writeln!(out, "{}", json::line(&report)?);
        }
        let EpochReport { epoch, error, validation_error } = report;
        let when = if epoch == 0 { "error before".to_string() } else { format!("epoch {epoch}: error") };
        let separator = if epoch == 0 { ":" } else { "" };
        writeln!(out, "{when}{separator} {error:.6}, validation {validation_error:.6}")
    }
}
