//! Traces: the textbook's worked examples, on trees and on real positions, in every format.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program;
use flipside::api::command::PlayedMove;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::Start;
use flipside::engine::registry;
use flipside::games::tree::Tree;
use flipside::search::algorithm::Algorithm;
use flipside::search::notation::Style;
use flipside::search::types::Side;
use flipside::textbook::move_order::MoveOrder;
use flipside::textbook::searcher;
use flipside::textbook::trace::{Presentation, Trace};
use flipside::textbook::trace_tree::TraceTree;
use flipside::textbook::types::{SearchConfig, SearchInput, SearchOutput};
use flipside::textbook::units::Units;
use flipside::textbook::window::Window;
use serde_json::{Value, json};

const TEXTBOOK: &str = "(((1 5 6) (8 3)) (L (1 W)))";

fn traced(text: &str, algorithm: Algorithm, root: Side) -> (Trace<Tree>, SearchOutput<u32>) {
    let tree = Tree::read(text, root).expect("a tree");
    let mut trace = Trace::new(root);
    let output = searcher::search(
        &SearchInput::new(&tree, &tree, &0),
        SearchConfig::fixed(algorithm, MoveOrder::Natural, 99),
        &mut trace,
    );
    (trace, output)
}

/// The diagram of a search of the textbook's tree.
fn diagram(trace: &Trace<Tree>) -> String {
    let tree = Tree::read(TEXTBOOK, Side::First).expect("a tree");
    let shown = Presentation { names: &|_, _| None, pruned: &|_, _| TraceTree::default(), units: &Units::from };
    trace.tree(&tree, &[], &shown).expect("a search").diagram()
}

#[test]
fn the_textbook_tree_comes_out_as_drawn() {
    let (trace, output) = traced("(((1 5 6) (8 3)) (L (1 W)))", Algorithm::AlphaBetaHard, Side::First);
    let expected = "\
max 6[L,W] =
├─ min 6[L,W] =
│  ├─ max 6[L,W] =
│  │  ├─ 1[L,W] =
│  │  ├─ 5[1,W] =
│  │  └─ 6[5,W] =
│  └─ max 6[L,6] >=
│     ├─ 8[L,6] =
│     └─ X
└─ min 6[6,W] <=
   ├─ L[6,W] =
   └─ X
";
    assert_eq!(diagram(&trace), expected);
    let tree = Tree::read(TEXTBOOK, Side::First).expect("a tree");
    assert_eq!((output.score, trace.visited(&tree)), (600, (10, 0)));
}

#[test]
fn fail_soft_values_may_lie_outside_the_window() {
    let (trace, _) = traced(TEXTBOOK, Algorithm::AlphaBeta, Side::First);
    let expected = "\
max 6[L,W] =
├─ min 6[L,W] =
│  ├─ max 6[L,W] =
│  │  ├─ 1[L,W] =
│  │  ├─ 5[1,W] =
│  │  └─ 6[5,W] =
│  └─ max 8[L,6] >=
│     ├─ 8[L,6] =
│     └─ X
└─ min L[6,W] <=
   ├─ L[6,W] =
   └─ X
";
    assert_eq!(diagram(&trace), expected);
}

#[test]
fn replies_after_a_refutation_are_never_visited() {
    for (name, algorithm) in Algorithm::minimax_family().filter(|(name, _)| *name != "minimax") {
        let (trace, output) = traced("(0.7 (0.5 ? ?))", algorithm, Side::First);
        let tree = Tree::read("(0.7 (0.5 ? ?))", Side::First).expect("a tree");
        assert!(!trace.visits.iter().any(|visit| visit.position.is_some_and(|node| tree.is_hidden(node))), "{name}");
        assert_eq!((output.score, output.best(), trace.visited(&tree).0), (70, Some(1), 4), "{name}");
    }
}

#[test]
fn a_root_of_min_takes_the_least() {
    let (trace, output) = traced("((3 9) (2 8))", Algorithm::AlphaBeta, Side::Second);
    assert_eq!((trace.value(), output.score, output.best()), (Some(800), -800, Some(4)));
}

