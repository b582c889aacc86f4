//! The documents: relative links have targets, commands print what stands below them, and the README stays short.

#[cfg(feature = "cli")]
use crate::common::console;
use std::fs;
use std::path::{Path, PathBuf};

/// The README has fewer lines.
const README_LINES: usize = 150;

/// The folders that hold documents.
const FOLDERS: [&str; 6] = ["", "docs", "docs/course", "docs/experiments", "fuzz", "scripts"];

/// The files of a folder with this extension.
pub fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).expect("a folder of documents");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

/// Every Markdown file of [`FOLDERS`].
fn documents() -> Vec<PathBuf> {
    FOLDERS.iter().flat_map(|folder| files(folder, "md")).collect()
}

/// The targets of `[text](target)`, with the number of their line, code blocks left out.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut in_code = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        in_code ^= line.starts_with("```");
        if !in_code {
            let targets = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
            found.extend(targets.map(|target| (index + 1, target)));
        }
    }
    found
}

/// The anchors that a Markdown renderer gives to the headings.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn relative_links_lead_somewhere() {
    let documents = documents();
    assert!(documents.len() > 10, "the documents were found");
    for path in documents {
        let text = fs::read_to_string(&path).expect("a document");
        for (line, target) in links(&text).into_iter().filter(|(_, target)| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = path.parent().expect("a folder");
            let other = if file.is_empty() { path.clone() } else { folder.join(file) };
            let place = format!("{}:{line}: {target}", path.display());
            assert!(other.exists(), "{place}: no such file");
            if !anchor.is_empty() {
                let headings = anchors(&fs::read_to_string(&other).expect("a document"));
                assert!(headings.iter().any(|heading| heading == anchor), "{place}: no such heading in {headings:?}");
            }
        }
    }
}

/// The commands of the textbook's documents: those of other documents need a terminal, another engine or hours.
#[cfg(feature = "cli")]
#[test]
fn commands_print_what_stands_below_them() {
    let textbook = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/textbook.md");
    let commands: Vec<_> =
        files("docs/course", "md").iter().chain([&textbook]).flat_map(|path| console::commands(path)).collect();
    assert!(commands.len() > 40, "the commands were found");
    commands.iter().for_each(console::Console::replay);
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README");
    assert!(readme.lines().count() < README_LINES, "what is longer goes to docs/");
}
