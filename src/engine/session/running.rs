//! A search under way, as the session sees it.

use crate::dialect::Ticket;
use crate::engine::command::LimitWords;
use crate::engine::event::{Choice, Progress};
use crate::engine::room::{Handle, Room};
use crate::search::game::Side;
use std::time::{Duration, Instant};

/// A search under way.
pub(super) struct Running {
    pub number: u64,
    pub ticket: Ticket,
    pub handle: Handle,
    pub purpose: Purpose,
    pub started: Instant,
    /// No answer before the host says so (`go infinite`, `go ponder`).
    pub held: bool,
    /// The answer that is being held back.
    pub finished: Option<Choice>,
    /// What a ponder hit puts into force.
    pub limits: LimitWords,
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
    /// Position after position of the game, in a room of its own; the moves still to take back.
    Retrograde { room: Box<dyn Room>, limits: LimitWords, ply: usize },
    /// Counting leaves.
    Perft,
}
