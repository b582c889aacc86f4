//! The examples at the end of the help of every subcommand.

use clap::Command;

/// A subcommand by the words that lead to it, and lines that can be typed as they are.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("", &["flipside --gtp --game minichess", "flipside --uci --threads 4 --hash 1024"]),
    (
        "play",
        &[
            "flipside play",
            "flipside play --game minichess --black human --strength 60",
            "flipside play --black engine --white engine --tc 1+1",
        ],
    ),
    (
        "bench",
        &[
            "flipside bench",
            "flipside bench --game minichess",
            "flipside bench --endgame ffo.obf --json",
            "flipside bench --endgame --compare old/flipside",
        ],
    ),
    ("perft", &["flipside perft 9", "flipside perft 5 --game minichess"]),
    (
        "match",
        &[
            "flipside match --engine 'name=a builtin' --engine 'name=b builtin option.Level=4' --nodes 1000 --games 20",
            "flipside match --config match.toml --json match.jsonl --resume",
        ],
    ),
    ("lint", &["flipside lint --cmd 'flipside --gtp' --protocol gtp"]),
    ("openings", &["flipside openings --plies 8 --count 50 > openings.txt"]),
    (
        "solve",
        &[
            "flipside solve --check ffo.obf",
            "flipside solve --all-moves --json < positions.obf",
            "flipside solve --jobs 4 --resume answers.txt positions.obf",
        ],
    ),
    (
        "analyze",
        &[
            "flipside analyze game.ggf --html report.html",
            "flipside analyze --time 2 --json --all-moves games.txt",
            "echo f5d6c3d3c4 | flipside analyze --depth 10 --svg game.svg",
        ],
    ),
    (
        "convert",
        &[
            "flipside convert --to ggf WTH_2001.wtb --out wth2001.ggf",
            "echo f5d6c3d3c4 | flipside convert --to pgn",
            "flipside convert --to svg --ply 20 game.sgf --out game.svg",
        ],
    ),
    (
        "split",
        &[
            "flipside split --state proof.state \"$POSITION\" > tasks.jsonl",
            "flipside solve --json tasks.jsonl > answers.jsonl",
        ],
    ),
    (
        "join",
        &[
            "flipside join --state proof.state answers.jsonl > tasks.jsonl",
            "flipside join --state proof.state --proof proof.jsonl",
        ],
    ),
    ("verify", &["flipside verify proof.jsonl", "flipside verify --sample 100 proof.jsonl"]),
    (
        "search",
        &[
            "flipside search --algorithm scout --order heuristic --table --depth 7",
            "flipside search --evaluation discs --depth 6 --compare",
        ],
    ),
    (
        "trace",
        &[
            "flipside trace --algorithm alphabeta-hard --tree '(((1 5 6) (8 3)) (L (1 W)))'",
            "flipside trace --depth 2 --evaluation discs --format svg --position \
             '---------------------------OX------XO--------------------------- X' > trace.svg",
        ],
    ),
    (
        "growth",
        &["flipside growth --branching 2..8 --depth 6", "flipside growth --game reversi --depth 1..8 --svg growth.svg"],
    ),
    ("book", &["flipside book ask f5d6c3", "flipside book learn --book my.book games.txt"]),
    ("book build", &["flipside book build --book my.book --positions 5000 --threads 4"]),
    ("book ask", &["flipside book ask f5d6c3", "flipside book ask --book my.book --json f5f6"]),
    ("book learn", &["flipside book learn --book my.book games.txt"]),
    ("book check", &["flipside book check --book my.book --count 100 --deeper 4"]),
    ("book lines", &["flipside book lines --within 1 --plies 10", "flipside book lines f5f6 --count"]),
    ("book merge", &["flipside book merge --book my.book one.book other.book"]),
    ("book prune", &["flipside book prune --book my.book --within 4"]),
    ("book stats", &["flipside book stats --book my.book"]),
    (
        "book export",
        &["flipside book export --book my.book > my.jsonl", "flipside book export --format obf > book.obf"],
    ),
    ("book import", &["flipside book import --book my.book my.jsonl"]),
    ("book draw", &["flipside book draw --within 1 --plies 8 --out tree.svg"]),
    ("tables", &["flipside tables", "flipside tables --probe '9 W ..k../...../...../...../...../R...K'"]),
    (
        "train",
        &["flipside train selfplay --games 10000 --out my.games", "flipside train fit --games my.games --out my.bin"],
    ),
    ("train selfplay", &["flipside train selfplay --games 10000 --threads 4 --out my.games"]),
    ("train label", &["flipside train label --games my.games --weights my.bin --out better.games"]),
    ("train merge", &["flipside train merge --out my.games a.lines b.lines"]),
    ("train fit", &["flipside train fit --games my.games --out my.bin"]),
    ("train network", &["flipside train network --games my.games --out network.bin"]),
    ("train weighted", &["flipside train weighted --games my.games --out my.toml"]),
    ("train probcut", &["flipside train probcut --games my.games --weights my.bin --out better.bin"]),
    ("train minichess", &["flipside train minichess --games chess.games --network --out my.net"]),
    ("completions", &["flipside completions bash > ~/.local/share/bash-completion/completions/flipside"]),
    ("man", &["flipside man | man -l -", "flipside man --dir ~/.local/share/man/man1"]),
];

