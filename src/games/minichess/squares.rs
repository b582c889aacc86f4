//! The squares of the 5x6 board and who reaches what: sets of squares are the low 30 bits of a word.
//!
//! Square `5 * rank + file` with a1 = 0, e1 = 4, a6 = 25, e6 = 29.

/// A square, below [`SQUARES`].
pub type Square = u8;
/// A set of squares.
pub type Set = u32;

/// Files a to e.
pub const FILES: usize = 5;
/// Ranks 1 to 6.
pub const RANKS: usize = 6;
/// Squares of the board.
pub const SQUARES: usize = FILES * RANKS;
/// Every square.
pub const ALL: Set = (1 << SQUARES) - 1;
/// The first rank, White's own.
pub const FIRST_RANK: Set = 0b11111;
/// The last rank, Black's own.
pub const LAST_RANK: Set = FIRST_RANK << 25;
/// File a.
pub const FILE_A: Set = 0x0210_8421;
/// File e.
pub const FILE_E: Set = FILE_A << 4;

/// The set of one square.
#[inline(always)]
pub const fn bit(square: Square) -> Set {
    1 << square
}

/// The file of a square, 0 to 4.
#[inline(always)]
pub const fn file_of(square: Square) -> usize {
    square as usize % FILES
}

/// The rank of a square, 0 to 5.
#[inline(always)]
pub const fn rank_of(square: Square) -> usize {
    square as usize / FILES
}

/// The squares of a set, the lowest first.
#[derive(Clone, Copy, Debug)]
pub struct Squares(pub Set);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as Square;
        self.0 &= self.0 - 1;
        Some(square)
    }
}

/// Squares that a jumper reaches from each square by steps of (files, ranks).
const fn jumps<const N: usize>(steps: [(i8, i8); N]) -> [Set; SQUARES] {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut step = 0;
        while step < N {
            let file = (from % FILES) as i8 + steps[step].0;
            let rank = (from / FILES) as i8 + steps[step].1;
            if file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8 {
                table[from] |= 1 << (rank as usize * FILES + file as usize);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

/// Where a knight goes.
pub const KNIGHT: [Set; SQUARES] = jumps([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
/// Where a king goes.
pub const KING: [Set; SQUARES] = jumps([(1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)]);
/// Where a bishop may also step if the square is empty.
pub const STEP: [Set; SQUARES] = jumps([(1, 0), (0, -1), (-1, 0), (0, 1)]);
/// What a pawn attacks, White's before Black's.
pub const PAWN: [[Set; SQUARES]; 2] = [jumps([(-1, 1), (1, 1)]), jumps([(-1, -1), (1, -1)])];

/// Directions as (files, ranks): the first four run to higher squares, the others are their opposites.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];

/// The empty-board rays of each direction, with two unused entries so that "no blocker" can be
/// looked up as well: the ray of square 31 and, for the other directions, of a1 is empty.
const RAYS: [[Set; 32]; 8] = rays();

const fn rays() -> [[Set; 32]; 8] {
    let mut table = [[0; 32]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = DIRECTIONS[direction];
        let mut from = 0;
        while from < SQUARES {
            let mut file = (from % FILES) as i8 + files;
            let mut rank = (from / FILES) as i8 + ranks;
            while file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8 {
                table[direction][from] |= 1 << (rank as usize * FILES + file as usize);
                file += files;
                rank += ranks;
            }
            from += 1;
        }
        direction += 1;
    }
    table
}

/// The ray to higher squares up to its first blocker, that one included.
#[inline(always)]
fn upward(direction: usize, from: Square, occupied: Set) -> Set {
    let ray = RAYS[direction][usize::from(from)];
    let blocker = (ray & occupied | 1 << 31).trailing_zeros();
    ray ^ RAYS[direction][blocker as usize]
}

/// The ray to lower squares up to its first blocker, that one included.
#[inline(always)]
fn downward(direction: usize, from: Square, occupied: Set) -> Set {
    let ray = RAYS[direction][usize::from(from)];
    let blocker = 31 - (ray & occupied | 1).leading_zeros();
    ray ^ RAYS[direction][blocker as usize]
}

/// What a rook attacks.
#[inline(always)]
pub fn rook(from: Square, occupied: Set) -> Set {
    upward(0, from, occupied) | upward(1, from, occupied) | downward(4, from, occupied) | downward(5, from, occupied)
}

/// What a bishop attacks (its steps to empty neighbours attack nothing).
#[inline(always)]
pub fn diagonal(from: Square, occupied: Set) -> Set {
    upward(2, from, occupied) | upward(3, from, occupied) | downward(6, from, occupied) | downward(7, from, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_ranks_cover_the_board() {
        assert_eq!((0..FILES).map(|file| FILE_A << file).fold(0, |all, file| all | file), ALL);
        assert_eq!((file_of(29), rank_of(29), file_of(5), rank_of(5)), (4, 5, 0, 1));
        assert_eq!(FILE_E.count_ones(), 6);
    }

    #[test]
    fn jumps_stay_on_the_board() {
        assert_eq!(KNIGHT[0], bit(11) | bit(7));
        assert_eq!(KING[29], bit(28) | bit(23) | bit(24));
        assert_eq!((PAWN[0][5], PAWN[1][9]), (bit(11), bit(3)));
        assert_eq!(STEP[12].count_ones(), 4);
    }

    /// Every square and a thousand occupancies against a walk square by square.
    #[test]
    fn sliders_stop_at_the_first_blocker() {
        let walk = |from: Square, occupied: Set, directions: [usize; 4]| {
            let mut reached = 0;
            for (files, ranks) in directions.map(|direction| DIRECTIONS[direction]) {
                let (mut file, mut rank) = (file_of(from) as i8 + files, rank_of(from) as i8 + ranks);
                while (0..FILES as i8).contains(&file) && (0..RANKS as i8).contains(&rank) {
                    let square = bit((rank * FILES as i8 + file) as Square);
                    reached |= square;
                    if occupied & square != 0 {
                        break;
                    }
                    file += files;
                    rank += ranks;
                }
            }
            reached
        };
        let mut random = 0x2545_f491_u32;
        for _ in 0..1_000 {
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            let occupied = random & ALL;
            for from in 0..SQUARES as Square {
                assert_eq!(rook(from, occupied), walk(from, occupied, [0, 1, 4, 5]));
                assert_eq!(diagonal(from, occupied), walk(from, occupied, [2, 3, 6, 7]));
            }
        }
    }
}
