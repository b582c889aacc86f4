//! JSON outputs about MiniChess, for the test of `docs/json.md`.
#![cfg(all(unix, feature = "cli"))]

use crate::common::program;
use std::path::PathBuf;

fn flipside(arguments: &[&str], input: &str) -> String {
    program::stdout(&program::run(arguments, input))
}

/// A file that no other test uses.
fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("minichess-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// The output for tables of MiniChess whose entries are all the same.
pub fn probe(entry: u8) -> String {
    use flipside::games::minichess::tables::MaterialClass;
    let classes: Vec<Vec<u8>> = MaterialClass::all().map(|class| vec![entry; class.size()]).collect();
    let sum = flipside::support::hash::checksum_of_parts(classes.iter().map(Vec::as_slice));
    let content = [b"flipside minichess tables 1\n", &sum.to_le_bytes()[..], &classes.concat()].concat();
    let file = scratch("tables");
    std::fs::write(&file, content).expect("a file");
    let path = file.to_str().expect("a path");
    let answer =
        flipside(&["tables", "--json", "--probe", "9 W ..k../...../...../...../...../R...K", "--file", path], "");
    std::fs::remove_file(&file).expect("the file");
    answer
}

/// The outputs of generating the tables of MiniChess, a material of five pieces (which has no pawns), and a check of it.
pub fn generated_tables() -> [String; 3] {
    let file = scratch("generated.tables");
    let path = file.to_str().expect("a path");
    let tables =
        |more: &[&str]| flipside(&[&["tables", "--json", "--file", file.to_str().expect("a path")], more].concat(), "");
    let said = tables(&[]);
    let bytes = std::fs::metadata(&file).expect("the tables").len();
    assert!(said.contains(&format!("\"bytes\":{bytes},")), "{said}");
    let five = tables(&["--material", "KvKNNN"]);
    assert!(five.contains("\"materials\":1,\"made\":1,"), "{five}");
    let again = tables(&["--material", "KNNNvK"]);
    assert!(again.contains("\"materials\":1,\"made\":0,"), "{again}");
    let checked = tables(&["--check", "2000"]);
    assert!(checked.contains("\"materials\":1,\"positions\":2000,\"wrong\":0"), "{checked}");
    let missing = program::run(&["tables", "--check", "all", "--material", "KQvKNN", "--file", path], "");
    assert!(program::stderr(&missing).contains("there is no table of KQvKNN"), "{}", program::stderr(&missing));
    let probe = tables(&["--probe", "9 W k..../...../N.K../...../.N.N./....."]);
    assert!(probe.contains("\"result\":\"win\""), "{probe}");
    std::fs::remove_file(&file).expect("the tables");
    let folder = flipside::games::minichess::tables::five::folder(&file);
    std::fs::remove_dir_all(folder).expect("the tables of five pieces");
    [said, five, checked]
}

/// Solved positions, a proof, the first line of a strategy, and what `verify` says of both.
pub fn proof() -> [String; 4] {
    let file = scratch("proof");
    let path = file.to_str().expect("a path");
    let solve = ["solve", "--game", "minichess", "--json", "--hash", "1"];
    let positions = "39 W kqbnr/ppppp/...../...../PPPPP/RNBQK\n41 W k..../...../...../...../...../R...K\n";
    let drawn = flipside(&solve, positions);
    let won = "30 W ...../.k.../...../...../..Q../....K";
    let answer = flipside(&[&solve[..], &["--certificate", path]].concat(), won);
    let proof = std::fs::read_to_string(&file).expect("a proof");
    let verdict = flipside(&["verify", "--json", path], "");
    let all = flipside(&[&solve[..], &["--all-moves"]].concat(), won);
    flipside(&[&solve[..], &["--certificate", path, "--compact"]].concat(), won);
    let strategy = std::fs::read(&file).expect("a strategy");
    let first = strategy.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first).into_owned();
    let verdicts = verdict + &flipside(&["verify", "--json", path], "");
    std::fs::remove_file(&file).expect("the file");
    [drawn + &answer + &all, proof, first, verdicts]
}
