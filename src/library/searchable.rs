//! What an engine needs of a game: its rules, and how it is searched.

use super::searcher::{Searcher, TableSearch};
use crate::search::evaluation::{Eval, ZeroEval};
use crate::search::game::Game;
<<<<<<< HEAD
use crate::search::policy::{NoPolicy, SearchPolicy};
=======
use crate::search::iterative_deepening;
use crate::search::limits::{Limits, Stop};
use crate::search::policy::{NoPolicy, SearchPolicy};
use crate::search::result::{Iteration, SearchParameters};
use crate::search::technique::EndgameSolver;
use crate::search::transposition_table::TranspositionTable;
use crate::search::types::{Certainty, Score};
>>>>>>> bd61763 (Search: the policy is cut by technique, each optional; margins live with their game; solves are made at the root; no game is limited by the search)
use crate::search::worker::SearchContext;
use std::path::PathBuf;
use std::sync::Arc;

/// Why an engine cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The file of weights cannot be used.
    #[error("cannot use the weights {file}: {reason}", file = file.display())]
    Weights {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// What [`EngineBuilder`](super::EngineBuilder) was told.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Threads of one search, at least 1.
    pub(super) threads: usize,
    /// Memory of the tables in MiB.
    pub(super) hash_mib: usize,
    /// Weights to load instead of those in the library.
    pub(super) weights: Option<PathBuf>,
}

/// A game that an [`Engine`](super::Engine) can search: every [`Game`], [`Reversi`](super::reversi::Reversi) and
/// [`MiniChess`](super::minichess::MiniChess). There is no need to implement it: implement [`Game`].
pub trait Searchable: Send + Sync + 'static {
    /// A position.
    type Board: Clone + Send + Sync + 'static;
    /// A move.
    type Move: Copy + Send + Sync + 'static;
    /// The search behind the engine.
    #[doc(hidden)]
    type Searcher: Searcher<Self::Board, Self::Move> + ?Sized;

    /// Makes the search behind an engine.
    #[doc(hidden)]
    fn open(self, options: &EngineOptions) -> Result<Arc<Self::Searcher>, EngineError>;
}

/// A game with an evaluation and a search policy of its own; [`EngineBuilder::evaluation`](super::EngineBuilder::evaluation)
/// makes one.
#[derive(Clone, Debug)]
pub struct CustomGame<G, E, T> {
    pub(super) game: G,
    pub(super) evaluation: E,
    pub(super) policy: T,
}

impl<G: Game> Searchable for G {
    type Board = G::Position;
    type Move = G::Move;
    type Searcher = dyn Searcher<G::Position, G::Move>;

    fn open(self, options: &EngineOptions) -> Result<Arc<Self::Searcher>, EngineError> {
        CustomGame { game: self, evaluation: ZeroEval, policy: NoPolicy }.open(options)
    }
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Searchable for CustomGame<G, E, T> {
    type Board = G::Position;
    type Move = G::Move;
    type Searcher = dyn Searcher<G::Position, G::Move>;

    fn open(self, options: &EngineOptions) -> Result<Arc<Self::Searcher>, EngineError> {
        let CustomGame { game, evaluation, policy } = self;
        Ok(Arc::new(TableSearch::new(SearchContext { game, eval: evaluation, policy }, options.hash_mib)))
    }
}
<<<<<<< HEAD
=======

/// The production search with its transposition table.
pub(super) struct TableSearch<G, E, T> {
    pub context: SearchContext<G, E, T>,
    table: TranspositionTable,
}

impl<G: Game, E: Eval<G>, T: SearchPolicy<G, E>> TableSearch<G, E, T> {
    pub fn new(context: SearchContext<G, E, T>, hash_mib: usize) -> TableSearch<G, E, T> {
        TableSearch { context, table: TranspositionTable::new(hash_mib.max(1)) }
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

    fn analysis<M: Copy + From<G::Move>>(&self, root: &G::Position, report: &Iteration<G::Move>) -> Analysis<M> {
        let line: Vec<M> = self.line(root, &report.pv);
        Analysis {
            best_move: line.first().copied(),
            score: report.score,
            certainty: report.certainty,
            depth: report.depth.unsigned_abs(),
            nodes: report.nodes,
            time: report.time,
            principal_variation: line,
        }
    }

    /// The value of a position before any iteration: the result of a game that is over, else the static evaluation.
    fn value_without_search(&self, root: &G::Position) -> (Score, Certainty) {
        let SearchContext { game, eval, .. } = &self.context;
        match game.outcome(root) {
            Some(score) => (score, Certainty::Exact),
            None => (eval.evaluate(&eval.refresh(root), root), Certainty::Estimate(100)),
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
        let request = SearchParameters { limits: limits.clone(), multipv: 1, only: Vec::new(), threads, draw: 0 };
        let result = iterative_deepening::search(&self.context, &self.table, &root, &request, stop, &mut |iteration| {
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
>>>>>>> bd61763 (Search: the policy is cut by technique, each optional; margins live with their game; solves are made at the root; no game is limited by the search)
