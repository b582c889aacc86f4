//! The search of MiniChess: captures of kings, zugzwang, the move limit, disabled techniques, whole games.

#![cfg(feature = "protocols")]

use flipside::api::event::BestMove;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::games::minichess::evaluation::network::{INPUTS, NEURONS, Network, OUTPUT_BUCKETS};
use flipside::games::searcher_settings::OpenError;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use flipside::search::policy::Technique;
use flipside::search::types::{Certainty, WIN, WIN_IN_MAX_PLY};

/// An engine without endgame tables, so that the contents of a machine's cache directory do not matter.
fn engine(position: &str) -> Box<dyn DynEngine> {
    room_without(position, "tables")
}

fn room_without(position: &str, without: &str) -> Box<dyn DynEngine> {
    let settings =
        Settings { game: "minichess".into(), hash: 8, disabled_techniques: without.into(), ..Settings::default() };
    let mut engine = registry::open(&settings).expect("an engine");
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("a position");
    engine
}

fn search(engine: &dyn DynEngine, limits: Limits) -> BestMove {
    search_by(1, engine, limits)
}

fn search_by(threads: usize, engine: &dyn DynEngine, limits: Limits) -> BestMove {
    search_and_wait(engine, SearchRequest { threads, ..SearchRequest::new(limits) }).expect("a best move")
}

fn to_depth(position: &str, depth: u32) -> (String, i32) {
    let best_move = search(engine(position).as_ref(), Limits { depth: Some(depth), ..Limits::default() });
    (best_move.mv.expect("a move"), best_move.info.expect("a finished iteration").score)
}

#[test]
fn a_king_that_can_be_taken_is_taken() {
    let (mv, score) = to_depth("7 W k..qr/..n../...../Q..p./...../r...K", 4);
    assert_eq!((mv.as_str(), score), ("a3-a6", WIN - 1));
}

#[test]
fn a_king_is_not_left_to_be_taken() {
    // Only the pawn's capture of the rook ends the check and loses nothing.
    let (mv, score) = to_depth("9 W k..../...../...../...../...P./..r.K", 6);
    assert!(score > -WIN + 100, "{mv} {score}");
    // All moves leave the king in check: the longest defence is two plies.
    let (_, score) = to_depth("9 W ....k/...../...../...../r..../r...K", 6);
    assert_eq!(score, 2 - WIN);
}

/// Many positions here have a king to capture, which needs no search.
#[test]
fn threads_agree_on_a_win() {
    let won = engine("9 W k..../..Q../.K.../...../...../.....");
    let alone = search(won.as_ref(), Limits { depth: Some(8), ..Limits::default() });
    for threads in 2..=4 {
        let together = search_by(threads, won.as_ref(), Limits { depth: Some(8), ..Limits::default() });
        assert!(together.failure.is_none(), "{together:?}");
        assert_eq!(together.info.map(|best| best.score), alone.info.as_ref().map(|best| best.score), "{threads}");
    }
    let opening = engine("1 W kqbnr/ppppp/...../...../PPPPP/RNBQK");
    let best_move = search_by(3, opening.as_ref(), Limits { depth: Some(11), ..Limits::default() });
    assert!(best_move.failure.is_none() && best_move.mv.is_some(), "{best_move:?}");
}

#[test]
fn wins_are_counted_in_plies_to_the_capture() {
    // The queen attacks all squares of the king: it moves, and is captured.
    let (mv, score) = to_depth("9 W k..../..Q../.K.../...../...../.....", 8);
    assert!(score >= WIN - 5 && score % 2 == 1, "{mv} {score}");
}

#[test]
fn the_limit_makes_a_draw_of_what_comes_too_late() {
    // A queen wins in a few plies, unless the game ends before.
    let position = |number: u32| format!("{number} W ..k../...../...../...../...../Q...K");
    let (_, early) = to_depth(&position(9), 14);
    assert!(early > WIN - 20, "{early}");
    let (_, late) = to_depth(&position(40), 14);
    assert_eq!(late, 0);
}

#[test]
fn the_same_pieces_at_another_number_are_another_position() {
    // One engine, one table: an entry of move 9 must not be used at move 39.
    let mut engine = engine("9 W ..k../...../...../...../...../Q...K");
    let limits = || Limits { depth: Some(12), ..Limits::default() };
    assert!(search(engine.as_ref(), limits()).info.expect("a value").score > WIN - 20);
    engine
        .set_position(Start::Text("39 W ..k../...../...../...../...../Q...K"), &[], Style::Plain, false)
        .expect("a position");
    assert_eq!(search(engine.as_ref(), limits()).info.expect("a value").score, 0);
}

