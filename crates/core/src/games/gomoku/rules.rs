//! The rules of Gomoku: players place stones on empty points in turn; the first with five in a row
//! wins. What counts as five, and what is forbidden, depends on the [`Rule`].

use super::geometry::{DIRECTIONS, Geometry};
use super::pattern::Pattern;
use super::pattern_table::PatternTable;
use super::point_set::{MAX_POINTS, PointSet};
use super::position::Position;
use super::rule::{RULES, Rule, SECOND};
use super::threats::directions;
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

/// A game of renju is drawn when only this many points are empty.
const RENJU_LAST_EMPTIES: u32 = 25;

impl Gomoku {
    /// The registry's game of this name.
    pub fn named(name: &str) -> Option<Gomoku> {
        let names = names::GOMOKU.iter().find(|names| names.name == name)?;
        let variant = names.variant?;
        let rule = RULES[names::GOMOKU_RULES.iter().position(|&name| name == variant.rule)?];
        Some(Gomoku { rule, names, geometry: Geometry::of(variant.size, rule), patterns: PatternTable::of(rule) })
    }

    /// Points a side.
    pub fn size(&self) -> usize {
        self.geometry.size
    }

    /// What wins, and what is forbidden.
    #[inline(always)]
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

    /// Stones that are still placed if nobody wins.
    #[inline(always)]
    pub fn stones_left(&self, position: &Position) -> u32 {
        let last_empties = if self.rule == Rule::Renju { RENJU_LAST_EMPTIES } else { 0 };
        (self.points() as u32).saturating_sub(position.count() + last_empties)
    }

    /// Whether the side to move may place a stone on a point, apart from the end of the game.
    #[inline(always)]
    pub fn is_legal(&self, position: &Position, point: usize) -> bool {
        position.is_empty(point) && !self.is_forbidden(position, position.to_move(), point)
    }

    /// The points of a set of empty ones on which the side to move may place a stone.
    #[inline(always)]
    pub fn allowed(&self, position: &Position, points: PointSet) -> PointSet {
        if !self.rule.forbids(position.to_move()) {
            return points;
        }
        let mut allowed = PointSet::EMPTY;
        points.iter().filter(|&point| self.is_legal(position, point)).for_each(|point| allowed.set(point, true));
        allowed
    }

    /// All points on which a stone of the side to move may prevent that the other player makes five at once.
    #[inline(always)]
    pub fn answers_to_fives(&self, position: &Position) -> PointSet {
        let fives = position.threats(1 - position.to_move()).fives;
        let answers = if self.rule.blocks_fives() { fives.union(&self.blocks(position, &fives)) } else { fives };
        self.allowed(position, answers)
    }

    /// Empty ends of the fives that the other player would make on these points, where the side to move has the other end.
    #[cold]
    fn blocks(&self, position: &Position, fives: &PointSet) -> PointSet {
        let (own, other) = (position.to_move(), 1 - position.to_move());
        let mut blocks = PointSet::EMPTY;
        for point in fives.iter() {
            let numbers = directions(position.patterns(other, point));
            for direction in (0..DIRECTIONS).filter(|&direction| numbers[direction] == Pattern::Five as u8) {
                let [Some(before), Some(after)] = position.ends(self.geometry, other, point, direction) else {
                    continue;
                };
                for (end, far) in [(before, after), (after, before)] {
                    if position.is_empty(end) && position.stones(own).contains(far) {
                        blocks.set(end, true);
                    }
                }
            }
        }
        blocks
    }

    /// Whether a player's open three can only be answered by a four, or on a point where that player would make a four.
    /// Not where Black's point may become forbidden by a stone far from it, or where a five may be blocked later.
    #[inline(always)]
    pub fn threes_are_forcing(&self, player: usize) -> bool {
        match self.rule {
            Rule::Freestyle | Rule::ExactlyFive => true,
            Rule::Renju => player == SECOND,
            Rule::Caro | Rule::CaroExactlyFive => false,
        }
    }

