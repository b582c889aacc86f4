//! The option `Algorithm` in every protocol: the engine plays as `flipside search` searches.

#![cfg(feature = "cli")]

use crate::common::Engine;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::games::names::GAMES;
use flipside::search::algorithm::Algorithm;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use flipside::search::types::{Certainty, WIN};
use std::process::Command;
use std::time::Duration;

const BOARD: &str = "--------------------------XXX----OOXX----OXO-----XOO----O------- O";
const GAME: &str = "(;GM[Othello]BO[8 --------------------------***----OO**----O*O-----*OO----O------- O];)";

/// Best move, score and nodes of `flipside search`.
fn searched(algorithm: &str, evaluation: &str, depth: &str) -> (String, i64, u64) {
    let arguments = ["search", "--algorithm", algorithm, "--evaluation", evaluation, "--depth", depth];
    let output = Command::new(env!("CARGO_BIN_EXE_flipside"))
        .args(arguments)
        .args(["--order", "natural", "--json", "--position", BOARD])
        .output()
        .expect("the binary");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mv = answer["bestmove"].as_str().expect("a move").to_uppercase();
    (mv, answer["score"].as_f64().expect("a score").round() as i64, answer["nodes"].as_u64().expect("a count"))
}

#[test]
fn gtp_plays_by_the_algorithm_of_the_command_line_or_the_option() {
    let mut engine = Engine::start(&["--gtp", "--algorithm", "alphabeta", "--evaluation", "discs", "--depth", "3"]);
    for algorithm in ["alphabeta", "minimax", "scout"] {
        assert!(engine.ask(&format!("flipside-option Algorithm {algorithm}")).starts_with('='));
        assert!(engine.ask(&format!("flipside-setup {BOARD}")).starts_with('='));
        let (mv, _, nodes) = searched(algorithm, "discs", "3");
        assert_eq!(engine.ask("genmove white"), format!("= {mv}"), "{algorithm}");
        let statistics = engine.ask("flipside-statistics");
        assert!(statistics.contains(&format!("{nodes}")), "{algorithm}: {nodes} in {statistics}");
    }
    assert!(engine.ask("flipside-option Algorithm quantum").starts_with('?'));
    assert!(engine.ask("flipside-options").contains("Algorithm scout"));
}

#[test]
fn uci_offers_and_obeys_the_option() {
    let mut engine = Engine::start(&["--uci"]);
    engine.send("uci");
    let lines = engine.until(|line| line == "uciok");
    let option = lines.iter().find(|line| line.contains("name Algorithm ")).expect("the option");
    assert!(option.contains("default pvs") && option.contains(" var alphabeta-hard"), "{option}");
    for command in ["Algorithm value negamax", "Evaluation value mobility"] {
        engine.send(&format!("setoption name {command}"));
    }
    engine.send("position startpos");
    engine.send("go depth 5");
    let lines = engine.until(|line| line.starts_with("bestmove"));
    // A fixed depth is one search without earlier iterations.
    let depths = || lines.iter().filter(|line| line.contains(" depth "));
    assert!(depths().count() > 0 && depths().all(|line| line.contains(" depth 5 ")), "{lines:?}");
    engine.send("go movetime 300");
    let lines = engine.until(|line| line.starts_with("bestmove"));
    assert!(lines.iter().filter(|line| line.contains(" depth ")).count() > 3, "{lines:?}");
    engine.send("go infinite");
    engine.send("stop");
    assert!(engine.until(|line| line.starts_with("bestmove")).last().is_some_and(|line| line.contains('@')));
}

