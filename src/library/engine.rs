//! The engine: a game, its search, and its tables.

use super::analysis::Analysis;
use super::builder::EngineBuilder;
#[cfg(feature = "threads")]
use super::iterations::Iterations;
use super::searchable::{self, EngineError, Searchable};
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::searcher::Searcher;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Searches positions of one game and keeps its tables from one search to the next.
///
/// ```
/// use flipside::{Engine, Limits};
/// use flipside::reversi::{Board, Reversi};
///
/// let board: Board = "---------------------------OX------XO--------------------------- X".parse()?;
/// let mut engine = Engine::new(Reversi);
/// let found = engine.search(&board, Limits::depth(8));
/// let best = found.best_move.expect("the game goes on");
/// println!("{best} is worth {:+.2} discs after {} nodes", found.units(), found.nodes);
/// let board = board.play(best)?;
/// assert_eq!(board.disc_count(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Any type that implements [`Game`](flipside_core::search::game::Game) can be searched:
///
/// ```
/// use flipside::{Engine, Limits};
/// use flipside::search::game::Game;
/// use flipside::search::types::{Score, WIN};
///
/// /// Players take one to three counters in turn; the one who takes the last counter wins.
/// struct Nim;
///
/// impl Game for Nim {
///     type Position = u8;
///     type Move = u8;
///     type MoveList<T: Clone> = Vec<T>;
///     fn start(&self) -> u8 { 21 }
///     fn outcome(&self, left: &u8) -> Option<Score> { (*left == 0).then_some(-WIN) }
///     fn moves(&self, left: &u8) -> impl Iterator<Item = u8> { 1..=3.min(*left) }
///     fn play(&self, left: &u8, taken: u8) -> u8 { left - taken }
///     fn key(&self, left: &u8) -> u64 { u64::from(*left).wrapping_mul(0x9e37_79b9_7f4a_7c15) }
///     fn code(&self, taken: u8) -> u16 { u16::from(taken) }
/// }
///
/// let found = Engine::new(Nim).search(&21, Limits::default());
/// assert_eq!(found.best_move, Some(1));
/// assert!(found.win_in().is_some());
/// ```
pub struct Engine<G: Searchable> {
    searcher: Arc<dyn Searcher<G::Rules>>,
    threads: usize,
}

impl<G: Searchable> EngineBuilder<G> {
    /// The engine.
    ///
    /// # Errors
    /// The requested weights or memory cannot be used.
    pub fn build(self) -> Result<Engine<G>, EngineError> {
        let (game, options) = self.into_parts();
        Ok(Engine { searcher: game.open(&options)?, threads: options.threads })
    }
}

impl<G: Searchable> Engine<G> {
    /// An engine with 64 MiB of tables that searches with one thread.
    ///
    /// # Panics
    /// Never for the games of this library: a test reads their built-in weights.
    pub fn new(game: G) -> Engine<G> {
        Engine::builder(game).build().expect("the weights in the library can be used")
    }

    /// A builder for an engine with other settings.
    pub fn builder(game: G) -> EngineBuilder<G> {
        EngineBuilder::new(game)
    }

    pub(super) fn searcher(&self) -> &Arc<dyn Searcher<G::Rules>> {
        &self.searcher
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Searches on the calling thread, within the limits or until the score is final. If no limit ends the search, it
    /// has two seconds; `Limits::time(Duration::MAX)` has no end.
    pub fn search(&mut self, board: &G::Board, limits: Limits) -> Analysis<G::Move> {
        self.search_with(board, limits, |_| ControlFlow::Continue(()))
    }

    /// Like [`Engine::search`], but calls `watch` with every finished iteration; `watch` may end the search.
    ///
    /// ```
    /// use flipside::{Engine, Limits};
    /// use flipside::minichess::{Board, MiniChess};
    /// use std::ops::ControlFlow;
    ///
    /// let mut depths = Vec::new();
    /// let found = Engine::new(MiniChess).search_with(&Board::default(), Limits::default(), |iteration| {
    ///     depths.push(iteration.depth);
    ///     if iteration.depth < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// });
    /// assert_eq!((depths, found.depth), (vec![1, 2, 3, 4, 5], 5));
    /// ```
    pub fn search_with(
        &mut self,
        board: &G::Board,
        limits: Limits,
        mut watch: impl FnMut(&Analysis<G::Move>) -> ControlFlow<()>,
    ) -> Analysis<G::Move> {
        let limits = limits.or_default_time();
        let stop = Stop::new(&limits);
        searchable::search::<G>(&*self.searcher, board, limits, self.threads, &stop, &mut |iteration| {
            if watch(&iteration).is_break() {
                stop.raise();
            }
        })
    }

    /// Searches on another thread, within the same limits as [`Engine::search`]. The iterator yields every finished
    /// iteration and ends with the search.
    ///
    /// ```
    /// use flipside::{Engine, Limits};
    /// use flipside::reversi::{Board, Reversi};
    ///
    /// let mut engine = Engine::new(Reversi);
    /// let mut iterations = engine.iterations(&Board::default(), Limits::default());
    /// let stop = iterations.stop_handle();
    /// for iteration in iterations.by_ref() {
    ///     println!("{iteration}");
    ///     if iteration.depth >= 6 {
    ///         stop.stop();
    ///     }
    /// }
    /// assert!(iterations.finish().best_move.is_some());
    /// ```
    #[cfg(feature = "threads")]
    pub fn iterations(&mut self, board: &G::Board, limits: Limits) -> Iterations<'_, G> {
        Iterations::start(&self.searcher, board, limits, self.threads)
    }

    /// Clears the tables, so that the next search does not depend on earlier ones.
    pub fn clear(&mut self) {
        self.searcher.clear();
    }
}
