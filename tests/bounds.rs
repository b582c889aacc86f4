//! What a node promised other threads ends with the node.

use flipside::search::abdada::SearchingTable;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::level::Base;
use flipside::search::limits::{Limits, Stop};
use flipside::search::node::Node;
use flipside::search::policy::SearchPolicy;
use flipside::search::technique::{NullMove, ProbCut, ProbCutTest};
use flipside::search::transposition_table::TranspositionTable;
use flipside::search::types::{Depth, Score, Selectivity};
use flipside::search::worker::{SearchContext, Worker};
use std::sync::atomic::AtomicU64;

/// A tree without end: a position is a number, as a heap's nodes are.
struct Heap {
    branches: u64,
}

impl Game for Heap {
    type Position = u64;
    type Move = u64;
    type MoveList<T: Clone> = Vec<T>;

    fn start(&self) -> u64 {
        1
    }

    fn outcome(&self, _: &u64) -> Option<Score> {
        None
    }

    fn moves(&self, _: &u64) -> impl Iterator<Item = u64> {
        0..self.branches
    }

    fn play(&self, position: &u64, mv: u64) -> u64 {
        position.wrapping_mul(self.branches).wrapping_add(mv + 1)
    }

    fn key(&self, position: &u64) -> u64 {
        position.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn code(&self, mv: u64) -> u16 {
        mv as u16
    }
}

/// Static values by position.
struct Values(fn(u64) -> Score);

impl Eval<Heap> for Values {
    type Accumulator = ();
    fn refresh(&self, _: &u64) {}
    fn update(&self, (): &(), _: &u64, _: u64, _: &u64) {}
    fn evaluate(&self, (): &(), position: &u64) -> Score {
        self.0(*position)
    }
}

/// A node of the root, at a ply where other threads may be first.
fn root<'n>(position: &'n u64, in_check: bool) -> Node<'n, Heap, Values> {
    Node { position, accumulator: &(), ply: 1, allow_pruning: true, in_check, cut_node: false, excluded: None }
}

/// ProbCut and null moves in one search, as no game of ours has them yet.
struct Verified;

impl<E: Eval<Heap>> SearchPolicy<Heap, E> for Verified {
    type Level = Base;

    fn null_move(&self) -> Option<&impl NullMove<Heap>> {
        Some(self)
    }

    fn probcut(&self) -> Option<&impl ProbCut<Heap>> {
        Some(self)
    }
}

impl NullMove<Heap> for Verified {
    fn null_move(&self, position: &u64) -> Option<u64> {
        Some(position ^ 1 << 60)
    }

    fn reduction(&self, _: Depth, _: Score) -> Depth {
        2
    }

    fn min_depth(&self) -> Depth {
        3
    }
}

impl ProbCut<Heap> for Verified {
    fn tests(&self, _: &u64, depth: Depth, _: Selectivity) -> impl Iterator<Item = ProbCutTest> {
        (depth >= 4).then_some(ProbCutTest { depth: depth - 2, bias: 0, margin: 120, slack: 1_000 }).into_iter()
    }
}

/// Values of a null window at depth 8, with the means of a search of several threads or without; whether a cutoff
/// was left behind.
fn searched(alpha: Score, searching: Option<&SearchingTable>) -> (Score, bool) {
    let value = |position: u64| (Heap { branches: 3 }.key(&position) >> 40) as Score % 400 - 200;
    let context = SearchContext { game: Heap { branches: 3 }, eval: Values(value), policy: Verified };
    let (table, stop, nodes) = (TranspositionTable::new(1), Stop::new(&Limits::default()), AtomicU64::new(0));
    let mut worker = Worker::new(&context, &table, &stop, &nodes);
    worker.budget.selectivity = Selectivity(0);
    worker.parallel.searching = searching;
    worker.parallel.start_iteration(8);
    let score = worker.pvs(root(&1, false), (alpha, alpha + 1), 8);
    (score, worker.parallel.ancestor_cutoff.is_some())
}

/// The search that verifies a ProbCut is over when the null move is searched: its value must not be taken for one that another
/// thread has found of the node.
#[test]
fn a_verification_leaves_no_promise_behind() {
    for alpha in (-150..150).step_by(10) {
        let alone = searched(alpha, None);
        assert_eq!(searched(alpha, Some(&SearchingTable::new())), alone, "alpha {alpha}");
    }
}
