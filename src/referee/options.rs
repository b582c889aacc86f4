//! What a match is: the words of the command line, which a file may hold as well.

use super::schedule::Tournament;
use super::spec::{PlayerSpec, Terms, seconds};
use super::statistics::sprt::Sprt;
use anyhow::{Context, bail};
use clap::Args;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments of `flipside match`.
#[derive(Args, Debug, Default)]
pub struct MatchArgs {
    /// A player: 'name=a cmd="..." protocol=gtp|nboard|uci|xboard dir=... option.X=... send="..." quirk=...'
    /// or 'name=b builtin option.X=...'; depth=, nodes=, move-time= or tc= set its own limits
    #[arg(long, value_name = "WORDS")]
    engine: Vec<String>,
    /// File that holds the same words: [[engine]] tables and the options below
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Play the games that the file of --json does not hold yet
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    common: Common,
}

/// The options that may stand on the command line and in the file.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Common {
    /// The game that is played [default: reversi]
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// Games of each pairing [default: 100]
    #[arg(long)]
    games: Option<usize>,
    /// Openings, one a line: moves, OBF or GGF; each is played with both colours
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Decides the order of the openings [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Games at the same time [default: 1]
    #[arg(long)]
    concurrency: Option<usize>,
    /// Who meets whom [default: round-robin]
    #[arg(long)]
    tournament: Option<Tournament>,
    /// Plies for all players without limits of their own
    #[arg(long)]
    depth: Option<u32>,
    /// Positions a move for all players without limits of their own
    #[arg(long)]
    nodes: Option<u64>,
    /// Seconds a move for all players without limits of their own
    #[arg(long, value_name = "SECONDS")]
    move_time: Option<f64>,
    /// Seconds for a game and for each move, for all players without limits of their own
    #[arg(long, value_name = "MAIN+INC")]
    tc: Option<String>,
    /// Seconds of overstepping that are forgiven [default: 0.1]
    #[arg(long, value_name = "SECONDS")]
    grace: Option<f64>,
    /// Seconds beyond its time (or all it has, without a time limit) after which a silent player is
    /// called hung [default: 30]
    #[arg(long, value_name = "SECONDS")]
    patience: Option<f64>,
    /// Stop as soon as the test decides: elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalised|logistic
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// Let our exact solver decide at so many empty squares
    #[arg(long, value_name = "EMPTIES")]
    adjudicate: Option<u32>,
    /// Write one line of JSON a game
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the games as GGF (or PGN, where GGF cannot hold the game)
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

/// A match that can be played.
#[derive(Debug)]
pub struct Plan {
    /// Everybody, with their terms.
    pub players: Vec<(PlayerSpec, Terms)>,
    /// The game's name.
    pub game: String,
    /// Games a pairing.
    pub games: usize,
    /// Where openings come from; the built-in ones without a file.
    pub openings: Option<PathBuf>,
    /// For the order of the openings.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Who meets whom.
    pub tournament: Tournament,
    /// Forgiven overstepping.
    pub grace: Duration,
    /// Until a silent player is called hung.
    pub patience: Duration,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// From where on the solver decides.
    pub adjudicate: Option<u32>,
    /// File of JSON lines.
    pub json: Option<PathBuf>,
    /// Whether to go on where that file ends.
    pub resume: bool,
    /// File of game records.
    pub record: Option<PathBuf>,
}

impl MatchArgs {
    /// Where the traffic goes, as far as the command line says.
    pub fn log(&self) -> Option<&Path> {
        self.common.log.as_deref()
    }

    /// Checks everything that can be checked before the first game.
    ///
    /// # Errors
    /// Names the bad word.
    pub fn plan(&self) -> anyhow::Result<Plan> {
        let (mut specs, file) = match &self.config {
            Some(path) => read_file(path).with_context(|| path.display().to_string())?,
            None => (Vec::new(), Common::default()),
        };
        for line in &self.engine {
            specs.push(PlayerSpec::from_line(line)?);
        }
        let common = self.common.clone().or(file);
        let terms = common.terms()?;
        for (index, spec) in specs.iter().enumerate() {
            if specs.iter().take(index).any(|other| other.name == spec.name) {
                bail!("two players are called {}: give them names", spec.name);
            }
        }
        if specs.len() < 2 {
            bail!("a match takes two players at least: --engine '...' --engine '...'");
        }
        let sprt = common.sprt.as_deref().map(str::parse::<Sprt>).transpose();
        let sprt = sprt.map_err(|error| anyhow::anyhow!("--sprt: {error}"))?;
        if sprt.is_some() && specs.len() != 2 {
            bail!("--sprt takes two players");
        }
        if self.resume && common.json.is_none() {
            bail!("--resume needs the --json file of the interrupted match");
        }
        let duration = |value: Option<f64>, default: f64| {
            Duration::try_from_secs_f64(value.unwrap_or(default)).context("times are seconds, 0 or more")
        };
        let players: Vec<(PlayerSpec, Terms)> =
            specs.into_iter().map(|spec| (spec.clone(), spec.terms.or(terms))).collect();
        let endless = |(spec, terms): &&(PlayerSpec, Terms)| *terms == Terms::default() && !spec.quirks.own_limits;
        if let Some((spec, _)) = players.iter().find(endless) {
            bail!("player {} has no limit: give --depth, --nodes, --move-time or --tc", spec.name);
        }
        Ok(Plan {
            players,
            game: common.game.unwrap_or_else(|| "reversi".into()),
            games: common.games.unwrap_or(100).max(1),
            openings: common.openings,
            seed: common.seed.unwrap_or(1),
            concurrency: common.concurrency.unwrap_or(1).max(1),
            tournament: common.tournament.unwrap_or_default(),
            grace: duration(common.grace, 0.1)?,
            patience: duration(common.patience, 30.0)?,
            sprt,
            adjudicate: common.adjudicate,
            json: common.json,
            resume: self.resume,
            record: common.record,
        })
    }
}

impl Common {
    /// These words, and the other ones where these say nothing.
    fn or(self, other: Common) -> Common {
        Common {
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
            grace: self.grace.or(other.grace),
            patience: self.patience.or(other.patience),
            sprt: self.sprt.or(other.sprt),
            adjudicate: self.adjudicate.or(other.adjudicate),
            json: self.json.or(other.json),
            record: self.record.or(other.record),
            log: self.log.or(other.log),
        }
    }

    fn terms(&self) -> anyhow::Result<Terms> {
        let mut terms = Terms { depth: self.depth, nodes: self.nodes, ..Terms::default() };
        terms.move_time = self.move_time.map(|value| seconds(&value.to_string())).transpose().context("move-time")?;
        if let Some(tc) = &self.tc {
            terms.set("tc", tc)?;
        }
        Ok(terms)
    }
}

fn read_file(path: &Path) -> anyhow::Result<(Vec<PlayerSpec>, Common)> {
    let file: MatchFile = toml::from_str(&std::fs::read_to_string(path)?)?;
    let common: Common = toml::Value::Table(file.common).try_into()?;
    let players = file.engine.iter().map(player_of_table).collect::<anyhow::Result<_>>()?;
    Ok((players, common))
}

/// The table's entries as words: `option = { Threads = 1 }` is `option.Threads=1`, and a list is the
/// same word several times.
fn player_of_table(table: &toml::Table) -> anyhow::Result<PlayerSpec> {
    let mut words = Vec::new();
    for (word, value) in table {
        add_words(word, value, &mut words);
    }
    PlayerSpec::from_words(words.iter().map(|(word, value)| (word.as_str(), value.as_str())))
}

fn add_words(word: &str, value: &toml::Value, words: &mut Vec<(String, String)>) {
    match value {
        toml::Value::String(text) => words.push((word.to_string(), text.clone())),
        toml::Value::Array(list) => list.iter().for_each(|value| add_words(word, value, words)),
        toml::Value::Table(table) => {
            for (name, value) in table {
                add_words(&format!("{word}.{name}"), value, words);
            }
        }
        toml::Value::Integer(number) => words.push((word.to_string(), number.to_string())),
        toml::Value::Float(number) => words.push((word.to_string(), number.to_string())),
        toml::Value::Boolean(truth) => words.push((word.to_string(), truth.to_string())),
        toml::Value::Datetime(date) => words.push((word.to_string(), date.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(engines: &[&str], common: Common) -> MatchArgs {
        MatchArgs { engine: engines.iter().map(|line| line.to_string()).collect(), common, ..MatchArgs::default() }
    }

    #[test]
    fn a_file_holds_the_same_words() {
        let path = std::env::temp_dir().join(format!("flipside-match-{}.toml", std::process::id()));
        let text = "games = 8\nmove-time = 0.5\nsprt = \"elo0=0,elo1=5\"\n\
            [[engine]]\nname = \"a\"\nbuiltin = true\noption.Threads = 1\noption.\"Clear Hash\" = true\ndepth = 4\n\
            [[engine]]\nname = \"b\"\ncmd = \"x --gtp\"\nsend = [\"one\", \"two\"]\n";
        std::fs::write(&path, text).expect("a file");
        let args = MatchArgs {
            config: Some(path.clone()),
            common: Common { games: Some(10), ..Common::default() },
            ..MatchArgs::default()
        };
        let plan = args.plan();
        std::fs::remove_file(&path).expect("the file");
        let plan = plan.expect("a match");
        assert_eq!(plan.games, 10, "the command line comes first");
        let (a, terms) = &plan.players[0];
        assert_eq!((a.options.len(), terms.depth, terms.move_time), (2, Some(4), None));
        let (b, terms) = &plan.players[1];
        assert_eq!(b.send, ["one", "two"]);
        assert_eq!(terms.move_time, Some(Duration::from_millis(500)));
        assert!(plan.sprt.is_some());
    }

    #[test]
    fn what_cannot_be_played_is_said_at_once() {
        let depth = || Common { depth: Some(1), ..Common::default() };
        for (engines, common, complaint) in [
            (vec!["builtin"], depth(), "two players at least"),
            (vec!["builtin", "builtin"], depth(), "two players are called"),
            (vec!["name=a builtin", "name=b builtin"], Common::default(), "has no limit"),
            (vec!["name=a builtin", "name=b builtin"], Common { tc: Some("x".into()), ..depth() }, "expected seconds"),
        ] {
            let error = format!("{:#}", args(&engines, common).plan().expect_err(complaint));
            assert!(error.contains(complaint), "{error}");
        }
    }
}
