//! The session's state of a running search.

use super::pending::Asked;
use crate::api::command::GoLimits;
use crate::api::event::BestMove;
use crate::engine::dyn_engine::DynEngine;
use flipside_core::search::limits::{DEFAULT_TIME, Limits, Stop};
use flipside_core::search::types::Side;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A search under way.
pub(super) struct ActiveSearch {
    /// Events of searches with other numbers are dropped.
    pub number: u64,
    /// The request that it answers.
    pub asked: Asked,
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

/// How long a stopped search thread may take to send its result.
const ANSWER_GRACE: Duration = Duration::from_millis(6);
/// How long a search without limits of time or nodes may run after the end of input: the time of a move without any
/// limit.
const FINISH_TIME: Duration = DEFAULT_TIME;
/// The same for a perft, which has no answer before it has counted everything.
const FINISH_PERFT_TIME: Duration = Duration::from_secs(60);
/// Time for each remaining search of a game analysis whose time to finish is over.
const LEAST_FINISH_TIME: Duration = Duration::from_millis(10);

impl ActiveSearch {
    /// Stops the search, which then answers.
    pub(super) fn stop(&mut self) {
        self.hold = Hold::Nothing;
        if !self.stopped {
            self.stopped = true;
            self.stop.raise();
            self.expect_answer(Some(Duration::ZERO));
        }
    }

    /// The search must answer within `hard` from now.
    pub(super) fn expect_answer(&mut self, hard: Option<Duration>) {
        self.answer_by = hard.and_then(|hard| Instant::now().checked_add(hard.saturating_add(ANSWER_GRACE)));
    }

    /// When the session answers for the search, unless the answer is held back.
    pub(super) fn due(&self) -> Option<Instant> {
        self.answer_by.filter(|_| self.hold == Hold::Nothing)
    }

    /// The ponder hit: starts the clock with these limits.
    pub(super) fn start_clock(&mut self, limits: &Limits) {
        self.stop.set_time(limits.soft, limits.hard);
        self.started = Instant::now();
        self.hold = if self.limits.infinite { Hold::Stop } else { Hold::Nothing };
        self.expect_answer(limits.hard);
    }

    /// Whether only a stop ends the search.
    pub(super) fn is_endless(&self) -> bool {
        let analysis = matches!(self.purpose, SearchPurpose::Analysis { .. });
        self.hold != Hold::Nothing || analysis && self.limits.infinite && !self.stopped
    }

    /// Handles the end of input: stops a search that only the host can end, and gives one without limits of time or
    /// nodes a bounded time to finish.
    pub(super) fn end_by_itself(&mut self, input_ended: Instant) {
        if self.is_endless() {
            return self.stop();
        }
        if self.stop.is_bounded() || self.stopped {
            return;
        }
        let (began, time) = match &self.purpose {
            SearchPurpose::Perft => (self.started, FINISH_PERFT_TIME),
            SearchPurpose::GameAnalysis { began, .. } => (*began, FINISH_TIME),
            SearchPurpose::Move { .. } | SearchPurpose::Analysis { .. } => (self.started, FINISH_TIME),
        };
        let finish_by = began.max(input_ended) + time;
        let time = finish_by.saturating_duration_since(Instant::now()).max(LEAST_FINISH_TIME);
        self.stop.set_time(None, Some(time));
        self.expect_answer(Some(time));
    }
}

/// What holds an answer back after its search has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
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
    /// Game analysis, begun at that time, on an engine of its own at `ply` moves after the start of the game.
    GameAnalysis { engine: Box<dyn DynEngine>, limits: GoLimits, ply: usize, began: Instant },
    /// A count of the game tree's leaves.
    Perft,
}
