//! Certificates: what was proven, as plain claims, and their check by the rules and the endgame tables alone.
//!
//! A claim follows from one legal move, or from all of them, and the claims about the positions after them. Where the game
//! is over, a king can be taken or at most [`BY_RULES`] plies are asked for, it follows from the rules: the check plays the
//! legal moves. Where an endgame table knows the position, it follows from the table.

use super::super::board::{Board, Move, Piece};
use super::super::movegen::all_moves;
use super::super::notation::square_name;
use super::super::rules::MiniChess;
use super::super::tables::{DRAW, EndgameTables};
use super::defence::{Answers, THREE_PLIES, after_best_move, while_it_can_move};
use super::fact_table::numbered;
use super::prover::Prover;
use super::question::Question;
use super::verdict::Outcome;
use crate::games::certificate::{self, CertificateError};
use crate::search::game::Game;
use crate::search::limits::Stop;
use crate::search::notation::{Notation, Style};
use crate::search::types::Side;
use std::collections::HashMap;

/// Claims of at most this many plies need no moves.
pub const BY_RULES: u32 = 5;

/// Why a claim is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The rules alone.
    Rules,
    /// An endgame table.
    Table,
    /// These moves, each with the number of the claim about the position after it.
    Moves(Vec<(String, usize)>),
}

/// Whether a side can force the end of the game in its favour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position.
    pub board: Board,
    /// The side.
    pub attacker: Side,
    /// Within how many plies.
    pub plies: u32,
    /// Whether it can.
    pub forces: bool,
    /// Why.
    pub reason: Reason,
}

impl Claim {
    /// Whether the claim must follow from every move, because the side to move is the one that it speaks against. Else one
    /// move is enough.
    pub(super) fn needs_all_moves(&self) -> bool {
        self.forces != (self.board.to_move() == self.attacker)
    }

    /// Whether this claim about the position after a move proves what `parent` needs of it.
    fn supports(&self, parent: &Claim) -> bool {
        let plies = parent.plies.saturating_sub(1);
        let in_time = if self.forces { self.plies <= plies } else { self.plies >= plies };
        self.attacker == parent.attacker && self.forces == parent.forces && in_time
    }
}

/// What must be claimed of a position to prove its outcome: the attacker, the plies, and whether it forces the end.
pub fn roots(board: &Board, outcome: Outcome) -> Vec<(Side, u32, bool)> {
    let (mover, limit) = (board.to_move(), board.plies_left());
    match outcome {
        Outcome::Draw => vec![(mover, limit, false), (mover.other(), limit, false)],
        Outcome::NoWin { side } => vec![(side, limit, false)],
        Outcome::Win { side, plies, is_shortest } => {
            let no_shorter = (is_shortest && plies > 1).then(|| (side, plies - 1, false));
            [(side, plies, true)].into_iter().chain(no_shorter).collect()
        }
    }
}

/// The claims that prove an outcome, each before those that it rests on, and the numbers of those about the position
/// itself. `None` if stopped.
pub fn claims(prover: &mut Prover, board: &Board, outcome: Outcome, stop: &Stop) -> Option<(Vec<Claim>, Vec<usize>)> {
    let mut collector = Collector { prover, stop, claims: Vec::new(), known: HashMap::new() };
    let mut numbers = Vec::new();
    for (attacker, plies, forces) in roots(board, outcome) {
        numbers.push(collector.collect(&Question::new(board, attacker, plies), forces)?);
    }
    // Collected after those that they rest on: reversing puts a claim first.
    let mut claims = collector.claims;
    claims.reverse();
    let last = claims.len().saturating_sub(1);
    for claim in &mut claims {
        if let Reason::Moves(moves) = &mut claim.reason {
            moves.iter_mut().for_each(|(_, number)| *number = last - *number);
        }
    }
    let numbers = numbers.into_iter().map(|number| last - number).collect();
    Some((claims, numbers))
}

type Known = HashMap<(([u64; 2], u8), u8, bool), usize>;

struct Collector<'a> {
    prover: &'a mut Prover,
    stop: &'a Stop,
    claims: Vec<Claim>,
    known: Known,
}

impl Collector<'_> {
    /// Collects the answer to a question after all that it rests on; returns its number.
    fn collect(&mut self, question: &Question, forces: bool) -> Option<usize> {
        let key = (numbered(&question.board, question.attacker), question.plies, forces);
        if let Some(&number) = self.known.get(&key) {
            return Some(number);
        }
        let Question { board, attacker, plies } = *question;
        let mut claim = Claim { board, attacker, plies: u32::from(plies), forces, reason: Reason::Rules };
        if !rules_decide(&claim, BY_RULES) {
            claim.reason = match self.prover.tables().and_then(|tables| tables.dtm(&board)) {
                Some(_) => Reason::Table,
                None => Reason::Moves(self.moves(question, &claim)?),
            };
        }
        self.claims.push(claim);
        let number = self.claims.len() - 1;
        self.known.insert(key, number);
        Some(number)
    }

    /// The moves that prove a claim: all of them, or one that the table knows, or one that a search finds.
    fn moves(&mut self, question: &Question, claim: &Claim) -> Option<Vec<(String, usize)>> {
        let mut wanted = question.moves();
        if !claim.needs_all_moves() {
            let chosen = self.prover.first_with(&wanted, claim.forces, self.stop)?;
            wanted = vec![wanted[chosen]];
        }
        wanted.into_iter().map(|(mv, next)| Some((move_name(mv), self.collect(&next, claim.forces)?))).collect()
    }
}

