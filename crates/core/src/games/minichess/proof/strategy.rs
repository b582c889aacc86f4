//! Strategies: certificates of one byte a position, for proofs of hundreds of millions of them.
//!
//! A strategy is the moves of the side for which a claim speaks, in the order in which [`check`] walks through the
//! positions: all moves of the other side, one move of its own. A byte is the number of a move among all of a position, in
//! the order of the squares that they leave and reach. The check makes the positions itself, so that the file need
//! not hold them, and remembers those that it has been through, as far as its table has room. Where the rules or an endgame
//! table decide, the walk ends, as in a [certificate of claims](super::certificate); the rules decide [leaves](Leaves)
//! of seven plies, too.

use super::super::board::{Board, Move};
use super::super::movegen::all_moves;
use super::super::state_text::one_line;
use super::super::tables::EndgameTables;
use super::certificate::{Claim, Reason, follows_from_table, roots, rules_decide};
use super::fact_table::FactTable;
use super::leaves::{LEAF_PLIES, Leaf, Leaves};
use super::prover::Prover;
use super::question::Question;
use super::verdict::Outcome;
use crate::search::limits::Stop;
use flipside_support::memory::MemoryError;
use std::io::{self, BufRead, Write};

/// Positions between two looks at the stop flag.
const POLL: u64 = 1 << 10;

/// Why a strategy proves nothing.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The machine has less memory than the walk needs.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The stop flag was raised.
    #[error("stopped")]
    Stopped,
    /// There are fewer moves than the walk needs.
    #[error("the strategy ends after {0} moves")]
    Ends(u64),
    /// There are more.
    #[error("the strategy goes on after move {0}, the last one that is needed")]
    GoesOn(u64),
    /// The position has fewer moves than this one's number.
    #[error("move {0} of the strategy is not legal")]
    NoMove(u64),
    /// After so many moves, the rules or a table decide a position otherwise.
    #[error("after {0} moves of the strategy, it does not hold in {1}")]
    Fails(u64, String),
    /// No game has so many plies left.
    #[error("the position has fewer plies left")]
    TooLong,
}

impl StrategyError {
    fn of(leaf: Leaf) -> StrategyError {
        StrategyError::Fails(leaf.moves, one_line(&leaf.question.board))
    }
}

/// What a walk has been through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Positions, those among them that it came to once more.
    pub positions: u64,
    /// Moves that the strategy names.
    pub moves: u64,
    /// Positions that an endgame table decided.
    pub by_table: u64,
}

/// Writes the strategy that proves an outcome, as [`check`] will read it with a table of as many MiB. `out` should be
/// buffered.
///
/// # Errors
/// The stop flag was raised, `out` reports an error, or the machine has less memory.
pub fn write(
    prover: &mut Prover,
    board: &Board,
    outcome: Outcome,
    mebibytes: usize,
    out: &mut dyn Write,
    stop: &Stop,
) -> Result<Walked, StrategyError> {
    let tables = prover.tables().cloned();
    walk(board, outcome, tables.as_deref(), mebibytes, Writer { prover, out, stop }, stop)
}

/// Walks through all positions that a strategy meets and checks that it proves the outcome, by the rules and these tables,
/// with the memory and the threads of `leaves` for claims of few plies.
///
/// # Errors
/// It does not, the input cannot be read, the stop flag was raised, or the machine has less memory.
pub fn check(
    input: &mut dyn BufRead,
    board: &Board,
    outcome: Outcome,
    tables: Option<&EndgameTables>,
    mebibytes: usize,
    leaves: Leaves,
    stop: &Stop,
) -> Result<Walked, StrategyError> {
    let walked = walk(board, outcome, tables, mebibytes, Reader { input, leaves }, stop)?;
    match input.fill_buf()? {
        [] => Ok(walked),
        _ => Err(StrategyError::GoesOn(walked.moves)),
    }
}

/// Who names the moves of a walk.
trait Guide {
    /// The number of the move to play, from all moves of a position, after which the answer to its question is `forces`;
    /// `named` moves come before it.
    fn choose(&mut self, question: &Question, moves: &[Move], forces: bool, named: u64)
    -> Result<usize, StrategyError>;