#[test]
fn the_last_move_may_still_take_the_king() {
    let (mv, score) = to_depth("40 B .k.../..n../.P.../...../..r../..K..", 5);
    assert_eq!((mv.as_str(), score), ("c2-c1", WIN - 1));
}

/// Every technique changes the tree, and none changes a forced win.
#[test]
fn every_technique_can_be_disabled() {
    let search = |position: &str, without: &str, depth: u32| {
        let engine = room_without(position, without);
        let best_move = search(engine.as_ref(), Limits { depth: Some(depth), ..Limits::default() });
        (best_move.info.expect("a value").score, best_move.statistics.nodes)
    };
    let middle = "6 W k.b.r/p.npp/.pp../.P.../P.PPP/RNB.K";
    let forced = "9 W ..k../...../.K.../...../Q..../.....";
    let (_, nodes) = search(middle, "tables", 9);
    let (win, _) = search(forced, "tables", 7);
    assert!(win >= WIN - 5, "{win}");
    // It has no ProbCut.
    for (name, technique) in Technique::NAMES.into_iter().filter(|(name, _)| *name != "probcut") {
        let without = format!("tables,{name}");
        if technique != Technique::Tables {
            assert_ne!(search(middle, &without, 9).1, nodes, "{name}");
        }
        assert_eq!(search(forced, &without, 7).0, win, "{name}");
    }
}

#[test]
fn unknown_techniques_and_evaluations_are_refused() {
    let open = |settings: Settings| registry::open(&settings).err();
    let minichess = || Settings { game: "minichess".into(), hash: 1, ..Settings::default() };
    let technique = open(Settings { disabled_techniques: "luck".into(), ..minichess() });
    assert_eq!(technique, Some(OpenError::UnknownTechnique { game: "minichess", name: "luck".into() }));
    let evaluation = open(Settings { evaluation: "luck".into(), ..minichess() });
    assert_eq!(evaluation, Some(OpenError::UnknownEvaluation { game: "minichess", name: "luck".into() }));
    let reversi = open(Settings { disabled_techniques: "null-move".into(), hash: 1, ..Settings::default() });
    assert_eq!(reversi, Some(OpenError::UnknownTechnique { game: "reversi", name: "null-move".into() }));
    let file = std::env::temp_dir().join("flipside-no-such-weights");
    assert!(matches!(open(Settings { weights: Some(file), ..minichess() }), Some(OpenError::Weights { .. })));
}

/// Games of the engine against itself end by the rules, and a side with another move never leaves its king to be
/// captured.
#[test]
fn whole_games() {
    for opening in [&["b2-b3", "d5-d4"][..], &["e2-e3", "c5-c4"], &["b1-a3", "d6-c4"]] {
        let mut engine = engine("1 W kqbnr/ppppp/...../...../PPPPP/RNBQK");
        let turns =
            |moves: &[&str]| moves.iter().map(|mv| flipside::api::command::PlayedMove::new(mv)).collect::<Vec<_>>();
        engine.set_position(Start::Here, &turns(opening), Style::Plain, false).expect("an opening");
        let mut last = 0;
        while engine.outcome().is_none() {
            let best_move = search(engine.as_ref(), Limits { nodes: Some(1_500), ..Limits::default() });
            let score = best_move.info.as_ref().expect("a value").score;
            // A side whose king is captured had seen the loss two plies before; kings are never given away.
            assert!(score > 2 - WIN || last <= 4 - WIN || last >= WIN - 3, "{score} after {last}");
            last = score;
            let mv = best_move.mv.expect("a move");
            engine.set_position(Start::Here, &turns(&[&mv]), Style::Plain, false).expect("a legal move");
        }
        assert!(engine.history(Style::Plain).len() <= 80);
    }
}

/// A network with the largest outputs that its file allows: 42,752 hundredths, far beyond a win.
#[test]
fn a_hostile_network_proves_no_win() {
    let layer = [1.98; OUTPUT_BUCKETS * 2 * NEURONS];
    let bytes = Network::bytes(&[0.0; INPUTS * NEURONS], &[1.0; NEURONS], &layer, &[0.0; OUTPUT_BUCKETS]);
    let file = std::env::temp_dir().join(format!("flipside-hostile-{}.bin", std::process::id()));
    std::fs::write(&file, bytes).expect("a file");
    let settings = Settings { game: "minichess".into(), hash: 1, weights: Some(file.clone()), ..Settings::default() };
    let engine = registry::open(&settings).expect("an engine");
    for depth in 1..6 {
        let best_move = search(engine.as_ref(), Limits { depth: Some(depth), ..Limits::default() });
        let info = best_move.info.expect("a finished iteration");
        assert!(info.score.abs() < WIN_IN_MAX_PLY && info.certainty != Certainty::Exact, "depth {depth}: {info:?}");
    }
    std::fs::remove_file(file).expect("the file");
}
