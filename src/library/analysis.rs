//! The result of a search.

use flipside_core::search::result::{Iteration, SearchResult};
use flipside_core::search::types::{Certainty, Score, UNIT, WIN, WIN_IN_MAX_PLY};
use std::fmt::{self, Display};
use std::time::Duration;

/// The result of a search, or of one finished iteration of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<M> {
    /// The move to make; `None` only if the game is over.
    pub best_move: Option<M>,
    /// The value for the side to move, in hundredths of the game's unit (a disc, a pawn). A forced win in `n` plies
    /// counts [`WIN`] `- n`, a forced loss the negative of that; see [`Analysis::win_in`].
    pub score: Score,
    /// Whether the score is an estimate or the value of perfect play.
    pub certainty: Certainty,
    /// Plies of the last finished iteration; 0 if none finished, and then the score is the static evaluation.
    pub depth: u32,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// Wall time since the search began.
    pub time: Duration,
    /// Best play for both sides as far as known; begins with the best move.
    pub principal_variation: Vec<M>,
}

impl<M: Copy> Analysis<M> {
    /// What an iteration found.
    pub(super) fn of<N: Copy>(iteration: Iteration<N>) -> Analysis<M>
    where
        M: From<N>,
    {
        let Iteration { score, certainty, depth, nodes, time, pv, .. } = iteration;
        let principal_variation: Vec<M> = pv.into_iter().map(M::from).collect();
        let best_move = principal_variation.first().copied();
        Analysis { best_move, score, certainty, depth, nodes, time, principal_variation }
    }

    /// The result of a search; `without_iteration` is the value of the position if no iteration finished.
    pub(super) fn of_result<N: Copy>(
        result: SearchResult<N>,
        without_iteration: impl FnOnce() -> (Score, Certainty),
    ) -> Analysis<M>
    where
        M: From<N>,
    {
        let SearchResult { pv, best, nodes, time } = result;
        let known = || {
            let (score, certainty) = without_iteration();
            Iteration::known(score, certainty, 0, Vec::new())
        };
        Analysis::of(Iteration { pv, nodes, time, ..best.unwrap_or_else(known) })
    }
}

impl<M> Analysis<M> {
    /// The score in whole units (discs, pawns).
    pub fn units(&self) -> f64 {
        f64::from(self.score) / f64::from(UNIT)
    }

    /// Plies to a forced win of the side to move, if the search has proven one in a game where only winning counts. They are
    /// those of the line found; only where [`Analysis::is_exact`] holds is no shorter win possible.
    pub fn win_in(&self) -> Option<u32> {
        (self.score >= WIN_IN_MAX_PLY).then(|| (WIN - self.score).unsigned_abs())
    }

    /// Plies to a forced loss of the side to move, if the search has proven one, as in [`Analysis::win_in`].
    pub fn loss_in(&self) -> Option<u32> {
        (self.score <= -WIN_IN_MAX_PLY).then(|| (WIN + self.score).unsigned_abs())
    }

    /// True if the score is the value of perfect play, the distance to a win or loss included.
    pub fn is_exact(&self) -> bool {
        self.certainty == Certainty::Exact
    }
}

/// One line: depth, score, certainty, nodes and the principal variation.
impl<M: Display> Display for Analysis<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "depth {} score ", self.depth)?;
        match (self.win_in(), self.loss_in()) {
            (Some(plies), _) => write!(formatter, "win in {plies}")?,
            (_, Some(plies)) => write!(formatter, "loss in {plies}")?,
            _ => write!(formatter, "{:+.2}", self.units())?,
        }
        write!(formatter, " {} nodes {} pv", self.certainty, self.nodes)?;
        self.principal_variation.iter().try_for_each(|mv| write!(formatter, " {mv}"))
    }
}
