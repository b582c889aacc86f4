//! Every kernel of this processor's levels against the portable one, on random boards.

use flipside::games::reversi::kernels::{Kernels, portable};
use flipside::games::reversi::solver::parity::odd_quadrants;
use flipside::search::level::Base;

/// A small generator of random words (xorshift, Marsaglia 2003), so that failures can be repeated.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Two sets of discs without a common square, from nearly empty to full boards.
    fn board(&mut self) -> (u64, u64) {
        let occupied = match self.word() % 4 {
            0 => self.word() & self.word(),
            1 => self.word(),
            2 => self.word() | self.word(),
            _ => self.word() | self.word() | self.word() | self.word(),
        };
        let player = self.word();
        (occupied & player, occupied & !player)
    }
}

/// The reference for the portable kernels: the rules square by square.
fn flips_by_walking(player: u64, opponent: u64, square: i32) -> u64 {
    let mut flipped = 0;
    for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
        let (mut x, mut y, mut run) = (square % 8 + dx, square / 8 + dy, 0u64);
        while (0..8).contains(&x) && (0..8).contains(&y) {
            let bit = 1u64 << (y * 8 + x);
            if player & bit != 0 {
                flipped |= run;
            }
            if opponent & bit == 0 {
                break;
            }
            run |= bit;
            (x, y) = (x + dx, y + dy);
        }
    }
    flipped
}

fn check<K: Kernels>() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..20_000 {
        let (player, opponent) = random.board();
        let empty = !(player | opponent);
        // SAFETY: the callers have asked the processor for the level's features.
        let moves = unsafe { K::moves(player, opponent) };
        assert_eq!(moves, portable::moves(player, opponent), "moves of {player:#x} {opponent:#x}");
        for square in (0..64).filter(|square| empty >> square & 1 == 1) {
            // SAFETY: as above.
            let flips = unsafe { K::flips(player, opponent, square) };
            assert_eq!(flips, portable::flips(player, opponent, square), "{square} on {player:#x} {opponent:#x}");
            // SAFETY: as above.
            let last = unsafe { K::count_last_flip(player, square) };
            assert_eq!(last, portable::count_last_flip(player, square), "last {square} with {player:#x}");
        }
    }
}

#[test]
fn portable_kernels_agree_with_the_rules_square_by_square() {
    let mut random = Random(99);
    for _ in 0..5_000 {
        let (player, opponent) = random.board();
        let mut legal = 0u64;
        for square in (0..64u32).filter(|square| (player | opponent) >> square & 1 == 0) {
            let flips = flips_by_walking(player, opponent, square as i32);
            assert_eq!(portable::flips(player, opponent, square), flips);
            legal |= u64::from(flips != 0) << square;
            let full = !player & !(1 << square);
            let flipped = 2 * flips_by_walking(player, full, square as i32).count_ones();
            assert_eq!(portable::count_last_flip(player, square), flipped);
        }
        assert_eq!(portable::moves(player, opponent), legal);
    }
    check::<Base>();
}

#[cfg(target_arch = "x86_64")]
#[test]
fn vector_kernels_agree_with_the_portable_ones() {
    use flipside::search::level::{V3, V4};
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
        check::<V3>();
    }
    if is_x86_feature_detected!("avx512cd") && is_x86_feature_detected!("avx512vl") {
        check::<V4>();
    }
}

#[test]
fn odd_quadrants_are_counted_quadrant_by_quadrant() {
    let mut random = Random(5);
    for _ in 0..10_000 {
        let empty = random.word() & random.word();
        let quadrants = [0x0f0f_0f0fu64, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
        let odd = quadrants.into_iter().filter(|quadrant| (empty & quadrant).count_ones() % 2 == 1);
        assert_eq!(odd_quadrants(empty), odd.fold(0, |set, quadrant| set | empty & quadrant));
    }
}
