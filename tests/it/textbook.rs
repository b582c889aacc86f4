//! The textbook's algorithms agree with each other, and return the expected results for unusual positions.

#![cfg(feature = "cli")]

use crate::common::Engine;
use crate::common::home::Home;
use crate::common::program::flipside;
use flipside::api::command::PlayedMove;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, Start};
use flipside::engine::registry;
use flipside::games::names::GAMES;
use flipside::games::reversi::board::Board;
use flipside::games::reversi::evaluation::ReversiEvaluation;
use flipside::games::reversi::rules::Reversi;
use flipside::games::tree::Tree;
use flipside::games::{open::BuiltIn, searcher_settings::SearcherSettings};
use flipside::search::algorithm::Algorithm;
use flipside::search::game::Game;
use flipside::search::limits::{Limits, Stop};
use flipside::search::notation::Style;
use flipside::search::types::{Score, Side, UNIT, WIN};
use flipside::support::random::{Random, splitmix64};
use flipside::textbook::game::TextbookGame;
use flipside::textbook::move_order::MoveOrder;
use flipside::textbook::searcher;
use flipside::textbook::tracer::NoTracer;
use flipside::textbook::types::{SearchConfig, SearchInput, SearchOutput};

fn config(algorithm: Algorithm, order: MoveOrder, depth: i32) -> SearchConfig {
    SearchConfig::fixed(algorithm, order, depth)
}

fn search_tree(tree: &Tree, config: SearchConfig) -> SearchOutput<u32> {
    searcher::search(&SearchInput::new(tree, tree, &0), config, &mut NoTracer)
}

const ORDERS: [MoveOrder; 8] = [
    MoveOrder::Natural,
    MoveOrder::Reverse,
    MoveOrder::Random(7),
    MoveOrder::Static,
    MoveOrder::Killers,
    MoveOrder::History,
    MoveOrder::Previous,
    MoveOrder::Perfect,
];

#[test]
fn a_lost_root_still_returns_its_first_move() {
    for (name, algorithm) in Algorithm::minimax_family() {
        let output = search_tree(
            &Tree::read("(((W L) L) (L W W))", Side::First).expect("a tree"),
            config(algorithm, MoveOrder::Natural, 9),
        );
        assert_eq!((output.score, output.best()), (-WIN, Some(1)), "{name}");
    }
}

/// A random tree of uneven depth with values from a small range, so that equal values are common.
fn random_tree(seed: u64) -> Tree {
    fn grow(seed: u64, depth: u32) -> String {
        let roll = splitmix64(seed);
        if depth == 0 || roll.is_multiple_of(7) {
            return match splitmix64(roll) % 12 {
                0 => "W".into(),
                1 => "L".into(),
                value => (value as i64 - 6).to_string(),
            };
        }
        let children: Vec<_> = (0..1 + roll / 7 % 4).map(|n| grow(splitmix64(seed ^ (n + 1)), depth - 1)).collect();
        format!("({})", children.join(" "))
    }
    let root = if seed.is_multiple_of(2) { Side::First } else { Side::Second };
    Tree::read(&grow(seed, 4), root).expect("a tree")
}

#[test]
fn all_algorithms_agree_on_thousands_of_trees() {
    for seed in 0..3000 {
        let tree = random_tree(seed);
        let expected = search_tree(&tree, config(Algorithm::Minimax, MoveOrder::Natural, 9));
        for (name, algorithm) in Algorithm::minimax_family() {
            // The production search allocates its tables for each tree, so it searches only a sample of the trees.
            if algorithm == Algorithm::Pvs && seed % 30 != 0 {
                continue;
            }
            for order in ORDERS {
                for table in [false, true] {
                    let output = search_tree(&tree, SearchConfig { table, ..config(algorithm, order, 9) });
                    assert_eq!(output.score, expected.score, "{name} {order:?} table {table} tree {seed}");
                    if order == MoveOrder::Natural {
                        assert_eq!(output.best(), expected.best(), "{name} tree {seed}: the first of the best moves");
                    }
                }
            }
        }
    }
}

/// Every algorithm with every order and table setting in turn, on positions of random games with seeds from this number on.
fn compare_algorithms(evaluation: &str, seeds: u64) {
    let settings = SearcherSettings { evaluation, ..SearcherSettings::SMALL };
    let searcher = Reversi::portable().open(&settings).expect("a known name");
    let game = TextbookGame::new(Reversi::portable(), searcher);
    for seed in seeds..seeds + 250 {
        let mut board = Board::START;
        for ply in 0..splitmix64(seed) % 62 {
            let moves: Vec<_> = game.moves(&board).collect();
            if let Some(&mv) = moves.get(splitmix64(seed * 100 + ply) as usize % moves.len().max(1)) {
                board = game.play(&board, mv);
            }
        }
        let value = |algorithm, order, table| {
            let config = SearchConfig { table, ..config(algorithm, order, if seed % 20 == 0 { 3 } else { 2 }) };
            let input = SearchInput { scorer: game.scorer(), ..SearchInput::new(&game, &game, &board) };
            searcher::search(&input, config, &mut NoTracer).score
        };
        let expected = value(Algorithm::Minimax, MoveOrder::Natural, false);
        let order =
            ORDERS.into_iter().chain([MoveOrder::Heuristic]).nth(splitmix64(seed) as usize % 9).expect("an order");
        for (name, algorithm) in Algorithm::minimax_family() {
            assert_eq!(value(algorithm, order, seed % 2 == 0), expected, "{name} {order:?} {board:?}");
        }
    }
}

