//! The techniques that a game may offer to the search, one small trait each. A hook states facts;
//! the search decides.

use super::evaluation::Eval;
use super::game::Game;
use super::limits::{Budget, Stop};
use super::solve::{Probed, Solution, SolveTask};
use super::types::{Depth, INFINITE, Score, Selectivity, UNIT};
use flipside_support::clock::Instant;

/// The depth of a quiescence node, as an [`Observer`] is told it.
pub const QUIESCENCE_DEPTH: Depth = -1;

/// Noisy moves (captures, promotions): quiescence, staged move generation, static exchange evaluation, checks.
pub trait CaptureSearch<G: Game> {
    /// True for moves that quiescence follows and that reductions spare.
    fn is_noisy(&self, position: &G::Position, mv: G::Move) -> bool;
    /// Calls `each` with all noisy moves: returning a list of them cost a tenth of the speed of a
    /// fast search.
    #[inline(always)]
    fn noisy_moves(&self, game: &G, position: &G::Position, each: impl FnMut(G::Move)) {
        game.moves(position).filter(|&mv| self.is_noisy(position, mv)).for_each(each);
    }
    /// Calls `each` with all other moves.
    #[inline(always)]
    fn quiet_moves(&self, game: &G, position: &G::Position, each: impl FnMut(G::Move)) {
        game.moves(position).filter(|&mv| !self.is_noisy(position, mv)).for_each(each);
    }
    /// Calls `each` with the moves that may answer a check; quiescence tries no others. All moves
    /// by default; a game may know the few that answer it (one point of a board of 225 stops a
    /// four).
    #[inline(always)]
    fn evasions(&self, game: &G, position: &G::Position, each: impl FnMut(G::Move)) {
        game.moves(position).for_each(each);
    }
    /// The legal move of this code, if it can be decoded without generating all moves.
    #[inline(always)]
    fn decode_tt_move(&self, _game: &G, _position: &G::Position, _code: u16) -> Option<G::Move> {
        None
    }
    /// Static exchange evaluation: true if the exchanges on the move's square should win at least
    /// `threshold` (hundredths, for the side that moves).
    #[inline(always)]
    fn see_ge(&self, _game: &G, _position: &G::Position, _mv: G::Move, _threshold: Score) -> bool {
        true
    }
    /// The most that a noisy move can gain immediately, in hundredths.
    #[inline(always)]
    fn capture_gain(&self, _position: &G::Position, _mv: G::Move) -> Score {
        INFINITE
    }
    /// True if the side to move is in check, or under a threat that a static evaluation does not
    /// see: no standing pat, no null move, no pruning.
    #[inline(always)]
    fn in_check(&self, _position: &G::Position) -> bool {
        false
    }
    /// True if the opponent is in check after the move; asked where
    /// [`probe_exact`](super::policy::SearchPolicy::probe_exact) of the position before it is
    /// `None`.
    #[inline(always)]
    fn gives_check(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        self.in_check(&game.play(position, mv))
    }
}

/// Null-move pruning (Donninger, "Null move and deep search", 1993).
pub trait NullMove<G: Game> {
    /// The position after a pass, where that is a sound test (no zugzwang in sight).
    fn null_move(&self, position: &G::Position) -> Option<G::Position>;
    /// The null-move reduction in plies for a node of this depth whose static evaluation is above
    /// beta by `above_beta` hundredths: it grows with both.
    #[inline(always)]
    fn reduction(&self, depth: Depth, above_beta: Score) -> Depth {
        3 + depth / 4 + (above_beta / (2 * UNIT)).min(2)
    }
    /// Null moves are tried from this depth on.
    fn min_depth(&self) -> Depth;
}

/// A ProbCut test: a search to `depth` whose value passes `beta + margin - bias` (or falls to `alpha - margin - bias`)
/// stands for the deep one.
#[derive(Clone, Copy, Debug)]
pub struct ProbCutTest {
    /// Depth of the shallow search in plies; 0 if the static evaluation alone decides.
    pub depth: Depth,
    /// Expected deep value minus shallow value, in hundredths.
    pub bias: Score,
    /// Sigma times the confidence of the present selectivity, in hundredths.
    pub margin: Score,
    /// The static evaluation may miss the bound by this much for the shallow search to be worth
    /// its cost.
    pub slack: Score,
}

/// ProbCut (Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995).
pub trait ProbCut<G: Game> {
    /// The tests worth trying at this depth, the best first; the search tries them in turn.
    fn tests(
        &self,
        position: &G::Position,
        depth: Depth,
        selectivity: Selectivity,
    ) -> impl Iterator<Item = ProbCutTest>;
}

