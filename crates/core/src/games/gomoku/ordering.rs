//! The order of moves by what they make and break.

use super::position::Position;
use super::rules::Gomoku;
use super::threats::{ALL_PATTERNS, Fork, PointPatterns};
use super::weights::worth_by_hand;
use std::sync::LazyLock;

/// The worth of a point's patterns for their player, by their sixteen bits.
static WORTHS: LazyLock<Box<[i16]>> =
    LazyLock::new(|| (0..ALL_PATTERNS).map(|patterns| worth_by_hand(patterns as PointPatterns)).collect());
/// The same for a player whose forks are forbidden: such a point is worth nothing to that player.
static WORTHS_WITHOUT_FORKS: LazyLock<Box<[i16]>> = LazyLock::new(|| {
    let is_allowed = |patterns: usize| Fork::of(patterns as PointPatterns) == Fork::Allowed;
    WORTHS.iter().enumerate().map(|(patterns, &worth)| if is_allowed(patterns) { worth } else { 0 }).collect()
});

impl Gomoku {
    /// The worth of a point's patterns for the player who has them, in tenths of hundredths.
    #[inline(always)]
    pub fn worth(&self, position: &Position, player: usize, point: usize) -> i32 {
        let worths = if self.rule().forbids(player) { &WORTHS_WITHOUT_FORKS } else { &WORTHS };
        i32::from(worths[usize::from(position.patterns(player, point))])
    }

    /// The worth of a move for both sides: it makes patterns of the side to move, which count
    /// twice, and breaks the opponent's.
    #[inline(always)]
    pub fn worth_for_both(&self, position: &Position, point: usize) -> i32 {
        let own = position.to_move();
        2 * self.worth(position, own, point) + self.worth(position, 1 - own, point)
    }
}
