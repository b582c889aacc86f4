//! A position: the stones as bits of lines, and for each empty point and player what a stone there would make in each of the
//! four directions. A stone changes the patterns of at most forty points, which is all that is computed anew.

use super::geometry::{DIRECTIONS, Geometry, MAX_LINES, Place};
use super::pattern::{Pattern, PatternTable, REACH};
use super::point_set::{MAX_POINTS, PointSet};
use std::fmt;

/// The first player, who is black.
pub const FIRST: usize = 0;
/// The other.
pub const SECOND: usize = 1;

/// What a stone on a point would make, four bits a direction.
pub type PointPatterns = u16;

/// The patterns of a point one by one.
#[inline(always)]
pub fn directions(patterns: PointPatterns) -> [u8; DIRECTIONS] {
    std::array::from_fn(|direction| (patterns >> (4 * direction) & 15) as u8)
}

/// The points where a stone of a player would decide something.
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

    /// Where a stone of the player would decide something.
    #[inline(always)]
    pub fn threats(&self, player: usize) -> &Threats {
        &self.threats[player]
    }

    /// What a stone of the player on an empty point would make; nothing on others.
    #[inline(always)]
    pub fn patterns(&self, player: usize, point: usize) -> PointPatterns {
        self.patterns[player][point]
    }

    /// The other player is to move.
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
            self.set_patterns(other, point, 0);
        }
        let places = geometry.places[point];
        for Place { line, at } in places {
            self.lines[player][usize::from(line)] |= 1 << (usize::from(at) + REACH);
        }
        for (direction, Place { line, at }) in places.into_iter().enumerate() {
            let line = usize::from(line);
            let taken = self.lines[FIRST][line] | self.lines[SECOND][line] | geometry.walls[line];
            let mut empties = !(taken >> at) & ((1 << (2 * REACH + 1)) - 1);
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

    /// Looks the patterns of an empty point up in one direction.
    #[inline(always)]
    fn refresh(&mut self, geometry: &Geometry, table: &PatternTable, point: usize, direction: usize) {
        let Place { line, at } = geometry.places[point][direction];
        let (line, wall) = (usize::from(line), geometry.walls[usize::from(line)]);
        // The ten points around the middle: five bits on each side of it.
        let around = |bits: u32| bits >> at & 31 | bits >> at >> 1 & 0x3e0;
        let stones = [self.lines[FIRST][line], self.lines[SECOND][line]];
        for player in [FIRST, SECOND] {
            let number = table.number(around(stones[player]), around(stones[1 - player] | wall));
            let old = self.patterns[player][point];
            let new = old & !(15 << (4 * direction)) | PointPatterns::from(number) << (4 * direction);
            if new != old {
                self.set_patterns(player, point, new);
            }
        }
    }

    #[inline(always)]
    fn set_patterns(&mut self, player: usize, point: usize, patterns: PointPatterns) {
        let old = std::mem::replace(&mut self.patterns[player][point], patterns);
        let (before, now) = (Threat::of(old), Threat::of(patterns));
        if before != now {
            let threats = &mut self.threats[player];
            threats.fives.set(point, now.five);
            threats.fours.set(point, now.four);
            threats.open_fours.set(point, now.open_four);
            threats.threes.set(point, now.three);
        }
    }
}

/// What a point's patterns are together.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Threat {
    five: bool,
    four: bool,
    open_four: bool,
    three: bool,
}

impl Threat {
    #[inline(always)]
    fn of(patterns: PointPatterns) -> Threat {
        let numbers = directions(patterns);
        let count = |least: Pattern| numbers.iter().filter(|&&number| number >= least as u8).count();
        let (fours, open_fours) = (count(Pattern::Four), count(Pattern::OpenFour));
        let open_threes = numbers.iter().filter(|&&number| number == Pattern::OpenThree as u8).count();
        let five = count(Pattern::Five) > 0;
        Threat {
            five,
            four: fours > 0,
            open_four: !five && (open_fours > 0 || fours > 1),
            three: fours > 0 || open_threes > 0,
        }
    }
}
