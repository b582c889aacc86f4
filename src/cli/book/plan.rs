//! The next searches of a book: drop-out expansion (T. Lincke, "Strategies for the Automatic Construction of Opening
//! Books", 2000) by quick searches, then deeper searches where they matter most.

use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::entry::Deviation;
use flipside_core::games::reversi::book::graph::{BookGraph, BookNode, UNREACHED};
use flipside_core::games::reversi::book::searcher::{Job, even_horizon};
use flipside_core::search::types::Score;
use std::collections::HashSet;

/// The targets of a book. Scores are in hundredths of a disc.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Positions.
    pub positions: usize,
    /// The most that both sides together give away on a line that is followed.
    pub error: Score,
    /// The most moves from the start of the game for which a line is followed.
    pub plies: u32,
    /// The hundredths by which a leaf must be better to be expanded before one that is a ply shallower.
    pub ply_penalty: Score,
    /// Depth of the searches that shape the book.
    pub quick_depth: u32,
    /// Depth of the deeper searches in plies, ...
    pub depth: u32,
    /// ... their selectivity in percent, ...
    pub selectivity: u8,
    /// ... and their positions: those on lines that lose no more than this.
    pub within: Score,
    /// The number of positions nearest to best play ...
    pub best: usize,
    /// ... that are searched to this depth.
    pub best_depth: u32,
}

/// The progress of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Positions.
    pub positions: usize,
    /// Positions near best play, and the number searched deep enough.
    pub near: [usize; 2],
    /// The positions nearest to best play, and the number searched deep enough.
    pub best: [usize; 2],
}

impl Progress {
    /// Positions to add and to search deeper.
    pub fn open(&self, plan: &Plan) -> usize {
        let missing = |[all, done]: [usize; 2]| all - done;
        plan.positions.saturating_sub(self.positions) + missing(self.near) + missing(self.best)
    }
}

impl Plan {
    /// About `batch` next searches; empty if the book meets its targets. The graph is as of its last refresh.
    pub fn next(&self, graph: &BookGraph, batch: usize) -> Vec<Job> {
        if graph.nodes().is_empty() {
            return vec![self.quick(graph, Board::START)];
        }
        let stale = graph.nodes().iter().filter(|node| graph.needs_search(node));
        let mut jobs: Vec<_> = stale.map(|node| self.quick(graph, node.board)).collect();
        if jobs.is_empty() {
            jobs = self.expansions(graph, batch);
        }
        if jobs.is_empty() {
            jobs = self.deeper(graph, batch);
        }
        jobs
    }

    fn quick(&self, graph: &BookGraph, board: Board) -> Job {
        Job { board, squares: graph.open_moves(board), depth: self.quick_depth, deep: false }
    }

    /// The leaves to add, ordered by what the line to them gives away, plus a little for its length.
    fn expansions(&self, graph: &BookGraph, batch: usize) -> Vec<Job> {
        let wanted = self.positions.saturating_sub(graph.nodes().len()).min(batch.max(graph.nodes().len() / 20));
        let mut leaves: Vec<(Score, Board)> = Vec::new();
        for node in graph.nodes().iter().filter(|node| node.loss != UNREACHED) {
            let Some(Deviation { square, value }) = graph.deviation(node) else { continue };
            let (loss, plies) = (node.loss + (node.value.score - value.score).max(0), node.plies() + 1);
            let child = node.successors.iter().find(|(mv, _)| *mv == square);
            if let Some(&(_, child)) = child.filter(|_| loss <= self.error && plies <= self.plies) {
                leaves.push((loss + self.ply_penalty * plies as Score, child));
            }
        }
        leaves.sort_by_key(|&(cost, board)| (cost, board.player, board.opponent));
        let mut seen = HashSet::new();
        let new = leaves.into_iter().filter(|(_, child)| seen.insert(*child));
        new.take(wanted).map(|(_, child)| self.quick(graph, child)).collect()
    }

    /// The positions to search deeper: first all near best play, then the nearest again.
    fn deeper(&self, graph: &BookGraph, batch: usize) -> Vec<Job> {
        let ranked = ranked(graph);
        let job = |node: &&BookNode, depth| {
            (!self.is_searched(graph, node, depth)).then(|| Job {
                board: node.board,
                squares: graph.open_moves(node.board),
                depth,
                deep: true,
            })
        };
        let near = ranked.iter().filter(|node| node.loss <= self.within).filter_map(|node| job(node, self.depth));
        let best = ranked.iter().take(self.best).filter_map(|node| job(node, self.best_depth));
        near.chain(best).take(batch).collect()
    }

    /// True if the position's own search is at least this deep and certain, or there is nothing to search.
    fn is_searched(&self, graph: &BookGraph, node: &BookNode, depth: u32) -> bool {
        let Some(Deviation { value, .. }) = graph.deviation(node) else { return !graph.needs_search(node) };
        let is_deep = u32::from(value.depth) >= even_horizon(node.board.empties(), depth);
        value.grade.is_proven() || is_deep && value.selectivity >= self.selectivity
    }

    /// The progress of the book.
    pub fn progress(&self, graph: &BookGraph) -> Progress {
        let ranked = ranked(graph);
        let count = |nodes: &[&BookNode], depth| {
            [nodes.len(), nodes.iter().filter(|node| self.is_searched(graph, node, depth)).count()]
        };
        let near = ranked.partition_point(|node| node.loss <= self.within);
        let best = ranked.len().min(self.best);
        Progress {
            positions: graph.nodes().len(),
            near: count(&ranked[..near], self.depth),
            best: count(&ranked[..best], self.best_depth),
        }
    }
}

/// The positions of a book, the nearest to best play first.
fn ranked(graph: &BookGraph) -> Vec<&BookNode> {
    let mut nodes: Vec<_> = graph.nodes().iter().collect();
    nodes.sort_by_key(|node| (node.loss, node.plies(), node.board.player, node.board.opponent));
    nodes
}
