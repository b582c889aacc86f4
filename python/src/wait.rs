//! Waiting for an engine's thread without the interpreter's lock, and ending its work at Ctrl-C.

use flipside::api::event::SearchEvent;
use flipside::engine::dyn_engine::{EventSink, SearchHandle};
use flipside::engine::watch::watch;
use pyo3::prelude::*;
use std::time::Duration;

/// The interval between two checks for signals.
pub const POLL: Duration = Duration::from_millis(20);

/// Begins a search, waits for its end and forwards its events. A signal, or an exception in the receiver of the events,
/// stops it.
///
/// # Errors
/// The exception that stopped it.
pub fn wait(
    py: Python<'_>,
    begin: impl FnOnce(EventSink) -> SearchHandle + Send,
    hear: &mut (dyn FnMut(Python<'_>, SearchEvent) -> PyResult<()> + Send),
) -> PyResult<()> {
    let mut outcome = Ok(());
    let watching = || {
        watch(begin, &mut |stop, event| {
            // After an exception the rest is not forwarded.
            if outcome.is_ok() {
                outcome = Python::attach(|py| {
                    event.map_or(Ok(()), |event| hear(py, event))?;
                    py.check_signals()
                });
            }
            if outcome.is_err() {
                stop.raise();
            }
        })
    };
    // An error is a panic, after which there is no best move.
    let _ = py.detach(watching);
    outcome
}