#[test]
fn all_algorithms_agree_on_reversi_positions() {
    for (name, seeds) in ReversiEvaluation::NAMES.iter().zip((0..).step_by(250)) {
        compare_algorithms(name, seeds);
    }
}

#[test]
fn the_command_line_searches() {
    let full = "X".repeat(40) + &"O".repeat(22) + "-- X";
    let over = full.replace('-', "X");
    let (ok, text) = flipside(&["search", "--evaluation", "discs", "--depth", "3", "--json", "--position", &over]);
    let output: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(ok);
    assert_eq!((output["bestmove"].as_str(), output["score"].as_f64()), (Some("none"), Some(20.0)));

    // The evaluation `discs` gives the winner no empty squares: a game over with 3 discs to none counts 3.
    let early = "XXX".to_string() + &"-".repeat(61) + " X";
    let (_, text) = flipside(&["search", "--evaluation", "discs", "--depth", "3", "--position", &early]);
    assert!(text.starts_with("bestmove none\nscore +3.00\ndepth 3\nnodes 1\ncutoffs 0\nseconds 0."), "{text}");
    assert!(!text.contains("pv"), "{text}");

    let (_, text) = flipside(&["search", "--evaluation", "discs", "--depth", "1"]);
    assert!(text.starts_with("bestmove d3\nscore +3.00\ndepth 1\nnodes 5\ncutoffs 0\nseconds 0."), "{text}");
    assert!(text.ends_with("\npv d3\n"), "{text}");
    // The learned evaluation counts in hundredths, and a line of play has as many moves as the search has plies.
    let (_, text) = flipside(&["search", "--depth", "3", "--json"]);
    let output: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(output["pv"].as_array().map(Vec::len), Some(3));
    assert!(output["score"].as_f64().is_some_and(|score| score.fract() != 0.0), "{text}");
}

/// The engine after random moves up to the end of a game.
fn finished_game(game: &str, evaluation: &str, random: &mut Random) -> Box<dyn DynEngine> {
    let settings = Settings { game: game.into(), hash: 1, evaluation: evaluation.into(), ..Settings::default() };
    let mut engine = registry::open(&settings).expect("an engine");
    while engine.outcome().is_none() {
        let moves = engine.legal_moves(Style::Plain);
        let mv = PlayedMove::new(&moves[random.below(moves.len())]);
        engine.set_position(Start::Here, &[mv], Style::Plain, false).expect("a legal move");
    }
    engine
}

/// Every evaluation of every game values a finished game by its result; only `discs` counts the discs as they stand.
#[test]
fn a_finished_game_is_worth_its_result() {
    let mut random = Random(3);
    for game in GAMES.iter() {
        for evaluation in game.evaluations.iter().copied().chain(["default"]) {
            for round in 0..4 {
                let engine = finished_game(game.name, evaluation, &mut random);
                let result = engine.static_eval();
                let as_it_stands = engine.points().filter(|_| evaluation == "discs").map(|discs| {
                    let [own, other] = [engine.side(), engine.side().other()].map(|side| side.of(discs) as Score);
                    (own - other) * UNIT
                });
                for (name, algorithm) in Algorithm::minimax_family() {
                    let config = config(algorithm, MoveOrder::Natural, 3);
                    let found = engine.textbook().search(config, &Stop::new(&Limits::default()), &mut |_| ());
                    let expected = as_it_stands.unwrap_or(result);
                    assert_eq!(found.score, expected, "{} {evaluation} {name} {round}", game.name);
                }
            }
        }
    }
}

/// 4x4 Reversi searched to its end: White wins by ten discs, whatever the evaluation makes of other positions.
#[test]
fn a_search_to_the_end_needs_no_evaluation() {
    for evaluation in ["positional", "mobility", "corners", "potential-mobility", "stability"] {
        let arguments = ["search", "--game", "reversi-4x4", "--table", "--depth", "20", "--evaluation", evaluation];
        let (ok, text) = flipside(&arguments);
        assert!(ok && text.contains("\nscore -10.00\n"), "{evaluation}: {text}");
    }
    // A wipe-out, with 61 empty squares that go to the winner.
    let early = "XXX".to_string() + &"-".repeat(61) + " X";
    for evaluation in ReversiEvaluation::NAMES {
        let (_, text) = flipside(&["search", "--evaluation", evaluation, "--depth", "3", "--position", &early]);
        let score = if *evaluation == "discs" { "+3.00" } else { "+64.00" };
        assert!(text.starts_with(&format!("bestmove none\nscore {score}\n")), "{evaluation}: {text}");
    }
}