#[test]
fn nboard_obeys_the_option() {
    let mut engine = Engine::start(&["--nboard"]);
    for line in ["nboard 2", &format!("set game {GAME}"), "set algorithm minimax", "set evaluation corners"] {
        engine.send(line);
    }
    engine.send("set depth 3");
    engine.send("go");
    let lines = engine.until(|line| line.starts_with("==="));
    let (mv, _, nodes) = searched("minimax", "corners", "3");
    assert!(lines.iter().any(|line| line.starts_with(&format!("nodestats {nodes} "))), "{nodes} in {lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with(&format!("=== {mv}/"))), "{mv} in {lines:?}");
}

#[test]
fn xboard_offers_and_obeys_the_option() {
    let mut engine = Engine::start(&["--hash", "4"]);
    for line in ["xboard", "protover 2"] {
        engine.send(line);
    }
    let features = engine.until(|line| line == "feature done=1");
    let offered = "feature option=\"Algorithm -combo minimax /// alphabeta /// alphabeta-hard";
    assert!(features.iter().any(|line| line.starts_with(offered)), "{features:?}");
    for line in ["new", "variant minichess", "easy", "post", "sd 3", "option Algorithm=minimax", "go"] {
        engine.send(line);
    }
    let lines = engine.until(|line| line.starts_with("move "));
    let output = Command::new(env!("CARGO_BIN_EXE_flipside"))
        .args(["search", "--game", "minichess", "--algorithm", "minimax", "--depth", "3", "--json"])
        .output()
        .expect("the binary");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mv = answer["bestmove"].as_str().expect("a move").replace('-', "");
    assert_eq!(lines.last(), Some(&format!("move {mv}")));
    // Ply, score, time, nodes.
    let nodes = answer["nodes"].as_u64().expect("a count").to_string();
    assert!(lines.iter().any(|line| line.split_whitespace().nth(3) == Some(nodes.as_str())), "{nodes} in {lines:?}");
}

/// The result of a search by the type-erased engine.
fn engine_best_move(
    game: &str,
    position: &str,
    algorithm: Algorithm,
    limits: Limits,
) -> flipside::api::event::BestMove {
    let settings = Settings { game: game.into(), algorithm, ..Settings::default() };
    let mut engine = registry::open(&settings).expect("an engine");
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("a position");
    search_and_wait(engine.as_ref(), SearchRequest::new(limits)).expect("a best move")
}

#[test]
fn every_algorithm_plays_every_game() {
    let limits = Limits { depth: Some(3), ..Limits::default() };
    for (name, algorithm) in Algorithm::minimax_family() {
        let best_move = engine_best_move("tic-tac-toe", "xx.oo.... x", algorithm, limits.clone());
        assert_eq!(best_move.mv.as_deref(), Some("c1"), "{name}");
        assert_eq!(best_move.info.map(|best| best.score), Some(WIN - 1), "{name}: a win in one ply");
    }
    for game in GAMES.iter().map(|game| game.name) {
        let settings = Settings { game: game.into(), algorithm: Algorithm::Uct, ..Settings::default() };
        let engine = registry::open(&settings).expect("an engine");
        let request = || SearchRequest::new(Limits::nodes(5_000));
        let [first, again] = [(); 2].map(|()| search_and_wait(engine.as_ref(), request()).expect("a best move"));
        assert_eq!((first.mv.is_some(), first.statistics.nodes), (true, 5_000), "{game}: up to the limit");
        assert_eq!(
            (first.mv, first.info.map(|info| info.score)),
            (again.mv, again.info.map(|info| info.score)),
            "{game}"
        );
    }
}

/// UCT finds a win at once and reports a mean, which claims no proof.
#[test]
fn uct_plays_the_winning_move() {
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let best_move = engine_best_move("tic-tac-toe", "xx.oo.... x", Algorithm::Uct, limits);
    assert_eq!(best_move.mv.as_deref(), Some("c1"));
    let info = best_move.info.expect("a report");
    assert!((90..=100).contains(&info.score) && info.certainty == Certainty::Estimate(100), "{info:?}");
}

#[test]
fn the_move_of_the_deepest_finished_iteration_is_played() {
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let best_move = engine_best_move("reversi", BOARD, Algorithm::Minimax, limits);
    let best = best_move.info.expect("a finished iteration");
    assert_eq!(best_move.mv.as_ref(), best.pv.first());
    assert!(best.depth >= 2, "depth {}", best.depth);
    let limits = Limits { hard: Some(Duration::from_millis(20)), ..Limits::default() };
    assert!(engine_best_move("reversi", BOARD, Algorithm::Minimax, limits).mv.is_some(), "a clock ends it");
}