/// For any root window, every searcher with a window reports where minimax's value is: inside it, or on which side of
/// it.
#[test]
fn a_chosen_window_bounds_the_value_of_minimax() {
    let tree = Tree::read("((3 9 4) (2 8 7) (6 5 1))", Side::First).expect("a tree");
    let minimax = traced("((3 9 4) (2 8 7) (6 5 1))", Algorithm::Minimax, Side::First).1.score;
    for (algorithm, alpha, beta) in
        [Algorithm::AlphaBeta, Algorithm::AlphaBetaHard, Algorithm::Negamax, Algorithm::Scout]
            .into_iter()
            .flat_map(|algorithm| (0..10).flat_map(move |a| (a + 1..11).map(move |b| (algorithm, a * 100, b * 100))))
    {
        let window = Window::new(alpha, beta).expect("a window");
        let config = SearchConfig { window, ..SearchConfig::fixed(algorithm, MoveOrder::Natural, 9) };
        let mut trace = Trace::new(Side::First);
        let found = searcher::search(&SearchInput::new(&tree, &tree, &0), config, &mut trace).score;
        assert_eq!(trace.visits[0].window, (alpha, beta));
        match minimax {
            low if low <= alpha => assert!(found >= low && found <= alpha, "{algorithm} {window:?}: {found}"),
            high if high >= beta => assert!(found <= high && found >= beta, "{algorithm} {window:?}: {found}"),
            exact => assert_eq!(found, exact, "{algorithm} {window:?}"),
        }
    }
}

#[test]
fn the_production_search_and_scout_are_traced_alike() {
    let text = "((5 (6 2)) ((7 9) 8 1) (3 (9 9)))";
    let (scout, _) = traced(text, Algorithm::Scout, Side::First);
    let (pvs, output) = traced(text, Algorithm::Pvs, Side::First);
    assert_eq!((pvs.value(), output.score), (scout.value(), 500));
    let tree = Tree::read(text, Side::First).expect("a tree");
    assert_eq!(pvs.visited(&tree), scout.visited(&tree));
    let cuts = |trace: &Trace<Tree>| trace.visits.iter().filter(|visit| visit.position.is_none()).count();
    assert_eq!(cuts(&pvs), cuts(&scout));
}

