//! The library for a stranger: typed boards, engines, and a game that the crate does not know.

use flipside::minichess::{self, MiniChess};
use flipside::reversi::{self, Reversi};
use flipside::search::game::Game;
use flipside::search::types::{Score, WIN};
use flipside::{Color, Engine, EngineError, Limits};
use std::error::Error;
use std::time::Duration;

/// The first FFO position: 14 empty squares, Black wins by 18 discs with g8.
pub const FFO_1: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";

#[test]
fn perft_of_the_typed_boards() {
    let reversi = reversi::Board::default();
    assert_eq!([1, 4, 6, 8].map(|depth| reversi.perft(depth)), [4, 244, 8200, 390_216]);
    let minichess = minichess::Board::default();
    assert_eq!([1, 2, 4].map(|depth| minichess.perft(depth)), [7, 49, 4627]);
}

/// Found by fuzzing: numbers far off the board overflowed before they were compared.
#[test]
fn what_is_off_the_board_is_no_square() {
    for (column, row) in (0..=u8::MAX).flat_map(|column| (0..=u8::MAX).map(move |row| (column, row))) {
        assert_eq!(reversi::Square::new(column, row).is_some(), column < 8 && row < 8, "{column} {row}");
        assert_eq!(minichess::Square::new(column, row).is_some(), column < 5 && row < 6, "{column} {row}");
    }
    for text in ["a0", "a~", "fz", "  ", "\u{e9}"] {
        assert!(text.parse::<reversi::Square>().is_err() && text.parse::<minichess::Square>().is_err(), "{text}");
    }
}

#[test]
fn a_search_that_nothing_limits_has_two_seconds() {
    let mut engine = Engine::builder(MiniChess).hash_mib(1).build().expect("an engine");
    let board = minichess::Board::default();
    let enough = Duration::from_millis(1900);
    assert!(engine.search(&board, Limits::default()).time >= enough);
    assert!(engine.search(&board, Limits { mate: Some(1), ..Limits::default() }).time >= enough);
    assert!(engine.iterations(&board, Limits::default()).last().is_some(), "the iterations end");
}

#[test]
fn boards_squares_and_moves_round_trip() {
    let board: reversi::Board = FFO_1.parse().expect("a position");
    assert_eq!(board.to_string(), FFO_1);
    assert!(reversi::Square::all().all(|square| square.to_string().parse() == Ok(square)));
    assert!(board.legal_moves().all(|mv| mv.to_string().parse() == Ok(mv)));
    let board = minichess::Board::default();
    assert_eq!(board.to_string().parse(), Ok(board));
    assert!(minichess::Square::all().all(|square| square.to_string().parse() == Ok(square)));
    assert!(board.legal_moves().all(|mv| mv.to_string().parse() == Ok(mv)));
    assert!(format!("{:#}", reversi::Board::default()).contains("4 . . . O X . . ."));
    assert!(format!("{board:#}").starts_with("6 k q b n r\n"));
}

#[test]
fn what_is_wrong_is_an_error_that_says_so() {
    fn is_an_error<E: Error + Send + Sync + 'static>() {}
    is_an_error::<reversi::ParseBoardError>();
    is_an_error::<reversi::ParseMoveError>();
    is_an_error::<reversi::ParseSquareError>();
    is_an_error::<reversi::IllegalMove>();
    is_an_error::<minichess::ParseBoardError>();
    is_an_error::<minichess::ParseMoveError>();
    is_an_error::<minichess::ParseSquareError>();
    is_an_error::<minichess::IllegalMove>();
    is_an_error::<EngineError>();

    let board = reversi::Board::default();
    let refused = board.play("a1".parse().expect("a square")).expect_err("not a legal move");
    assert_eq!(refused.to_string(), "a1 is not a legal move of black");
    assert!("i9".parse::<reversi::Square>().is_err() && "".parse::<reversi::Move>().is_err());
    assert!("héé".parse::<minichess::Move>().is_err() && "b2b9".parse::<minichess::Move>().is_err());
    assert!("XX".parse::<reversi::Board>().is_err() && "8/8 w".parse::<minichess::Board>().is_err());
    let refused = minichess::Board::default().play("a1a6".parse().expect("two squares")).expect_err("not a legal move");
    assert_eq!(refused.to_string(), "a1a6 is not a legal move of white");
    let missing = Engine::builder(Reversi).weights("/nowhere/weights").build().err().expect("there is no such file");
    let missing = missing.to_string();
    assert!(missing.starts_with("cannot use the weights /nowhere/weights: "), "{missing}");
    assert!(missing.matches("/nowhere/weights").count() == 1 && missing.matches("weights:").count() == 1, "{missing}");
}

#[test]
fn engines_go_to_other_threads() {
    fn is_send<T: Send>() {}
    is_send::<Engine<Reversi>>();
    is_send::<Engine<MiniChess>>();
    is_send::<Engine<Counters>>();
}

