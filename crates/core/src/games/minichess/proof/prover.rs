//! Alpha-beta of win or no win over all moves, by iterative deepening: what earlier iterations found orders and cuts the
//! next ones (docs/experiments/minichess.md compares it with proof-number search).

use super::super::board::Move;
use super::super::movegen::all_moves;
use super::super::rules::MiniChess;
use super::super::see::capture_gain;
use super::super::tables::EndgameTables;
use super::fact_table::FactTable;
use super::facts::Facts;
use super::question::Question;
use crate::search::game::Game;
use crate::search::limits::Stop;
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
        let known = self.known(question);
        let facts = if known.answer(question.plies).is_some() { known } else { self.search(question, stop)? };
        facts.answer(question.plies)
    }

    /// Searches all moves; `None` if stopped.
    fn search(&mut self, question: &Question, stop: &Stop) -> Option<Facts> {
        self.nodes += 1;
        if self.nodes >= self.limit || self.nodes.is_multiple_of(POLL) && stop.is_raised() {
            return None;
        }
        let before = self.nodes;
        let attacker_moves = question.attacker_moves();
        let mut children: Vec<Child> = Vec::new();
        for mv in all_moves(&question.board) {
            let question = question.after(question.board.play(mv));
            children.push(Child { mv, question, facts: self.known(&question) });
        }
        let facts_of = |children: &[Child]| Facts::of_moves(attacker_moves, children.iter().map(|child| child.facts));
        // Enhanced transposition cutoff: a move that is known to decide is not searched.
        let mut facts = facts_of(&children);
        if facts.answer(question.plies).is_none() {
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
            facts = facts_of(&children);
        }
        self.facts.store(question, facts, self.nodes - before + 1);
        Some(facts)
    }

    /// Moves to try first: captures, the most valuable piece first; checks of the attacker; those that decided elsewhere.
    fn order(&self, child: &Child, attacker_moves: bool) -> u32 {
        let gives_check = attacker_moves && child.question.board.attacks_king(child.mv.side);
        match capture_gain(child.mv) {
            0 if gives_check => CHECK,
            0 => self.history[usize::from(MiniChess.code(child.mv))],
            gain => CAPTURE + gain as u32,
        }
    }
}