fn output_of(arguments: &[&str]) -> String {
    let output = program::run(arguments, "");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_tree_comes_from_the_line_a_file_or_standard_input() {
    let hard = ["trace", "--algorithm", "alphabeta-hard"];
    let line = output_of(&[&hard[..], &["--tree", TEXTBOOK]].concat());
    assert!(line.ends_with("value 6, visited 10 of 14\n"), "{line}");
    let home = Home::new();
    let name = home.write("tree", format!("{TEXTBOOK}\n"));
    assert_eq!(output_of(&[&hard[..], &["--file", &name]].concat()), line);
    assert_eq!(String::from_utf8_lossy(&program::run(&hard, TEXTBOOK).stdout), line);
    assert!(!program::run(&["trace", "--algorithm", "minimax", "--tree", "(1 ?)"], "").status.success());
    assert!(!program::run(&["trace"], "(1 (2").status.success(), "half a tree");
}

#[test]
fn names_static_values_depth_and_the_root() {
    let text = output_of(&["trace", "--tree", "(a:(1 9)=4 b:(3 3)=2.5)", "--depth", "1", "--root", "min"]);
    assert_eq!(text, "min 2.5[L,W] =\n├─ a:4[L,W] =\n└─ b:2.5[L,4] =\nvalue 2.5, visited 3 of 3\n");
}

#[test]
fn steps_are_one_line_an_event() {
    let text = output_of(&["trace", "--tree", "(a:4 (3 c:9))", "--format", "steps"]);
    let expected = "\
enter 0 [L,W]
enter 1 a [L,W]
leave 1 a = 4
enter 1 [4,W]
enter 2 [4,W]
leave 2 = 3
cut 1 3 <= alpha 4: Max already has 4 elsewhere, so Min never gets here (3 at 2.1, 4 at a)
prune 2 c
leave 1 <= 3
leave 0 = 4
value 4, visited 4 of 5
";
    assert_eq!(text, expected);
}

/// All nodes of a JSON trace from this one down.
fn nodes(node: &Value) -> Vec<&Value> {
    let below = node["children"].as_array().into_iter().flatten().flat_map(nodes);
    std::iter::once(node).chain(below).collect()
}

#[test]
fn json_tells_repeated_visits_and_the_sources_of_table_values() {
    let text = output_of(&["trace", "--tree", TEXTBOOK, "--format", "json", "--algorithm", "scout"]);
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let again: Vec<_> = nodes(&record["tree"]).into_iter().filter(|node| node["again"] == true).collect();
    assert!(!again.is_empty() && again.iter().all(|node| node["index"].as_u64() > Some(0)), "{text}");
    let position = ["--game", "tic-tac-toe", "--position", "xo.x..o.. x", "--depth", "4", "--table", "--json"];
    let text = output_of(&[&["trace"][..], &position].concat());
    let record: Value = serde_json::from_str(&text).expect("JSON");
    let all = nodes(&record["tree"]);
    let hits: Vec<_> = all.iter().filter(|node| node["table"] == true).collect();
    assert!(!hits.is_empty(), "{text}");
    for hit in hits {
        let source = all.iter().find(|node| node["index"] == hit["table_node"]).expect("the node that stored it");
        assert!(source["index"].as_u64() < hit["index"].as_u64() && source["table"] == false);
        assert_eq!(source["value"], hit["value"]);
    }
}

#[test]
fn json_nests_the_visits() {
    let text = output_of(&["trace", "--tree", "(a:4.5 (W c:9))", "--format", "json", "--algorithm", "minimax"]);
    let record: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&record["value"], &record["visited"], &record["of"]), (&json!(9), &json!(5), &json!(5)));
    let leaf = &record["tree"]["children"][1]["children"][1];
    assert_eq!((&leaf["move"], &leaf["value"], &leaf["main"]), (&json!("c"), &json!(9), &json!(true)));
    assert_eq!(record["tree"]["window"], json!(["L", "W"]));
    let pruned = output_of(&["trace", "--tree", "(4 (3 c:9))", "--format", "json"]);
    let record: Value = serde_json::from_str(&pruned).expect("JSON");
    assert_eq!(record["tree"]["children"][1]["bound"], json!("at most"));
    let cut = &record["tree"]["children"][1]["cut"];
    let reason = "3 <= alpha 4: Max already has 4 elsewhere, so Min never gets here (3 at 2.1, 4 at 1)";
    assert_eq!(*cut, json!({ "reason": reason, "value_node": 3, "bound_node": 1 }));
    assert_eq!(record["tree"]["children"][1]["children"][1], json!({ "index": 4, "move": "c", "pruned": true }));
}

/// Every visited node has a shape, a window and a value; pruned subtrees are grey; the principal variation is thick.
#[test]
fn the_drawing_has_a_shape_for_every_node() {
    let svg = output_of(&["trace", "--algorithm", "alphabeta-hard", "--tree", TEXTBOOK, "--format", "svg"]);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let count = |what: &str| svg.matches(what).count();
    assert_eq!((count("<polygon"), count("<circle")), (6, 8), "inner nodes and leaves, the pruned ones, too");
    assert_eq!(count("class=\"window\""), 10, "a window at each visit");
    assert_eq!(count("<polygon class=\"pruned\"") + count("<circle class=\"pruned\""), 4);
    assert_eq!(count("class=\"cut\""), 4, "two crosses of two strokes");
    assert_eq!(count("<line class=\"main\""), 3, "the best line down to its leaf");
    assert!(svg.contains(">≥6<") && svg.contains(">≤6<") && svg.contains(">[5,W]<"));
    // Two corners at the lower edge of a triangle that points up, two at the upper edge of one that points down.
    let up = svg.lines().filter(|line| line.starts_with("<polygon")).filter(|line| {
        let (_, points) = line.split_once("points=\"").expect("points");
        let numbers: Vec<f64> = points.split(['"', ' ', ',']).filter_map(|word| word.parse().ok()).collect();
        numbers[1] > numbers[5]
    });
    assert_eq!(up.count(), 4, "nodes of Max");
}

