//! A search under way, as the session sees it.

use crate::api::command::GoLimits;
use crate::api::event::BestMove;
use crate::api::protocol::RequestId;
use crate::engine::dyn_engine::DynEngine;
use crate::search::limits::Stop;
use crate::search::types::Side;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search under way.
pub(super) struct ActiveSearch {
    /// Events of searches with other numbers are dropped.
    pub number: u64,
    /// The number of the line that asked for it.
    pub asked: u64,
    /// The request that it answers.
    pub request_id: RequestId,
    pub stop: Arc<Stop>,
    pub purpose: SearchPurpose,
    pub started: Instant,
    pub hold: Hold,
    /// The result while the answer is held back.
    pub finished: Option<BestMove>,
    /// The limits that a ponder hit puts into force.
    pub limits: GoLimits,
    /// The answer if the search had to end now.
    pub candidate: Option<BestMove>,
    /// When the session answers with `candidate`: the search thread may not get a processor in time to answer itself.
    pub answer_by: Option<Instant>,
    /// Whether [`ActiveSearch::stop`] was called.
    pub stopped: bool,
}

/// How long a stopped search thread has to send its result.
const ANSWER_GRACE: Duration = Duration::from_millis(6);

impl ActiveSearch {
    /// A search that was just started, with nothing to hold its answer back.
    pub(super) fn new(
        number: u64,
        asked: u64,
        request_id: &RequestId,
        stop: Arc<Stop>,
        purpose: SearchPurpose,
    ) -> ActiveSearch {
        ActiveSearch {
            number,
            asked,
            request_id: request_id.clone(),
            stop,
            purpose,
            started: Instant::now(),
            hold: Hold::Nothing,
            finished: None,
            limits: GoLimits::default(),
            candidate: None,
            answer_by: None,
            stopped: false,
        }
    }

    /// Stops the search, which then answers.
    pub(super) fn stop(&mut self) {
        self.hold = Hold::Nothing;
        if !self.stopped {
            self.stopped = true;
            self.stop.raise();
            self.expect_answer(Some(Duration::ZERO));
        }
    }

    /// The search has so long from now, its hard limit.
    pub(super) fn expect_answer(&mut self, hard: Option<Duration>) {
        self.answer_by = hard.and_then(|hard| Instant::now().checked_add(hard.saturating_add(ANSWER_GRACE)));
    }

    /// True if the search goes on until somebody stops it.
    pub(super) fn is_endless(&self) -> bool {
        let analysis = matches!(self.purpose, SearchPurpose::Analysis { .. });
        self.hold != Hold::Nothing || analysis && self.limits.infinite && !self.stopped
    }

    /// Ends a search that neither time nor nodes bound in `time`.
    pub(super) fn bound(&mut self, time: Duration) {
        if !self.stop.is_bounded() && !self.stopped {
            self.stop.set_time(None, Some(time));
            self.expect_answer(Some(time));
        }
    }
}

/// What an answer waits for besides its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// Nothing.
    Nothing,
    /// A stop (`go infinite`).
    Stop,
    /// A stop, or the ponder hit, which starts the clock (`go ponder`).
    PonderHit,
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
