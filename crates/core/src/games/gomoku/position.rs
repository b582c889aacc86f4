//! A position: the stones as bits of lines, and for each empty point and player the pattern that a
//! stone there would make in each of the four directions. A stone changes the patterns of at most
//! forty points, and only these are computed anew.

use super::geometry::{DIRECTIONS, Geometry, MAX_LINES, Place, around};
use super::pattern::{Pattern, PatternTable, REACH, ternary};
use super::point_set::{MAX_POINTS, PointSet};
use std::fmt;

/// The first player: black.
pub const FIRST: usize = 0;
/// The other.
pub const SECOND: usize = 1;

/// The patterns that a stone on a point would make, four bits a direction.
pub type PointPatterns = u16;

/// The patterns of a point one by one.
#[inline(always)]
pub fn directions(patterns: PointPatterns) -> [u8; DIRECTIONS] {
    std::array::from_fn(|direction| (patterns >> (4 * direction) & 15) as u8)
}

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
            self.set_patterns(other, point, 0);
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

    /// Looks up the patterns of an empty point in one direction.
    #[inline(always)]
    fn refresh(&mut self, geometry: &Geometry, table: &PatternTable, point: usize, direction: usize) {
        let Place { line, at, wall } = geometry.places[point][direction];
        let (line, at) = (usize::from(line), usize::from(at));
        let first = ternary(around(self.lines[FIRST][line], at));
        let second = ternary(around(self.lines[SECOND][line], at));
        for (player, window) in [(FIRST, first + 2 * second + wall), (SECOND, second + 2 * first + wall)] {
            let old = self.patterns[player][point];
            let number = PointPatterns::from(table.number(window));
            let new = old & !(15 << (4 * direction)) | number << (4 * direction);
            if new != old {
                self.set_patterns(player, point, new);
            }
        }
    }

    #[inline(always)]
    fn set_patterns(&mut self, player: usize, point: usize, patterns: PointPatterns) {
        let old = std::mem::replace(&mut self.patterns[player][point], patterns);
        let changed = threat(old) ^ threat(patterns);
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

// The patterns of a point together, a bit each.
const FIVE: u8 = 1;
const FOUR: u8 = 2;
const OPEN_FOUR: u8 = 4;
const THREE: u8 = 8;

/// The pattern numbers of a point are below this.
const ALL_PATTERNS: usize = 0x8889;

/// The flags of all patterns.
static THREATS: [u8; ALL_PATTERNS] = {
    let mut threats = [0; ALL_PATTERNS];
    let mut patterns = 0;
    while patterns < ALL_PATTERNS {
        threats[patterns] = flags(patterns);
        patterns += 1;
    }
    threats
};

const fn flags(patterns: usize) -> u8 {
    let (mut fives, mut open_fours, mut fours, mut open_threes) = (0, 0, 0, 0);
    let mut direction = 0;
    while direction < DIRECTIONS {
        let number = patterns >> (4 * direction) & 15;
        fives += (number >= Pattern::Five as usize) as u32;
        open_fours += (number >= Pattern::OpenFour as usize) as u32;
        fours += (number >= Pattern::Four as usize) as u32;
        open_threes += (number == Pattern::OpenThree as usize) as u32;
        direction += 1;
    }
    let mut flags = 0;
    if fives > 0 {
        flags |= FIVE;
    }
    if fours > 0 {
        flags |= FOUR;
    }
    if fives == 0 && (open_fours > 0 || fours > 1) {
        flags |= OPEN_FOUR;
    }
    if fours > 0 || open_threes > 0 {
        flags |= THREE;
    }
    flags
}

#[inline(always)]
fn threat(patterns: PointPatterns) -> u8 {
    THREATS[usize::from(patterns)]
}
