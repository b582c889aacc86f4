//! Which positions threads are at, so that two of them do not do the same work.
//!
//! Threads that share only the table meet at the same nodes in the same order. Here a thread says
//! which moves it searches; another one that comes to such a move puts it off until the others of
//! the node are done. By then the table knows its value, or there is still a part of it to take
//! over. (Weill, "The ABDADA distributed minimax search algorithm", 1996, as simplified by
//! Kerrigan, 2017.) And whoever is below a node that another thread has finished leaves it.

use super::game::MAX_MOVES;
use super::transposition_table::{TranspositionTable, score_from_tt};
use super::types::{Depth, MAX_PLY, Score, Selectivity};
use arrayvec::ArrayVec;
use std::sync::atomic::{AtomicU64, Ordering};

/// More than should_stop: there are as many entries as threads have plies.
const SLOTS: usize = 1 << 12;

/// The positions that the threads of one search are at. A collision of two of them costs a little
/// work twice, and no more.
pub struct SearchingTable(Box<[AtomicU64]>);

impl SearchingTable {
    /// Nobody is anywhere.
    pub fn new() -> SearchingTable {
        SearchingTable((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The search of a position to a depth.
    #[inline(always)]
    pub fn move_count(&self, key: u64, depth: Depth) -> Place<'_> {
        let name = key.wrapping_add(depth as u64);
        Place { slot: &self.0[name as usize % SLOTS], name }
    }
}

impl Default for SearchingTable {
    fn default() -> SearchingTable {
        SearchingTable::new()
    }
}

/// A search that threads may be at.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    slot: &'a AtomicU64,
    name: u64,
}

impl Place<'_> {
    /// True if a thread is there.
    #[inline(always)]
    pub fn is_taken(self) -> bool {
        self.slot.load(Ordering::Relaxed) == self.name
    }

    /// A thread goes there...
    #[inline(always)]
    pub fn take(self) {
        self.slot.store(self.name, Ordering::Relaxed);
    }

    /// ... and comes back.
    #[inline(always)]
    pub fn free(self) {
        if self.is_taken() {
            self.slot.store(0, Ordering::Relaxed);
        }
    }
}

/// The order in which a node's moves are taken: as they come, and last those that were put off.
#[derive(Default)]
pub struct DeferredMoves {
    next: usize,
    put_off: ArrayVec<u8, MAX_MOVES>,
    resumed: usize,
}

impl DeferredMoves {
    /// The index from which on moves have not had their turn.
    #[inline(always)]
    pub fn untried(&self) -> usize {
        self.next
    }

    /// The index of the next of `count` moves, and whether it comes for the first time.
    #[inline(always)]
    pub fn next(&mut self, count: usize) -> Option<(usize, bool)> {
        if self.next < count {
            self.next += 1;
            return Some((self.next - 1, true));
        }
        let index = self.put_off.get(self.resumed)?;
        self.resumed += 1;
        Some((usize::from(*index), false))
    }

    /// True if another thread is at this move_count, to which the move of the index leads: the move will come again,
    /// after all others.
    #[inline(always)]
    pub fn defer(&mut self, index: usize, move_count: Option<Place<'_>>) -> bool {
        let defer = move_count.is_some_and(Place::is_taken);
        if defer {
            self.put_off.push(index as u8);
        }
        defer
    }
}

/// A search that another thread may finish first.
#[derive(Clone, Copy)]
struct Ancestor {
    key: u64,
    depth: Depth,
    window: (Score, Score),
}

/// No such search.
const NO_ANCESTOR: Ancestor = Ancestor { key: 0, depth: Depth::MIN, window: (0, 0) };

/// What a thread needs to know of the others.
pub struct ParallelState<'a> {
    /// Where they are; none if there are no others.
    pub searching: Option<&'a SearchingTable>,
    /// The ply of a node above whose value another thread has found, with the value.
    pub ancestor_cutoff: Option<(usize, Score)>,
    /// Plies from which on it pays to look: below that, searches end sooner than it takes to avoid them.
    from: Depth,
    /// What the thread searches at each ply, where others may be first.
    path: [Ancestor; MAX_PLY + 1],
}

