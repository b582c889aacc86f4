//! A place where a thread waits for another thread's signal: it polls for a while, then sleeps.
//!
//! Each waiting thread has a place of its own, so that a signal wakes the thread that it is meant for and no other, and
//! polling reads a cache line that nobody else reads.

use crate::clock::Instant;
use crate::virtual_processors::Processor;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Thread, current, park_timeout};
use std::time::Duration;

/// How long a thread sleeps before it asks again whether its wait is over: for ends that nobody signals.
const SLEEP: Duration = Duration::from_millis(20);

/// One wait of one thread.
#[derive(Debug)]
pub struct Parker {
    is_signalled: AtomicBool,
    thread: Thread,
    processor: Option<Processor>,
}

impl Parker {
    /// The place where the calling thread is about to wait. Whoever may signal it learns of it under a lock, which the
    /// thread holds now.
    pub fn new() -> Arc<Parker> {
        let processor = Processor::suspend();
        Arc::new(Parker { is_signalled: AtomicBool::new(false), thread: current(), processor })
    }

    /// Ends the wait.
    pub fn signal(&self) {
        if let Some(processor) = &self.processor {
            processor.resume();
        }
        self.is_signalled.store(true, Ordering::Release);
        self.thread.unpark();
    }

    /// Waits until the signal, or until `is_over`: polls this often, then sleeps. Only the thread that made the place
    /// calls this. Returns how long it took.
    pub fn wait(&self, polls: u32, is_over: impl Fn() -> bool) -> Duration {
        let is_done = || self.is_signalled.load(Ordering::Acquire) || is_over();
        if let Some(processor) = &self.processor {
            return processor.wait(is_done);
        }
        let begun = Instant::now();
        for _ in 0..polls {
            if is_done() {
                return begun.elapsed();
            }
            std::hint::spin_loop();
        }
        while !is_done() {
            park_timeout(SLEEP);
        }
        begun.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_waits_for_its_signal_and_for_the_end() {
        for polls in [0, 1_000_000] {
            let (place, waiting) = std::sync::mpsc::channel();
            std::thread::scope(|scope| {
                let waiter = scope.spawn(move || {
                    let parker = Parker::new();
                    place.send(parker.clone()).expect("a listener");
                    parker.wait(polls, || false);
                    parker.is_signalled.load(Ordering::Relaxed)
                });
                waiting.recv().expect("a place").signal();
                assert!(waiter.join().expect("no panic"));
            });
        }
        let (parker, begun) = (Parker::new(), Instant::now());
        let waited = parker.wait(3, || begun.elapsed() > Duration::from_millis(5));
        assert!(waited >= Duration::from_millis(5));
    }
}
