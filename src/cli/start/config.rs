//! The file of defaults: TOML whose keys are the long options. Options of the engine stand at the top, those of a
//! subcommand in the table with its name. An entry becomes the default of its option in the command line's parser. So
//! the file takes the same values as the command line, and the command line overrides the file.

use super::config_value;
use clap::{ArgMatches, Command};
use etcetera::BaseStrategy;
use flipside_support::text::without_bom;
use std::env;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The id of `--config FILE`.
pub const CONFIG: &str = "config_file";
/// The id of `--no-config`.
pub const NO_CONFIG: &str = "no_config";
/// Subcommands without a table: `match` has a file of its own, and the others have no options that need defaults.
const WITHOUT_TABLE: [&str; 4] = ["match", "completions", "man", "help"];
/// Options whose environment variable overrides the file: subcommand, option, variable.
const BEFORE_FILE: [(&str, &str, &str); 1] =
    [("tables", "file", flipside_core::games::minichess::tables::file::VARIABLE)];

/// An error in the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: line {line}: {reason}")]
pub struct ConfigError {
    file: String,
    /// From 1.
    line: usize,
    reason: String,
}

/// `flipside/config.toml` in the user's configuration directory; `None` for a user without a home directory.
pub fn default_path() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join("flipside").join("config.toml"))
}

/// The file that the command line names, or else the user's own file if it exists, with its text.
///
/// # Errors
/// The named file, or the existing file of the user, cannot be read.
pub fn read(matches: &ArgMatches) -> anyhow::Result<Option<(PathBuf, String)>> {
    if matches.subcommand_name().is_some_and(|name| WITHOUT_TABLE.contains(&name)) {
        return Ok(None);
    }
    let mut level = Some(matches);
    let mut named = None;
    while let Some(matches) = level {
        if matches.try_get_one::<bool>(NO_CONFIG).is_ok_and(|flag| flag == Some(&true)) {
            return Ok(None);
        }
        named = matches.try_get_one::<PathBuf>(CONFIG).ok().flatten().or(named);
        level = matches.subcommand().map(|(_, below)| below);
    }
    let path = match named {
        Some(path) => path.clone(),
        None => match default_path().filter(|path| path.exists()) {
            Some(path) => path,
            None => return Ok(None),
        },
    };
    let text = std::fs::read_to_string(&path)
        .map_err(|error| anyhow::anyhow!("cannot read the defaults of {}: {error}", path.display()))?;
    Ok(Some((path, text)))
}

/// The command line with the defaults of the file, and the errors in the file, whose entries are ignored.
pub fn apply(command: Command, path: &Path, text: &str) -> (Command, Vec<ConfigError>) {
    let text = without_bom(text);
    let mut file = ConfigFile { path, text, errors: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        file.error(error.span().map_or(0, |span| span.start), error.message());
    }
    let command = file.table(command, table.get_ref(), true);
    file.errors.sort_by_key(|error| error.line);
    (command, file.errors)
}

struct ConfigFile<'a> {
    path: &'a Path,
    text: &'a str,
    errors: Vec<ConfigError>,
}

impl ConfigFile<'_> {
    fn error(&mut self, at: usize, reason: &str) {
        let line = 1 + self.text.get(..at).unwrap_or_default().matches('\n').count();
        self.errors.push(ConfigError { file: self.path.display().to_string(), line, reason: reason.to_string() });
    }

    /// The defaults of one table for its command.
    fn table(&mut self, mut command: Command, table: &DeTable<'_>, is_top: bool) -> Command {
        for (key, value) in table {
            let (name, at) = (key.get_ref().as_ref(), key.span().start);
            if let (Some(below), true) = (value.get_ref().as_table(), has_table(&command, name)) {
                command = command.mut_subcommand(name, |sub| self.table(sub, below, false));
                continue;
            }
            command = match self.entry(&command, name, value, is_top) {
                Ok(Some((id, values))) => command.mut_arg(id, |arg| arg.default_values(values)),
                Ok(None) => command,
                Err(reason) => {
                    self.error(at, &reason);
                    command
                }
            };
        }
        command
    }

    /// The option of an entry and its default; `None` where an environment variable overrides it, or a flag is not set.
    fn entry(
        &self,
        command: &Command,
        name: &str,
        value: &Spanned<DeValue<'_>>,
        is_top: bool,
    ) -> Result<Option<(String, Vec<String>)>, String> {
        if value.get_ref().is_table() && is_top {
            let tables = command.get_subcommands().map(Command::get_name).filter(|name| has_table(command, name));
            return Err(format!(
                "[{name}] is not a table of defaults: one of {}",
                tables.collect::<Vec<_>>().join(", ")
            ));
        }
        let known = |arg: &&clap::Arg| config_value::is_option(arg) && arg.get_long() == Some(name);
        let Some(arg) = command.get_arguments().find(known) else {
            let options = command.get_arguments().filter(config_value::is_option).filter_map(clap::Arg::get_long);
            let options: Vec<&str> = options.collect();
            return Err(format!("'{name}' is not an option of {}: one of {}", command.get_name(), options.join(", ")));
        };
        let has_variable = |(subcommand, option, variable): &(&str, &str, &str)| {
            command.get_name() == *subcommand && name == *option && env::var_os(variable).is_some_and(|v| !v.is_empty())
        };
        let values = config_value::check(arg, value.get_ref()).map_err(|reason| format!("{name}: {reason}"))?;
        let values = values.filter(|_| !BEFORE_FILE.iter().any(has_variable));
        Ok(values.map(|values| (arg.get_id().to_string(), values)))
    }
}