#[test]
fn a_whole_game_of_reversi_between_two_engines() {
    let mut engines = [4, 1].map(|depth| (depth, Engine::builder(Reversi).hash_mib(4).build().expect("an engine")));
    let mut board = reversi::Board::default();
    let mut plies = 0;
    while !board.is_over() {
        let (depth, engine) = &mut engines[usize::from(board.side_to_move() == Color::White)];
        let found = engine.search(&board, Limits::depth(*depth));
        board = board.play(found.best_move.expect("a move")).expect("a legal one");
        plies += 1;
    }
    assert!(plies >= 50 && board.legal_moves().next().is_none());
    let reversi::Outcome::Won { winner, discs } = board.outcome().expect("it is over") else { panic!("a draw") };
    assert_eq!((winner, i32::try_from(discs)), (Color::Black, Ok(board.score().abs())));
    assert!(engines[0].1.search(&board, Limits::default()).best_move.is_none());
}

#[test]
fn an_endgame_is_solved() {
    let board: reversi::Board = FFO_1.parse().expect("a position");
    let mut engine = Engine::new(Reversi);
    let solution = engine.solve(&board);
    assert_eq!((solution.score, solution.best_move), (18, Some("g8".parse().expect("a square"))));
    let mut end = board;
    for mv in solution.principal_variation {
        end = end.play(mv).expect("a legal line");
    }
    let score = if end.side_to_move() == board.side_to_move() { end.score() } else { -end.score() };
    assert!(end.is_over() && score == 18);
    let found = engine.search(&board, Limits::default());
    assert!(found.is_exact() && found.score == 1800, "{found}");
}

#[test]
fn limits_are_kept() {
    let mut engine = Engine::new(MiniChess);
    let board = minichess::Board::default();
    let found = engine.search(&board, Limits::nodes(500));
    assert!(found.nodes <= 500 && found.best_move.is_some_and(|mv| board.is_legal(mv)));
    let found = engine.search(&board, Limits::nodes(1));
    assert!(found.depth == 0 && found.best_move.is_some());
    let found = engine.search(&board, Limits::time(Duration::from_millis(30)));
    assert!(found.best_move.is_some_and(|mv| board.is_legal(mv)), "and it ends");
    engine.clear();
    let first = engine.search(&board, Limits::depth(6));
    engine.clear();
    let second = engine.search(&board, Limits::depth(6));
    assert_eq!(
        (first.nodes, first.score, &first.principal_variation),
        (second.nodes, second.score, &second.principal_variation)
    );
}

#[cfg(feature = "threads")]
#[test]
fn a_search_is_watched_and_stopped() {
    let board = reversi::Board::default();
    let mut engine = Engine::builder(Reversi).threads(2).hash_mib(8).build().expect("an engine");
    let mut iterations = engine.iterations(&board, Limits::default());
    let stop = iterations.stop_handle();
    let mut depths = Vec::new();
    for iteration in iterations.by_ref() {
        depths.push(iteration.depth);
        if iteration.depth >= 5 {
            std::thread::spawn({
                let stop = stop.clone();
                move || stop.stop()
            });
        }
    }
    assert!(depths.is_sorted() && depths.len() >= 3);
    let found = iterations.finish();
    assert!(found.depth >= 5 && found.best_move.is_some_and(|mv| board.is_legal(mv)));
    // Dropping its iterator ends a search.
    drop(engine.iterations(&board, Limits::default()));
    let last = engine.iterations(&board, Limits::depth(3)).last().expect("iterations");
    assert_eq!(last.depth, 3);
}

/// Two hundred counters in a row: a move takes one of them; taking the last one wins at once, any other move goes back.
#[derive(Clone, Copy, Debug)]
struct Counters;

const COUNTERS: u16 = 200;

impl Game for Counters {
    type Position = Option<u16>;
    type Move = u16;
    type MoveList<T: Clone> = Vec<T>;

    fn start(&self) -> Option<u16> {
        None
    }

    fn outcome(&self, taken: &Option<u16>) -> Option<Score> {
        (*taken == Some(COUNTERS - 1)).then_some(-WIN)
    }

    fn moves(&self, _: &Option<u16>) -> impl Iterator<Item = u16> {
        0..COUNTERS
    }

    fn play(&self, _: &Option<u16>, counter: u16) -> Option<u16> {
        Some(counter)
    }

    fn key(&self, taken: &Option<u16>) -> u64 {
        taken.map_or(1, |counter| u64::from(counter) + 2).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn code(&self, counter: u16) -> u16 {
        counter
    }
}

#[test]
fn a_game_of_ones_own_may_have_many_moves() {
    let mut engine = Engine::builder(Counters).hash_mib(1).build().expect("an engine");
    for start in [None, Some(7)] {
        let found = engine.search(&start, Limits::depth(3));
        assert_eq!((found.best_move, found.win_in()), (Some(COUNTERS - 1), Some(1)), "{found}");
    }
}
