//! One thread of a search: what it is given, what it shares, what it remembers.

use super::busy::Company;
use super::game::*;
use super::level::Level;
use super::limits::{Budget, Stop};
use super::order::{Memory, Reductions};
use super::table::{Table, to_root};
use arrayvec::ArrayVec;
use std::sync::atomic::AtomicU64;

/// What stays the same for all searches of a room.
pub struct Brain<G, E, T> {
    /// The rules.
    pub game: G,
    /// The judgement.
    pub eval: E,
    /// What the search may do.
    pub tactics: T,
}

/// A line of play.
pub type Line<M> = ArrayVec<M, MAX_PLY>;

/// A position in the tree with what belongs to it.
pub struct Node<'n, G: Game, E: Eval<G>> {
    /// The position.
    pub position: &'n G::Position,
    /// The evaluation's memory of it.
    pub state: &'n E::State,
    /// Plies from the root.
    pub ply: usize,
    /// False right after a null move or inside ProbCut's own verification.
    pub may_guess: bool,
    /// What [`Tactics::threatened`] says of the position.
    pub threatened: bool,
    /// True where a null window is expected to be cut by one good move; false where all moves will have to be searched,
    /// and on the principal variation.
    pub expects_cut: bool,
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
pub struct Worker<'a, G: Game, E: Eval<G>, T: Tactics<G, E>> {
    /// Rules, judgement, tactics.
    pub brain: &'a Brain<G, E, T>,
    /// Shared with the other threads.
    pub table: &'a Table,
    /// Nodes and the end.
    pub budget: Budget<'a>,
    /// The other threads.
    pub company: Company<'a>,
    /// Killers and history.
    pub memory: Memory,
    /// Deepest ply of the present iteration.
    pub selective_depth: usize,
    /// What a drawn game is worth to the side to move at the root: less than any win, more than any
    /// loss, within a unit of zero.
    pub draw: Score,
    /// Plies up to which positions may be searched deeper than the iteration asks.
    pub reach: usize,
    /// [`Tactics::theme`] of the move made at each ply; 0 for none.
    pub themes: [usize; MAX_PLY + 1],
    /// The judgement of the position at each ply, where it was asked for.
    pub(super) judgements: [Score; MAX_PLY + 1],
    /// Plies less for late moves.
    pub(super) reductions: &'static Reductions,
    /// The principal variation below each ply.
    pub(super) lines: Vec<Line<G::Move>>,
}

impl<'a, G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'a, G, E, T> {
    /// A thread's own part of a search.
    pub fn new(brain: &'a Brain<G, E, T>, table: &'a Table, stop: &'a Stop, nodes: &'a AtomicU64) -> Self {
        let lines = (0..=MAX_PLY).map(|_| Line::new()).collect();
        let budget = Budget::new(stop, nodes);
        Worker {
            brain,
            table,
            budget,
            company: Company::none(),
            memory: Memory::new(T::CONTINUATION),
            selective_depth: 0,
            draw: 0,
            reach: MAX_PLY,
            themes: [0; MAX_PLY + 1],
            judgements: [0; MAX_PLY + 1],
            reductions: Reductions::shared(),
            lines,
        }
    }

    /// The principal variation below `ply`, as far as the last full-window search knows it.
    pub fn line(&self, ply: usize) -> &Line<G::Move> {
        &self.lines[ply]
    }

    /// The value of a node within the window, fail-soft; meaningless once the budget is out.
    #[inline(always)]
    pub fn pvs(&mut self, node: Node<'_, G, E>, window: (Score, Score), depth: Depth) -> Score {
        self.brain.tactics.enter(node.position, node.ply, window, depth);
        // SAFETY: a room that opens tactics of a level has checked that the processor has it.
        let value = unsafe { T::Level::pvs(self, node, window, depth) };
        self.brain.tactics.leave(value);
        value
    }

    /// The value of a game that is over at this ply, for the side to move there.
    #[inline(always)]
    pub fn settled(&self, score: Score, ply: usize) -> Score {
        match score {
            0 if ply.is_multiple_of(2) => self.draw,
            0 => -self.draw,
            _ => to_root(score, ply),
        }
    }

    /// Exact play to the end. Where a draw is worth something, a bound within a unit of zero is moved
    /// out of the way: solvers count in whole units and do not know what a draw is worth.
    #[inline(always)]
    pub fn solve(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score)) -> Score {
        let Brain { eval, tactics, .. } = self.brain;
        let moved = |bound: Score, away| if self.draw != 0 && bound.abs() < UNIT { away } else { bound };
        let window = (moved(alpha, -UNIT), moved(beta, UNIT));
        let score = tactics.solve(eval, node.state, node.position, window, &mut self.budget);
        score.map_or(0, |score| if score == 0 { self.settled(0, node.ply) } else { score })
    }

    /// False where a move is left out, so that the node's value is not the position's.
    #[inline(always)]
    pub fn is_whole(&self, node: Node<'_, G, E>) -> bool {
        !T::SINGULAR || node.excluded.is_none()
    }

    /// True if what is being searched no longer matters or must end.
    #[inline(always)]
    pub fn is_out(&self) -> bool {
        self.budget.is_out() || self.company.overtaken.is_some()
    }

    /// The themes of the last move and of the one before it.
    #[inline(always)]
    pub fn themes_before(&self, ply: usize) -> [usize; 2] {
        match ply {
            0 => [0, 0],
            1 => [self.themes[0], 0],
            _ => [self.themes[ply - 1], self.themes[ply - 2]],
        }
    }

    /// The line of `ply` becomes this move and the line below it.
    pub fn extend_line(&mut self, ply: usize, mv: G::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity().min(lower[0].len());
        line.extend(lower[0][..room].iter().copied());
    }
}
