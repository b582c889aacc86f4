//! The rules of Reversi against a square-by-square reference implementation, on reachable and unreachable boards.

use flipside::games::reversi::board::{Board, PASS};
use flipside::games::reversi::level::{ForLevel, at_best_level};
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::solver::level::SolverLevel;
use flipside::search::game::Game;
use flipside::search::notation::{Notation, Style};
use flipside::search::types::Side;
use proptest::prelude::*;

/// The reference implementation: rows of discs and loops over squares.
#[derive(Clone, Debug, PartialEq)]
struct Twin {
    cells: [[char; 8]; 8],
    mover: char,
}

impl Twin {
    fn of(board: Board) -> Twin {
        let mut cells = [['-'; 8]; 8];
        for (row, line) in cells.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                let bit = 1u64 << (row * 8 + column);
                if board.player & bit != 0 {
                    *cell = 'X';
                } else if board.opponent & bit != 0 {
                    *cell = 'O';
                }
            }
        }
        Twin { cells, mover: 'X' }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        ((0..8).contains(&row) && (0..8).contains(&column)).then(|| self.cells[row as usize][column as usize])
    }

    /// The squares flipped by a disc of the mover.
    fn flipped(&self, row: i32, column: i32) -> Vec<(i32, i32)> {
        let mut all = Vec::new();
        if self.at(row, column) != Some('-') {
            return all;
        }
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut run = Vec::new();
            let (mut r, mut c) = (row + down, column + right);
            while self.at(r, c).is_some_and(|cell| cell != '-' && cell != self.mover) {
                run.push((r, c));
                (r, c) = (r + down, c + right);
            }
            if self.at(r, c) == Some(self.mover) {
                all.extend(run);
            }
        }
        all
    }

    fn placements(&self) -> Vec<(i32, i32)> {
        let squares = (0..8).flat_map(|row| (0..8).map(move |column| (row, column)));
        squares.filter(|&(row, column)| !self.flipped(row, column).is_empty()).collect()
    }

    fn passed(&self) -> Twin {
        Twin { cells: self.cells, mover: if self.mover == 'X' { 'O' } else { 'X' } }
    }

    fn play(&self, row: i32, column: i32) -> Twin {
        let mut next = self.passed();
        next.cells[row as usize][column as usize] = self.mover;
        for (r, c) in self.flipped(row, column) {
            next.cells[r as usize][c as usize] = self.mover;
        }
        next
    }

    /// Discs of the mover and of the other.
    fn board(&self) -> Board {
        let other = if self.mover == 'X' { 'O' } else { 'X' };
        let set = |mark| {
            let squares = (0..64).filter(|at| self.cells[at / 8][at % 8] == mark);
            squares.map(|at| 1u64 << at).sum()
        };
        Board { player: set(self.mover), opponent: set(other) }
    }

    fn final_discs(&self) -> i32 {
        let count = |mark| self.cells.concat().iter().filter(|&&cell| cell == mark).count() as i32;
        let (own, other) = if self.mover == 'X' { (count('X'), count('O')) } else { (count('O'), count('X')) };
        match (own - other).signum() {
            1 => 64 - 2 * other,
            -1 => 2 * own - 64,
            _ => 0,
        }
    }
}

/// Both implementations agree in moves, flips, the positions after them, and the result.
fn agree<K: SolverLevel>(game: &Reversi<K>, board: Board) {
    let twin = Twin::of(board);
    let moves: Vec<_> = game.moves(&board).collect();
    let placements = twin.placements();
    if placements.is_empty() {
        let can_pass = !twin.passed().placements().is_empty();
        assert_eq!(moves.iter().map(|mv| mv.square).collect::<Vec<_>>(), if can_pass { vec![PASS] } else { vec![] });
        assert_eq!(game.outcome(&board), (!can_pass).then(|| twin.final_discs() * 100));
        return;
    }
    assert_eq!(game.outcome(&board), None);
    let squares: Vec<u8> = placements.iter().map(|(row, column)| (row * 8 + column) as u8).collect();
    assert_eq!(moves.iter().map(|mv| mv.square).collect::<Vec<_>>(), squares);
    for (mv, &(row, column)) in moves.iter().zip(&placements) {
        assert_eq!(game.play(&board, *mv), twin.play(row, column).board());
    }
}

struct Agree(Board);

impl ForLevel for Agree {
    type Output = ();
    fn run<K: SolverLevel>(self, game: Reversi<K>) {
        agree(&game, self.0);
    }
}

/// Both the portable kernels and those of this processor.
fn agree_at_all_levels(board: Board) {
    agree(&Reversi::portable(), board);
    at_best_level(Agree(board));
}

/// The board after random legal moves from the start, as far as the game goes.
fn walk(choices: &[u8]) -> Vec<Board> {
    let game = Reversi::portable();
    let mut boards = vec![Board::START];
    for &choice in choices {
        let board = boards[boards.len() - 1];
        let moves: Vec<_> = game.moves(&board).collect();
        let Some(mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        boards.push(game.play(&board, *mv));
    }
    boards
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn reachable_boards(choices in prop::collection::vec(any::<u8>(), 0..64)) {
        walk(&choices).into_iter().for_each(agree_at_all_levels);
    }

    #[test]
    fn unreachable_boards(discs in any::<u64>(), owners in any::<u64>(), thin in any::<u64>()) {
        for filled in [discs, discs | thin, discs & thin] {
            agree_at_all_levels(Board { player: filled & owners, opponent: filled & !owners });
        }
    }

    #[test]
    fn positions_and_moves_are_read_as_written(choices in prop::collection::vec(any::<u8>(), 0..64)) {
        let game = Reversi::portable();
        for (ply, board) in walk(&choices).into_iter().enumerate() {
            let side = if ply % 2 == 0 { Side::First } else { Side::Second };
            for style in [Style::Plain, Style::Ggf, Style::Uci] {
                let text = game.show_position(&board, side, style);
                prop_assert_eq!(game.read_position(&text, style), Ok((board, side)));
                for mv in game.moves(&board) {
                    let name = game.show_move(&board, mv, style);
                    prop_assert_eq!(game.read_move(&board, &name, style), Some(mv));
                    prop_assert_eq!(game.read_move(&board, &name.to_lowercase(), style), Some(mv));
                }
            }
        }
    }

    #[test]
    fn nonsense_is_no_position_and_no_move(text in "\\PC{0,80}") {
        let game = Reversi::portable();
        for style in [Style::Plain, Style::Ggf, Style::Uci] {
            if let Ok((board, side)) = game.read_position(&text, style) {
                prop_assert_eq!(game.read_position(&game.show_position(&board, side, style), style), Ok((board, side)));
            }
            if let Some(mv) = game.read_move(&Board::START, &text, style) {
                prop_assert!(game.moves(&Board::START).any(|legal| legal == mv));
            }
        }
    }
}

#[test]
fn runs_of_moves_are_split() {
    let game = Reversi::portable();
    assert_eq!(game.split_moves("f5D6c3--ps pass PA d3"), ["f5", "D6", "c3", "--", "ps", "pass", "PA", "d3"]);
    assert_eq!(game.split_moves("f5z9"), ["f5", "z9"]);
    assert_eq!(game.split_moves("  "), Vec::<String>::new());
}
