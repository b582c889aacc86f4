//! The tables that a textbook search fills while it runs, and the move ordering that reads them.

use super::move_order::MoveOrder;
use super::oracle::Oracle;
use super::stored_score::StoredScore;
use super::types::{SearchConfig, SearchInput};
use flipside_core::search::algorithm::Algorithm;
use flipside_core::search::evaluation::Eval;
use flipside_core::search::game::Game;
use flipside_core::search::transposition_table::Bound;
use flipside_core::search::types::{Depth, Score};
use flipside_support::random::splitmix64;
use std::collections::HashMap;

/// Unbounded transposition table, killer moves, history, and the best moves of the previous iteration.
#[derive(Default)]
pub(super) struct SearchTables {
    scores: HashMap<u64, StoredScore>,
    best_moves: HashMap<u64, u16>,
    killers: Vec<[u16; 2]>,
    history: HashMap<u16, i64>,
    oracle: Oracle,
}

impl SearchTables {
    /// The table's score for this window and depth.
    pub(super) fn probe(&self, key: u64, window: (Score, Score), depth: Depth) -> Option<Score> {
        self.scores.get(&key).filter(|stored| stored.is_usable(window, depth)).map(|stored| stored.score)
    }

    /// Stores the score and the best move of an inner node.
    pub(super) fn store(
        &mut self,
        config: SearchConfig,
        key: u64,
        window: (Score, Score),
        depth: Depth,
        (score, best_move): (Score, u16),
    ) {
        if config.order == MoveOrder::Previous {
            self.best_moves.insert(key, best_move);
        }
        if config.table {
            let bound = if config.algorithm == Algorithm::Minimax { Bound::Exact } else { Bound::of(score, window) };
            self.scores.insert(key, StoredScore { depth, score, bound });
        }
    }

    /// Updates killers or history, whichever the order reads, with a move that caused a cutoff.
    pub(super) fn update_on_cutoff(&mut self, order: MoveOrder, code: u16, depth: Depth, ply: usize) {
        match order {
            MoveOrder::Killers => {
                if self.killers.len() <= ply {
                    self.killers.resize(ply + 1, [u16::MAX; 2]);
                }
                let [first, second] = &mut self.killers[ply];
                if *first != code {
                    *second = std::mem::replace(first, code);
                }
            }
            MoveOrder::History => *self.history.entry(code).or_default() += i64::from(depth) * i64::from(depth),
            _ => {}
        }
    }

    /// The moves of a position in this order.
    pub(super) fn ordered_moves<G: Game, E: Eval<G>>(
        &mut self,
        input: &SearchInput<'_, G, E>,
        order: MoveOrder,
        position: &G::Position,
        depth: Depth,
        ply: usize,
    ) -> Vec<G::Move> {
        let game = input.game;
        let mut moves: Vec<_> = game.moves(position).collect();
        // Ascending: the move with the lowest key is searched first.
        let mut sort_key: Box<dyn FnMut(G::Move) -> i64 + '_> = match order {
            MoveOrder::Natural => return moves,
            MoveOrder::Reverse => {
                moves.reverse();
                return moves;
            }
            MoveOrder::Random(seed) => {
                let seed = splitmix64(seed ^ game.key(position));
                Box::new(move |mv| (splitmix64(seed ^ u64::from(game.code(mv))) >> 1).cast_signed())
            }
            MoveOrder::Static => Box::new(|mv| input.static_value(&game.play(position, mv)).into()),
            MoveOrder::Heuristic => Box::new(|mv| -i64::from((input.scorer)(position, mv))),
            MoveOrder::Rule => Box::new(|mv| input.heuristics.move_class(position, mv).unwrap_or_default().into()),
            MoveOrder::Killers => {
                let killers = self.killers.get(ply).copied().unwrap_or([u16::MAX; 2]);
                Box::new(move |mv| killers.iter().position(|killer| *killer == game.code(mv)).unwrap_or(2) as i64)
            }
            MoveOrder::History => Box::new(|mv| -self.history.get(&game.code(mv)).copied().unwrap_or(0)),
            MoveOrder::Previous => {
                let best = self.best_moves.get(&game.key(position)).copied();
                Box::new(move |mv| (best != Some(game.code(mv))).into())
            }
            MoveOrder::Perfect => Box::new(|mv| self.oracle.value(input, &game.play(position, mv), depth - 1).into()),
        };
        moves.sort_by_cached_key(|&mv| sort_key(mv));
        moves
    }
}
