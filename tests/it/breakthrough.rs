//! The example of a game of your own: its rules against an independent count, and a session with a host.

#![cfg(feature = "protocols")]

#[allow(dead_code, reason = "its `main` is the example's")]
#[path = "../../examples/breakthrough.rs"]
mod example;

use example::Breakthrough;
use flipside::search::game::Game;
use flipside::search::notation::{Notation, Style};
use flipside::{Engine, Limits, serve_on};

fn perft(position: &<Breakthrough as Game>::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if Breakthrough.outcome(position).is_some() {
        return 0;
    }
    Breakthrough.moves(position).map(|mv| perft(&Breakthrough.play(position, mv), depth - 1)).sum()
}

/// The same count on letters: rows from the first, `W` moves up.
fn slow_perft(board: [[u8; 8]; 8], white: bool, depth: u32) -> u64 {
    let (own, other, goal) = if white { (b'W', b'B', 0) } else { (b'B', b'W', 7) };
    let won = board[goal].contains(&other) || !board.concat().contains(&own);
    if depth == 0 || won {
        return u64::from(depth == 0);
    }
    let mut leaves = 0;
    for (row, file) in (0..64).map(|square| (square / 8, square % 8)) {
        let ahead = if white { row + 1 } else { usize::wrapping_sub(row, 1) };
        if board[row][file] != own || ahead >= 8 {
            continue;
        }
        for to in file.saturating_sub(1)..=(file + 1).min(7) {
            let target = board[ahead][to];
            if target == b'.' || target == other && to != file {
                let mut next = board;
                next[row][file] = b'.';
                next[ahead][to] = own;
                leaves += slow_perft(next, !white, depth - 1);
            }
        }
    }
    leaves
}

#[test]
fn the_rules_count_as_a_slow_generator_does() {
    for text in [
        "BBBBBBBB/BBBBBBBB/......../......../......../......../WWWWWWWW/WWWWWWWW w",
        "B......./.W.B..../W....B../...B.W../.BW..W../..B....W/W..B..../..W..... b",
    ] {
        let (position, side) = Breakthrough.read_position(text, Style::Plain).expect("a position");
        assert_eq!(Breakthrough.show_position(&position, side, Style::Plain), text);
        let rows: Vec<[u8; 8]> = text[..71].rsplit('/').map(|row| row.as_bytes().try_into().expect("a row")).collect();
        let board: [[u8; 8]; 8] = rows.try_into().expect("eight rows");
        for depth in 1..=4 {
            assert_eq!(perft(&position, depth), slow_perft(board, text.ends_with('w'), depth), "{text} {depth}");
        }
    }
    assert!(Breakthrough.read_position("......../ w", Style::Plain).is_err());
    assert_eq!([1, 2, 3, 4].map(|depth| perft(&Breakthrough.start(), depth)), [22, 484, 11_132, 256_036]);
}

#[test]
fn a_host_plays_it_over_gtp() {
    let session = "\
        1 name\n2 list_games\n3 play white a2a3\n4 play black a7a6\n5 play white a3a5\n6 showboard\n7 genmove white\n\
        8 undo\n9 undo\n10 genmove b\n11 quit\n";
    let mut answers = Vec::new();
    let engine = Engine::builder(Breakthrough).hash_mib(1);
    serve_on(engine, Limits::depth(3), session.as_bytes(), &mut answers).expect("it is served");
    let text = String::from_utf8(answers).expect("text");
    let answers: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(answers[0], "=1 Flipside", "{text}");
    assert!(answers[4].starts_with("?5 "), "an illegal move is refused: {text}");
    assert!(answers[5].contains("\n 6 B . . . . . . . 6\n"), "{text}");
    for (number, answer) in [(7, answers[6]), (10, answers[9])] {
        let mv = answer.strip_prefix(&format!("={number} ")).unwrap_or_else(|| panic!("{text}"));
        assert!(mv.len() == 4, "{text}");
    }
    assert!(text.ends_with("=11\n\n"), "{text}");
}

#[test]
fn a_win_is_found() {
    let text = "......../W......./......../......../......../......../.......B/........ w";
    let (position, _) = Breakthrough.read_position(text, Style::Plain).expect("a position");
    let found = Engine::new(Breakthrough).search(&position, Limits::depth(4));
    assert_eq!(found.win_in(), Some(1));
}
