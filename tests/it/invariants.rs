//! Rules of the source text that no compiler lint checks: words that belong to certain folders, the length of files,
//! and the index of scripts. `layers.rs` checks imports.

use super::layers::{code, files_of_the_workspace};
use std::fs;
use std::path::{Path, PathBuf};

/// Largest number of lines of a source file.
const FILE_LINES: usize = 500;

/// Words that only some modules may contain (their path prefixes), each with its reason.
const WORDS: [(&str, &[&str], &str); 5] = [
    ("is_x86_feature_detected!", &["search/level"], "the processor level is chosen in one place"),
    ("stdout()", &["cli/", "library/serve"], "stdout belongs to the protocol, and the session alone writes it"),
    ("std::fs", &["support/", "games/", "cli/", "referee/", "train/"], "parsers and the session open no file"),
    ("File::open", &["support/", "games/", "cli/", "referee/", "train/"], "parsers and the session open no file"),
    ("async fn", &[], "threads and channels only"),
];

/// Words that the code of `search/` must not contain, because it serves every game.
const GAMES: [&str; 5] = ["reversi", "othello", "minichess", "gomoku", "tic_tac_toe"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder, without those of builds; none if the folder does not exist.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if !path.is_dir() {
            found.push(path);
        } else if !path.ends_with("target") && !path.ends_with("node_modules") && !path.ends_with(".venv") {
            files(&path, found);
        }
    }
}

/// The Rust files below these folders of the repository, with their text.
fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    folders.iter().for_each(|folder| files(&root().join(folder), &mut found));
    let rust = found.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    rust.map(|path| (path.clone(), fs::read_to_string(path).expect("a source"))).collect()
}

/// Module path (`search/pvs`) and code, without comments and unit tests, of every file of the program.
fn modules() -> impl Iterator<Item = (String, String)> {
    let is_test = |name: &str| name.ends_with("tests") || name.contains("/tests/");
    let files = files_of_the_workspace().into_iter().filter(move |(name, _)| !is_test(name));
    files.map(|(name, text)| (name, code(&text)))
}

#[test]
fn files_are_short() {
    let sources = sources(&["src", "crates", "tests", "benches", "examples", "fuzz/targets", "web", "python", "c"]);
    assert!(sources.len() > 400, "the sources were found: {}", sources.len());
    for (path, text) in sources {
        assert!(text.lines().count() <= FILE_LINES, "{}: more than {FILE_LINES} lines", path.display());
    }
}

#[test]
fn words_stay_in_their_folders() {
    let modules: Vec<(String, String)> = modules().collect();
    for (word, folders, reason) in WORDS {
        let users = modules.iter().filter(|(_, code)| code.contains(word));
        for (name, _) in users {
            assert!(folders.iter().any(|folder| name.starts_with(folder)), "{name} has `{word}`: {reason}");
        }
    }
}

#[test]
fn the_search_names_no_game() {
    let search: Vec<(String, String)> = modules().filter(|(name, _)| name.starts_with("search/")).collect();
    assert!(search.len() > 10, "the search was found");
    for (name, code) in search {
        let code = code.to_lowercase();
        assert_eq!(GAMES.iter().find(|game| code.contains(*game)), None, "named in {name}");
    }
}

#[test]
fn every_script_is_in_the_index() {
    let index = fs::read_to_string(root().join("scripts/README.md")).expect("the index of scripts");
    let listed: Vec<&str> = index
        .lines()
        .filter_map(|line| line.strip_prefix("| [`"))
        .filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0))
        .collect();
    let mut found = Vec::new();
    files(&root().join("scripts"), &mut found);
    let name =
        |path: &PathBuf| path.strip_prefix(root().join("scripts")).expect("below").to_string_lossy().into_owned();
    let present = found.iter().map(name).filter(|name| name != "README.md" && !name.contains("__pycache__"));
    let mut present: Vec<String> = present.map(|name| name.replace('\\', "/")).collect();
    present.sort();
    let mut listed: Vec<String> = listed.into_iter().map(String::from).collect();
    listed.sort();
    assert_eq!(listed, present, "scripts/README.md has one row for each file");
}
