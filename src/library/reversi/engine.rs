//! Reversi behind [`Engine`]: the learned evaluation, ProbCut, and the exact solver.

use super::board::Board;
use super::square::Move;
use crate::games::reversi::evaluation::{ReversiEvaluation, WithEvaluation, with_evaluation};
use crate::games::reversi::policy::ReversiPolicy;
use crate::games::reversi::probcut::ProbCutModel;
use crate::games::reversi::rules::Reversi as Rules;
use crate::games::reversi::solver::level::SolverLevel;
use crate::games::reversi::solver::root::{RootSolver, SolveTask};
use crate::library::builder::EngineBuilder;
use crate::library::engine::Engine;
use crate::library::searchable::{EngineError, EngineOptions, Searchable};
use crate::library::searcher::{Searcher, TableSearch};
use crate::search::evaluation::Eval;
use crate::search::limits::{Limits, Stop};
use crate::search::worker::SearchContext;
use crate::support::thread_pool;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The game of Reversi, to open an [`Engine`] for it: `Engine::new(Reversi)`.
///
/// The engine is compiled for several processor levels; the best that this processor has is chosen when it opens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reversi;

/// The value of perfect play with a line that proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// A best move; `None` only if the game is over.
    pub best_move: Option<Move>,
    /// The final difference in discs for the side to move, empty squares counted for the winner: -64 to 64.
    pub score: i32,
    /// Best play of both sides to the end of the game.
    pub principal_variation: Vec<Move>,
    /// Positions searched, over all threads.
    pub nodes: u64,
    /// Wall time.
    pub time: Duration,
}

impl Engine<Reversi> {
    /// Plays the game out: the exact score of the position and a line of best play. With 20 empty squares it takes a
    /// fraction of a second, with 26 some seconds, and each further square doubles or triples that.
    ///
    /// ```
    /// use flipside::Engine;
    /// use flipside::reversi::{Board, Reversi};
    ///
    /// let board: Board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse()?;
    /// let solution = Engine::new(Reversi).solve(&board);
    /// assert_eq!((solution.score, solution.best_move), (18, Some("g8".parse()?)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&mut self, board: &Board) -> Solution {
        let never = Stop::new(&Limits::default());
        self.solve_until(board, &never).expect("a solve that nobody stops")
    }

    /// The same, which another thread can end by raising `stop`: there is no solution then.
    ///
    /// ```
    /// use flipside::reversi::{Board, Reversi};
    /// use flipside::search::limits::Stop;
    /// use flipside::{Engine, Limits};
    ///
    /// let stop = Stop::new(&Limits::default());
    /// stop.raise();
    /// assert_eq!(Engine::new(Reversi).solve_until(&Board::default(), &stop), None);
    /// ```
    pub fn solve_until(&mut self, board: &Board, stop: &Stop) -> Option<Solution> {
        self.searcher().solve(*board, self.threads(), stop)
    }
}

impl EngineBuilder<Reversi> {
    /// Loads the weights of the evaluation from a file that `flipside train` made, instead of those in the library.
    pub fn weights(mut self, file: impl AsRef<Path>) -> EngineBuilder<Reversi> {
        self.options_mut().weights = Some(file.as_ref().to_path_buf());
        self
    }
}

impl Searchable for Reversi {
    type Board = Board;
    type Move = Move;
    type Searcher = dyn ReversiSearcher;

    fn open(self, options: &EngineOptions) -> Result<Arc<dyn ReversiSearcher>, EngineError> {
        let evaluation = ReversiEvaluation::open("default", options.weights.as_deref()).map_err(|error| {
            let file = options.weights.clone().unwrap_or_default();
            EngineError::Weights { file, reason: error.to_string() }
        })?;
        with_evaluation(&evaluation, Open { hash_mib: options.hash_mib })
    }
}

/// A search that can also play a game out.
#[doc(hidden)]
pub trait ReversiSearcher: Searcher<Board, Move> {
    /// The exact value of a position; `None` if the solve was stopped.
    fn solve(&self, board: Board, threads: usize, stop: &Stop) -> Option<Solution>;
}

/// Opens the search for the processor's level.
struct Open {
    hash_mib: usize,
}

impl WithEvaluation for Open {
    type Output = Result<Arc<dyn ReversiSearcher>, EngineError>;

    fn run<K: SolverLevel, E: Eval<Rules<K>> + Clone>(
        self,
        game: Rules<K>,
        eval: E,
        probcut_model: Option<&ProbCutModel>,
    ) -> Self::Output {
        // Half for the search's table, half for that of the solver.
        let half = (self.hash_mib / 2).max(1);
        let policy = ReversiPolicy::with_probcut(&game, half, probcut_model)?;
        Ok(Arc::new(TableSearch::new(SearchContext { game, eval, policy }, half)?))
    }
}

impl<K: SolverLevel, E: Eval<Rules<K>>> ReversiSearcher for TableSearch<Rules<K>, E, ReversiPolicy<K>> {
    fn solve(&self, board: Board, threads: usize, stop: &Stop) -> Option<Solution> {
        let solver = &*self.context.policy.endgame_solver();
        let nodes = AtomicU64::new(0);
        let context = &self.context;
        let task = SolveTask::exact(thread_pool::useful(threads));
        let root = RootSolver { solver, game: &context.game, eval: &context.eval, stop, nodes: &nodes, task };
        let score = root.score(board.into())?;
        let principal_variation: Vec<Move> =
            root.principal_variation(board.into(), score).into_iter().map(Move::from).collect();
        // A stopped solve has a line that is cut short.
        let is_whole = !stop.is_raised();
        is_whole.then(|| Solution {
            best_move: principal_variation.first().copied(),
            score,
            principal_variation,
            nodes: nodes.load(Ordering::Relaxed),
            time: stop.elapsed(),
        })
    }
}
