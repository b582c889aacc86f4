//! Split points: positions whose moves several threads share.
//!
//! A thread offers the moves of a position that it has to search. Others take one each, search it and report its score;
//! the owner waits for all of them. A score above alpha is a cutoff: it ends the work of all threads below.
//!
//! Nothing here is locked: moves are taken by a counter, scores are atomics, and the owner reads them after the last
//! helper has left.

use flipside_support::cache_line::CacheLine;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};

/// The score of a move that was not searched to its end.
const NONE: i32 = i32::MIN;

/// A position whose moves are searched with the null window `(alpha, alpha + 1)`. `N` is what a helper has to know of it,
/// `M` a move.
pub struct SplitPoint<N, M> {
    /// The position and how it is searched.
    pub node: N,
    /// The moves, the best first.
    pub moves: Vec<M>,
    /// The lower end of the window.
    pub alpha: i32,
    /// Idle threads join the split point of the highest priority.
    pub priority: u32,
    parent: Option<Arc<SplitPoint<N, M>>>,
    /// Split points above.
    level: usize,
    /// Apart from all that threads write while they work: every node below reads it.
    pub(super) cut: CacheLine<AtomicBool>,
    pub(super) work: CacheLine<Work>,
}

/// What threads change while they work at a split point.
pub(super) struct Work {
    /// Moves that were taken.
    taken: AtomicUsize,
    pub(super) scores: Vec<AtomicI32>,
    /// Threads that have joined; the owner is not counted.
    pub(super) helpers: AtomicUsize,
    /// True while the owner waits for its helpers.
    pub(super) owner_waits: AtomicBool,
    pub(super) aborted: AtomicBool,
}

impl<N, M> SplitPoint<N, M> {
    /// A split point below another one.
    pub fn new(
        node: N,
        (moves, alpha): (Vec<M>, i32),
        priority: u32,
        parent: Option<Arc<SplitPoint<N, M>>>,
    ) -> Arc<SplitPoint<N, M>> {
        let work = Work {
            taken: AtomicUsize::new(0),
            scores: moves.iter().map(|_| AtomicI32::new(NONE)).collect(),
            helpers: AtomicUsize::new(0),
            owner_waits: AtomicBool::new(false),
            aborted: AtomicBool::new(false),
        };
        let level = parent.as_ref().map_or(0, |parent| parent.level + 1);
        let cut = CacheLine(AtomicBool::new(false));
        Arc::new(SplitPoint { node, moves, alpha, priority, parent, level, cut, work: CacheLine(work) })
    }

    /// True once nothing below needs a search: a move here or above has caused a cutoff, or a budget ran out.
    pub fn is_cut(&self) -> bool {
        self.and_above().any(|split| split.cut.load(Ordering::Relaxed))
    }

    /// This split point and those above it.
    fn and_above(&self) -> impl Iterator<Item = &SplitPoint<N, M>> {
        std::iter::successors(Some(self), |split| split.parent.as_deref())
    }

    /// True while the owner of this split point, or of one above it, waits for work below.
    pub fn has_waiting_owner(&self) -> bool {
        self.and_above().any(|split| split.work.owner_waits.load(Ordering::Relaxed))
    }

    /// Takes the index of the best move that no thread has taken.
    pub fn take(&self) -> Option<usize> {
        // The counter stays small, because only threads that have joined come here.
        let index = self.work.taken.fetch_add(1, Ordering::Relaxed);
        (index < self.moves.len() && !self.is_cut()).then_some(index)
    }

    /// The index of a move that was taken and not searched to its end, because a helper panicked. Only for the owner,
    /// once all helpers have left.
    pub fn lost(&self) -> Option<usize> {
        let is_lost = |score: &AtomicI32| score.load(Ordering::Relaxed) == NONE;
        if self.is_cut() { None } else { self.work.scores.iter().position(is_lost) }
    }

    /// True while moves are left that no thread has taken, and threads may join.
    pub(super) fn is_joinable(&self) -> bool {
        self.work.taken.load(Ordering::Relaxed) < self.moves.len() && !self.is_cut()
    }

    /// The scores of the moves that were searched to their end, with their indices; `None` if a budget ran out.
    pub fn scores(&self) -> Option<impl Iterator<Item = (usize, i32)>> {
        let scores = self.work.scores.iter().map(|score| score.load(Ordering::Relaxed)).enumerate();
        (!self.work.aborted.load(Ordering::Relaxed)).then(|| scores.filter(|&(_, score)| score != NONE))
    }

    /// True if a budget ran out: the position has no score.
    pub fn is_aborted(&self) -> bool {
        self.work.aborted.load(Ordering::Relaxed)
    }

    pub(super) fn helpers(&self) -> usize {
        self.work.helpers.load(Ordering::SeqCst)
    }

    pub(super) fn is_below(&self, top: &Arc<SplitPoint<N, M>>) -> bool {
        self.level >= top.level && self.and_above().any(|split| std::ptr::eq(split, &**top))
    }
}
