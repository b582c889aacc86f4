//! ABDADA: which positions the threads of one search are searching, so that two of them do not do the same work.
//!
//! Threads that share only the transposition table meet at the same nodes in the same order. Here
//! a thread marks the moves that it searches, and another thread that comes to such a move defers
//! it until the other moves of the node are done. By then the table has its value, or a part of
//! the work is left to share. (Weill, "The ABDADA distributed minimax search algorithm", 1996, as
//! simplified by Kerrigan, 2017.) A thread below a node that another thread has finished leaves
//! it: an ancestor cutoff.

use super::game::{Game, MoveList};
use super::transposition_table::{TranspositionTable, score_from_tt};
use super::types::{Depth, MAX_PLY, Score, Selectivity};
use arrayvec::ArrayVec;
use flipside_support::cache_line::CacheLine;
use std::sync::atomic::{AtomicU64, Ordering};

/// Far more entries than threads have plies.
const ENTRIES: usize = 1 << 11;

/// The positions that the threads of one search are searching. A collision of two positions only
/// repeats a little work. Each mark has a cache line of its own, so that a thread that writes its
/// marks does not slow those that read others.
pub struct SearchingTable(Box<[CacheLine<AtomicU64>]>);

impl SearchingTable {
    /// An empty table.
    pub fn new() -> SearchingTable {
        SearchingTable((0..ENTRIES).map(|_| CacheLine::default()).collect())
    }

    /// The entry of a position's search to a depth.
    #[inline(always)]
    pub fn entry(&self, key: u64, depth: Depth) -> SearchingEntry<'_> {
        let id = key.wrapping_add(depth as u64);
        SearchingEntry { slot: &self.0[id as usize % ENTRIES], id }
    }
}

impl Default for SearchingTable {
    fn default() -> SearchingTable {
        SearchingTable::new()
    }
}

/// The search of a position to a depth, marked while a thread does it.
#[derive(Clone, Copy)]
pub struct SearchingEntry<'a> {
    slot: &'a AtomicU64,
    id: u64,
}

impl SearchingEntry<'_> {
    /// True while a thread searches it.
    #[inline(always)]
    pub fn is_searching(self) -> bool {
        self.slot.load(Ordering::Relaxed) == self.id
    }

    /// A thread starts the search.
    #[inline(always)]
    pub fn start(self) {
        self.slot.store(self.id, Ordering::Relaxed);
    }

    /// The thread has finished the search.
    #[inline(always)]
    pub fn finish(self) {
        if self.is_searching() {
            self.slot.store(0, Ordering::Relaxed);
        }
    }
}

/// The order in which a node's moves are searched: as generated, the deferred ones last. `L` is
/// the game's list of indices.
#[derive(Default)]
pub struct DeferredMoves<L> {
    next: usize,
    deferred: L,
    resumed: usize,
}

/// [`DeferredMoves`] of a game.
pub type DeferredMovesOf<G> = DeferredMoves<<G as Game>::MoveList<u32>>;

impl<L: MoveList<u32>> DeferredMoves<L> {
    /// Moves from this index on have not been tried.
    #[inline(always)]
    pub fn untried(&self) -> usize {
        self.next
    }

    /// The index of the next of `count` moves, and true if it comes for the first time.
    #[inline(always)]
    pub fn next(&mut self, count: usize) -> Option<(usize, bool)> {
        if self.next < count {
            self.next += 1;
            return Some((self.next - 1, true));
        }
        let index = self.deferred.as_ref().get(self.resumed)?;
        self.resumed += 1;
        Some((*index as usize, false))
    }

    /// Leaves out the next moves, this many.
    #[inline(always)]
    pub fn skip(&mut self, count: usize) {
        self.next += count;
    }

    /// Defers the move of this index and returns true if another thread searches the position
    /// after it: the move comes again after all others.
    #[inline(always)]
    pub fn defer(&mut self, index: usize, entry: Option<SearchingEntry<'_>>) -> bool {
        let is_searching = entry.is_some_and(SearchingEntry::is_searching);
        if is_searching {
            self.deferred.append(index as u32);
        }
        is_searching
    }
}

/// A node on the path that another thread may finish first.
#[derive(Clone, Copy)]
struct Ancestor {
    ply: usize,
    key: u64,
    depth: Depth,
    window: (Score, Score),
}

/// The ABDADA state of one thread.
pub struct ParallelState<'a> {
    /// The positions that the threads are searching; `None` with a single thread.
    pub searching: Option<&'a SearchingTable>,
    /// The ply of an ancestor whose value another thread has found, with the value.
    pub ancestor_cutoff: Option<(usize, Score)>,
    /// Threads share work from this depth on: sharing shallower searches takes longer than the
    /// searches.
    min_depth: Depth,
    /// The nodes whose moves this thread searches and another thread may finish first, from the
    /// root down.
    path: ArrayVec<Ancestor, { MAX_PLY + 1 }>,
}