/// Columns before an example.
const INDENT: &str = "  ";

/// The command with the examples of all its subcommands, broken for a terminal of this many columns.
pub fn add(command: Command, width: usize) -> Command {
    EXAMPLES.iter().fold(command, |command, (path, lines)| {
        let text: String = lines.iter().map(|line| wrapped(line, width, INDENT)).collect();
        let words: Vec<&str> = path.split_whitespace().collect();
        at(command, &words, &format!("Examples:\n{}", text.trim_end()))
    })
}

/// Puts the text below the help of the subcommand that these words lead to, if this build has it.
fn at(command: Command, path: &[&str], text: &str) -> Command {
    match path.split_first() {
        None => command.after_help(text.to_string()),
        Some((name, _)) if command.find_subcommand(name).is_none() => command,
        Some((name, rest)) => command.mut_subcommand(name, |sub| at(sub, rest, text)),
    }
}

/// A line for a shell, broken at blanks outside quotes where it is longer than the terminal is wide.
pub fn wrapped(line: &str, width: usize, indent: &str) -> String {
    let (mut text, mut columns) = (String::from(indent), indent.len());
    for (index, word) in shell_words(line).into_iter().enumerate() {
        // A blank before the word, and a blank and a backslash behind it.
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

/// The words of a line, those in quotes whole.
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

    /// Every page, by the words that lead to it.
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
                // The parser does not break its lines of usage.
                let is_wide = |line: &&str| line.chars().count() > width && !line.starts_with("Usage: ");
                let too_long = page.lines().find(is_wide);
                let is_word = |line: &str| line.trim().split(' ').any(|word| word.chars().count() + 12 > width);
                assert!(too_long.is_none_or(is_word), "{path} at {width}: {too_long:?}");
            }
        }
    }

    /// The examples are command lines that the parser takes.
    #[test]
    fn every_example_is_taken() {
        for (_, lines) in EXAMPLES {
            for line in *lines {
                let line = line.rsplit(" | flipside").next().unwrap_or_default();
                let line = line.split(['|', '<', '>']).next().unwrap_or_default();
                let line = if line.trim_start().starts_with("flipside") {
                    line.to_string()
                } else {
                    format!("flipside {line}")
                };
                let words = shell_words(&line).into_iter().map(|word| word.trim_matches(['\'', '"']));
                let command = command_line::command(Cli::command(), 80);
                if cfg!(feature = "train") || !line.contains(" train ") {
                    assert!(command.try_get_matches_from(words).is_ok(), "{line}");
                }
            }
        }
    }

    #[test]
    fn long_lines_are_broken_outside_quotes() {
        assert_eq!(wrapped("a 'b c' d", 80, "  "), "  a 'b c' d\n");
        assert_eq!(wrapped("one 'two three' four", 16, "  "), "  one \\\n      'two three' \\\n      four\n");
    }
}
