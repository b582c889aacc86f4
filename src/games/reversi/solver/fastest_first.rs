//! The recursion near the end, where an evaluation would cost more than it saves: fastest-first
//! ordering; [`last_empties`](super::last_empties) go by parity alone.
//!
//! All scores are discs for the side to move, all windows `(alpha, alpha + 1)`, all results
//! fail-soft and exact; meaningless once the budget is out.

use super::super::board::{Board, PASS, Placement};
use super::super::kernels::Kernels;
use super::super::mobility::weighted_mobility;
use super::SolverSettings;
use super::last_empties::odd_quadrants;
use super::local_table::LocalTable;
use super::stability::Stability;
use super::table::{Entry, SolverTable, StoreData};
use crate::search::limits::Budget;
use arrayvec::ArrayVec;
use std::marker::PhantomData;

/// One thread's part of a solve.
pub struct FastestFirst<'a, 'b, K> {
    /// Nodes and the end.
    pub budget: &'a mut Budget<'b>,
    /// Shared by all threads.
    pub table: &'a SolverTable,
    /// Thresholds.
    pub settings: SolverSettings,
    /// This thread's small table.
    pub local: LocalTable,
    /// Tables of stable edges.
    pub stability: Stability,
    level: PhantomData<K>,
}

/// A move with the position after it.
#[derive(Clone, Copy)]
pub struct SolverMove {
    /// Higher is earlier.
    pub rank: i32,
    /// Where.
    pub square: u8,
    /// The position after it, seen by the opponent.
    pub child: Board,
    /// The opponent's legal placements there.
    pub replies: u64,
}

/// The most moves of a position that anyone has found is 33.
pub type SolverMoves = ArrayVec<SolverMove, 40>;

/// Ranks of a known best move, and of a move that leaves the opponent no disc.
pub const KNOWN_BEST: i32 = 1 << 28;

/// Bonus by kind of square: corners, then edges and the inner squares, last the squares beside corners.
const SQUARE_BONUS: [i8; 64] = square_bonus();

const fn square_bonus() -> [i8; 64] {
    const QUADRANT: [[i8; 4]; 4] = [[18, 4, 14, 12], [4, 0, 6, 8], [14, 6, 10, 8], [12, 8, 8, 8]];
    let mut bonus = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        bonus[square] = QUADRANT[row][column];
        square += 1;
    }
    bonus
}

impl<'a, 'b, K: Kernels> FastestFirst<'a, 'b, K> {
    /// A thread's part of a solve.
    ///
    /// # Safety
    /// The processor must have the features of the level `K`.
    pub unsafe fn new(
        budget: &'a mut Budget<'b>,
        table: &'a SolverTable,
        local: LocalTable,
        settings: SolverSettings,
    ) -> FastestFirst<'a, 'b, K> {
        FastestFirst { budget, table, local, settings, stability: Stability::new(), level: PhantomData }
    }

    /// Legal placements.
    #[inline(always)]
    pub fn placements(&self, board: Board) -> u64 {
        // SAFETY: whoever made `self` promised that the processor has the level's features.
        unsafe { K::moves(board.player, board.opponent) }
    }

    /// The legal move on a square.
    #[inline(always)]
    pub fn placement(&self, board: Board, square: u32) -> Placement {
        // SAFETY: whoever made `self` promised that the processor has the level's features.
        let flips = unsafe { K::flips(board.player, board.opponent, square) };
        Placement { square: square as u8, flips }
    }

    /// The null window solved by whatever suits the number of empty squares, at most
    /// [`SolverSettings::evaluation_from`]` - 1` of them where an evaluation is at hand.
    #[inline(always)]
    pub fn null(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        self.null_with(board, self.placements(board), alpha, empties)
    }

    /// [`FastestFirst::null`] where the legal placements are known.
    #[inline(always)]
    pub fn null_with(&mut self, board: Board, moves: u64, alpha: i32, empties: u32) -> i32 {
        // SAFETY: whoever made `self` promised that the processor has the level's features.
        unsafe {
            match empties {
                0..=3 => self.few(board, alpha),
                4 => K::four(self, board, moves, alpha),
                _ => K::middle(self, board, moves, alpha, empties),
            }
        }
    }

    /// Without a legal placement it is the opponent's turn, for `go_on` to search, or the end.
    #[inline(always)]
    pub fn pass_or_end(&mut self, board: Board, go_on: impl FnOnce(&mut Self, Board, u64) -> i32) -> i32 {
        let passed = board.passed();
        let replies = self.placements(passed);
        if replies == 0 { board.final_discs() } else { -go_on(self, passed, replies) }
    }

    /// Up to three empty squares from the outside: the rules alone, no speed needed.
    fn few(&mut self, board: Board, alpha: i32) -> i32 {
        self.budget.nodes += 1;
        let mut moves = self.placements(board);
        if moves == 0 {
            return self.pass_or_end(board, |deep, passed, _| deep.few(passed, -alpha - 1));
        }
        let mut best = -65;
        while moves != 0 && best <= alpha {
            let child = board.after(self.placement(board, moves.trailing_zeros()));
            moves &= moves - 1;
            best = best.max(-self.few(child, -alpha - 1));
        }
        best
    }

