//! The evaluation: the worth of all patterns that stones on empty points would make, updated move
//! by move.

use super::geometry::{DIRECTIONS, Place};
use super::pattern::{Pattern, REACH};
use super::position::Position;
use super::rule::{FIRST, SECOND};
use super::rules::{Gomoku, Point};
use super::threats::{Fork, PointPatterns, directions};
use crate::search::evaluation::Eval;
use crate::search::types::{Score, UNIT};
use std::sync::LazyLock;

/// The evaluation by line patterns. Its unit is roughly the worth of a move that makes an open
/// three.
#[derive(Clone, Copy)]
pub struct PatternEvaluation {
    game: Gomoku,
    /// By player.
    worths: [&'static [i16]; 2],
}

/// Worth of a pattern on a point, in tenths of hundredths.
const PATTERN_WORTH: [i32; 9] = [0, 0, 10, 45, 50, 180, 170, 600, 600];
/// A point that makes a four and an open three: the four must be answered, then the three wins.
const FOUR_THREE: i32 = 600;
/// A point that makes two open threes.
const TWO_THREES: i32 = 300;
/// Tenths of hundredths in a hundredth.
const TENTHS: i32 = 10;
/// The worth of being on move, independent of patterns.
const TEMPO: Score = UNIT / 5;
/// The side to move uses its patterns first: its sum counts this many eighths.
const ON_MOVE_EIGHTHS: i32 = 10;
/// The next move makes five.
const FIVE_NEXT: Score = 100 * UNIT;
/// The next move makes a four that cannot be stopped.
const OPEN_FOUR_NEXT: Score = 60 * UNIT;
/// The opponent threatens an open four, which must be answered.
const MUST_ANSWER: Score = UNIT / 2;

/// The worth of a point's patterns for their player, by their sixteen bits.
static WORTHS: LazyLock<Box<[i16]>> = LazyLock::new(|| (0..=PointPatterns::MAX).map(worth).collect());
/// The same for a player whose forks are forbidden: such a point is worth nothing to that player.
static WORTHS_WITHOUT_FORKS: LazyLock<Box<[i16]>> = LazyLock::new(|| {
    let worth = |patterns| if Fork::of(patterns) == Fork::Allowed { worth(patterns) } else { 0 };
    (0..=PointPatterns::MAX).map(worth).collect()
});

fn worth(patterns: PointPatterns) -> i16 {
    let numbers = directions(patterns).map(usize::from);
    let sum: i32 = numbers.iter().filter_map(|&number| PATTERN_WORTH.get(number)).sum();
    let count = |pattern: Pattern| numbers.iter().filter(|&&number| number == pattern as usize).count();
    let (fours, threes) = (count(Pattern::Four), count(Pattern::OpenThree));
    let together = match (fours, threes) {
        (2.., _) => PATTERN_WORTH[Pattern::OpenFour as usize],
        (1, 1..) => FOUR_THREE,
        (0, 2..) => TWO_THREES,
        _ => 0,
    };
    (sum + together) as i16
}

impl PatternEvaluation {
    /// The evaluation of that name; `default` is this one.
    pub fn named(game: Gomoku, name: &str) -> Option<PatternEvaluation> {
        let worths =
            [FIRST, SECOND].map(|player| if game.rule().forbids(player) { &**WORTHS_WITHOUT_FORKS } else { &**WORTHS });
        ["default", "patterns"].contains(&name).then_some(PatternEvaluation { game, worths })
    }

    /// The worth of a point's patterns for the player who has them, in tenths of hundredths.
    #[inline(always)]
    pub fn worth(&self, player: usize, patterns: PointPatterns) -> i32 {
        i32::from(self.worths[player][usize::from(patterns)])
    }
}

impl Eval<Gomoku> for PatternEvaluation {
    /// The worth of each player's patterns, in tenths of hundredths.
    type Accumulator = [i32; 2];

    fn refresh(&self, position: &Position) -> [i32; 2] {
        let sum =
            |player| (0..self.game.points()).map(|point| self.worth(player, position.patterns(player, point))).sum();
        [sum(FIRST), sum(SECOND)]
    }

    /// A stone changes the patterns of its own point and of the points on its four lines.
    #[inline(always)]
    fn update(&self, sums: &[i32; 2], position: &Position, mv: Point, child: &Position) -> [i32; 2] {
        let (geometry, point) = (self.game.geometry(), usize::from(mv));
        let change = |player: usize, point: usize| {
            let (old, new) = (position.patterns(player, point), child.patterns(player, point));
            if old == new { 0 } else { self.worth(player, new) - self.worth(player, old) }
        };
        let mut sums = *sums;
        for player in [FIRST, SECOND] {
            sums[player] += change(player, point);
        }
        for direction in 0..DIRECTIONS {
            let Place { line, at, .. } = geometry.places[point][direction];
            let beside = 1 << REACH;
            let mut places = !(geometry.walls[usize::from(line)] >> at) & self.game.patterns().within & !beside;
            while places != 0 {
                let offset = places.trailing_zeros() as isize - REACH as isize;
                places &= places - 1;
                let other = point.wrapping_add_signed(offset * geometry.steps[direction]);
                for player in [FIRST, SECOND] {
                    sums[player] += change(player, other);
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn pass(&self, sums: &[i32; 2], _: &Position) -> [i32; 2] {
        *sums
    }

    /// The side to move may use its patterns first; a threat that it must answer at once costs it
    /// the move.
    #[inline(always)]
    fn evaluate(&self, sums: &[i32; 2], position: &Position) -> Score {
        let own = position.to_move();
        let (threats, against) = (position.threats(own), position.threats(1 - own));
        if !threats.fives.is_empty() {
            return FIVE_NEXT;
        }
        let balance = (sums[own] * ON_MOVE_EIGHTHS / 8 - sums[1 - own]) / TENTHS + TEMPO;
        if !against.fives.is_empty() {
            let replies = against.fives.count();
            return if replies > 1 { -FIVE_NEXT } else { balance.min(OPEN_FOUR_NEXT) - MUST_ANSWER };
        }
        if !threats.open_fours.is_empty() {
            return OPEN_FOUR_NEXT;
        }
        let answers = if against.open_fours.is_empty() { 0 } else { MUST_ANSWER };
        (balance - answers).clamp(-OPEN_FOUR_NEXT, OPEN_FOUR_NEXT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::names;
    use crate::search::game::Game;
    use flipside_support::random::Random;

    #[test]
    fn the_sums_are_kept_up_move_by_move() {
        for names in names::GOMOKU {
            let game = Gomoku::named(names.name).expect("a game");
            let eval = PatternEvaluation::named(game, "patterns").expect("an evaluation");
            let mut random = Random(11);
            for _ in 0..20 {
                let mut position = game.start();
                let mut sums = eval.refresh(&position);
                for _ in 0..60 {
                    let moves: Vec<Point> = game.moves(&position).filter(|point| point % 20 < 9).collect();
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[random.below(moves.len())];
                    let child = game.play(&position, mv);
                    sums = eval.update(&sums, &position, mv, &child);
                    assert_eq!(sums, eval.refresh(&child));
                    position = child;
                }
            }
        }
    }
}
