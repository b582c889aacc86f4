//! The description of a player in `--engine` or in a table of the match file.

use super::limits::PlayerLimits;
use super::shell_words;
use anyhow::{Context, bail};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A protocol that a player speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolKind {
    /// GTP 2.
    Gtp,
    /// NBoard 2.
    NBoard,
    /// UCI with variants.
    Uci,
    /// XBoard's protocol, version 2.
    XBoard,
    /// Gomocup's.
    Gomocup,
}

impl ProtocolKind {
    const NAMES: [(&str, ProtocolKind); 5] = [
        ("gtp", ProtocolKind::Gtp),
        ("nboard", ProtocolKind::NBoard),
        ("uci", ProtocolKind::Uci),
        ("xboard", ProtocolKind::XBoard),
        ("gomocup", ProtocolKind::Gomocup),
    ];

    /// The protocol of that name.
    pub fn named(name: &str) -> anyhow::Result<ProtocolKind> {
        let found = ProtocolKind::NAMES.iter().find(|(own, _)| *own == name);
        let unknown =
            || format!("unknown protocol '{name}': one of {}", ProtocolKind::NAMES.map(|(own, _)| own).join(", "));
        found.map(|(_, protocol)| *protocol).with_context(unknown)
    }
}

impl fmt::Display for ProtocolKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ProtocolKind::NAMES.iter().find(|(_, protocol)| protocol == self).map_or(Ok(()), |(name, _)| f.write_str(name))
    }
}

/// Departures from a protocol's usual form that real engines need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quirks {
    /// `no-passes`: passes are not sent, because the engine passes by itself or has no notation for passes (gtp-rhino,
    /// and NBoard engines that play forced passes on their own).
    pub no_passes: bool,
    /// `own-limits`: depth, nodes and time are not sent, because the engine's command line or `send` sets them. The
    /// referee still measures time against the given limits.
    pub own_limits: bool,
    /// `decimal-clock`: times of GTP and XBoard's `st` have decimals instead of whole seconds.
    pub decimal_clock: bool,
    /// `fischer-clock`: `time_settings MAIN INC 0`, which some engines read as an increment.
    pub fischer_clock: bool,
}

type QuirkField = fn(&mut Quirks) -> &mut bool;

impl Quirks {
    const NAMES: [(&str, QuirkField); 4] = [
        ("no-passes", |quirks| &mut quirks.no_passes),
        ("own-limits", |quirks| &mut quirks.own_limits),
        ("decimal-clock", |quirks| &mut quirks.decimal_clock),
        ("fischer-clock", |quirks| &mut quirks.fischer_clock),
    ];

    /// `quirk=A,B`; `None` without a quirk.
    fn words(mut self) -> Option<String> {
        let set = Quirks::NAMES.into_iter().filter(|(_, quirk)| *quirk(&mut self));
        let names: Vec<&str> = set.map(|(name, _)| name).collect();
        (!names.is_empty()).then(|| format!("quirk={}", names.join(",")))
    }

    fn add(&mut self, names: &str) -> anyhow::Result<()> {
        for name in names.split(',') {
            let found = Quirks::NAMES.iter().find(|(own, _)| *own == name);
            let unknown = || format!("unknown quirk '{name}': one of {}", Quirks::NAMES.map(|(own, _)| own).join(", "));
            let (_, quirk) = found.with_context(unknown)?;
            *quirk(self) = true;
        }
        Ok(())
    }
}

/// A player to open.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// Name in the report.
    pub name: String,
    /// Program and arguments; empty for a player inside this process.
    pub command: Vec<String>,
    /// Working directory of the program.
    pub dir: Option<PathBuf>,
    /// Protocol that it speaks.
    pub protocol: ProtocolKind,
    /// Engine options to set, in order.
    pub options: Vec<(String, String)>,
    /// Lines to send after the handshake.
    pub send: Vec<String>,
    /// Limits of its own; those of the match apply if none is set.
    pub limits: PlayerLimits,
    /// Its departures from the protocol.
    pub quirks: Quirks,
}

