//! Counting the leaves of a game tree, the usual test of a move generator.

use crate::search::game::{Game, PerftRule};
use crate::search::limits::Stop;

/// A count under way.
pub struct Perft<'a, G> {
    /// Whose moves are counted.
    pub game: &'a G,
    /// How passes and early ends count.
    pub rule: PerftRule,
    /// Ends the count early, if somebody may want that; the sum is then too small.
    pub stop: Option<&'a Stop>,
}

impl<G: Game> Perft<'_, G> {
    /// Leaves `depth` plies below the position. The position itself is the only leaf at depth 0.
    pub fn count(&self, position: &G::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth > 3 && self.stop.is_some_and(Stop::is_raised) {
            return 0;
        }
        if !G::ENDS_WITHOUT_MOVES && self.game.outcome(position).is_some() {
            return self.over();
        }
        let mut any = false;
        let mut leaves = 0;
        for mv in self.game.moves(position) {
            any = true;
            leaves += self.below(position, mv, depth);
        }
        if any { leaves } else { self.over() }
    }

    /// Leaves below one move of a position that is counted to `depth`, which is at least 1.
    pub fn below(&self, position: &G::Position, mv: G::Move, depth: u32) -> u64 {
        let free = self.rule == PerftRule::DiscPly && self.game.cost(mv) == 0;
        let left = if free { depth } else { depth - 1 };
        if left == 0 { 1 } else { self.count(&self.game.play(position, mv), left) }
    }

    /// What a game that is over early counts.
    fn over(&self) -> u64 {
        u64::from(self.rule != PerftRule::Full)
    }
}
