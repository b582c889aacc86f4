//! Who may know whom. Dependencies point one way; this reads the `use` lines and enforces it.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of `src/` and the modules of ours that its files may name.
const LAYERS: [(&str, &[&str]); 11] = [
    ("support", &["support"]),
    ("search", &["search", "support"]),
    ("games", &["games", "search", "support"]),
    ("api", &["api", "search", "games::names"]),
    ("record", &["record", "api", "protocol::token", "search::types", "search::notation"]),
    ("protocol", &["protocol", "record", "api", "search::types", "search::notation"]),
    ("engine", &["engine", "api", "games", "search", "support", "textbook"]),
    ("textbook", &["textbook", "games", "search", "support"]),
    ("referee", &["referee", "record", "protocol", "api", "engine", "games", "search", "support"]),
    ("train", &["train", "games", "search", "support"]),
    (
        "cli",
        &["cli", "api", "engine", "protocol", "games", "search", "support", "record", "referee", "train", "textbook"],
    ),
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn sources_of(layer: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(layer)
}

#[test]
fn every_folder_is_a_layer() {
    for entry in fs::read_dir(sources_of("")).expect("the sources") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(
            !entry.path().is_dir() || LAYERS.iter().any(|(layer, _)| *layer == name),
            "{name} has no row in LAYERS"
        );
    }
}

#[test]
fn dependencies_point_one_way() {
    let mut seen = 0;
    for (layer, allowed) in LAYERS {
        let mut sources = Vec::new();
        let folder = sources_of(layer);
        if folder.is_dir() {
            files(&folder, &mut sources);
        }
        for source in sources {
            let text = fs::read_to_string(&source).expect("a source");
            for (number, line) in text.lines().enumerate() {
                for part in line.split("crate::").skip(1) {
                    seen += 1;
                    let fits = allowed.iter().any(|module| {
                        part.strip_prefix(module).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
                    });
                    let place = format!("{}:{}", source.display(), number + 1);
                    assert!(fits, "{place}: {layer} may use {allowed:?}, not crate::{part}");
                }
            }
        }
    }
    assert!(seen > 50, "the sources were found");
}
