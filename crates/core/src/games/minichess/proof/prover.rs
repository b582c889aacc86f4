//! Alpha-beta of win or no win over all moves, by iterative deepening: what earlier iterations found orders and cuts the
//! next ones (docs/experiments/minichess.md compares it with proof-number search).
//!
//! Nearly every first move of the defender holds, so the size of a refutation is that of the attacker's moves: the defender
//! tries first what leaves the attacker the fewest, and what leads to positions that other lines reach, too.

use super::super::board::{Board, Move, Piece};
use super::super::movegen::{MAX_MOVES, all_moves, count_moves};
use super::super::rules::MiniChess;
use super::super::see::capture_gain;
use super::super::tables::EndgameTables;
use super::defence::{Answers, THREE_PLIES};
use super::fact_file::{self, FactsError};
use super::fact_table::FactTable;
use super::facts::Facts;
use super::question::Question;
use crate::search::game::Game;
use crate::search::limits::Stop;
use arrayvec::ArrayVec;
use flipside_support::memory::MemoryError;
use flipside_support::thread_pool;
use std::cmp::Reverse;
use std::io::{self, Read, Write};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LockResult, Mutex, PoisonError};

/// Positions between two looks at the stop flag.
const POLL: u64 = 1 << 10;
/// Threads share questions of at least this many plies.
const SHARED: u8 = 8;
/// Order of checks and captures before the history of quiet moves.
const CHECK: u32 = 1 << 29;
const CAPTURE: u32 = 1 << 30;
/// The history stays below checks.
const MAX_HISTORY: u32 = 1 << 28;

/// A prover with its table.
pub struct Prover {
    facts: FactTable,
    tables: Option<Arc<EndgameTables>>,
    /// For each thread and code of a move, how often and how far from the end it was the one that decides.
    histories: Vec<Mutex<Vec<u32>>>,
    nodes: u64,
}

/// A thread's search for the answer to a question. Threads share the table: what one finds, the others need not search.
struct Search<'a> {
    facts: &'a FactTable,
    tables: Option<&'a EndgameTables>,
    history: &'a mut [u32],
    /// The number of the thread: each takes the attacker's moves in another order.
    thread: usize,
    has_others: bool,
    nodes: u64,
    /// Entries of the table that are used but not counted yet.
    uncounted: usize,
    /// The search gives up at this many positions.
    limit: u64,
    stop: &'a Stop,
    /// Another thread has ended.
    is_over: &'a AtomicBool,
}

#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    question: Question,
    facts: Facts,
}

impl Prover {
    /// A prover of this many threads with a table of at most this many MiB and these endgame tables. With one thread the
    /// same question takes the same positions each time.
    ///
    /// # Errors
    /// The machine has less memory.
    pub fn new(mebibytes: usize, threads: usize, tables: Option<Arc<EndgameTables>>) -> Result<Prover, MemoryError> {
        let histories = (0..threads.max(1)).map(|_| Mutex::new(vec![0; MiniChess::MOVE_CODES])).collect();
        Ok(Prover { facts: FactTable::new(mebibytes)?, tables, histories, nodes: 0 })
    }

    /// Forgets earlier positions.
    pub fn clear(&mut self) {
        self.facts.clear();
        self.histories.iter_mut().for_each(|history| unpoisoned(history.get_mut()).fill(0));
        self.nodes = 0;
    }

