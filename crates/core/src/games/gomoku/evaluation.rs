//! The evaluation: the worth of all patterns that stones on empty points would make, for the side
//! to move and for the other, updated move by move.

use super::geometry::{DIRECTIONS, Place};
use super::kinds::kind;
use super::pattern::REACH;
use super::position::Position;
use super::rule::{FIRST, SECOND};
use super::rules::{Gomoku, Point};
use super::threats::{ALL_PATTERNS, Fork, PointPatterns};
use super::weights::{PatternWeights, TENTHS, Worth};
use crate::search::evaluation::Eval;
use crate::search::types::{Score, UNIT};
use std::sync::Arc;

/// The evaluation by line patterns. Its unit is roughly the worth of a move that makes an open
/// three.
#[derive(Clone)]
pub struct PatternEvaluation {
    game: Gomoku,
    /// By player and the patterns of a point.
    worths: [Arc<[Worth]>; 2],
    tempo: i32,
    must_answer: i32,
}

/// The next move makes five.
const FIVE_NEXT: Score = 100 * UNIT;
/// The next move makes a four that cannot be stopped.
const OPEN_FOUR_NEXT: Score = 60 * UNIT;

impl PatternEvaluation {
    /// The evaluation of that name; `default` is the first of [`names`](crate::games::names).
    pub fn named(game: Gomoku, name: &str) -> Option<PatternEvaluation> {
        Some(PatternEvaluation::new(game, &PatternWeights::named(name, game.rule())?))
    }

    /// The evaluation with these weights. A point that is forbidden to a player is worth nothing
    /// to that player.
    pub fn new(game: Gomoku, weights: &PatternWeights) -> PatternEvaluation {
        let of = |patterns: usize| weights.worths[kind(patterns as PointPatterns)];
        let all: Arc<[Worth]> = (0..ALL_PATTERNS).map(of).collect();
        let allowed = |patterns| Fork::of(patterns as PointPatterns) == Fork::Allowed;
        let without_forks =
            || (0..ALL_PATTERNS).map(|patterns| if allowed(patterns) { of(patterns) } else { [0; 2] }).collect();
        let worths =
            [FIRST, SECOND].map(|player| if game.rule().forbids(player) { without_forks() } else { all.clone() });
        PatternEvaluation { game, worths, tempo: weights.tempo.into(), must_answer: weights.must_answer.into() }
    }

    /// The worth of a point's patterns for a player, as the side to move and as the other, in
    /// tenths of hundredths.
    #[inline(always)]
    fn worth(&self, player: usize, patterns: PointPatterns) -> [i32; 2] {
        self.worths[player][usize::from(patterns)].map(i32::from)
    }
}

impl Eval<Gomoku> for PatternEvaluation {
    /// The worth of each player's patterns, as the side to move and as the other.
    type Accumulator = [[i32; 2]; 2];

    fn refresh(&self, position: &Position) -> [[i32; 2]; 2] {
        [FIRST, SECOND].map(|player| {
            let worths = (0..self.game.points()).map(|point| self.worth(player, position.patterns(player, point)));
            worths.fold([0; 2], plus)
        })
    }

    /// A stone changes the patterns of its own point and of the points on its four lines.
    #[inline(always)]
    fn update(&self, sums: &[[i32; 2]; 2], position: &Position, mv: Point, child: &Position) -> [[i32; 2]; 2] {
        let (geometry, point) = (self.game.geometry(), usize::from(mv));
        let mut sums = *sums;
        let mut change = |point: usize| {
            for player in [FIRST, SECOND] {
                let (old, new) = (position.patterns(player, point), child.patterns(player, point));
                if old != new {
                    let lost = self.worth(player, old).map(std::ops::Neg::neg);
                    sums[player] = plus(plus(sums[player], self.worth(player, new)), lost);
                }
            }
        };
        change(point);
        for direction in 0..DIRECTIONS {
            let Place { line, at, .. } = geometry.places[point][direction];
            let beside = 1 << REACH;
            let mut places = !(geometry.walls[usize::from(line)] >> at) & self.game.patterns().within & !beside;
            while places != 0 {
                let offset = places.trailing_zeros() as isize - REACH as isize;
                places &= places - 1;
                change(point.wrapping_add_signed(offset * geometry.steps[direction]));
            }
        }
        sums
    }

    #[inline(always)]
    fn pass(&self, sums: &[[i32; 2]; 2], _: &Position) -> [[i32; 2]; 2] {
        *sums
    }

    /// A threat that the side to move must answer at once costs it the move.
    #[inline(always)]
    fn evaluate(&self, sums: &[[i32; 2]; 2], position: &Position) -> Score {
        let own = position.to_move();
        let (threats, against) = (position.threats(own), position.threats(1 - own));
        if !threats.fives.is_empty() {
            return FIVE_NEXT;
        }
        let balance = (sums[own][0] - sums[1 - own][1] + self.tempo) / TENTHS;
        let answered = balance + self.must_answer / TENTHS;
        if !against.fives.is_empty() {
            return if against.fives.count() > 1 { -FIVE_NEXT } else { answered.min(OPEN_FOUR_NEXT) };
        }
        if !threats.open_fours.is_empty() {
            return OPEN_FOUR_NEXT;
        }
        let score = if against.open_fours.is_empty() { balance } else { answered };
        score.clamp(-OPEN_FOUR_NEXT, OPEN_FOUR_NEXT)
    }
}

#[inline(always)]
fn plus(a: [i32; 2], b: [i32; 2]) -> [i32; 2] {
    [a[0] + b[0], a[1] + b[1]]
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
