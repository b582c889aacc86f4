//! The search's speed, by which it judges whether an iteration that must be finished, such as an
//! exact solve, fits into the time that is left.

use std::time::Duration;

/// The speed is measured from this time and node count on: a process that had to wait for a
/// processor has searched few nodes before...
const SAMPLE: (Duration, u64) = (Duration::from_millis(5), 5_000);
/// ... and each thread assumed to search this many positions a millisecond until then.
const FIRST: u64 = 1000;

/// Positions a millisecond that one thread would search if it did as much as these threads
/// together, which have searched `nodes` in this time. Some of their nodes are lost to work that
/// one thread does not do and to waiting: `n` threads gain `n / (1 + (n - 1) / 25)`, which is 1.9,
/// 3.6, 6.2 and 10 by 2, 4, 8 and 16 threads, as `bench --scaling` measures exact solves.
pub fn useful_speed(nodes: u64, elapsed: Duration, threads: usize) -> u64 {
    let threads = threads.max(1) as u64;
    let is_measured = elapsed >= SAMPLE.0 && nodes >= SAMPLE.1;
    let speed = if is_measured { nodes / elapsed.as_millis().max(1) as u64 } else { FIRST * threads };
    speed * 25 / (24 + threads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_worth_what_they_gain() {
        let second = Duration::from_secs(1);
        let by_threads = [(1, 1_000), (2, 1_923), (4, 3_571), (8, 6_250), (16, 10_000)];
        for (threads, speed) in by_threads {
            assert_eq!(useful_speed(threads as u64 * 1_000_000, second, threads), speed, "measured, {threads} threads");
            assert_eq!(useful_speed(0, Duration::ZERO, threads), speed, "assumed, {threads} threads");
        }
        assert_eq!(useful_speed(4_999, second, 1), 1_000, "too few nodes to measure by");
        assert_eq!(useful_speed(3_000_000, second, 0), 3_000, "no threads are one");
    }
}