    /// Positions searched since [`clear`](Self::clear), by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Writes what it knows, for [`load`](Self::load).
    ///
    /// # Errors
    /// The error of `out`.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        fact_file::write(&self.facts, self.nodes, out)
    }

    /// Reads what a prover knew, in place of what this one knows. A proof that was interrupted goes on from there, and
    /// [`nodes`](Self::nodes) counts all its positions.
    ///
    /// # Errors
    /// The file cannot be read, is another one, or needs a larger table.
    pub fn load(&mut self, input: &mut dyn Read) -> Result<(), FactsError> {
        self.clear();
        self.nodes = fact_file::read(&mut self.facts, input)?;
        Ok(())
    }

    /// The endgame tables that it uses.
    pub fn tables(&self) -> Option<&Arc<EndgameTables>> {
        self.tables.as_ref()
    }

    /// What is known of a question.
    pub(super) fn known(&self, question: &Question) -> Facts {
        known(&self.facts, self.tables.as_deref(), question)
    }

    /// The answer to a question by iterative deepening; `None` if stopped, or after `budget` positions of a thread.
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
        let known = self.known(question);
        let facts = self.settle(question, known, budget, stop)?;
        if question.is_shallow() && facts != known {
            // Those who ask look up the distance.
            self.facts.store_alone(question, facts, 1);
        }
        facts.answer(question.plies)
    }

    /// The number of one of these moves after which the answer is `forces`: the first that is known, or else the first that a
    /// search finds; `None` if stopped, or without such a move.
    pub(super) fn first_with(&mut self, moves: &[(Move, Question)], forces: bool, stop: &Stop) -> Option<usize> {
        // Siblings have the same number of plies.
        let are_kept = moves.first().is_some_and(|(_, next)| !next.is_shallow());
        if are_kept {
            moves.iter().for_each(|(_, next)| self.facts.prefetch(next));
            let is_known = |(_, next): &(Move, Question)| self.known(next).answer(next.plies) == Some(forces);
            if let Some(known) = moves.iter().position(is_known) {
                return Some(known);
            }
        }
        let history = unpoisoned(self.histories[0].get_mut());
        let mut by_order: Vec<usize> = (0..moves.len()).collect();
        by_order.sort_by_cached_key(|&index| Reverse(order(history, moves[index].0, &moves[index].1)));
        for index in by_order {
            let next = &moves[index].1;
            let known = if are_kept { self.known(next) } else { next.settled(self.tables.as_deref()) };
            if self.settle(next, known, u64::MAX, stop)?.answer(next.plies) == Some(forces) {
                return Some(index);
            }
        }
        None
    }

    /// Facts that answer a question, from those that are known.
    fn settle(&mut self, question: &Question, known: Facts, budget: u64, stop: &Stop) -> Option<Facts> {
        let limit = self.nodes.saturating_add(budget);
        let mut facts = known;
        while facts.answer(question.plies).is_none() {
            match self.search(question, limit.saturating_sub(self.nodes), stop) {
                Some(found) => facts = found,
                None if self.facts.is_crowded() => self.facts.grow(),
                None => return None,
            }
        }
        Some(facts)
    }

    /// Searches with all threads; `None` if stopped, or if the table should grow.
    fn search(&mut self, question: &Question, budget: u64, stop: &Stop) -> Option<Facts> {
        // Few positions take less time than to wake a thread.
        let threads = if question.plies < SHARED { 1 } else { self.histories.len() };
        let (is_over, nodes, answer) = (AtomicBool::new(false), AtomicU64::new(0), Mutex::new(None));
        let run = |thread: usize| {
            let mut search = Search {
                facts: &self.facts,
                tables: self.tables.as_deref(),
                history: &mut unpoisoned(self.histories[thread].lock()),
                thread,
                has_others: threads > 1,
                nodes: 0,
                uncounted: 0,
                limit: budget,
                stop,
                is_over: &is_over,
            };
            let facts = search.search(question);
            search.facts.count(search.uncounted);
            nodes.fetch_add(search.nodes, Ordering::Relaxed);
            if facts.is_some() {
                *unpoisoned(answer.lock()) = facts;
            }
            is_over.store(true, Ordering::Relaxed);
        };
        thread_pool::run(threads, &run, &mut || run(0));
        self.nodes += nodes.into_inner();
        unpoisoned(answer.into_inner())
    }
}

fn unpoisoned<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}

fn known(facts: &FactTable, tables: Option<&EndgameTables>, question: &Question) -> Facts {
    facts.probe(question).unwrap_or_else(|| question.settled(tables))
}

