//! `undo` of `flipside play`: a person at a terminal takes back every ply of random games with forced passes.

#![cfg(feature = "cli")]

use crate::common::home::Home;
use crate::common::program;
use flipside::Color;
use flipside::reversi::{Board, Move, Square};
use flipside::support::random::Random;

/// The boards of a random game at which a side had a choice, each with the move played, and the board at its end.
fn random_game(random: &mut Random) -> (Vec<(Board, Move)>, Board) {
    let (mut board, mut turns) = (Board::new(), Vec::new());
    while !board.is_over() {
        let moves: Vec<Move> = board.legal_moves().collect();
        let mv = moves[random.below(moves.len())];
        if mv != Move::Pass {
            turns.push((board, mv));
        }
        board = board.play(mv).expect("a legal move");
    }
    (turns, board)
}

/// Whether a side had to pass.
fn has_passes(turns: &[(Board, Move)]) -> bool {
    turns.windows(2).any(|pair| pair[0].0.side_to_move() == pair[1].0.side_to_move())
}

/// The rows of a board as the program draws them, without its marks.
fn rows(board: &Board) -> Vec<String> {
    let disc = |square: Square| match board.color_at(square) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    let square = |row: u8, column: u8| format!("{}{row}", char::from(b'a' + column)).parse().expect("a square");
    (1..=8).map(|row| (0..8).map(|column| disc(square(row, column))).collect()).collect()
}

/// The rows of the last board in a text.
fn last_rows(shown: &str) -> Vec<String> {
    let row = |line: &str| {
        let line = line.trim_end().strip_prefix(' ')?;
        let squares = line.strip_prefix(|c: char| c.is_ascii_digit())?;
        Some(squares.replace('+', ".").chars().filter(|c| "XO.".contains(*c)).collect::<String>())
    };
    let mut rows: Vec<String> = shown.lines().filter_map(row).filter(|row| row.len() == 8).collect();
    rows.split_off(rows.len().saturating_sub(8))
}

/// A person has white, the engine black, and the game stands after a pass of the engine or of the person: an undo gives
/// the person another choice.
#[test]
fn undo_gives_a_person_a_choice() {
    let home = Home::new();
    let mut random = Random(50);
    let mut tried = 0;
    while tried < 6 {
        let (turns, _) = random_game(&mut random);
        // Black passed before the last of these moves, which is White's.
        let Some(at) = turns.windows(2).position(|pair| {
            pair.iter().all(|(board, _)| board.side_to_move() == Color::White) && !pair[1].0.is_over()
        }) else {
            continue;
        };
        tried += 1;
        let moves: String = turns[..=at].iter().map(|(_, mv)| mv.to_string()).collect();
        let file = home.write("game.txt", format!("{moves}\n"));
        for (seats, back) in [("--white human --black engine", at), ("--white human --black human", at)] {
            let seats: Vec<&str> = seats.split_whitespace().collect();
            let words = [&["play", "--book", "none", "--level", "1"], &seats[..]].concat();
            let shown = program::stdout(&program::run(&words, format!("load {file}\nundo\nboard\n")));
            assert_eq!(last_rows(&shown), rows(&turns[back].0), "{moves}: {shown}");
        }
        // Black must pass after White's move: its last choice was before that.
        let words = ["play", "--book", "none", "--level", "1", "--black", "human", "--white", "engine"];
        let shown = program::stdout(&program::run(&words, format!("load {file}\nundo\nboard\n")));
        let choice = turns[..at].iter().rposition(|(board, _)| board.side_to_move() == Color::Black);
        match choice {
            Some(choice) => assert_eq!(last_rows(&shown), rows(&turns[choice].0), "{moves}: {shown}"),
            None => assert!(shown.contains("there is nothing to take back"), "{shown}"),
        }
    }
}

#[cfg(unix)]
mod terminal {
    use super::*;
    use crate::common::terminal::Terminal;

    /// Games whose last ply is taken back, too: the program reviews a finished game, which takes time.
    const FINISHED: usize = 4;

    /// Plays a game at the terminal and takes it back ply by ply.
    fn take_back(terminal: &mut Terminal, turns: &[(Board, Move)]) {
        let shown = |terminal: &mut Terminal| terminal.until(&[" to move; black ", "the game is over; black "]);
        for (_, mv) in turns {
            terminal.type_line(&mv.to_string());
            shown(terminal);
        }
        for (ply, (board, _)) in turns.iter().enumerate().rev() {
            terminal.type_line("undo");
            let text = shown(terminal);
            assert_eq!(last_rows(&text), rows(board), "ply {ply}: {text}");
            let side = if board.side_to_move() == Color::Black { "black" } else { "white" };
            assert!(text.ends_with(&format!("{side} to move; black ")), "ply {ply}: {text}");
        }
        terminal.type_line("undo");
        terminal.until(&["there is nothing to take back"]);
    }

    #[test]
    fn every_ply_of_random_games_with_passes_is_taken_back() {
        let play_games = |seed: u64| {
            let words = ["play", "--book", "none", "--black", "human", "--white", "human"];
            let mut terminal = Terminal::start_with(&words, 80, &[("NO_COLOR", "1")]);
            terminal.until(&["black> "]);
            let mut random = Random(seed);
            let mut games = 0;
            while games < 100 {
                let (mut turns, _) = random_game(&mut random);
                if games >= FINISHED / 2 {
                    turns.pop();
                }
                if has_passes(&turns) {
                    take_back(&mut terminal, &turns);
                    games += 1;
                }
            }
        };
        std::thread::scope(|scope| [1, 2].map(|seed| scope.spawn(move || play_games(seed))).map(drop));
    }
}
