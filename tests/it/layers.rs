//! Allowed imports: reads the imports of every file of the workspace, and refuses import cycles and imports from a
//! folder above the importing one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of the workspace (a crate, a folder of a crate, or a file beside the folders of `src/`) and the folders
/// below it that its files may import. The compiler checks imports between crates; this table covers the folders inside
/// them, too.
const FLOORS: [(&str, &[&str]); 14] = [
    ("support", &[]),
    ("search", &["support"]),
    ("games", &["search", "support"]),
    ("textbook", &["games", "search", "support"]),
    ("api", &["games", "search", "support"]),
    ("record", &["games", "search", "support"]),
    ("protocol", &["api", "record", "games", "search", "support"]),
    ("engine", &["api", "record", "textbook", "games", "search", "support"]),
    ("library", &["protocol", "engine", "api", "games", "search", "support"]),
    ("tour", &["textbook", "games", "search", "support"]),
    ("train", &["games", "search", "support"]),
    ("referee", &["engine", "protocol", "api", "record", "games", "search", "support"]),
    ("connect", &["engine", "api", "record", "games", "search", "support"]),
    (
        "cli",
        &[
            "library", "connect", "referee", "train", "textbook", "engine", "protocol", "api", "record", "games",
            "search", "support",
        ],
    ),
];

/// The crates below the program. A crate that is one folder has the folder's name.
const CRATES: [(&str, bool); 7] = [
    ("support", true),
    ("core", false),
    ("textbook", true),
    ("host", false),
    ("referee", true),
    ("train", true),
    ("connect", true),
];

/// The cycles that one generic recursion needs, as sets of files, each with its reason. Other cycles are refused.
const RECURSIONS: [(&[&str], &str); 1] = [(
    &["search/level", "search/policy", "search/worker"],
    "a level compiles the recursion of a worker, whose type names its policy, which names its level",
)];

/// The modules of the crate that have a file of their own, with the modules that each of them imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// All `.rs` files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Module path (`search/pvs`) and text of every file except `main.rs` and the `lib.rs` of crates of several folders,
/// which only join them. Paths between crates are rewritten as if all were one crate.
pub fn files_of_the_workspace() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = BTreeMap::new();
    add_files(&root.join("src"), None, &mut files);
    for (name, is_one_folder) in CRATES {
        add_files(&root.join("crates").join(name).join("src"), is_one_folder.then_some(name), &mut files);
    }
    files
}

/// Adds the files of a crate, which is one folder of that name or several folders.
fn add_files(source: &Path, folder: Option<&str>, files: &mut BTreeMap<String, String>) {
    let mut paths = Vec::new();
    sources(source, &mut paths);
    for path in paths {
        let text = fs::read_to_string(&path).expect("a source");
        let path = path.strip_prefix(source).expect("below the folder").with_extension("");
        let name = path.to_string_lossy().replace('\\', "/");
        let name = name.strip_suffix("/mod").unwrap_or(&name);
        let (name, text) = match folder {
            Some(folder) if name == "lib" => {
                (folder.to_string(), text.replace("crate::", &format!("crate::{folder}::")))
            }
            Some(folder) => (format!("{folder}/{name}"), text.replace("crate::", &format!("crate::{folder}::"))),
            None if ["lib", "main"].contains(&name) => continue,
            None => (name.to_string(), text),
        };
        files.insert(name, in_one_crate(text));
    }
}

/// `flipside_core::search` as `crate::search`, `flipside_train` as `crate::train`.
fn in_one_crate(text: String) -> String {
    CRATES.iter().fold(text, |text, (name, is_one_folder)| {
        let path = format!("flipside_{name}");
        text.replace(&path, &if *is_one_folder { format!("crate::{name}") } else { "crate".to_string() })
    })
}