impl Search<'_> {
    /// Searches all moves; `None` if stopped.
    fn search(&mut self, question: &Question) -> Option<Facts> {
        self.nodes += 1;
        if self.nodes >= self.limit || self.nodes.is_multiple_of(POLL) && self.gives_up() {
            return None;
        }
        let before = self.nodes;
        let facts = match question.leads_to_shallow_ones() {
            true => self.search_one_by_one(question)?,
            false => self.search_all(question)?,
        };
        if !question.is_shallow() {
            self.uncounted += usize::from(self.facts.store(question, facts, self.nodes - before + 1));
        }
        Some(facts)
    }

    fn gives_up(&mut self) -> bool {
        self.facts.count(mem::take(&mut self.uncounted));
        self.stop.poll(POLL) || self.is_over.load(Ordering::Relaxed) || self.facts.is_crowded()
    }

    /// Near the leaves: no position after a move is in the table, and nearly any move of the defender holds.
    fn search_one_by_one(&mut self, question: &Question) -> Option<Facts> {
        let attacker_moves = question.attacker_moves();
        let answers =
            Answers::new(&question.board).filter(|_| attacker_moves && question.plies <= THREE_PLIES.hold + 1);
        let mut after: ArrayVec<Facts, MAX_MOVES> = ArrayVec::new();
        let mut moves = all_moves(&question.board);
        if attacker_moves && answers.is_none() {
            // With more plies left, a move that does not win costs more.
            moves.sort_by_cached_key(|&mv| Reverse(order(self.history, mv, &question.after(mv))));
        }
        for &mv in &moves {
            if answers.as_ref().is_some_and(|answers| answers.exist(mv)) {
                after.push(THREE_PLIES);
                continue;
            }
            let next = question.after(mv);
            let mut facts = next.settled(self.tables);
            if facts.answer(next.plies).is_none() {
                facts = self.search(&next)?;
            }
            after.push(facts);
            if facts.answer(next.plies) == Some(attacker_moves) {
                self.reward(mv, question.plies);
                after.push(Facts::NONE);
                break;
            }
        }
        Some(Facts::of_moves(attacker_moves, after.into_iter()))
    }

    fn search_all(&mut self, question: &Question) -> Option<Facts> {
        let attacker_moves = question.attacker_moves();
        let child = |(mv, question)| Child { mv, question, facts: Facts::NONE };
        let mut children: Vec<Child> = question.after_each(&all_moves(&question.board)).map(child).collect();
        children.iter().for_each(|child| self.facts.prefetch(&child.question));
        for child in &mut children {
            child.facts = known(self.facts, self.tables, &child.question);
        }
        let facts_of = |children: &[Child]| Facts::of_moves(attacker_moves, children.iter().map(|child| child.facts));
        // Enhanced transposition cutoff: a move that is known to decide is not searched.
        let facts = facts_of(&children);
        if facts.answer(question.plies).is_some() {
            return Some(facts);
        }
        children.sort_by_cached_key(|child| Reverse(order(self.history, child.mv, &child.question)));
        if attacker_moves && self.thread > 0 && question.plies >= SHARED {
            part_from_others(self.thread, &mut children);
        }
        for child in &mut children {
            if self.has_others && question.plies >= SHARED {
                if let Some(facts) = self.facts.probe(question)
                    && facts.answer(question.plies).is_some()
                {
                    return Some(facts);
                }
                child.facts = child.facts.and(known(self.facts, self.tables, &child.question));
            }
            if child.facts.answer(child.question.plies).is_none() {
                child.facts = self.search(&child.question)?;
                if child.facts.answer(child.question.plies) == Some(attacker_moves) {
                    self.reward(child.mv, question.plies);
                    break;
                }
            }
        }
        Some(facts_of(&children))
    }

    /// A move has decided a question of this many plies.
    fn reward(&mut self, mv: Move, plies: u8) {
        let history = &mut self.history[usize::from(MiniChess.code(mv))];
        *history = (*history + u32::from(plies).pow(2)).min(MAX_HISTORY);
    }
}

