//! `flipside match`: its options, from the command line or from a file that uses the same names.

use crate::cli::io::output::Output;
use anyhow::{Context, bail};
use clap::Args;
use clap::builder::RangedU64ValueParser;
use flipside_host::api::command::TimeControl;
use flipside_referee::adjudication::Adjudication;
use flipside_referee::limits::PlayerLimits;
use flipside_referee::plan::MatchPlan;
use flipside_referee::schedule::Tournament;
use flipside_referee::spec::PlayerSpec;
use flipside_referee::statistics::sprt::Sprt;
use flipside_referee::time_control;
use flipside_referee::types::MatchConfig;
use flipside_support::range::parse_range;
use flipside_support::seconds::{parse_seconds, parse_seconds_or_zero};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Most games of a pairing: the schedule is kept in memory.
const MOST_GAMES: u64 = 1_000_000;
/// Most games at the same time.
const MOST_CONCURRENCY: u64 = 1024;

/// Arguments of `flipside match`.
#[derive(Args, Debug, Default)]
#[command(after_help = examples![
    "flipside match --engine 'name=a builtin' --engine 'name=b builtin option.Level=4' --nodes 1000 --games 20",
    "flipside match --config match.toml --json match.jsonl --resume",
])]
pub struct MatchArgs {
    /// A player: 'name=a cmd="..." protocol=gtp|nboard|uci|xboard dir=... option.X=... send="..." quirk=...'
    /// or 'name=b builtin option.X=...'; depth=, nodes=, move-time= or tc= set limits of its own
    #[arg(long, value_name = "SPEC")]
    engine: Vec<String>,
    /// TOML file: players as [[engine]] tables with the same keys, and the options below
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Continue a match: play only the games that the --json file does not hold yet
    #[arg(long)]
    resume: bool,
    /// Play only games A to B-1 of the schedule and print them as a shard
    #[arg(long, value_name = "A..B", value_parser = parse_range, conflicts_with_all = ["resume", "json", "sprt"])]
    range: Option<Range<u64>>,
    /// Print the report of the match from the shards in these files; `-` reads standard input
    #[arg(long, value_name = "SHARD", num_args = 1.., conflicts_with_all = ["engine", "config", "range", "resume"])]
    merge: Vec<PathBuf>,
    /// Print a line for every finished game on stderr
    #[arg(long)]
    verbose: bool,
    /// Print the closing report as one JSON object
    #[arg(long, conflicts_with = "range")]
    json_report: bool,
    #[command(flatten)]
    common: MatchOptions,
}

/// The options that the command line and the file share.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct MatchOptions {
    /// Game to play [default: reversi]
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// Games of each pairing [default: 100]
    #[arg(long, value_name = "NUMBER", value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST_GAMES))]
    games: Option<usize>,
    /// File of openings, one per line: moves, OBF or GGF; each is played with both colours [default: built in]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the order of the openings [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Games at the same time [default: 1]
    #[arg(long, value_name = "NUMBER", value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST_CONCURRENCY))]
    concurrency: Option<usize>,
    /// Pairings of the players [default: round-robin]
    #[arg(long, value_name = "KIND")]
    tournament: Option<Tournament>,
    /// Depth in plies, for players without limits of their own
    #[arg(long, value_name = "PLIES")]
    depth: Option<u32>,
    /// Positions per move, for players without limits of their own
    #[arg(long, value_name = "NUMBER")]
    nodes: Option<u64>,
    /// Seconds per move, for players without limits of their own
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    #[serde(deserialize_with = "seconds_of_file")]
    move_time: Option<Duration>,
    /// Time control in seconds or M:SS, for players without limits of their own: a game (60+0.5, 5:00, 0+2), MOVES/MAIN+INC
    /// (40/60+0.5), Canadian (600+25/300) or byo-yomi (600+3x30)
    #[arg(long, value_name = "CONTROL", value_parser = time_control::parse)]
    #[serde(deserialize_with = "time_control_of_file")]
    tc: Option<TimeControl>,
    /// Time by which a player may exceed its limit, in seconds [default: 0.1]
    #[arg(long, value_name = "SECONDS", alias = "grace", value_parser = parse_seconds_or_zero)]
    #[serde(alias = "grace", deserialize_with = "seconds_or_zero_of_file")]
    time_margin: Option<Duration>,
    /// Seconds beyond its time (or in all, without a time limit) after which a silent player has stalled: it loses the
    /// game and is restarted [default: 30]
    #[arg(long, value_name = "SECONDS", alias = "patience", value_parser = parse_seconds)]
    #[serde(alias = "patience", deserialize_with = "seconds_of_file")]
    stall_timeout: Option<Duration>,
    /// Stop as soon as the sequential probability ratio test decides: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalised|logistic
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// Adjudicate by the exact solver at this number of empty squares, and by the scores of both players:
    /// 20,loss=24,draw=0.5,moves=4,from=30
    #[arg(long, value_name = "RULES")]
    #[serde(deserialize_with = "adjudication_of_file")]
    adjudicate: Option<Adjudication>,
    /// Write one JSON object per game, one per line
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the games as GGF (or PGN, for games that GGF cannot hold)
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write all traffic with the players to a file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