impl PlayerSpec {
    /// Reads the value of `--engine`: `KEY=VALUE` or `KEY` separated by blanks, quoted as in a shell.
    ///
    /// # Errors
    /// Something is unknown or missing; the text names it.
    pub fn from_line(line: &str) -> anyhow::Result<PlayerSpec> {
        let pairs = shell_words::split(line).map_err(anyhow::Error::msg)?;
        let pairs = pairs.iter().map(|pair| pair.split_once('=').unwrap_or((pair, "true")));
        PlayerSpec::from_pairs(pairs).with_context(|| format!("--engine '{line}'"))
    }

    /// Reads pairs of key and value.
    ///
    /// # Errors
    /// Something is unknown or missing; the text names it.
    pub fn from_pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> anyhow::Result<PlayerSpec> {
        let mut builtin = false;
        let mut last = None;
        let mut spec = PlayerSpec {
            name: String::new(),
            command: Vec::new(),
            dir: None,
            protocol: ProtocolKind::Gtp,
            options: Vec::new(),
            send: Vec::new(),
            limits: PlayerLimits::default(),
            quirks: Quirks::default(),
        };
        for (key, value) in pairs {
            match key {
                "name" => spec.name = value.to_string(),
                "cmd" => spec.command = shell_words::split(value).map_err(anyhow::Error::msg)?,
                "builtin" => builtin = value == "true",
                "dir" => spec.dir = Some(PathBuf::from(value)),
                "protocol" => spec.protocol = ProtocolKind::named(value)?,
                "send" => spec.send.push(value.to_string()),
                "quirk" => spec.quirks.add(value)?,
                _ if spec.limits.set(key, value)? => {}
                _ => match key.strip_prefix("option.") {
                    Some(option) => spec.options.push((option.to_string(), value.to_string())),
                    // A word without `=`: probably the rest of a value that is not quoted.
                    None if value == "true"
                        && let Some(last) = last =>
                    {
                        bail!("'{key}' is no key; if it belongs to {last}, quote the whole value: {last}=\"... {key}\"")
                    }
                    None => bail!(
                        "unknown key '{key}': name, cmd, builtin, dir, protocol, send, quirk, option.NAME, depth, \
                         nodes, move-time, tc"
                    ),
                },
            }
            last = Some(key);
        }
        if builtin != spec.command.is_empty() {
            bail!("a player has either cmd=\"...\" or builtin");
        }
        if builtin && !spec.send.is_empty() {
            bail!("a builtin player reads no lines: leave out send");
        }
        if spec.name.is_empty() {
            let program = spec.command.first().map_or("builtin", |program| program.as_str());
            // The separators of the system: two on Windows.
            spec.name =
                Path::new(program).file_name().map_or(program.into(), |name| name.to_string_lossy().into_owned());
        }
        Ok(spec)
    }

    /// Everything but its name in the syntax of `--engine`, with its limits.
    pub fn settings(&self, limits: &PlayerLimits) -> String {
        let mut words = match self.protocol {
            _ if self.is_builtin() => vec!["builtin".to_string()],
            protocol => vec![format!("cmd={}", shell_words::join(&self.command)), format!("protocol={protocol}")],
        };
        words.extend(self.dir.iter().map(|dir| format!("dir={}", dir.display())));
        words.extend(self.options.iter().map(|(name, value)| format!("option.{name}={value}")));
        words.extend(self.send.iter().map(|line| format!("send={line}")));
        words.extend(limits.words());
        words.extend(self.quirks.words());
        shell_words::join(&words)
    }

    /// Says why its program cannot be started.
    pub fn cannot_start(&self, error: &io::Error) -> String {
        let dir = self.dir.as_deref().unwrap_or(Path::new("."));
        let program = self.command.first().map_or("", String::as_str);
        if !dir.is_dir() {
            return format!("cannot start '{program}': its dir {} is no directory", dir.display());
        }
        // Without quotes of its own, a path with a blank is several words.
        let paths = (2..=self.command.len()).map(|words| self.command[..words].join(" "));
        let advice = paths.into_iter().find(|path| dir.join(path).is_file());
        let advice = advice.map(|path| format!("; a path with a blank needs quotes of its own: '{path}'"));
        format!("cannot start '{program}': {error}{}", advice.unwrap_or_default())
    }