fn has_table(command: &Command, name: &str) -> bool {
    command.find_subcommand(name).is_some_and(|sub| sub.get_name() == name) && !WITHOUT_TABLE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::cli::start::command_line;
    use clap::CommandFactory;

    /// The meaning of a command line with this file: the text of the engine's or the subcommand's arguments.
    fn parsed(text: &str, line: &str) -> (String, Vec<String>) {
        let (command, errors) = apply(command_line::command(Cli::command(), 80), Path::new("my.toml"), text);
        let words = ["flipside"].into_iter().chain(line.split_whitespace());
        let matches = command.try_get_matches_from(words).expect(line);
        (format!("{matches:?}"), errors.iter().map(ToString::to_string).collect())
    }

    /// The value of an option and its source.
    fn value(text: &str, line: &str, id: &str) -> String {
        let (command, errors) = apply(command_line::command(Cli::command(), 80), Path::new("my.toml"), text);
        assert_eq!(errors, []);
        let words = ["flipside"].into_iter().chain(line.split_whitespace());
        let matches = command.try_get_matches_from(words).expect(line);
        let matches = matches.subcommand().map_or(&matches, |(_, below)| below);
        let raw = matches.get_raw(id).expect(id);
        raw.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_command_line_comes_before_the_file_and_the_file_before_the_default() {
        let text = "hash = 7\n[solve]\nhash = 9\n[train.selfplay]\ngames = 3\n";
        assert_eq!(value(text, "", "hash"), "7");
        assert_eq!(value(text, "--hash 8", "hash"), "8");
        assert_eq!(value(text, "solve", "hash"), "9");
        assert_eq!(value(text, "solve --hash 10", "hash"), "10");
        assert_eq!(value("", "solve", "hash"), "256");
        assert_eq!(value("no-files = true", "", "no_files"), "true");
        assert_eq!(value("no-files = false", "", "no_files"), "false");
        assert_eq!(value("[growth]\norder = ['worst', 'random']", "growth", "order"), "worst random");
        assert_eq!(value("\u{feff}move-time = 0.5", "", "move_time"), "0.5");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_the_rest_holds() {
        for (text, reason) in [
            ("hash = 7\nhsah = 1", "my.toml: line 2: 'hsah' is not an option of flipside: one of protocol, game, "),
            ("hash = 'big'", "my.toml: line 1: hash: invalid value 'big' for '--hash <MIB>': invalid digit"),
            ("hash = 0", "my.toml: line 1: hash: invalid value '0' for '--hash <MIB>': 0 is not in 1..=65536"),
            ("\n[solve]\n\njobs = true", "my.toml: line 4: jobs: expected a value, not a boolean"),
            ("no-files = 1", "my.toml: line 1: no-files: expected true or false, saw an integer"),
            ("[slove]\nhash = 1", "my.toml: line 1: [slove] is not a table of defaults: one of play, "),
            ("[match]\ngames = 1", "my.toml: line 1: [match] is not a table"),
            ("gtp = true", "my.toml: line 1: 'gtp' is not an option"),
            ("config = 'x'", "my.toml: line 1: 'config' is not an option"),
            ("hash = 7\n[solve", "my.toml: line 2: "),
            ("hash = [1, 2]", "my.toml: line 1: hash: expected one value, saw an array"),
        ] {
            let (_, errors) = parsed(text, "");
            assert!(errors.first().is_some_and(|error| error.starts_with(reason)), "{text}: {errors:?}");
        }
        let (command, _) =
            apply(command_line::command(Cli::command(), 80), Path::new("my.toml"), "hash = 0\nthreads = 3");
        let matches = command.try_get_matches_from(["flipside"]).expect("a command line");
        assert_eq!(matches.get_one::<u16>("threads"), Some(&3), "the rest of the file holds");
    }
}
