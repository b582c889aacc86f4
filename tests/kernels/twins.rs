//! Kernels of a target or processor level against their portable twins. Compiled into `tests/kernels`, and into a WebAssembly
//! module (`web/examples/twins.rs`) that scripts/web runs in Node.

use flipside::games::minichess::evaluation::sums::{self, NEURONS};
use flipside::games::reversi::kernels::{Kernels, portable};

/// A small generator of random words (xorshift, Marsaglia 2003), so that failures can be repeated.
pub struct Random(pub u64);

impl Random {
    /// Sixty-four random bits.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Two sets of discs without a common square, from nearly empty to full boards.
    pub fn board(&mut self) -> (u64, u64) {
        let occupied = match self.word() % 4 {
            0 => self.word() & self.word(),
            1 => self.word(),
            2 => self.word() | self.word(),
            _ => self.word() | self.word() | self.word() | self.word(),
        };
        let player = self.word();
        (occupied & player, occupied & !player)
    }

    /// Numbers of either sign, at most so large.
    fn values(&mut self, most: i16) -> [i16; NEURONS] {
        let (most, numbers) = (i64::from(most), 2 * i64::from(most) + 1);
        std::array::from_fn(|_| ((self.word() >> 16) as i64 % numbers - most) as i16)
    }
}

/// An error that describes the difference, unless the two are equal.
fn same<T: PartialEq + std::fmt::Debug>(what: impl FnOnce() -> String, kernel: T, twin: T) -> Result<(), String> {
    if kernel == twin { Ok(()) } else { Err(format!("{}: {kernel:?}, the portable twin {twin:?}", what())) }
}

/// Moves, flips, last flips and pairs of children of a level, on random boards.
///
/// # Errors
/// The first difference.
///
/// # Safety
/// The processor must have the level's features.
pub unsafe fn boards<K: Kernels>() -> Result<(), String> {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..20_000 {
        let (player, opponent) = random.board();
        let empty = !(player | opponent);
        // SAFETY: the caller promises the level's features.
        let moves = unsafe { K::moves(player, opponent) };
        same(|| format!("moves of {player:#x} {opponent:#x}"), moves, portable::moves(player, opponent))?;
        for square in (0..64).filter(|square| empty >> square & 1 == 1) {
            // SAFETY: as above.
            let flips = unsafe { K::flips(player, opponent, square) };
            let twin = portable::flips(player, opponent, square);
            same(|| format!("flips of {square} on {player:#x} {opponent:#x}"), flips, twin)?;
            // SAFETY: as above.
            let last = unsafe { K::count_last_flip(player, square) };
            same(|| format!("last {square} with {player:#x}"), last, portable::count_last_flip(player, square))?;
        }
        let legal: Vec<u32> = (0..64).filter(|square| moves >> square & 1 == 1).collect();
        for pair in legal.windows(2) {
            let squares = [pair[0], pair[1]];
            // SAFETY: as above.
            let children = unsafe { K::two_children(player, opponent, squares) };
            let twin = squares.map(|square| {
                let gained = portable::flips(player, opponent, square) | 1 << square;
                (gained, portable::moves(opponent & !gained, player | gained))
            });
            same(|| format!("children by {squares:?} on {player:#x} {opponent:#x}"), children, twin)?;
        }
    }
    Ok(())
}

/// The sums of MiniChess's network on random neurons: of the size of real ones, and up to where sums wrap around.
///
/// # Errors
/// The first difference.
pub fn network_sums() -> Result<(), String> {
    const ONE: i16 = 255;
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for case in 0..4_000 {
        let most = [300, 3_000, i16::MAX][case % 3];
        let (start, first, second) = (random.values(most), random.values(most), random.values(most));
        let (mut kernel, mut twin) = (start, start);
        sums::add(&mut kernel, &first);
        sums::portable::add(&mut twin, &first);
        same(|| format!("{start:?} + {first:?}"), kernel, twin)?;
        sums::subtract(&mut kernel, &second);
        sums::portable::subtract(&mut twin, &second);
        same(|| format!("{start:?} + {first:?} - {second:?}"), kernel, twin)?;
        sums::exchange(&mut kernel, &first, &second);
        sums::portable::exchange(&mut twin, &first, &second);
        same(|| format!("{first:?} for {second:?}"), kernel, twin)?;
        let weights = random.values(i16::MAX / ONE);
        let total = sums::screlu_dot(&start, &weights, ONE);
        same(|| format!("{start:?} * {weights:?}"), total, sums::portable::screlu_dot(&start, &weights, ONE))?;
    }
    Ok(())
}
