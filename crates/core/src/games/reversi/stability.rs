//! Stable discs, which can never be flipped again, as a lower bound: two algorithms on the same
//! full lines.
//!
//! [`Stability`] is the solver's. On the edges it is complete as far as an edge alone can tell (a
//! table of all 3^8 edges); inside, a disc is stable if along each of its four lines the line is
//! full, a neighbour is stable, or the board ends there. [`stable_from_corners`] is the
//! textbook's, without a table.

use std::sync::LazyLock;

/// `EDGES[player << 8 | opponent]`: the player's discs of an edge that no play along it can flip.
static EDGES: LazyLock<Vec<u8>> = LazyLock::new(edge_table);

/// A reference to the table of edges, taken once, so that the recursion does not check whether it is initialised.
pub struct Stability {
    edges: &'static [u8],
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
const SIDES: u64 = A_FILE | H_FILE;
const ENDS: u64 = 0xff00_0000_0000_00ff;

impl Stability {
    /// Builds the table on first use.
    pub fn new() -> Stability {
        Stability { edges: &EDGES }
    }

    /// Some of the player's discs that can never be flipped again.
    #[inline(always)]
    pub fn stable(&self, player: u64, opponent: u64) -> u64 {
        let mut stable = self.edges(player, opponent);
        let full = full_lines(player | opponent);
        stable |= player & full[0] & full[1] & full[2] & full[3];
        if stable == 0 {
            return 0;
        }
        // Stability spreads from disc to disc until nothing changes.
        loop {
            let along_row = full[0] | stable << 1 | stable >> 1 | SIDES;
            let along_file = full[1] | stable << 8 | stable >> 8 | ENDS;
            let rising = full[2] | stable << 7 | stable >> 7 | SIDES | ENDS;
            let falling = full[3] | stable << 9 | stable >> 9 | SIDES | ENDS;
            let grown = stable | (player & along_row & along_file & rising & falling & !(SIDES | ENDS));
            if grown == stable {
                return stable;
            }
            stable = grown;
        }
    }

