//! Fastest-first search, five to eleven empty squares: an evaluation would cost more than its
//! ordering saves, so moves are ordered by the opponent's mobility, the kind of square and parity.
//! Below it [`last_empties`](super::last_empties) uses parity alone.
//!
//! All scores are discs for the side to move, all windows `(alpha, alpha + 1)`, all results fail-soft and exact, and
//! meaningless once the budget has stopped the search.

use super::entry::{Entry, StoreData, work};
use super::level::SolverLevel;
use super::moves::{SQUARE_BONUS, SolverMove, SolverMoves, TABLE_MOVE, select_next};
use super::parity::odd_quadrants;
use super::thread::FastestFirst;
use crate::games::reversi::board::{Board, PASS};
use crate::games::reversi::mobility::weighted_mobility;
use crate::search::types::Selectivity;

/// Selectivity of exact bounds.
const EXACT: Selectivity = Selectivity::EXACT;

impl<K: SolverLevel> FastestFirst<'_, '_, K> {
    /// The null window by the recursion that suits the number of empty squares, which is below
    /// [`evaluation_from`](super::settings::SolverSettings::evaluation_from) where the solve has an evaluation.
    #[inline(always)]
    pub fn null_window(&mut self, board: Board, alpha: i32, empties: u32) -> i32 {
        self.null_window_with(board, self.placements(board), alpha, empties)
    }

    /// [`FastestFirst::null_window`] where the legal moves are known.
    #[inline(always)]
    pub fn null_window_with(&mut self, board: Board, moves: u64, alpha: i32, empties: u32) -> i32 {
        // SAFETY: this value holds the proof that the processor has the level's features.
        unsafe {
            match empties {
                0..=3 => self.up_to_three(board, alpha),
                4 => K::last_four(self, board, moves, alpha),
                _ => K::fastest_first(self, board, moves, alpha, empties),
            }
        }
    }

    /// A position without a legal move: `search` goes on with the opponent's moves after a pass, or the game is over.
    #[inline(always)]
    pub fn pass_or_end(&mut self, board: Board, search: impl FnOnce(&mut Self, Board, u64) -> i32) -> i32 {
        let passed = board.passed();
        let replies = self.placements(passed);
        if replies == 0 { board.final_discs() } else { -search(self, passed, replies) }
    }

    /// Up to three empty squares at the root of a solve: by the rules alone, because speed does
    /// not matter there.
    fn up_to_three(&mut self, board: Board, alpha: i32) -> i32 {
        self.budget.nodes += 1;
        let mut moves = self.placements(board);
        if moves == 0 {
            return self.pass_or_end(board, |thread, passed, _| thread.up_to_three(passed, -alpha - 1));
        }
        let mut best = -65;
        while moves != 0 && best <= alpha {
            let child = board.after(self.placement(board, moves.trailing_zeros()));
            moves &= moves - 1;
            best = best.max(-self.up_to_three(child, -alpha - 1));
        }
        best
    }

    /// Stability cutoff: the opponent keeps its stable discs, which bounds the score from above. Tried only where
    /// `alpha` is high enough for it to succeed.
    #[inline(always)]
    pub fn stability_cut(&self, board: Board, alpha: i32, empties: u32) -> Option<i32> {
        if alpha < self.settings.stability_base + self.settings.stability_slope * empties as i32 / 4 {
            return None;
        }
        // Even if all of the opponent's discs were stable, they would be too few.
        if 64 - 2 * board.opponent.count_ones() as i32 > alpha {
            return None;
        }
        let most = 64 - 2 * self.stability.stable(board.opponent, board.player).count_ones() as i32;
        (most <= alpha).then_some(most)
    }

    /// The recursion; [`SolverLevel::fastest_first`] compiles it for a level.
    #[inline(always)]
    pub fn fastest_first_body(&mut self, board: Board, moves: u64, alpha: i32, empties: u32) -> i32 {
        if self.budget.count_node() {
            return 0;
        }
        if let Some(most) = self.stability_cut(board, alpha, empties) {
            return most;
        }
        let shared = empties >= self.settings.shared_from;
        let (lower, upper, table_move) = if shared {
            let entry = self.table.probe(board).filter(|entry| entry.selectivity == EXACT).unwrap_or(Entry::UNKNOWN);
            (i32::from(entry.lower), i32::from(entry.upper), entry.moves[0])
        } else {
            self.local.probe(board)
        };
        // One branch for both bounds: usually neither cuts.
        if (lower > alpha) | (upper <= alpha) {
            return if lower > alpha { lower } else { upper };
        }
        if moves == 0 {
            return self.pass_or_end(board, |thread, passed, replies| {
                // SAFETY: this value holds the proof that the processor has the level's features.
                unsafe { K::fastest_first(thread, passed, replies, -alpha - 1, empties) }
            });
        }
        let start = self.budget.nodes;
        let mut ranked = SolverMoves::new();
        let children_shared = empties > self.settings.shared_from;
        self.rank_fastest_first(board, moves, table_move, children_shared, &mut ranked);
        if children_shared && let Some(score) = self.enhanced_transposition_cutoff(&ranked, alpha) {
            return score;
        }
        let mut best = -65;
        let mut best_square = PASS;
        for index in 0..ranked.len() {
            let SolverMove { square, child, replies, .. } = select_next(&mut ranked, index);
            let score = -self.null_window_with(child, replies, -alpha - 1, empties - 1);
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
            let data = StoreData { score: best, alpha, beta: alpha + 1, best: best_square, selectivity: EXACT, work };
            self.table.store(board, &data);
        } else {
            self.local.store(board, best, alpha, best_square);
        }
        best
    }

    /// Fastest-first ordering: few replies for the opponent, then square and parity. Prefetches the children's buckets
    /// of the shared table if they will be probed.
    #[inline(always)]
    fn rank_fastest_first(
        &mut self,
        board: Board,
        moves: u64,
        table_move: u8,
        children_shared: bool,
        ranked: &mut SolverMoves,
    ) {
        ranked.clear();
        let odd = odd_quadrants(board.empty());
        self.each_child(
            board,
            moves,
            #[inline(always)]
            |square, child, replies| {
                if children_shared {
                    self.table.prefetch(child);
                } else {
                    self.local.prefetch(child);
                }
                let rank = if square as u8 == table_move {
                    TABLE_MOVE
                } else {
                    -self.settings.reply_weight * weighted_mobility(replies)
                        + i32::from(SQUARE_BONUS[square as usize])
                        + (odd >> square & 1) as i32 * self.settings.parity_bonus
                };
                // SAFETY: the list began empty and has room for 64, and each call takes one of the 64 bits of `moves`.
                unsafe { ranked.push_unchecked(SolverMove { rank, square: square as u8, child, replies }) };
            },
        );
        self.budget.listed += ranked.len() as u64;
    }

    /// Enhanced transposition cutoff: the table's bound of a child already refutes the position before it.
    #[inline(always)]
    fn enhanced_transposition_cutoff(&mut self, ranked: &SolverMoves, alpha: i32) -> Option<i32> {
        self.budget.listed += ranked.len() as u64;
        ranked.iter().find_map(|mv| {
            let entry = self.table.probe(mv.child)?;
            let score = -i32::from(entry.upper);
            (entry.selectivity == EXACT && score > alpha).then_some(score)
        })
    }
}
