//! The output of `flipside bench --endgame FILE`, `--scaling` and `--compare`, and what they refuse.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use serde_json::Value;
use std::process::{Command, Output};

const OWN: &str = env!("CARGO_BIN_EXE_flipside");

/// FFO #1 and #2 (14 empty squares), and a position of 8.
const POSITIONS: [&str; 3] = [
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; # ffo-1 score=+18",
    "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; # ffo-2 score=+10",
    "OXXXXXXXOXXXXXXXOXXOXXXXOXXXOXXXOXXXXOXXOXXXXXOXOOOOOOOO-------- O; #",
];

struct Positions(Home);

impl Positions {
    fn new(lines: &[&str]) -> Positions {
        let home = Home::new();
        home.write("positions.obf", format!("# positions\n\n{}\n", lines.join("\n")));
        Positions(home)
    }

    fn bench(&self, more: &[&str]) -> Output {
        let endgame = ["bench", "--hash", "1", "--endgame"];
        Command::new(OWN).args(endgame).arg(self.0.path("positions.obf")).args(more).output().expect("the bench runs")
    }
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn nodes(object: &Value) -> u64 {
    object["nodes"].as_u64().expect("a number of nodes")
}

fn nodes_of_all(objects: &Value) -> u64 {
    objects.as_array().expect("an array").iter().map(nodes).sum()
}

#[test]
fn an_endgame_bench_sums_by_empty_squares() {
    let positions = Positions::new(&POSITIONS);
    let report: Value = serde_json::from_str(&text(&positions.bench(&["--json"]))).expect("an object");
    assert_eq!(nodes_of_all(&report["positions"]), nodes(&report));
    assert_eq!(nodes_of_all(&report["stages"]), nodes(&report));
    let stages: Vec<(u64, u64)> = report["stages"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|stage| (stage["empties"].as_u64().expect("a number"), stage["positions"].as_u64().expect("a number")))
        .collect();
    assert_eq!(stages, [(8, 1), (14, 2)]);
    assert_eq!(report["positions"][0]["score"], 18);
    let printed = text(&positions.bench(&[]));
    assert_eq!(printed.lines().count(), 3 + 2 + 1, "{printed}");
    assert!(printed.lines().last().is_some_and(|line| line.contains(&nodes(&report).to_string())), "{printed}");
}

#[test]
fn a_wrong_score_and_a_bad_line_are_errors() {
    for (name, line) in
        [("wrong", POSITIONS[0].replace("+18", "+16")), ("bad", String::from("XO- X")), ("none", String::new())]
    {
        let output = Positions::new(&[&line]).bench(&[]);
        assert!(!output.status.success() && !output.stderr.is_empty(), "{name}: {output:?}");
    }
}

#[test]
fn a_scaling_bench_compares_numbers_of_threads() {
    let positions = Positions::new(&POSITIONS);
    let bench = |more: &[&str]| {
        let command = ["bench", "--hash", "1", "--threads", "1,1", "--scaling"];
        Command::new(OWN)
            .args(command)
            .arg(positions.0.path("positions.obf"))
            .args(more)
            .output()
            .expect("the bench runs")
    };
    let report: Value =
        serde_json::from_str(&text(&bench(&["--workload", "short", "--positions", "2", "--json"]))).expect("an object");
    let rows = report["rows"].as_array().expect("an array");
    assert!(rows.len() == 2 && nodes(&rows[0]) == nodes(&rows[1]) && nodes(&rows[0]) > 0, "{report}");
    for (field, value) in [("positions", 2.0), ("nodes_ratio", 1.0), ("idle", 0.0), ("splits", 0.0)] {
        assert_eq!(rows[1][field].as_f64(), Some(value), "{field}: {report}");
    }
    assert_eq!((&report["processors"], rows[0]["speedup"].as_f64()), (&Value::from("real"), Some(1.0)));
    let printed = text(&bench(&[]));
    assert_eq!(printed.lines().count(), 3 * 2, "{printed}");
    let refused = Command::new(OWN).args(["bench", "--threads", "1,2"]).output().expect("the bench runs");
    assert!(!refused.status.success(), "{refused:?}");
}

#[test]
fn a_program_equals_itself() {
    let positions = Positions::new(&POSITIONS[2..]);
    let report = text(&positions.bench(&["--compare", OWN, "--rounds", "2", "--json"]));
    let report: Value = serde_json::from_str(&report).expect("an object");
    assert_eq!(report["nodes_ratio"], 1.0);
    let rounds = report["rounds"].as_array().expect("an array");
    assert!(
        rounds.len() == 2 && rounds.iter().all(|round| round["own"]["nodes"] == round["other"]["nodes"]),
        "{report}"
    );
    let ratio = |name: &str| report["seconds_ratio"][name].as_f64().expect("a number");
    assert!(ratio("low") <= ratio("ratio") && ratio("ratio") <= ratio("high"), "{report}");
    let printed = text(&positions.bench(&["--compare", OWN, "--rounds", "2"]));
    assert!(printed.ends_with("nodes      1.0000\n"), "{printed}");
}

#[test]
fn programs_that_measure_nothing_are_errors() {
    let positions = Positions::new(&POSITIONS[2..]);
    for other in ["/nowhere/flipside", "false", "true"] {
        let output = positions.bench(&["--compare", other, "--rounds", "2"]);
        assert!(!output.status.success() && !output.stderr.is_empty(), "{other}: {output:?}");
    }
}

/// Positions generated: those entered, and the children ranked or looked up on the way. One thread counts the same ones
/// each time.
#[test]
fn positions_generated_are_counted_beside_those_entered() {
    let positions = Positions::new(&POSITIONS);
    let count = || {
        let report: Value = serde_json::from_str(&text(&positions.bench(&["--json"]))).expect("an object");
        let generated = report["generated"].as_u64().expect("a number of positions");
        let of_each = report["positions"].as_array().expect("an array").iter();
        assert_eq!(of_each.filter_map(|solved| solved["generated"].as_u64()).sum::<u64>(), generated);
        (nodes(&report), generated)
    };
    let (nodes, generated) = count();
    assert!(generated > nodes && generated < 4 * nodes, "{generated} generated, {nodes} entered");
    assert_eq!(count(), (nodes, generated));
}
