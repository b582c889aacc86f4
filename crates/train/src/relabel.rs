//! Relabelling: new values for the positions of games, by searches with better weights.
//!
//! Training proceeds backwards through the game: endgame values are exact, weights fitted to them evaluate the leaves of
//! searches from earlier positions, and so on. Positions of the random opening, which have no values from self-play, get
//! values too.

use super::game_file::{TrainingGame, to_half_discs};
use super::opening::RANDOM_MOVES;
use super::selfplay::{ReversiSelfPlay, for_first_player};
use flipside_core::search::types::UNIT;

impl ReversiSelfPlay {
    /// The same game with the values of this player; exact values stay.
    pub fn relabel(&mut self, mut game: TrainingGame) -> TrainingGame {
        self.clear();
        let played = usize::from(game.exact);
        let positions = game.positions();
        game.opening = game.opening.min(RANDOM_MOVES as u8);
        game.exact = game.squares.len() as u8;
        for (ply, position) in positions.iter().enumerate() {
            let exact = ply >= played || position.board.empties() <= self.exact;
            if exact && ply < usize::from(game.exact) {
                game.exact = ply as u8;
            }
            if ply < usize::from(game.opening) || ply >= played {
                continue;
            }
            let value =
                if exact { self.solve_move(position.board).1 * UNIT } else { self.search_move(position.board).1 };
            game.values[ply] = to_half_discs(value);
        }
        if let Some(position) = positions.get(usize::from(game.exact)) {
            let half_discs = i32::from(game.values[usize::from(game.exact)]);
            game.result = for_first_player(half_discs / 2, position.first);
        }
        game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_core::games::reversi::evaluation::ReversiEvaluation;

    fn player(depth: u32, exact: u32) -> ReversiSelfPlay {
        ReversiSelfPlay::new(&ReversiEvaluation::open("weighted", None).expect("a known name"), depth, exact)
    }

    #[test]
    fn labels_replace_estimates_and_keep_what_is_exact() {
        let game = player(1, 6).play(1, 0);
        let labelled = player(2, 8).relabel(game.clone());
        assert_eq!(labelled.squares, game.squares);
        assert_eq!(labelled.exact + 2, game.exact, "two more squares are exact");
        assert_eq!(labelled.opening, 6);
        let old = usize::from(game.exact);
        assert_eq!(labelled.values[old..], game.values[old..]);
        assert!(game.opening > 6 && game.values[7] == 0);
        assert!(labelled.values[6..usize::from(game.opening)].iter().any(|&value| value != 0));
        let first = labelled.positions()[usize::from(labelled.exact)];
        assert_eq!(f32::from(labelled.result), if first.first { first.value } else { -first.value });
    }
}
