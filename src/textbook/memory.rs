//! What a textbook searcher remembers while it runs, and the order of moves that follows from it.

use super::order::{Order, scramble};
use super::plan::{Algorithm, Plan, Task};
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::transposition_table::Bound;
use crate::search::types::{Depth, INFINITE, Score, WIN};
use std::collections::HashMap;

/// The value of a position searched to some depth.
#[derive(Clone, Copy)]
struct Known {
    depth: Depth,
    score: Score,
    kind: Bound,
}

impl Known {
    fn answers(self, (alpha, beta): (Score, Score), depth: Depth) -> bool {
        let usable = match self.kind {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        };
        self.depth == depth && usable
    }
}

/// A table without limit, killers, history, and the best moves of the iteration before.
#[derive(Default)]
pub(super) struct Memory {
    table: HashMap<u64, Known>,
    previous: HashMap<u64, u16>,
    killers: Vec<[u16; 2]>,
    history: HashMap<u16, i64>,
    oracle: Oracle,
}

impl Memory {
    /// The value that the table has for this window and depth.
    pub(super) fn value(&self, key: u64, window: (Score, Score), depth: Depth) -> Option<Score> {
        self.table.get(&key).filter(|known| known.answers(window, depth)).map(|known| known.score)
    }

    /// Takes down the value of an inner node and its best move.
    pub(super) fn learn(&mut self, plan: Plan, key: u64, window: (Score, Score), depth: Depth, best: (Score, u16)) {
        let (score, code) = best;
        if plan.order == Order::Previous {
            self.previous.insert(key, code);
        }
        if plan.table {
            let kind = if plan.algorithm == Algorithm::Minimax { Bound::Exact } else { Bound::of(score, window) };
            self.table.insert(key, Known { depth, score, kind });
        }
    }

    /// Takes down a move that cut.
    pub(super) fn learn_cut(&mut self, order: Order, code: u16, depth: Depth, ply: usize) {
        match order {
            Order::Killers => {
                if self.killers.len() <= ply {
                    self.killers.resize(ply + 1, [u16::MAX; 2]);
                }
                let [first, second] = &mut self.killers[ply];
                if *first != code {
                    *second = std::mem::replace(first, code);
                }
            }
            Order::History => *self.history.entry(code).or_default() += i64::from(depth) * i64::from(depth),
            _ => {}
        }
    }

    /// The moves of a position in the order of the plan; equals keep the game's own order.
    pub(super) fn ordered<G: Game, E: Eval<G>>(
        &mut self,
        task: &Task<'_, G, E>,
        order: Order,
        position: &G::Position,
        depth: Depth,
        ply: usize,
    ) -> Vec<G::Move> {
        let game = task.game;
        let mut moves: Vec<_> = game.moves(position).collect();
        // The lower, the earlier.
        let mut place: Box<dyn FnMut(G::Move) -> i64 + '_> = match order {
            Order::Natural => return moves,
            Order::Reverse => {
                moves.reverse();
                return moves;
            }
            Order::Random(seed) => {
                let seed = scramble(seed ^ game.key(position));
                Box::new(move |mv| (scramble(seed ^ u64::from(game.code(mv))) >> 1).cast_signed())
            }
            Order::Static => Box::new(|mv| standing(task, &game.play(position, mv)).into()),
            Order::Heuristic => Box::new(|mv| -i64::from((task.rank)(position, mv))),
            Order::Killers => {
                let killers = self.killers.get(ply).copied().unwrap_or([u16::MAX; 2]);
                Box::new(move |mv| killers.iter().position(|killer| *killer == game.code(mv)).unwrap_or(2) as i64)
            }
            Order::History => Box::new(|mv| -self.history.get(&game.code(mv)).copied().unwrap_or(0)),
            Order::Previous => {
                let best = self.previous.get(&game.key(position)).copied();
                Box::new(move |mv| (best != Some(game.code(mv))).into())
            }
            Order::Perfect => Box::new(|mv| self.oracle.value(task, &game.play(position, mv), depth - 1).into()),
        };
        moves.sort_by_cached_key(|&mv| place(mv));
        moves
    }
}

/// The value of a position as it stands, for its side to move.
pub(super) fn standing<G: Game, E: Eval<G>>(task: &Task<'_, G, E>, position: &G::Position) -> Score {
    task.game.outcome(position).unwrap_or_else(|| task.eval.evaluate(&task.eval.refresh(position), position))
}

/// From this depth on the oracle sorts moves by their ranks and remembers values; below, that costs more than it saves.
const WORTH_SORTING: Depth = 2;

/// Knows the true value of every position, by searches of its own that nobody counts.
#[derive(Default)]
pub(super) struct Oracle(HashMap<(u64, Depth), Known>);

impl Oracle {
    /// The value of a search of this depth.
    pub(super) fn value<G: Game, E: Eval<G>>(
        &mut self,
        task: &Task<'_, G, E>,
        position: &G::Position,
        depth: Depth,
    ) -> Score {
        self.within(task, position, depth, (-INFINITE, INFINITE))
    }

    fn within<G: Game, E: Eval<G>>(
        &mut self,
        task: &Task<'_, G, E>,
        position: &G::Position,
        depth: Depth,
        (alpha, beta): (Score, Score),
    ) -> Score {
        if depth <= 0 || task.game.outcome(position).is_some() {
            return standing(task, position);
        }
        let key = (task.game.key(position), depth);
        if let Some(known) = self.0.get(&key).filter(|known| known.answers((alpha, beta), depth)) {
            return known.score;
        }
        let mut best = -INFINITE;
        let mut moves: Vec<_> = task.game.moves(position).collect();
        if depth >= WORTH_SORTING {
            moves.sort_by_cached_key(|&mv| std::cmp::Reverse((task.rank)(position, mv)));
        }
        for mv in moves {
            let window = (-beta, -alpha.max(best));
            best = best.max(-self.within(task, &task.game.play(position, mv), depth - 1, window));
            if best >= beta {
                break;
            }
        }
        let kind = Bound::of(best, (alpha, beta));
        if depth >= WORTH_SORTING {
            self.0.insert(key, Known { depth, score: best, kind });
        }
        best
    }
}

/// The window of a search that has not seen anything yet: a loss, and a win.
pub(super) const FULL: (Score, Score) = (-WIN, WIN);