/// A match file.
#[derive(Deserialize)]
struct MatchFile {
    #[serde(default)]
    engine: Vec<toml::Table>,
    #[serde(flatten)]
    common: toml::Table,
}

/// Plays the match and prints the report.
///
/// # Errors
/// The arguments are bad, a file cannot be used, or a player cannot take part.
pub fn run(args: &MatchArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    if !args.merge.is_empty() {
        return flipside_referee::shard::merge(&args.merge, args.json_report, out);
    }
    flipside_referee::run(args.plan()?, out)
}

impl MatchArgs {
    /// The file for the traffic with the players, from the command line.
    pub fn log(&self) -> Option<&Path> {
        self.common.log.as_deref()
    }

    /// Checks everything that can be checked before the first game.
    ///
    /// # Errors
    /// The first argument, file or player that cannot be used.
    pub fn plan(&self) -> anyhow::Result<MatchPlan> {
        let (mut specs, file) = match &self.config {
            Some(path) => read_file(path).with_context(|| format!("cannot read {}", path.display()))?,
            None => (Vec::new(), MatchOptions::default()),
        };
        for line in &self.engine {
            specs.push(PlayerSpec::from_line(line)?);
        }
        let common = self.common.clone().or(file);
        let limits = common.limits();
        for (index, spec) in specs.iter().enumerate() {
            if specs.iter().take(index).any(|other| other.name == spec.name) {
                bail!("two players are called {}: give them names", spec.name);
            }
        }
        if specs.len() < 2 {
            bail!("a match needs at least two players: --engine '...' --engine '...'");
        }
        let sprt = common.sprt.as_deref().map(str::parse::<Sprt>).transpose();
        let sprt = sprt.map_err(|error| anyhow::anyhow!("--sprt: {error}"))?;
        if sprt.is_some() && specs.len() != 2 {
            bail!("--sprt needs exactly two players");
        }
        if self.range.is_some() && (sprt.is_some() || common.json.is_some()) {
            bail!("--range takes neither sprt nor json: its games are printed");
        }
        if self.resume && common.json.is_none() {
            bail!("--resume needs the --json file of the interrupted match");
        }
        let players: Vec<(PlayerSpec, PlayerLimits)> =
            specs.into_iter().map(|spec| (spec.clone(), spec.limits.or(limits))).collect();
        let unlimited = |(spec, limits): &&(PlayerSpec, PlayerLimits)| {
            *limits == PlayerLimits::default() && !spec.quirks.own_limits
        };
        if let Some((spec, _)) = players.iter().find(unlimited) {
            bail!("player {} has no limit: give --depth, --nodes, --move-time or --tc", spec.name);
        }
        Ok(MatchPlan {
            players,
            game: common.game.unwrap_or_else(|| "reversi".into()),
            games: bounded("games", common.games.unwrap_or(100), MOST_GAMES)?,
            openings: common.openings,
            seed: common.seed.unwrap_or(1),
            concurrency: bounded("concurrency", common.concurrency.unwrap_or(1), MOST_CONCURRENCY)?,
            tournament: common.tournament.unwrap_or_default(),
            config: MatchConfig {
                time_margin: common.time_margin.unwrap_or(Duration::from_millis(100)),
                stall_timeout: common.stall_timeout.unwrap_or(Duration::from_secs(30)),
                adjudication: common.adjudicate.unwrap_or_default(),
            },
            sprt,
            json: common.json,
            json_report: self.json_report,
            verbose: self.verbose,
            resume: self.resume,
            range: self.range.as_ref().map(|range| (range.start, range.end)),
            record: common.record,
        })
    }
}

impl MatchOptions {
    /// These options, completed by `other` where they are not given.
    fn or(self, other: MatchOptions) -> MatchOptions {
        MatchOptions {
            game: self.game.or(other.game),
            games: self.games.or(other.games),
            openings: self.openings.or(other.openings),
            seed: self.seed.or(other.seed),
            concurrency: self.concurrency.or(other.concurrency),
            tournament: self.tournament.or(other.tournament),
            depth: self.depth.or(other.depth),
            nodes: self.nodes.or(other.nodes),
            move_time: self.move_time.or(other.move_time),
            tc: self.tc.or(other.tc),
            time_margin: self.time_margin.or(other.time_margin),
            stall_timeout: self.stall_timeout.or(other.stall_timeout),
            sprt: self.sprt.or(other.sprt),
            adjudicate: self.adjudicate.or(other.adjudicate),
            json: self.json.or(other.json),
            record: self.record.or(other.record),
            log: self.log.or(other.log),
        }
    }

    fn limits(&self) -> PlayerLimits {
        PlayerLimits { depth: self.depth, nodes: self.nodes, move_time: self.move_time, game_time: self.tc }
    }
}

/// A number of the match file, with the bounds of the command line.
fn bounded(name: &str, number: usize, most: u64) -> anyhow::Result<usize> {
    let within = (1..=most).contains(&(number as u64));
    if within { Ok(number) } else { bail!("{name}: expected 1 to {most}, saw {number}") }
}

