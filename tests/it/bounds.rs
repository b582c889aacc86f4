//! Bounds are never tighter than what was proven, and a node's entries for other threads end with the node.

use flipside::search::abdada::SearchingTable;
use flipside::search::evaluation::Eval;
use flipside::search::game::Game;
use flipside::search::level::{Base, Supported};
use flipside::search::limits::{Limits, Stop};
use flipside::search::margins::{Margins, PruningMargins};
use flipside::search::node::Node;
use flipside::search::policy::{SearchPolicy, Technique};
use flipside::search::technique::{CaptureSearch, NullMove, ProbCut, ProbCutTest};
use flipside::search::transposition_table::{Bound, TranspositionTable};
use flipside::search::types::{Depth, Score, Selectivity};
use flipside::search::worker::{SearchContext, Worker};
use std::sync::atomic::AtomicU64;

/// An endless tree: positions are numbers, like the nodes of a heap.
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

/// The technique that prunes the moves of the root from the third on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PrunedBy {
    LateMoves,
    QuietLoss,
    CaptureLoss,
    Evasions,
    Candidates,
    Nothing,
}

/// With a greatest number of candidates.
struct Pruning<const CANDIDATES: Depth>(PrunedBy);

/// Two moves are tried before the others are late.
const PRUNING: PruningMargins = PruningMargins {
    reverse_futility_per_ply: 0,
    reverse_futility_max_depth: 0,
    razoring_per_ply: 0,
    razoring_max_depth: 0,
    futility: 10_000,
    futility_per_ply: 0,
    futility_max_depth: 1,
    late_moves: 1 << 1,
    late_moves_tenths: 0,
    candidates: Depth::MAX,
    candidates_per_ply: 0,
    losing_captures_max_depth: 1,
    see_quiet_per_ply: 0,
    see_quiet_max_depth: 1,
};

impl<E: Eval<Heap>, const CANDIDATES: Depth> SearchPolicy<Heap, E> for Pruning<CANDIDATES> {
    type Level = Base;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }

    const MARGINS: Margins = Margins {
        pruning: Some(PruningMargins { candidates: CANDIDATES, ..PRUNING }),
        max_quiet_evasions: 1,
        ..Margins::NONE
    };

    fn score_move(&self, _: &Heap, _: &u64, mv: u64) -> i32 {
        -(mv as i32) + if self.0 == PrunedBy::CaptureLoss && mv > 1 { 1 << 28 } else { 0 }
    }

    fn captures(&self) -> Option<&impl CaptureSearch<Heap>> {
        Some(self)
    }

    fn is_enabled(&self, technique: Technique) -> bool {
        self.0 != PrunedBy::Nothing || technique != Technique::Pruning
    }
}

impl<const CANDIDATES: Depth> CaptureSearch<Heap> for Pruning<CANDIDATES> {
    fn is_noisy(&self, position: &u64, mv: u64) -> bool {
        self.0 == PrunedBy::CaptureLoss && *position == 1 && mv > 1
    }

    fn see_ge(&self, _: &Heap, _: &u64, mv: u64, _: Score) -> bool {
        !(matches!(self.0, PrunedBy::QuietLoss | PrunedBy::CaptureLoss) && mv > 1)
    }

    fn in_check(&self, position: &u64) -> bool {
        self.0 == PrunedBy::Evasions && *position == 1
    }
}

/// A node of the root, at a ply where other threads may have searched moves first.
fn root<'n>(position: &'n u64, in_check: bool) -> Node<'n, Heap, Values> {
    Node { position, accumulator: &(), ply: 1, allow_pruning: true, in_check, cut_node: false, excluded: None }
}

/// The upper bound stored by a search of one ply: the first two of eight moves (to 9 and 10) lose five units, the
/// others one and a half.
fn upper_bound<const CANDIDATES: Depth>(pruned_by: PrunedBy) -> Score {
    let value = |position: u64| if (9..11).contains(&position) { 500 } else { 150 };
    let policy = Pruning::<CANDIDATES>(pruned_by);
    let context = SearchContext { game: Heap { branches: 8 }, eval: Values(value), policy };
    let (table, stop, nodes) =
        (TranspositionTable::new(1).expect("a small table"), Stop::new(&Limits::default()), AtomicU64::new(0));
    let mut worker = Worker::new(&context, &table, &stop, &nodes);
    // On the principal variation only the limit of candidates prunes.
    let window = (-100, if pruned_by == PrunedBy::Candidates { -50 } else { -99 });
    let value = match pruned_by {
        PrunedBy::Evasions => worker.quiesce(root(&1, true), window),
        _ => worker.pvs(root(&1, false), window, 1),
    };
    let entry = table.probe(context.game.key(&1)).expect("an entry");
    assert!(value <= -100 && entry.bound == Bound::Upper, "{pruned_by:?}: {entry:?}");
    entry.score
}

#[test]
fn pruned_moves_raise_the_stored_upper_bound() {
    const ALL: Depth = Depth::MAX;
    let unpruned = [PrunedBy::Nothing, PrunedBy::Candidates];
    assert_eq!(unpruned.map(upper_bound::<ALL>), [-150; 2], "the value of the third move");
    let pruned = [PrunedBy::LateMoves, PrunedBy::QuietLoss, PrunedBy::CaptureLoss, PrunedBy::Evasions];
    assert_eq!(pruned.map(upper_bound::<ALL>), [-100; 4], "no more is known than that alpha was not reached");
    assert_eq!(upper_bound::<1>(PrunedBy::Candidates), -100, "only two moves are candidates");
}

/// ProbCut and null moves in one search, which no built-in game combines.
struct Verified;

impl<E: Eval<Heap>> SearchPolicy<Heap, E> for Verified {
    type Level = Base;

    fn level(&self) -> Supported<Base> {
        Supported::BASE
    }

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

/// Values of a null window at depth 8, with or without the table of a search with several threads, and whether a cutoff
/// entry was left behind.
fn searched(alpha: Score, searching: Option<&SearchingTable>) -> (Score, bool) {
    let value = |position: u64| (Heap { branches: 3 }.key(&position) >> 40) as Score % 400 - 200;
    let context = SearchContext { game: Heap { branches: 3 }, eval: Values(value), policy: Verified };
    let (table, stop, nodes) =
        (TranspositionTable::new(1).expect("a small table"), Stop::new(&Limits::default()), AtomicU64::new(0));
    let mut worker = Worker::new(&context, &table, &stop, &nodes);
    worker.budget.selectivity = Selectivity(0);
    worker.parallel.searching = searching;
    worker.parallel.start_iteration(8);
    let score = worker.pvs(root(&1, false), (alpha, alpha + 1), 8);
    (score, worker.parallel.ancestor_cutoff.is_some())
}

/// The verification search of ProbCut is over when the null move is searched: its value must not be mistaken for a
/// value of the node by another thread.
#[test]
fn a_verification_leaves_no_promise_behind() {
    for alpha in (-150..150).step_by(10) {
        let alone = searched(alpha, None);
        assert_eq!(searched(alpha, Some(&SearchingTable::new())), alone, "alpha {alpha}");
    }
}
