//! Threads that solve one position together: young brothers wait (Feldmann 1990), with split points
//! that idle threads join.
//!
//! A thread whose first move at a position did not cut offers the moves that are left. Whoever is idle takes one,
//! searches it and reports; the thread that offered waits for all of them, and while it waits it
//! helps below its own split point only, so that its stack never holds foreign work that its answer
//! has to wait for. A move that cuts ends the work of everybody below.
//!
//! Nothing here is racy by the letter of the language: what threads share is behind a mutex or is an
//! atomic flag that only says "stop early"; values travel through the mutex alone.

use super::super::board::Board;
use super::deep::{Moves, Ranked, pick};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long an idle thread sleeps before it looks whether the solve is over.
const NAP: Duration = Duration::from_millis(1);

/// How often an idle thread looks for news before it sleeps: a tenth of a millisecond or so, as long as
/// waking it would take.
const LOOKS: u32 = 2_000;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A position whose remaining moves are open to all: a null window `(alpha, alpha + 1)`.
pub struct Split {
    /// The position.
    pub board: Board,
    /// The lower end of the window, in discs.
    pub alpha: i32,
    /// Empty squares of the position.
    pub empties: u32,
    /// How sure bounds must be: 0..=5.
    pub selectivity: u8,
    parent: Option<Arc<Split>>,
    cut: AtomicBool,
    progress: Mutex<Progress>,
}

struct Progress {
    moves: Moves,
    next: usize,
    /// Threads at work, the one that split not counted.
    helpers: usize,
    best: (i32, u8),
    broken: bool,
}

impl Split {
    /// The moves of `moves` from `next` on; `best` is the best score so far and its move.
    pub fn new(
        (board, alpha, empties, selectivity): (Board, i32, u32, u8),
        parent: Option<Arc<Split>>,
        (moves, next): (&Moves, usize),
        best: (i32, u8),
    ) -> Arc<Split> {
        let progress = Progress { moves: moves.clone(), next, helpers: 0, best, broken: false };
        Arc::new(Split {
            board,
            alpha,
            empties,
            selectivity,
            parent,
            cut: AtomicBool::new(false),
            progress: Mutex::new(progress),
        })
    }

    /// True once nothing below needs to be searched: here or above a move has cut.
    #[inline(always)]
    pub fn is_cut(&self) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if this.cut.load(Ordering::Relaxed) {
                return true;
            }
            split = this.parent.as_deref();
        }
        false
    }

    /// The best of the moves that nobody has taken.
    pub fn take(&self) -> Option<Ranked> {
        let mut progress = lock(&self.progress);
        if progress.next >= progress.moves.len() || self.is_cut() {
            return None;
        }
        let index = progress.next;
        progress.next += 1;
        Some(pick(&mut progress.moves, index))
    }

    /// The score of a move, searched to its end.
    pub fn report(&self, score: i32, square: u8) {
        let mut progress = lock(&self.progress);
        if score > progress.best.0 {
            progress.best = (score, square);
            if score > self.alpha {
                self.cut.store(true, Ordering::Relaxed);
            }
        }
    }

    /// A move was given up because the budget ran out: the position has no score.
    pub fn give_up(&self) {
        lock(&self.progress).broken = true;
        self.cut.store(true, Ordering::Relaxed);
    }

    /// The best score and its move, once nobody is at work; `None` if a move was given up.
    pub fn result(&self) -> Option<(i32, u8)> {
        let progress = lock(&self.progress);
        (!progress.broken).then_some(progress.best)
    }

    fn helpers(&self) -> usize {
        lock(&self.progress).helpers
    }

    /// Joins, if there is something left to do.
    fn join(&self) -> bool {
        let mut progress = lock(&self.progress);
        let joins = progress.next < progress.moves.len() && !self.is_cut();
        progress.helpers += usize::from(joins);
        joins
    }

    fn is_below(self: &Arc<Split>, top: &Arc<Split>) -> bool {
        let mut split = Some(self);
        while let Some(this) = split {
            if Arc::ptr_eq(this, top) {
                return true;
            }
            split = this.parent.as_ref();
        }
        false
    }
}

/// The threads of a solver and the split points that they may join.
#[derive(Default)]
pub struct Team {
    open: Mutex<Vec<Arc<Split>>>,
    changed: Condvar,
    idle: AtomicUsize,
    /// Grows with every change that an idle thread may wait for.
    news: AtomicUsize,
}

impl Team {
    /// True if a split point would find somebody.
    #[inline(always)]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Offers a split point to all.
    pub fn open(&self, split: &Arc<Split>) {
        let mut open = lock(&self.open);
        open.push(split.clone());
        self.tell(open);
    }

