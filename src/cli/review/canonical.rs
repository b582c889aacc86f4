//! The canonical position, which represents all its symmetric images.

use flipside_core::games::names;
use flipside_core::games::reversi::symmetry::Symmetry;
use flipside_core::games::reversi::{notation, obf};

/// The canonical image of a position. In Reversi it is one of the eight images of the board with Black to move; in
/// other games it is the position itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CanonicalPosition {
    /// The image, in the game's notation.
    pub text: String,
    /// The symmetry from the image back to the position.
    back: Symmetry,
    /// Empty squares, in Reversi.
    pub empties: Option<u32>,
}

impl CanonicalPosition {
    /// The canonical image of a position of this game.
    pub fn new(game: &str, position: &str) -> CanonicalPosition {
        match obf::position(position) {
            Ok((board, _)) if game == names::REVERSI.name => {
                let (image, symmetry) = Symmetry::canonical(board);
                let empties = Some(board.empties());
                CanonicalPosition { text: obf::show(image, true), back: symmetry.inverse(), empties }
            }
            _ => CanonicalPosition { text: position.to_string(), back: Symmetry::ALL[0], empties: None },
        }
    }

    /// The move of the original position that corresponds to this move of the image.
    pub fn original_move(&self, mv: &str) -> String {
        match obf::square(mv) {
            Ok(("", square)) if square < 64 && self.empties.is_some() => {
                notation::square_name(self.back.square(square))
            }
            _ => mv.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::reversi::board::Board;
    use flipside_core::games::reversi::kernels::portable;

    #[test]
    fn images_are_one_position_and_their_moves_find_back() {
        let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
        let (board, _) = obf::position(position).expect("a board");
        let moves = |board: Board| portable::moves(board.player, board.opponent);
        let names = |squares: u64| (0..64).filter(move |square| squares >> square & 1 != 0).map(notation::square_name);
        let first = CanonicalPosition::new("reversi", &obf::show(board, true));
        for symmetry in Symmetry::ALL {
            for black in [true, false] {
                let image = symmetry.board(board);
                let canonical = CanonicalPosition::new("reversi", &obf::show(image, black));
                assert_eq!((&canonical.text, canonical.empties), (&first.text, Some(board.empties())));
                let (turned, _) = obf::position(&canonical.text).expect("a board");
                let mut back: Vec<_> = names(moves(turned)).map(|mv| canonical.original_move(&mv)).collect();
                let mut own: Vec<_> = names(moves(image)).collect();
                back.sort();
                own.sort();
                assert_eq!(back, own);
            }
        }
        assert_eq!(first.original_move("PASS"), "PASS");
    }

    #[test]
    fn other_games_have_no_images() {
        let position = CanonicalPosition::new("minichess", "rnbqk/ppppp/5/5/PPPPP/RNBQK w");
        assert_eq!((position.original_move("a2a3"), position.empties), ("a2a3".into(), None));
    }
}
