//! The exact solver of small boards: alpha-beta to the end of the game with the solver's table of
//! 8x8, in which one entry stands for all mirror images, and moves ordered by a shallow search and
//! the opponent's mobility.

use super::evaluation::stable;
use super::rules::SmallReversi;
use super::symmetry::{Symmetry, canonical};
use crate::games::reversi::board::{Board, PASS};
use crate::games::reversi::kernels::Kernels;
use crate::games::reversi::solver::entry::{Entry, StoreData};
use crate::games::reversi::solver::table::SolverTable;
use crate::search::level::{Base, Supported, for_each_level};
#[cfg(target_arch = "x86_64")]
use crate::search::level::{V3, V4};
use crate::search::limits::Budget;
use crate::search::types::Selectivity;
use arrayvec::ArrayVec;
use flipside_support::memory::MemoryError;

/// Results are stored from this many empty squares on.
const TABLE_MIN_EMPTIES: u32 = 8;
/// Mirror images share an entry from this many empty squares on.
const SYMMETRY_MIN_EMPTIES: u32 = 10;
/// The table is asked for the results of all moves before the first search from this many empty
/// squares on.
const TABLE_CUTOFF_MIN_EMPTIES: u32 = 11;
/// Moves are sorted from this many empty squares on.
const SORT_MIN_EMPTIES: u32 = 4;
/// Moves are sorted by a shallow search from this many empty squares on, one ply deeper for every
/// four squares more.
const SHALLOW_MIN_EMPTIES: u32 = 14;
/// A bound that no estimate reaches.
const INFINITE: i32 = 1 << 20;

/// The solver with its table.
pub struct SmallSolver {
    game: SmallReversi,
    pub(super) table: SolverTable,
}

impl SmallSolver {
    /// A solver with a table of this many MiB.
    ///
    /// # Errors
    /// If the memory is not available.
    pub fn new(game: SmallReversi, mebibytes: usize) -> Result<SmallSolver, MemoryError> {
        Ok(SmallSolver { game, table: SolverTable::new(mebibytes)? })
    }

    /// The disc difference of perfect play for the side to move, fail-soft against the window; `None` when the budget
    /// ran out.
    pub fn solve(&self, board: Board, window: (i32, i32), budget: &mut Budget<'_>) -> Option<i32> {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(level) = Supported::<V4>::detect() {
                return self.solve_at(level, board, window, budget);
            }
            if let Some(level) = Supported::<V3>::detect() {
                return self.solve_at(level, board, window, budget);
            }
        }
        self.solve_at(Supported::BASE, board, window, budget)
    }

    fn solve_at<K: SmallSolverLevel>(
        &self,
        level: Supported<K>,
        board: Board,
        window: (i32, i32),
        budget: &mut Budget<'_>,
    ) -> Option<i32> {
        let mut thread = Thread { solver: self, mask: self.game.mask(), budget, _level: level };
        let score = thread.search(board, window);
        (!thread.budget.is_stopped()).then_some(score)
    }

    /// The square of the best move in the table.
    pub fn best_move(&self, board: Board) -> Option<u8> {
        let (place, symmetry) = self.place(board);
        let best = self.table.probe(place)?.moves[0];
        (best != PASS).then(|| symmetry.undo(self.game, 1 << best).trailing_zeros() as u8)
    }

    /// The board under which results are stored, and the symmetry that leads to it.
    fn place(&self, board: Board) -> (Board, Symmetry) {
        if self.game.empties(board) >= SYMMETRY_MIN_EMPTIES {
            canonical(self.game, board)
        } else {
            (board, Symmetry::IDENTITY)
        }
    }
}

/// A processor level with the recursion compiled for it.
pub trait SmallSolverLevel: Kernels {
    /// `Thread::search_body`, compiled for the level.
    ///
    /// # Safety
    /// The processor must have the level's features.
    unsafe fn search(thread: &mut Thread<'_, '_, Self>, board: Board, window: (i32, i32)) -> i32;
}

