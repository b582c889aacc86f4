//! `flipside completions` and `flipside man`: the command line for shells and for readers of manuals.

use crate::cli::io::output::Output;
use anyhow::{Context, bail};
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
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
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "flipside", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
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
