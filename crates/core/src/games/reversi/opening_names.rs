//! Names of openings. A name belongs to a position, whichever moves and whichever of the board's
//! eight symmetries lead to it; a game is named after the last named position on its way.
//!
//! `opening_names.tsv` holds the names as facts: a line of play each, with the sources that agree
//! on them.

use super::board::{Board, PASS, Placement};
use super::kernels::portable;
use super::obf;
use super::symmetry::Symmetry;
use std::collections::HashMap;
use std::sync::LazyLock;

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// Its name, unique: `Rose-Bill`.
    pub name: &'static str,
    /// Other names, the commonest first, separated by ` / `; often none.
    pub other_names: &'static str,
    /// A line of play that leads to it: `f5d6c3d3c4f4c5b3c2`, first move f5, without passes.
    pub moves: &'static str,
}

/// The openings by canonical position, and the fewest empty squares that any of them has.
struct Names {
    by_position: HashMap<(u64, u64), NamedOpening>,
    fewest_empties: u32,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let keyed = all().map(|opening| {
        let board = positions(opening.moves).last().unwrap_or(Board::START);
        (board, opening)
    });
    let keyed: Vec<(Board, NamedOpening)> = keyed.collect();
    Names {
        fewest_empties: keyed.iter().map(|(board, _)| board.empties()).min().unwrap_or(64),
        by_position: keyed.into_iter().map(|(board, opening)| (key(board), opening)).collect(),
    }
});

/// All named openings, in the order of the file.
pub fn all() -> impl Iterator<Item = NamedOpening> {
    let lines = include_str!("opening_names.tsv").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.filter_map(|line| {
        let mut fields = line.split('\t');
        let (moves, name) = (fields.next()?, fields.next()?);
        Some(NamedOpening { name, other_names: fields.next().unwrap_or_default(), moves })
    })
}

/// The opening that ends in exactly this position, seen by the side to move.
pub fn at(board: Board) -> Option<NamedOpening> {
    let names = &*NAMES;
    if board.empties() < names.fewest_empties {
        return None;
    }
    names.by_position.get(&key(board)).copied()
}

/// The opening of a game with these positions in their order, start and present position included: the last named one.
pub fn of_positions(boards: impl DoubleEndedIterator<Item = Board>) -> Option<NamedOpening> {
    boards.rev().find_map(at)
}

fn key(board: Board) -> (u64, u64) {
    let (canonical, _) = Symmetry::canonical(board);
    (canonical.player, canonical.opponent)
}

/// The positions after each of the moves from the start position, written as `f5d6c3` in any case, with or without blanks
/// between them and with passes written or left out. Ends before a move that cannot be read or is not legal.
fn positions(moves: &str) -> impl Iterator<Item = Board> {
    let (mut rest, mut board) = (moves, Board::START);
    std::iter::from_fn(move || {
        let (after, square) = obf::square(rest.trim_start()).ok()?;
        rest = after;
        board = after_move(board, square)?;
        Some(board)
    })
}

/// The board after a placement, which implies a forced pass, or after a forced pass.
fn after_move(board: Board, square: u8) -> Option<Board> {
    let must_pass = portable::moves(board.player, board.opponent) == 0;
    if square == PASS {
        return must_pass.then(|| board.passed());
    }
    let board = if must_pass { board.passed() } else { board };
    let legal = portable::moves(board.player, board.opponent) >> square & 1 != 0;
    let flips = portable::flips(board.player, board.opponent, u32::from(square));
    legal.then(|| board.after(Placement { square, flips }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    impl NamedOpening {
        /// Moves that lead to it.
        fn plies(&self) -> usize {
            self.moves.len() / 2
        }
    }

    /// The opening of the moves from the start position.
    fn of_moves(moves: &str) -> Option<NamedOpening> {
        let boards: Vec<Board> = positions(moves).collect();
        of_positions(boards.into_iter())
    }

    #[test]
    fn every_line_is_legal_and_every_name_and_position_stands_once() {
        let count = all().count();
        assert!(count >= 144, "{count} openings");
        for opening in all() {
            let boards: Vec<Board> = positions(opening.moves).collect();
            assert_eq!(boards.len(), opening.plies(), "{}: a move of {} is not legal", opening.name, opening.moves);
            assert_eq!(boards.last().map(|board| board.empties()), Some(60 - opening.plies() as u32));
        }
        assert_eq!(all().map(|opening| opening.name).collect::<HashSet<_>>().len(), count, "a name stands twice");
        assert_eq!(NAMES.by_position.len(), count, "two lines end in the same position");
    }

    #[test]
    fn every_opening_has_its_name_under_the_symmetries_of_the_start() {
        for opening in all() {
            for symmetry in Symmetry::ALL.into_iter().filter(|symmetry| symmetry.board(Board::START) == Board::START) {
                let square = |at: usize| obf::square(&opening.moves[2 * at..]).expect("a square").1;
                let turned = (0..opening.plies()).map(|at| obf::square_name(symmetry.square(square(at))));
                assert_eq!(of_moves(&turned.collect::<String>()), Some(opening), "{symmetry:?}");
            }
        }
    }

    fn name(moves: &str) -> Option<&'static str> {
        of_moves(moves).map(|opening| opening.name)
    }

    #[test]
    fn the_longest_known_opening_names_a_game() {
        assert_eq!(name(""), None);
        assert_eq!(name("f5"), None, "all first moves are alike");
        assert_eq!(name("f5d6"), Some("Perpendicular"));
        assert_eq!(name("F5 d6 c3 d3 c4"), Some("Tiger"));
        assert_eq!(name("c4e3f6e6f5"), Some("Tiger"), "the same, turned");
        assert_eq!(name("f5d6c3d3c4f4c5b3c2h8"), Some("Rose-Bill"), "an illegal move ends the game");
        assert_eq!(name("f5d6c3d3c4f4c5b3c2d1"), Some("Rose-Bill"), "a position without a name keeps the last one");
    }

    #[test]
    fn another_order_of_moves_has_the_name_of_its_position() {
        assert_eq!(name("f5d6c4d3c3"), Some("Tiger"), "not by way of f5d6c3");
        assert_eq!(name("f5f4"), Some("Parallel"));
        assert_eq!(name("f5f4e3f6e6"), Some("Cow"), "as after f5f6e6f4e3");
    }
}
