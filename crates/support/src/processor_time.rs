//! Processor time, as the system accounts for it.

use std::time::Duration;

/// Processor time of one or more processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessorTime {
    /// In the program itself.
    pub user: Duration,
    /// In the system on its behalf: starting, reading, providing pages.
    pub system: Duration,
}

impl ProcessorTime {
    /// What was spent since `earlier`.
    pub fn since(self, earlier: ProcessorTime) -> ProcessorTime {
        ProcessorTime {
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
        }
    }

    /// Both together.
    pub fn total(self) -> Duration {
        self.user + self.system
    }
}

/// The processes whose time is counted.
#[derive(Clone, Copy, Debug)]
pub enum Whose {
    /// All threads of this process.
    Own,
    /// Processes that it has started, once they have ended.
    Children,
}

/// Processor time up to now; `None` where the system does not tell.
#[cfg(unix)]
pub fn processor_time(whose: Whose) -> Option<ProcessorTime> {
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

/// Processor time up to now; `None` where the system does not tell.
#[cfg(not(unix))]
pub fn processor_time(_: Whose) -> Option<ProcessorTime> {
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
        while spent.total() < Duration::from_millis(20) {
            black_box((0..100_000_u64).fold(0, |sum, number| black_box(sum ^ number)));
            spent = processor_time(Whose::Own).expect("Unix tells").since(before);
        }
        assert_eq!(before.since(before), ProcessorTime::default());
        assert_eq!(before.since(processor_time(Whose::Own).expect("Unix tells")), ProcessorTime::default());
    }
}