impl<'a> ParallelState<'a> {
    /// Nobody else.
    pub fn none() -> ParallelState<'a> {
        ParallelState { searching: None, ancestor_cutoff: None, from: 0, path: [NO_ANCESTOR; MAX_PLY + 1] }
    }

    /// An iteration to this depth begins.
    pub fn start(&mut self, depth: Depth) {
        self.from = (depth / 4).max(2);
        // The last iteration may have been called off on the way.
        self.ancestor_cutoff = None;
    }

    /// Where the others are, if that matters at this depth.
    #[inline(always)]
    pub fn at(&self, depth: Depth) -> Option<&'a SearchingTable> {
        self.searching.filter(|_| depth >= self.from)
    }

    /// The thread searches this position for as long as nobody else has done so.
    #[inline(always)]
    pub fn add_ancestor(&mut self, ply: usize, key: u64, depth: Depth, window: (Score, Score)) {
        self.path[ply] = Ancestor { key, depth, window };
    }

    /// True, at the entry of a node, if another thread has found the value of one above it, which
    /// goes on from there: see [`ParallelState::take_ancestor_cutoff`].
    #[inline(always)]
    pub fn has_ancestor_cutoff(
        &mut self,
        table: &TranspositionTable,
        selectivity: Selectivity,
        ply: usize,
        depth: Depth,
    ) -> bool {
        if self.searching.is_none() {
            return false;
        }
        self.path[ply] = NO_ANCESTOR;
        if depth >= self.from {
            self.ancestor_cutoff = self.uppermost_cutoff(table, selectivity, ply);
        }
        self.ancestor_cutoff.is_some()
    }

    /// The uppermost node whose value the table knows by now.
    fn uppermost_cutoff(
        &self,
        table: &TranspositionTable,
        selectivity: Selectivity,
        ply: usize,
    ) -> Option<(usize, Score)> {
        (1..ply).find_map(|above| {
            let Ancestor { key, depth, window } = self.path[above];
            let entry = if depth == Depth::MIN { None } else { table.probe(key) }?;
            let sure = entry.depth == depth && entry.selectivity >= selectivity;
            let score = score_from_tt(entry.score, above);
            (sure && entry.cuts(score, window)).then_some((above, score))
        })
    }

    /// The value of this node or of one above, if another thread has found it: the node returns at
    /// once. What it returns counts only where it is the node's own.
    #[inline(always)]
    pub fn take_ancestor_cutoff(&mut self, ply: usize) -> Option<Score> {
        let (above, score) = self.ancestor_cutoff?;
        if above == ply {
            self.ancestor_cutoff = None;
        }
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::super::transposition_table::{Bound, Entry};
    use super::*;

    #[test]
    fn a_place_is_taken_until_it_is_freed() {
        let searching = SearchingTable::new();
        let (here, deeper) = (searching.move_count(77, 5), searching.move_count(77, 6));
        here.take();
        assert!(here.is_taken() && !deeper.is_taken());
        deeper.free();
        assert!(here.is_taken());
        here.free();
        assert!(!here.is_taken());
    }

    #[test]
    fn what_was_put_off_comes_last() {
        let (mut turns, searching) = (DeferredMoves::default(), SearchingTable::new());
        (0..3).for_each(|index| searching.move_count(70 + index, 8).take());
        let mut seen = Vec::new();
        while let Some((index, first_time)) = turns.next(4) {
            if !(first_time && turns.defer(index, Some(searching.move_count(70 + index as u64, 8)))) {
                seen.push(index);
            }
        }
        assert_eq!(seen, [3, 0, 1, 2]);
    }

    #[test]
    fn whoever_is_overtaken_goes_back_to_the_uppermost_node_that_is_known() {
        let (searching, table) = (SearchingTable::new(), TranspositionTable::new(1));
        let mut parallel = ParallelState { searching: Some(&searching), ..ParallelState::none() };
        parallel.start(20);
        let selectivity = Selectivity(2);
        for ply in 1..=3 {
            parallel.add_ancestor(ply, ply as u64, 12 - ply as Depth, (40, 41));
        }
        let mut ancestor_cutoff = || parallel.has_ancestor_cutoff(&table, selectivity, 4, 8);
        assert!(!ancestor_cutoff());
        let entry = Entry { mv: None, score: 30, depth: 9, kind: Bound::Lower, selectivity };
        table.store(3, entry);
        assert!(!ancestor_cutoff(), "at least 30 is not at least 41");
        table.store(3, Entry { score: 50, ..entry });
        table.store(2, Entry { kind: Bound::Upper, depth: 10, ..entry });
        assert!(ancestor_cutoff());
        assert_eq!(parallel.take_ancestor_cutoff(3), Some(30), "on the way");
        assert_eq!(parallel.take_ancestor_cutoff(2), Some(30), "there");
        assert_eq!(parallel.take_ancestor_cutoff(1), None);
    }
}
