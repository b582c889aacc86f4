//! A search by a type-erased engine that Ctrl-C can end.

use crate::cli::io::interrupt::Interrupt;
use flipside_core::search::transposition_table::Bound;
use flipside_host::api::event::{BestMove, Info, SearchEvent};
use flipside_host::engine::dyn_engine::{DynEngine, SearchRequest};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Interval at which a search checks for an interrupt.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(50);

/// The result of a search.
pub struct Found {
    /// The move.
    pub best_move: BestMove,
    /// The principal variations of the last iteration that scored all requested lines, the best first.
    pub lines: Vec<Info>,
}

/// Searches the current position; `None` if interrupted.
///
/// # Errors
/// The search could not be started, or it failed inside.
pub fn search(engine: &dyn DynEngine, request: SearchRequest, interrupt: &Interrupt) -> anyhow::Result<Option<Found>> {
    let (sender, events) = channel();
    // The receiver lives until the search is over.
    let handle = engine.search(request, Arc::new(move |event| drop(sender.send(event))));
    let (mut lines, mut iteration): (Vec<Info>, Vec<Info>) = (Vec::new(), Vec::new());
    let best_move = loop {
        match events.recv_timeout(INTERRUPT_INTERVAL) {
            Ok(SearchEvent::Info(info)) if info.bound == Bound::Exact => {
                iteration.truncate(info.rank - 1);
                let whole = info.rank == info.multipv;
                iteration.push(info);
                if whole {
                    lines.clone_from(&iteration);
                }
            }
            Ok(SearchEvent::BestMove(best_move)) => break Some(best_move),
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) if interrupt.is_raised() => handle.stop.raise(),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break None,
        }
    };
    handle.join().map_err(anyhow::Error::msg)?;
    let best_move = best_move.ok_or_else(|| anyhow::anyhow!("the search ended without a best move"))?;
    Ok((!interrupt.is_raised()).then_some(Found { best_move, lines }))
}
