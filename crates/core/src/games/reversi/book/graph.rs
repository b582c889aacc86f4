//! A book in memory: positions with the moves that stay in the book, values by negamax over that
//! graph, and how much both sides gave away on the way to each position.

use super::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use crate::games::reversi::board::{Board, PASS};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use crate::search::types::Score;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The loss of a position that no line of the book reaches.
pub const UNREACHED: Score = Score::MAX;

/// A position of the book: the least of its eight symmetric ones.
#[derive(Clone, Debug)]
pub struct BookNode {
    /// The position.
    pub board: Board,
    /// The legal moves and the canonical positions after them.
    pub successors: Vec<(u8, Board)>,
    /// The best move out of the book as last searched; [`BookGraph::deviation`] tells whether it
    /// still leads out of it.
    searched: Option<Deviation>,
    /// Games through the position.
    pub games: GameCounts,
    /// The value by negamax as of the last [`BookGraph::refresh`]; as read before it, and where
    /// nothing is below.
    pub value: Value,
    /// What both sides gave away on the best way here, in hundredths; [`UNREACHED`] if no line
    /// leads here.
    pub loss: Score,
    /// The moves that stay in the book, and where they lead.
    pub links: Vec<(u8, usize)>,
}

impl BookNode {
    fn new(board: Board) -> BookNode {
        let game = Reversi::portable();
        let successors: Vec<_> =
            game.moves(&board).map(|mv| (mv.square, Symmetry::canonical(board.after(mv)).0)).collect();
        let value = if successors.is_empty() { Value::of_finished(board) } else { Value::UNKNOWN };
        let games = GameCounts::default();
        BookNode { board, successors, searched: None, games, value, loss: UNREACHED, links: Vec::new() }
    }

    /// Moves of both sides from the start of the game, passes not counted.
    pub fn plies(&self) -> u32 {
        60_u32.saturating_sub(self.board.empties())
    }

    /// The value where nothing is known of any move: proven only where the game is over.
    fn unsupported(&self) -> Value {
        let grade = if self.successors.is_empty() { self.value.grade } else { self.value.grade.min(Grade::BackedUp) };
        Value { grade, ..self.value }
    }

    /// True if the side to move can only pass.
    fn must_pass(&self) -> bool {
        self.successors.first().is_some_and(|&(square, _)| square == PASS)
    }
}

/// The positions of a book and their links.
#[derive(Clone, Debug, Default)]
pub struct BookGraph {
    nodes: Vec<BookNode>,
    index: HashMap<Board, usize>,
    /// All nodes, each before those that its moves lead to.
    order: Vec<usize>,
}

impl BookGraph {
    /// All positions, in order of addition.
    pub fn nodes(&self) -> &[BookNode] {
        &self.nodes
    }

    /// A position of the book, in any of its symmetric forms.
    pub fn get(&self, board: Board) -> Option<&BookNode> {
        self.index.get(&Symmetry::canonical(board).0).map(|&index| &self.nodes[index])
    }

    /// The place of a position among [`nodes`](BookGraph::nodes); adds the position if it is new.
    fn place(&mut self, canonical: Board) -> usize {
        *self.index.entry(canonical).or_insert_with(|| {
            self.nodes.push(BookNode::new(canonical));
            self.nodes.len() - 1
        })
    }

    /// Adds a position of another book, or what that book knows beyond this one: the more certain
    /// deviation, more games.
    pub fn add(&mut self, board: Board, entry: &BookEntry) {
        let (canonical, entry) = entry.canonical(board);
        let is_new = !self.index.contains_key(&canonical);
        let place = self.place(canonical);
        let node = &mut self.nodes[place];
        node.games = node.games.plus(entry.games);
        if is_new && !node.successors.is_empty() {
            node.value = entry.value;
        }
        let founded =
            |deviation: Deviation| Deviation { value: deviation.value.founded(canonical.empties()), ..deviation };
        let deviation = entry.deviation.map(founded);
        let sureness = |deviation: Option<Deviation>| {
            deviation.map(|Deviation { value, .. }| (value.grade.is_proven(), value.depth, value.selectivity))
        };
        if sureness(deviation) > sureness(node.searched) {
            node.searched = deviation;
        }
    }

    /// Adds a search of the moves that lead out of the book, or of a position that is new to it.
    pub fn set_deviation(&mut self, board: Board, deviation: Option<Deviation>) {
        let (canonical, symmetry) = Symmetry::canonical(board);
        let place = self.place(canonical);
        let lead = |Deviation { square, value }| Deviation {
            square: symmetry.square(square),
            value: value.founded(canonical.empties()),
        };
        self.nodes[place].searched = deviation.map(lead);
    }

    /// Counts a game through a position of the book; ignores other positions.
    pub fn count_game(&mut self, board: Board, games: GameCounts) {
        if let Some(&place) = self.index.get(&Symmetry::canonical(board).0) {
            self.nodes[place].games = self.nodes[place].games.plus(games);
        }
    }

