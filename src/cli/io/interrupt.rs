//! Ctrl-C and the other signals that end a program. They stop running searches and the wait for input, so that the
//! program ends with whole records.

use anyhow::Context;
use flipside_core::search::limits::Stop;
use flipside_support::signals;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Exit status of a program that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// The interrupt of this process; there can be only one. Clones are handles to the same one.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<State>);

#[derive(Default)]
struct State {
    raised: AtomicBool,
    /// How many of [`EndsAtOnce`] there are.
    at_once: AtomicUsize,
    stops: Mutex<Vec<Arc<Stop>>>,
    wakers: Mutex<Vec<Box<dyn Fn() + Send>>>,
}

/// A lock that stays usable after a panic of another thread.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Interrupt {
    /// Installs the handler.
    ///
    /// # Errors
    /// The process already has a handler, or the system refuses one.
    pub fn new() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let handle = interrupt.clone();
        let act = move |_| {
            handle.raise();
            handle.end_if_nothing_is_kept();
        };
        signals::on_end(act).context("cannot watch for interrupts")?;
        Ok(interrupt)
    }

    /// Interrupts from within, as Ctrl-C does.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::SeqCst);
        lock(&self.0.stops).iter().for_each(|stop| stop.raise());
        lock(&self.0.wakers).iter().for_each(|wake| wake());
    }

    /// As long as the result lives, a signal ends the program at once: it has nothing to end with care yet, and may wait
    /// for ever for a file, such as a FIFO that nobody writes to, or one of a network that is down.
    pub fn ends_at_once(&self) -> EndsAtOnce {
        self.0.at_once.fetch_add(1, Ordering::SeqCst);
        let guard = EndsAtOnce(self.clone());
        // A signal that came before saw no guard.
        if self.is_raised() {
            self.end_if_nothing_is_kept();
        }
        guard
    }

    fn end_if_nothing_is_kept(&self) {
        if self.0.at_once.load(Ordering::SeqCst) > 0 {
            std::process::exit(i32::from(INTERRUPTED));
        }
    }

    /// Whether the process was interrupted.
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::SeqCst)
    }

    /// Whether the process was interrupted since the last call.
    pub fn take(&self) -> bool {
        self.0.raised.swap(false, Ordering::SeqCst)
    }

    /// Makes an interrupt also call this function, which wakes a thread that waits for something other than a search.
    pub fn on_raise(&self, wake: impl Fn() + Send + 'static) {
        lock(&self.0.wakers).push(Box::new(wake));
    }

    /// Makes an interrupt also raise this stop.
    pub fn watch(&self, stop: Stop) -> Arc<Stop> {
        let stop = Arc::new(stop);
        let mut stops = lock(&self.0.stops);
        stops.retain(|stop| Arc::strong_count(stop) > 1);
        stops.push(stop.clone());
        if self.is_raised() {
            stop.raise();
        }
        stop
    }
}

/// A time in which a signal ends the program at once: see [`Interrupt::ends_at_once`].
#[must_use]
pub struct EndsAtOnce(Interrupt);

impl Drop for EndsAtOnce {
    fn drop(&mut self) {
        self.0.0.at_once.fetch_sub(1, Ordering::SeqCst);
    }
}
