//! The eight symmetries of a small board: positions that are mirror images of each other have one entry in the table.

use super::rules::SmallReversi;
use crate::games::reversi::board::Board;
use crate::games::reversi::symmetry::transposed;

/// A symmetry: mirrored columns (1), then flipped rows (2), then rows and columns exchanged (4), each if its bit is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Symmetry(u8);

impl Symmetry {
    /// Every square stays where it is.
    pub(super) const IDENTITY: Symmetry = Symmetry(0);

    /// A set of squares, moved.
    pub(super) fn apply(self, game: SmallReversi, mut set: u64) -> u64 {
        if self.0 & 1 != 0 {
            set = mirror_columns(game, set);
        }
        if self.0 & 2 != 0 {
            set = flip_rows(game, set);
        }
        if self.0 & 4 != 0 {
            set = transposed(set);
        }
        set
    }

    /// The set that [`Symmetry::apply`] moved here.
    pub(super) fn undo(self, game: SmallReversi, mut set: u64) -> u64 {
        if self.0 & 4 != 0 {
            set = transposed(set);
        }
        if self.0 & 2 != 0 {
            set = flip_rows(game, set);
        }
        if self.0 & 1 != 0 {
            set = mirror_columns(game, set);
        }
        set
    }
}

fn mirror_columns(game: SmallReversi, set: u64) -> u64 {
    set.swap_bytes().reverse_bits() >> (8 - game.size())
}

fn flip_rows(game: SmallReversi, set: u64) -> u64 {
    set.swap_bytes() >> (8 * (8 - game.size()))
}

/// The one of the eight images of a board that stands for all of them, and the symmetry that leads
/// to it.
pub(super) fn canonical(game: SmallReversi, board: Board) -> (Board, Symmetry) {
    let mut best = (board, Symmetry::IDENTITY);
    for number in 1..8 {
        let symmetry = Symmetry(number);
        let image =
            Board { player: symmetry.apply(game, board.player), opponent: symmetry.apply(game, board.opponent) };
        if (image.player, image.opponent) < (best.0.player, best.0.opponent) {
            best = (image, symmetry);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_support::random::splitmix64;
    use std::collections::HashSet;

    #[test]
    fn every_image_has_the_same_canonical_board_and_leads_back() {
        for game in [SmallReversi::FOUR, SmallReversi::SIX] {
            for seed in 0..200 {
                let player = splitmix64(seed) & game.mask();
                let opponent = splitmix64(seed + 1_000) & game.mask() & !player;
                let (expected, _) = canonical(game, Board { player, opponent });
                let mut images = HashSet::new();
                for symmetry in (0..8).map(Symmetry) {
                    let [player, opponent] = [player, opponent].map(|set| symmetry.apply(game, set));
                    assert_eq!(player & !game.mask(), 0);
                    images.insert(player);
                    let (found, back) = canonical(game, Board { player, opponent });
                    assert_eq!(found, expected);
                    assert_eq!(back.undo(game, found.player), player);
                }
                assert!(images.len() == 8 || game.size() == 4, "a random set has eight images");
            }
        }
    }
}
