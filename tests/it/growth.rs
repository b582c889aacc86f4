//! The growth of search trees: leaf counts against the formulas, and the tables and plots of `flipside growth`.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program::flipside;
use flipside::search::algorithm::Algorithm;
use flipside::search::evaluation::ZeroEval;
use flipside::search::game::Game;
use flipside::textbook::move_order::MoveOrder;
use flipside::textbook::searcher;
use flipside::textbook::tracer::NoTracer;
use flipside::textbook::types::{MoveScorer, SearchConfig, SearchInput};
use flipside::textbook::uniform::UniformTree;

fn leaves(
    tree: &UniformTree,
    algorithm: Algorithm,
    order: MoveOrder,
    scorer: MoveScorer<UniformTree>,
    depth: u32,
) -> u64 {
    let start = tree.start();
    let input = SearchInput { scorer, ..SearchInput::new(tree, &ZeroEval, &start) };
    searcher::search(&input, SearchConfig::fixed(algorithm, order, depth as i32), &mut NoTracer).leaves
}

/// Branching factors and depths of trees with at most 20,000 leaves.
fn trees() -> impl Iterator<Item = (u64, u32)> {
    (2..9u64).flat_map(|b| (1..11).map(move |d| (b, d))).filter(|(b, d)| b.pow(*d) <= 20_000)
}

#[test]
fn perfect_order_visits_the_minimal_tree() {
    for (b, d) in trees() {
        let tree = UniformTree::random(b as usize, d, 5);
        let minimal = b.pow(d.div_ceil(2)) + b.pow(d / 2) - 1;
        for (name, algorithm) in [("alphabeta", Algorithm::AlphaBeta), ("negamax", Algorithm::Negamax)] {
            assert_eq!(leaves(&tree, algorithm, MoveOrder::Heuristic, tree.scorer(true), d), minimal, "{name} {b} {d}");
        }
        if b.pow(d) <= 2_000 {
            // The oracle finds the perfect order by a search.
            let found = leaves(&tree, Algorithm::AlphaBeta, MoveOrder::Perfect, tree.scorer(true), d);
            assert_eq!(found, minimal, "{b} {d}");
        }
    }
}

#[test]
fn nothing_is_cut_on_the_worst_case_nor_by_minimax() {
    for (b, d) in trees() {
        let worst_case = UniformTree::worst_case(b as usize, d);
        assert_eq!(
            leaves(&worst_case, Algorithm::AlphaBeta, MoveOrder::Natural, worst_case.scorer(true), d),
            b.pow(d),
            "{b} {d}"
        );
        let random = UniformTree::random(b as usize, d, 5);
        assert_eq!(
            leaves(&random, Algorithm::Minimax, MoveOrder::Natural, random.scorer(true), d),
            b.pow(d),
            "{b} {d}"
        );
        // With its best moves first, alpha-beta reduces the same tree to the minimal tree.
        let minimal = b.pow(d.div_ceil(2)) + b.pow(d / 2) - 1;
        assert_eq!(
            leaves(&worst_case, Algorithm::AlphaBeta, MoveOrder::Heuristic, worst_case.scorer(true), d),
            minimal,
            "{b} {d}"
        );
    }
}

/// The cells of a Markdown table without its two lines of heading.
fn cells(table: &str) -> Vec<Vec<String>> {
    let row = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    table.lines().skip(2).map(row).collect()
}

#[test]
fn the_table_of_uniform_trees() {
    let home = Home::new();
    let file = home.path("growth.svg");
    let (ok, table) = flipside(&["growth", "--branching", "3..4", "--depth", "4..5", "--svg", &file]);
    assert!(ok);
    let rows = cells(&table);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0][..5], ["3", "4", "81", "17", "27"]);
    assert_eq!(rows[3][..5], ["4", "5", "1024", "79", "181"]);
    for row in &rows {
        let number = |column: usize| row[column].parse::<u64>().expect("a number");
        let (all, least, perfect, random, worst, reversed) =
            (number(2), number(3), number(5), number(6), number(7), number(8));
        assert_eq!((perfect, worst), (least, all));
        assert!(least < random && random < all && random < reversed && reversed <= all, "{row:?}");
    }
    let svg = home.read("growth.svg");
    assert!(svg.contains("b^(3d/4)") && svg.matches("<circle").count() >= 4 * 5, "{svg}");
}

#[test]
fn rows_of_too_large_trees_hold_the_formulas_only() {
    let (ok, table) = flipside(&["growth", "--branching", "8", "--depth", "8..9", "--order", "perfect"]);
    assert!(ok);
    assert_eq!(cells(&table)[1], ["8", "9", "134217728", "36863", "1246974", "–"]);
    assert!(!flipside(&["growth", "--depth", "5..2"]).0, "an empty range");
}

#[test]
fn each_technique_makes_the_tree_of_a_real_game_smaller() {
    let (ok, table) = flipside(&["growth", "--game", "reversi", "--evaluation", "weighted", "--depth", "1..6"]);
    assert!(ok);
    let rows = cells(&table);
    assert_eq!(rows[0][1], "5");
    assert_eq!(rows[2][1], "73", "1 + 4 + 12 + 56");
    let last: Vec<u64> = rows[5][1..].iter().map(|cell| cell.parse().expect("a number")).collect();
    assert!(last.windows(2).all(|pair| pair[1] < pair[0]), "{last:?}");
}

/// The tables of docs/textbook.md equal the output of the commands beside them.
#[test]
fn the_document_shows_what_the_tools_print() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/textbook.md");
    let document = std::fs::read_to_string(path).expect("the document on the textbook");
    for arguments in [
        &["growth", "--branching", "2..8", "--depth", "6"][..],
        &["growth", "--game", "reversi", "--evaluation", "weighted", "--depth", "1..7"],
    ] {
        let (ok, table) = flipside(arguments);
        assert!(ok && document.contains(table.trim_end()), "{arguments:?} prints\n{table}");
    }
}
