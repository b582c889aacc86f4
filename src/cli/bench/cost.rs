//! The cost of a computation: nodes, wall time, and the processor time of this process or of the finished processes
//! that it started.

use flipside_support::processor_time::{ProcessorTime, Whose, processor_time};
use serde::Serialize;
use std::time::Instant;

/// The cost of a computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Positions entered.
    pub nodes: u64,
    /// Positions entered, ranked or looked up by the endgame solver, where they were counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
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
        self.generated = other.generated.map(|other| self.generated.unwrap_or(0) + other);
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
            generated: None,
            seconds,
            user_seconds: processor.map(|time| time.user.as_secs_f64()),
            system_seconds: processor.map(|time| time.system.as_secs_f64()),
        }
    }
}
