//! Every kernel of this processor's levels against the portable one, and the portable ones against the rules.

#[allow(dead_code, reason = "the model-based tests use all of it")]
#[path = "../twins/reversi.rs"]
mod reversi_twin;
mod rules;
mod twins;

use flipside::games::minichess::evaluation::sums::{NEURONS, portable::screlu_dot};
use flipside::games::reversi::kernels::portable;
use flipside::games::reversi::solver::parity::odd_quadrants;
use flipside::search::level::Base;
use twins::Random;

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
}

#[test]
fn kernels_of_the_target_agree_with_the_portable_ones() {
    // SAFETY: every processor of the target has the features of this level.
    unsafe { twins::boards::<Base>() }.unwrap();
    twins::network_sums().unwrap();
}

#[test]
fn the_products_of_the_output_layer_by_hand() {
    let (mut sums, mut weights) = ([-5; NEURONS], [100; NEURONS]);
    (sums[0], sums[1], sums[2]) = (10, 300, 255);
    (weights[1], weights[2]) = (-3, 128);
    assert_eq!(screlu_dot(&sums, &weights, 255), 10 * 10 * 100 - 3 * 255 * 255 + 128 * 255 * 255);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn vector_kernels_agree_with_the_portable_ones() {
    use flipside::search::level::{V3, V4};
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
        // SAFETY: the processor was asked for the level's features.
        unsafe { twins::boards::<V3>() }.unwrap();
    }
    if is_x86_feature_detected!("avx512cd") && is_x86_feature_detected!("avx512vl") {
        // SAFETY: the processor was asked for the level's features.
        unsafe { twins::boards::<V4>() }.unwrap();
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
