//! The squares of the 5x6 board and the attacks from each; sets of squares are the low 30 bits of a word.
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

/// The square mirrored left to right.
#[inline(always)]
pub const fn mirrored(square: Square) -> Square {
    square / FILES as Square * FILES as Square + (FILES as Square - 1 - square % FILES as Square)
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

/// Attacks of a leaper from each square, by steps of (files, ranks).
const fn leaper_attacks<const N: usize>(steps: [(i8, i8); N]) -> [Set; SQUARES] {
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

/// Attacks of a knight.
pub const KNIGHT: [Set; SQUARES] =
    leaper_attacks([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
/// Attacks of a king.
pub const KING: [Set; SQUARES] = leaper_attacks([(1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)]);
/// Steps of a bishop, to empty squares only.
pub const STEP: [Set; SQUARES] = leaper_attacks([(1, 0), (0, -1), (-1, 0), (0, 1)]);
/// Attacks of a pawn, White's before Black's.
pub const PAWN: [[Set; SQUARES]; 2] = [leaper_attacks([(-1, 1), (1, 1)]), leaper_attacks([(-1, -1), (1, -1)])];

/// Directions as (files, ranks): the first four run to higher squares, the others are their opposites.
const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];

/// The squares of a ray from a square up to and including the first blocker; without the last
/// square before the edge if `inner`, because a blocker there makes no difference.
const fn ray(from: usize, direction: usize, occupied: Set, inner: bool) -> Set {
    let (files, ranks) = DIRECTIONS[direction];
    let mut reached = 0;
    let mut file = (from % FILES) as i8 + files;
    let mut rank = (from / FILES) as i8 + ranks;
    while file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8 {
        let square = 1 << (rank as usize * FILES + file as usize);
        file += files;
        rank += ranks;
        let last = !(file >= 0 && file < FILES as i8 && rank >= 0 && rank < RANKS as i8);
        if !(inner && last) {
            reached |= square;
        }
        if occupied & square != 0 {
            break;
        }
    }
    reached
}

/// Magic bitboards (Kannan, 2007): the attacks of a slider for every set of blockers by a perfect hash. The relevant
/// blockers times a factor found by trial give the index in the upper bits.
struct Slider<const ENTRIES: usize> {
    blockers: [Set; SQUARES],
    factors: [u32; SQUARES],
    attacks: [[Set; ENTRIES]; SQUARES],
}

impl<const ENTRIES: usize> Slider<ENTRIES> {
    const fn new(directions: [usize; 4], factors: [u32; SQUARES]) -> Self {
        let mut slider = Slider { blockers: [0; SQUARES], factors, attacks: [[0; ENTRIES]; SQUARES] };
        let mut from = 0;
        while from < SQUARES {
            let [a, b, c, d] = directions;
            let all = ray(from, a, 0, true) | ray(from, b, 0, true) | ray(from, c, 0, true) | ray(from, d, 0, true);
            slider.blockers[from] = all;
            let mut some: Set = 0;
            loop {
                let attacked = ray(from, a, some, false)
                    | ray(from, b, some, false)
                    | ray(from, c, some, false)
                    | ray(from, d, some, false);
                slider.attacks[from][Self::index(some, factors[from])] = attacked;
                // The next subset of the blockers.
                some = some.wrapping_sub(all) & all;
                if some == 0 {
                    break;
                }
            }
            from += 1;
        }
        slider
    }

    #[inline(always)]
    const fn index(blockers: Set, factor: u32) -> usize {
        (blockers.wrapping_mul(factor) >> (u32::BITS - ENTRIES.trailing_zeros())) as usize
    }

    #[inline(always)]
    fn attacks(&self, from: Square, occupied: Set) -> Set {
        let from = usize::from(from);
        self.attacks[from][Self::index(occupied & self.blockers[from], self.factors[from])]
    }
}

static ROOK: Slider<128> = Slider::new(
    [0, 1, 4, 5],
    [
        0x8409_0401,
        0x1810_0881,
        0xc902_2100,
        0x1046_6421,
        0x4401_0280,
        0xa220_0400,
        0x6098_028d,
        0x204e_4094,
        0x0f48_2700,
        0x4082_0090,
        0x0104_8031,
        0x0d01_43c6,
        0x4021_1240,
        0x1111_8b8e,
        0x572d_809c,
        0x3402_050d,
        0x0614_1880,
        0x2672_0409,
        0x0961_7412,
        0x1222_2006,
        0x4421_8020,
        0x2244_0292,
        0x2120_2290,
        0x4120_1a00,
        0x0922_0230,
        0x0b64_a088,
        0x3021_c482,
        0x4894_0a02,
        0x433a_0129,
        0x8620_100a,
    ],
);

static DIAGONAL: Slider<32> = Slider::new(
    [2, 3, 6, 7],
    [
        0xc822_3000,
        0x901c_a059,
        0x0028_2060,
        0x0504_80ed,
        0x4128_a86c,
        0x00aa_8994,
        0x0545_2220,
        0x8b34_124a,
        0x5114_2840,
        0x0841_58ba,
        0x2820_a908,
        0xc104_2166,
        0x0080_109a,
        0x0420_49c0,
        0x4082_4909,
        0x0091_2090,
        0x1884_04a0,
        0x248c_0072,
        0x1a52_0200,
        0x5816_4094,
        0x6012_0a00,
        0x0961_2031,
        0x189c_9844,
        0x8003_a850,
        0xa108_8887,
        0x0022_ca21,
        0x9135_0b09,
        0x1d12_8070,
        0x217c_6944,
        0x1118_9110,
    ],
);

/// Attacks of a rook.
#[inline(always)]
pub fn rook(from: Square, occupied: Set) -> Set {
    ROOK.attacks(from, occupied)
}

/// Attacks of a bishop; its steps attack nothing.
#[inline(always)]
pub fn diagonal(from: Square, occupied: Set) -> Set {
    DIAGONAL.attacks(from, occupied)
}

/// The squares in all eight directions where a piece may stand between the square and a slider.
#[inline(always)]
pub fn screens(square: Square) -> Set {
    ROOK.blockers[usize::from(square)] | DIAGONAL.blockers[usize::from(square)]
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
    fn leapers_stay_on_the_board() {
        assert_eq!(KNIGHT[0], bit(11) | bit(7));
        assert_eq!(KING[29], bit(28) | bit(23) | bit(24));
        assert_eq!((PAWN[0][5], PAWN[1][9]), (bit(11), bit(3)));
        assert_eq!(STEP[12].count_ones(), 4);
    }

    /// Every square and a thousand occupancies against rays followed square by square.
    #[test]
    fn sliders_stop_at_the_first_blocker() {
        let by_steps = |from: Square, occupied: Set, directions: [usize; 4]| {
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
                assert_eq!(rook(from, occupied), by_steps(from, occupied, [0, 1, 4, 5]));
                assert_eq!(diagonal(from, occupied), by_steps(from, occupied, [2, 3, 6, 7]));
            }
        }
    }
}
