//! The search through the type-erased engine: it is independent of the game, keeps its limits, and is reproducible.

#![cfg(feature = "protocols")]

use flipside::api::event::BestMove;
use flipside::api::event::SearchEvent;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use flipside::search::types::{Certainty, WIN};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

fn engine(game: &str, position: Option<&str>) -> Box<dyn DynEngine> {
    let mut engine =
        registry::open(&Settings { game: game.into(), hash: 8, ..Settings::default() }).expect("an engine");
    if let Some(text) = position {
        engine.set_position(Start::Text(text), &[], Style::Plain, false).expect("a position");
    }
    engine
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

/// All events of a search.
fn events(engine: &dyn DynEngine, request: SearchRequest) -> Vec<SearchEvent> {
    let (sender, inbox) = channel();
    engine.search(request, Arc::new(move |item| drop(sender.send(item))));
    inbox.iter().collect()
}

fn search(engine: &dyn DynEngine, request: SearchRequest) -> BestMove {
    search_and_wait(engine, request).expect("a best move")
}

fn score(best_move: &BestMove) -> i32 {
    best_move.info.as_ref().expect("a finished iteration").score
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let best_move = search(engine("tic-tac-toe", None).as_ref(), SearchRequest::new(depth(9)));
    assert_eq!(score(&best_move), 0);
    assert_eq!(best_move.info.expect("a line").pv.len(), 9);
}

#[test]
fn the_shortest_win_is_counted_in_plies() {
    // x to move takes the third of a row at once; o would have won next.
    let now = search(engine("tic-tac-toe", Some("xx.oo.... x")).as_ref(), SearchRequest::new(depth(5)));
    assert_eq!((now.mv.as_deref(), score(&now)), (Some("c1"), WIN - 1));
    // Between two corners o takes an edge and holds the draw; a corner instead is answered by a fork, won in three plies.
    let draw = search(engine("tic-tac-toe", Some("x...o...x o")).as_ref(), SearchRequest::new(depth(9)));
    assert_eq!(score(&draw), 0);
    let fork = search(engine("tic-tac-toe", Some("x.o.o...x x")).as_ref(), SearchRequest::new(depth(9)));
    assert_eq!((fork.mv.as_deref(), score(&fork)), (Some("a3"), WIN - 3));
    let lost = search(engine("tic-tac-toe", Some("x.o.o.x.x o")).as_ref(), SearchRequest::new(depth(9)));
    assert_eq!(score(&lost), 2 - WIN);
}

#[test]
fn connect_four_sees_a_double_threat() {
    // Two in a row with one end open can be stopped.
    let best_move = search(
        engine("connect-four", Some("......./......./......./......./...o.../..xxo.. x")).as_ref(),
        SearchRequest::new(depth(9)),
    );
    assert_eq!(score(&best_move), 0, "no win is claimed that is none");
    // With both ends open they cannot.
    let won = search(
        engine("connect-four", Some("......./......./......./......./..oo.../..xx... x")).as_ref(),
        SearchRequest::new(depth(9)),
    );
    assert_eq!(score(&won), WIN - 3);
    let line = won.info.expect("a line");
    assert_eq!(line.certainty, Certainty::Exact);
}

#[test]
fn a_node_limit_is_kept_exactly_and_repeats() {
    for nodes in [1, 100, 5_000, 20_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let first = search(engine("reversi", None).as_ref(), SearchRequest::new(limits.clone()));
        let second = search(engine("reversi", None).as_ref(), SearchRequest::new(limits));
        assert!(first.statistics.nodes <= nodes, "{nodes}: {}", first.statistics.nodes);
        assert_eq!((&first.mv, first.statistics.nodes), (&second.mv, second.statistics.nodes));
        assert!(first.mv.is_some());
    }
}

#[test]
fn several_lines_are_ranked_by_value() {
    let engine = engine("reversi", Some("--OX----OXXXX-O-XXXXXO--XXOXXXO-OOOXXO--OOOOX---O-OX--------O--- X"));
    let request = SearchRequest { multipv: 4, ..SearchRequest::new(depth(6)) };
    let last: Vec<_> = events(engine.as_ref(), request)
        .into_iter()
        .filter_map(|item| match item {
            SearchEvent::Info(info) if info.depth == 6 => Some(info),
            _ => None,
        })
        .collect();
    assert_eq!(last.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(last.windows(2).all(|pair| pair[0].score >= pair[1].score), "{last:?}");
    let mut moves: Vec<_> = last.iter().map(|line| &line.pv[0]).collect();
    moves.dedup();
    assert_eq!(moves.len(), 4);
}

#[test]
fn lines_of_play_have_the_exact_values_of_their_moves() {
    let ffo = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let engine = engine("reversi", Some(ffo));
    let lines = |multipv, threads| -> Vec<(String, i32)> {
        let request = SearchRequest { multipv, threads, ..SearchRequest::new(depth(60)) };
        let mut last = Vec::new();
        for event in events(engine.as_ref(), request) {
            if let SearchEvent::Info(info) = event {
                last.truncate(info.rank - 1);
                last.push((info.pv[0].clone(), info.score));
            }
        }
        last
    };
    let all = lines(64, 1);
    assert_eq!(all.len(), engine.legal_moves(Style::Plain).len());
    for (mv, value) in &all {
        let alone = SearchRequest { searchmoves: vec![mv.clone()], ..SearchRequest::new(depth(60)) };
        assert_eq!(score(&search(engine.as_ref(), alone)), *value, "{mv}");
    }
    for (multipv, threads) in [(2, 1), (4, 2), (64, 2)] {
        let values = |lines: &[(String, i32)]| lines.iter().map(|line| line.1).collect::<Vec<_>>();
        assert_eq!(values(&lines(multipv, threads)), values(&all[..multipv.min(all.len())]), "{multipv}, {threads}");
    }
}

#[test]
fn searchmoves_restricts_the_root_moves() {
    let request = SearchRequest { searchmoves: vec!["E6".into()], ..SearchRequest::new(depth(5)) };
    assert_eq!(search(engine("reversi", None).as_ref(), request).mv.as_deref(), Some("E6"));
}

#[test]
fn the_end_of_the_game_is_exact() {
    let ffo = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    for threads in [1, 2] {
        let best_move =
            search(engine("reversi", Some(ffo)).as_ref(), SearchRequest { threads, ..SearchRequest::new(depth(60)) });
        let best = best_move.info.expect("a line");
        assert_eq!((best_move.mv.as_deref(), best.score, best.certainty), (Some("G8"), 1800, Certainty::Exact));
    }
    let shallow = search(engine("reversi", Some(ffo)).as_ref(), SearchRequest::new(depth(5)));
    assert!(shallow.info.is_some_and(|best| best.certainty != Certainty::Exact));
}

#[test]
fn a_pass_is_found_where_it_is_forced() {
    let must_pass = "OO-XXXXOXXXXXXX--XXXXOXX-XXXOOOO-XXXOOOO--XXOOXO---OOOOO--XXXXXO X";
    let best_move = search(engine("reversi", Some(must_pass)).as_ref(), SearchRequest::new(depth(3)));
    assert_eq!(best_move.mv.as_deref(), Some("PASS"));
}

#[test]
fn a_raised_flag_ends_any_search() {
    let engine = engine("reversi", None);
    let (sender, inbox) = channel();
    let handle = engine.search(SearchRequest::new(Limits::default()), Arc::new(move |item| drop(sender.send(item))));
    inbox.recv_timeout(Duration::from_secs(60)).expect("a first report");
    handle.stop.raise();
    handle.join().expect("no panic");
    assert!(inbox.iter().any(|item| matches!(item, SearchEvent::BestMove(best_move) if best_move.mv.is_some())));
}

/// Too few positions for the score often suffice for the winner; every claim must be true.
#[test]
fn claims_at_the_end_are_true_under_any_node_limit() {
    let ffo = [
        ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 1800),
        ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X", 1000),
    ];
    let mut outcomes = 0;
    for (text, value) in ffo {
        for nodes in [500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 2_000_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            for item in events(engine("reversi", Some(text)).as_ref(), SearchRequest::new(limits)) {
                let SearchEvent::Info(report) = item else { continue };
                match report.certainty {
                    Certainty::Exact => assert_eq!(report.score, value),
                    Certainty::WinLossDraw => assert_eq!(report.score.signum(), value.signum()),
                    _ => {}
                }
                outcomes += usize::from(report.certainty == Certainty::WinLossDraw);
            }
        }
    }
    assert!(outcomes > 0, "some limit is enough for who wins and not for the score");
}
