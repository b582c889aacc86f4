//! Line patterns: what a stone on an empty point would make in one line, looked up by the ten points around it.
//!
//! Seen from the point, five points on each side of the line decide under every rule: a five
//! through the point reaches four points to a side, and the point beyond may matter, too. Each of
//! these points is empty, one's own or blocked (the opponent's, or off the board): 3^10 windows.
//! Where the edge does not block, each number of places off the board has windows of its own.

/// Points of a window on each side of the middle.
pub const REACH: usize = 5;
/// Points of a window besides the middle.
pub const SPAN: usize = 2 * REACH;
/// Windows of one number of places off the board.
pub const WINDOWS: usize = 59_049;

/// What a stone makes in one line, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pattern {
    /// Nothing: no five fits here.
    Nothing,
    /// A stone where a five fits.
    One,
    /// One stone more makes a three that is not open.
    Two,
    /// One stone more makes an open three.
    OpenTwo,
    /// One stone more makes a four.
    Three,
    /// One stone more makes an open four.
    OpenThree,
    /// One stone more makes a five, but the opponent can prevent it.
    Four,
    /// Whatever stone the opponent adds to the line, one stone more makes a five.
    OpenFour,
    /// Five in a row: the game is won.
    Five,
    /// Six or more where that is forbidden.
    Overline,
    /// Two fours in one line where that is forbidden.
    DoubleFour,
}

/// All patterns by their numbers.
pub const PATTERNS: [Pattern; 11] = [
    Pattern::Nothing,
    Pattern::One,
    Pattern::Two,
    Pattern::OpenTwo,
    Pattern::Three,
    Pattern::OpenThree,
    Pattern::Four,
    Pattern::OpenFour,
    Pattern::Five,
    Pattern::Overline,
    Pattern::DoubleFour,
];

/// Binary digits read as ternary ones: two sets of bits make the number of a window.
static TERNARY: [u16; 1 << SPAN] = {
    let mut numbers = [0; 1 << SPAN];
    let mut bits = 1_usize;
    while bits < numbers.len() {
        // The number without the lowest bit is known.
        numbers[bits] = numbers[bits & (bits - 1)] + 3_u16.pow(bits.trailing_zeros());
        bits += 1;
    }
    numbers
};

/// The ten points around a middle as a number of ternary digits, of which the lower five bits are the points before it.
#[inline(always)]
pub fn ternary(around: u32) -> u32 {
    u32::from(TERNARY[around as usize & ((1 << SPAN) - 1)])
}

/// The number of the first window with these places off the board, where the edge does not block.
pub fn first_window(off_board: u32) -> u32 {
    let (before, after) = (off_board & 31, off_board >> REACH & 31);
    (before.count_ones() * (REACH as u32 + 1) + after.count_ones()) * WINDOWS as u32
}
