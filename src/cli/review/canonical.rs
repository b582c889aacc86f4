//! The canonical position, which represents all its symmetric images.

use flipside_core::games::names;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::symmetry::Symmetry;
use flipside_core::search::types::Side;
use flipside_host::engine::dyn_position::{DynPosition, SharedPosition, TypedPosition};
use std::sync::Arc;

/// The canonical image of a position. In Reversi it is one of the eight images of the board with Black to move; in other
/// games it is the position itself.
#[derive(Clone)]
pub struct CanonicalPosition {
    /// The image.
    pub position: SharedPosition,
    /// The symmetry from the image back to the position.
    back: Symmetry,
    /// Empty squares, in Reversi.
    pub empties: Option<u32>,
}

impl CanonicalPosition {
    /// The canonical image of a position.
    pub fn new(position: &SharedPosition) -> CanonicalPosition {
        match reversi_board(&**position) {
            Some(board) => {
                let (image, symmetry) = Symmetry::canonical(board);
                let position = TypedPosition::shared(Reversi::portable(), image, Side::First);
                CanonicalPosition { position, back: symmetry.inverse(), empties: Some(board.empties()) }
            }
            None => CanonicalPosition { position: Arc::clone(position), back: Symmetry::ALL[0], empties: None },
        }
    }

    /// The move of the original position that corresponds to this move of the image.
    pub fn original_move(&self, mv: u16) -> u16 {
        // In Reversi a move's code is its square.
        if self.empties.is_some() { self.back.square(mv as u8).into() } else { mv }
    }
}

/// The board of a position of Reversi.
fn reversi_board(position: &dyn DynPosition) -> Option<Board> {
    // Smaller boards have the same type.
    position.value().downcast_ref::<Board>().copied().filter(|_| position.game() == names::REVERSI.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::minichess::rules::MiniChess;
    use flipside_core::games::reversi::board::PASS;
    use flipside_core::games::reversi::obf;
    use flipside_core::search::game::Game;

    #[test]
    fn images_are_one_position_and_their_moves_find_back() {
        let position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
        let (board, _) = obf::position(position).expect("a board");
        let canonical = |board, side| CanonicalPosition::new(&TypedPosition::shared(Reversi::portable(), board, side));
        let first = canonical(board, Side::First);
        for symmetry in Symmetry::ALL {
            for side in [Side::First, Side::Second] {
                let image = TypedPosition::shared(Reversi::portable(), symmetry.board(board), side);
                let canonical = CanonicalPosition::new(&image);
                assert!(*canonical.position == *first.position);
                assert_eq!(canonical.empties, Some(board.empties()));
                let mut back: Vec<_> =
                    canonical.position.moves().into_iter().map(|mv| canonical.original_move(mv)).collect();
                back.sort();
                assert_eq!(back, image.moves());
            }
        }
        assert_eq!(first.original_move(PASS.into()), u16::from(PASS));
    }

    #[test]
    fn other_games_have_no_images() {
        let start = TypedPosition::shared(MiniChess, MiniChess.start(), Side::First);
        let position = CanonicalPosition::new(&start);
        let codes = start.moves();
        let back: Vec<_> = codes.iter().map(|&mv| position.original_move(mv)).collect();
        assert!(*position.position == *start);
        assert_eq!((back, position.empties), (codes, None));
    }
}