    /// An upper bound from the opponent's stable discs, where it could decide.
    #[inline(always)]
    pub fn stability_cut(&self, board: Board, alpha: i32, empties: u32) -> Option<i32> {
        if alpha < self.settings.stability_base + self.settings.stability_slope * empties as i32 / 4 {
            return None;
        }
        // Fewer discs than it takes cannot all be stable.
        if 64 - 2 * board.opponent.count_ones() as i32 > alpha {
            return None;
        }
        let most = 64 - 2 * self.stability.stable(board.opponent, board.player).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// Five empty squares and more: a table, the opponent's replies counted, parity.
    #[inline(always)]
    pub fn middle_body(&mut self, board: Board, moves: u64, alpha: i32, empties: u32) -> i32 {
        if self.budget.count_node() {
            return 0;
        }
        if let Some(most) = self.stability_cut(board, alpha, empties) {
            return most;
        }
        let shared = empties >= self.settings.shared_from;
        let (lower, upper, known_best) = if shared {
            let known = self.table.probe(board).filter(|known| known.selectivity == 5).unwrap_or(Entry::NOTHING);
            (i32::from(known.lower), i32::from(known.upper), known.moves[0])
        } else {
            self.local.probe(board)
        };
        // One jump for both bounds: mostly neither decides.
        if (lower > alpha) | (upper <= alpha) {
            return if lower > alpha { lower } else { upper };
        }
        if moves == 0 {
            return self.pass_or_end(board, |deep, passed, replies| {
                // SAFETY: whoever made `self` promised that the processor has the level's features.
                unsafe { K::middle(deep, passed, replies, -alpha - 1, empties) }
            });
        }
        let start = self.budget.nodes;
        let mut ranked = SolverMoves::new();
        let asks_children = empties > self.settings.shared_from;
        self.rank_by_replies(board, moves, known_best, asks_children, &mut ranked);
        if asks_children && let Some(score) = self.known_child(&ranked, alpha) {
            return score;
        }
        let mut best = -65;
        let mut best_square = PASS;
        for index in 0..ranked.len() {
            let SolverMove { square, child, replies, .. } = select_next(&mut ranked, index);
            let score = -self.null_with(child, replies, -alpha - 1, empties - 1);
            if self.budget.is_stopped() {
                return 0;
            }
            if score > best {
                (best, best_square) = (score, square);
                if score > alpha {
                    break;
                }
            }
        }
        if shared {
            let work = work(self.budget.nodes - start);
            let found = StoreData { score: best, alpha, beta: alpha + 1, best: best_square, selectivity: 5, work };
            self.table.store(board, &found);
        } else {
            self.local.store(board, best, alpha, best_square);
        }
        best
    }

    /// Ranks moves by replies and parity; asks for the children's places in the shared table if it will be probed.
    #[inline(always)]
    fn rank_by_replies(
        &self,
        board: Board,
        mut moves: u64,
        known_best: u8,
        asks_children: bool,
        ranked: &mut SolverMoves,
    ) {
        let odd = odd_quadrants(board.empty());
        while moves != 0 {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let child = board.after(self.placement(board, square));
            if asks_children {
                self.table.prefetch(child);
            }
            let replies = self.placements(child);
            let rank = if square as u8 == known_best {
                KNOWN_BEST
            } else {
                -self.settings.reply_weight * weighted_mobility(replies)
                    + i32::from(SQUARE_BONUS[square as usize])
                    + (odd >> square & 1) as i32 * self.settings.parity_bonus
            };
            // SAFETY: no position has more moves than the list holds.
            unsafe { ranked.push_unchecked(SolverMove { rank, square: square as u8, child, replies }) };
        }
    }

    /// Enhanced transposition cutoff: a child already known to be bad for the opponent.
    #[inline(always)]
    fn known_child(&self, ranked: &SolverMoves, alpha: i32) -> Option<i32> {
        ranked.iter().find_map(|mv| {
            let known = self.table.probe(mv.child)?;
            let score = -i32::from(known.upper);
            (known.selectivity == 5 && score > alpha).then_some(score)
        })
    }
}

/// Takes the best of the moves from `index` on; what was at `index` stays behind it.
#[inline(always)]
pub fn select_next(moves: &mut SolverMoves, index: usize) -> SolverMove {
    let (mut best, mut rank) = (index, moves[index].rank);
    for other in index + 1..moves.len() {
        // Which is better cannot be foreseen, and a jump into the dark costs more than two selections.
        let better = moves[other].rank > rank;
        best = std::hint::select_unpredictable(better, other, best);
        rank = std::hint::select_unpredictable(better, moves[other].rank, rank);
    }
    let chosen = moves[best];
    moves[best] = moves[index];
    chosen
}

/// The logarithm of a number of nodes, in quarters of a power of two.
#[inline(always)]
pub fn work(nodes: u64) -> u8 {
    let nodes = nodes.max(4);
    let log = 63 - nodes.leading_zeros();
    (log * 4 + (nodes >> (log - 2) & 3) as u32) as u8
}
