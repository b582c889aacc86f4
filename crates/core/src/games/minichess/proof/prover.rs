//! Alpha-beta of win or no win over all moves, by iterative deepening: what earlier iterations found orders and cuts the
//! next ones (docs/experiments/minichess.md compares it with proof-number search).
//!
//! Nearly every first move of the defender holds, so the size of a refutation is that of the attacker's moves: the defender
//! tries first what leaves the attacker the fewest.

use super::super::board::{Board, Move};
use super::super::movegen::{MAX_MOVES, all_moves};
use super::super::rules::MiniChess;
use super::super::see::capture_gain;
use super::super::tables::EndgameTables;
use super::defence::{Answers, THREE_PLIES};
use super::fact_table::FactTable;
use super::facts::Facts;
use super::question::Question;
use crate::search::game::Game;
use crate::search::limits::Stop;
use arrayvec::ArrayVec;
use flipside_support::memory::MemoryError;
use std::cmp::Reverse;
use std::sync::Arc;

/// Positions between two looks at the stop flag.
const POLL: u64 = 1 << 10;
/// Order of checks and captures before the history of quiet moves.
const CHECK: u32 = 1 << 29;
const CAPTURE: u32 = 1 << 30;
/// The history stays below checks.
const MAX_HISTORY: u32 = 1 << 28;

/// A prover with its table.
pub struct Prover {
    facts: FactTable,
    tables: Option<Arc<EndgameTables>>,
    /// For each code of a move, how often and how far from the end it was the one that decides.
    history: Vec<u32>,
    nodes: u64,
    /// The search gives up at this many positions.
    limit: u64,
}

#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    question: Question,
    facts: Facts,
}

impl Prover {
    /// A prover with a table of at most this many MiB and these endgame tables.
    ///
    /// # Errors
    /// The machine has less memory.
    pub fn new(mebibytes: usize, tables: Option<Arc<EndgameTables>>) -> Result<Prover, MemoryError> {
        let history = vec![0; MiniChess::MOVE_CODES];
        Ok(Prover { facts: FactTable::new(mebibytes)?, tables, history, nodes: 0, limit: u64::MAX })
    }

    /// Forgets earlier positions.
    pub fn clear(&mut self) {
        self.facts.clear();
        self.history.fill(0);
        self.nodes = 0;
    }

    /// Positions searched since [`clear`](Self::clear).
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn tables(&self) -> Option<&EndgameTables> {
        self.tables.as_deref()
    }

    /// What is known of a question.
    pub(super) fn known(&self, question: &Question) -> Facts {
        self.facts.probe(question).unwrap_or_else(|| question.settled(self.tables()))
    }

    /// The answer to a question by iterative deepening; `None` if stopped, or after `budget` positions.
    pub(super) fn answer(&mut self, question: &Question, budget: u64, stop: &Stop) -> Option<bool> {
        for plies in 1..=question.plies {
            let shorter = Question { plies, ..*question };
            if self.answer_at_once(&shorter, budget, stop)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The answer without iterations: it finds a win that is not the shortest.
    pub(super) fn answer_at_once(&mut self, question: &Question, budget: u64, stop: &Stop) -> Option<bool> {
        self.limit = self.nodes.saturating_add(budget);
        let mut facts = self.known(question);
        if facts.answer(question.plies).is_none() {
            facts = self.search(question, stop)?;
            if question.is_shallow() {
                // Those who ask look up the distance.
                self.facts.store(question, facts, 1);
            }
        }
        facts.answer(question.plies)
    }

    /// Searches all moves; `None` if stopped.
    fn search(&mut self, question: &Question, stop: &Stop) -> Option<Facts> {
        self.nodes += 1;
        if self.nodes >= self.limit || self.nodes.is_multiple_of(POLL) && stop.is_raised() {
            return None;
        }
        let before = self.nodes;
        let facts = match question.leads_to_shallow_ones() {
            true => self.search_one_by_one(question, stop)?,
            false => self.search_all(question, stop)?,
        };
        if !question.is_shallow() {
            self.facts.store(question, facts, self.nodes - before + 1);
        }
        Some(facts)
    }

    /// Near the leaves: no position after a move is in the table, and nearly any move of the defender holds.
    fn search_one_by_one(&mut self, question: &Question, stop: &Stop) -> Option<Facts> {
        let attacker_moves = question.attacker_moves();
        let answers = if attacker_moves { Answers::new(&question.board) } else { None };
        let mut after: ArrayVec<Facts, MAX_MOVES> = ArrayVec::new();
        for mv in all_moves(&question.board) {
            if answers.as_ref().is_some_and(|answers| answers.exist(mv)) {
                after.push(THREE_PLIES);
                continue;
            }
            let next = question.after(question.board.play(mv));
            let mut facts = next.settled(self.tables());
            if facts.answer(next.plies).is_none() {
                facts = self.search(&next, stop)?;
            }
            after.push(facts);
            if facts.answer(next.plies) == Some(attacker_moves) {
                after.push(Facts::NONE);
                break;
            }
        }
        Some(Facts::of_moves(attacker_moves, after.into_iter()))
    }

    fn search_all(&mut self, question: &Question, stop: &Stop) -> Option<Facts> {
        let attacker_moves = question.attacker_moves();
        let after = |mv: Move| Child { mv, question: question.after(question.board.play(mv)), facts: Facts::NONE };
        let mut children: Vec<Child> = all_moves(&question.board).into_iter().map(after).collect();
        children.iter().for_each(|child| self.facts.prefetch(&child.question));
        for child in &mut children {
            child.facts = self.known(&child.question);
        }
        let facts_of = |children: &[Child]| Facts::of_moves(attacker_moves, children.iter().map(|child| child.facts));
        // Enhanced transposition cutoff: a move that is known to decide is not searched.
        let facts = facts_of(&children);
        if facts.answer(question.plies).is_some() {
            return Some(facts);
        }
        children.sort_by_cached_key(|child| Reverse(self.order(child, attacker_moves)));
        for child in &mut children {
            if child.facts.answer(child.question.plies).is_none() {
                child.facts = self.search(&child.question, stop)?;
                if child.facts.answer(child.question.plies) == Some(attacker_moves) {
                    let history = &mut self.history[usize::from(MiniChess.code(child.mv))];
                    *history = (*history + u32::from(question.plies).pow(2)).min(MAX_HISTORY);
                    break;
                }
            }
        }
        Some(facts_of(&children))
    }

    /// Moves to try first. Of the attacker: captures, the most valuable piece first; checks; those that decided elsewhere.
    /// Of the defender: those that leave the attacker the fewest moves.
    fn order(&self, child: &Child, attacker_moves: bool) -> u32 {
        let board = &child.question.board;
        let gives_check = board.attacks_king(child.mv.side);
        match capture_gain(child.mv) {
            _ if !attacker_moves => u32::MAX - moves_against(board, gives_check),
            0 if gives_check => CHECK,
            0 => self.history[usize::from(MiniChess.code(child.mv))],
            gain => CAPTURE + gain as u32,
        }
    }
}

/// The number of moves of the side to move, in check only those that save its king.
fn moves_against(board: &Board, is_in_check: bool) -> u32 {
    let moves = all_moves(board);
    let saves_king = |mv: &&Move| !board.play(**mv).attacks_king(board.to_move().other());
    if is_in_check { moves.iter().filter(saves_king).count() as u32 } else { moves.len() as u32 }
}
