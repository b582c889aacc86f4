//! The cost of a computation: nodes, wall time, and the processor time of this process or of the finished processes
//! that it started.

use serde::Serialize;
use std::time::{Duration, Instant};

/// The cost of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Positions entered.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
    /// Processor time in the program itself, if the system reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_seconds: Option<f64>,
    /// Processor time in the system on its behalf.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_seconds: Option<f64>,
}

impl Cost {
    /// Adds the cost of another computation.
    pub fn add(&mut self, other: Cost) {
        let sum = |one: Option<f64>, other: Option<f64>| other.map(|other| one.unwrap_or(0.0) + other);
        self.nodes += other.nodes;
        self.seconds += other.seconds;
        self.user_seconds = sum(self.user_seconds, other.user_seconds);
        self.system_seconds = sum(self.system_seconds, other.system_seconds);
    }

    /// The processor times as text; empty if the system does not report them.
    pub fn processor_text(&self) -> String {
        let part = |name: &str, seconds: Option<f64>| seconds.map_or(String::new(), |s| format!(" {name} {s:.2} s"));
        part("user", self.user_seconds) + &part("system", self.system_seconds)
    }
}

/// Measures the cost of a computation from `start` on.
pub struct Stopwatch {
    whose: Whose,
    start: Instant,
    before: Option<ProcessorTime>,
}

impl Stopwatch {
    /// Starts the measurement.
    pub fn start(whose: Whose) -> Stopwatch {
        Stopwatch { whose, start: Instant::now(), before: processor_time(whose) }
    }

    /// The cost so far of a computation that has entered `nodes` nodes.
    pub fn cost(&self, nodes: u64) -> Cost {
        let seconds = self.start.elapsed().as_secs_f64();
        let processor = processor_time(self.whose).zip(self.before).map(|(now, before)| now.since(before));
        Cost {
            nodes,
            seconds,
            user_seconds: processor.map(|time| time.user.as_secs_f64()),
            system_seconds: processor.map(|time| time.system.as_secs_f64()),
        }
    }
}

/// Processor time as the system accounts for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ProcessorTime {
    /// In the program itself.
    user: Duration,
    /// In the system on its behalf: starting, reading, providing pages.
    system: Duration,
}

impl ProcessorTime {
    /// The time spent since `earlier`.
    fn since(self, earlier: ProcessorTime) -> ProcessorTime {
        ProcessorTime {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
        }
    }
}

/// The threads or processes whose time is measured.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// All threads of this process.
    Own,
    /// The processes that it started and that have ended.
    Children,
}

/// Processor time up to now; `None` if the system does not report it.
#[cfg(unix)]
fn processor_time(whose: Whose) -> Option<ProcessorTime> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeVal;
    let who = match whose {
        Whose::Own => UsageWho::RUSAGE_SELF,
        Whose::Children => UsageWho::RUSAGE_CHILDREN,
    };
    let usage = getrusage(who).ok()?;
    let duration = |time: TimeVal| {
        let (seconds, micros) = (u64::try_from(time.tv_sec()).ok()?, u64::try_from(time.tv_usec()).ok()?);
        Some(Duration::from_secs(seconds) + Duration::from_micros(micros))
    };
    Some(ProcessorTime { user: duration(usage.user_time())?, system: duration(usage.system_time())? })
}

/// Processor time up to now; `None` if the system does not report it.
#[cfg(not(unix))]
fn processor_time(_: Whose) -> Option<ProcessorTime> {
    None
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn work_is_counted() {
        let before = processor_time(Whose::Own).expect("Unix tells");
        let mut spent = ProcessorTime::default();
        while spent.user + spent.system < Duration::from_millis(20) {
            black_box((0..100_000_u64).fold(0, |sum, number| black_box(sum ^ number)));
            spent = processor_time(Whose::Own).expect("Unix tells").since(before);
        }
        assert_eq!(before.since(before), ProcessorTime::default());
        assert_eq!(before.since(processor_time(Whose::Own).expect("Unix tells")), ProcessorTime::default());
    }
}
