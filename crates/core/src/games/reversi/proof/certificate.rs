//! Proofs as plain claims, and their check by the rules alone.
//!
//! A claim says that a position is worth at least or at most a score. It follows from one move
//! ("at least") or from all legal moves ("at most") and the claims about them, from the final
//! discs, or from a solve of the position. The check uses neither the search nor the fast kernels.

use super::bounds::Bounds;
use super::tree::{Below, ProofTree};
use crate::games::certificate::{self, CertificateError};
use crate::games::reversi::board::{Board, PASS, Placement};
use crate::games::reversi::kernels::portable;
use crate::games::reversi::obf;
use crate::games::reversi::symmetry::Symmetry;
use std::collections::{HashMap, HashSet};

/// The side of the value that a claim bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The value is at least the claim's score.
    AtLeast,
    /// The value is at most the claim's score.
    AtMost,
}

impl Side {
    /// The same side as the opponent sees it.
    pub fn reversed(self) -> Side {
        match self {
            Side::AtLeast => Side::AtMost,
            Side::AtMost => Side::AtLeast,
        }
    }
}

/// Why a claim is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The game is over.
    Over,
    /// A solve of the position.
    Solved,
    /// These moves, each with the index of the claim about the position after it.
    Moves(Vec<(u8, usize)>),
}

/// A bound of a position's value in discs for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position, seen by the side to move.
    pub board: Board,
    /// Lower or upper bound.
    pub side: Side,
    /// The bound.
    pub score: i32,
    /// Why it holds.
    pub reason: Reason,
}

impl Claim {
    /// Whether the claim holds for every position, so that nothing needs solving.
    fn says_nothing(&self) -> bool {
        match self.side {
            Side::AtLeast => self.score <= Bounds::UNKNOWN.lower,
            Side::AtMost => self.score >= Bounds::UNKNOWN.upper,
        }
    }
}

/// The claims that together prove these bounds of the root, each before those that it rests on.
/// `None` if the tree does not prove them.
pub fn claims(tree: &ProofTree, roots: &[(Side, i32)]) -> Option<(Vec<Claim>, Vec<usize>)> {
    let mut collector = Collector { tree, order: Vec::new(), known: HashSet::new() };
    for &(side, score) in roots {
        collector.collect(ProofTree::ROOT, side, score)?;
    }
    let mut order = collector.order;
    // Collected after those that they rest on: reversing puts a claim first.
    order.reverse();
    let index: HashMap<_, _> = order.iter().enumerate().map(|(index, &(key, _))| (key, index)).collect();
    let claim = |&((node, side, score), ref moves): &(Key, Vec<(u8, Key)>)| {
        let board = tree.node(node).board;
        let reason = match tree.node(node).below {
            Below::Over => Reason::Over,
            Below::Leaf | Below::Unexpanded => Reason::Solved,
            Below::Children(_) => Reason::Moves(moves.iter().map(|(square, key)| (*square, index[key])).collect()),
        };
        Claim { board, side, score, reason }
    };
    let list = order.iter().map(claim).collect();
    let root_claims = roots.iter().map(|&(side, score)| index[&(ProofTree::ROOT, side, score)]).collect();
    Some((list, root_claims))
}

/// Node, side and score of a claim.
type Key = (usize, Side, i32);

struct Collector<'a> {
    tree: &'a ProofTree,
    order: Vec<(Key, Vec<(u8, Key)>)>,
    known: HashSet<Key>,
}

impl Collector<'_> {
    /// Collects a claim after all that it rests on.
    fn collect(&mut self, node: usize, side: Side, score: i32) -> Option<()> {
        let key = (node, side, score);
        if self.known.contains(&key) {
            return Some(());
        }
        let bounds = self.tree.node(node).bounds;
        let holds = match side {
            Side::AtLeast => bounds.lower >= score,
            Side::AtMost => bounds.upper <= score,
        };
        if !holds {
            return None;
        }
        let mut moves = Vec::new();
        for child in self.tree.children(node) {
            if side == Side::AtLeast && self.tree.node(child.node).bounds.upper > -score {
                continue;
            }
            self.collect(child.node, side.reversed(), -score)?;
            moves.push((child.square, (child.node, side.reversed(), -score)));
            if side == Side::AtLeast {
                break;
            }
        }
        self.known.insert(key);
        self.order.push((key, moves));
        Some(())
    }
}

