//! The command line: its parser, with the terminal's width and the defaults of a file, and the parsed result.

use super::config::{self, CONFIG, NO_CONFIG};
use super::examples;
use super::help;
use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use console::Term;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Most columns of the help, and its columns where there is no terminal.
const WIDTH: usize = 100;
/// Fewest columns of the help; narrower terminals wrap the lines themselves.
const LEAST_WIDTH: usize = 30;

/// A parsed command line.
pub struct CommandLine {
    /// The arguments.
    pub matches: ArgMatches,
    /// Why parts of the file of defaults were ignored.
    pub warnings: Vec<String>,
}

/// Why there is nothing to run.
pub enum Stop {
    /// The help, the version, or a command line that the parser refuses.
    Parser(clap::Error),
    /// Another error.
    Error(anyhow::Error),
}

/// The terminal's width in columns.
pub fn width() -> usize {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    terminal.or(columns).unwrap_or(WIDTH).clamp(LEAST_WIDTH, WIDTH)
}

/// The parser of these arguments with the options that all subcommands share. The help is `width` columns wide.
pub fn command(arguments: Command, width: usize) -> Command {
    let command = with_config(arguments.term_width(width));
    help::grouped(examples::wrap(command, width), width)
}

/// `--config` and `--no-config` for every subcommand; `match` has a `--config` of its own.
fn with_config(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    let command = names.iter().fold(command, |command, name| command.mut_subcommand(name, with_config));
    if ["match", "completions", "man"].contains(&command.get_name()) {
        return command;
    }
    let group = "Defaults";
    let file = Arg::new(CONFIG)
        .long("config")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("TOML file of defaults for the options [default: flipside/config.toml in the user's configuration directory]")
        .help_heading(group);
    let none = Arg::new(NO_CONFIG)
        .long("no-config")
        .action(ArgAction::SetTrue)
        .conflicts_with(CONFIG)
        .help("Ignore files of defaults")
        .help_heading(group);
    command.args([file, none])
}

/// Parses a command line with these arguments; the first word is the program's name.
///
/// # Errors
/// There is no command to run: the user asked for help, or an argument is wrong.
pub fn read(arguments: Command, words: Vec<OsString>) -> Result<CommandLine, Stop> {
    let command = command(arguments, width());
    let mut matches = command.clone().try_get_matches_from(&words).map_err(Stop::Parser)?;
    check_places(&command, &matches).map_err(Stop::Error)?;
    let mut warnings = Vec::new();
    match config::read(&matches) {
        Ok(None) => {}
        Ok(Some((path, text))) => {
            let (command, errors) = config::apply(command, &path, &text);
            warnings = errors.iter().map(ToString::to_string).collect();
            // A host's session continues without the faulty entries; a person can correct them.
            if let (Some(error), Some(_)) = (warnings.first(), matches.subcommand()) {
                return Err(Stop::Error(anyhow::anyhow!("{error}")));
            }
            matches = command.try_get_matches_from(&words).map_err(Stop::Parser)?;
        }
        Err(error) if matches.subcommand().is_none() && !is_given(&matches, CONFIG) => warnings.push(error.to_string()),
        Err(error) => return Err(Stop::Error(error)),
    }
    Ok(CommandLine { matches, warnings })
}

fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Refuses options of the engine before a subcommand, which would ignore them.
fn check_places(command: &Command, matches: &ArgMatches) -> anyhow::Result<()> {
    let Some((name, _)) = matches.subcommand() else { return Ok(()) };
    let is_misplaced = |arg: &&Arg| {
        let id = arg.get_id().as_str();
        ![CONFIG, NO_CONFIG].contains(&id) && is_given(matches, id)
    };
    let Some(long) = command.get_arguments().find(is_misplaced).and_then(Arg::get_long) else { return Ok(()) };
    let taken = command.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    if taken.filter_map(Arg::get_long).any(|known| known == long) {
        bail!("--{long} before '{name}' is an option of the engine; write flipside {name} --{long} ...");
    }
    bail!("--{long} is an option of the engine, which '{name}' does not take (flipside {name} --help)");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    fn words(line: &str) -> Vec<OsString> {
        ["flipside"].into_iter().chain(line.split_whitespace()).map(OsString::from).collect()
    }

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        command(Cli::command(), 80).debug_assert();
    }

    #[test]
    fn options_of_the_engine_before_a_subcommand_are_refused() {
        for (line, reason) in [
            ("--threads 2 solve", "flipside solve --threads ..."),
            ("--game minichess perft 2", "flipside perft --game ..."),
            ("--uci bench", "--uci is an option of the engine, which 'bench' does not take"),
            ("--depth 3 --no-config lint --cmd x --protocol gtp", "--depth is an option of the engine"),
        ] {
            match read(Cli::command(), words(line)) {
                Err(Stop::Error(error)) => assert!(error.to_string().contains(reason), "{error}"),
                _ => panic!("{line}"),
            }
        }
        assert!(
            read(Cli::command(), words("--no-config perft 2")).is_ok()
                && read(Cli::command(), words("perft 2 --no-config")).is_ok()
        );
    }

    /// Scripts may still use the earlier names; the help does not show them.
    #[test]
    fn earlier_names_of_arguments_are_hidden_aliases() {
        for line in [
            "match --grace 0.1 --patience 30",
            "lint --cmd x --protocol gtp --patience 5",
            "tables --ask x",
            "train fit --games x --out y --result-share 0.5 --passes 3",
            "train minichess --games x --out y --passes 3",
        ] {
            assert!(command(Cli::command(), 80).try_get_matches_from(words(line)).is_ok(), "{line}");
        }
    }
}