impl<'a> ParallelState<'a> {
    /// The state of a search by a single thread.
    pub fn none() -> ParallelState<'a> {
        ParallelState { searching: None, ancestor_cutoff: None, min_depth: 0, path: ArrayVec::new() }
    }

    /// An iteration to this depth begins.
    pub fn start_iteration(&mut self, depth: Depth) {
        self.min_depth = (depth / 4).max(2);
        debug_assert!(self.path.is_empty() && self.ancestor_cutoff.is_none(), "every node takes its own cutoff");
    }

    /// The table of positions being searched, if work is shared at this depth.
    #[inline(always)]
    pub fn at(&self, depth: Depth) -> Option<&'a SearchingTable> {
        self.searching.filter(|_| depth >= self.min_depth)
    }

    /// Enters the moves of a position. The thread searches them to the end, or until another
    /// thread stores its value: see [`ParallelState::remove_ancestor`].
    #[inline(always)]
    pub fn add_ancestor(&mut self, ply: usize, key: u64, depth: Depth, window: (Score, Score)) {
        self.path.push(Ancestor { ply, key, depth, window });
    }

    /// Leaves the node entered last: its value, if another thread has found it. No later search
    /// returns to the node.
    #[inline(always)]
    pub fn remove_ancestor(&mut self) -> Option<Score> {
        let ply = self.path.pop()?.ply;
        self.ancestor_cutoff.take_if(|(above, _)| *above == ply).map(|(_, score)| score)
    }

    /// True, on entering a node, if another thread has found the value of an ancestor: the search
    /// returns to it, see [`ParallelState::remove_ancestor`].
    #[inline(always)]
    pub fn has_ancestor_cutoff(&mut self, table: &TranspositionTable, selectivity: Selectivity, depth: Depth) -> bool {
        if self.searching.is_none() {
            return false;
        }
        if depth >= self.min_depth {
            self.ancestor_cutoff = self.uppermost_cutoff(table, selectivity);
        }
        self.ancestor_cutoff.is_some()
    }

    /// The uppermost ancestor whose value is in the table now.
    fn uppermost_cutoff(&self, table: &TranspositionTable, selectivity: Selectivity) -> Option<(usize, Score)> {
        self.path.iter().find_map(|&Ancestor { ply, key, depth, window }| {
            let entry = table.probe(key)?;
            let is_enough = entry.depth == depth && entry.selectivity >= selectivity;
            let score = score_from_tt(entry.score, ply);
            (is_enough && entry.cuts(score, window)).then_some((ply, score))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::transposition_table::{Bound, Entry};
    use super::*;

    #[test]
    fn an_entry_is_marked_from_start_to_finish() {
        let searching = SearchingTable::new();
        let (here, deeper) = (searching.entry(77, 5), searching.entry(77, 6));
        here.start();
        assert!(here.is_searching() && !deeper.is_searching());
        deeper.finish();
        assert!(here.is_searching());
        here.finish();
        assert!(!here.is_searching());
    }

    #[test]
    fn deferred_moves_come_last() {
        let (mut order, searching) = (DeferredMoves::<Vec<u32>>::default(), SearchingTable::new());
        (0..3).for_each(|index| searching.entry(70 + index, 8).start());
        let mut seen = Vec::new();
        while let Some((index, first_time)) = order.next(4) {
            if !(first_time && order.defer(index, Some(searching.entry(70 + index as u64, 8)))) {
                seen.push(index);
            }
        }
        assert_eq!(seen, [3, 0, 1, 2]);
    }

    #[test]
    fn an_ancestor_cutoff_returns_to_the_uppermost_known_node() {
        let (searching, table) = (SearchingTable::new(), TranspositionTable::new(1).expect("a small table"));
        let mut parallel = ParallelState { searching: Some(&searching), ..ParallelState::none() };
        parallel.start_iteration(20);
        let selectivity = Selectivity(2);
        for ply in 1..=3 {
            parallel.add_ancestor(ply, ply as u64, 12 - ply as Depth, (40, 41));
        }
        assert!(!parallel.has_ancestor_cutoff(&table, selectivity, 8));
        let entry = Entry { mv: None, score: 30, depth: 9, bound: Bound::Lower, selectivity };
        table.store(3, entry);
        assert!(!parallel.has_ancestor_cutoff(&table, selectivity, 8), "at least 30 is not at least 41");
        table.store(3, Entry { score: 50, ..entry });
        table.store(2, Entry { bound: Bound::Upper, depth: 10, ..entry });
        assert!(parallel.has_ancestor_cutoff(&table, selectivity, 8));
        let removed = [(); 3].map(|()| parallel.remove_ancestor());
        assert_eq!(removed, [None, Some(30), None], "from below: on the way up, the node itself, above it");
        assert!(!parallel.has_ancestor_cutoff(&table, selectivity, 8), "the node is left");
    }
}
