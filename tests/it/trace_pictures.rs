//! Pictures of traces: folded to a page, with reasons of cutoffs, and with what each search knows of its nodes.

#![cfg(feature = "cli")]

use crate::common::program::{self, flipside};
use serde_json::Value;

fn trace(words: &[&str]) -> String {
    let (is_done, text) = flipside(&[&["trace"], words].concat());
    assert!(is_done, "{words:?}");
    text
}

fn width(svg: &str) -> u32 {
    let (_, rest) = svg.split_once("width=\"").expect("a width");
    rest.split_once('"').and_then(|(width, _)| width.parse().ok()).expect("a number")
}

const QUEEN: &str = "20 W / .k... / ..... / .p... / ..Q.. / ..... / ...K.";

/// The positions of the documents, and the starts of games with many moves.
#[test]
fn every_picture_is_at_most_1600_pixels_wide() {
    let start = "---------------------------OX------XO--------------------------- X";
    for words in [
        &["--game", "minichess", "--position", QUEEN][..],
        &["--game", "minichess", "--position", QUEEN, "--depth", "4", "--algorithm", "pvs", "--with", "quiescence"],
        &["--game", "minichess", "--position", "20 W / k.... / ..p.. / .p... / ..... / .Q... / ...K."],
        &["--game", "tic-tac-toe", "--position", "xoxo..... x", "--depth", "9"],
        &["--game", "tic-tac-toe", "--position", "xoxo..... x", "--depth", "9", "--policy"],
        &["--game", "tic-tac-toe", "--depth", "5", "--graph"],
        &["--game", "tic-tac-toe", "--depth", "9"],
        &["--game", "gomoku"],
        &["--position", start, "--depth", "5", "--algorithm", "uct"],
        &["--position", start, "--depth", "5", "--algorithm", "scout"],
    ] {
        let svg = trace(&[words, &["--format", "svg"]].concat());
        assert!((400..=1600).contains(&width(&svg)), "{words:?}: {}", width(&svg));
    }
    let all = trace(&["--game", "gomoku", "--depth", "1", "--format", "svg", "--most-nodes", "1000"]);
    assert!(width(&all) > 10_000 && !all.contains("class=\"folded\""), "a larger number draws more");
}

