//! The board as two sets of squares: plain data. Rules and kernels, which depend on the processor,
//! are in files of their own.

/// Number of squares.
pub const SQUARES: u32 = 64;
/// The pass, as a square number.
pub const PASS: u8 = 64;
/// The four corners.
pub const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A position: the discs of the side to move and of its opponent. Bit 0 is a1, bit 7 h1, bit 63 h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: u64,
    /// Discs of the other side.
    pub opponent: u64,
}

impl Board {
    /// The usual start: white on d4 and e5, black on e4 and d5, black to move.
    pub const START: Board = Board { player: 0x0000_0008_1000_0000, opponent: 0x0000_0010_0800_0000 };

    /// The empty squares.
    #[inline(always)]
    pub fn empty(self) -> u64 {
        !(self.player | self.opponent)
    }

    /// The number of empty squares.
    #[inline(always)]
    pub fn empties(self) -> u32 {
        self.empty().count_ones()
    }

    /// The same board with the opponent to move.
    #[inline(always)]
    pub fn passed(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// The board after a move, seen by the opponent, who moves next.
    #[inline(always)]
    pub fn after(self, mv: Placement) -> Board {
        if mv.square == PASS {
            return self.passed();
        }
        Board { player: self.opponent ^ mv.flips, opponent: self.player ^ mv.flips ^ (1 << mv.square) }
    }

    /// The final disc difference for the side to move when neither side can move: empty squares count for the winner.
    #[inline(always)]
    pub fn final_discs(self) -> i32 {
        self.final_discs_of(64)
    }

    /// The same on a board of this many squares.
    #[inline(always)]
    pub fn final_discs_of(self, squares: i32) -> i32 {
        let own = self.player.count_ones() as i32;
        let other = self.opponent.count_ones() as i32;
        let empties = squares - own - other;
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => own - other + empties,
            std::cmp::Ordering::Less => own - other - empties,
            std::cmp::Ordering::Equal => 0,
        }
    }

    /// A hash of both words, all bits mixed.
    #[inline(always)]
    pub fn hash(self) -> u64 {
        let a = self.player.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let b = self.opponent.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let mixed = (a ^ (a >> 32)).wrapping_add(b.rotate_left(29));
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 32)
    }
}

/// Takes the lowest square out of a set.
#[inline(always)]
pub fn pop_lowest(set: &mut u64) -> u32 {
    let square = set.trailing_zeros();
    *set &= set.wrapping_sub(1);
    square
}

/// A move: the square (64 for a pass) and the discs it flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// 0..=63, or [`PASS`].
    pub square: u8,
    /// The opponent's discs that are flipped; 0 only for a pass.
    pub flips: u64,
}

impl Placement {
    /// The pass.
    pub const PASS: Placement = Placement { square: PASS, flips: 0 };
}

/// A table of the 64 squares from that of the quadrant a1 to d4 (`quadrant[row][column]`), which
/// the other three mirror.
pub const fn by_quadrant<T: Copy>(quadrant: &[[T; 4]; 4]) -> [T; 64] {
    let mut table = [quadrant[0][0]; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        table[square] = quadrant[row][column];
        square += 1;
    }
    table
}
