//! `flipside search --exact`: the value of perfect play by the game's exact solver.

use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::policy::SearchPolicy;
use crate::search::result::SearchParameters;
use crate::search::technique::EndgameSolver;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Certainty, Depth, Score};
use crate::search::worker::SearchContext;
use crate::support::thread_pool;
use anyhow::{Context, bail};

/// A solved position.
pub(super) struct Solved<M> {
    /// Best play for both sides; empty on a finished game.
    pub pv: Vec<M>,
    /// For the side to move, in hundredths.
    pub score: Score,
    /// Plies to the end of the game.
    pub depth: Depth,
    /// Positions entered.
    pub nodes: u64,
}

/// Solves a position, with a search's table of `hash` MiB beside the solver's.
///
/// # Errors
/// The game has no exact solver, the limits are too small, or there is not so much memory.
pub(super) fn solve<G: Game, E: Eval<G>, T: SearchPolicy<G, E>>(
    context: &SearchContext<G, E, T>,
    hash: usize,
    root: &G::Position,
    limits: Limits,
    threads: usize,
) -> anyhow::Result<Solved<G::Move>> {
    let solver = context.policy.solver().context("the game has no exact solver: Reversi of any size has one")?;
    if let Some(score) = context.game.outcome(root) {
        return Ok(Solved { pv: Vec::new(), score, depth: 0, nodes: 1 });
    }
    let stop = Stop::new(&limits);
    let limits = Limits { depth: Some(solver.plies_to_end(root).max(1).unsigned_abs()), ..limits };
    let parameters = SearchParameters { threads: thread_pool::useful(threads), ..SearchParameters::new(limits) };
    let table = TranspositionTable::new(hash)?;
    let result = iterative_deepening::search(context, &table, root, &parameters, &stop, &mut |_| ());
    match result.best.filter(|best| best.certainty == Certainty::Exact) {
        Some(best) => Ok(Solved { pv: result.pv, score: best.score, depth: best.depth, nodes: result.nodes }),
        None => bail!("not solved within the limits, after {} positions", result.nodes),
    }
}
