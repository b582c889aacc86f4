//! The page that `flipside --help` shows: the subcommands in groups, each with an example.

use super::examples::wrapped;
use clap::Command;
use textwrap::Options;

/// A group of subcommands and an example of it.
struct Group {
    title: &'static str,
    names: &'static [&'static str],
    example: &'static str,
}

/// The groups in the order of the page; the last one also takes the subcommands that no group names.
const GROUPS: [Group; 6] = [
    Group { title: "Play in the terminal", names: &["play"], example: "flipside play --game minichess --elo 1200" },
    Group {
        title: "Positions and games",
        names: &["solve", "split", "join", "verify", "analyze", "convert", "book"],
        example: "flipside analyze game.ggf --svg game.svg",
    },
    Group {
        title: "Engines against each other",
        names: &["match", "lint", "openings"],
        example: "flipside match --engine 'name=a builtin' --engine 'name=b builtin option.Level=4' --nodes 1000",
    },
    Group {
        title: "The textbook of search",
        names: &["search", "trace", "growth"],
        example: "flipside trace --tree '((3 5) (2 9))'",
    },
    Group { title: "Correctness and speed", names: &["perft", "bench"], example: "flipside perft 9" },
    Group { title: "Other subcommands", names: &["tables", "train"], example: "flipside tables" },
];

/// Columns of the names.
const NAMES: usize = 14;

/// What the program does without a subcommand.
const ENGINE: &str = "Without a subcommand, flipside is an engine: it reads commands from standard input and answers on standard output. \
                      The first line selects the protocol.";

/// The command with its subcommands in groups. The parser's own page lists them all at once.
pub fn grouped(command: Command, width: usize) -> Command {
    let page = page(&command, width);
    let engine = textwrap::fill(ENGINE, width);
    let template =
        format!("{{about-with-newline}}\n{engine}\n\n{{usage-heading}} {{usage}}\n\n{page}{{all-args}}{{after-help}}");
    let mut options = command.clone().mut_subcommands(|sub| sub.hide(true)).help_template(template);
    command.override_help(options.render_help())
}

fn page(command: &Command, width: usize) -> String {
    let is_listed = |name: &str| GROUPS.iter().any(|group| group.names.contains(&name));
    let rows = |names: &mut dyn Iterator<Item = &str>| -> String {
        names.filter_map(|name| command.find_subcommand(name)).map(|sub| row(sub, width)).collect()
    };
    let mut text = String::new();
    for (index, Group { title, names, example }) in GROUPS.iter().enumerate() {
        let is_last = index + 1 == GROUPS.len();
        let others = command.get_subcommands().map(Command::get_name).filter(|name| is_last && !is_listed(name));
        let rows = rows(&mut names.iter().copied().chain(others));
        text += &format!("{title}:\n{rows}{}\n", example_line(example, width));
    }
    text
}

/// `  solve         Solve positions ...`, with its further lines indented.
fn row(command: &Command, width: usize) -> String {
    let name = command.get_name();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let first = format!("  {name:NAMES$}");
    let indent = " ".repeat(NAMES + 2);
    textwrap::fill(&about, Options::new(width).initial_indent(&first).subsequent_indent(&indent)) + "\n"
}

fn example_line(line: &str, width: usize) -> String {
    let indent = " ".repeat(NAMES + 2);
    wrapped(line, width, if width < 60 { "  " } else { &indent })
}
