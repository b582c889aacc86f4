//! Commands in documents, in fences of code: `$ flipside ...`, and below it what the program prints.
//!
//! A line `...` stands for any number of lines, `…` in a line for any text; times are not compared. A command that ends in
//! `> FILE` prints nothing: the file beside the document holds its output.

use super::program;
use super::transcript::fits;
use std::fs;
use std::path::{Path, PathBuf};

/// A command of a document.
pub struct Console {
    /// The document and the line.
    place: String,
    /// The command as a shell reads it, without the program's name.
    command: String,
    /// The file that gets the output.
    pub file: Option<PathBuf>,
    /// The lines below the command.
    shown: Vec<String>,
}

/// The commands of a document, in their order.
pub fn commands(document: &Path) -> Vec<Console> {
    let text = fs::read_to_string(document).expect("a document");
    let mut lines = text.lines().enumerate().peekable();
    let mut found = Vec::new();
    while let Some((index, line)) = lines.next() {
        let Some(first) = line.strip_prefix("$ flipside ") else { continue };
        let mut command = first.to_string();
        while let Some(begun) = command.strip_suffix('\\') {
            command = begun.to_string() + lines.next().expect("the rest of the command").1;
        }
        let is_output = |&(_, line): &(usize, &str)| !line.starts_with("$ ") && line != "```";
        let shown = std::iter::from_fn(|| lines.next_if(is_output)).map(|(_, line)| line.to_string()).collect();
        let (command, file) = match command.split_once(" > ") {
            Some((command, file)) => (command.to_string(), Some(document.with_file_name(file))),
            None => (command, None),
        };
        found.push(Console { place: format!("{}:{}", document.display(), index + 1), command, file, shown });
    }
    found
}

impl Console {
    /// Runs the command and compares.
    ///
    /// # Panics
    /// Panics if the program fails or prints something else than the document or the file shows.
    pub fn replay(&self) {
        let Console { place, command, file, shown } = self;
        let words = shell_words::split(command).expect("words");
        let output = program::run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "");
        assert!(output.status.success(), "{place}: {}", program::stderr(&output));
        let printed = program::stdout(&output);
        let Some(file) = file else {
            let lines: Vec<&str> = printed.lines().collect();
            assert!(matches(shown, &lines), "{place}: flipside {command}\nprints\n{printed}");
            return;
        };
        let is_same = fs::read_to_string(file).is_ok_and(|held| held == printed);
        assert!(is_same && shown.is_empty(), "{place}: {} is out of date: run the command there", file.display());
    }
}

/// Whether the lines of a document describe those that were printed.
fn matches(shown: &[String], printed: &[&str]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, _) => printed.is_empty(),
        (Some((dots, rest)), _) if dots == "..." => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        (Some((line, rest)), Some((first, others))) => {
            let is_time = [line.as_str(), first].iter().all(|line| line.starts_with("seconds "));
            (is_time || fits(line, first)) && matches(rest, others)
        }
        (Some(_), None) => false,
    }
}

#[test]
fn lines_match_what_they_describe() {
    let matches = |shown: &str, printed: &str| {
        matches(&shown.lines().map(str::to_string).collect::<Vec<_>>(), &printed.lines().collect::<Vec<_>>())
    };
    assert!(matches("a\n...\nd", "a\nb\nc\nd") && matches("a\n...", "a") && matches("a …", "a b"));
    assert!(matches("seconds 0.000", "seconds 1.5"));
    assert!(!matches("a\n...\nd", "a\nb") && !matches("a", "a\nb") && !matches("a\nb", "a"));
}
