//! What a search remembers about good moves: killers by ply, a history by move.

use super::game::{Depth, MAX_PLY};

const CODES: usize = 4096;
const LIMIT: i32 = 16_384;

/// Memory of quiet moves that cut, for one thread.
pub struct Memory {
    killers: Vec<[u16; 2]>,
    history: Vec<i32>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { killers: vec![[u16::MAX; 2]; MAX_PLY + 1], history: vec![0; CODES] }
    }
}

impl Memory {
    /// Forgets the killers and weakens the history: another root.
    pub fn new_search(&mut self) {
        self.killers.fill([u16::MAX; 2]);
        self.history.iter_mut().for_each(|value| *value /= 8);
    }

    /// The move cut at this ply.
    pub fn add_killer(&mut self, ply: usize, code: u16) {
        let slot = &mut self.killers[ply];
        if slot[0] != code {
            *slot = [code, slot[0]];
        }
    }

    /// 2 for the latest killer of the ply, 1 for the one before, 0 for others.
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
        let bonus = sign * (depth * depth).min(1_600);
        let value = &mut self.history[usize::from(code) % CODES];
        *value += bonus - *value * bonus.abs() / LIMIT;
    }

    /// What was learned about a move, within ±16384.
    pub fn history(&self, code: u16) -> i32 {
        self.history[usize::from(code) % CODES]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_killer_ranks_first() {
        let mut memory = Memory::default();
        memory.add_killer(3, 11);
        memory.add_killer(3, 12);
        memory.add_killer(3, 12);
        assert_eq!([memory.killer(3, 12), memory.killer(3, 11), memory.killer(3, 9)], [2, 1, 0]);
        assert_eq!(memory.killer(4, 12), 0);
    }

    #[test]
    fn history_stays_within_its_limit() {
        let mut memory = Memory::default();
        for _ in 0..1_000 {
            memory.learn(7, 40, 1);
            memory.learn(8, 40, -1);
        }
        assert!((16_000..=LIMIT).contains(&memory.history(7)));
        assert!((-LIMIT..=-16_000).contains(&memory.history(8)));
    }
}
