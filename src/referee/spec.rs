//! A player as the words of `--engine` or a table of `match.toml` describe it.

use super::words;
use crate::support::seconds::parse_seconds;
use anyhow::{Context, bail};
use std::path::PathBuf;
use std::time::Duration;

/// What a player may use for a move or a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Time for the game, and what each move adds.
    pub game_time: Option<(Duration, Duration)>,
}

impl Terms {
    /// These terms, or the others where these say nothing at all.
    pub fn or(self, others: Terms) -> Terms {
        if self == Terms::default() { others } else { self }
    }

    /// Sets one of the terms by its word; false if there is no such word.
    pub fn set(&mut self, word: &str, value: &str) -> anyhow::Result<bool> {
        match word {
            "depth" => self.depth = Some(value.parse().context("depth takes plies")?),
            "nodes" => self.nodes = Some(value.parse().context("nodes takes a number of positions")?),
            "move-time" => self.move_time = Some(seconds(value)?),
            "tc" => self.game_time = Some(game_time(value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Seconds, fractions allowed, more than 0.
pub fn seconds(text: &str) -> anyhow::Result<Duration> {
    parse_seconds(text).map_err(anyhow::Error::msg)
}

/// `MAIN+INC` or `MAIN`, in seconds.
fn game_time(text: &str) -> anyhow::Result<(Duration, Duration)> {
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    let increment = match increment {
        "0" => Duration::ZERO,
        other => seconds(other)?,
    };
    Ok((seconds(main)?, increment))
}

/// A protocol, seen from the host's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// GTP 2.
    Gtp,
    /// NBoard 2.
    NBoard,
    /// UCI with variants.
    Uci,
    /// XBoard's protocol, version 2.
    XBoard,
}

impl Protocol {
    /// The protocol of that name.
    pub fn named(name: &str) -> anyhow::Result<Protocol> {
        match name {
            "gtp" => Ok(Protocol::Gtp),
            "nboard" => Ok(Protocol::NBoard),
            "uci" => Ok(Protocol::Uci),
            "xboard" => Ok(Protocol::XBoard),
            _ => bail!("expected protocol gtp, nboard, uci or xboard, saw '{name}'"),
        }
    }
}

/// Departures from the protocol's custom that real engines need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// `no-passes`: passes are not sent, because the engine passes by itself or knows no word for it
    /// (gtp-rhino, and NBoard engines that play a forced pass on their own).
    pub no_passes: bool,
    /// `own-limits`: no depth, nodes or time is sent: the engine's command line or `send` says it.
    /// The referee still measures what it was given.
    pub own_limits: bool,
    /// `decimal-clock`: times of GTP and XBoard's `st` with decimals, instead of whole seconds.
    pub decimal_clock: bool,
    /// `fischer-clock`: `time_settings MAIN INC 0`, as some engines read increments.
    pub fischer_clock: bool,
}

impl Quirks {
    fn add(&mut self, names: &str) -> anyhow::Result<()> {
        for name in names.split(',') {
            match name {
                "no-passes" => self.no_passes = true,
                "own-limits" => self.own_limits = true,
                "decimal-clock" => self.decimal_clock = true,
                "fischer-clock" => self.fischer_clock = true,
                _ => bail!("unknown quirk '{name}': one of no-passes, own-limits, decimal-clock, fischer-clock"),
            }
        }
        Ok(())
    }
}

/// A player to open.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// How the report calls it.
    pub name: String,
    /// Program and arguments; empty for a player inside this process.
    pub command: Vec<String>,
    /// Where the program is started.
    pub dir: Option<PathBuf>,
    /// What it speaks.
    pub protocol: Protocol,
    /// Engine options to set, in order.
    pub options: Vec<(String, String)>,
    /// Lines to send once it has been greeted.
    pub send: Vec<String>,
    /// What it may use; the match's terms if nothing is said.
    pub terms: Terms,
    /// What it needs.
    pub quirks: Quirks,
}

impl PlayerSpec {
    /// Reads the words of `--engine`.
    pub fn from_line(line: &str) -> anyhow::Result<PlayerSpec> {
        let words = words::split(line).map_err(anyhow::Error::msg)?;
        let pairs = words
            .iter()
            .map(|word| word.split_once('=').map_or((word.as_str(), "true"), |(name, value)| (name, value)));
        PlayerSpec::from_words(pairs).with_context(|| format!("--engine '{line}'"))
    }

    /// Reads pairs of word and value.
    pub fn from_words<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> anyhow::Result<PlayerSpec> {
        let mut builtin = false;
        let mut spec = PlayerSpec {
            name: String::new(),
            command: Vec::new(),
            dir: None,
            protocol: Protocol::Gtp,
            options: Vec::new(),
            send: Vec::new(),
            terms: Terms::default(),
            quirks: Quirks::default(),
        };
        for (word, value) in pairs {
            match word {
                "name" => spec.name = value.to_string(),
                "cmd" => spec.command = words::split(value).map_err(anyhow::Error::msg)?,
                "builtin" => builtin = value == "true",
                "dir" => spec.dir = Some(PathBuf::from(value)),
                "protocol" => spec.protocol = Protocol::named(value)?,
                "send" => spec.send.push(value.to_string()),
                "quirk" => spec.quirks.add(value)?,
                _ if spec.terms.set(word, value)? => {}
                _ => match word.strip_prefix("option.") {
                    Some(option) => spec.options.push((option.to_string(), value.to_string())),
                    None => bail!(
                        "unknown word '{word}': name, cmd, builtin, dir, protocol, send, quirk, option.NAME, depth, \
                         nodes, move-time, tc"
                    ),
                },
            }
        }
        if builtin != spec.command.is_empty() {
            bail!("a player has either cmd=\"...\" or the word builtin");
        }
        if builtin && !spec.send.is_empty() {
            bail!("a builtin player reads no lines: leave out send");
        }
        if spec.name.is_empty() {
            let program = spec.command.first().map_or("builtin", |program| program.as_str());
            spec.name = program.rsplit('/').next().unwrap_or(program).to_string();
        }
        Ok(spec)
    }

    /// True for a player inside this process.
    pub fn is_builtin(&self) -> bool {
        self.command.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_everything() {
        let spec = PlayerSpec::from_line(
            r#"name=a cmd="/usr/bin/x --y 'z z'" protocol=uci dir=/tmp option.Threads=1 'option.Clear Hash' tc=60+0.5 send="a b" send=c quirk=no-passes,own-limits"#,
        )
        .expect("a player");
        assert_eq!(spec.command, ["/usr/bin/x", "--y", "z z"]);
        assert_eq!((spec.protocol, spec.dir), (Protocol::Uci, Some("/tmp".into())));
        assert_eq!(spec.options, [("Threads".into(), "1".into()), ("Clear Hash".into(), "true".into())]);
        assert_eq!(spec.terms.game_time, Some((Duration::from_secs(60), Duration::from_millis(500))));
        assert_eq!(spec.send, ["a b", "c"]);
        assert!(spec.quirks.no_passes && spec.quirks.own_limits && !spec.quirks.decimal_clock);
    }

    #[test]
    fn builtin_and_names() {
        assert!(PlayerSpec::from_line("builtin depth=3").expect("a player").is_builtin());
        assert_eq!(PlayerSpec::from_line("cmd=/a/b/c").expect("a player").name, "c");
    }

    #[test]
    fn bad_words_are_named() {
        for (line, complaint) in [
            ("name=a", "either cmd"),
            ("builtin cmd=x", "either cmd"),
            ("builtin colour=1", "unknown word 'colour'"),
            ("cmd=x protocol=ugi", "expected protocol"),
            ("cmd=x quirk=odd", "unknown quirk"),
            ("cmd=x tc=fast", "expected seconds"),
            ("cmd=\"x", "not closed"),
        ] {
            let error = format!("{:#}", PlayerSpec::from_line(line).expect_err(line));
            assert!(error.contains(complaint), "{error}");
        }
    }

    #[test]
    fn own_terms_come_before_the_matchs() {
        let own = Terms { depth: Some(3), ..Terms::default() };
        let common = Terms { nodes: Some(10), ..Terms::default() };
        assert_eq!(own.or(common), own);
        assert_eq!(Terms::default().or(common), common);
    }
}
