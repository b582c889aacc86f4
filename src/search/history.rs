//! What a search remembers about good moves: killers by ply, a history by move.

use super::policy::PIECE_TO;
use super::types::{Depth, MAX_PLY};
use std::sync::LazyLock;

const CODES: usize = 4096;
const LIMIT: i32 = 16_384;

/// Histories of quiet moves that cut, for one thread.
pub struct Histories {
    killers: Vec<[u16; 2]>,
    history: Vec<i32>,
    /// By the piece_to of an earlier move and of the continuation; empty where the game gives no piece_to_path.
    continuations: Vec<i16>,
}

impl Histories {
    /// Knows nothing yet; `pairs` says whether pairs of moves will be solver_best_move.
    pub fn new(pairs: bool) -> Histories {
        let continuations = vec![0; if pairs { PIECE_TO * PIECE_TO } else { 0 }];
        Histories { killers: vec![[u16::MAX; 2]; MAX_PLY + 1], history: vec![0; CODES], continuations }
    }

    /// The move cut at this ply.
    pub fn add_killer(&mut self, ply: usize, code: u16) {
        let slot = &mut self.killers[ply];
        if slot[0] != code {
            *slot = [code, slot[0]];
        }
    }

    /// 2 for the latest killer of the ply, 1 for the one before, 0 for others.
    #[inline(always)]
    pub fn killer(&self, ply: usize, code: u16) -> i32 {
        match self.killers[ply] {
            [latest, _] if latest == code => 2,
            [_, older] if older == code => 1,
            _ => 0,
        }
    }

    /// Rewards (or, with a negative sign, blames) a move; values stay within ±16384 because the
    /// step shrinks as they grow ("gravity").
    pub fn learn(&mut self, code: u16, depth: Depth, sign: i32) {
        let value = &mut self.history[usize::from(code) % CODES];
        *value = moved(*value, depth, sign);
    }

    /// Rewards or blames a move for what came of it after an earlier one.
    pub fn update_continuation(&mut self, earlier: usize, piece_to: usize, depth: Depth, sign: i32) {
        if earlier != 0 {
            let value = &mut self.continuations[earlier * PIECE_TO + piece_to];
            *value = moved(i32::from(*value), depth, sign) as i16;
        }
    }

    /// What was learned about a move after an earlier one, within ±16384.
    #[inline(always)]
    pub fn continuation(&self, earlier: usize, piece_to: usize) -> i32 {
        if earlier == 0 { 0 } else { i32::from(self.continuations[earlier * PIECE_TO + piece_to]) }
    }

    /// What was learned about a move, within ±16384.
    #[inline(always)]
    pub fn history(&self, code: u16) -> i32 {
        self.history[usize::from(code) % CODES]
    }
}

/// A value after a reward or a blame.
fn moved(value: i32, depth: Depth, sign: i32) -> i32 {
    let bonus = sign * (128 * depth).min(1_950);
    value + bonus - value * bonus.abs() / LIMIT
}

/// By how many plies late quiet moves are searched less deep: more the deeper the search and the
/// later the move.
pub struct Reductions([[u8; 64]; 64]);

impl Reductions {
    /// The one table, made when it is first asked for.
    pub fn shared() -> &'static Reductions {
        static TABLE: LazyLock<Reductions> = LazyLock::new(|| {
            let log = |number: usize| (number.max(1) as f64).ln();
            Reductions(std::array::from_fn(|depth| {
                // In quarters of a ply.
                std::array::from_fn(|index| (4.0 * (0.5 + log(depth) * log(index) / 2.3)) as u8)
            }))
        });
        &TABLE
    }

    /// Plies for the move of this index and rank at a node of this depth; `calm` counts the signs
    /// that little is at stake.
    #[inline(always)]
    pub fn plies(&self, depth: Depth, index: usize, calm: Depth, rank: i32) -> Depth {
        if depth < 3 || index < 2 {
            return 0;
        }
        let quarters = Depth::from(self.0[(depth as usize).min(63)][index.min(63)]);
        // Killers have high ranks; what history says moves a reduction by two plies at most.
        let liked = (rank / 1_720).clamp(-6, 6);
        ((quarters + 3 * (calm - 1) - liked) / 4).clamp(0, depth - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_killer_ranks_first() {
        let mut histories = Histories::new(false);
        histories.add_killer(3, 11);
        histories.add_killer(3, 12);
        histories.add_killer(3, 12);
        assert_eq!([histories.killer(3, 12), histories.killer(3, 11), histories.killer(3, 9)], [2, 1, 0]);
        assert_eq!(histories.killer(4, 12), 0);
    }

    #[test]
    fn replies_are_remembered_by_pairs() {
        let mut histories = Histories::new(true);
        histories.update_continuation(3, 5, 10, 1);
        histories.update_continuation(0, 5, 10, 1);
        assert_eq!(
            [histories.continuation(3, 5), histories.continuation(3, 4), histories.continuation(0, 5)],
            [1_280, 0, 0]
        );
    }

    #[test]
    fn later_moves_are_reduced_more() {
        let reductions = Reductions::shared();
        let plies = |depth, index, rank| reductions.plies(depth, index, 1, rank);
        assert_eq!([plies(2, 20, 0), plies(9, 1, 0)], [0, 0]);
        assert!(plies(12, 20, 0) > plies(12, 4, 0) && plies(12, 20, 0) > plies(4, 20, 0));
        assert!(plies(12, 12, -16_000) > plies(12, 12, 16_000));
        assert!((3..64).all(|depth| plies(depth, 100, -30_000) <= depth - 2));
    }

    #[test]
    fn history_stays_within_its_limit() {
        let mut histories = Histories::new(false);
        for _ in 0..1_000 {
            histories.learn(7, 40, 1);
            histories.learn(8, 40, -1);
        }
        assert!((16_000..=LIMIT).contains(&histories.history(7)));
        assert!((-LIMIT..=-16_000).contains(&histories.history(8)));
    }
}
