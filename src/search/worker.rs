//! One thread of a search: what it is given, what it shares, what it remembers.

use super::abdada::ParallelState;
use super::evaluation::Eval;
use super::game::Game;
use super::history::{Histories, Reductions};
use super::level::Level;
use super::limits::{Budget, Stop};
use super::policy::SearchPolicy;
use super::transposition_table::{TranspositionTable, score_from_tt};
use super::types::{Depth, MAX_PLY, Score, UNIT};
use arrayvec::ArrayVec;
use std::sync::atomic::AtomicU64;

/// What stays the same for all searches of a room.
pub struct SearchContext<G, E, T> {
    /// The rules.
    pub game: G,
    /// The judgement.
    pub eval: E,
    /// What the search may do.
    pub policy: T,
}

/// A line of play.
pub type Line<M> = ArrayVec<M, MAX_PLY>;

/// A position in the tree with what belongs to it.
pub struct Node<'n, G: Game, E: Eval<G>> {
    /// The position.
    pub position: &'n G::Position,
    /// The evaluation's histories of it.
    pub state: &'n E::Accumulator,
    /// Plies from the root.
    pub ply: usize,
    /// False right after a null move or inside ProbCut's own verification.
    pub allow_pruning: bool,
    /// What [`SearchPolicy::in_check`] says of the position.
    pub in_check: bool,
    /// True where a null window is expected to be cut by one good move; false where all moves will have to be searched,
    /// and on the principal variation.
    pub cut_node: bool,
    /// The code of a move that is left out: what are the others worth?
    pub excluded: Option<u16>,
}

impl<G: Game, E: Eval<G>> Clone for Node<'_, G, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game, E: Eval<G>> Copy for Node<'_, G, E> {}

/// One thread of one search.
pub struct Worker<'a, G: Game, E: Eval<G>, T: SearchPolicy<G, E>> {
    /// Rules, judgement, policy.
    pub context: &'a SearchContext<G, E, T>,
    /// Shared with the other threads.
    pub table: &'a TranspositionTable,
    /// Nodes and the end.
    pub budget: Budget<'a>,
    /// The other threads.
    pub parallel: ParallelState<'a>,
    /// Killers and history.
    pub histories: Histories,
    /// Deepest ply of the present iteration.
    pub seldepth: usize,
    /// What a drawn game is worth to the side to move at the root: less than any win, more than any
    /// loss, within a unit of zero.
    pub draw: Score,
    /// Plies up to which positions may be searched deeper than the iteration asks.
    pub max_extension_ply: usize,
    /// [`SearchPolicy::piece_to`] of the move made at each ply; 0 for none.
    pub piece_to_path: [usize; MAX_PLY + 1],
    /// The judgement of the position at each ply, where it was asked for.
    pub(super) static_evals: [Score; MAX_PLY + 1],
    /// Plies less for late moves.
    pub(super) reductions: &'static Reductions,
    /// The principal variation below each ply.
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
        let pv_table = (0..=MAX_PLY).map(|_| Line::new()).collect();
        let budget = Budget::new(stop, nodes);
        Worker {
            context,
            table,
            budget,
            parallel: ParallelState::none(),
            histories: Histories::new(T::CONTINUATION),
            seldepth: 0,
            draw: 0,
            max_extension_ply: MAX_PLY,
            piece_to_path: [0; MAX_PLY + 1],
            static_evals: [0; MAX_PLY + 1],
            reductions: Reductions::shared(),
            pv_table,
        }
    }

    /// The principal variation below `ply`, as far as the last full-window search knows it.
    pub fn line(&self, ply: usize) -> &Line<G::Move> {
        &self.pv_table[ply]
    }

    /// The value of a node within the window, fail-soft; meaningless once the budget is out.
    #[inline(always)]
    pub fn pvs(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> Score {
        self.context.policy.enter(node.position, node.ply, window, depth);
        // SAFETY: a room that opens policy of a level has checked that the processor has it.
        let value = unsafe { T::Level::pvs(self, node, window, depth) };
        self.context.policy.leave(value);
        value
    }

    /// The value of a game that is over at this ply, for the side to move there.
    #[inline(always)]
    pub fn terminal_score(&self, score: Score, ply: usize) -> Score {
        match score {
            0 if ply.is_multiple_of(2) => self.draw,
            0 => -self.draw,
            _ => score_from_tt(score, ply),
        }
    }

    /// Exact play to the end. Where a draw is worth something, a bound within a unit of zero is moved
    /// out of the way: solvers count in whole units and do not know what a draw is worth.
    #[inline(always)]
    pub fn solve(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score)) -> Score {
        let SearchContext { eval, policy, .. } = self.context;
        let moved = |bound: Score, away| if self.draw != 0 && bound.abs() < UNIT { away } else { bound };
        let window = (moved(alpha, -UNIT), moved(beta, UNIT));
        let score = policy.solve(eval, node.state, node.position, window, &mut self.budget);
        score.map_or(0, |score| if score == 0 { self.terminal_score(0, node.ply) } else { score })
    }

    /// False where a move is left out, so that the node's value is not the position's.
    #[inline(always)]
    pub fn has_no_exclusion(&self, node: Node<'_, G, E>) -> bool {
        !T::SINGULAR || node.excluded.is_none()
    }

    /// True if what is being searched no longer matters or must end.
    #[inline(always)]
    pub fn is_out(&self) -> bool {
        self.budget.is_stopped() || self.parallel.ancestor_cutoff.is_some()
    }

    /// The piece_to_path of the last move and of the one before it.
    #[inline(always)]
    pub fn previous_piece_to(&self, ply: usize) -> [usize; 2] {
        match ply {
            0 => [0, 0],
            1 => [self.piece_to_path[0], 0],
            _ => [self.piece_to_path[ply - 1], self.piece_to_path[ply - 2]],
        }
    }

    /// The line of `ply` becomes this move and the line below it.
    pub fn update_pv(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.pv_table.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity().min(lower[0].len());
        line.extend(lower[0][..room].iter().copied());
    }
}
