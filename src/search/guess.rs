//! What is believed of a node before, or instead of, its moves: shallow searches, a pass, a look.

use super::game::*;
use super::pvs::View;
use super::table::{Entry, Kind};
use super::worker::{Brain, Node, Worker};
use std::ops::ControlFlow::{self, Break, Continue};

/// What a ply may cost where the game is as good as decided.
const CUSHION: Score = 3 * UNIT / 4;
/// What a quiet move may gain at the horizon...
const HOPE: Score = 4 * UNIT / 5;
/// ... and for each ply before it.
const HOPE_A_PLY: Score = 5 * UNIT / 8;
/// What a quiet move may gain next to the horizon.
const RAZOR: Score = 8 * UNIT / 5;
/// Up to this depth no quiet move may give away...
pub const GIFTS: Depth = 6;
/// ... more than this for each ply.
pub const GIFT: Score = 2 * UNIT / 5;
/// From this depth on a table's move is compared with the others.
const SINGULAR_FROM: Depth = 7;
/// Others come near if they reach the table's value less so much for each ply...
const NEAR: Score = 3 * UNIT / 100;
/// ... and are far behind if they miss that by so much.
const FAR: Score = 3 * UNIT / 10;

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'_, G, E, T> {
    /// The value of a node that need not be searched, by all that is believed.
    #[inline(always)]
    pub fn guess(&mut self, node: Node<'_, G, E>, view: &View) -> ControlFlow<Score> {
        if view.is_pv {
            return Continue(());
        }
        if T::PRUNING && self.is_whole(node) && !node.threatened && self.brain.tactics.uses(Trick::Pruning) {
            self.try_reverse_futility(view)?;
            self.try_razoring(node, view)?;
        }
        if T::PROBCUT && node.may_guess && self.budget.selectivity < Selectivity::EXACT {
            self.try_probcut(node, view)?;
        }
        if T::NULL_MOVE && node.may_guess && self.is_whole(node) && !node.threatened {
            self.try_null(node, view)?;
        }
        Continue(())
    }

    /// Reverse futility: near the horizon nothing will undo so large an advantage.
    #[inline(always)]
    fn try_reverse_futility(&self, view: &View) -> ControlFlow<Score> {
        let View { depth, beta, look, .. } = *view;
        let safe = look - CUSHION * (depth - Depth::from(view.improving)) >= beta;
        if depth <= 7 && beta.abs() < WIN_BAND && look < WIN_BAND && safe {
            Break((look + beta) / 2)
        } else {
            Continue(())
        }
    }

    /// Razoring: next to the horizon, what is this far behind is left to quiescence.
    #[inline(always)]
    fn try_razoring(&mut self, node: Node<'_, G, E>, view: &View) -> ControlFlow<Score> {
        let View { depth, alpha, look, .. } = *view;
        if T::QUIESCENCE
            && depth <= 2
            && alpha.abs() < WIN_BAND
            && look + RAZOR * depth <= alpha
            && self.brain.tactics.uses(Trick::Quiescence)
        {
            let score = self.quiesce(node, (alpha, alpha + 1));
            if score <= alpha {
                return Break(score);
            }
        }
        Continue(())
    }

    /// ProbCut: the bound that shallow searches make likely enough.
    #[inline(always)]
    fn try_probcut(&mut self, node: Node<'_, G, E>, view: &View) -> ControlFlow<Score> {
        let View { depth, alpha, beta, .. } = *view;
        let Brain { eval, tactics, .. } = self.brain;
        let verify = Node { may_guess: false, ..node };
        let guess = eval.score(node.state, node.position);
        for bet in tactics.probcut(node.position, depth, self.budget.selectivity) {
            let high = beta + bet.margin - bet.bias;
            let low = alpha - bet.margin - bet.bias;
            let value =
                |worker: &mut Self, window| if bet.depth == 0 { guess } else { worker.pvs(verify, window, bet.depth) };
            // The search that is more likely to succeed, by the look of the position.
            if guess >= beta && high < INFINITE / 2 && guess + bet.slack >= high {
                if value(self, (high - 1, high)) >= high && !self.is_out() {
                    return Break(beta);
                }
            } else if guess <= alpha
                && low > -INFINITE / 2
                && guess - bet.slack <= low
                && value(self, (low, low + 1)) <= low
                && !self.is_out()
            {
                return Break(alpha);
            }
            if self.is_out() {
                break;
            }
        }
        Continue(())
    }

    /// Singular extension (Anantharaman, Campbell and Hsu, 1988): a shallow search without the table's move tells
    /// whether any other one comes near its value; if none does, that move deserves more plies. If that search cuts,
    /// so would the node, whatever it leaves out ("multi-cut").
    #[inline(always)]
    pub fn singular(&mut self, node: Node<'_, G, E>, view: &View) -> ControlFlow<Score, Depth> {
        let View { depth, beta, is_pv, .. } = *view;
        let Some(entry) = view.known.filter(|_| T::SINGULAR && self.is_whole(node) && view.table_move.is_some()) else {
            return Continue(0);
        };
        let known = depth >= SINGULAR_FROM && entry.depth >= depth - 3 && entry.kind != Kind::Upper;
        if !known
            || node.ply >= self.reach
            || entry.score.abs() >= WIN_BAND
            || !self.brain.tactics.uses(Trick::Singular)
        {
            return Continue(0);
        }
        let near = entry.score - NEAR * depth;
        let score = self.pvs(Node { excluded: entry.mv, ..node }, (near - 1, near), (depth - 1) / 2);
        match score {
            _ if self.is_out() => Continue(0),
            _ if score < near - FAR && !is_pv => Continue(2),
            _ if score < near => Continue(1),
            _ if near >= beta && !is_pv => Break(near),
            _ => Continue(0),
        }
    }

    /// Null move: the bound that the side to move reaches without moving.
    #[inline(always)]
    fn try_null(&mut self, node: Node<'_, G, E>, view: &View) -> ControlFlow<Score> {
        let Brain { eval, tactics, .. } = self.brain;
        let View { depth, beta, look, .. } = *view;
        if depth < 3 || look < beta || beta.abs() >= WIN_BAND || !tactics.uses(Trick::NullMove) {
            return Continue(());
        }
        let Some(passed) = tactics.null(node.position) else { return Continue(()) };
        let state = eval.pass(node.state, &passed);
        let below = Node {
            position: &passed,
            state: &state,
            ply: node.ply + 1,
            may_guess: false,
            threatened: false,
            expects_cut: !node.expects_cut,
            excluded: None,
        };
        self.themes[node.ply] = 0;
        let less = 3 + depth / 4 + ((look - beta) / (2 * UNIT)).min(2);
        let score = -self.pvs(below, (-beta, 1 - beta), depth - less);
        if score >= beta && !self.is_out() { Break(score.min(WIN_BAND - 1)) } else { Continue(()) }
    }
}

/// A judgement with what the table knows about the position.
#[inline(always)]
pub fn sharpened(judgement: Score, entry: Entry) -> Score {
    let better = match entry.kind {
        Kind::Exact => true,
        Kind::Lower => entry.score > judgement,
        Kind::Upper => entry.score < judgement,
    };
    if better && entry.score.abs() < WIN_BAND { entry.score } else { judgement }
}

/// True for a move near the horizon that will not raise a judgement by `missing`.
#[inline(always)]
pub fn hopeless(quiet: bool, depth: Depth, index: usize, rank: i32, improving: bool, missing: Score) -> bool {
    if !quiet {
        return rank < 0 && depth <= 3;
    }
    let enough = (4 + depth * depth * 13 / 10) >> i32::from(!improving);
    depth <= 6 && (index as Depth > enough || missing >= HOPE + HOPE_A_PLY * depth)
}