    #[inline(always)]
    fn edges(&self, player: u64, opponent: u64) -> u64 {
        let edge = |own: u64, other: u64| u64::from(self.edges[(own << 8 | other) as usize & 0xffff]);
        let top = edge(player & 0xff, opponent & 0xff);
        let bottom = edge(player >> 56, opponent >> 56) << 56;
        let left = sigma(edge(gather(player), gather(opponent)));
        let right = sigma(edge(gather(player >> 7), gather(opponent >> 7))) << 7;
        top | bottom | left | right
    }
}

impl Default for Stability {
    fn default() -> Self {
        Self::new()
    }
}

/// The a-file as a byte.
#[inline(always)]
fn gather(discs: u64) -> u64 {
    (discs & A_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// A byte as the a-file.
#[inline(always)]
fn sigma(byte: u64) -> u64 {
    let low = (byte & 0xf).wrapping_mul(0x0020_4081) & 0x0101_0101;
    let high = (byte >> 4).wrapping_mul(0x0020_4081) & 0x0101_0101;
    high << 32 | low
}

/// Squares whose row, file, rising (step 7) and falling (step 9) line has no empty square.
#[inline(always)]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs;
    rows &= rows >> 1;
    rows &= rows >> 2;
    rows &= rows >> 4;
    let rows = (rows & A_FILE).wrapping_mul(0xff);

    let mut files = discs;
    files &= files.rotate_right(8);
    files &= files.rotate_right(16);
    files &= files.rotate_right(32);

    // Flood fill of the empty squares along their diagonals, by steps of 1, 2 and 4; masks stop it at the board's sides.
    let empty = !discs;
    [rows, files, !diagonals(empty, 7, H_FILE, A_FILE), !diagonals(empty, 9, A_FILE, H_FILE)]
}

/// All squares on a diagonal with one of the squares: `after_up` is the file that a step upwards
/// wraps to, `after_down` the one that a step downwards wraps to.
#[inline(always)]
fn diagonals(squares: u64, step: u32, after_up: u64, after_down: u64) -> u64 {
    let mut up = squares;
    let mut through = !after_up;
    up |= through & (up << step);
    through &= through << step;
    up |= through & (up << (2 * step));
    through &= through << (2 * step);
    up |= through & (up << (4 * step));

    let mut down = squares;
    let mut through = !after_down;
    down |= through & (down >> step);
    through &= through >> step;
    down |= through & (down >> (2 * step));
    through &= through >> (2 * step);
    down |= through & (down >> (4 * step));
    up | down
}

/// Own discs that are safe along all four lines: on each line the board ends beside the disc, or a stable own disc
/// stands there, or the line is full. Grown from the corners until nothing changes.
pub fn stable_from_corners(own: u64, other: u64) -> u64 {
    let full = full_lines(own | other);
    let (first_row, last_row) = (0xff, 0xff << 56);
    let mut stable = 0;
    loop {
        // A line is safe for a disc if the board ends beside it, a stable disc stands beside it, or the line is full.
        let safe = |shift: u32, low_end: u64, high_end: u64, full: u64| {
            (stable << shift & !low_end) | (stable >> shift & !high_end) | low_end | high_end | full
        };
        let rows = safe(1, A_FILE, H_FILE, full[0]);
        let files = safe(8, first_row, last_row, full[1]);
        let rising = safe(7, H_FILE | first_row, A_FILE | last_row, full[2]);
        let falling = safe(9, A_FILE | first_row, H_FILE | last_row, full[3]);
        let grown = own & rows & files & falling & rising;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

fn edge_table() -> Vec<u8> {
    let mut table = vec![0u8; 1 << 16];
    let mut done = vec![false; 1 << 16];
    for own in 0..=255u8 {
        for other in 0..=255u8 {
            if own & other == 0 {
                fill_edge(own, other, &mut table, &mut done);
            }
        }
    }
    table
}

/// The own discs that survive every way of filling the edge, whichever side moves and whether or not the rest of the
/// board would allow the moves.
fn fill_edge(own: u8, other: u8, table: &mut [u8], done: &mut [bool]) -> u8 {
    let index = usize::from(own) << 8 | usize::from(other);
    if done[index] {
        return table[index];
    }
    let mut stable = own;
    for square in (0..8).filter(|square| (own | other) >> square & 1 == 0) {
        let flips = edge_flips(own, other, square);
        stable &= fill_edge(own | 1 << square | flips, other & !flips, table, done);
        let lost = edge_flips(other, own, square);
        stable &= fill_edge(own & !lost, other | 1 << square | lost, table, done);
    }
    table[index] = stable;
    done[index] = true;
    stable
}

fn edge_flips(own: u8, other: u8, square: i32) -> u8 {
    let mut flips = 0;
    for step in [-1, 1] {
        let mut run = 0;
        let mut at = square + step;
        while (0..8).contains(&at) && other >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 == 1 {
            flips |= run;
        }
    }
    flips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_and_their_neighbours() {
        let stability = Stability::new();
        assert_eq!(stability.stable(1, 0), 1);
        assert_eq!(stability.stable(0b111, 0), 0b111);
        assert_eq!(stability.stable(0b110, 0), 0);
        // All discs of a full edge are stable, and those of a triangle at a corner.
        assert_eq!(stability.stable(0x0f, 0xf0), 0x0f);
        assert_eq!(stability.stable(0x0000_0000_0001_0307, 0), 0x0000_0000_0001_0307);
    }

    #[test]
    fn a_full_board_is_stable() {
        let own = 0x1234_5678_9abc_def0;
        assert_eq!(Stability::new().stable(own, !own), own);
    }

    #[test]
    fn full_lines_are_found_square_by_square() {
        let steps = [(1i32, 0i32), (0, 1), (-1, 1), (1, 1)];
        let mut seed = 7u64;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let discs = seed | seed.rotate_left(23) | seed.rotate_left(41);
            let full = full_lines(discs);
            for square in 0..64i32 {
                for (line, (dx, dy)) in steps.into_iter().enumerate() {
                    let on_line = (-7..8)
                        .map(|k| (square % 8 + k * dx, square / 8 + k * dy))
                        .filter(|(x, y)| (0..8).contains(x) && (0..8).contains(y));
                    let all = on_line.into_iter().all(|(x, y)| discs >> (y * 8 + x) & 1 == 1);
                    assert_eq!(full[line] >> square & 1 == 1, all, "line {line} of square {square}");
                }
            }
        }
    }
}
