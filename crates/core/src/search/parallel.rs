//! What the threads of a search share.

use super::abdada::SearchingTable;
use super::evaluation::Eval;
use super::game::Game;
use super::limits::Stop;
use super::policy::SearchPolicy;
use super::root_broadcast::RootBroadcast;
use super::technique::EndgameSolver;
use super::worker::SearchContext;

/// What the threads of a search share besides its tables.
pub struct Parallel<G: Game> {
    /// The first thread tells the others what to do.
    pub broadcast: RootBroadcast<G::Move>,
    /// What each of them searches, so that the others defer it.
    pub searching: Option<SearchingTable>,
}

impl<G: Game> Parallel<G> {
    /// For this many threads.
    pub fn new(threads: usize) -> Parallel<G> {
        Parallel { broadcast: RootBroadcast::new(threads), searching: Some(SearchingTable::new()) }
    }
}

#[cfg(all(test, unix, feature = "virtual-processors"))]
impl<G: Game> Parallel<G> {
    /// Threads that share only the tables.
    pub(crate) fn tables_only(threads: usize) -> Parallel<G> {
        Parallel { broadcast: RootBroadcast::new(threads), searching: None }
    }
}

/// Ends the helpers' work.
pub struct EndOnDrop<'a, G: Game, E: Eval<G>, T: SearchPolicy<G, E>> {
    /// The search's flag.
    pub stop: &'a Stop,
    /// What its threads share.
    pub parallel: Option<&'a Parallel<G>>,
    /// Its game and policy.
    pub context: &'a SearchContext<G, E, T>,
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Drop for EndOnDrop<'_, G, E, T> {
    fn drop(&mut self) {
        self.stop.raise();
        if let Some(parallel) = self.parallel {
            parallel.broadcast.wake();
            wake_solver(self.context);
        }
    }
}

/// Wakes helpers that wait for the solver's work, so that they see that their task is over.
pub fn wake_solver<G: Game, E: Eval<G>, T: SearchPolicy<G, E>>(context: &SearchContext<G, E, T>) {
    if let Some(solver) = context.policy.solver() {
        solver.wake_helpers();
    }
}
