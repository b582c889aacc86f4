//! A position: the stones as bits of lines, and for each empty point and player the pattern that a
//! stone there would make in each of the four directions. A stone changes the patterns of at most
//! forty points, and only these are computed anew.

use super::geometry::{DIRECTIONS, Geometry, MAX_LINES, Place, around};
use super::pattern::{Pattern, REACH, ternary};
use super::pattern_table::PatternTable;
use super::point_set::{MAX_POINTS, PointSet};
use super::rule::{FIRST, SECOND};
use super::threats::{FIVE, FOUR, OPEN_FOUR, PointPatterns, THREE};
use std::fmt;

/// Points where a stone of a player would decide something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// It makes five.
    pub fives: PointSet,
    /// It makes a four, or more.
    pub fours: PointSet,
    /// It makes a four that cannot be stopped: an open one, or two of them.
    pub open_fours: PointSet,
    /// It makes an open three, or more.
    pub threes: PointSet,
}

/// Stones, patterns and the player to move.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    lines: [[u32; MAX_LINES]; 2],
    patterns: [[PointPatterns; MAX_POINTS]; 2],
    threats: [Threats; 2],
    stones: [PointSet; 2],
    near: PointSet,
    key: u64,
    to_move: u8,
    winner: Option<u8>,
}

impl fmt::Debug for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = |player: usize| self.stones[player].iter().collect::<Vec<_>>();
        write!(formatter, "first {:?}, second {:?}, {} to move", points(FIRST), points(SECOND), self.to_move)
    }
}

impl Position {
    /// The empty board.
    pub fn empty(geometry: &Geometry, table: &PatternTable) -> Position {
        let mut position = Position {
            lines: [[0; MAX_LINES]; 2],
            patterns: [[0; MAX_POINTS]; 2],
            threats: [Threats::default(); 2],
            stones: [PointSet::EMPTY; 2],
            near: PointSet::EMPTY,
            key: 0,
            to_move: FIRST as u8,
            winner: None,
        };
        for point in 0..geometry.places.len() {
            for direction in 0..DIRECTIONS {
                position.refresh(geometry, table, point, direction);
            }
        }
        position
    }

    /// The player to move: [`FIRST`] or [`SECOND`].
    #[inline(always)]
    pub fn to_move(&self) -> usize {
        usize::from(self.to_move)
    }

    /// The player who has five in a row.
    #[inline(always)]
    pub fn winner(&self) -> Option<usize> {
        self.winner.map(usize::from)
    }

    /// A hash of the stones and the player to move.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The stones of a player.
    #[inline(always)]
    pub fn stones(&self, player: usize) -> &PointSet {
        &self.stones[player]
    }

    /// How many stones there are.
    pub fn count(&self) -> u32 {
        self.stones[FIRST].count() + self.stones[SECOND].count()
    }

    /// True if no stone stands on the point.
    #[inline(always)]
    pub fn is_empty(&self, point: usize) -> bool {
        !self.stones[FIRST].contains(point) && !self.stones[SECOND].contains(point)
    }

    /// The empty points near a stone.
    #[inline(always)]
    pub fn near(&self) -> PointSet {
        self.near.without(&self.stones[FIRST]).without(&self.stones[SECOND])
    }

    /// The points where a stone of the player would decide something.
    #[inline(always)]
    pub fn threats(&self, player: usize) -> &Threats {
        &self.threats[player]
    }

    /// The patterns that a stone of the player on an empty point would make; none on other points.
    #[inline(always)]
    pub fn patterns(&self, player: usize, point: usize) -> PointPatterns {
        self.patterns[player][point]
    }

    /// Passes the turn to the other player.
    pub fn passed(&self, geometry: &Geometry) -> Position {
        let mut passed = self.clone();
        passed.to_move ^= 1;
        passed.key ^= geometry.turn_key;
        passed
    }

    /// The position after a stone of the player to move on an empty point.
    #[inline(always)]
    pub fn after(&self, geometry: &Geometry, table: &PatternTable, point: usize) -> Position {
        let mut next = self.clone();
        next.place(geometry, table, self.to_move(), point);
        next.to_move ^= 1;
        next.key ^= geometry.turn_key;
        next
    }