#[test]
fn real_positions_are_traced_too() {
    let start = "---------------------------OX------XO--------------------------- X";
    let arguments = ["trace", "--position", start, "--evaluation", "discs", "--depth", "2"];
    let text = output_of(&arguments);
    assert!(text.starts_with("max 0[L,W] =\n├─ d3:min 0[L,W] =\n│  ├─ c3:0[L,W] =\n"), "{text}");
    assert!(text.ends_with("value 0, visited 11 of 17\n"), "{text}");
    assert!(text.contains(":X\n"), "something is pruned");
    let board = "xx.oo.... x";
    let text =
        output_of(&["trace", "--game", "tic-tac-toe", "--position", board, "--depth", "9", "--algorithm", "minimax"]);
    assert!(text.starts_with("max W[L,W] =\n├─ c1:W[L,W] =\n"), "{text}");
    assert!(
        !program::run(&["trace", "--game", "tic-tac-toe", "--position", board, "--evaluation", "discs"], "")
            .status
            .success()
    );
}

/// A position whose value comes from the transposition table is not searched again and is marked in the trace.
#[test]
fn table_hits_are_marked() {
    let arguments =
        ["trace", "--game", "tic-tac-toe", "--position", "xo....... x", "--depth", "4", "--algorithm", "minimax"];
    let plain = output_of(&arguments);
    let with_table = output_of(&[&arguments[..], &["--table"]].concat());
    assert!(!plain.contains("(table)") && with_table.contains(" (table)\n"));
}

const QUEEN: &str = "20 W / .k... / ..... / .p... / ..Q.. / ..... / ...K.";

/// The textbook's MiniChess position, and the one after a move of each side.
#[test]
fn the_textbooks_minichess_is_read_and_traced() {
    let settings = Settings { game: "minichess".into(), ..Settings::default() };
    let mut engine = registry::open(&settings).expect("an engine");
    let moves = ["c3-d4", "b6-b5"].map(PlayedMove::new);
    engine.set_position(Start::Text(QUEEN), &moves, Style::Plain, false).expect("legal moves");
    let later = engine.position(Style::Plain);
    assert_eq!(later, "21 W ...../.k.../.p.Q./...../...../...K.");
    for (position, replies) in [(QUEEN, "c3-d4:min "), (later.as_str(), "d4-")] {
        for algorithm in ["minimax", "alphabeta-hard"] {
            let arguments = ["--position", position, "--depth", "2", "--algorithm", algorithm];
            let text = output_of(&[&["trace", "--game", "minichess"], &arguments[..]].concat());
            assert!(text.starts_with("max ") && text.contains(replies) && text.contains(", visited "), "{text}");
            let all = text.trim_end().rsplit(' ').next().expect("a number").to_string();
            let visited = text.trim_end().rsplit(' ').nth(2).expect("a number").to_string();
            assert_eq!(visited == all, algorithm == "minimax", "{text}");
        }
    }
}

/// So many leaves below one node that a quadratic algorithm would take minutes.
#[test]
fn a_wide_tree_takes_linear_time() {
    for (algorithm, leaves) in [("alphabeta", 300_000), ("scout", 300_000), ("pvs", 100_000)] {
        let text = format!("({})", "1 2 ".repeat(leaves / 2).trim_end());
        let output = program::run(&["trace", "--algorithm", algorithm, "--format", "steps"], &text);
        let found = String::from_utf8_lossy(&output.stdout);
        assert!(found.ends_with(&format!("visited {0} of {0}\n", leaves + 1)), "{algorithm}");
    }
}

#[test]
fn an_error_in_a_large_tree_names_its_place() {
    for (text, place) in [
        (format!("(1 2\n({} x))", "7 ".repeat(100_000)), "line 2, column 200003: "),
        ("(".repeat(100_000), "line 1, column 102: "),
        ("(1 2".to_string(), "line 1, column 5: "),
    ] {
        let output = program::run(&["trace"], &text);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(place) && error.len() < 250, "{error:.300}");
    }
}

/// No move of a wide node is dropped: the best of 700 is the last one, at the root and below it, for Max and for Min.
#[test]
fn nodes_of_many_moves_have_the_right_value() {
    let leaves = |many: &str, last: &str| format!("({} {last})", vec![many; 699].join(" "));
    let trees = [
        (leaves("1", "4"), 400),
        (format!("({} {})", leaves("9", "3"), leaves("8", "5")), 500),
        (format!("({})", vec![leaves("9", "3"); 130].join(" ")), 300),
    ];
    for (text, value) in &trees {
        for (name, algorithm) in Algorithm::minimax_family() {
            assert_eq!(traced(text, algorithm, Side::First).1.score, *value, "{name}");
        }
    }
}
