//! A search under way, as the session sees it.

use crate::api::command::GoLimits;
use crate::api::event::{BestMove, Info};
use crate::api::protocol::RequestId;
use crate::engine::dyn_engine::{DynEngine, SearchHandle};
use crate::search::types::Side;
use std::time::{Duration, Instant};

/// A search under way.
pub(super) struct ActiveSearch {
    /// Events of searches with other numbers are dropped.
    pub number: u64,
    /// The request that it answers.
    pub request_id: RequestId,
    pub handle: SearchHandle,
    pub purpose: SearchPurpose,
    pub started: Instant,
    /// No answer before the host asks for it (`go infinite`, `go ponder`).
    pub answer_held: bool,
    /// The result while the answer is held back.
    pub finished: Option<BestMove>,
    /// The limits that a ponder hit puts into force.
    pub limits: GoLimits,
    /// The latest iteration of the best variation.
    pub latest: Option<Info>,
    /// When the session answers from `latest`: the search thread may not get a processor in time to answer itself.
    pub answer_by: Option<Instant>,
}

/// How long a stopped search thread has to send its result.
pub(super) const ANSWER_GRACE: Duration = Duration::from_millis(6);

impl ActiveSearch {
    /// Stops the search.
    pub(super) fn stop(&mut self) {
        self.handle.stop.raise();
        self.answer_by = Some(Instant::now() + ANSWER_GRACE);
    }
}

/// What a search is for.
pub(super) enum SearchPurpose {
    /// A move for this side; played on the session's board if `play`.
    Move { side: Side, play: bool },
    /// Analysis; the next line of input ends it if `until_input`.
    Analysis { until_input: bool },
    /// Game analysis on an engine of its own, which stands `ply` moves after the start of the game.
    GameAnalysis { engine: Box<dyn DynEngine>, limits: GoLimits, ply: usize },
    /// Perft.
    Perft,
}
