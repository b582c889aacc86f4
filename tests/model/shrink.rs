//! Many conversations, and the shortest form of one that fails.

use crate::dice::Dice;
use crate::session::{Burst, Failure, Model, converse, shown};
use std::time::{Duration, Instant};

/// Lines of input in a plain test run.
const COMMANDS: usize = 100_000;
/// A guard against hangs: limit for all output owed after a burst.
const PATIENCE: Duration = Duration::from_secs(120);
/// The same while a conversation is shortened, because most of its repetitions hang.
const SHORT_PATIENCE: Duration = Duration::from_secs(2);
/// How long to look for a shorter conversation.
const SHRINKING: Duration = Duration::from_secs(60);

/// Holds conversations with the engine until enough lines were sent. The first line of each decides the protocol.
///
/// # Panics
/// Panics if a conversation does not fit the model.
pub fn run<M: Model>(greetings: &[&str]) {
    let from_environment = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let commands = from_environment("FLIPSIDE_MODEL_COMMANDS").unwrap_or(COMMANDS as u64) as usize / M::SHARE;
    let first_seed = from_environment("FLIPSIDE_MODEL_SEED").unwrap_or(1);
    let mut sent = 0;
    for seed in first_seed.. {
        if sent >= commands {
            break;
        }
        match conversation::<M>(greetings, seed) {
            Ok(lines) => sent += lines,
            Err(failure) => {
                let sent = sent + failure.bursts.iter().map(|burst| burst.lines.len()).sum::<usize>();
                panic!("after {sent} lines, FLIPSIDE_MODEL_SEED={seed}\n{}", report::<M>(failure, reversi::<M>(seed)));
            }
        }
    }
}

fn reversi<M: Model>(seed: u64) -> bool {
    M::REVERSI_ONLY || seed.is_multiple_of(2)
}

fn conversation<M: Model>(greetings: &[&str], seed: u64) -> Result<usize, Failure> {
    let mut dice = Dice::new(seed);
    let greeting = dice.pick(greetings).as_bytes().to_vec();
    let mut first = Some(Burst { pause: Duration::ZERO, lines: vec![greeting], last: false });
    let mut bursts = 10 + dice.below(40);
    converse::<M>(reversi::<M>(seed), PATIENCE, &mut |model| {
        if first.is_some() {
            return first.take();
        }
        bursts = bursts.checked_sub(1)?;
        let pause = Duration::from_micros(if dice.chance(20) { dice.below(1500) as u64 } else { 0 });
        Some(Burst { pause, lines: model.burst(&mut dice, bursts == 0), last: bursts == 0 })
    })
}

/// The failure and the shortest conversation that fails, too.
fn report<M: Model>(failure: Failure, reversi: bool) -> String {
    let mut shortest = failure;
    let end = Instant::now() + SHRINKING;
    let mut size = shortest.bursts.len().div_ceil(2).max(1);
    // Whole bursts first, then lines.
    for by_line in [false, true] {
        loop {
            let total = if by_line { lines_of(&shortest.bursts) } else { shortest.bursts.len() };
            let mut at = 0;
            while at < total && Instant::now() < end {
                let fewer = without(&shortest.bursts, at, size, by_line);
                match repeat::<M>(&fewer, reversi) {
                    Some(failure) if failure.reason == shortest.reason => shortest = failure,
                    _ => at += size,
                }
            }
            if size == 1 || Instant::now() > end {
                break;
            }
            size /= 2;
        }
        size = 8;
    }
    let bursts = shortest.bursts.iter().map(|burst| {
        let lines: Vec<String> = burst.lines.iter().map(|line| shown(&String::from_utf8_lossy(line))).collect();
        format!("  after {:?}: {lines:?}{}\n", burst.pause, if burst.last { " (end of input)" } else { "" })
    });
    let record: Vec<&str> = shortest.record.iter().rev().take(60).rev().map(String::as_str).collect();
    format!(
        "{}\nmodels: {}\nbursts:\n{}\nrecord:\n{}",
        shortest.reason,
        shortest.models,
        bursts.collect::<String>(),
        record.join("\n")
    )
}

fn lines_of(bursts: &[Burst]) -> usize {
    bursts.iter().map(|burst| burst.lines.len()).sum()
}

/// The conversation without `size` bursts, or without `size` lines. The greeting stays.
fn without(bursts: &[Burst], at: usize, size: usize, by_line: bool) -> Vec<Burst> {
    let mut number = 0;
    let mut kept = Vec::new();
    for (index, burst) in bursts.iter().enumerate() {
        let mut burst = burst.clone();
        let gone = |index: usize| (at..at + size).contains(&index);
        if by_line {
            burst.lines.retain(|_| {
                number += 1;
                number == 1 || !gone(number - 1)
            });
        }
        if index == 0 || by_line && (burst.last || !burst.lines.is_empty()) || !by_line && !gone(index) {
            kept.push(burst);
        }
    }
    kept
}

/// The failure of a conversation that is repeated, if it fails again.
fn repeat<M: Model>(bursts: &[Burst], reversi: bool) -> Option<Failure> {
    let mut rest = bursts.iter().cloned();
    converse::<M>(reversi, SHORT_PATIENCE, &mut |_| rest.next()).err()
}