    /// Puts a stone on an empty point; the player to move stays.
    pub fn place(&mut self, geometry: &Geometry, table: &PatternTable, player: usize, point: usize) {
        if self.threats[player].fives.contains(point) {
            self.winner = Some(player as u8);
        }
        self.key ^= geometry.keys[player][point];
        self.stones[player].set(point, true);
        self.near = self.near.union(&geometry.near[point]);
        for other in [FIRST, SECOND] {
            self.set_patterns(table, other, point, 0);
        }
        for (direction, Place { line, at, .. }) in geometry.places[point].into_iter().enumerate() {
            let line = usize::from(line);
            self.lines[player][line] |= 1 << (usize::from(at) + REACH);
            let taken = self.lines[FIRST][line] | self.lines[SECOND][line] | geometry.walls[line];
            let mut empties = !(taken >> at) & table.within;
            while empties != 0 {
                let offset = empties.trailing_zeros() as isize - REACH as isize;
                empties &= empties - 1;
                self.refresh(geometry, table, point.wrapping_add_signed(offset * geometry.steps[direction]), direction);
            }
        }
    }

    /// Sets the player to move.
    pub fn set_to_move(&mut self, geometry: &Geometry, player: usize) {
        if player != self.to_move() {
            self.to_move ^= 1;
            self.key ^= geometry.turn_key;
        }
    }

    /// Decides by the stones as they stand who has won. After stones were placed in any order, only that counts; if both
    /// players have won, the one who is not to move made the last move.
    pub fn find_winner(&mut self, geometry: &Geometry, table: &PatternTable) {
        let has_won = |player: &usize| {
            let wins = |point: usize, direction: usize| {
                let windows = self.windows(geometry, point, direction);
                table.number(*player, windows[*player]) == Pattern::Five as u8
            };
            self.stones[*player].iter().any(|point| (0..DIRECTIONS).any(|direction| wins(point, direction)))
        };
        self.winner = [1 - self.to_move(), self.to_move()].into_iter().find(has_won).map(|player| player as u8);
    }

    /// The points at both ends of the line of the player's stones through a point, which may be empty itself; `None` off
    /// the board.
    pub fn ends(&self, geometry: &Geometry, player: usize, point: usize, direction: usize) -> [Option<usize>; 2] {
        [-1, 1].map(|sign| {
            let beside = |steps: isize| self.point_beside(geometry, point, direction, sign * steps);
            (1..).map(beside).find(|at| at.is_none_or(|at| !self.stones[player].contains(at))).flatten()
        })
    }

    /// The point this many steps beside another in a direction, if it is on the board.
    pub fn point_beside(&self, geometry: &Geometry, point: usize, direction: usize, steps: isize) -> Option<usize> {
        let Place { line, at, .. } = geometry.places[point][direction];
        let bit = usize::from(at).checked_add_signed(REACH as isize + steps)?;
        let is_on_board = bit < u32::BITS as usize && geometry.walls[usize::from(line)] >> bit & 1 == 0;
        is_on_board.then(|| point.wrapping_add_signed(steps * geometry.steps[direction]))
    }

    /// The windows of both players around a point in one direction.
    #[inline(always)]
    fn windows(&self, geometry: &Geometry, point: usize, direction: usize) -> [u32; 2] {
        let Place { line, at, wall } = geometry.places[point][direction];
        let (line, at) = (usize::from(line), usize::from(at));
        let first = ternary(around(self.lines[FIRST][line], at));
        let second = ternary(around(self.lines[SECOND][line], at));
        [first + 2 * second + wall, second + 2 * first + wall]
    }

    /// Looks up the patterns of an empty point in one direction.
    #[inline(always)]
    fn refresh(&mut self, geometry: &Geometry, table: &PatternTable, point: usize, direction: usize) {
        let windows = self.windows(geometry, point, direction);
        for player in [FIRST, SECOND] {
            let old = self.patterns[player][point];
            let number = PointPatterns::from(table.number(player, windows[player]));
            let new = old & !(15 << (4 * direction)) | number << (4 * direction);
            if new != old {
                self.set_patterns(table, player, point, new);
            }
        }
    }

    #[inline(always)]
    fn set_patterns(&mut self, table: &PatternTable, player: usize, point: usize, patterns: PointPatterns) {
        let old = std::mem::replace(&mut self.patterns[player][point], patterns);
        let changed = table.threat(player, old) ^ table.threat(player, patterns);
        if changed != 0 {
            let Threats { fives, fours, open_fours, threes } = &mut self.threats[player];
            for (set, flag) in [(fives, FIVE), (fours, FOUR), (open_fours, OPEN_FOUR), (threes, THREE)] {
                if changed & flag != 0 {
                    set.toggle(point);
                }
            }
        }
    }
}