/// Checks that every claim follows from those that it names, by the rules alone. Claims that rest
/// on a solve are left to a solver: their indices are returned.
///
/// # Errors
/// The first claim that does not follow.
pub fn check(claims: &[Claim]) -> Result<Vec<usize>, CertificateError> {
    // Before any claim is compared with another one: a score beyond the board may have no negation.
    if let Some((index, claim)) = claims.iter().enumerate().find(|(_, claim)| !Bounds::UNKNOWN.hold(claim.score)) {
        return Err(CertificateError::Score(index, claim.score));
    }
    let mut solved = Vec::new();
    for (index, claim) in claims.iter().enumerate() {
        match &claim.reason {
            Reason::Solved if claim.says_nothing() => {}
            Reason::Solved => solved.push(index),
            Reason::Over => check_result(index, claim)?,
            Reason::Moves(moves) => check_moves(index, claim, moves, claims)?,
        }
    }
    Ok(solved)
}

fn check_result(index: usize, claim: &Claim) -> Result<(), CertificateError> {
    let Board { player, opponent } = claim.board;
    if portable::moves(player, opponent) != 0 || portable::moves(opponent, player) != 0 {
        return Err(CertificateError::Result(index, "the game is not over"));
    }
    let score = claim.board.final_discs();
    let holds = match claim.side {
        Side::AtLeast => score >= claim.score,
        Side::AtMost => score <= claim.score,
    };
    if holds { Ok(()) } else { Err(CertificateError::Result(index, "the game ended otherwise")) }
}

fn check_moves(index: usize, claim: &Claim, moves: &[(u8, usize)], claims: &[Claim]) -> Result<(), CertificateError> {
    let legal = legal_moves(claim.board);
    let mut seen = Vec::new();
    for &(square, next) in moves {
        let name = || obf::square_name(square);
        let mv = legal.iter().find(|mv| mv.square == square);
        let mv = mv.ok_or_else(|| CertificateError::Illegal(index, name()))?;
        let behind = certificate::behind(claims, index, next)?;
        let after = Symmetry::canonical(claim.board.after(*mv)).0;
        if after != Symmetry::canonical(behind.board).0 {
            return Err(CertificateError::OtherPosition(index, name(), next));
        }
        let proves = match claim.side {
            Side::AtLeast => -behind.score >= claim.score,
            Side::AtMost => -behind.score <= claim.score,
        };
        if behind.side != claim.side.reversed() || !proves {
            return Err(CertificateError::TooWeak(index, name(), next));
        }
        seen.push(after);
    }
    if claim.side == Side::AtMost {
        // A move whose position is symmetric to another one's is checked with it.
        let missing = legal.iter().find(|mv| !seen.contains(&Symmetry::canonical(claim.board.after(**mv)).0));
        if let Some(mv) = missing {
            return Err(CertificateError::MissingMove(index, obf::square_name(mv.square)));
        }
    }
    if moves.is_empty() {
        return Err(CertificateError::Result(index, "rests on nothing"));
    }
    Ok(())
}

/// The legal moves by the plain rules; a pass if only the other side can move.
fn legal_moves(board: Board) -> Vec<Placement> {
    let Board { player, opponent } = board;
    let set = portable::moves(player, opponent);
    if set == 0 && portable::moves(opponent, player) != 0 {
        return vec![Placement::PASS];
    }
    let squares = (0..PASS).filter(|square| set >> square & 1 != 0);
    squares.map(|square| Placement { square, flips: portable::flips(player, opponent, u32::from(square)) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One claim about the start, and what its check says.
    fn checked(side: Side, score: i32) -> Result<Vec<usize>, CertificateError> {
        check(&[Claim { board: Board::START, side, score, reason: Reason::Solved }])
    }

    #[test]
    fn scores_end_at_the_board() {
        // What holds of every position is not solved.
        assert_eq!(checked(Side::AtLeast, -64), Ok(vec![]));
        assert_eq!(checked(Side::AtMost, 64), Ok(vec![]));
        assert_eq!(checked(Side::AtMost, -64), Ok(vec![0]));
        assert_eq!(checked(Side::AtLeast, 64), Ok(vec![0]));
        for score in [-65, 65, i32::MIN, i32::MAX] {
            for side in [Side::AtLeast, Side::AtMost] {
                assert_eq!(checked(side, score), Err(CertificateError::Score(0, score)));
            }
        }
    }

    /// Claims that rest on a score without a negation: it wraps, and would prove anything.
    #[test]
    fn a_score_that_has_no_negation_proves_nothing() {
        let mv = legal_moves(Board::START)[0];
        let root =
            Claim { board: Board::START, side: Side::AtLeast, score: -64, reason: Reason::Moves(vec![(mv.square, 1)]) };
        let behind =
            Claim { board: Board::START.after(mv), side: Side::AtMost, score: i32::MIN, reason: Reason::Solved };
        assert_eq!(check(&[root, behind]), Err(CertificateError::Score(1, i32::MIN)));
    }
}
