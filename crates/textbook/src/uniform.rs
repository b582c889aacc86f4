//! Uniform trees: every inner node has the same number of moves, every leaf the same depth.
//!
//! The values of all nodes are computed beforehand from the leaves, so ordering moves by their true values costs the
//! search nothing.

use super::types::MoveScorer;
use flipside_core::search::game::Game;
use flipside_core::search::types::Score;
use flipside_support::random::splitmix64;
use std::sync::Arc;

/// A node of a [`UniformTree`]: its ply, and its number among the nodes of that ply, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformNode {
    ply: u32,
    number: usize,
}

/// A uniform tree.
#[derive(Clone, Debug)]
pub struct UniformTree {
    branching: usize,
    depth: u32,
    /// Minimax values for the side to move, by ply and number.
    values: Arc<Vec<Vec<i16>>>,
}

impl UniformTree {
    /// A tree whose leaf values are drawn uniformly from ±10,000.
    pub fn random(branching: usize, depth: u32, seed: u64) -> UniformTree {
        let seed = splitmix64(seed);
        let leaf = |number: usize| (splitmix64(seed ^ number as u64) % 20_001) as i16 - 10_000;
        Self::with_leaves(branching, depth, leaf)
    }

    /// A worst case of alpha-beta: searching moves in natural order, it cuts nothing. All leaves are 1 or -1. At a node
    /// worth 1 only the last move is worth 1; at a node worth -1 no move reaches beta. Therefore no value causes a
    /// cutoff before the last move is searched.
    pub fn worst_case(branching: usize, depth: u32) -> UniformTree {
        Self::with_leaves(branching, depth, |number| {
            // From the root down: the last child of a node worth 1 is worth -1 for its own side to move, every other
            // child 1.
            let path = (0..depth).rev().map(|ply| number / branching.pow(ply) % branching);
            path.fold(1, |value, child| if value == 1 && child + 1 == branching { -1 } else { 1 })
        })
    }

    fn with_leaves(branching: usize, depth: u32, leaf: impl Fn(usize) -> i16) -> UniformTree {
        let mut level: Vec<i16> = (0..branching.pow(depth)).map(leaf).collect();
        let mut values = Vec::new();
        for _ in 0..depth {
            let above = level.chunks(branching).map(|children| children.iter().map(|value| -value).max().unwrap_or(0));
            let above = above.collect();
            values.push(std::mem::replace(&mut level, above));
        }
        values.push(level);
        values.reverse();
        UniformTree { branching, depth, values: Arc::new(values) }
    }

    fn value(&self, node: UniformNode) -> Score {
        Score::from(self.values[node.ply as usize][node.number])
    }

    /// Scores moves by their true values: the best first, or the worst first.
    pub fn scorer(&self, best_first: bool) -> MoveScorer<UniformTree> {
        let tree = self.clone();
        Arc::new(move |&node, mv| {
            let value = tree.value(tree.play(&node, mv));
            if best_first { -value } else { value }
        })
    }
}

impl Game for UniformTree {
    type Position = UniformNode;
    /// The child's index from the left.
    type Move = u16;
    type MoveList<T: Clone> = Vec<T>;
    const ENDS_WITHOUT_MOVES: bool = true;

    fn start(&self) -> UniformNode {
        UniformNode { ply: 0, number: 0 }
    }

    fn outcome(&self, node: &UniformNode) -> Option<Score> {
        (node.ply == self.depth).then(|| self.value(*node))
    }

    fn moves(&self, node: &UniformNode) -> impl Iterator<Item = u16> {
        0..if node.ply < self.depth { self.branching as u16 } else { 0 }
    }

    fn play(&self, node: &UniformNode, mv: u16) -> UniformNode {
        UniformNode { ply: node.ply + 1, number: node.number * self.branching + usize::from(mv) }
    }

    fn key(&self, node: &UniformNode) -> u64 {
        splitmix64(u64::from(node.ply) << 40 | node.number as u64)
    }

    fn code(&self, mv: u16) -> u16 {
        mv
    }
}
