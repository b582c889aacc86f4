//! Waiting for an engine's thread without the interpreter's lock, and ending its work at Ctrl-C.

use flipside::api::event::SearchEvent;
use flipside::engine::dyn_engine::SearchHandle;
use pyo3::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// The interval between two checks for signals.
pub const POLL: Duration = Duration::from_millis(20);

/// Waits for the end of a search and forwards its events. A signal, or an exception in the receiver of the events,
/// stops it.
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
    // The lock only satisfies the type system: this thread alone uses the receiver.
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
    // After a panic the channel is closed without a message, and there is no best move.
    let _ = py.detach(move || ended.recv());
    outcome
}
