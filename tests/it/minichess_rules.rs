//! The rules of MiniChess: against a reference implementation on random games, and the special cases one by one.

use crate::minichess_twin::{End, Twin, name};
use flipside::games::minichess::board::Board;
use flipside::games::minichess::rules::MiniChess;
use flipside::games::minichess::state_text::{fen, one_line, read_fen, read_state, seven_lines};
use flipside::search::game::Game;
use flipside::search::notation::{Notation, Style};
use flipside::search::types::WIN;
use proptest::prelude::*;
use std::collections::HashMap;

const STATES: &str = include_str!("../data/minichess_perft.tsv");

fn board(state: &str) -> Board {
    read_state(state).expect("a position")
}

fn names(board: &Board) -> Vec<String> {
    let mut names: Vec<String> =
        MiniChess.moves(board).map(|mv| MiniChess.show_move(board, mv, Style::Plain)).collect();
    names.sort();
    names
}

fn play(board: &Board, text: &str) -> Board {
    let mv = MiniChess.read_move(board, text, Style::Plain).expect("a legal move");
    MiniChess.play(board, mv)
}

fn agree(board: &Board, twin: &Twin) -> Result<(), TestCaseError> {
    prop_assert_eq!(one_line(board), twin.show());
    let mut expected: Vec<String> = twin.moves().into_iter().map(name).collect();
    expected.sort();
    prop_assert_eq!(names(board), expected);
    let end = MiniChess.outcome(board).map(|score| match score {
        0 => End::Drawn,
        WIN => End::Won,
        _ => End::Lost,
    });
    prop_assert_eq!(end, twin.end(), "{}", twin.show());
    Ok(())
}

/// A position that was read is written and read again as the same.
fn read_again(text: &str) -> Result<(), TestCaseError> {
    for board in [read_state(text), read_fen(text)].into_iter().flatten() {
        prop_assert_eq!(read_state(&one_line(&board)), Ok(board));
        prop_assert_eq!(read_fen(&fen(&board)), Ok(board));
    }
    Ok(())
}

