//! Perft: counting the leaves of a game tree, the usual test of a move generator.

use super::game::Game;
use super::level::{Level, Supported};
use super::limits::Stop;
use super::notation::PerftRule;

/// A count under way, compiled for a processor level.
pub struct Perft<'a, G, L> {
    game: &'a G,
    rule: PerftRule,
    stop: Option<&'a Stop>,
    /// The proof that the count, compiled for the level, can run on this processor.
    level: Supported<L>,
}

impl<'a, G: Game, L: Level> Perft<'a, G, L> {
    /// A count of the game's moves; the rule says how passes and early ends count. Raising `stop` ends it early; the
    /// sum is then too small.
    pub fn new(level: Supported<L>, game: &'a G, rule: PerftRule, stop: Option<&'a Stop>) -> Self {
        Perft { game, rule, stop, level }
    }

    /// Leaves `depth` plies below the position. The position itself is the only leaf at depth 0.
    pub fn count(&self, position: &G::Position, depth: u32) -> u64 {
        self.level.inside(
            #[inline(always)]
            || self.count_body(position, depth),
        )
    }

    #[inline(always)]
    fn count_body(&self, position: &G::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth > 3 && self.stop.is_some_and(Stop::is_raised) {
            return 0;
        }
        if !G::ENDS_WITHOUT_MOVES && self.game.outcome(position).is_some() {
            return self.count_finished_game();
        }
        let mut has_moves = false;
        let mut leaves = 0;
        for mv in self.game.moves(position) {
            has_moves = true;
            leaves += self.below(position, mv, depth);
        }
        if has_moves { leaves } else { self.count_finished_game() }
    }

    /// Leaves below one move of a position that is counted to `depth`, which is at least 1.
    #[inline(always)]
    fn below(&self, position: &G::Position, mv: G::Move, depth: u32) -> u64 {
        let left = plies_below(self.game, self.rule, mv, depth);
        if left == 0 { 1 } else { self.count(&self.game.play(position, mv), left) }
    }

    /// What a game that is over before full depth counts.
    fn count_finished_game(&self) -> u64 {
        u64::from(self.rule != PerftRule::Full)
    }
}

/// Plies left below one move of a position that is counted to `depth`, which is at least 1.
#[inline(always)]
pub fn plies_below<G: Game>(game: &G, rule: PerftRule, mv: G::Move, depth: u32) -> u32 {
    let costs_no_ply = rule == PerftRule::DiscPly && game.cost(mv) == 0;
    if costs_no_ply { depth } else { depth - 1 }
}
