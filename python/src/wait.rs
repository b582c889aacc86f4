//! Waiting for an engine's thread without the interpreter's lock, and ending its work at Ctrl-C.

use flipside::api::event::SearchEvent;
use flipside::engine::dyn_engine::SearchHandle;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// How often signals are looked for.
pub const POLL: Duration = Duration::from_millis(20);

/// Waits for the end of a search and hands its events on. A signal, or an exception of what hears the events, stops it.
///
/// # Errors
/// The exception that stopped it.
pub fn wait(
    py: Python<'_>,
    handle: SearchHandle,
    events: Receiver<SearchEvent>,
    hear: &mut dyn FnMut(SearchEvent) -> PyResult<()>,
) -> PyResult<()> {
    let SearchHandle { stop, ended } = handle;
    // The lock is for the type system: the receiver is used by this thread alone.
    let events = Mutex::new(events);
    let next = || events.lock().map_or(Err(RecvTimeoutError::Disconnected), |events| events.recv_timeout(POLL));
    let outcome = loop {
        let heard = match py.detach(next) {
            Ok(event) => hear(event),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            // The search has ended and dropped its sink.
            Err(RecvTimeoutError::Disconnected) => break Ok(()),
        };
        if let Err(error) = heard.and_then(|()| py.check_signals()) {
            break Err(error);
        }
    };
    stop.raise();
    // Closed without a word after a panic, which has no best move either.
    let _ = py.detach(move || ended.recv());
    outcome
}
