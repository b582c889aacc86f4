//! Gomoku's provable strength: wins by continuous fours are found, threats that would win are answered.

#![cfg(feature = "protocols")]

#[path = "../../examples/gomoku_fours/plain.rs"]
mod plain;
mod plain_wins;

use flipside::api::command::PlayedMove;
use flipside::api::event::SearchEvent;
use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{DynEngine, SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use flipside::search::result::Iteration;
use flipside::search::types::{WIN, WIN_IN_MAX_PLY};
use flipside::support::random::Random;
use plain::{FoursSearch, Plain, SIZE};
use plain_wins::PlainWins;
use std::sync::Arc;
use std::sync::mpsc::channel;

fn engine(evaluation: &str) -> Box<dyn DynEngine> {
    let settings = Settings { game: "gomoku".into(), hash: 4, evaluation: evaluation.into(), ..Settings::default() };
    registry::open(&settings).expect("the engine opens")
}

fn set(engine: &mut dyn DynEngine, position: &str) {
    engine.set_position(Start::Text(position), &[], Style::Plain, false).expect("a position");
}

/// A sample of what `examples/gomoku_fours` measures: every win that the plain search verifies is found by the first
/// iteration, and is no longer than the shortest.
#[test]
fn wins_by_continuous_fours_are_found() {
    let (mut random, mut search, mut engine) = (Random(2), FoursSearch::new(), engine("default"));
    for number in 0..40 {
        let win = search.generate(&mut random, (5 + 2 * (number % 4), 21));
        set(engine.as_mut(), &win.board.text());
        let best_move = search_and_wait(engine.as_ref(), SearchRequest::new(Limits::depth(4))).expect("a move");
        let score = best_move.info.expect("an iteration").score;
        assert_eq!(score, WIN - win.plies as i32, "{}", win.board.text());
    }
}

/// Positions of random stones in the middle: if any move prevents every win of five plies, the engine's move does, too.
#[test]
fn what_a_plain_search_of_five_plies_holds_is_held() {
    let (mut random, mut engine) = (Random(5), engine("default"));
    let (mut held, mut lost) = (0, 0);
    while held < 20 {
        let mut board = Plain([0; SIZE * SIZE]);
        let stones = 5 + random.below(8);
        for index in 0..2 * stones {
            let point = (4 + random.below(7)) * SIZE + 4 + random.below(7);
            if board.0[point] == 0 {
                board.0[point] = 1 + (index % 2) as u8;
            }
        }
        // The opponent threatens to win in five plies, and the side to move does not win first.
        if !PlainWins::new(&board, 2).wins(3) || PlainWins::new(&board, 1).wins(3) {
            continue;
        }
        let holds = |board: &Plain, point: usize| {
            let mut after = board.clone();
            after.0[point] = 1;
            !PlainWins::new(&after, 2).wins(3)
        };
        set(engine.as_mut(), &board.text());
        let request = SearchRequest::new(Limits { nodes: Some(50_000), ..Limits::default() });
        let mv = search_and_wait(engine.as_ref(), request).expect("an answer").mv.expect("a move");
        let before = engine.grid().expect("a board");
        engine.set_position(Start::Here, &[PlayedMove::new(&mv)], Style::Plain, false).expect("a legal move");
        let after = engine.grid().expect("a board");
        let squares = before.rows.concat().into_iter().zip(after.rows.concat());
        let point = squares.enumerate().find(|(_, (old, new))| old != new).map(|(point, _)| point).expect("a stone");
        if holds(&board, point) {
            held += 1;
        } else {
            lost += 1;
            let better = (0..SIZE * SIZE).find(|&point| board.0[point] == 0 && holds(&board, point));
            assert_eq!(better, None, "{mv} loses {}", board.text());
        }
    }
    assert!(lost < 10 * held, "{lost} positions were lost, {held} held");
}

/// Positions of random stones in the middle: a plain search finds every win that the engine
/// claims, and the opponent's win against every defence where it claims a loss.
/// `FLIPSIDE_CLAIMS=2000` checks as many claims.
#[test]
fn claims_hold_against_every_defence() {
    let wanted = std::env::var("FLIPSIDE_CLAIMS").map_or(40, |number| number.parse().expect("a number"));
    let (mut random, mut engine) = (Random(9), engine("default"));
    let (mut wins, mut losses, mut long) = (0, 0, 0);
    while wins + losses < wanted {
        let mut board = Plain([0; SIZE * SIZE]);
        for index in 0..2 * (4 + random.below(7)) {
            let point = (4 + random.below(7)) * SIZE + 4 + random.below(7);
            if board.0[point] == 0 {
                board.0[point] = 1 + (index % 2) as u8;
            }
        }
        if [1, 2].into_iter().any(|player| PlainWins::new(&board, player).wins(1)) {
            continue;
        }
        set(engine.as_mut(), &board.text());
        let request = SearchRequest::new(Limits { nodes: Some(3_000), ..Limits::default() });
        let best_move = search_and_wait(engine.as_ref(), request).expect("an answer");
        // Many fours can take all positions before the first iteration ends.
        let Some(Iteration { score, .. }) = best_move.info else { continue };
        let plies = WIN - score.abs();
        if !(3..=13).contains(&plies) {
            continue;
        }
        // Most wins are short.
        if plies > 5 {
            long += 1;
        } else if long < (wins + losses) / 4 {
            continue;
        }
        let moves = (plies as usize).div_ceil(2);
        if score > 0 {
            wins += 1;
            assert!(PlainWins::new(&board, 1).wins(moves), "no win in {plies}: {}", board.text());
        } else {
            losses += 1;
            let is_lost = PlainWins::new(&board, 2).wins_against_every_defence(moves);
            assert!(is_lost, "no loss in {plies}: {}", board.text());
        }
    }
    assert!(wins > wanted / 8 && losses > wanted / 20, "{wins} wins, {losses} losses, {long} longer than five plies");
}

/// The search without its threats, and the evaluation alone, still know five in a row.
#[test]
fn a_five_is_made_and_a_four_is_answered_at_every_depth() {
    let mut engine = engine("patterns");
    for (position, moves) in [
        ("15/15/15/15/15/15/15/3oxxxx7/3ooo9/15/15/15/15/15/15 x", &["j8"][..]),
        ("15/15/15/15/15/15/15/3xoooo7/3xxx9/15/15/15/15/15/15 x", &["j8"]),
        ("15/15/15/15/15/15/15/5ooo7/3xxx9/15/15/15/15/15/15 x", &["c7", "g7"]),
        ("15/15/15/15/15/15/15/5ooo7/3x11/15/10x4/15/15/15/2x12 x", &["e8", "j8", "d8", "k8"]),
    ] {
        set(engine.as_mut(), position);
        for depth in 1..=4 {
            let best_move = search_and_wait(engine.as_ref(), SearchRequest::new(Limits::depth(depth))).expect("a move");
            let mv = best_move.mv.expect("a move");
            assert!(moves.contains(&mv.as_str()), "depth {depth}: {mv} in {position}");
        }
    }
}

/// A game up to a position with a known win by threats; c13 wins, too.
const TWO_WINS: [&str; 14] = ["d11", "f9", "e9", "h4", "b13", "g3", "d12", "g6", "k6", "h9", "f10", "f8", "a13", "l7"];

/// A known win by threats ends only the search for the best of all moves: what was asked of other moves is searched.
#[test]
fn a_known_win_does_not_end_the_search_of_other_moves() {
    let mut engine = engine("default");
    engine.set_position(Start::Here, &TWO_WINS.map(PlayedMove::new), Style::Plain, false).expect("a position");
    let search = |request: SearchRequest| {
        let (sender, events) = channel();
        engine.search(request, Arc::new(move |event| drop(sender.send(event))));
        let mut lines = Vec::new();
        for event in events {
            if let SearchEvent::Info(info) = event {
                lines.truncate(info.rank - 1);
                lines.push((info.depth, info.score));
            }
        }
        lines
    };
    let request = |depth| SearchRequest::new(Limits::depth(depth));
    let best = search(request(8));
    assert!(matches!(best[..], [(1, score)] if score >= WIN_IN_MAX_PLY), "found at once: {best:?}");
    let alone = search(SearchRequest { searchmoves: vec!["c13".into()], ..request(8) });
    assert!(matches!(alone[..], [(_, score)] if score >= WIN_IN_MAX_PLY), "{alone:?}");
    let lines = search(SearchRequest { multipv: 5, ..request(4) });
    assert!(lines.len() == 5 && lines.iter().all(|&(depth, _)| depth == 4), "{lines:?}");
}
