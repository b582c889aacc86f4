//! The door to the search: one object through which all callers search, solve and evaluate positions of a game. It
//! hides the evaluation, the policy and the processor level. A search costs one virtual call; nodes cost none.

use super::evaluation::Eval;
use super::game::Game;
use super::heuristics::Heuristics;
use super::iterative_deepening;
use super::limits::Stop;
use super::notation::PerftRule;
use super::perft::Perft;
use super::policy::{SearchPolicy, Technique};
use super::result::{Iteration, SearchParameters, SearchResult};
use super::solve::{Probed, Solution, SolveTask};
use super::technique::{
    CaptureSearch, ClockHints, EndgameSolver, MoveClasses, NullMove, ProbCut, ProbCutTest, RootSolve,
};
use super::transposition_table::{Bound, Entry, TranspositionTable};
use super::types::{Depth, INFINITE, Score, Selectivity};
use super::worker::SearchContext;
use flipside_support::clock::Instant;
use flipside_support::memory::MemoryError;
use std::sync::Arc;

/// Expected remaining moves of a side if the game gives the clock no hints.
const DEFAULT_MOVES_LEFT: u32 = 30;

/// The facts about a position that time management uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeHint {
    /// Moves of the side to move that will still take time, at least 1.
    pub moves_left: u32,
    /// Moves of the side to move until the game ends, at least 1.
    pub moves_to_end: u32,
    /// Share of an even split of the clock that this move deserves, in percent.
    pub weight: u32,
    /// Whether there is only one legal move.
    pub forced: bool,
}

/// A game's search with its tables. `G` is the game for the base level; positions and moves are the same at every
/// level.
pub trait Searcher<G: Game>: Heuristics<G::Position, G::Move> {
    /// Searches a position within the limits, or until the search can learn nothing more. Runs on the calling thread,
    /// which needs a stack of [`STACK`](flipside_support::thread_pool::STACK) bytes. Calls `report` after every
    /// iteration of every variation. Variations end with the game.
    fn search(
        &self,
        root: &G::Position,
        parameters: &SearchParameters<G::Move>,
        stop: &Stop,
        report: &mut dyn FnMut(Iteration<G::Move>),
    ) -> SearchResult<G::Move>;
    /// Solves a position with the solver for the root; `None` if it was stopped, or if the game has no solver.
    fn solve(&self, root: &G::Position, task: &SolveTask, stop: &Stop) -> Option<Solution<G::Move>>;
    /// The solver's table entry for a position.
    fn probe(&self, position: &G::Position) -> Option<Probed<G::Move>>;
    /// Plies to the certain end of the game, if the game has an exact solver.
    fn plies_to_end(&self, position: &G::Position) -> Option<Depth>;
    /// The final score for the side to move by the rules, if the game is over.
    fn outcome(&self, position: &G::Position) -> Option<Score>;
    /// The facts about a position that time management uses.
    fn time_hint(&self, position: &G::Position) -> TimeHint;
    /// Perft: leaves `depth` plies below the position. Raising `stop` ends it early; the sum is then too small.
    fn perft(&self, position: &G::Position, depth: u32, rule: PerftRule, stop: Option<&Stop>) -> u64;
    /// Touches the memory of the tables until `until`, so that memory that the system provides slowly does not delay
    /// the first search.
    fn prefault(&self, until: Instant);
    /// Tries the move first in this position if no search has found a better one. Only the order of moves changes.
    fn suggest(&self, position: &G::Position, mv: G::Move);
    /// Clears all tables: the next search does not depend on those before it.
    fn clear(&self);
}

/// The production search with its transposition table: the only implementation of [`Searcher`].
pub struct TableSearch<G, E, T> {
    context: Arc<SearchContext<G, E, T>>,
    table: TranspositionTable,
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> TableSearch<G, E, T> {
    /// A search with a table of `hash` MiB; the solver's tables belong to the policy.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(context: Arc<SearchContext<G, E, T>>, hash: usize) -> Result<TableSearch<G, E, T>, MemoryError> {
        Ok(TableSearch { context, table: TranspositionTable::new(hash)? })
    }
}

/// Opens the search of a game with its evaluation and policy, and with a table of `hash` MiB.
///
/// # Errors
/// There is not enough memory.
pub fn open<G: Game, E: Eval<G>, T: SearchPolicy<G, E>>(
    game: G,
    eval: E,
    policy: T,
    hash: usize,
) -> Result<Arc<dyn Searcher<G>>, MemoryError> {
    Ok(Arc::new(TableSearch::new(Arc::new(SearchContext { game, eval, policy }), hash)?))
}