/// The text without comments and without the unit tests at its end.
pub fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`.
fn expand(tree: &str, paths: &mut Vec<String>) {
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return paths.push(path.chars().filter(|c| !c.is_whitespace()).collect());
    };
    let (prefix, rest) = tree.split_at(open);
    let inner = &rest[1..rest.rfind('}').unwrap_or(rest.len())];
    let (mut depth, mut start) = (0, 0);
    for (index, character) in inner.char_indices().chain([(inner.len(), ',')]) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[start..index].trim();
                if !part.is_empty() {
                    expand(&format!("{}{part}", prefix.trim()), paths);
                }
                start = index + 1;
            }
            _ => {}
        }
    }
}

/// Every path that the code imports or names from `crate` or `super` on.
fn paths_in(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in code.match_indices("use ") {
        let starts = !code[..at].ends_with(is_word);
        if let Some(end) = code[at..].find(';').filter(|_| starts) {
            expand(&code[at + 4..at + end], &mut paths);
        }
    }
    for word in ["crate::", "super::"] {
        for (at, _) in code.match_indices(word) {
            if !code[..at].ends_with(|c: char| is_word(c) || c == ':' || c == '$') {
                paths.push(code[at..].chars().take_while(|&c| is_word(c) || c == ':').collect());
            }
        }
    }
    paths
}

/// The file that a path leads to from a module, if it is in the workspace: the longest part of the path that is a file.
fn target(path: &str, from: &str, files: &BTreeMap<String, String>) -> Option<String> {
    let mut base: Vec<&str> = from.split('/').collect();
    let mut rest: Vec<&str> = path.split("::").collect();
    match rest[0] {
        "crate" => base.clear(),
        "super" | "self" => {
            while let Some(first) = rest.first().filter(|part| ["super", "self"].contains(part)) {
                if *first == "super" {
                    base.pop();
                }
                rest.remove(0);
            }
            base.append(&mut rest);
            rest = vec![""];
        }
        // A module below this one.
        first if files.contains_key(&format!("{from}/{first}")) => {
            base.append(&mut rest);
            rest = vec![""];
        }
        _ => return None,
    }
    base.extend(&rest[1..]);
    while !base.is_empty() {
        let name = base.join("/");
        if files.contains_key(&name) {
            return Some(name).filter(|name| name != from);
        }
        base.pop();
    }
    None
}

fn imports(files: &BTreeMap<String, String>) -> Imports {
    let of = |(name, text): (&String, &String)| {
        let targets = paths_in(&code(text)).iter().filter_map(|path| target(path, name, files)).collect();
        (name.clone(), targets)
    };
    files.iter().map(of).collect()
}

/// What can be reached from a file by at least one import.
fn reachable(imports: &Imports, from: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from.to_string()];
    while let Some(name) = open.pop() {
        for next in imports.get(&name).into_iter().flatten() {
            if found.insert(next.clone()) {
                open.push(next.clone());
            }
        }
    }
    found
}

/// The greatest sets of files that can each reach each other.
fn circles(imports: &Imports) -> BTreeSet<BTreeSet<String>> {
    let reach: BTreeMap<&String, BTreeSet<String>> =
        imports.keys().map(|name| (name, reachable(imports, name))).collect();
    let circle = |name: &String| -> BTreeSet<String> {
        reach[name].iter().filter(|other| reach.get(other).is_some_and(|back| back.contains(name))).cloned().collect()
    };
    imports.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// Cycles without a reason.
fn refused(imports: &Imports) -> Vec<BTreeSet<String>> {
    let allowed = |circle: &BTreeSet<String>| {
        RECURSIONS.iter().any(|(files, _)| circle.iter().all(|file| files.contains(&file.as_str())))
    };
    circles(imports).into_iter().filter(|circle| !allowed(circle)).collect()
}

fn floor_of(file: &str) -> &str {
    file.split('/').next().unwrap_or_default()
}

#[test]
fn every_folder_has_a_floor() {
    for file in files_of_the_workspace().keys() {
        assert!(FLOORS.iter().any(|(floor, _)| *floor == floor_of(file)), "{file} has no row in FLOORS");
    }
}

#[test]
fn folders_know_only_those_below_them() {
    let mut seen = 0;
    for (file, targets) in imports(&files_of_the_workspace()) {
        let (_, below) = FLOORS.iter().find(|(floor, _)| *floor == floor_of(&file)).expect("a row");
        for other in targets {
            seen += 1;
            let floor = floor_of(&other);
            assert!(floor == floor_of(&file) || below.contains(&floor), "{file} may use {below:?}, not {other}");
        }
    }
    assert!(seen > 300, "the imports were found: {seen}");
}

#[test]
fn floors_point_downwards() {
    for (index, (floor, below)) in FLOORS.iter().enumerate() {
        for other in *below {
            assert!(FLOORS[..index].iter().any(|(lower, _)| lower == other), "{floor} stands above {other}");
        }
    }
}

#[test]
fn no_file_is_in_a_circle_but_for_one_recursion() {
    let imports = imports(&files_of_the_workspace());
    assert_eq!(refused(&imports), Vec::<BTreeSet<String>>::new());
    let found = circles(&imports);
    for (files, reason) in RECURSIONS {
        let named: BTreeSet<String> = files.iter().map(|file| file.to_string()).collect();
        assert!(found.contains(&named), "no longer circular, so no longer allowed: {files:?} ({reason})");
    }
}

/// Imports that made the nine cycles of the crate's first year, with today's names: adding one of them back must fail.
const FORMER: [(&str, &str); 12] = [
    ("protocol/gtp/gogui", "use super::commands::parse;"),
    ("api/event", "use crate::engine::registry::Registry;"),
    ("engine/skill", "use super::dyn_engine::SearchRequest;"),
    ("engine/stdio", "use super::session::Session;"),
    ("games/reversi/kernels", "use super::solver::level::SolverLevel;"),
    ("games/reversi/board", "use super::rules::Reversi;"),
    ("referee/types", "use super::participant::Participant;"),
    ("search/game", "use super::policy::SearchPolicy;"),
    ("search/limits", "use super::worker::Worker;"),
    ("search/pruning", "use super::pvs::is_futile;"),
    ("referee/statistics/sprt", "use super::pairing_results::PairingResults;"),
    ("cli/solve/answer", "use super::worker::Worker;"),
];

#[test]
fn each_circle_of_the_past_would_be_found() {
    let files = files_of_the_workspace();
    let present = imports(&files);
    for (file, line) in FORMER {
        let mut files = files.clone();
        let text = files.get_mut(file).unwrap_or_else(|| panic!("no file {file}"));
        *text = format!("{line}\n{text}");
        let imports = imports(&files);
        assert!(imports != present, "{file}: {line} names no file");
        assert!(!refused(&imports).is_empty(), "{file}: {line}");
    }
}

#[test]
fn import_trees_are_read_as_the_compiler_reads_them() {
    let paths = paths_in(&code(
        "pub use super::a::{self, b::{C, d as e}}; // use crate::not::this;\nfn f() { crate::g::h() }\n#[cfg(test)]\nmod tests { use crate::nor::this; }",
    ));
    assert_eq!(paths, ["super::a::self", "super::a::b::C", "super::a::b::d", "crate::g::h", "super::a::"]);
}
