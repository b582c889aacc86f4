//! What is believed of a node before, or instead of, its moves: shallow searches, a pass, a look.

use super::game::*;
use super::table::{Entry, Kind};
use super::worker::{Brain, Node, Worker};

/// What a ply may cost where the game is as good as decided.
pub const CUSHION: Score = 3 * UNIT / 4;
/// What a quiet move may gain at the horizon...
const HOPE: Score = 4 * UNIT / 5;
/// ... and for each ply before it.
const HOPE_A_PLY: Score = 5 * UNIT / 8;
/// From this depth on a table's move is compared with the others.
const SINGULAR_FROM: Depth = 7;
/// Others come near if they reach the table's value less so much for each ply...
const NEAR: Score = 3 * UNIT / 100;
/// ... and are far behind if they miss that by so much.
const FAR: Score = 3 * UNIT / 10;

impl<G: Game, E: Eval<G>, T: Tactics<G, E>> Worker<'_, G, E, T> {
    /// ProbCut: the bound that shallow searches make likely enough.
    #[inline(always)]
    pub fn try_probcut(&mut self, node: Node<'_, G, E>, (alpha, beta): (Score, Score), depth: Depth) -> Option<Score> {
        let Brain { eval, tactics, .. } = self.brain;
        let verify = Node { may_guess: false, ..node };
        let guess = eval.score(node.state, node.position);
        for bet in tactics.probcut(node.position, depth, self.budget.selectivity) {
            let high = beta + bet.margin - bet.bias;
            let low = alpha - bet.margin - bet.bias;
            let value =
                |worker: &mut Self, window| if bet.depth == 0 { guess } else { worker.pvs(verify, window, bet.depth) };
            // The search that is more likely to succeed, by the look of the position; the margin is what a
            // static value is allowed to miss.
            if guess >= beta && high < INFINITE / 2 && guess + bet.margin >= high {
                if value(self, (high - 1, high)) >= high && !self.is_out() {
                    return Some(beta);
                }
            } else if guess <= alpha
                && low > -INFINITE / 2
                && guess - bet.margin <= low
                && value(self, (low, low + 1)) <= low
                && !self.is_out()
            {
                return Some(alpha);
            }
            if self.is_out() {
                return None;
            }
        }
        None
    }

    /// Singular extension (Anantharaman, Campbell and Hsu, 1988): a shallow search without the table's move tells
    /// whether any other one comes near its value. If that search cuts, so would the node, whatever it leaves out
    /// ("multi-cut").
    #[inline(always)]
    pub fn compare_others(
        &mut self,
        node: Node<'_, G, E>,
        entry: Entry,
        (alpha, beta): (Score, Score),
        depth: Depth,
    ) -> Others {
        let known = depth >= SINGULAR_FROM && entry.depth >= depth - 3 && entry.kind != Kind::Upper;
        if !known || node.ply >= self.reach || entry.score.abs() >= WIN_BAND {
            return Others::Trail(0);
        }
        let near = entry.score - NEAR * depth;
        let is_pv = beta - alpha > 1;
        let score = self.pvs(Node { excluded: entry.mv, ..node }, (near - 1, near), (depth - 1) / 2);
        match score {
            _ if self.is_out() => Others::Trail(0),
            _ if score < near - FAR && !is_pv => Others::Trail(2),
            _ if score < near => Others::Trail(1),
            _ if near >= beta && !is_pv => Others::Cut(near),
            _ => Others::Trail(0),
        }
    }

    /// Null move: the bound that the side to move reaches without moving.
    #[inline(always)]
    pub fn try_null(&mut self, node: Node<'_, G, E>, look: Score, beta: Score, depth: Depth) -> Option<Score> {
        let Brain { eval, tactics, .. } = self.brain;
        if beta.abs() >= WIN_BAND {
            return None;
        }
        let passed = tactics.null(node.position)?;
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
        (score >= beta && !self.is_out()).then_some(score.min(WIN_BAND - 1))
    }
}

/// What the search without the table's move says of a node.
pub enum Others {
    /// They fall behind: that move deserves so many plies more, or none.
    Trail(Depth),
    /// One of them is good enough, too.
    Cut(Score),
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
