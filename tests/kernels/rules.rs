//! The rules of Reversi against a square-by-square reference implementation, on reachable and unreachable boards.

use crate::reversi_twin::Twin;
use flipside::games::reversi::board::{Board, PASS};
use flipside::games::reversi::level::{ForLevel, at_best_level};
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::solver::level::SolverLevel;
use flipside::search::game::Game;
use flipside::search::notation::{Notation, Style};
use flipside::search::types::Side;
use proptest::prelude::*;

/// The reference implementation's view of a board.
fn twin_of(board: Board) -> Twin {
    let mut twin = Twin { cells: [['-'; 8]; 8], mover: 'X' };
    for (row, line) in twin.cells.iter_mut().enumerate() {
        for (column, cell) in line.iter_mut().enumerate() {
            let bit = 1u64 << (row * 8 + column);
            if board.player & bit != 0 {
                *cell = 'X';
            } else if board.opponent & bit != 0 {
                *cell = 'O';
            }
        }
    }
    twin
}

/// Discs of the mover and of the other.
fn board_of(twin: &Twin) -> Board {
    let set = |mark| {
        let squares = (0..64).filter(|at| twin.cells[at / 8][at % 8] == mark);
        squares.map(|at| 1u64 << at).sum()
    };
    Board { player: set(twin.mover), opponent: set(twin.other()) }
}

/// Both implementations agree in moves, flips, the positions after them, and the result.
fn agree<K: SolverLevel>(game: &Reversi<K>, board: Board) {
    let twin = twin_of(board);
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
        assert_eq!(game.play(&board, *mv), board_of(&twin.play(row, column)));
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

/// A host may set it up, though no game leads to it.
#[test]
fn a_board_with_more_moves_than_any_game_has() {
    let board = Board { player: 0x0004_9430_2264_0800, opponent: 0x00aa_2206_5002_7600 };
    let game = Reversi::portable();
    assert_eq!(game.moves(&board).count(), 35);
    agree_at_all_levels(board);
    // A square beyond the board reads no memory beyond the tables.
    struct Beyond(Board);
    impl ForLevel for Beyond {
        type Output = ();
        fn run<K: SolverLevel>(self, game: Reversi<K>) {
            for square in 64..=u8::MAX {
                assert_eq!(game.flips(self.0, square), game.flips(self.0, square % 64));
            }
        }
    }
    at_best_level(Beyond(board));
    Beyond(board).run(game);
}
