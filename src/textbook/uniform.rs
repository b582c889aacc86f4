//! Uniform trees without a text: every inner node has the same number of moves, every leaf the same depth.
//!
//! The values of all nodes are worked out beforehand, leaf by leaf, so that a perfect order of moves costs the search
//! nothing.

use super::order::scramble;
use super::plan::Rank;
use crate::search::game::Game;
use crate::search::types::Score;
use std::sync::Arc;

/// A node: its distance from the root, and its number among the nodes of that distance, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    ply: u32,
    number: usize,
}

/// A uniform tree.
#[derive(Clone, Debug)]
pub struct Uniform {
    branching: usize,
    depth: u32,
    /// True values for the side to move, by ply and number.
    values: Arc<Vec<Vec<i16>>>,
}

impl Uniform {
    /// A tree with leaf values drawn evenly from ±10,000.
    pub fn random(branching: usize, depth: u32, seed: u64) -> Uniform {
        let seed = scramble(seed);
        let leaf = |number: usize| (scramble(seed ^ number as u64) % 20_001) as i16 - 10_000;
        Self::with_leaves(branching, depth, leaf)
    }

    /// A tree on which alpha-beta in natural order cuts nothing. All leaves are 1 or -1. A node worth 1 to its side owes
    /// it to its last move alone, and where all moves are worth -1 nothing can be cut either: no value reaches the edge
    /// of a window before the last move is searched.
    pub fn uncut(branching: usize, depth: u32) -> Uniform {
        Self::with_leaves(branching, depth, |number| {
            // From the root down: the last child of a node worth 1 is worth -1 to its own side, every other child 1.
            let ways = (0..depth).rev().map(|ply| number / branching.pow(ply) % branching);
            ways.fold(1, |value, way| if value == 1 && way + 1 == branching { -1 } else { 1 })
        })
    }

    fn with_leaves(branching: usize, depth: u32, leaf: impl Fn(usize) -> i16) -> Uniform {
        let mut level: Vec<i16> = (0..branching.pow(depth)).map(leaf).collect();
        let mut values = Vec::new();
        for _ in 0..depth {
            let above = level.chunks(branching).map(|children| children.iter().map(|value| -value).max().unwrap_or(0));
            let above = above.collect();
            values.push(std::mem::replace(&mut level, above));
        }
        values.push(level);
        values.reverse();
        Uniform { branching, depth, values: Arc::new(values) }
    }

    fn value(&self, place: Place) -> Score {
        Score::from(self.values[place.ply as usize][place.number])
    }

    /// Ranks that put the best moves first, or the worst.
    pub fn rank(&self, best_first: bool) -> Rank<Uniform> {
        let tree = self.clone();
        Arc::new(move |&place, mv| {
            let value = tree.value(tree.play(&place, mv));
            if best_first { -value } else { value }
        })
    }
}

impl Game for Uniform {
    type Position = Place;
    /// Which child, from the left.
    type Move = u16;
    const ENDS_WITHOUT_MOVES: bool = true;

    fn start(&self) -> Place {
        Place { ply: 0, number: 0 }
    }

    fn outcome(&self, place: &Place) -> Option<Score> {
        (place.ply == self.depth).then(|| self.value(*place))
    }

    fn moves(&self, place: &Place) -> impl Iterator<Item = u16> {
        0..if place.ply < self.depth { self.branching as u16 } else { 0 }
    }

    fn play(&self, place: &Place, mv: u16) -> Place {
        Place { ply: place.ply + 1, number: place.number * self.branching + usize::from(mv) }
    }

    fn key(&self, place: &Place) -> u64 {
        scramble(u64::from(place.ply) << 40 | place.number as u64)
    }

    fn code(&self, mv: u16) -> u16 {
        mv
    }
}
