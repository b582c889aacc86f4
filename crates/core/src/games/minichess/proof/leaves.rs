//! The leaves of a strategy: claims of few plies, for which it names no moves. The check answers them by a search of all
//! moves, in batches that threads share, and remembers what takes longer to search than to look up.

use super::super::rules::MiniChess;
use super::certificate::{self, BY_RULES};
use super::fact_table::FactTable;
use super::prover::cost_of_defence;
use super::question::Question;
use crate::search::game::Game;
use flipside_support::memory::MemoryError;
use flipside_support::thread_pool;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Claims of at most this many plies are leaves. Two plies more than [`BY_RULES`] make a strategy six times shorter, and
/// the check two fifths longer.
pub const LEAF_PLIES: u32 = BY_RULES + 2;
/// Leaves of a batch, some hundredths of a second.
const BATCH: usize = 1 << 12;

/// A claim that a search of all moves decides.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    pub question: Question,
    /// The answer that is claimed.
    pub forces: bool,
    /// Moves that the strategy has named before it.
    pub moves: u64,
}

/// Leaves that wait for their check, and what was found of earlier ones.
pub struct Leaves {
    searched: FactTable,
    threads: usize,
    batch: Vec<Leaf>,
}

impl Leaves {
    /// No leaves yet; this many threads will search them, with a table of at most this many MiB.
    ///
    /// # Errors
    /// The machine has less memory.
    pub fn new(mebibytes: usize, threads: usize) -> Result<Leaves, MemoryError> {
        Ok(Leaves { searched: FactTable::new(mebibytes)?, threads, batch: Vec::with_capacity(BATCH) })
    }

    /// Adds a leaf, and checks those that wait if it fills a batch.
    ///
    /// # Errors
    /// The first leaf of the batch that does not hold.
    pub(super) fn add(&mut self, leaf: Leaf) -> Result<(), Leaf> {
        self.batch.push(leaf);
        if self.batch.len() < BATCH { Ok(()) } else { self.check() }
    }

    /// Checks the leaves that wait.
    ///
    /// # Errors
    /// The first one that does not hold.
    pub(super) fn check(&mut self) -> Result<(), Leaf> {
        let batch = mem::take(&mut self.batch);
        let [next, answered, wrong] = [0, 0, usize::MAX].map(AtomicUsize::new);
        let run = |_| {
            let mut search = Search { searched: &self.searched, entries: 0 };
            while let index = next.fetch_add(1, Ordering::Relaxed)
                && let Some(leaf) = batch.get(index)
            {
                if search.ends(&leaf.question) != leaf.forces {
                    wrong.fetch_min(index, Ordering::Relaxed);
                }
                answered.fetch_add(1, Ordering::Relaxed);
            }
            self.searched.count(search.entries);
        };
        thread_pool::run(self.threads, &run, &mut || run(0));
        if answered.load(Ordering::Relaxed) < batch.len() {
            // A helper has panicked, and its leaf has no answer.
            next.store(0, Ordering::Relaxed);
            run(0);
        }
        while self.searched.is_crowded() {
            self.searched.grow();
        }
        match batch.get(wrong.into_inner()) {
            Some(leaf) => Err(*leaf),
            None => {
                self.batch = batch;
                self.batch.clear();
                Ok(())
            }
        }
    }
}

/// A thread's search.
struct Search<'a> {
    searched: &'a FactTable,
    /// Entries of the table that are used but not counted yet.
    entries: usize,
}

impl Search<'_> {
    /// Whether the attacker forces the end of the game in its favour: [`certificate::ends`], with a memory.
    fn ends(&mut self, question: &Question) -> bool {
        let Question { board, attacker, plies } = question;
        let is_over = || MiniChess.outcome(board).is_some() || board.attacks_king(board.to_move());
        if u32::from(*plies) <= BY_RULES || is_over() {
            return certificate::ends(board, *attacker, u32::from(*plies));
        }
        if let Some(answer) = self.searched.probe(question).and_then(|facts| facts.answer(*plies)) {
            return answer;
        }
        let mut after = question.moves();
        let attacker_moves = question.attacker_moves();
        if !attacker_moves {
            // The order of the prover, whose positions are the fewest.
            after.sort_by_cached_key(|(mv, next)| cost_of_defence(*mv, &next.board));
        }
        let answer = after.iter().any(|(_, next)| self.ends(next) == attacker_moves) == attacker_moves;
        self.entries += usize::from(self.searched.store(question, question.answered(answer), 1 << plies));
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::minichess::movegen::all_moves;
    use flipside_support::random::Random;

    /// Claims about positions of random games, true as far as the search without a memory can tell.
    fn leaves(number: usize) -> Vec<Leaf> {
        let mut random = Random(37);
        let mut leaves = Vec::new();
        while leaves.len() < number {
            let mut board = MiniChess.start();
            while MiniChess.outcome(&board).is_none() && board.plies_left() > LEAF_PLIES {
                if board.occupied().count_ones() < 10 {
                    let (mover, plies) = (board.to_move(), LEAF_PLIES - random.below(3) as u32);
                    let attacker = [mover, mover.other()][random.below(2)];
                    let forces = certificate::ends(&board, attacker, plies);
                    let moves = leaves.len() as u64;
                    leaves.push(Leaf { question: Question::new(&board, attacker, plies), forces, moves });
                }
                let moves = all_moves(&board);
                board = board.play(moves[random.below(moves.len())]);
            }
        }
        leaves
    }

    /// Threads find what the search without a memory finds, in several batches; the first false claim is named.
    #[test]
    fn false_leaves_are_found() {
        let leaves = leaves(BATCH / 4);
        let forced = leaves.iter().filter(|leaf| leaf.forces).count();
        assert!(forced > 50 && forced < leaves.len() - 50, "{forced}");
        let check = |leaves: &[Leaf], threads| {
            let mut all = Leaves::new(1, threads).expect("memory");
            let again = leaves.iter().cycle().take(BATCH + leaves.len());
            again.copied().try_for_each(|leaf| all.add(leaf)).and_then(|()| all.check())
        };
        for threads in [1, 2] {
            assert!(check(&leaves, threads).is_ok());
            for wrong in [0, leaves.len() / 2, leaves.len() - 1] {
                let mut leaves = leaves.clone();
                leaves[wrong..].iter_mut().step_by(3).for_each(|leaf| leaf.forces = !leaf.forces);
                assert!(check(&leaves, threads).is_err_and(|found| found.moves == wrong as u64), "{wrong}");
            }
        }
    }
}
