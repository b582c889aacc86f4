//! What the threads of a solve are searching at this moment, so that they choose different moves
//! (the idea of ABDADA, Weill 1996, with a table of its own).
//!
//! The entries are hints: a lost or a false one costs time, never correctness.

use super::super::board::Board;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

const PLACES: usize = 1 << 12;

/// The positions under search, by hash.
pub struct Busy {
    places: Box<[AtomicU64]>,
    threads: AtomicU32,
}

/// A position is under search as long as this lives.
pub struct Guard<'a> {
    place: Option<&'a AtomicU64>,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            place.store(0, Ordering::Relaxed);
        }
    }
}

/// A thread takes part as long as this lives.
pub struct Member<'a>(&'a Busy);

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.0.threads.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Busy {
    /// Nothing is under search.
    pub fn new() -> Busy {
        Busy { places: (0..PLACES).map(|_| AtomicU64::new(0)).collect(), threads: AtomicU32::new(0) }
    }

    /// A thread joins in.
    pub fn join(&self) -> Member<'_> {
        self.threads.fetch_add(1, Ordering::Relaxed);
        Member(self)
    }

    /// True while more than one thread is at work.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.threads.load(Ordering::Relaxed) > 1
    }

    /// Marks a position, whoever else is at it.
    #[inline(always)]
    pub fn enter(&self, board: Board) -> Guard<'_> {
        self.try_enter(board).unwrap_or(Guard { place: None })
    }

    /// Marks a position unless another thread is at it.
    #[inline(always)]
    pub fn try_enter(&self, board: Board) -> Option<Guard<'_>> {
        let mark = board.hash() | 1;
        let place = &self.places[(mark >> 52) as usize & (PLACES - 1)];
        if place.load(Ordering::Relaxed) == mark {
            return None;
        }
        // A place taken by some other position is left to it.
        let free = place.compare_exchange(0, mark, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        Some(Guard { place: free.then_some(place) })
    }
}

impl Default for Busy {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_busy_until_its_guard_is_dropped() {
        let busy = Busy::new();
        let guard = busy.try_enter(Board::START);
        assert!(guard.is_some() && busy.try_enter(Board::START).is_none());
        drop(guard);
        assert!(busy.try_enter(Board::START).is_some());
    }

    #[test]
    fn two_members_share() {
        let busy = Busy::new();
        let one = busy.join();
        assert!(!busy.is_shared());
        let two = busy.join();
        assert!(busy.is_shared());
        drop((one, two));
        assert!(!busy.is_shared());
    }
}
