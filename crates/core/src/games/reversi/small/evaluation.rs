//! The textbook's evaluations on a small board, chosen by name; those of 8x8 depend on its edges.

use super::rules::SmallReversi;
use crate::games::names;
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::mobility::neighbours;
use crate::search::evaluation::Eval;
use crate::search::types::{Score, UNIT};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    /// Weights of the squares held, ten to a disc.
    Positional,
    /// Discs, each worth one.
    Discs,
    /// Legal moves, each worth a disc.
    Mobility,
    /// Corners, each worth ten discs.
    Corners,
    /// Empty squares beside the other's discs, two to a disc.
    PotentialMobility,
    /// Stable discs, each worth one.
    Stability,
}

use Feature::{Corners, Discs, Mobility, Positional, PotentialMobility, Stability};

/// A feature of a board of some size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallEvaluation {
    game: SmallReversi,
    feature: Feature,
}

impl SmallEvaluation {
    /// The names, the default first.
    pub const NAMES: &'static [&'static str] = names::REVERSI_6X6.evaluations;

    /// The evaluation of that name in any case; `default` is the first.
    pub fn named(game: SmallReversi, name: &str) -> Option<SmallEvaluation> {
        let all = [Positional, Discs, Mobility, Corners, PotentialMobility, Stability];
        let found = Self::NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
        let index = if name.eq_ignore_ascii_case("default") { Some(0) } else { found };
        Some(SmallEvaluation { game, feature: *all.get(index?)? })
    }

    /// The value for the side to move in hundredths of a disc.
    pub fn value(self, board: Board) -> Score {
        let SmallEvaluation { game, feature } = self;
        let count = |side: Board| match feature {
            Discs => side.player.count_ones() as i32 * UNIT,
            Mobility => game.placements(side).count_ones() as i32 * UNIT,
            Corners => (side.player & game.corners()).count_ones() as i32 * 10 * UNIT,
            Positional => positional(game, side) * UNIT / 10,
            PotentialMobility => (neighbours(side.opponent) & game.empty(side)).count_ones() as i32 * UNIT / 2,
            Stability => stable(game, side.player).count_ones() as i32 * UNIT,
        };
        let largest = (game.size() * game.size()) as Score * UNIT;
        (count(board) - count(board.passed())).clamp(-largest, largest)
    }
}

/// Corners are worth most; squares beside an empty corner give it away; edges are better than the middle.
fn positional(game: SmallReversi, board: Board) -> i32 {
    let (corners, empty) = (game.corners(), game.empty(board));
    let beside = neighbours(corners & empty) & game.mask();
    let diagonal = beside & !edges(game);
    let weights = [(100, corners), (-40, diagonal), (-20, beside & !diagonal), (6, edges(game) & !corners & !beside)];
    weights.into_iter().map(|(weight, squares)| weight * (board.player & squares).count_ones() as i32).sum()
}

/// The outermost squares.
fn edges(game: SmallReversi) -> u64 {
    let inner = (1 << (game.size() - 2)) - 1;
    (1..game.size() - 1).fold(game.mask(), |edges, row| edges & !(inner << (8 * row + 1)))
}

/// Discs that can never be flipped again, as far as that spreads from corners: along each of its
/// four lines a disc has a neighbour that is stable or off the board.
pub(super) fn stable(game: SmallReversi, own: u64) -> u64 {
    // Off the mask on the right and below; the shifts bring in what is off on the left and above.
    let outside = !game.mask();
    let mut stable = 0;
    loop {
        let safe = stable | outside;
        let along = |step: u32| safe >> step | safe << step | ((1 << step) - 1);
        let grown = own & along(1) & along(7) & along(8) & along(9);
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

impl Eval<SmallReversi> for SmallEvaluation {
    type Accumulator = ();
    fn refresh(&self, _: &Board) {}
    fn update(&self, (): &(), _: &Board, _: Placement, _: &Board) {}
    fn evaluate(&self, (): &(), board: &Board) -> Score {
        self.value(*board)
    }
    /// The result. Only `discs` counts the discs as they stand: empty squares do not count for the winner.
    fn finished(&self, board: &Board, rules: Score) -> Score {
        if self.feature == Discs { self.value(*board) } else { rules }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::notation::{Notation, Style};

    fn board(game: SmallReversi, text: &str) -> Board {
        game.read_position(text, Style::Plain).expect("a position").0
    }

    #[test]
    fn values_change_sign_with_the_side() {
        let position = board(SmallReversi::SIX, "XXXX--XXOX--XOXO---XXO--OOOO---X---- X");
        let values: Vec<Score> = SmallEvaluation::NAMES
            .iter()
            .map(|name| {
                let evaluation = SmallEvaluation::named(SmallReversi::SIX, name).expect("a known name");
                assert_eq!(evaluation.value(position), -evaluation.value(position.passed()), "{name}");
                evaluation.value(position)
            })
            .collect();
        assert!(values.iter().any(|&value| value != values[0]), "{values:?}");
        assert_eq!(SmallEvaluation::named(SmallReversi::SIX, "nonsense"), None);
    }

    #[test]
    fn stability_spreads_from_corners() {
        let corner = board(SmallReversi::FOUR, "XXX-XX--X------- X");
        assert_eq!(stable(SmallReversi::FOUR, corner.player).count_ones(), 6);
        let right = board(SmallReversi::FOUR, "-----------X--XX X");
        assert_eq!(stable(SmallReversi::FOUR, right.player).count_ones(), 3);
        let middle = board(SmallReversi::SIX, "-------XX----XX-----XX-------------- X");
        assert_eq!(stable(SmallReversi::SIX, middle.player), 0);
        let full = SmallReversi::SIX.mask();
        assert_eq!(stable(SmallReversi::SIX, full), full);
    }

    #[test]
    fn the_edges_are_the_outermost_squares() {
        assert_eq!([SmallReversi::FOUR, SmallReversi::SIX].map(|game| edges(game).count_ones()), [12, 20]);
    }
}
