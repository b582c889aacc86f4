//! The rules of Gomoku: players place stones on empty points in turn; the first with five in a row
//! wins.

use super::geometry::Geometry;
use super::pattern::{PatternTable, Rule};
use super::point_set::MAX_POINTS;
use super::position::Position;
use crate::games::names::{self, GameNames};
use crate::search::game::Game;
use crate::search::types::{Score, WIN};
use arrayvec::ArrayVec;

/// Gomoku on a board of a size, under a rule.
#[derive(Clone, Copy)]
pub struct Gomoku {
    rule: Rule,
    names: &'static GameNames,
    geometry: &'static Geometry,
    patterns: &'static PatternTable,
}

/// A move: the number of a point, row by row from the top left corner.
pub type Point = u16;

impl Gomoku {
    /// The registry's game of this name.
    pub fn named(name: &str) -> Option<Gomoku> {
        let names = names::GOMOKU.iter().find(|names| names.name == name)?;
        let variant = names.variant?;
        let rule = if variant.rule == names::GOMOKU_RULES[1] { Rule::ExactlyFive } else { Rule::Freestyle };
        Some(Gomoku { rule, names, geometry: Geometry::of(variant.size), patterns: PatternTable::of(rule) })
    }

    /// Points a side.
    pub fn size(&self) -> usize {
        self.geometry.size
    }

    /// The number of stones that wins.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Its names.
    pub fn names(&self) -> &'static GameNames {
        self.names
    }

    /// The lines of the board.
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The patterns of stones in a line.
    pub fn patterns(&self) -> &'static PatternTable {
        self.patterns
    }

    /// Points of the board.
    pub fn points(&self) -> usize {
        self.size() * self.size()
    }
}

impl Game for Gomoku {
    type Position = Position;
    type Move = Point;
    type MoveList<T: Clone> = ArrayVec<T, MAX_POINTS>;
    const MOVE_CODES: usize = MAX_POINTS;

    fn start(&self) -> Position {
        Position::empty(self.geometry, self.patterns)
    }

    /// A five wins; a full board is a draw.
    #[inline(always)]
    fn outcome(&self, position: &Position) -> Option<Score> {
        match position.winner() {
            Some(winner) => Some(if winner == position.to_move() { WIN } else { -WIN }),
            None => (position.count() as usize == self.points()).then_some(0),
        }
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Point> {
        let is_over = position.winner().is_some();
        (0..if is_over { 0 } else { self.points() })
            .filter(|&point| position.is_empty(point))
            .map(|point| point as Point)
    }

    #[inline(always)]
    fn play(&self, position: &Position, point: Point) -> Position {
        position.after(self.geometry, self.patterns, usize::from(point))
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    #[inline(always)]
    fn code(&self, point: Point) -> u16 {
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flipside_support::random::Random;

    /// The rules without lines and patterns, over the colours of points.
    struct Plain {
        size: usize,
        rule: Rule,
        stones: Vec<Option<usize>>,
    }

    impl Plain {
        /// The stones of one colour in a row through the point, including that point.
        fn run(&self, point: usize, (right, down): (isize, isize)) -> usize {
            let length = |sign: isize| {
                let at = |steps: isize| {
                    let column = usize::try_from((point % self.size) as isize + sign * steps * right).ok()?;
                    let row = usize::try_from((point / self.size) as isize + sign * steps * down).ok()?;
                    (column < self.size && row < self.size).then(|| self.stones[row * self.size + column])?
                };
                (1..).take_while(|&steps| at(steps) == self.stones[point]).count()
            };
            1 + length(1) + length(-1)
        }

        fn wins_at(&self, point: usize) -> bool {
            let runs = [(1, 0), (0, 1), (1, 1), (1, -1)].map(|direction| self.run(point, direction));
            runs.iter().any(|&run| run == 5 || run > 5 && self.rule == Rule::Freestyle)
        }
    }

    /// Random games: results, moves and points that win at once match the plain rules.
    #[test]
    fn the_rules_are_those_of_a_plain_board() {
        for (index, names) in names::GOMOKU.iter().enumerate() {
            let game = Gomoku::named(names.name).expect("a game");
            let mut random = Random(7 + index as u64);
            let mut ends = 0;
            for _ in 0..60 {
                let mut plain = Plain { size: game.size(), rule: game.rule(), stones: vec![None; game.points()] };
                let mut position = game.start();
                // On a part of the board, so that rows of five and more occur.
                let part = 5 + random.below(4);
                let points =
                    (0..game.points()).filter(|point| point % game.size() < part && point / game.size() < part);
                let mut order: Vec<usize> = points.collect();
                random.shuffle(&mut order);
                for point in order {
                    let player = position.to_move();
                    assert_eq!(game.outcome(&position), None);
                    for (empty, _) in plain.stones.clone().iter().enumerate().filter(|(_, stone)| stone.is_none()) {
                        plain.stones[empty] = Some(player);
                        assert_eq!(
                            plain.wins_at(empty),
                            position.threats(player).fives.contains(empty),
                            "{position:?}"
                        );
                        plain.stones[empty] = None;
                    }
                    position = game.play(&position, point as Point);
                    plain.stones[point] = Some(player);
                    let empties: Vec<Point> =
                        (0..game.points() as Point).filter(|&p| plain.stones[usize::from(p)].is_none()).collect();
                    if plain.wins_at(point) {
                        assert_eq!((game.outcome(&position), game.moves(&position).count()), (Some(-WIN), 0));
                        ends += 1;
                        break;
                    }
                    assert_eq!(game.moves(&position).collect::<Vec<_>>(), empties);
                }
            }
            assert!(ends > 20, "{ends} games ended");
        }
    }

    /// Patterns updated move by move equal those of the position set up at once, in another order.
    #[test]
    fn patterns_do_not_depend_on_the_order_of_stones() {
        let game = Gomoku::named("gomoku").expect("a game");
        let mut random = Random(3);
        for _ in 0..50 {
            let mut position = game.start();
            for _ in 0..40 {
                let empties: Vec<Point> = game.moves(&position).collect();
                if empties.is_empty() {
                    break;
                }
                position = game.play(&position, empties[random.below(empties.len())]);
            }
            let mut other = game.start();
            for player in [1, 0] {
                position
                    .stones(player)
                    .iter()
                    .for_each(|point| other.place(game.geometry(), game.patterns(), player, point));
            }
            other.set_to_move(game.geometry(), position.to_move());
            if position.winner().is_none() {
                assert!(position == other);
            }
        }
    }
}
