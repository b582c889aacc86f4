//! The textbook's searchers agree with each other, and with what the textbook says of odd positions.

use flipside::games::reversi::board::{Board, Reversi};
use flipside::games::reversi::evaluation::PlainEvaluation;
use flipside::games::reversi::kernels::Kernels;
use flipside::games::reversi::tactics::ReversiTactics;
use flipside::games::reversi::{ForLevel, at_best_level};
use flipside::games::tree::Tree;
use flipside::search::game::{Game, Side, WIN};
use flipside::search::worker::Brain;
use flipside::textbook::order::{Order, scramble};
use flipside::textbook::plan::{Algorithm, Answer, Plan, Silent, Task};
use flipside::textbook::searcher;
use flipside::textbook::stand::AsItStands;
use std::process::Command;
use std::sync::Arc;

fn plan(algorithm: Algorithm, order: Order, depth: i32) -> Plan {
    Plan::fixed(algorithm, order, depth)
}

fn search_tree(tree: &Tree, plan: Plan) -> Answer<u32> {
    searcher::search(&Task::new(tree, tree, &0), plan, &mut Silent)
}

const ORDERS: [Order; 8] = [
    Order::Natural,
    Order::Reverse,
    Order::Random(7),
    Order::Static,
    Order::Killers,
    Order::History,
    Order::Previous,
    Order::Perfect,
];

#[test]
fn a_lost_root_still_returns_its_first_move() {
    for (name, algorithm) in Algorithm::ALL {
        let answer = search_tree(
            &Tree::read("(((W L) L) (L W W))", Side::First).expect("a tree"),
            plan(algorithm, Order::Natural, 9),
        );
        assert_eq!((answer.score, answer.best()), (-WIN, Some(1)), "{name}");
    }
}

/// A random tree of uneven depth with values from a small range, so that equal values are common.
fn random_tree(seed: u64) -> Tree {
    fn grow(seed: u64, depth: u32) -> String {
        let roll = scramble(seed);
        if depth == 0 || roll % 7 == 0 {
            return match scramble(roll) % 12 {
                0 => "W".into(),
                1 => "L".into(),
                value => (value as i64 - 6).to_string(),
            };
        }
        let children: Vec<_> = (0..1 + roll / 7 % 4).map(|n| grow(scramble(seed ^ (n + 1)), depth - 1)).collect();
        format!("({})", children.join(" "))
    }
    let root = if seed.is_multiple_of(2) { Side::First } else { Side::Second };
    Tree::read(&grow(seed, 4), root).expect("a tree")
}

#[test]
fn all_agree_on_thousands_of_trees() {
    for seed in 0..3000 {
        let tree = random_tree(seed);
        let truth = search_tree(&tree, plan(Algorithm::Minimax, Order::Natural, 9));
        for (name, algorithm) in Algorithm::ALL {
            // The production search makes a table and its lines anew each time: a sample is enough time spent.
            if algorithm == Algorithm::Pvs && seed % 30 != 0 {
                continue;
            }
            for order in ORDERS {
                for table in [false, true] {
                    let answer = search_tree(&tree, Plan { table, ..plan(algorithm, order, 9) });
                    assert_eq!(answer.score, truth.score, "{name} {order:?} table {table} tree {seed}");
                    if order == Order::Natural {
                        assert_eq!(answer.best(), truth.best(), "{name} tree {seed}: the first of the best moves");
                    }
                }
            }
        }
    }
}

struct Agree;

impl ForLevel for Agree {
    type Output = ();

    /// Every algorithm with every evaluation, order and table setting in turn, on positions of random games.
    fn run<K: Kernels>(self, game: Reversi<K>) {
        for seed in 0..2000 {
            let name = PlainEvaluation::NAMES[seed as usize % PlainEvaluation::NAMES.len()];
            let eval = PlainEvaluation::named(name).expect("a known name");
            let brain = Brain { game: game.clone(), eval, tactics: ReversiTactics::new(&game, 1) };
            let game = AsItStands::new(Arc::new(brain));
            let mut board = Board::START;
            for ply in 0..scramble(seed) % 62 {
                let moves: Vec<_> = game.moves(&board).collect();
                if let Some(&mv) = moves.get(scramble(seed * 100 + ply) as usize % moves.len().max(1)) {
                    board = game.play(&board, mv);
                }
            }
            let value = |algorithm, order, table| {
                let plan = Plan { table, ..plan(algorithm, order, if seed % 20 == 0 { 3 } else { 2 }) };
                let task = Task { rank: game.rank(), ..Task::new(&game, &game, &board) };
                searcher::search(&task, plan, &mut Silent).score
            };
            let truth = value(Algorithm::Minimax, Order::Natural, false);
            let order =
                ORDERS.into_iter().chain([Order::Heuristic]).nth(scramble(seed) as usize % 9).expect("an order");
            for (name, algorithm) in Algorithm::ALL {
                assert_eq!(value(algorithm, order, seed % 2 == 0), truth, "{name} {order:?} {board:?}");
            }
        }
    }
}

#[test]
fn all_agree_on_reversi_positions() {
    at_best_level(Agree);
}

fn flipside(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_flipside")).args(arguments).output().expect("the binary");
    (output.status.success(), String::from_utf8(output.stdout).expect("text"))
}

#[test]
fn the_command_line_searches() {
    let full = "X".repeat(40) + &"O".repeat(22) + "-- X";
    let over = full.replace('-', "X");
    let (ok, text) = flipside(&["search", "--evaluation", "discs", "--depth", "3", "--json", "--position", &over]);
    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(ok);
    assert_eq!((answer["bestmove"].as_str(), answer["score"].as_i64()), (Some("none"), Some(20)));

    // Empty squares are not given away: a game over with 3 discs to none counts 3.
    let early = "XXX".to_string() + &"-".repeat(61) + " X";
    let (_, text) = flipside(&["search", "--evaluation", "discs", "--depth", "3", "--position", &early]);
    assert_eq!(text, "bestmove none\nscore 3\nnodes 1\ncutoffs 0\n");

    let (_, text) = flipside(&["search", "--evaluation", "discs", "--depth", "1"]);
    assert_eq!(text, "bestmove d3\nscore 3\nnodes 5\ncutoffs 0\n");
}
