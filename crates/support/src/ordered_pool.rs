//! Ordered worker pool: jobs run in parallel, and their results are handed over in the order of
//! the jobs.
//!
//! Memory is bounded: a worker that is `AHEAD` jobs past the oldest unfinished one waits for it.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How many jobs past the oldest unfinished one may be taken.
const AHEAD: u64 = 1024;

/// Jobs whose results have been handed over.
#[derive(Default)]
struct Frontier {
    handed_over: u64,
    /// No more jobs are taken: the sink failed or a worker panicked.
    closed: bool,
}

/// What the workers and the collecting thread share.
struct Shared<I> {
    jobs: Mutex<(u64, I)>,
    frontier: Mutex<Frontier>,
    advanced: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<I: Iterator> Shared<I> {
    /// The next job and its number, once it is near enough to the oldest unfinished one.
    fn next(&self) -> Option<(u64, I::Item)> {
        let mut jobs = lock(&self.jobs);
        let too_far = |frontier: &mut Frontier| !frontier.closed && jobs.0 >= frontier.handed_over + AHEAD;
        let frontier = self.advanced.wait_while(lock(&self.frontier), too_far);
        if frontier.unwrap_or_else(PoisonError::into_inner).closed {
            return None;
        }
        let job = jobs.1.next()?;
        jobs.0 += 1;
        Some((jobs.0 - 1, job))
    }

    fn update(&self, change: impl FnOnce(&mut Frontier)) {
        change(&mut lock(&self.frontier));
        self.advanced.notify_all();
    }
}

/// Closes the pool if its thread panics, so that no other waits for a result that never comes.
struct CloseOnPanic<'a, I: Iterator>(&'a Shared<I>);

impl<I: Iterator> Drop for CloseOnPanic<'_, I> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.update(|frontier| frontier.closed = true);
        }
    }
}

/// Runs `work` on every job, in one thread for each of the workers (tables, players), and hands the
/// results to `sink` on the calling thread in the order of the jobs.
///
/// # Errors
/// The first error of `sink`; no further job is begun, and results of later jobs are dropped.
///
/// # Panics
/// If a worker panics.
pub fn run<J: Send, W: Send, R: Send, E>(
    workers: Vec<W>,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(&mut W, J) -> R + Sync,
    mut sink: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let shared = Shared { jobs: Mutex::new((0, jobs)), frontier: Mutex::default(), advanced: Condvar::new() };
    std::thread::scope(|scope| {
        let (sender, finished) = channel();
        for mut worker in workers {
            let (sender, shared, work) = (sender.clone(), &shared, &work);
            scope.spawn(move || {
                let _guard = CloseOnPanic(shared);
                while let Some((number, job)) = shared.next() {
                    if sender.send((number, work(&mut worker, job))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let _guard = CloseOnPanic(&shared);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (number, result) in finished {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                let handed_over = sink(result);
                shared.update(|frontier| {
                    frontier.handed_over = due;
                    frontier.closed |= handed_over.is_err();
                });
                handed_over?;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    fn slow(_: &mut (), job: u64) -> u64 {
        std::thread::sleep(Duration::from_micros(job * 37 % 11 * 100));
        job * 2
    }

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let mut seen = Vec::new();
        let sink = |result| {
            seen.push(result);
            Ok::<(), ()>(())
        };
        run(vec![(); 3], 0..50, slow, sink).expect("nothing fails");
        assert_eq!(seen, (0..50).map(|job| job * 2).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_of_the_sink_ends_the_work() {
        assert_eq!(run(vec![(); 2], 0..5000, slow, |_| Err("full")), Err("full"));
    }

    /// The first job waits until the others have gone as far as they may.
    #[test]
    fn no_worker_runs_too_far_ahead() {
        let begun = AtomicU64::new(0);
        let work = |_: &mut (), job: u64| {
            begun.fetch_add(1, Ordering::SeqCst);
            while job == 0 && begun.load(Ordering::SeqCst) < AHEAD {
                std::thread::yield_now();
            }
            if job == 0 {
                std::thread::sleep(Duration::from_millis(20));
                assert_eq!(begun.load(Ordering::SeqCst), AHEAD);
            }
        };
        run(vec![(); 2], 0..2 * AHEAD, work, |()| Ok::<(), ()>(())).expect("nothing fails");
        assert_eq!(begun.into_inner(), 2 * AHEAD);
    }

    #[test]
    #[should_panic]
    fn a_panic_of_a_worker_ends_the_others() {
        let work = |_: &mut (), job: u64| assert!(job != 3, "on purpose");
        let _ = run(vec![(); 2], 0..10 * AHEAD, work, |()| Ok::<(), ()>(()));
    }
}
