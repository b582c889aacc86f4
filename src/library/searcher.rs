//! The search behind an engine, with its tables: types end here, one virtual call a search.

use super::analysis::Analysis;
use crate::search::evaluation::Eval;
use crate::search::game::Game;
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::policy::SearchPolicy;
use crate::search::result::{Iteration, SearchParameters};
use crate::search::technique::EndgameSolver;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Certainty, Score};
use crate::search::worker::SearchContext;
use crate::support::memory::MemoryError;
use crate::support::thread_pool;

/// A search with its tables, whatever it is compiled for.
#[doc(hidden)]
pub trait Searcher<B, M>: Send + Sync {
    /// Searches on the calling thread; `report` hears of every finished iteration.
    fn search(
        &self,
        board: &B,
        limits: &Limits,
        threads: usize,
        stop: &Stop,
        report: &mut dyn FnMut(Analysis<M>),
    ) -> Analysis<M>;

    /// Forgets what was searched.
    fn forget(&self);
}

/// The production search with its transposition table.
pub(super) struct TableSearch<G, E, T> {
    pub context: SearchContext<G, E, T>,
    table: TranspositionTable,
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> TableSearch<G, E, T> {
    pub fn new(context: SearchContext<G, E, T>, hash_mib: usize) -> Result<TableSearch<G, E, T>, MemoryError> {
        Ok(TableSearch { context, table: TranspositionTable::new(hash_mib.max(1))? })
    }

    /// The line as far as the game goes on.
    fn line<M: From<G::Move>>(&self, root: &G::Position, moves: &[G::Move]) -> Vec<M> {
        let game = &self.context.game;
        let mut position = root.clone();
        let mut line = Vec::with_capacity(moves.len());
        for &mv in moves {
            if game.outcome(&position).is_some() {
                break;
            }
            position = game.play(&position, mv);
            line.push(M::from(mv));
        }
        line
    }

    fn analysis<M: Copy + From<G::Move>>(&self, root: &G::Position, iteration: &Iteration<G::Move>) -> Analysis<M> {
        let line: Vec<M> = self.line(root, &iteration.pv);
        Analysis {
            best_move: line.first().copied(),
            score: iteration.score,
            certainty: iteration.certainty,
            depth: iteration.depth.unsigned_abs(),
            nodes: iteration.nodes,
            time: iteration.time,
            principal_variation: line,
        }
    }

    /// The value of a position before any iteration: the result of a game that is over, else the static evaluation.
    fn value_without_search(&self, root: &G::Position) -> (Score, Certainty) {
        let SearchContext { game, eval, .. } = &self.context;
        match game.outcome(root) {
            Some(score) => (score, Certainty::Exact),
            None => (eval.static_eval(&eval.refresh(root), root), Certainty::Estimate(100)),
        }
    }
}

impl<B, M, G, E, T> Searcher<B, M> for TableSearch<G, E, T>
where
    B: Clone,
    M: Copy + From<G::Move>,
    G: Game,
    G::Position: From<B>,
    E: Eval<G>,
    T: SearchPolicy<G, E>,
{
    fn search(
        &self,
        board: &B,
        limits: &Limits,
        threads: usize,
        stop: &Stop,
        report: &mut dyn FnMut(Analysis<M>),
    ) -> Analysis<M> {
        let root = G::Position::from(board.clone());
        let threads = thread_pool::useful(threads);
        let parameters = SearchParameters { threads, ..SearchParameters::new(limits.clone()) };
        let result =
            iterative_deepening::search(&self.context, &self.table, &root, &parameters, stop, &mut |iteration| {
                report(self.analysis(&root, &iteration));
            });
        let line: Vec<M> = self.line(&root, &result.pv);
        let (score, certainty, depth) = match &result.best {
            Some(best) => (best.score, best.certainty, best.depth.unsigned_abs()),
            None => {
                let (score, certainty) = self.value_without_search(&root);
                (score, certainty, 0)
            }
        };
        Analysis {
            best_move: line.first().copied(),
            score,
            certainty,
            depth,
            nodes: result.nodes,
            time: result.time,
            principal_variation: line,
        }
    }

    fn forget(&self) {
        self.table.clear();
        if let Some(solver) = self.context.policy.solver() {
            solver.clear();
        }
    }
}
