//! The true value of a position, for the order `perfect`.

use super::stored_score::StoredScore;
use super::types::SearchInput;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::{Depth, INFINITE, Score};
use std::cmp::Reverse;
use std::collections::HashMap;

/// From this depth on, moves are sorted and values are stored; below it, that costs more than it saves.
const SORT_MIN_DEPTH: Depth = 2;

/// Alpha-beta with a table of its own, whose nodes are not counted.
#[derive(Default)]
pub(super) struct Oracle(HashMap<(u64, Depth), StoredScore>);

impl Oracle {
    /// The value of a full-window search of this depth, for the side to move.
    pub(super) fn value<G: Game, E: Eval<G>>(
        &mut self,
        input: &SearchInput<'_, G, E>,
        position: &G::Position,
        depth: Depth,
    ) -> Score {
        self.search(input, position, depth, (-INFINITE, INFINITE))
    }

    fn search<G: Game, E: Eval<G>>(
        &mut self,
        input: &SearchInput<'_, G, E>,
        position: &G::Position,
        depth: Depth,
        (alpha, beta): (Score, Score),
    ) -> Score {
        if depth <= 0 || input.game.outcome(position).is_some() {
            return input.static_value(position);
        }
        let key = (input.game.key(position), depth);
        if let Some(stored) = self.0.get(&key).filter(|stored| stored.is_usable((alpha, beta), depth)) {
            return stored.score;
        }
        let mut best = -INFINITE;
        let mut moves: Vec<_> = input.game.moves(position).collect();
        if depth >= SORT_MIN_DEPTH {
            moves.sort_by_cached_key(|&mv| Reverse((input.scorer)(position, mv)));
        }
        for mv in moves {
            let window = (-beta, -alpha.max(best));
            best = best.max(-self.search(input, &input.game.play(position, mv), depth - 1, window));
            if best >= beta {
                break;
            }
        }
        if depth >= SORT_MIN_DEPTH {
            self.0.insert(key, StoredScore { depth, score: best, bound: Bound::of(best, (alpha, beta)) });
        }
        best
    }
}