fn move_name(mv: Move) -> String {
    format!("{}-{}", square_name(mv.from), square_name(mv.to))
}

/// Whether the rules alone decide a claim: at most this many plies are asked for, the game is over, or a king can be taken.
pub(super) fn rules_decide(claim: &Claim, most: u32) -> bool {
    let (board, mover) = (&claim.board, claim.board.to_move());
    claim.plies <= most
        || MiniChess.outcome(board).is_some()
        || board.attacks_king(mover) && (claim.plies > 0 || mover != claim.attacker)
}

/// Whether a claim that the rules decide holds.
pub(super) fn holds_by_rules(claim: &Claim) -> bool {
    ends(&claim.board, claim.attacker, claim.plies) == claim.forces
}

/// Whether the attacker forces the end of the game in its favour, by a search of all moves. It ends where a king can be taken,
/// or where a defence is seen that holds out. The end for want of moves counts as a ply.
pub(super) fn ends(board: &Board, attacker: Side, plies: u32) -> bool {
    let attacker_moves = board.to_move() == attacker;
    if let Some(score) = MiniChess.outcome(board) {
        let needs_ply = board.all_of(Piece::King).count_ones() == 2;
        return score != 0 && (score > 0) == attacker_moves && (plies > 0 || !needs_ply);
    }
    match board.attacks_king(board.to_move()) {
        true => attacker_moves && plies > 0,
        // The last ply must take the king: the end for want of moves would be one more.
        false if plies <= u32::from(attacker_moves) => false,
        // Only the end for want of moves is left, and the defender keeps a move.
        false if attacker_moves && plies <= u32::from(while_it_can_move(board, attacker.other())) => false,
        false if attacker_moves => {
            let answers = Answers::new(board).filter(|_| plies <= u32::from(THREE_PLIES.hold) + 1);
            let has_answer = |mv| answers.as_ref().is_some_and(|answers| answers.exist(mv));
            all_moves(board).iter().any(|&mv| !has_answer(mv) && ends(&board.play(mv), attacker, plies - 1))
        }
        // There is some move, or the game would be over.
        false if plies <= u32::from(after_best_move(board).hold) => false,
        false => all_moves(board).iter().all(|&mv| ends(&board.play(mv), attacker, plies - 1)),
    }
}

/// Checks that every claim follows from the rules, from the tables, or from the claims that it names. Returns how many rest
/// on the tables.
///
/// # Errors
/// The first claim that does not follow.
pub fn check(claims: &[Claim], tables: Option<&EndgameTables>) -> Result<usize, CertificateError> {
    let mut by_table = 0;
    for (index, claim) in claims.iter().enumerate() {
        match &claim.reason {
            Reason::Rules if rules_decide(claim, BY_RULES) && holds_by_rules(claim) => {}
            Reason::Rules => return Err(CertificateError::Rules(index)),
            Reason::Table => {
                let tables = tables.ok_or(CertificateError::NoTables(index))?;
                if !follows_from_table(claim, tables) {
                    return Err(CertificateError::Table(index));
                }
                by_table += 1;
            }
            Reason::Moves(moves) => check_moves(index, claim, moves, claims)?,
        }
    }
    Ok(by_table)
}

pub(super) fn follows_from_table(claim: &Claim, tables: &EndgameTables) -> bool {
    let Some(distance) = tables.dtm(&claim.board) else { return false };
    let attacker_wins = distance != DRAW && (distance % 2 == 1) == (claim.board.to_move() == claim.attacker);
    let in_time = u32::from(distance) <= claim.plies.min(claim.board.plies_left());
    (attacker_wins && in_time) == claim.forces
}

fn check_moves(
    index: usize,
    claim: &Claim,
    moves: &[(String, usize)],
    claims: &[Claim],
) -> Result<(), CertificateError> {
    let mut seen = Vec::new();
    for (name, number) in moves {
        let mv = MiniChess.read_move(&claim.board, name, Style::Plain);
        let mv = mv.ok_or_else(|| CertificateError::Illegal(index, name.clone()))?;
        let next = certificate::behind(claims, index, *number)?;
        if next.board != claim.board.play(mv) {
            return Err(CertificateError::OtherPosition(index, name.clone(), *number));
        }
        if !next.supports(claim) {
            return Err(CertificateError::TooWeak(index, name.clone(), *number));
        }
        seen.push(mv);
    }
    let missing = MiniChess.moves(&claim.board).find(|mv| !seen.contains(mv));
    match missing {
        Some(mv) if claim.needs_all_moves() || seen.is_empty() => {
            Err(CertificateError::MissingMove(index, move_name(mv)))
        }
        // A side without moves has lost, so the rules decide the claim.
        None if seen.is_empty() => Err(CertificateError::Rules(index)),
        // Without a ply nothing is forced, whatever the claims after it say.
        _ if claim.forces && claim.plies == 0 => Err(CertificateError::Rules(index)),
        _ => Ok(()),
    }
}