#[test]
fn a_forced_pass_at_the_root_is_the_best_move() {
    // White has no move, Black has h1.
    let board = "XXXXXXO-".to_string() + &"-".repeat(56) + " O";
    let (ok, text) = flipside(&["search", "--evaluation", "discs", "--depth", "1", "--json", "--position", &board]);
    assert!(ok);
    let start =
        "{\"version\":2,\"bestmove\":\"pass\",\"score\":-5.0,\"depth\":1,\"nodes\":2,\"cutoffs\":0,\"seconds\":0.";
    assert!(text.starts_with(start) && text.ends_with(",\"pv\":[\"pass\"]}\n"), "{text}");
    // The pass is a ply: at depth two the search reaches Black's h1, and with it the end of the game, 8 discs to none.
    let (_, text) = flipside(&["search", "--evaluation", "discs", "--depth", "2", "--position", &board]);
    assert!(text.starts_with("bestmove pass\nscore -8.00\ndepth 2\nnodes 3\n"), "{text}");
}

/// The evaluation `weighted` reads its weights from a file: with a weight for discs only it equals the evaluation
/// `discs`.
#[test]
fn weights_come_from_a_file_on_request() {
    let home = Home::new();
    let file = home.write("stages.toml", "[[stage]]\ndiscs-on-board = 4\ndiscs = 100\n");
    let search = |evaluation: &[&str]| flipside(&[&["search", "--depth", "4", "--evaluation"], evaluation].concat());
    let by_file = search(&["weighted", "--weights", &file]);
    let without_time = |(ok, text): (bool, String)| {
        assert!(ok, "{text}");
        text.lines().filter(|line| !line.starts_with("seconds ")).collect::<Vec<_>>().join("\n")
    };
    let by_file = without_time(by_file);
    assert_eq!(by_file, without_time(search(&["discs"])));
    assert_ne!(by_file, without_time(search(&["weighted"])));
    assert!(!search(&["discs", "--weights", &file]).0, "discs have no weights");
    home.write("stages.toml", "[[stage]]\ncastles = 4\n");
    assert!(!search(&["weighted", "--weights", &file]).0);
}

#[test]
fn a_time_limit_deepens_and_returns_the_last_finished_iteration() {
    let search = ["search", "--evaluation", "discs", "--depth", "60", "--move-time", "0.3"];
    let (lines, status) = Engine::start(&search).finish();
    let text = lines.join("\n");
    assert!(status.success() && !text.starts_with("bestmove none"), "{text}");
    let limited = flipside(&["search", "--evaluation", "discs", "--depth", "3", "--move-time", "60"]).1;
    let fixed = flipside(&["search", "--evaluation", "discs", "--depth", "3"]).1;
    let first_lines = |text: &str| text.lines().take(2).map(str::to_string).collect::<Vec<_>>();
    assert_eq!(first_lines(&limited), first_lines(&fixed), "within the time the iterations end at the depth limit");
}

#[test]
fn the_comparison_has_a_row_for_each_order() {
    let (ok, table) = flipside(&["search", "--evaluation", "weighted", "--depth", "4", "--compare"]);
    assert!(ok);
    let lines: Vec<_> = table.lines().collect();
    assert_eq!((lines[0], lines.len()), ("minimax: 317 positions", 13), "{table}");
    let minimax = ["search", "--evaluation", "weighted", "--depth", "4", "--algorithm", "minimax"];
    assert!(flipside(&minimax).1.contains("\nnodes 317\n"), "counted as searched");
    let row = |name: &str| -> Vec<u64> {
        let line = lines.iter().find(|line| line.starts_with(&format!("| {name} |"))).expect("a row");
        line.split('|').filter_map(|cell| cell.trim().parse().ok()).collect()
    };
    let (natural, perfect) = (row("natural"), row("perfect"));
    assert_eq!(natural.len(), 5);
    assert_eq!(natural[0], natural[2], "negamax is alpha-beta");
    assert!(perfect.iter().zip(&natural).all(|(best, plain)| best < plain && *plain < 317), "{table}");
}

/// Small boards are solved from the start; larger ones are refused.
#[test]
fn small_boards_are_solved_exactly() {
    let four = ["search", "--game", "reversi-4x4", "--exact"];
    let (ok, text) = flipside(&four);
    assert!(ok && text.starts_with("bestmove ") && text.contains("\nscore -10.00\n"), "{text}");
    let (_, two_threads) = flipside(&[&four[..], &["--threads", "2", "--hash", "8"]].concat());
    assert!(two_threads.contains("\nscore -10.00\n"), "{two_threads}");
    assert!(!flipside(&["search", "--game", "reversi-6x6", "--exact", "--nodes", "1000"]).0, "not within so few");
    assert!(!flipside(&["search", "--game", "minichess", "--exact"]).0, "there is no such solver");
    let ffo = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let (_, text) = flipside(&["search", "--exact", "--hash", "8", "--position", ffo]);
    assert!(text.starts_with("bestmove g8\nscore +18.00\n"), "{text}");
}