proptest! {
    /// Random games from every position of the perft file, to their end.
    #[test]
    fn random_games_agree_with_the_twin(start in 0usize..24, choices in proptest::collection::vec(any::<u16>(), 80)) {
        let mut states: Vec<&str> =
            STATES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').nth(1)).collect();
        states.dedup();
        let mut twin = Twin::read(states[start]);
        let mut position = board(states[start]);
        let mut keys: HashMap<u64, String> = HashMap::new();
        for choice in choices {
            agree(&position, &twin)?;
            let text = twin.show();
            prop_assert_eq!(keys.entry(MiniChess.key(&position)).or_insert_with(|| text.clone()), &text);
            let moves = twin.moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[usize::from(choice) % moves.len()];
            let read = MiniChess.read_move(&position, &name(mv), Style::Plain);
            position = MiniChess.play(&position, read.expect("the twin's move is legal"));
            twin = twin.play(mv);
        }
    }

    /// Every text form leads back to the same board with the same key; every move by each of its names.
    #[test]
    fn texts_are_read_as_they_are_written(choices in proptest::collection::vec(any::<u16>(), 0..60)) {
        let mut position = MiniChess.start();
        for choice in choices {
            let moves: Vec<_> = MiniChess.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            for style in [Style::Plain, Style::Ggf, Style::Uci] {
                for &mv in &moves {
                    let text = MiniChess.show_move(&position, mv, style);
                    prop_assert_eq!(MiniChess.read_move(&position, &text, style), Some(mv));
                }
            }
            position = MiniChess.play(&position, moves[usize::from(choice) % moves.len()]);
            prop_assert_eq!(read_state(&one_line(&position)), Ok(position));
            prop_assert_eq!(read_state(&seven_lines(&position)), Ok(position));
            prop_assert_eq!(read_fen(&fen(&position)), Ok(position));
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error(text in "\\PC{0,60}|[0-9]{1,3} [WB] [.KQRBNPkqrbnp/]{0,40}") {
        read_again(&text)?;
    }

    #[test]
    fn a_position_with_a_letter_changed_is_a_position_or_an_error(at in 0_usize..39, letter in "[.KQRBNPkqrbnp/0-9WBwb x]") {
        for mut text in [one_line(&Board::start()), fen(&Board::start())] {
            text.replace_range(at.min(text.len() - 1)..=at.min(text.len() - 1), &letter);
            read_again(&text)?;
        }
    }

    #[test]
    fn any_text_is_a_legal_move_or_none(text in "\\PC{0,10}|[a-e][1-6]-?[a-e][1-6]q?") {
        let start = MiniChess.start();
        let names: Vec<String> = MiniChess.moves(&start).map(|mv| MiniChess.show_move(&start, mv, Style::Uci)).collect();
        let read = MiniChess.read_move(&start, &text, Style::Uci).map(|mv| MiniChess.show_move(&start, mv, Style::Uci));
        let wanted = text.to_ascii_lowercase().replacen('-', "", 1);
        prop_assert_eq!(read, names.into_iter().find(|name| *name == wanted));
    }
}

#[test]
fn the_bishop_steps_to_empty_neighbours_only() {
    let bishop = board("12 W k..../...../.ppp./.pBP./..P../....K");
    let own: Vec<String> = names(&bishop).into_iter().filter(|mv| mv.starts_with("c3")).collect();
    // Two enemy pawns and an own one beside it; diagonals may capture.
    assert_eq!(own, ["c3-a1", "c3-b2", "c3-b4", "c3-d2", "c3-d4"]);
    let free = board("12 W k..../...../...../..B../...../....K");
    for step in ["c3-b3", "c3-d3", "c3-c2", "c3-c4"] {
        assert!(names(&free).contains(&step.to_string()), "{step}");
    }
}

#[test]
fn pawns_become_queens_also_by_capture_and_without_a_suffix() {
    let before = board("20 W .r.../P..../k..../...../...../....K");
    assert_eq!(one_line(&play(&before, "a5-a6")), "20 B Qr.../...../k..../...../...../....K");
    assert_eq!(one_line(&play(&before, "a5b6q")), "20 B .Q.../...../k..../...../...../....K");
    assert_eq!(one_line(&play(&before, "a5b6")), "20 B .Q.../...../k..../...../...../....K");
    let mv = MiniChess.read_move(&before, "a5a6", Style::Uci).expect("the suffix may be left out");
    assert_eq!(MiniChess.show_move(&before, mv, Style::Uci), "a5a6q");
    assert_eq!(MiniChess.show_move(&before, mv, Style::Plain), "a5-a6");
    assert_eq!(MiniChess.read_move(&before, "e1e2q", Style::Uci), None, "only pawns become queens");
}

#[test]
fn a_taken_king_ends_the_game_and_beats_the_limit() {
    let last = board("40 B .k.../..n../.P.../...../..r../..K..");
    let taken = play(&last, "c2-c1");
    assert_eq!((taken.number(), MiniChess.outcome(&taken)), (41, Some(-WIN)));
    assert!(names(&taken).is_empty());
    let calm = play(&last, "b6-a6");
    assert_eq!((calm.number(), MiniChess.outcome(&calm)), (41, Some(0)));
    assert!(names(&calm).is_empty());
}

#[test]
fn the_limit_counts_plies() {
    for (number, side, left) in [(1, 'W', 80), (1, 'B', 79), (40, 'W', 2), (40, 'B', 1), (41, 'W', 0), (41, 'B', 0)] {
        assert_eq!(board(&format!("{number} {side} k..../...../...../...../...../....K")).plies_left(), left);
    }
}

#[test]
fn without_a_move_the_side_to_move_has_lost() {
    let stuck = board("21 W ....k/...../.p.p./pPpPp/BRP.P/KQN..");
    assert_eq!((names(&stuck).len(), MiniChess.outcome(&stuck)), (0, Some(-WIN)));
}

#[test]
fn the_key_knows_the_number_and_the_side() {
    let keys = ["5 W", "38 W", "38 B"]
        .map(|head| MiniChess.key(&board(&format!("{head} k..../...../...../...../...../....K"))));
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
}
