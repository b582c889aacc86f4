//! A search under way, as the session sees it.

use crate::api::command::GoLimits;
use crate::api::event::{Choice, Progress};
use crate::api::protocol::RequestId;
use crate::engine::dyn_engine::{DynEngine, Handle};
use crate::search::types::Side;
use std::time::{Duration, Instant};

/// A search under way.
pub(super) struct Running {
    pub number: u64,
    pub request_id: RequestId,
    pub handle: Handle,
    pub purpose: Purpose,
    pub started: Instant,
    /// No answer before the host says so (`go infinite`, `go ponder`).
    pub held: bool,
    /// The answer that is being held back.
    pub finished: Option<Choice>,
    /// What a ponder hit puts into force.
    pub limits: GoLimits,
    /// The best line so far.
    pub latest: Option<Progress>,
    /// When the session answers from that line, should the search thread not come to a processor
    /// in time to answer itself.
    pub answer_by: Option<Instant>,
}

/// How long a search thread that must end gets to say its last word.
pub(super) const LAST_WORD: Duration = Duration::from_millis(6);

impl Running {
    /// Ends the search: it has a moment to answer by itself.
    pub(super) fn end(&mut self) {
        self.handle.stop.raise();
        self.answer_by = Some(Instant::now() + LAST_WORD);
    }
}

/// What a search is for.
pub(super) enum Purpose {
    /// A move for this side; played if asked for.
    Move { side: Side, play: bool },
    /// Evaluation only.
    Analysis { until_input: bool },
    /// Position after position of the game, in a engine of its own; the moves still to take back.
    AnalyzeGame { engine: Box<dyn DynEngine>, limits: GoLimits, ply: usize },
    /// Counting leaves.
    Perft,
}
