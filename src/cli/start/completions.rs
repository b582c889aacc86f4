//! `flipside completions` and `flipside man`: the command line for shells and for readers of manuals.

use crate::cli::io::output::Output;
use anyhow::{Context, bail};
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use flipside_core::games::names;
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::policy::Technique;
use flipside_core::search::types::Selectivity;
use flipside_host::protocol;
use flipside_textbook::move_order::MoveOrder;
use flipside_textbook::techniques;
use std::collections::BTreeSet;
use std::io::Write;
use std::iter;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside completions`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside completions bash > ~/.local/share/bash-completion/completions/flipside"])]
pub struct CompletionsArgs {
    /// Shell
    shell: Shell,
}

/// Arguments of `flipside man`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside man | man -l -", "flipside man --dir ~/.local/share/man/man1"])]
pub struct ManArgs {
    /// Subcommand whose page is printed (default: flipside itself)
    subcommand: Option<String>,
    /// Write the pages of flipside and all its subcommands to this folder instead
    #[arg(long, value_name = "FOLDER", conflicts_with = "subcommand")]
    dir: Option<PathBuf>,
}

/// Prints the script with which a shell completes this command line.
///
/// # Errors
/// The output cannot be written.
pub fn run_completions(args: &CompletionsArgs, mut command: Command, out: &mut Output) -> anyhow::Result<ExitCode> {
    command = with_hints(command);
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "flipside", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// The command, whose arguments offer their known values, files where they name files, and nothing otherwise. Shells
/// would offer files for all of them.
fn with_hints(command: Command) -> Command {
    command.mut_args(hinted).mut_subcommands(with_hints)
}

fn hinted(arg: Arg) -> Arg {
    let has_values = !arg.get_action().takes_values() || !arg.get_possible_values().is_empty();
    if has_values || arg.get_value_hint() != ValueHint::Unknown || names_a_file(&arg) {
        return arg;
    }
    match known_values(arg.get_id().as_str()) {
        Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
        None => arg.value_hint(ValueHint::Other),
    }
}

/// Whether the name of the value is that of a file.
fn names_a_file(arg: &Arg) -> bool {
    let names = arg.get_value_names().unwrap_or_default();
    names.iter().any(|name| ["FILE", "FOLDER", "PROGRAM", "BOOK"].iter().any(|word| name.contains(word)))
}

/// The words that an argument knows.
fn known_values(arg: &str) -> Option<Vec<String>> {
    let texts = |words: &[&str]| words.iter().map(ToString::to_string).collect();
    Some(match arg {
        "game" => names::games().map(str::to_string).collect(),
        "protocol" => texts(&protocol::NAMES),
        "algorithm" => texts(&Algorithm::ALL.map(|(name, _)| name)),
        "order" => MoveOrder::names().chain(["random:1"]).map(str::to_string).collect(),
        "evaluation" => {
            let all = iter::once(&"default").chain(names::GAMES.iter().flat_map(|game| game.evaluations));
            all.collect::<BTreeSet<_>>().into_iter().map(ToString::to_string).collect()
        }
        "with" | "without" => texts(&techniques::ADDED.map(Technique::name)),
        "selectivity" => Selectivity::PERCENT.map(|percent| percent.to_string()).to_vec(),
        "size" => names::GAMES
            .iter()
            .filter_map(|game| Some(game.variant?.size.to_string()))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
        _ => return None,
    })
}

/// Prints a page of the manual of this command line, or writes all of them.
///
/// # Errors
/// The subcommand is unknown, or the output or the folder cannot be written.
pub fn run_man(args: &ManArgs, mut command: Command, out: &mut Output) -> anyhow::Result<ExitCode> {
    command.build();
    if let Some(folder) = &args.dir {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        clap_mangen::generate_to(command, folder)
            .with_context(|| format!("cannot write manual pages into {}", folder.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let page = match &args.subcommand {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            Some(subcommand) => named(subcommand),
            None => bail!("no subcommand is called '{name}': one of {}", names(&command).join(", ")),
        },
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    out.write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// A subcommand with the name of its page, such as `flipside-solve`.
fn named(command: &Command) -> Command {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_string();
    command.clone().name(name)
}

fn names(command: &Command) -> Vec<&str> {
    command.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect()
}