    /// Whether Black is to move and has no point that is allowed.
    #[inline(always)]
    fn has_no_move(&self, position: &Position) -> bool {
        self.rule.forbids(position.to_move()) && !(0..self.points()).any(|point| self.is_legal(position, point))
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

    /// A five wins. A full board is a draw; in renju that is one with few empty points, or with none for Black.
    #[inline(always)]
    fn outcome(&self, position: &Position) -> Option<Score> {
        match position.winner() {
            Some(winner) => Some(if winner == position.to_move() { WIN } else { -WIN }),
            None => (self.stones_left(position) == 0 || self.has_no_move(position)).then_some(0),
        }
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Point> {
        let is_over = position.winner().is_some() || self.stones_left(position) == 0;
        (0..if is_over { 0 } else { self.points() })
            .filter(|&point| self.is_legal(position, point))
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
    use crate::games::gomoku::plain::Plain;
    use crate::games::gomoku::rule::FIRST;
    use crate::search::notation::{Notation, Style};
    use crate::search::types::Side;
    use flipside_support::random::Random;

    /// A game by name and its plain twin, both at the start.
    fn twins(names: &GameNames) -> (Gomoku, Plain) {
        let game = Gomoku::named(names.name).expect("a game");
        (game, Plain::new(game.size(), names.variant.expect("a variant").rule))
    }

    /// Random games: results, moves and points that win at once match the plain rules.
    #[test]
    fn the_rules_are_those_of_a_plain_board() {
        for (index, names) in names::GOMOKU.iter().enumerate() {
            let mut random = Random(7 + index as u64);
            let (mut ends, mut forbidden) = (0, 0);
            for _ in 0..60 {
                let (game, mut plain) = twins(names);
                let mut position = game.start();
                // On a part of the board, so that rows of five and more occur.
                let part = 5 + random.below(4);
                let points =
                    (0..game.points()).filter(|point| point % game.size() < part && point / game.size() < part);
                let mut order: Vec<usize> = points.collect();
                random.shuffle(&mut order);
                while let Some(at) = order.iter().position(|&point| plain.is_allowed(point)) {
                    let (point, player) = (order.remove(at), position.to_move());
                    assert_eq!(game.outcome(&position), None);
                    for empty in 0..game.points() {
                        if !plain.is_empty(empty) {
                            continue;
                        }
                        let wins = position.threats(player).fives.contains(empty);
                        assert_eq!(plain.wins_at(empty), wins, "{empty} in {position:?}");
                    }
                    let allowed: Vec<Point> =
                        (0..game.points() as Point).filter(|&p| plain.is_allowed(usize::from(p))).collect();
                    forbidden += game.points() - position.count() as usize - allowed.len();
                    assert_eq!(game.moves(&position).collect::<Vec<_>>(), allowed, "{position:?}");
                    let won = plain.wins_at(point);
                    position = game.play(&position, point as Point);
                    plain.play(point);
                    if won {
                        assert_eq!((game.outcome(&position), game.moves(&position).count()), (Some(-WIN), 0));
                        ends += 1;
                        break;
                    }
                }
            }
            assert!(ends > 15, "{ends} games of {} ended", names.name);
            assert_eq!(forbidden > 100, game_forbids(names), "{forbidden} points of {}", names.name);
        }
    }

    fn game_forbids(names: &GameNames) -> bool {
        names.variant.is_some_and(|variant| variant.rule == "renju")
    }

    /// Leaves two plies below positions of random games, counted by both rules.
    #[test]
    fn perft_counts_what_a_plain_board_counts() {
        for names in names::GOMOKU {
            let mut random = Random(5);
            for _ in 0..2 {
                let (game, mut plain) = twins(names);
                let mut position = game.start();
                for _ in 0..30 {
                    let inner =
                        |point: &Point| usize::from(*point) % game.size() < 7 && usize::from(*point) < 7 * game.size();
                    let moves: Vec<Point> = game.moves(&position).filter(inner).collect();
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[random.below(moves.len())];
                    if game.outcome(&game.play(&position, mv)).is_some() {
                        break;
                    }
                    position = game.play(&position, mv);
                    plain.play(usize::from(mv));
                }
                let leaves: usize = game
                    .moves(&position)
                    .map(|mv| game.play(&position, mv))
                    .map(|child| if game.outcome(&child).is_some() { 1 } else { game.moves(&child).count() })
                    .sum();
                assert_eq!(leaves, plain.leaves_of_two_plies(), "{} {position:?}", names.name);
            }
        }
    }

    /// Patterns updated move by move equal those of the position set up at once, in another order.
    #[test]
    fn patterns_do_not_depend_on_the_order_of_stones() {
        for names in names::GOMOKU {
            let game = Gomoku::named(names.name).expect("a game");
            let mut random = Random(3);
            for _ in 0..10 {
                let mut position = game.start();
                for _ in 0..40 {
                    let empties: Vec<Point> = game.moves(&position).collect();
                    if empties.is_empty() {
                        break;
                    }
                    position = game.play(&position, empties[random.below(empties.len())]);
                }
                let text = game.show_position(&position, [Side::First, Side::Second][position.to_move()], Style::Plain);
                let (other, _) = game.read_position(&text, Style::Plain).expect("a position");
                assert!(position == other, "{text}");
            }
        }
    }

    /// The sheet of examples: black stones, a point, and whether it is forbidden.
    #[test]
    fn forks_and_overlines_are_forbidden_to_black() {
        let game = Gomoku::named("gomoku-renju").expect("a game");
        for (stones, point, is_forbidden) in [
            ("3,7 4,7 5,7 7,7 8,7", (6, 7), true),
            ("3,7 5,7 6,7 9,7", (7, 7), true),
            ("4,7 5,7 6,7 7,5 7,6", (7, 7), false),
            ("5,7 6,7 7,5 7,6", (7, 7), true),
            ("4,7 5,7 6,7 7,4 7,5 7,6", (7, 7), true),
            ("3,7 4,7 5,7 6,7 7,2 7,3 7,4 7,5 7,6", (7, 7), false),
        ] {
            let mut position = game.start();
            for stone in stones.split(' ') {
                let (x, y) = stone.split_once(',').expect("a point");
                let point = |text: &str| text.parse::<usize>().expect("a number");
                position.place(game.geometry(), game.patterns(), FIRST, point(y) * game.size() + point(x));
            }
            let at = point.1 * game.size() + point.0;
            assert_eq!(game.is_forbidden(&position, FIRST, at), is_forbidden, "{stones}");
            assert!(!game.is_forbidden(&position, SECOND, at), "White may play everywhere");
        }
    }

    /// In caro a stone beyond the end of a five answers the threat of it as well as one on the point.
    #[test]
    fn an_answer_may_block_the_far_end() {
        let game = Gomoku::named("gomoku-caro").expect("a game");
        let text = format!("oxxxx10/{} o", vec!["15"; 14].join("/"));
        let (position, _) = game.read_position(&text, Style::Plain).expect("a position");
        let answers: Vec<usize> = game.answers_to_fives(&position).iter().collect();
        assert_eq!(answers, [5, 6]);
        for answer in answers {
            let after = game.play(&position, answer as Point);
            assert!(after.threats(FIRST).fives.is_empty());
        }
    }
}