impl<R, G, E, T> Searcher<R> for TableSearch<G, E, T>
where
    R: Game<Position = G::Position, Move = G::Move>,
    G: Game,
    E: Eval<G>,
    T: SearchPolicy<G, E>,
{
    fn search(
        &self,
        root: &G::Position,
        parameters: &SearchParameters<G::Move>,
        stop: &Stop,
        report: &mut dyn FnMut(Iteration<G::Move>),
    ) -> SearchResult<G::Move> {
        let mut report = |mut iteration: Iteration<G::Move>| {
            iteration.end_with_the_game(&self.context.game, root);
            report(iteration);
        };
        let mut result = iterative_deepening::search(&self.context, &self.table, root, parameters, stop, &mut report);
        result.end_with_the_game(&self.context.game, root);
        result
    }

    fn solve(&self, root: &G::Position, task: &SolveTask, stop: &Stop) -> Option<Solution<G::Move>> {
        let SearchContext { game, eval, policy } = &*self.context;
        policy.solver()?.root_solver()?.solve_root(game, eval, root, task, stop)
    }

    fn probe(&self, position: &G::Position) -> Option<Probed<G::Move>> {
        self.context.policy.solver()?.root_solver()?.probe(&self.context.game, position)
    }

    fn plies_to_end(&self, position: &G::Position) -> Option<Depth> {
        Some(self.context.policy.solver()?.plies_to_end(position))
    }

    fn outcome(&self, position: &G::Position) -> Option<Score> {
        self.context.game.outcome(position)
    }

    fn time_hint(&self, position: &G::Position) -> TimeHint {
        let hints = self.context.policy.clock_hints();
        let moves_left = hints.map_or(DEFAULT_MOVES_LEFT, |hints| hints.moves_left(position));
        TimeHint {
            moves_left: moves_left.max(1),
            moves_to_end: hints.map_or(moves_left, |hints| hints.moves_to_end(position)).max(1),
            weight: hints.map_or(100, |hints| hints.time_weight(position)),
            forced: self.context.game.moves(position).nth(1).is_none(),
        }
    }

    fn perft(&self, position: &G::Position, depth: u32, rule: PerftRule, stop: Option<&Stop>) -> u64 {
        Perft::new(self.context.policy.level(), &self.context.game, rule, stop).count(position, depth)
    }

    fn prefault(&self, until: Instant) {
        self.table.prefault(until);
        if let Some(solver) = self.context.policy.solver() {
            solver.prepare(until);
        }
    }

    fn suggest(&self, position: &G::Position, mv: G::Move) {
        let SearchContext { game, policy, .. } = &*self.context;
        let key = game.key(position);
        if self.table.probe(key).is_none_or(|entry| entry.mv.is_none()) {
            // A bound that decides no search.
            let (score, bound, selectivity) = (-INFINITE, Bound::Lower, Selectivity::BOLDEST);
            self.table.store(key, Entry { mv: Some(game.code(mv)), score, depth: 0, bound, selectivity });
        }
        if let Some(solver) = policy.solver() {
            solver.suggest(position, mv);
        }
    }

    fn clear(&self) {
        self.table.clear();
        if let Some(solver) = self.context.policy.solver() {
            solver.clear();
        }
    }
}

/// Depth up to which ProbCut's tests are looked for.
const PROBCUT_DEPTHS: Depth = 16;

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Heuristics<G::Position, G::Move> for TableSearch<G, E, T> {
    fn static_eval(&self, position: &G::Position) -> Score {
        let eval = &self.context.eval;
        eval.static_eval(&eval.refresh(position), position)
    }
    fn finished(&self, position: &G::Position, rules: Score) -> Score {
        self.context.eval.finished(position, rules)
    }
    fn score_move(&self, position: &G::Position, mv: G::Move) -> i32 {
        self.context.policy.score_move(&self.context.game, position, mv)
    }
    fn offers(&self, technique: Technique) -> bool {
        let policy = &self.context.policy;
        match technique {
            Technique::Aspiration | Technique::Reductions => true,
            Technique::Quiescence => policy.captures().is_some(),
            Technique::CheckExtensions => policy.captures().is_some() && T::MARGINS.check_extensions,
            Technique::NullMove => policy.null_move().is_some(),
            // Only a measured evaluation has tests, at some depths.
            Technique::ProbCut => policy.probcut().is_some_and(|probcut| {
                let start = self.context.game.start();
                (1..=PROBCUT_DEPTHS).any(|depth| probcut.tests(&start, depth, Selectivity::PLAY).next().is_some())
            }),
            _ => false,
        }
    }
    fn move_class(&self, position: &G::Position, mv: G::Move) -> Option<u8> {
        self.context.policy.move_classes().map(|classes| classes.class(position, mv))
    }
    fn is_noisy(&self, position: &G::Position, mv: G::Move) -> bool {
        self.context.policy.captures().is_some_and(|captures| captures.is_noisy(position, mv))
    }
    fn see_ge(&self, position: &G::Position, mv: G::Move, threshold: Score) -> bool {
        let SearchContext { game, policy, .. } = &*self.context;
        policy.captures().is_none_or(|captures| captures.see_ge(game, position, mv, threshold))
    }
    fn capture_gain(&self, position: &G::Position, mv: G::Move) -> Score {
        self.context.policy.captures().map_or(0, |captures| captures.capture_gain(position, mv))
    }
    fn in_check(&self, position: &G::Position) -> bool {
        self.context.policy.captures().is_some_and(|captures| captures.in_check(position))
    }
    fn null_move(&self, position: &G::Position) -> Option<G::Position> {
        self.context.policy.null_move()?.null_move(position)
    }
    fn null_move_reduction(&self, depth: Depth, above_beta: Score) -> Depth {
        self.context.policy.null_move().map_or(0, |null_move| null_move.reduction(depth, above_beta))
    }
    fn null_move_min_depth(&self) -> Depth {
        self.context.policy.null_move().map_or(Depth::MAX, NullMove::min_depth)
    }
    fn probcut_tests(&self, position: &G::Position, depth: Depth) -> Vec<ProbCutTest> {
        let Some(probcut) = self.context.policy.probcut() else { return Vec::new() };
        probcut.tests(position, depth, Selectivity::PLAY).collect()
    }
}
