//! One thread of a search: its context, what it shares with the others, its killers, histories and
//! principal variations.

use super::abdada::ParallelState;
use super::evaluation::Eval;
use super::game::Game;
use super::history::{Histories, ReductionTable};
use super::level::{Level, Supported};
use super::limits::{Budget, Stop};
use super::node::Node;
use super::policy::SearchPolicy;
use super::technique::{CaptureSearch, EndgameSolver, Observer};
use super::transposition_table::{TranspositionTable, score_from_tt};
use super::types::{Depth, MAX_PLY, Score};
use arrayvec::ArrayVec;
use std::sync::atomic::AtomicU64;

/// What stays the same for all searches of an engine.
pub struct SearchContext<G, E, T> {
    /// The rules.
    pub game: G,
    /// The static evaluation.
    pub eval: E,
    /// The policy of the search.
    pub policy: T,
}

/// A line of play.
pub type Line<M> = ArrayVec<M, MAX_PLY>;

/// One thread of one search.
pub struct Worker<'a, G: Game, E: Eval<G>, T: SearchPolicy<G, E>> {
    /// Rules, evaluation, policy.
    pub context: &'a SearchContext<G, E, T>,
    /// Shared with the other threads.
    pub table: &'a TranspositionTable,
    /// Node count and limits.
    pub budget: Budget<'a>,
    /// The positions that the threads search.
    pub parallel: ParallelState<'a>,
    /// Killers and histories.
    pub histories: Histories,
    /// Deepest ply of the present iteration.
    pub seldepth: usize,
    /// The value of a drawn game for the side to move at the root, in hundredths: between any loss
    /// and any win, within a unit of zero.
    pub draw: Score,
    /// The last ply with extensions.
    pub max_extension_ply: usize,
    /// [`SearchPolicy::piece_to`] of the move made at each ply; 0 for none.
    pub piece_to_path: [usize; MAX_PLY + 1],
    /// The static evaluation of the position at each ply, where it was computed.
    pub(super) static_evals: [Score; MAX_PLY + 1],
    /// The proof that the recursion, compiled for the policy's level, can run on this processor.
    pub(super) _level: Supported<T::Level>,
    /// Late-move reductions.
    pub(super) reductions: Option<&'a ReductionTable>,
    /// Triangular table of principal variations: the one below each ply.
    pub(super) pv_table: Vec<Line<G::Move>>,
}

impl<'a, G: Game, E: Eval<G>, T: SearchPolicy<G, E>> Worker<'a, G, E, T> {
    /// A thread's own part of a search.
    pub fn new(
        context: &'a SearchContext<G, E, T>,
        table: &'a TranspositionTable,
        stop: &'a Stop,
        nodes: &'a AtomicU64,
    ) -> Self {
        Worker {
            context,
            table,
            budget: Budget::new(stop, nodes),
            parallel: ParallelState::none(),
            histories: Histories::new(&T::MARGINS.ordering, G::MOVE_CODES),
            seldepth: 0,
            draw: 0,
            max_extension_ply: MAX_PLY,
            piece_to_path: [0; MAX_PLY + 1],
            static_evals: [0; MAX_PLY + 1],
            _level: context.policy.level(),
            reductions: context.policy.reductions(),
            pv_table: (0..=MAX_PLY).map(|_| Line::new()).collect(),
        }
    }

    /// The principal variation below `ply`, as far as the last full-window search knows it.
    pub fn pv(&self, ply: usize) -> &Line<G::Move> {
        &self.pv_table[ply]
    }

    /// The value of a node within the window, fail-soft; meaningless once the budget is stopped.
    #[inline(always)]
    pub fn pvs(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> Score {
        let observer = self.context.policy.observer();
        if let Some(observer) = observer {
            observer.enter(node.position, node.ply, window, depth);
        }
        // SAFETY: the worker holds the proof that the processor has the level's features.
        let value = unsafe { T::Level::pvs(self, node, window, depth) };
        if let Some(observer) = observer {
            observer.leave(value);
        }
        value
    }

    /// The value for the side to move of a game that is over at this ply.
    #[inline(always)]
    pub fn terminal_score(&self, score: Score, ply: usize) -> Score {
        match score {
            0 if ply.is_multiple_of(2) => self.draw,
            0 => -self.draw,
            _ => score_from_tt(score, ply),
        }
    }

    /// The exact value of a child of the root, by the game's endgame solver. A draw counts 0 here,
    /// whatever it is worth: that matters beside estimates, but does not change the choice between
    /// losses and wins.
    pub(super) fn solve_child(&mut self, node: Node<'_, G, E>, window: (Score, Score)) -> Score {
        let SearchContext { game, eval, policy } = self.context;
        if self.budget.count_node() {
            return 0;
        }
        self.pv_table[node.ply].clear();
        self.seldepth = self.seldepth.max(node.ply);
        if !G::ENDS_WITHOUT_MOVES
            && let Some(score) = game.outcome(node.position)
        {
            return score_from_tt(score, node.ply);
        }
        let Some(solver) = policy.solver() else { return 0 };
        solver.solve(eval, node.accumulator, node.position, window, &mut self.budget).unwrap_or(0)
    }

    /// True for captures and promotions.
    #[inline(always)]
    pub(super) fn is_noisy(&self, position: &G::Position, mv: G::Move) -> bool {
        if let Some(captures) = self.context.policy.captures() { captures.is_noisy(position, mv) } else { false }
    }

    /// True if the side to move is in check.
    #[inline(always)]
    pub(super) fn in_check(&self, position: &G::Position) -> bool {
        if let Some(captures) = self.context.policy.captures() { captures.in_check(position) } else { false }
    }

    /// True where the search excludes a move (singular extension): the node's value is then not
    /// the position's.
    #[inline(always)]
    pub(super) fn has_excluded_move(&self, node: Node<'_, G, E>) -> bool {
        T::MARGINS.singular.is_some() && node.excluded.is_some()
    }

    /// True if the budget is spent or a node above this one has its value from another thread.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.budget.is_stopped() || self.parallel.ancestor_cutoff.is_some()
    }

    /// The piece-to codes of the last move and of the one before it.
    #[inline(always)]
    pub fn previous_piece_to(&self, ply: usize) -> [usize; 2] {
        match ply {
            0 => [0, 0],
            1 => [self.piece_to_path[0], 0],
            _ => [self.piece_to_path[ply - 1], self.piece_to_path[ply - 2]],
        }
    }

    /// Sets the principal variation of `ply` to this move and the one below it.
    pub fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.pv_table.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let length = line.remaining_capacity().min(lower[0].len());
        line.extend(lower[0][..length].iter().copied());
    }
}