/// Implements [`SmallSolverLevel`] for a level by compiling the body with its features.
macro_rules! small_solver_level {
    ($level:ident, $name:literal, [$($feature:tt),*]) => {
        impl SmallSolverLevel for $level {
            $(#[target_feature(enable = $feature)])*
            unsafe fn search(thread: &mut Thread<'_, '_, Self>, board: Board, window: (i32, i32)) -> i32 {
                thread.search_body(board, window)
            }
        }
    };
}

for_each_level!(small_solver_level);

/// One thread of a solve.
pub struct Thread<'a, 'b, K: SmallSolverLevel> {
    solver: &'a SmallSolver,
    mask: u64,
    budget: &'a mut Budget<'b>,
    /// The proof that the processor has the level's features.
    _level: Supported<K>,
}

/// A move with the position after it.
#[derive(Clone, Copy)]
struct Candidate {
    square: u8,
    child: Board,
    /// The higher, the earlier.
    score: i32,
}

impl<K: SmallSolverLevel> Thread<'_, '_, K> {
    #[inline(always)]
    fn placements(&self, board: Board) -> u64 {
        // SAFETY: this value holds the proof that the processor has the level's features.
        unsafe { K::moves(board.player, board.opponent) & self.mask }
    }

    #[inline(always)]
    fn after(&self, board: Board, square: u32) -> Board {
        // SAFETY: this value holds the proof that the processor has the level's features.
        let flips = unsafe { K::flips(board.player, board.opponent, square) };
        Board { player: board.opponent ^ flips, opponent: board.player ^ flips ^ (1 << square) }
    }

    fn search(&mut self, board: Board, window: (i32, i32)) -> i32 {
        // SAFETY: this value holds the proof that the processor has the level's features.
        unsafe { K::search(self, board, window) }
    }

    /// The value of a position, fail-soft; meaningless once the budget is stopped.
    #[inline(always)]
    fn search_body(&mut self, board: Board, (alpha, beta): (i32, i32)) -> i32 {
        if self.budget.count_node() {
            return 0;
        }
        let moves = self.placements(board);
        if moves == 0 {
            let passed = board.passed();
            let over = self.placements(passed) == 0;
            return if over { self.solver.game.final_discs(board) } else { -self.search(passed, (-beta, -alpha)) };
        }
        let empties = (board.empty() & self.mask).count_ones();
        if empties < TABLE_MIN_EMPTIES {
            return self.search_moves(board, moves, (alpha, beta), empties, None).0;
        }
        // Stable discs of the opponent bound what can still be won.
        let squares = self.mask.count_ones() as i32;
        let most = squares - 2 * stable(self.solver.game, board.opponent).count_ones() as i32;
        if most <= alpha {
            return most;
        }
        let (place, symmetry) = self.solver.place(board);
        let entry = self.solver.table.probe(place);
        let bounds = entry.map_or((-squares, squares), |entry| (i32::from(entry.lower), i32::from(entry.upper)));
        if bounds.0 >= beta || bounds.0 == bounds.1 {
            return bounds.0;
        }
        if bounds.1 <= alpha {
            return bounds.1;
        }
        let window = (alpha.max(bounds.0), beta.min(bounds.1));
        let known = entry.map(|entry| self.known_moves(entry, symmetry));
        let (score, best) = self.search_moves(board, moves, window, empties, known);
        if !self.budget.is_stopped() {
            let best = symmetry.apply(self.solver.game, 1 << best).trailing_zeros() as u8;
            let (alpha, beta) = window;
            let selectivity = Selectivity::EXACT;
            let data = StoreData { score, alpha, beta, best, selectivity, work: 4 * empties as u8 };
            self.solver.table.store(place, &data);
        }
        score
    }

    /// The table's moves as squares of the board itself.
    fn known_moves(&self, entry: Entry, symmetry: Symmetry) -> [u8; 2] {
        entry.moves.map(|square| match square {
            PASS => PASS,
            _ => symmetry.undo(self.solver.game, 1 << square).trailing_zeros() as u8,
        })
    }

    /// Principal variation search over the moves: the value and the best square.
    #[inline(always)]
    fn search_moves(
        &mut self,
        board: Board,
        mut moves: u64,
        (mut alpha, beta): (i32, i32),
        empties: u32,
        known: Option<[u8; 2]>,
    ) -> (i32, u8) {
        let mut candidates = ArrayVec::<Candidate, 36>::new();
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let child = self.after(board, square);
            candidates.push(Candidate { square: square as u8, child, score: 0 });
        }
        if empties >= TABLE_CUTOFF_MIN_EMPTIES
            && let Some(cutoff) = self.table_cutoff(&candidates, beta)
        {
            return cutoff;
        }
        if empties >= SORT_MIN_EMPTIES && candidates.len() > 1 {
            for candidate in &mut candidates {
                candidate.score = self.order_score(candidate, empties, known);
            }
            candidates.sort_unstable_by_key(|candidate| std::cmp::Reverse((candidate.score, candidate.square)));
        }
        let (mut best, mut best_square) = (-INFINITE, PASS);
        for (index, candidate) in candidates.iter().enumerate() {
            let mut score = INFINITE;
            if index > 0 {
                score = -self.search(candidate.child, (-alpha - 1, -alpha));
            }
            if index == 0 || score > alpha && score < beta {
                score = -self.search(candidate.child, (-beta, -alpha));
            }
            if self.budget.is_stopped() {
                return (0, candidate.square);
            }
            if score > best {
                (best, best_square) = (score, candidate.square);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// Enhanced transposition cutoff: the table's result of a move already refutes the position.
    fn table_cutoff(&self, candidates: &[Candidate], beta: i32) -> Option<(i32, u8)> {
        candidates.iter().find_map(|candidate| {
            let entry = self.solver.table.probe(self.solver.place(candidate.child).0)?;
            let least = -i32::from(entry.upper);
            (least >= beta).then_some((least, candidate.square))
        })
    }

    /// The table's moves first; then the moves that leave the opponent few replies, or by a
    /// shallow search.
    #[inline(always)]
    fn order_score(&self, candidate: &Candidate, empties: u32, known: Option<[u8; 2]>) -> i32 {
        if let Some(rank) = known.and_then(|known| known.iter().position(|&square| square == candidate.square)) {
            return INFINITE - rank as i32;
        }
        if empties >= SHALLOW_MIN_EMPTIES {
            return -self.estimate(candidate.child, (empties - SHALLOW_MIN_EMPTIES) / 4, (-INFINITE, INFINITE));
        }
        let corner = 1_u64 << candidate.square & self.solver.game.corners() != 0;
        let replies = self.placements(candidate.child);
        let corners = replies & self.solver.game.corners();
        2 * i32::from(corner) - (replies.count_ones() + corners.count_ones()) as i32
    }

    /// A shallow search by mobility, corners and stable discs.
    fn estimate(&self, board: Board, depth: u32, (mut alpha, beta): (i32, i32)) -> i32 {
        let mut moves = self.placements(board);
        let game = self.solver.game;
        if depth == 0 || moves == 0 {
            let replies = self.placements(board.passed());
            if moves == 0 && replies == 0 {
                return 100 * game.final_discs(board);
            }
            let worth = |own: u64, moves: u64| {
                let corners = (own & game.corners()).count_ones() + (moves & game.corners()).count_ones();
                4 * moves.count_ones() as i32 + 12 * corners as i32 + 6 * stable(game, own).count_ones() as i32
            };
            return worth(board.player, moves) - worth(board.opponent, replies);
        }
        let mut best = -INFINITE;
        while moves != 0 && best < beta {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            best = best.max(-self.estimate(self.after(board, square), depth - 1, (-beta, -alpha)));
            alpha = alpha.max(best);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::game::Game;
    use crate::search::limits::{Limits, Stop};
    use flipside_support::random::Random;
    use std::collections::HashMap;
    use std::sync::atomic::AtomicU64;

    fn solved(solver: &SmallSolver, board: Board, window: (i32, i32)) -> i32 {
        let (stop, nodes) = (Stop::new(&Limits::default()), AtomicU64::new(0));
        solver.solve(board, window, &mut Budget::new(&stop, &nodes)).expect("no limit")
    }

    /// The value by minimax with memoisation.
    fn minimax(game: SmallReversi, board: Board, known: &mut HashMap<(u64, u64), i32>) -> i32 {
        if let Some(score) = game.outcome(&board) {
            return score / 100;
        }
        if let Some(&value) = known.get(&(board.player, board.opponent)) {
            return value;
        }
        let children: Vec<Board> = game.moves(&board).map(|mv| game.play(&board, mv)).collect();
        let value = children.into_iter().map(|child| -minimax(game, child, known)).max().unwrap_or(0);
        known.insert((board.player, board.opponent), value);
        value
    }

    /// 4x4 from its start is lost with 3 discs to 11, two empty squares for the winner.
    #[test]
    fn four_by_four_is_solved_at_once() {
        let game = SmallReversi::FOUR;
        let solver = SmallSolver::new(game, 1).expect("a small table");
        let value = solved(&solver, game.start(), (-17, 17));
        assert_eq!(value, minimax(game, game.start(), &mut HashMap::new()));
        assert_eq!(value, -10);
        let best = solver.best_move(game.start()).expect("a move");
        let child = game.moves(&game.start()).find(|mv| mv.square == best).map(|mv| game.play(&game.start(), mv));
        assert_eq!(-minimax(game, child.expect("a legal move"), &mut HashMap::new()), value);
    }

    /// Positions of random games on 6x6 with 9 to 11 empty squares against minimax, with all kinds of windows.
    #[test]
    fn the_solver_agrees_with_minimax() {
        let game = SmallReversi::SIX;
        let mut random = Random(35);
        for number in 0..12 {
            let empties = 9 + number % 3;
            let mut board = game.start();
            while game.empties(board) > empties {
                let moves: Vec<_> = game.moves(&board).collect();
                if moves.is_empty() {
                    board = game.start();
                    continue;
                }
                board = game.play(&board, moves[random.below(moves.len())]);
            }
            let expected = minimax(game, board, &mut HashMap::new());
            let solver = SmallSolver::new(game, 1).expect("a small table");
            for bound in [expected - 3, expected - 1, expected, expected + 2] {
                let found = solved(&solver, board, (bound, bound + 1));
                assert!(if expected > bound {
                    found > bound && found <= expected
                } else {
                    found <= bound && found >= expected
                });
            }
            assert_eq!(solved(&solver, board, (-37, 37)), expected);
        }
    }
}