    /// Whether the player runs inside this process.
    pub fn is_builtin(&self) -> bool {
        self.command.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_control;

    #[test]
    fn a_player_is_called_like_its_program_without_the_folders() {
        for separator in ['/', std::path::MAIN_SEPARATOR] {
            let command = format!("engines{separator}strong{separator}edax.exe -gtp");
            let spec = PlayerSpec::from_pairs(std::iter::once(("cmd", command.as_str()))).expect("a player");
            assert_eq!((spec.name.as_str(), &spec.command[1..]), ("edax.exe", &["-gtp".to_string()][..]), "{command}");
        }
    }

    #[test]
    fn a_process_with_everything() {
        let spec = PlayerSpec::from_line(
            r#"name=a cmd="/usr/bin/x --y 'z z'" protocol=uci dir=/tmp option.Threads=1 'option.Clear Hash' tc=60+0.5 send="a b" send=c quirk=no-passes,own-limits"#,
        )
        .expect("a player");
        assert_eq!(spec.command, ["/usr/bin/x", "--y", "z z"]);
        assert_eq!((spec.protocol, spec.dir.clone()), (ProtocolKind::Uci, Some("/tmp".into())));
        assert_eq!(spec.options, [("Threads".into(), "1".into()), ("Clear Hash".into(), "true".into())]);
        assert_eq!(spec.limits.game_time.map(time_control::show).as_deref(), Some("60+0.5"));
        assert_eq!(spec.send, ["a b", "c"]);
        assert!(spec.quirks.no_passes && spec.quirks.own_limits && !spec.quirks.decimal_clock);
        let settings = spec.settings(&spec.limits);
        assert!(settings.contains("tc=60+0.5") && settings.contains("quirk=no-passes,own-limits"), "{settings}");
        let again = PlayerSpec::from_line(&format!("name=a {settings}")).expect("the same player");
        assert_eq!(again, spec);
    }

    /// The message names what was tried, and the quotes that a path with a blank needs.
    #[test]
    fn a_program_that_cannot_be_started_is_named() {
        let folder = std::env::temp_dir().join(format!("flipside blank {}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let program = folder.join("engine");
        std::fs::write(&program, "").expect("a file");
        let said = |pairs: &[(&str, &str)]| {
            let spec = PlayerSpec::from_pairs(pairs.iter().copied()).expect("a player");
            spec.cannot_start(&io::ErrorKind::NotFound.into())
        };
        let path = program.to_str().expect("a path");
        let unquoted = said(&[("cmd", &format!("{path} --gtp"))]);
        assert!(unquoted.ends_with(&format!("needs quotes of its own: '{path}'")), "{unquoted}");
        let missing = said(&[("cmd", "/nowhere/engine --gtp")]);
        assert_eq!(missing, "cannot start '/nowhere/engine': entity not found");
        let without_dir = said(&[("cmd", "engine"), ("dir", "/nowhere")]);
        assert_eq!(without_dir, "cannot start 'engine': its dir /nowhere is no directory");
        std::fs::remove_dir_all(&folder).expect("the folder");
    }

    #[test]
    fn builtin_and_names() {
        assert!(PlayerSpec::from_line("builtin depth=3").expect("a player").is_builtin());
        assert_eq!(PlayerSpec::from_line("cmd=/a/b/c").expect("a player").name, "c");
    }

    #[test]
    fn bad_keys_and_values_are_named() {
        for (line, message) in [
            ("name=a", "either cmd"),
            ("builtin cmd=x", "either cmd"),
            ("builtin colour=1", "unknown key 'colour'"),
            ("cmd=x protocol=ugi", "unknown protocol"),
            ("cmd=x quirk=odd", "unknown quirk"),
            ("cmd=x tc=fast", "expected seconds"),
            ("cmd=\"x", "not closed"),
            (
                "cmd=/my games/edax",
                "'games/edax' is no key; if it belongs to cmd, quote the whole value: cmd=\"... games/edax\"",
            ),
            ("cmd=edax -gtp", "'-gtp' is no key; if it belongs to cmd"),
        ] {
            let error = format!("{:#}", PlayerSpec::from_line(line).expect_err(line));
            assert!(error.contains(message), "{error}");
        }
    }
}
