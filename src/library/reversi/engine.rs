//! Reversi behind [`Engine`]: the learned evaluation, ProbCut, and the exact solver.

use super::board::Board;
use super::square::Move;
use crate::library::builder::EngineBuilder;
use crate::library::engine::Engine;
use crate::library::searchable::{EngineError, EngineOptions, Searchable, open_built_in};
use flipside_core::games::reversi::rules::Reversi as Rules;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::searcher::Searcher;
use flipside_core::search::solve::{SolveTask, Wanted};
use flipside_core::search::types::UNIT;
use flipside_support::thread_pool;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The game of Reversi, for [`Engine`]: `Engine::new(Reversi)`.
///
/// The engine is compiled for several processor levels; opening it selects the best level that this processor supports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reversi;

/// The value of perfect play, with a line of best play.
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
    /// Solves the position: its exact score and a line of best play. With 20 empty squares this takes a fraction of a
    /// second, with 26 some seconds; each further square doubles or triples the time, and only
    /// [`Engine::solve_until`] can be ended.
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
        self.solve_until(board, &never).expect("a solve without a stop")
    }

    /// Like `solve`, but another thread can end it by raising `stop`; the result is then `None`.
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
        let task = SolveTask { wanted: Wanted::Line, ..SolveTask::exact(thread_pool::useful(self.threads())) };
        let solution = self.searcher().solve(&(*board).into(), &task, stop)?;
        let principal_variation: Vec<Move> = solution.line.into_iter().map(Move::from).collect();
        Some(Solution {
            best_move: principal_variation.first().copied(),
            score: solution.score / UNIT,
            principal_variation,
            nodes: solution.nodes,
            time: stop.elapsed(),
        })
    }
}

impl EngineBuilder<Reversi> {
    /// Loads the evaluation's weights from a file of `flipside train` instead of the built-in ones.
    pub fn weights(mut self, file: impl AsRef<Path>) -> EngineBuilder<Reversi> {
        self.options_mut().weights = Some(file.as_ref().to_path_buf());
        self
    }
}

impl Searchable for Reversi {
    type Board = Board;
    type Move = Move;
    type Rules = Rules;

    fn open(self, options: &EngineOptions) -> Result<Arc<dyn Searcher<Rules>>, EngineError> {
        open_built_in(&Rules::portable(), options)
    }
}