/// Moves to try first, with their questions. Of the attacker: captures, the most valuable piece first; checks; those that
/// decided elsewhere. Of the defender: those that cost the least.
fn order(history: &[u32], mv: Move, question: &Question) -> u32 {
    let board = &question.board;
    match capture_gain(mv) {
        _ if mv.side != question.attacker => u32::MAX - cost_of_defence(mv, board),
        0 if board.attacks_king(mv.side) => CHECK,
        0 => history[usize::from(MiniChess.code(mv))],
        gain => CAPTURE + gain as u32,
    }
}

/// Takes the first move first, which may decide, and the others in another order than the other threads do: where the
/// attacker has no win, all moves must be searched, in any order. Each pair of threads begins two fifths of the moves
/// further on, and one of the two goes backwards.
fn part_from_others(thread: usize, children: &mut [Child]) {
    let Some((_, others)) = children.split_first_mut() else { return };
    if !others.is_empty() {
        others.rotate_left((thread / 2 * others.len() * 2 / 5) % others.len());
    }
    if thread % 2 == 1 {
        others.reverse();
    }
}

/// What a move of the defender costs in halves of an attacker's move: the moves that it leaves the attacker, and what was
/// found to take the proofs of the start position to positions that other lines do not reach. `board` is after the move.
pub(super) fn cost_of_defence(mv: Move, board: &Board) -> u32 {
    let of_mover = match mv.arrives {
        Piece::Bishop => 2,
        Piece::Knight | Piece::King => 1,
        Piece::Pawn | Piece::Rook | Piece::Queen => 0,
    };
    2 * moves_against(board, board.attacks_king(mv.side)) + of_mover + u32::from(mv.captured == Some(Piece::Pawn))
}

/// The number of moves of the side to move, in check only those that save its king.
fn moves_against(board: &Board, is_in_check: bool) -> u32 {
    let saves_king = |mv: &&Move| !board.play(**mv).attacks_king(board.to_move().other());
    if is_in_check { all_moves(board).iter().filter(saves_king).count() as u32 } else { count_moves(board) }
}

#[cfg(feature = "threads")]
#[cfg(test)]
mod tests {
    use super::super::verdict::prove;
    use super::*;
    use crate::games::minichess::state_text::read_state;
    use crate::search::limits::Limits;
    use std::time::Duration;

    const STATES: [&str; 4] = [
        "35 W kqbnr/ppppp/...../...../PPPPP/RNBQK",
        "30 W ...../..k../...../...../...../R...K",
        "30 B ..k../...../...../..Q../...../....K",
        "34 B kq.nr/pp.pp/..p../..P../PP.PP/RNBQK",
    ];

    /// Two threads, in pieces that end at any time, find what one does at once; the pieces add up.
    #[test]
    fn proofs_of_threads_and_in_pieces_agree() {
        for state in STATES {
            let board = read_state(state).expect("a position");
            let endless = Stop::new(&Limits::default());
            let mut alone = Prover::new(16, 1, None).expect("memory");
            let outcome = prove(&mut alone, &board, true, &endless).expect("not stopped").outcome;
            let mut two = Prover::new(16, 2, None).expect("memory");
            assert_eq!(prove(&mut two, &board, true, &endless).expect("not stopped").outcome, outcome, "{state}");
            let mut checkpoint = Vec::new();
            Prover::new(1, 1, None).expect("memory").save(&mut checkpoint).expect("a file");
            let mut nodes = 0;
            let found = loop {
                let mut piece = Prover::new(16, 2, None).expect("memory");
                piece.load(&mut &checkpoint[..]).expect("a table");
                assert_eq!(piece.nodes(), nodes, "{state}");
                let proven = prove(&mut piece, &board, true, &Stop::new(&Limits::time(Duration::from_millis(10))));
                nodes = piece.nodes();
                checkpoint.clear();
                piece.save(&mut checkpoint).expect("a file");
                if let Some(verdict) = proven {
                    break verdict.outcome;
                }
            };
            assert_eq!(found, outcome, "{state}");
        }
    }
}