/// An exact solver of endgames, which iterative deepening calls at the root.
pub trait EndgameSolver<G: Game, E: Eval<G>> {
    /// Plies to the certain end of the game, counted as [`Game::cost`] does (Reversi: empty
    /// squares). An iteration at least that deep is a solve.
    fn plies_to_end(&self, position: &G::Position) -> Depth;
    /// The value of perfect play (at the budget's selectivity), fail-soft against the window; `None` when the
    /// budget ran out.
    fn solve(
        &self,
        eval: &E,
        accumulator: &E::Accumulator,
        position: &G::Position,
        window: (Score, Score),
        budget: &mut Budget<'_>,
    ) -> Option<Score>;
    /// The best move in the solver's own table, to complete the principal variation of a solve.
    fn best_move(&self, game: &G, position: &G::Position) -> Option<G::Move>;
    /// Time before the first search, until then: the solver may prefault memory that it will need.
    fn prepare(&self, until: Instant);
    /// Begins a search: the entries of the solver's table age.
    fn new_search(&self);
    /// Tries the move first in this position if no search has found a better one.
    fn suggest(&self, _position: &G::Position, _mv: G::Move) {}
    /// Wakes helpers that wait inside [`EndgameSolver::solve`].
    fn wake_helpers(&self) {}
    /// Forgets the last game.
    fn clear(&self);
    /// The solver's search of a root position, if it has one besides [`EndgameSolver::solve`].
    fn root_solver(&self) -> Option<&impl RootSolve<G, E>> {
        None::<&Absent>
    }
}

/// An exact solver that plays a whole position out by itself: selective passes, aspiration windows, a proven line.
pub trait RootSolve<G: Game, E: Eval<G>> {
    /// Plays a position out; `None` if it was stopped.
    fn solve_root(
        &self,
        game: &G,
        eval: &E,
        root: &G::Position,
        task: &SolveTask,
        stop: &Stop,
    ) -> Option<Solution<G::Move>>;
    /// What the solver's tables hold of a position.
    fn probe(&self, game: &G, position: &G::Position) -> Option<Probed<G::Move>>;
}

/// What a game tells the clock.
pub trait ClockHints<G: Game> {
    /// The number of moves that the side to move will still think about in this game.
    fn moves_left(&self, position: &G::Position) -> u32;
    /// The number of moves that it may have to make until the game ends, including those that take
    /// no time.
    fn moves_to_end(&self, position: &G::Position) -> u32 {
        self.moves_left(position)
    }
    /// The share of an even split of the clock for this move, in percent.
    fn time_weight(&self, _position: &G::Position) -> u32 {
        100
    }
}

/// The classes by which people order moves: the textbook's order `rule`. The production search
/// does not use them.
pub trait MoveClasses<G: Game> {
    /// The class of a legal move: the lower, the earlier.
    fn class(&self, position: &G::Position, mv: G::Move) -> u8;
}

/// Watches the production search: each node is entered and left.
pub trait Observer<G: Game> {
    /// A node is entered, `ply` moves from the root, to be searched to this depth; [`QUIESCENCE_DEPTH`] in quiescence.
    fn enter(&self, position: &G::Position, ply: usize, window: (Score, Score), depth: Depth);
    /// The node entered last is left with its value.
    fn leave(&self, value: Score);
    /// Cutoff: the node entered last, and not yet left, prunes this many of its moves.
    fn cutoff(&self, pruned: usize);
}

/// The implementation of a technique that a game does not offer. The type is empty:
/// `None::<&Absent>`.
#[derive(Clone, Copy, Debug)]
pub enum Absent {}

impl<G: Game> CaptureSearch<G> for Absent {
    fn is_noisy(&self, _: &G::Position, _: G::Move) -> bool {
        match *self {}
    }
}

impl<G: Game> NullMove<G> for Absent {
    fn null_move(&self, _: &G::Position) -> Option<G::Position> {
        match *self {}
    }
    fn min_depth(&self) -> Depth {
        match *self {}
    }
}

impl<G: Game> ProbCut<G> for Absent {
    fn tests(&self, _: &G::Position, _: Depth, _: Selectivity) -> impl Iterator<Item = ProbCutTest> {
        std::iter::empty()
    }
}

impl<G: Game, E: Eval<G>> EndgameSolver<G, E> for Absent {
    fn plies_to_end(&self, _: &G::Position) -> Depth {
        match *self {}
    }
    fn solve(
        &self,
        _: &E,
        _: &E::Accumulator,
        _: &G::Position,
        _: (Score, Score),
        _: &mut Budget<'_>,
    ) -> Option<Score> {
        match *self {}
    }
    fn best_move(&self, _: &G, _: &G::Position) -> Option<G::Move> {
        match *self {}
    }
    fn prepare(&self, _: Instant) {
        match *self {}
    }
    fn new_search(&self) {
        match *self {}
    }
    fn clear(&self) {
        match *self {}
    }
}

impl<G: Game, E: Eval<G>> RootSolve<G, E> for Absent {
    fn solve_root(&self, _: &G, _: &E, _: &G::Position, _: &SolveTask, _: &Stop) -> Option<Solution<G::Move>> {
        match *self {}
    }
    fn probe(&self, _: &G, _: &G::Position) -> Option<Probed<G::Move>> {
        match *self {}
    }
}

impl<G: Game> ClockHints<G> for Absent {
    fn moves_left(&self, _: &G::Position) -> u32 {
        match *self {}
    }
}

impl<G: Game> MoveClasses<G> for Absent {
    fn class(&self, _: &G::Position, _: G::Move) -> u8 {
        match *self {}
    }
}

impl<G: Game> Observer<G> for Absent {
    fn enter(&self, _: &G::Position, _: usize, _: (Score, Score), _: Depth) {
        match *self {}
    }
    fn leave(&self, _: Score) {
        match *self {}
    }
    fn cutoff(&self, _: usize) {
        match *self {}
    }
}
