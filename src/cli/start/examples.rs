//! The examples at the end of the help of every subcommand. The subcommand states them with its arguments: `after_help
//! = examples![...]`.

use clap::Command;

/// The text below the help of a subcommand: command lines ready to type.
macro_rules! examples {
    [$($line:literal),+ $(,)?] => { concat!("Examples:", $("\n  ", $line),+) };
}

/// Columns before an example.
const INDENT: &str = "  ";

/// The command, with the examples of all its subcommands wrapped to `width` columns.
pub fn wrap(command: Command, width: usize) -> Command {
    let lines: Vec<String> = lines(&command).iter().map(|line| wrapped(line, width, INDENT)).collect();
    let command = command.mut_subcommands(|sub| wrap(sub, width));
    if lines.is_empty() { command } else { command.after_help(format!("Examples:\n{}", lines.concat().trim_end())) }
}

/// The examples of a command itself.
fn lines(command: &Command) -> Vec<String> {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    text.lines().skip(1).map(|line| line.trim_start().to_string()).collect()
}

/// A shell command, wrapped at blanks outside quotes where it is wider than the terminal.
pub fn wrapped(line: &str, width: usize, indent: &str) -> String {
    let (mut text, mut columns) = (String::from(indent), indent.len());
    for (index, word) in shell_words(line).into_iter().enumerate() {
        // A blank before the word, and a blank and a backslash after it.
        let length = word.chars().count();
        if index > 0 && columns + length + 3 > width {
            text += &format!(" \\\n{indent}    {word}");
            columns = indent.len() + 4 + length;
        } else if index > 0 {
            text += &format!(" {word}");
            columns += 1 + length;
        } else {
            text += word;
            columns += length;
        }
    }
    text + "\n"
}

/// The words of a line; a quoted part is one word.
fn shell_words(line: &str) -> Vec<&str> {
    let mut quote = None;
    let separates = |c: char| {
        match quote {
            None if c == '\'' || c == '"' => quote = Some(c),
            Some(open) if c == open => quote = None,
            _ => {}
        }
        quote.is_none() && c == ' '
    };
    line.split(separates).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use crate::cli::start::command_line;
    use clap::CommandFactory;

    /// Every page with the words that lead to it.
    fn collect(command: &mut Command, path: &str, pages: &mut Vec<(String, String)>) {
        pages.push((path.to_string(), command.render_long_help().to_string()));
        let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
        for name in names.iter().filter(|name| *name != "help") {
            collect(command.find_subcommand_mut(name).expect("a subcommand"), &format!("{path} {name}"), pages);
        }
    }

    #[test]
    fn every_page_has_an_example_and_fits_its_terminal() {
        for width in [40, 80, 100] {
            let mut found = Vec::new();
            collect(&mut command_line::command(Cli::command(), width), "flipside", &mut found);
            assert!(found.len() > 14);
            for (path, page) in found {
                assert!(
                    page.contains("Examples:\n  flipside") || page.contains("Examples:\n  echo"),
                    "{path}:\n{page}"
                );
                // The parser does not wrap its lines of usage.
                let is_wide = |line: &&str| line.chars().count() > width && !line.starts_with("Usage: ");
                let too_long = page.lines().find(is_wide);
                let is_word = |line: &str| line.trim().split(' ').any(|word| word.chars().count() + 12 > width);
                assert!(too_long.is_none_or(is_word), "{path} at {width}: {too_long:?}");
            }
        }
    }

    /// The examples of a command and of all below it.
    fn all_lines(command: &Command) -> Vec<String> {
        lines(command).into_iter().chain(command.get_subcommands().flat_map(all_lines)).collect()
    }

    /// The examples are command lines that the parser takes.
    #[test]
    fn every_example_is_taken() {
        let all = all_lines(&Cli::command());
        assert!(all.len() > 40, "{all:?}");
        for line in all {
            let line = line.rsplit(" | flipside").next().unwrap_or_default();
            let line = line.split(['|', '<', '>']).next().unwrap_or_default();
            let line =
                if line.trim_start().starts_with("flipside") { line.to_string() } else { format!("flipside {line}") };
            let words = shell_words(&line).into_iter().map(|word| word.trim_matches(['\'', '"']));
            let command = command_line::command(Cli::command(), 80);
            assert!(command.try_get_matches_from(words).is_ok(), "{line}");
        }
    }

    #[test]
    fn long_lines_are_broken_outside_quotes() {
        assert_eq!(wrapped("a 'b c' d", 80, "  "), "  a 'b c' d\n");
        assert_eq!(wrapped("one 'two three' four", 16, "  "), "  one \\\n      'two three' \\\n      four\n");
    }
}