    /// Takes a claim that the rules decide.
    fn settle(&mut self, leaf: Leaf) -> Result<(), StrategyError>;

    /// Ends the walk.
    fn end(&mut self) -> Result<(), StrategyError>;
}

/// Writes the prover's moves.
struct Writer<'a> {
    prover: &'a mut Prover,
    out: &'a mut dyn Write,
    stop: &'a Stop,
}

impl Guide for Writer<'_> {
    fn choose(&mut self, question: &Question, moves: &[Move], forces: bool, _: u64) -> Result<usize, StrategyError> {
        let moves: Vec<_> = question.after_each(moves).collect();
        let chosen = self.prover.first_with(&moves, forces, self.stop).ok_or(StrategyError::Stopped)?;
        self.out.write_all(&[chosen as u8])?;
        Ok(chosen)
    }

    /// Its prover has asked the rules.
    fn settle(&mut self, _: Leaf) -> Result<(), StrategyError> {
        Ok(())
    }

    fn end(&mut self) -> Result<(), StrategyError> {
        Ok(())
    }
}

/// Reads moves and asks the rules.
struct Reader<'a> {
    input: &'a mut dyn BufRead,
    leaves: Leaves,
}

impl Guide for Reader<'_> {
    fn choose(&mut self, _: &Question, _: &[Move], _: bool, named: u64) -> Result<usize, StrategyError> {
        let &byte = self.input.fill_buf()?.first().ok_or(StrategyError::Ends(named))?;
        self.input.consume(1);
        Ok(usize::from(byte))
    }

    fn settle(&mut self, leaf: Leaf) -> Result<(), StrategyError> {
        self.leaves.add(leaf).map_err(StrategyError::of)
    }

    fn end(&mut self) -> Result<(), StrategyError> {
        self.leaves.check().map_err(StrategyError::of)
    }
}

fn walk(
    board: &Board,
    outcome: Outcome,
    tables: Option<&EndgameTables>,
    mebibytes: usize,
    guide: impl Guide,
    stop: &Stop,
) -> Result<Walked, StrategyError> {
    let mut walk = Walk { seen: FactTable::new(mebibytes)?, tables, guide, stop, walked: Walked::default() };
    for (attacker, plies, forces) in roots(board, outcome) {
        if plies > board.plies_left() {
            return Err(StrategyError::TooLong);
        }
        walk.through(&Question::new(board, attacker, plies), forces)?;
    }
    walk.guide.end()?;
    Ok(walk.walked)
}

struct Walk<'a, G> {
    /// What has been shown of positions.
    seen: FactTable,
    tables: Option<&'a EndgameTables>,
    guide: G,
    stop: &'a Stop,
    walked: Walked,
}

impl<G: Guide> Walk<'_, G> {
    /// Shows that the answer to a question is `forces`.
    fn through(&mut self, question: &Question, forces: bool) -> Result<(), StrategyError> {
        self.walked.positions += 1;
        if self.walked.positions.is_multiple_of(POLL) && self.stop.poll(POLL) {
            return Err(StrategyError::Stopped);
        }
        let Question { board, attacker, plies } = *question;
        let claim = Claim { board, attacker, plies: u32::from(plies), forces, reason: Reason::Rules };
        let leaf = Leaf { question: *question, forces, moves: self.walked.moves };
        if rules_decide(&claim, LEAF_PLIES) {
            return self.guide.settle(leaf);
        }
        if let Some(holds) = self.by_table(&claim) {
            return if holds { Ok(()) } else { Err(StrategyError::of(leaf)) };
        }
        if self.seen.probe(question).is_some_and(|facts| facts.answer(plies) == Some(forces)) {
            return Ok(());
        }
        let mut moves = all_moves(&board);
        // The file's order, whatever that of the move generator.
        moves.sort_unstable_by_key(|mv| (mv.from, mv.to));
        if claim.needs_all_moves() {
            let questions: Vec<Question> = question.after_each(&moves).map(|(_, next)| next).collect();
            questions.iter().for_each(|next| self.seen.prefetch(next));
            questions.iter().try_for_each(|next| self.through(next, forces))?;
        } else {
            let chosen = self.guide.choose(question, &moves, forces, self.walked.moves)?;
            self.walked.moves += 1;
            let &mv = moves.get(chosen).ok_or(StrategyError::NoMove(self.walked.moves))?;
            self.through(&question.after(mv), forces)?;
        }
        self.seen.store_alone(question, question.answered(forces), 1 << plies.min(31));
        Ok(())
    }

    /// Whether the claim holds, if a table decides.
    fn by_table(&mut self, claim: &Claim) -> Option<bool> {
        let tables = self.tables?;
        tables.dtm(&claim.board)?;
        self.walked.by_table += 1;
        Some(follows_from_table(claim, tables))
    }
}

