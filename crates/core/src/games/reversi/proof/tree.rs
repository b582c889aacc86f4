//! The positions of a proof: a tree whose transpositions and symmetric positions are one node, down to the frontier.

use super::bounds::Bounds;
use crate::games::reversi::board::{Board, Placement};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use crate::search::level::Base;
use std::collections::HashMap;

/// A legal move of a node and where it leads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Child {
    /// The move in the node's own coordinates.
    pub square: u8,
    /// Index of the node after it.
    pub node: usize,
}

/// The state of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Below {
    /// Its moves have not been generated yet.
    Unexpanded,
    /// The frontier: solved elsewhere.
    Leaf,
    /// Neither side can move.
    Over,
    /// All legal moves.
    Children(Vec<Child>),
}

/// A position of the proof.
#[derive(Clone, Debug)]
pub struct Node {
    /// In canonical form, seen by the side to move.
    pub board: Board,
    /// Its state.
    pub below: Below,
    /// The proven bounds of its value.
    pub bounds: Bounds,
    /// Its estimated value, in discs for the side to move, within the bounds.
    pub believed: f32,
    /// The first estimate.
    pub estimate: f32,
    parents: Vec<usize>,
}

/// All positions of a proof that have been visited.
#[derive(Debug)]
pub struct ProofTree {
    game: Reversi<Base>,
    nodes: Vec<Node>,
    index: HashMap<Board, usize>,
    leaf_empties: u32,
    expected: f32,
}

impl ProofTree {
    /// The root of a proof alone. Positions with `leaf_empties` empty squares or fewer are the frontier.
    pub fn new(root: Board, leaf_empties: u32) -> ProofTree {
        let (nodes, index) = (Vec::new(), HashMap::new());
        let mut tree = ProofTree { game: Reversi::portable(), nodes, index, leaf_empties, expected: 0.0 };
        tree.enter(Symmetry::canonical(root).0, 0.0);
        tree
    }

    /// Index of the root.
    pub const ROOT: usize = 0;

    /// A node by its index.
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// The node of a position in canonical form, if it has been visited.
    pub fn find(&self, board: Board) -> Option<usize> {
        self.index.get(&board).copied()
    }

    /// The legal moves of a position, in reading order; a forced pass is one.
    pub fn moves(&self, board: Board) -> Vec<Placement> {
        self.game.moves(&board).collect()
    }

    fn enter(&mut self, board: Board, estimate: f32) -> usize {
        if let Some(known) = self.find(board) {
            return known;
        }
        let (below, bounds) = if self.game.outcome(&board).is_some() {
            (Below::Over, Bounds::exact(board.final_discs()))
        } else if board.empties() <= self.leaf_empties {
            (Below::Leaf, Bounds::UNKNOWN)
        } else {
            (Below::Unexpanded, Bounds::UNKNOWN)
        };
        let believed = within(estimate, bounds);
        self.nodes.push(Node { board, below, bounds, believed, estimate, parents: Vec::new() });
        self.index.insert(board, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Gives a node its children. `values` holds every legal move with its estimated value in
    /// discs for the side to move.
    pub fn expand(&mut self, node: usize, values: &[(Placement, f32)]) {
        if self.nodes[node].below != Below::Unexpanded {
            return;
        }
        let board = self.nodes[node].board;
        let mut children: Vec<Child> = Vec::with_capacity(values.len());
        for &(mv, value) in values {
            let child = self.enter(Symmetry::canonical(board.after(mv)).0, -value);
            // Moves that lead to symmetric positions are one.
            if children.iter().all(|other| other.node != child) {
                children.push(Child { square: mv.square, node: child });
                self.nodes[child].parents.push(node);
            }
        }
        self.nodes[node].below = Below::Children(children);
        // Some of the children may have been visited and proven on another path.
        self.back_up_from(vec![node]);
        if node == ProofTree::ROOT {
            self.expected = self.nodes[node].believed;
        }
    }

    /// The estimated value of the root: the first estimate, as long as it is not disproven. Single
    /// answers surprise, but if one line is better than expected, the other side usually has
    /// another one.
    pub fn expected(&self) -> f32 {
        within(self.expected, self.nodes[ProofTree::ROOT].bounds)
    }

    /// Records proven bounds of a node's value. False, with nothing changed, if they contradict
    /// those proven before.
    pub fn prove(&mut self, node: usize, bounds: Bounds) -> bool {
        let Some(both) = self.nodes[node].bounds.and(bounds) else { return false };
        self.nodes[node].bounds = both;
        self.nodes[node].believed = within(self.nodes[node].believed, both);
        self.back_up_from(self.nodes[node].parents.clone());
        true
    }

    /// Backs these nodes up, and all above them that change.
    fn back_up_from(&mut self, mut open: Vec<usize>) {
        while let Some(next) = open.pop() {
            if self.back_up(next) {
                open.extend(&self.nodes[next].parents);
            }
        }
    }

    /// Minimax of the children: bounds and estimate. True if anything has changed.
    fn back_up(&mut self, node: usize) -> bool {
        let Below::Children(children) = &self.nodes[node].below else { return false };
        let (mut bounds, mut believed) = (Bounds { lower: -64, upper: -64 }, f32::NEG_INFINITY);
        for child in children {
            let Node { bounds: below, believed: belief, .. } = &self.nodes[child.node];
            let seen = below.negated();
            bounds = Bounds { lower: bounds.lower.max(seen.lower), upper: bounds.upper.max(seen.upper) };
            believed = believed.max(-belief);
        }
        let own = &mut self.nodes[node];
        let bounds = own.bounds.and(bounds).unwrap_or(own.bounds);
        let believed = within(believed, bounds);
        let changed = (own.bounds, own.believed) != (bounds, believed);
        (own.bounds, own.believed) = (bounds, believed);
        changed
    }

    /// The node's moves, those with the best estimates first.
    pub fn children(&self, node: usize) -> &[Child] {
        match &self.nodes[node].below {
            Below::Children(children) => children,
            _ => &[],
        }
    }
}

fn within(value: f32, bounds: Bounds) -> f32 {
    value.clamp(bounds.lower as f32, bounds.upper as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The four first moves are symmetric: one child. Bounds are backed up to the root, belief stays within them.
    #[test]
    fn symmetric_moves_are_one_and_bounds_are_backed_up() {
        let mut tree = ProofTree::new(Board::START, 58);
        let expand = |tree: &mut ProofTree, node| {
            let moves = tree.moves(tree.node(node).board);
            tree.expand(node, &moves.iter().map(|&mv| (mv, 1.0)).collect::<Vec<_>>());
        };
        expand(&mut tree, ProofTree::ROOT);
        let [only] = *tree.children(ProofTree::ROOT) else { panic!("four symmetric moves") };
        expand(&mut tree, only.node);
        let replies: Vec<usize> = tree.children(only.node).iter().map(|child| child.node).collect();
        assert_eq!(replies.len(), 3);
        for (reply, score) in replies.into_iter().zip([4, -2, 6]) {
            assert_eq!(tree.node(reply).below, Below::Leaf);
            assert!(tree.prove(reply, Bounds::exact(score)));
            assert!(!tree.prove(reply, Bounds::exact(score + 2)), "a contradiction");
        }
        let root = tree.node(ProofTree::ROOT);
        assert_eq!((root.bounds, root.believed, tree.expected()), (Bounds::exact(-2), -2.0, -2.0));
    }
}