/// Reads a value of the match file from its text, as the command line does.
fn of_file<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
    parse(&text).map(Some).map_err(D::Error::custom)
}

fn seconds_of_file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    of_file(deserializer, parse_seconds)
}

fn seconds_or_zero_of_file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    of_file(deserializer, parse_seconds_or_zero)
}

fn time_control_of_file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<TimeControl>, D::Error> {
    of_file(deserializer, time_control::parse)
}

fn adjudication_of_file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Adjudication>, D::Error> {
    of_file(deserializer, str::parse)
}

fn read_file(path: &Path) -> anyhow::Result<(Vec<PlayerSpec>, MatchOptions)> {
    let file: MatchFile = toml::from_str(&std::fs::read_to_string(path)?)?;
    let common: MatchOptions = toml::Value::Table(file.common).try_into()?;
    let players = file.engine.iter().map(player_of_table).collect::<anyhow::Result<_>>()?;
    Ok((players, common))
}

/// The table's entries as keys and values: `option = { Threads = 1 }` becomes `option.Threads=1`, and a list repeats
/// its key.
fn player_of_table(table: &toml::Table) -> anyhow::Result<PlayerSpec> {
    let mut pairs = Vec::new();
    for (key, value) in table {
        add_pairs(key, value, &mut pairs);
    }
    PlayerSpec::from_pairs(pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())))
}

fn add_pairs(key: &str, value: &toml::Value, pairs: &mut Vec<(String, String)>) {
    let text = match value {
        toml::Value::Array(list) => return list.iter().for_each(|value| add_pairs(key, value, pairs)),
        toml::Value::Table(table) => {
            return table.iter().for_each(|(name, value)| add_pairs(&format!("{key}.{name}"), value, pairs));
        }
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    pairs.push((key.to_string(), text));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(engines: &[&str], common: MatchOptions) -> MatchArgs {
        MatchArgs { engine: engines.iter().map(|line| line.to_string()).collect(), common, ..MatchArgs::default() }
    }

    #[test]
    fn a_file_has_the_same_keys() {
        let path = std::env::temp_dir().join(format!("flipside-match-{}.toml", std::process::id()));
        let text = "games = 8\nmove-time = 0.5\nsprt = \"elo0=0,elo1=5\"\n\
            [[engine]]\nname = \"a\"\nbuiltin = true\noption.Threads = 1\noption.\"Clear Hash\" = true\ndepth = 4\n\
            [[engine]]\nname = \"b\"\ncmd = \"x --gtp\"\nsend = [\"one\", \"two\"]\n";
        std::fs::write(&path, text).expect("a file");
        let args = MatchArgs {
            config: Some(path.clone()),
            common: MatchOptions { games: Some(10), ..MatchOptions::default() },
            ..MatchArgs::default()
        };
        let plan = args.plan();
        std::fs::remove_file(&path).expect("the file");
        let plan = plan.expect("a match");
        assert_eq!(plan.games, 10, "the command line comes first");
        let (a, limits) = &plan.players[0];
        assert_eq!((a.options.len(), limits.depth, limits.move_time), (2, Some(4), None));
        let (b, limits) = &plan.players[1];
        assert_eq!(b.send, ["one", "two"]);
        assert_eq!(limits.move_time, Some(Duration::from_millis(500)));
        assert!(plan.sprt.is_some());
    }

    #[test]
    fn earlier_names_of_options_are_read() {
        let options: MatchOptions = toml::from_str("grace = 0.5\npatience = 2").expect("options");
        let seconds = |seconds| Some(Duration::from_secs_f64(seconds));
        assert_eq!((options.time_margin, options.stall_timeout), (seconds(0.5), seconds(2.0)));
    }

    #[test]
    fn absurd_numbers_of_a_file_are_refused() {
        for text in ["stall-timeout = 1e19", "move-time = 0", "time-margin = -1", "tc = \"1e19\"", "move-time = \"x\""]
        {
            let error = toml::from_str::<MatchOptions>(text).expect_err(text).to_string();
            assert!(error.contains("expected seconds"), "{error}");
        }
        let options = MatchOptions { games: Some(usize::MAX), depth: Some(1), ..MatchOptions::default() };
        let error = args(&["name=a builtin", "name=b builtin"], options).plan().expect_err("too many");
        assert!(error.to_string().contains("games: expected 1 to 1000000"), "{error}");
    }

    #[test]
    fn what_cannot_be_played_is_said_at_once() {
        let depth = || MatchOptions { depth: Some(1), ..MatchOptions::default() };
        for (engines, common, message) in [
            (vec!["builtin"], depth(), "at least two players"),
            (vec!["builtin", "builtin"], depth(), "two players are called"),
            (vec!["name=a builtin", "name=b builtin"], MatchOptions::default(), "has no limit"),
        ] {
            let error = format!("{:#}", args(&engines, common).plan().expect_err(message));
            assert!(error.contains(message), "{error}");
        }
    }
}
