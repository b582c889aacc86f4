//! What the clients of all servers have in common on the command line.

use crate::cli::args::evaluation::evaluation_help;
use crate::cli::args::strength::StrengthArgs;
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use flipside_connect::rules::GameRules;
use flipside_connect::run::Server;
use flipside_core::search::types::Side;
use flipside_host::api::elo::UnknownElo;
use flipside_host::api::settings::Settings;
use flipside_support::seconds::parse_seconds;
use std::path::PathBuf;
use std::time::Duration;

/// The environment variable that holds the password.
const PASSWORD: &str = "FLIPSIDE_PASSWORD";

/// The server and the login.
#[derive(Args, Clone, Debug)]
pub struct LoginArgs {
    /// Port of the server [default: the usual one]
    #[arg(long, help_heading = "Server")]
    port: Option<u16>,
    /// Name to log in with
    #[arg(long, help_heading = "Server")]
    name: Option<String>,
    /// File whose first line is the password; without it the environment variable FLIPSIDE_PASSWORD holds it
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    password_file: Option<PathBuf>,
    /// Connections that may fail in a row once the server has accepted the login
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Server")]
    attempts: u32,
    /// What the first Ctrl-C does: finish the games being played, or resign them. The second always resigns
    #[arg(long, value_name = "WHAT", default_value = "finish", help_heading = "Server")]
    on_stop: OnStop,
    /// Append every finished game to this file
    #[arg(long, value_name = "FILE", help_heading = "Server")]
    pub record: Option<PathBuf>,
    /// Log off after this many games or matches
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Server")]
    games: Option<u32>,
}

/// What the first Ctrl-C does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnStop {
    Finish,
    Resign,
}

/// Which games are played.
#[derive(Args, Clone, Debug)]
pub struct RuleArgs {
    /// Play only against these names, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Games")]
    opponents: Vec<String>,
    /// Never play against these names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Games")]
    never: Vec<String>,
    /// Lowest rating of an opponent
    #[arg(long, value_name = "RATING", help_heading = "Games")]
    least_rating: Option<f64>,
    /// Highest rating of an opponent
    #[arg(long, value_name = "RATING", help_heading = "Games")]
    most_rating: Option<f64>,
    /// Shortest time of the engine for a game, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Games")]
    least_time: Option<Duration>,
    /// Longest time of the engine for a game, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Games")]
    most_time: Option<Duration>,
    /// Play only as the side that moves first, or second
    #[arg(long, value_name = "SIDE", help_heading = "Games")]
    side: Option<SideName>,
}

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SideName {
    First,
    Second,
}

/// The engine that plays.
#[derive(Args, Clone, Debug)]
pub struct PlayerArgs {
    #[command(flatten)]
    strength: StrengthArgs,
    /// Memory of the search tables in MiB, for each game played at once
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// Threads of one search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Seconds kept back from every move for the network
    #[arg(long, value_name = "SECONDS", default_value = "0.1", value_parser = parse_seconds)]
    move_overhead: Duration,
    #[arg(long, value_name = "NAME", default_value = "default", help = evaluation_help())]
    evaluation: String,
}

impl LoginArgs {
    /// The name and the password.
    ///
    /// # Errors
    /// One of them is missing, or cannot be sent.
    pub fn credentials(&self) -> anyhow::Result<(String, String)> {
        let name = self.name.clone().context("--name is missing: the name to log in with")?;
        let password = match &self.password_file {
            Some(file) => {
                let text = std::fs::read_to_string(file)
                    .with_context(|| format!("cannot read the password from {}", file.display()))?;
                text.lines().next().unwrap_or_default().to_string()
            }
            None => std::env::var(PASSWORD)
                .with_context(|| format!("no password: put it into a file for --password-file, or into {PASSWORD}"))?,
        };
        ensure!(!password.is_empty(), "the password is empty");
        let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
        if !is_word(&name) {
            bail!("--name '{}' is not a name: expected letters and digits without blanks", name.escape_debug());
        }
        ensure!(is_word(&password), "the password has blanks or characters that servers do not take");
        Ok((name, password))
    }

    /// The server on this host, with its usual port.
    pub fn server(&self, host: &str, usual_port: u16) -> Server {
        Server {
            host: host.to_string(),
            port: self.port.unwrap_or(usual_port),
            attempts: self.attempts,
            resign_on_stop: self.on_stop == OnStop::Resign,
        }
    }

    /// The number of games after which it logs off.
    pub fn games(&self) -> Option<usize> {
        self.games.map(|games| games as usize)
    }
}

impl RuleArgs {
    /// The rules, those of one server left open.
    pub fn rules(&self) -> GameRules {
        GameRules {
            opponents: self.opponents.clone(),
            never: self.never.clone(),
            least_rating: self.least_rating,
            most_rating: self.most_rating,
            least_time: self.least_time,
            most_time: self.most_time,
            side: self.side.map(|side| if side == SideName::First { Side::First } else { Side::Second }),
            ..GameRules::default()
        }
    }
}

impl PlayerArgs {
    /// The engine's settings for a game.
    ///
    /// # Errors
    /// The Elo is outside the scale of the game.
    pub fn settings(&self, game: &str) -> Result<Settings, UnknownElo> {
        self.strength.apply(Settings {
            game: game.to_string(),
            evaluation: self.evaluation.clone(),
            hash: self.hash as usize,
            threads: usize::from(self.threads),
            move_overhead: self.move_overhead,
            ..Settings::default()
        })
    }
}