#[cfg(test)]
mod tests {
    use super::super::verdict::prove;
    use super::*;
    use crate::games::minichess::state_text::read_state;
    use crate::search::limits::Limits;
    use crate::search::types::Side;

    /// The outcome of a position and the strategy that proves it.
    fn strategy(board: &Board) -> (Outcome, Vec<u8>) {
        let stop = Stop::new(&Limits::default());
        let mut prover = Prover::new(1, 1, None).expect("memory");
        let outcome = prove(&mut prover, board, true, &stop).expect("not stopped").outcome;
        let mut moves = Vec::new();
        write(&mut prover, board, outcome, 1, &mut moves, &stop).expect("a strategy");
        (outcome, moves)
    }

    fn check_moves(mut moves: &[u8], board: &Board, outcome: Outcome) -> Result<Walked, StrategyError> {
        let leaves = Leaves::new(1, 2).expect("memory");
        check(&mut moves, board, outcome, None, 1, leaves, &Stop::new(&Limits::default()))
    }

    /// No other result follows from a strategy, whatever its moves, nor the same one from half of them or one more.
    #[test]
    fn false_strategies_are_refused() {
        for state in [
            "30 W ...../.k.../...../...../..Q../....K",
            "30 B ..k../...../...../..Q../...../....K",
            "36 W kqbnr/ppppp/...../...../PPPPP/RNBQK",
        ] {
            let board = read_state(state).expect("a position");
            let (outcome, moves) = strategy(&board);
            let check = |moves: &[u8], outcome| check_moves(moves, &board, outcome);
            assert!(check(&moves, outcome).is_ok_and(|walked| walked.moves == moves.len() as u64), "{state}");
            let other = |side, plies| Outcome::Win { side, plies, is_shortest: false };
            let mut others = vec![other(Side::First, 3), other(Side::Second, 3)];
            others.extend((outcome != Outcome::Draw).then_some(Outcome::Draw));
            others.extend(match outcome {
                Outcome::Win { side, plies, .. } => Some(other(side, plies - 1)),
                _ => None,
            });
            for first in 0..=u8::MAX {
                let moves: Vec<u8> = [first].into_iter().chain(moves.iter().copied()).chain([0; 1 << 12]).collect();
                for &other in &others {
                    assert!(check(&moves, other).is_err() && check(&moves[1..], other).is_err(), "{state} {other:?}");
                }
            }
            let half = &moves[..moves.len() / 2];
            assert!(matches!(check(half, outcome), Err(StrategyError::Ends(found)) if found == half.len() as u64));
            let longer = [&moves[..], &[0]].concat();
            let needed = moves.len() as u64;
            assert!(matches!(check(&longer, outcome), Err(StrategyError::GoesOn(found)) if found == needed));
            let illegal = [&[u8::MAX], &moves[1..]].concat();
            assert!(matches!(check(&illegal, outcome), Err(StrategyError::NoMove(1))), "{state}");
        }
    }

    /// A win in more plies than are left is none, though the moves would lead to it.
    #[test]
    fn wins_end_within_the_move_limit() {
        let board = read_state("30 W ...../.k.../...../...../..Q../....K").expect("a position");
        let (outcome, moves) = strategy(&board);
        assert_eq!(outcome, Outcome::Win { side: Side::First, plies: 9, is_shortest: true });
        let late = read_state("37 W ...../.k.../...../...../..Q../....K").expect("a position");
        let checked = check_moves(&moves, &late, outcome);
        assert!(matches!(checked, Err(StrategyError::TooLong)), "{checked:?}");
    }
}