    /// Wakes those who wait; under the lock, so that a thread between its look and its sleep does not miss it.
    fn tell(&self, open: MutexGuard<'_, Vec<Arc<Split>>>) {
        self.news.fetch_add(1, Ordering::Relaxed);
        drop(open);
        self.changed.notify_all();
    }

    /// Takes the offer back; those at work there stay.
    pub fn close(&self, split: &Arc<Split>) {
        lock(&self.open).retain(|other| !Arc::ptr_eq(other, split));
    }

    /// A helper has no more to do there.
    pub fn leave(&self, split: &Split) {
        lock(&split.progress).helpers -= 1;
        self.tell(lock(&self.open));
    }

    /// Joins a split point below `top` as soon as there is one; `None` once `top` has no helpers left.
    pub fn join_below(&self, top: &Arc<Split>) -> Option<Arc<Split>> {
        self.wait(|| top.helpers() == 0, |split| split.is_below(top))
    }

    /// Joins any split point; `None` once `is_over` says so.
    pub fn join_any(&self, is_over: impl Fn() -> bool) -> Option<Arc<Split>> {
        self.wait(is_over, |_| true)
    }

    fn wait(&self, is_over: impl Fn() -> bool, fits: impl Fn(&Arc<Split>) -> bool) -> Option<Arc<Split>> {
        let mut open = lock(&self.open);
        self.idle.fetch_add(1, Ordering::Relaxed);
        let found = loop {
            if is_over() {
                break None;
            }
            // The larger the position, the less often somebody has to move on.
            let best = open.iter().filter(|split| fits(split)).max_by_key(|split| split.empties).cloned();
            match best {
                Some(split) if split.join() => break Some(split),
                // Nothing is left there: its owner will close it, others need not look again.
                Some(split) => open.retain(|other| !Arc::ptr_eq(other, &split)),
                None => {
                    let known = self.news.load(Ordering::Relaxed);
                    drop(open);
                    let is_old = || self.news.load(Ordering::Relaxed) == known && !is_over();
                    let waited_long = (0..LOOKS).all(|_| {
                        std::hint::spin_loop();
                        is_old()
                    });
                    open = lock(&self.open);
                    if waited_long && self.news.load(Ordering::Relaxed) == known {
                        open = self.changed.wait_timeout(open, NAP).unwrap_or_else(PoisonError::into_inner).0;
                    }
                }
            }
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::board::PASS;
    use super::*;

    fn split(parent: Option<Arc<Split>>, moves: usize) -> Arc<Split> {
        let moves: Moves = (0..moves)
            .map(|square| Ranked { rank: -(square as i32), square: square as u8, child: Board::START, replies: 0 })
            .collect();
        Split::new((Board::START, 3, 20, 5), parent, (&moves, 0), (-65, PASS))
    }

    #[test]
    fn moves_go_to_whoever_asks_and_the_best_score_stays() {
        let split = split(None, 3);
        let squares: Vec<u8> = std::iter::from_fn(|| split.take()).map(|mv| mv.square).collect();
        assert_eq!(squares, [0, 1, 2]);
        split.report(-4, 1);
        split.report(-8, 2);
        assert_eq!((split.result(), split.is_cut()), (Some((-4, 1)), false));
    }

    #[test]
    fn a_cut_ends_all_work_below() {
        let above = split(None, 2);
        let below = split(Some(above.clone()), 2);
        assert!(below.take().is_some());
        above.report(4, 0);
        assert!(below.is_cut() && below.take().is_none() && above.take().is_none());
        assert_eq!(above.result(), Some((4, 0)));
    }

    #[test]
    fn a_move_given_up_leaves_no_score() {
        let split = split(None, 2);
        split.report(9, 0);
        split.give_up();
        assert_eq!(split.result(), None);
    }

    #[test]
    fn helpers_join_only_what_is_below_and_leave() {
        let (team, above) = (Team::default(), split(None, 2));
        let (below, beside) = (split(Some(above.clone()), 2), split(None, 2));
        team.open(&beside);
        team.open(&below);
        assert!(above.join());
        let joined = team.join_below(&above).map(|joined| Arc::ptr_eq(&joined, &below));
        assert_eq!(joined, Some(true));
        team.leave(&below);
        team.leave(&above);
        assert!(team.join_below(&above).is_none() && !team.has_idle());
        team.close(&beside);
        assert!(lock(&team.open).iter().all(|open| Arc::ptr_eq(open, &below)));
    }
}
