//! The techniques of the production search made visible: each can be added and disabled, and its traces are drawn.

#![cfg(feature = "cli")]

use serde_json::Value;
use std::process::{Command, Output};

fn flipside(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_flipside")).args(arguments).output().expect("the binary")
}

fn output_of(arguments: &[&str]) -> String {
    let output = flipside(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn error_of(arguments: &[&str]) -> String {
    let output = flipside(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

fn json_of(arguments: &[&str]) -> Value {
    serde_json::from_str(&output_of(arguments)).expect("JSON")
}

/// White's queen may take a pawn that another pawn guards.
const HORIZON: &str = "20 W / k.... / ..p.. / .p... / ..... / .Q... / ...K.";
/// The textbook's position.
const QUEEN: &str = "20 W / .k... / ..... / .p... / ..Q.. / ..... / ...K.";

fn minichess<'a>(position: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let arguments = ["search", "--game", "minichess", "--evaluation", "material", "--algorithm", "pvs", "--json"];
    [&arguments[..], &["--position", position], more].concat()
}

#[test]
fn quiescence_sees_beyond_the_horizon() {
    let without = json_of(&minichess(HORIZON, &["--depth", "1"]));
    assert_eq!((without["bestmove"].as_str(), without["score"].as_f64()), (Some("b2-b4"), Some(8.0)), "a pawn is won");
    let with = json_of(&minichess(HORIZON, &["--depth", "1", "--with", "quiescence"]));
    assert_ne!(with["bestmove"], "b2-b4", "the queen would be taken back");
    assert_eq!(with["score"], 7.0);
    let deeper = json_of(&minichess(HORIZON, &["--depth", "2"]));
    assert_eq!(deeper["score"], 7.0, "what quiescence sees, a deeper search proves");
}

#[test]
fn each_technique_saves_positions_or_is_refused() {
    let start = ["--depth", "6", "--order", "heuristic", "--table"];
    let nodes = |more: &[&str]| {
        let start_position = "1 W / kqbnr / ppppp / ..... / ..... / PPPPP / RNBQK";
        json_of(&minichess(start_position, &[&start[..], more].concat()))["nodes"].as_u64().expect("a count")
    };
    let quiescence = nodes(&["--with", "quiescence"]);
    let null_move = nodes(&["--with", "quiescence,null-move"]);
    let reductions = nodes(&["--with", "quiescence,null-move,reductions"]);
    assert!(null_move < quiescence && reductions < null_move, "{quiescence} {null_move} {reductions}");
    assert_ne!(nodes(&["--with", "quiescence,extensions"]), quiescence);

    let reversi = ["search", "--algorithm", "pvs", "--order", "heuristic", "--table", "--depth", "8", "--json"];
    let nodes = |more: &[&str]| json_of(&[&reversi[..], more].concat())["nodes"].as_u64().expect("a count");
    assert!(nodes(&["--with", "probcut"]) < nodes(&[]));

    for (arguments, reason) in [
        (&["search", "--algorithm", "pvs", "--with", "quiescence"][..], "the game has no quiescence"),
        (&["search", "--algorithm", "pvs", "--evaluation", "discs", "--with", "probcut"], "the game has no probcut"),
        (&["search", "--with", "quiescence", "--game", "minichess"], "need --algorithm pvs"),
        (&["search", "--algorithm", "pvs", "--with", "magic"], "expected one of aspiration, quiescence"),
        (&["search", "--order", "rule"], "the game has no order 'rule'"),
        (&["growth", "--game", "tic-tac-toe", "--with", "null-move", "--depth", "1"], "the game has no null-move"),
    ] {
        assert!(error_of(arguments).contains(reason), "{arguments:?}: {}", error_of(arguments));
    }
}

#[test]
fn growth_has_a_column_for_each_technique() {
    let arguments = ["growth", "--game", "minichess", "--evaluation", "material", "--depth", "1..4"];
    let table = output_of(&[&arguments[..], &["--with", "quiescence,null-move"]].concat());
    assert!(
        table.starts_with("| depth | minimax |") && table.contains(" | and quiescence | and null-move |\n"),
        "{table}"
    );
    assert_eq!(table.lines().last().expect("a row").matches('|').count(), 9, "{table}");
}

#[test]
fn techniques_are_marked_in_traces() {
    let trace = ["trace", "--game", "minichess", "--evaluation", "material", "--algorithm", "pvs", "--position"];
    let text = output_of(&[&trace[..], &[HORIZON, "--depth", "1", "--with", "quiescence"]].concat());
    assert!(
        text.contains("c5-b4:") && text.contains(" (quiescence)\n") && text.contains(", beside the tree "),
        "{text}"
    );
    let rooks = "20 W / k...r / pp... / ..... / ..... / ...PP / R...K";
    let arguments = [rooks, "--depth", "4", "--with", "quiescence,null-move,reductions", "--order", "heuristic"];
    let text = output_of(&[&trace[..], &arguments].concat());
    assert!(text.contains(" (null move, depth ") && text.contains(" less)"), "{text:.3000}");
    let svg = output_of(&[&trace[..], &arguments, &["--format", "svg"]].concat());
    assert!(svg.contains("class=\"technique\"") && svg.contains(">null move, depth "));
    let json = output_of(&[&trace[..], &arguments, &["--format", "json"]].concat());
    assert!(json.contains("\"technique\":\"quiescence\""));

    let middle_game = "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X";
    let arguments = ["--depth", "5", "--order", "heuristic", "--with", "probcut", "--position", middle_game];
    let text = output_of(&[&["trace", "--algorithm", "pvs"][..], &arguments].concat());
    assert!(text.contains(" (ProbCut, depth "), "{text:.3000}");
}

#[test]
fn iterations_tell_what_they_cost_and_what_their_order_gained() {
    let arguments = ["search", "--algorithm", "pvs", "--order", "heuristic", "--table", "--depth", "8", "--json"];
    let answer = json_of(&[&arguments[..], &["--iterations"]].concat());
    let rows = answer["iterations"].as_array().expect("rows");
    let depths: Vec<_> = rows.iter().filter_map(|row| row["depth"].as_i64()).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5, 6, 7, 8]);
    let sum: u64 = rows.iter().filter_map(|row| row["nodes"].as_u64()).sum();
    assert_eq!(Some(sum), answer["nodes"].as_u64());
    let last = &rows[7];
    assert_eq!(last["straight"], json_of(&arguments)["nodes"], "a search of depth 8 alone");
    assert!(last["nodes"].as_u64() < last["straight"].as_u64(), "the earlier iterations ordered the moves of the last");
    assert_eq!(last["pv"].as_array().expect("a line").len(), 8);
    assert_eq!(last["pv"][0], answer["bestmove"]);
}

/// An aspiration window that proves too narrow is widened on that side, until the value lies inside.
#[test]
fn failed_aspiration_windows_are_searched_again() {
    let arguments = ["--order", "heuristic", "--table", "--depth", "6", "--iterations"];
    let answer = json_of(&minichess(PROMOTION, &arguments));
    let rows = answer["iterations"].as_array().expect("rows").clone();
    let windows: Vec<Value> = rows.iter().flat_map(|row| row["windows"].as_array().expect("windows").clone()).collect();
    assert!(windows.iter().any(|window| window["result"] != "exact"), "{windows:?}");
    for row in &rows {
        let windows = row["windows"].as_array().expect("windows");
        assert_eq!(windows.last().expect("a window")["result"], "exact");
        assert!(windows.split_last().expect("a window").1.iter().all(|window| window["result"] != "exact"));
    }
    let without = json_of(&minichess(PROMOTION, &[&arguments[..], &["--without", "aspiration"]].concat()));
    assert_eq!(without["score"], answer["score"]);
    let without = without["iterations"].as_array().expect("rows");
    assert!(without.iter().all(|row| row["windows"].as_array().expect("windows").len() == 1));

    let trace =
        ["trace", "--game", "minichess", "--evaluation", "material", "--algorithm", "pvs", "--position", PROMOTION];
    let failing = rows.iter().find(|row| row["windows"].as_array().is_some_and(|windows| windows.len() > 1));
    let depth = failing.expect("a failure")["depth"].to_string();
    let arguments = ["--order", "heuristic", "--table", "--deepen", "--depth", &depth];
    let text = output_of(&[&trace[..], &arguments].concat());
    assert!(text.starts_with(&format!("depth {depth} [")) && text.contains(" fails "), "{text:.500}");
}

/// White's pawn promotes beyond the first iterations' depth.
const PROMOTION: &str = "20 W / ....k / ..... / ..... / P.... / ..... / ..K..";

#[test]
fn the_source_prints_these_values_of_material() {
    let trace =
        ["trace", "--game", "minichess", "--evaluation", "material-ratio", "--depth", "2", "--algorithm", "minimax"];
    let text = output_of(&[&trace[..], &["--position", QUEEN]].concat());
    for line in ["b4-b3:0.7[L,W] =", "b4-a3:-0.5[L,W] ="] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn the_order_rule_takes_first_and_retreats_last() {
    let trace = ["trace", "--game", "minichess", "--evaluation", "material", "--depth", "1", "--order", "rule"];
    let text = output_of(&[&trace[..], &["--position", QUEEN]].concat());
    let place = |mv: &str| text.find(&format!("{mv}:")).unwrap_or_else(|| panic!("{mv} in {text}"));
    let order = ["c3-b4", "c3-d4", "c3-e5", "c3-d3", "c3-c1"].map(place);
    assert!(order.is_sorted(), "{text}");
}

/// The side to move has one move in each position, its opponent every legal one, down to the end of the game.
#[test]
fn a_policy_answers_every_move() {
    let arguments = ["trace", "--game", "tic-tac-toe", "--position", "xo....... x", "--depth", "9", "--policy"];
    let record = json_of(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(record["value"], "W", "a corner answered on an edge loses");
    fn check(node: &Value, empty: usize, answers: &mut u64, lines: &mut u64) {
        let children = node["children"].as_array().expect("children");
        if children.is_empty() {
            assert_eq!(node["value"], "W", "every line of the policy wins");
            *lines += 1;
        } else if node["player"] == "max" {
            assert_eq!(children.len(), 1);
            *answers += 1;
        } else {
            assert_eq!(children.len(), empty, "every square is answered");
        }
        children.iter().for_each(|child| check(child, empty - 1, answers, lines));
    }
    let (mut answers, mut lines) = (0, 0);
    check(&record["tree"], 7, &mut answers, &mut lines);
    assert_eq!((record["answers"].as_u64(), record["lines"].as_u64()), (Some(answers), Some(lines)));
    let text = output_of(&arguments);
    assert!(text.starts_with("max W\n└─ ") && text.ends_with(&format!(" {lines} lines\n")), "{text}");
    let svg = output_of(&[&arguments[..], &["--format", "svg"]].concat());
    assert!(svg.starts_with("<svg") && svg.contains(&format!("{lines} lines")));
    assert!(error_of(&[&arguments[..], &["--algorithm", "uct"]].concat()).contains("does not prove a policy"));
}

/// Every position of the search is expanded once in the graph, and each reference names one of them.
#[test]
fn a_graph_draws_transpositions_once() {
    let arguments = ["trace", "--game", "tic-tac-toe", "--position", "xoxo..... x", "--depth", "9"];
    let minimax = [&arguments[..], &["--algorithm", "minimax"]].concat();
    let json = json_of(&[&minimax[..], &["--graph", "--format", "json"]].concat());
    fn collect(node: &Value, nodes: &mut usize, numbers: &mut Vec<u64>, references: &mut Vec<u64>) {
        match node["same"].as_u64() {
            Some(number) => references.push(number),
            None => {
                *nodes += 1;
                numbers.extend(node["number"].as_u64());
                node["children"].as_array().into_iter().flatten().for_each(|c| collect(c, nodes, numbers, references));
            }
        }
    }
    let (mut nodes, mut numbers, mut references) = (0, Vec::new(), Vec::new());
    collect(&json["tree"], &mut nodes, &mut numbers, &mut references);
    assert!(!references.is_empty() && references.iter().all(|number| numbers.contains(number)), "{json}");
    assert!(nodes + references.len() < json["visited"].as_u64().expect("a count") as usize, "{json}");
    let text = output_of(&[&minimax[..], &["--graph"]].concat());
    assert_eq!(text.matches("-> #").count(), references.len(), "{text}");
    let tree = output_of(&minimax);
    assert!(!tree.contains('#') && tree.lines().count() > text.lines().count());
    let whole = ["--graph", "--format", "svg", "--most-nodes", "100000"];
    let svg = output_of(&[&minimax[..], &whole].concat());
    // Each node but the root has a line, and so has each reference.
    assert_eq!(svg.matches("<line").count(), nodes - 1 + references.len());
    assert!(error_of(&[&minimax[..], &["--graph", "--format", "steps"]].concat()).contains("without --graph"));
}

#[test]
fn uct_prefers_what_won_and_shows_visits_and_means() {
    let search = ["search", "--algorithm", "uct", "--game", "connect-four", "--depth", "42", "--json"];
    let answer = |more: &[&str]| json_of(&[&search[..], more].concat());
    let first = answer(&["--playouts", "2000"]);
    assert_eq!(first["bestmove"], "d", "the centre is best");
    let again = answer(&["--playouts", "2000"]);
    let found = |answer: &Value| ["nodes", "score", "pv"].map(|field| answer[field].clone());
    assert_eq!(found(&first), found(&again), "the same seed");
    assert_ne!(first["nodes"], answer(&["--playouts", "2000", "--order", "random:7"])["nodes"], "another seed");
    assert_eq!(answer(&["--nodes", "3000"])["nodes"], 3000);

    let trace = ["trace", "--algorithm", "uct", "--tree", "((W L) (W W))", "--playouts", "300"];
    let text = output_of(&trace);
    assert!(text.starts_with("max 0.") && text.contains("min -") && text.contains(" playouts)\n"), "{text}");
    let root = json_of(&[&trace[..], &["--format", "json"]].concat())["tree"].clone();
    let playouts = |node: &Value| node["playouts"].as_u64().expect("a count");
    let children = root["children"].as_array().expect("moves");
    assert_eq!(playouts(&root), 300);
    assert_eq!(children.iter().map(playouts).sum::<u64>(), 299, "the first playout went no further than the root");
    assert!(playouts(&children[1]) > 5 * playouts(&children[0]), "{text}");
    assert_eq!((children[1]["value"].as_f64(), &children[1]["main"]), (Some(1.0), &Value::Bool(true)));
}

/// Trees whose values rise, or fall, beyond the aspiration window of the last iteration.
const RISING: &str = "(a:(b:(c:(9 12)=2 d:(1 3)=0)=2)=2 e:(f:(g:(4 5)=1)=1)=1)";
const FALLING: &str = "(a:(b:(c:(-9 2)=2)=2)=2 e:(f:(g:(-8 5)=1)=1)=1)";

/// The root is searched again as a step of its own, for the same reason in every format, in the view of Max.
#[test]
fn a_window_that_is_too_narrow_is_a_step_with_its_reason() {
    let high = "9 >= beta 5: fails high, search again with [-1,18]";
    let low = "-8 <= alpha -1: fails low, search again with [-17,5]";
    let turned = "-9 <= alpha -5: fails low, search again with [-18,1]";
    let of_min =
        RISING.replace("=2", "=-2").replace("=1", "=-1").replace("(9 12)", "(-9 -12)").replace("(1 3)", "(-1 -3)");
    let of_min = of_min.replace("(4 5)", "(-4 -5)");
    for (tree, root, reason) in [(RISING, "max", high), (FALLING, "max", low), (of_min.as_str(), "min", turned)] {
        // Without a depth the last iteration is that of the deepest leaf.
        let arguments = ["trace", "--tree", tree, "--root", root, "--algorithm", "pvs", "--deepen", "--format"];
        let traced = |format| output_of(&[&arguments[..], &[format]].concat());
        let steps = traced("steps");
        let (first, second) = steps.split_once(&format!("again 0 {reason}\n")).unwrap_or_else(|| panic!("{steps}"));
        let result = if reason.contains("high") { "fails high" } else { "fails low" };
        assert!(
            first.starts_with("depth 4 [") && first.lines().next().is_some_and(|line| line.contains(result)),
            "{first}"
        );
        let window = &reason[reason.rfind('[').expect("a window")..];
        assert!(second.starts_with(&format!("enter 0 {window}\n")) && second.contains("\nleave 0 = "), "{second}");
        let record: Value = serde_json::from_str(&traced("json")).expect("JSON");
        let failed = &record["tree"]["failed"];
        assert_eq!((failed.as_array().map(Vec::len), &failed[0]["reason"]), (Some(1), &reason.into()));
        assert_ne!(failed[0]["tree"]["window"], record["tree"]["window"]);
        let title = format!("<title>{}</title>", reason.replace('>', "&gt;").replace('<', "&lt;"));
        assert_eq!(traced("svg").matches(&title).count(), 1, "the title of the root");
        let once = output_of(&[&arguments[..], &["steps", "--without", "aspiration"]].concat());
        assert!(!once.contains("again 0"), "{once}");
    }
}

/// ProbCut searches the position of its node, so the values of its visits are those of the same player.
#[test]
fn the_numbers_of_probcuts_cuts_are_true() {
    fn check(node: &Value, found: &mut Vec<String>) {
        let children = node["children"].as_array().into_iter().flatten();
        for child in children.clone() {
            let is_probcut = child["technique"].as_str().is_some_and(|name| name.starts_with("ProbCut"));
            assert!(child["player"].is_null() || (child["player"] == node["player"]) == is_probcut, "{child}");
            check(child, found);
        }
        let (Some(reason), Some(value)) = (node["cut"]["reason"].as_str(), node["cut"]["value_node"].as_u64()) else {
            return;
        };
        let value = children.clone().find(|child| child["index"] == value).and_then(|child| child["value"].as_f64());
        let bound = node["window"][usize::from(node["player"] == "max")].as_f64();
        let (value, bound) = (value.expect("a value"), bound.expect("a bound"));
        assert!(if node["player"] == "max" { value >= bound } else { value <= bound }, "{reason}");
        found.push(reason.to_string());
    }
    let position = "XX-X----X-X-X--XXXXXXXX-XXXOXXOOXXOOOXO-XOOOO-O-XO-OOOOXXOOOOOO- O";
    let arguments = ["trace", "--position", position, "--evaluation", "linear", "--depth", "4", "--json"];
    let search = ["--algorithm", "pvs", "--order", "heuristic", "--with", "probcut"];
    let record = json_of(&[&arguments[..], &search[..]].concat());
    let mut reasons = Vec::new();
    check(&record["tree"], &mut reasons);
    assert!(reasons.iter().any(|reason| reason.starts_with("by ProbCut's shallow search, ")), "{reasons:#?}");
}
