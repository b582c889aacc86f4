//! Ctrl-C and the other signals that end a program: stops the searches under way and lets the program end with whole records.

use crate::search::limits::Stop;
use crate::support::signals;
use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Exit status of a program that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// The interrupt of this process; there can be only one.
pub struct Interrupt {
    raised: Arc<AtomicBool>,
    stops: Arc<Mutex<Vec<Arc<Stop>>>>,
}

/// A lock that stays usable after a panic of another thread.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn raise(raised: &AtomicBool, stops: &Mutex<Vec<Arc<Stop>>>) {
    raised.store(true, Ordering::SeqCst);
    lock(stops).iter().for_each(|stop| stop.raise());
}

impl Interrupt {
    /// Installs the handler.
    ///
    /// # Errors
    /// When the process already has a handler, or the system refuses one.
    pub fn new() -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt { raised: Arc::default(), stops: Arc::default() };
        let (raised, stops) = (interrupt.raised.clone(), interrupt.stops.clone());
        signals::on_end(move |_| raise(&raised, &stops)).context("cannot watch for interrupts")?;
        Ok(interrupt)
    }

    /// Interrupts from within, as Ctrl-C does.
    pub fn raise(&self) {
        raise(&self.raised, &self.stops);
    }

    /// Whether the process was interrupted.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    /// Makes an interrupt raise this stop, too.
    pub fn watch(&self, stop: Stop) -> Arc<Stop> {
        let stop = Arc::new(stop);
        let mut stops = lock(&self.stops);
        stops.retain(|stop| Arc::strong_count(stop) > 1);
        stops.push(stop.clone());
        if self.is_raised() {
            stop.raise();
        }
        stop
    }
}