    /// Keeps the positions that `keep` wants, of a refreshed book. A move to a position that goes
    /// leads out of the book from then on, and may be the best one that does. The deviation stands for all of them: it is
    /// as sure as the least sure one, and unsure where moves had not been searched.
    pub fn prune(&mut self, mut keep: impl FnMut(&BookNode) -> bool) {
        let kept: Vec<bool> = self.nodes.iter().map(&mut keep).collect();
        let deviations: Vec<_> = self.nodes.iter().map(|node| self.pruned_deviation(node, &kept)).collect();
        for (node, deviation) in self.nodes.iter_mut().zip(deviations) {
            node.searched = deviation;
            node.links.clear();
        }
        let mut kept = kept.into_iter();
        self.nodes.retain(|_| kept.next().unwrap_or(false));
        self.index = self.nodes.iter().enumerate().map(|(place, node)| (node.board, place)).collect();
        self.order.clear();
    }

    fn pruned_deviation(&self, node: &BookNode, kept: &[bool]) -> Option<Deviation> {
        let gone = node.links.iter().filter(|&&(_, child)| !kept[child]);
        let gone = gone.map(|&(square, child)| Deviation { square, value: self.nodes[child].value.negated() });
        let out: Vec<Deviation> = gone.chain(self.deviation(node)).collect();
        let best = *out.iter().max_by_key(|deviation| deviation.value.score)?;
        let unsearched = self.needs_search(node).then_some(Value::UNKNOWN);
        let others = out.iter().map(|deviation| deviation.value).chain(unsearched);
        let (value, empties) = (others.fold(best.value, Value::no_surer_than), node.board.empties());
        let value = Value { depth: value.depth.min(empties as u8), ..value };
        Some(Deviation { value: value.founded(empties), ..best })
    }

    /// The best move out of the book, if the last search of it is still valid: a move that has
    /// joined the book since is not a deviation.
    pub fn deviation(&self, node: &BookNode) -> Option<Deviation> {
        node.searched.filter(|deviation| {
            let child = node.successors.iter().find(|(square, _)| *square == deviation.square);
            child.is_some_and(|(_, child)| !self.index.contains_key(child))
        })
    }

    /// The moves of any position that lead out of the book, including all symmetric ones.
    pub fn open_moves(&self, board: Board) -> Vec<u8> {
        let game = Reversi::portable();
        let open = game.moves(&board).filter(|mv| self.get(board.after(*mv)).is_none());
        open.map(|mv| mv.square).collect()
    }

    /// True if moves lead out of the book and the best of them is not known.
    pub fn needs_search(&self, node: &BookNode) -> bool {
        self.deviation(node).is_none() && node.successors.iter().any(|(_, child)| !self.index.contains_key(child))
    }

    /// Links positions anew, backs values up and sums losses.
    pub fn refresh(&mut self) {
        for place in 0..self.nodes.len() {
            let links = self.nodes[place].successors.iter();
            let links = links.filter_map(|(square, child)| Some((*square, *self.index.get(child)?))).collect();
            self.nodes[place].links = links;
        }
        self.order = (0..self.nodes.len()).collect();
        let nodes = &self.nodes;
        self.order.sort_by_key(|&place| (Reverse(nodes[place].board.empties()), !nodes[place].must_pass()));
        for &place in self.order.iter().rev() {
            let node = &self.nodes[place];
            let value = self.backed_up(node).unwrap_or_else(|| node.unsupported());
            self.nodes[place].value = value;
        }
        self.sum_losses();
    }

    /// Negamax over the moves in the book and the deviation; none if no move's value is known.
    fn backed_up(&self, node: &BookNode) -> Option<Value> {
        let deviation = self.deviation(node).map(|deviation| deviation.value);
        let links: Vec<Value> = node.links.iter().map(|&(_, child)| self.nodes[child].value.negated()).collect();
        Value::backed_up(node.board.empties(), node.successors.len(), &links, deviation)
    }

    /// Losses: a move gives away the position's value less the move's. A position that no move
    /// leads to begins a line.
    fn sum_losses(&mut self) {
        let mut has_parent = vec![false; self.nodes.len()];
        self.nodes.iter().flat_map(|node| &node.links).for_each(|&(_, child)| has_parent[child] = true);
        for (node, has_parent) in self.nodes.iter_mut().zip(has_parent) {
            node.loss = if has_parent { UNREACHED } else { 0 };
        }
        for &place in &self.order {
            let node = &self.nodes[place];
            let (loss, score) = (node.loss, node.value.score);
            for (_, child) in node.links.clone() {
                let child = &mut self.nodes[child];
                child.loss = child.loss.min(loss.saturating_add((score + child.value.score).max(0)));
            }
        }
    }

    /// Positions below this one, itself included, whose own searches its value rests on. `seen`
    /// marks each visit by its own number.
    fn leaves(&self, place: usize, seen: &mut [usize]) -> u32 {
        let (mut count, mut stack) = (0, vec![place]);
        seen[place] = place + 1;
        while let Some(next) = stack.pop() {
            let node = &self.nodes[next];
            count += u32::from(node.links.len() < node.successors.len() || node.successors.is_empty());
            for &(_, child) in &node.links {
                if seen[child] != place + 1 {
                    seen[child] = place + 1;
                    stack.push(child);
                }
            }
        }
        count
    }

    /// The entries of a book, as of the last refresh.
    pub fn entries(&self) -> Vec<(Board, BookEntry)> {
        let mut seen = vec![0; self.nodes.len()];
        let entry = |(place, node): (usize, &BookNode)| {
            let (leaves, deviation) = (self.leaves(place, &mut seen), self.deviation(node));
            (node.board, BookEntry { value: node.value, leaves, deviation, games: node.games })
        };
        self.nodes.iter().enumerate().map(entry).collect()
    }
}
