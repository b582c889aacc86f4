//! What one thread of a search learns about quiet moves: killers by ply, history by move, continuation history by pairs of
//! moves; and late-move reductions, which read them.

use super::margins::{HistoryMargins, OrderingMargins};
use super::types::{Depth, MAX_PLY};

/// History values stay within ± this.
const LIMIT: i32 = 16_384;

/// Killers and histories of quiet moves, for one thread.
pub struct Histories {
    killers: Vec<[u16; 2]>,
    /// By the code of a move; empty where the game uses no history.
    history: Vec<i32>,
    /// By the piece-to codes of an earlier move and of the one that follows it; empty where the game has none.
    continuations: Vec<i16>,
    /// Piece-to codes are below this.
    piece_to_codes: usize,
    margins: HistoryMargins,
}

impl Histories {
    /// Empty tables for moves of codes below `move_codes`.
    pub fn new(margins: &OrderingMargins, move_codes: usize) -> Histories {
        let piece_to_codes = margins.piece_to_codes.unwrap_or(0);
        Histories {
            killers: vec![[u16::MAX; 2]; MAX_PLY + 1],
            history: vec![0; if margins.history.is_some() { move_codes } else { 0 }],
            continuations: vec![0; piece_to_codes * piece_to_codes],
            piece_to_codes,
            margins: margins.history.unwrap_or(HistoryMargins::DEFAULT),
        }
    }

    /// The move caused a cutoff at this ply.
    pub fn add_killer(&mut self, ply: usize, code: u16) {
        let slot = &mut self.killers[ply];
        if slot[0] != code {
            *slot = [code, slot[0]];
        }
    }

    /// 2 for the latest killer of the ply, 1 for the one before, 0 for others.
    #[inline(always)]
    pub fn killer(&self, ply: usize, code: u16) -> i32 {
        match self.killers[ply] {
            [latest, _] if latest == code => 2,
            [_, older] if older == code => 1,
            _ => 0,
        }
    }

    /// A bonus (or, with a negative sign, a malus) for a move.
    pub fn update_history(&mut self, code: u16, depth: Depth, sign: i32) {
        let bonus = self.bonus(depth, sign);
        let value = &mut self.history[usize::from(code)];
        *value = with_gravity(*value, bonus);
    }

    /// A bonus or malus for a move after an earlier one.
    pub fn update_continuation(&mut self, earlier: usize, piece_to: usize, depth: Depth, sign: i32) {
        if earlier != 0 {
            let bonus = self.bonus(depth, sign);
            let value = &mut self.continuations[earlier * self.piece_to_codes + piece_to];
            *value = with_gravity(i32::from(*value), bonus) as i16;
        }
    }

    fn bonus(&self, depth: Depth, sign: i32) -> i32 {
        sign * (self.margins.bonus_per_ply * depth).min(self.margins.max_bonus)
    }

    /// The continuation history of a move after an earlier one, within ±16384.
    #[inline(always)]
    pub fn continuation(&self, earlier: usize, piece_to: usize) -> i32 {
        if earlier == 0 { 0 } else { i32::from(self.continuations[earlier * self.piece_to_codes + piece_to]) }
    }

    /// The history of a move, within ±16384.
    #[inline(always)]
    pub fn history(&self, code: u16) -> i32 {
        self.history[usize::from(code)]
    }
}

/// History gravity: the bonus shrinks as the value grows, so that it stays within the limit.
fn with_gravity(value: i32, bonus: i32) -> i32 {
    value + bonus - value * bonus.abs() / LIMIT
}

/// Late-move reductions by depth and move number, in quarters of a ply.
pub struct ReductionTable {
    quarters: [[u8; 64]; 64],
    /// Move-ordering score (killers, histories) that is worth a quarter of a ply.
    score_per_quarter: i32,
    /// The score changes the reduction by at most this many quarters of a ply.
    max_score_quarters: i32,
}

impl ReductionTable {
    /// `base + ln(depth) * ln(move number) / divisor` plies.
    pub fn logarithmic(base: f64, divisor: f64, score_per_quarter: i32, max_score_quarters: i32) -> ReductionTable {
        let ln = |number: usize| (number.max(1) as f64).ln();
        let quarters = std::array::from_fn(|depth| {
            std::array::from_fn(|number| (4.0 * (base + ln(depth) * ln(number) / divisor)) as u8)
        });
        ReductionTable { quarters, score_per_quarter, max_score_quarters }
    }

    /// The reduction in plies of the move of this number and ordering score at a node of this
    /// depth. `adjustment` counts the signs that little is at stake: no principal variation, no
    /// improvement, no checks.
    #[inline(always)]
    pub fn plies(&self, depth: Depth, move_count: usize, adjustment: Depth, score: i32) -> Depth {
        if depth < 3 || move_count < 2 {
            return 0;
        }
        let quarters = Depth::from(self.quarters[(depth as usize).min(63)][move_count.min(63)]);
        // Killers have high scores, so the effect of the score is bounded.
        let by_score = (score / self.score_per_quarter).clamp(-self.max_score_quarters, self.max_score_quarters);
        ((quarters + 3 * (adjustment - 1) - by_score) / 4).clamp(0, depth - 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGINS: OrderingMargins = OrderingMargins {
        killers: true,
        history: Some(HistoryMargins::DEFAULT),
        piece_to_codes: Some(16),
        ..OrderingMargins::NONE
    };

    #[test]
    fn the_latest_killer_comes_first() {
        let mut histories = Histories::new(&MARGINS, 16);
        histories.add_killer(3, 11);
        histories.add_killer(3, 12);
        histories.add_killer(3, 12);
        assert_eq!([histories.killer(3, 12), histories.killer(3, 11), histories.killer(3, 9)], [2, 1, 0]);
        assert_eq!(histories.killer(4, 12), 0);
    }

    #[test]
    fn the_continuation_history_is_kept_by_pairs() {
        let mut histories = Histories::new(&MARGINS, 16);
        histories.update_continuation(3, 5, 10, 1);
        histories.update_continuation(0, 5, 10, 1);
        let values = [histories.continuation(3, 5), histories.continuation(3, 4), histories.continuation(0, 5)];
        assert_eq!(values, [1_280, 0, 0]);
    }

    #[test]
    fn move_codes_of_thirteen_bits_do_not_share_a_history() {
        let mut histories = Histories::new(&MARGINS, 1 << 13);
        histories.update_history(8_191, 10, 1);
        assert_eq!([histories.history(8_191), histories.history(4_095)], [1_280, 0]);
    }

    #[test]
    fn later_moves_are_reduced_more() {
        let reductions = ReductionTable::logarithmic(0.5, 2.3, 1_720, 6);
        let plies = |depth, index, score| reductions.plies(depth, index, 1, score);
        assert_eq!([plies(2, 20, 0), plies(9, 1, 0)], [0, 0]);
        assert!(plies(12, 20, 0) > plies(12, 4, 0) && plies(12, 20, 0) > plies(4, 20, 0));
        assert!(plies(12, 12, -16_000) > plies(12, 12, 16_000));
        assert!((3..64).all(|depth| plies(depth, 100, -30_000) <= depth - 2));
    }

    #[test]
    fn history_stays_within_its_limit() {
        let mut histories = Histories::new(&MARGINS, 16);
        for _ in 0..1_000 {
            histories.update_history(7, 40, 1);
            histories.update_history(8, 40, -1);
        }
        assert!((16_000..=LIMIT).contains(&histories.history(7)));
        assert!((-LIMIT..=-16_000).contains(&histories.history(8)));
    }
}