#[test]
fn pruned_siblings_and_deep_subtrees_become_marks() {
    let tree = "((5 6 7) (3 1 2 4) ((1 2) 9))";
    let folded = |words: &[&str]| {
        let svg = trace(&[&["--tree", tree, "--format", "svg"], words].concat());
        let marks = svg.lines().filter(|line| line.contains("class=\"folded\""));
        let texts = marks.filter_map(|line| line.split_once('>')?.1.split_once('<').map(|(mark, _)| mark.to_string()));
        texts.collect::<Vec<_>>()
    };
    assert!(folded(&[]).is_empty(), "it is small enough");
    assert_eq!(folded(&["--most-nodes", "13"]), ["+3"], "three pruned moves");
    assert_eq!(folded(&["--fold", "1"]), ["+3", "+4", "+4"], "nodes below the moves of the root");
    let refused = program::run(&["trace", "--tree", tree, "--fold", "1"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(program::stderr(&refused).contains("--format svg"), "{}", program::stderr(&refused));
}

/// The same sentence everywhere, with the numbers and the places of both nodes.
#[test]
fn a_cut_explains_itself_in_every_format() {
    let tree = ["--tree", "(((1 5 6) (8 3)) (L (1 W)))", "--format"];
    let sentence = "8 >= beta 6: Min already has 6 elsewhere, so Max never gets here (8 at 1.2.1, 6 at 1.1)";
    let steps = trace(&[&tree[..], &["steps"]].concat());
    assert!(steps.contains(&format!("leave 3 = 8\ncut 2 {sentence}\nprune 3\n")), "{steps}");
    let record: Value = serde_json::from_str(&trace(&[&tree[..], &["json"]].concat())).expect("JSON");
    let node = &record["tree"]["children"][0]["children"][1];
    assert_eq!(node["cut"]["reason"], sentence);
    assert_eq!((&node["cut"]["value_node"], &node["cut"]["bound_node"]), (&node["children"][0]["index"], &2.into()));
    let svg = trace(&[&tree[..], &["svg"]].concat());
    let title = format!("<title>{}</title>", sentence.replace('>', "&gt;"));
    assert_eq!(svg.matches(&title).count(), 2, "at the node and at the line that is cut");
    let at = |index: &Value| svg.contains(&format!("class=\"node\" data-node=\"{index}\""));
    assert!(at(&node["index"]) && at(&node["cut"]["value_node"]) && at(&node["cut"]["bound_node"]));
}

#[test]
fn a_cut_names_the_source_of_its_bound() {
    for (words, reason) in [
        (
            &["--algorithm", "scout", "--tree", "(5 (6 9) ((7 9) 8))"][..],
            "7 >= beta 6.01: the null window only asks whether Max gets more than 6, and the answer is yes (7 at 3.1.1, 6 at 2)",
        ),
        (&["--window", "2,5", "--tree", "(a:7 b:9)"], "7 >= beta 5: the window of the root asks for no more (7 at a)"),
        (&["--tree", "((W 1) 2)", "--root", "min"], "W >= beta W: nothing is better for Max (W at 1.1)"),
        (
            &["--tree", "(a:(3 4) b:(c:(9 9) d:2 9))"],
            "2 <= alpha 3: Max already has 3 elsewhere, so Min never gets here (2 at b d, 3 at a)",
        ),
    ] {
        let steps = trace(&[words, &["--format", "steps"]].concat());
        assert!(steps.contains(reason), "{words:?}:\n{steps}");
    }
    let minichess = ["--game", "minichess", "--evaluation", "material", "--algorithm", "pvs", "--depth", "4"];
    let steps = trace(&[&minichess[..], &["--with", "null-move,quiescence", "--format", "steps"]].concat());
    let null_move = "cut 1 b2-b3 even without a move, 0 <= alpha 0: Max already has 0 elsewhere, so Min never gets here \
                     (0 at b2-b3 null-move, 0 at a2-a3)";
    assert!(steps.contains(null_move), "{steps}");
}

/// Each sentence is true: the value passes the bound, and the named nodes have these values.
#[test]
fn the_numbers_of_every_cut_are_those_of_its_nodes() {
    fn collect<'a>(node: &'a Value, all: &mut Vec<&'a Value>) {
        all.push(node);
        node["children"].as_array().into_iter().flatten().for_each(|child| collect(child, all));
    }
    let number = |value: &Value| match value.as_str() {
        Some("W") => f64::INFINITY,
        Some(_) => f64::NEG_INFINITY,
        None => value.as_f64().expect("a number"),
    };
    let start = "---------------------------OX------XO--------------------------- X";
    for algorithm in ["alphabeta", "alphabeta-hard", "negamax", "scout", "pvs"] {
        let words =
            ["--position", start, "--depth", "4", "--evaluation", "positional", "--algorithm", algorithm, "--json"];
        let record: Value = serde_json::from_str(&trace(&words)).expect("JSON");
        let mut nodes = Vec::new();
        collect(&record["tree"], &mut nodes);
        assert!(nodes.iter().enumerate().all(|(place, node)| node["index"] == place), "{algorithm}: numbered in order");
        let cuts: Vec<_> = nodes.iter().filter(|node| !node["cut"].is_null()).collect();
        assert!(cuts.len() > 10, "{algorithm}");
        for node in cuts {
            let (cut, is_max) = (&node["cut"], node["player"] == "max");
            let bound = number(&node["window"][usize::from(is_max)]);
            let value = number(&nodes[cut["value_node"].as_u64().expect("a node") as usize]["value"]);
            assert!(if is_max { value >= bound } else { value <= bound }, "{algorithm}: {node}");
            let source = nodes[cut["bound_node"].as_u64().expect("a node") as usize];
            let distance = (number(&source["value"]) - bound).abs();
            assert!(
                distance == 0.0 || (distance < 0.011 && cut["reason"].as_str().expect("text").contains("null window")),
                "{algorithm}: {node}"
            );
        }
    }
}

#[test]
fn leaves_of_any_size_are_traced() {
    for algorithm in ["minimax", "alphabeta", "alphabeta-hard", "negamax", "scout", "pvs"] {
        let text = trace(&["--algorithm", algorithm, "--tree", "((290 1000000) (1e9 -5000.125) (300 301))"]);
        assert!(text.contains("value 300, ") && text.contains("290["), "{algorithm}:\n{text}");
    }
    let text = trace(&["--tree", "(3 (290 1) 1000)", "--window", "200,500"]);
    assert!(text.starts_with("max 1000[200,500] >=\n├─ 3[200,500] =\n"), "{text}");
    let text = trace(&["--algorithm", "uct", "--tree", "(3 100000)", "--playouts", "50"]);
    assert!(text.contains("─ 100000 (") && text.contains("─ 3 ("), "{text}");
}

#[test]
fn one_tree_is_searched_at_a_time() {
    let output = program::run(&["trace"], "((3 5) (2 9))\n((1 2) (3 4))\n");
    let error = program::stderr(&output);
    assert!(
        output.status.code() == Some(2) && error.contains("line 2, column 1") && error.contains("one tree already"),
        "{error}"
    );
}

#[test]
fn a_game_without_a_position_starts_from_its_start() {
    let text = trace(&["--game", "tic-tac-toe", "--depth", "1"]);
    assert!(text.starts_with("max 0[L,W] =\n├─ a1:0[L,W] =\n") && text.ends_with("visited 10 of 10\n"), "{text}");
    assert_eq!(trace(&["--game", "tic-tac-toe", "--position", "", "--depth", "1"]), text);
    let refused = program::run(&["trace", "--game", "tic-tac-toe", "--tree", "(1 2)"], "");
    assert_eq!(refused.status.code(), Some(2), "a game or a tree");
}

/// Scout searches a better leaf again with a wider window.
#[test]
fn a_leaf_that_is_visited_again_is_drawn_once() {
    let words = ["--algorithm", "scout", "--tree", "(5 6)"];
    let text = trace(&words);
    assert_eq!(text.matches("─ 6[").count(), 1, "{text}");
    assert!(text.contains("visited again"), "{text}");
    let svg = trace(&[&words[..], &["--format", "svg"]].concat());
    assert_eq!(svg.matches("<circle").count(), 2);
    let steps = trace(&[&words[..], &["--format", "steps"]].concat());
    assert_eq!(steps.matches("leave 1 = 6\n").count(), 2, "the steps have both visits:\n{steps}");
}

#[test]
fn pictures_of_uct_show_playouts_and_wins() {
    let words = ["--algorithm", "uct", "--tree", "((W L) (W 1))", "--playouts", "300"];
    let text = trace(&words);
    assert!(text.contains("─ W (") && text.contains("─ L ("), "{text}");
    let svg = trace(&[&words[..], &["--format", "svg"]].concat());
    assert!(svg.contains(">W<") && svg.contains(">L<") && svg.contains(">300 playouts<"), "{svg}");
}

#[test]
fn exercises_come_with_solutions_as_text_and_as_a_page() {
    let words = ["--exercise", "5", "--seed", "9"];
    let text = trace(&words);
    assert_eq!(
        (text.matches("\nExercise ").count() + 1, text.matches("Solutions of Exercise ").count()),
        (5, 5),
        "{text}"
    );
    assert_eq!(trace(&words), text, "the same seed makes the same sheet");
    assert_ne!(trace(&["--exercise", "5", "--seed", "10"]), text);
    // The first answer of each is what a search of its tree returns.
    let trees = text.lines().filter(|line| line.starts_with('('));
    let answers = text.split("Solutions of ").skip(1).filter_map(|part| part.lines().nth(1));
    for (tree, answer) in trees.zip(answers) {
        let value = trace(&["--tree", tree, "--algorithm", "minimax"]);
        let first = format!("value {}, ", answer.trim_start_matches("1. "));
        assert!(value.contains(&first), "{tree}: {answer}, not {value}");
    }
    let page = trace(
        &[&words[..], &["--html", "--algorithm", "scout", "--branching", "2", "--plies", "2", "--ordering", "worst"]]
            .concat(),
    );
    assert!(page.starts_with("<!DOCTYPE html>") && page.matches("<svg ").count() == 10 && page.contains(">Solutions<"));
    assert_eq!(page.matches("<h2>").count(), page.matches("2 plies, at most 2 moves, the best last</h2>").count());
    for refused in
        [&["--exercise", "3", "--tree", "(1 2)"][..], &["--html"], &["--exercise", "1", "--algorithm", "uct"]]
    {
        assert_eq!(program::run(&[&["trace"], refused].concat(), "").status.code(), Some(2), "{refused:?}");
    }
}
