//! Waiting for a search: its events are heard on the calling thread while it runs.

use super::dyn_engine::{DynEngine, EventSink, SearchHandle, SearchRequest};
use crate::api::event::{BestMove, SearchEvent};
use flipside_core::search::limits::Stop;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

/// The longest time between two calls of `hear`.
const INTERVAL: Duration = Duration::from_millis(20);

/// Begins a search or a perft and waits for its end. `hear` gets every event as it comes, and `None` at least every
/// 20 ms while there is none; it may raise the stop.
///
/// # Errors
/// It panicked outside the search itself.
pub fn watch(
    begin: impl FnOnce(EventSink) -> SearchHandle,
    hear: &mut dyn FnMut(&Stop, Option<SearchEvent>),
) -> Result<(), String> {
    let (sender, events) = channel();
    // The receiver lives until the search is over.
    let handle = begin(Arc::new(move |event| drop(sender.send(event))));
    // Where there are no threads the search is over now, and no clock is asked.
    let next = || match events.try_recv() {
        Ok(event) => Ok(event),
        Err(TryRecvError::Empty) => events.recv_timeout(INTERVAL),
        Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
    };
    loop {
        match next() {
            Ok(event) => hear(&handle.stop, Some(event)),
            Err(RecvTimeoutError::Timeout) => hear(&handle.stop, None),
            // The search has ended and dropped its sink.
            Err(RecvTimeoutError::Disconnected) => return handle.join(),
        }
    }
}

/// Searches the present position of an engine, in the engine's thread, and waits for the result; `ask` may raise the stop.
///
/// # Errors
/// It panicked outside the search itself.
pub fn search_until(
    engine: &dyn DynEngine,
    request: SearchRequest,
    ask: &mut dyn FnMut(&Stop),
) -> Result<BestMove, String> {
    let mut found = None;
    watch(|sink| engine.search(request, sink), &mut |stop, event| {
        ask(stop);
        if let Some(SearchEvent::BestMove(best_move)) = event {
            found = Some(best_move);
        }
    })?;
    found.ok_or_else(|| "the search ended without a best move".to_string())
}

/// Searches the present position of an engine in the engine's thread and waits for the result.
///
/// # Errors
/// The search thread panicked outside the search itself.
pub fn search_and_wait(engine: &dyn DynEngine, request: SearchRequest) -> Result<BestMove, String> {
    search_until(engine, request, &mut |_| ())
}
