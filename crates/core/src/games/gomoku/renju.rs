//! Renju's forbidden points: where Black may not play.
//!
//! A five is always allowed. Otherwise six in a row, two fours and two threes are forbidden. The
//! patterns tell the first two. A three counts only if the stone that makes a straight four of it
//! is allowed itself, with the first stone on the board: the same question again, one stone later.

use super::geometry::DIRECTIONS;
use super::pattern::Pattern;
use super::position::Position;
use super::rule::FIRST;
use super::rules::Gomoku;
use super::threats::{Fork, directions};

/// How far from a stone of a three the stone may stand that makes a straight four of it.
const NEXT_TO_THREE: isize = 3;

impl Gomoku {
    /// Whether the rule forbids the player a stone on an empty point.
    #[inline(always)]
    pub fn is_forbidden(&self, position: &Position, player: usize, point: usize) -> bool {
        self.rule().forbids(player) && self.makes_fork(position, point)
    }

    fn makes_fork(&self, position: &Position, point: usize) -> bool {
        match Fork::of(position.patterns(FIRST, point)) {
            Fork::Allowed => false,
            Fork::Forbidden => true,
            Fork::Threes => self.makes_two_threes(position, point),
        }
    }

    #[cold]
    fn makes_two_threes(&self, position: &Position, point: usize) -> bool {
        let numbers = directions(position.patterns(FIRST, point));
        let mut next = position.clone();
        next.place(self.geometry(), self.patterns(), FIRST, point);
        let is_three = |direction: &usize| {
            numbers[*direction] == Pattern::OpenThree as u8 && self.is_real(&next, point, *direction)
        };
        (0..DIRECTIONS).filter(is_three).nth(1).is_some()
    }

    /// Whether the three through a new stone is real: another stone may make a straight four of it, and makes no five.
    fn is_real(&self, position: &Position, point: usize, direction: usize) -> bool {
        let may_follow = |steps: isize| {
            let Some(other) = position.point_beside(self.geometry(), point, direction, steps) else { return false };
            let between = (1..steps.abs()).all(|step| {
                let beside = position.point_beside(self.geometry(), point, direction, step * steps.signum());
                beside.is_some_and(|beside| position.stones(FIRST).contains(beside))
            });
            let numbers = directions(position.patterns(FIRST, other));
            between
                && position.is_empty(other)
                && numbers[direction] == Pattern::OpenFour as u8
                && !numbers.contains(&(Pattern::Five as u8))
                && !self.makes_fork(position, other)
        };
        (-NEXT_TO_THREE..=NEXT_TO_THREE).filter(|&steps| steps != 0).any(may_follow)
    }
}
