//! The clocks of a game against the engine.

use flipside_core::search::types::Side;
use flipside_host::api::command::GoLimits;
use flipside_support::seconds::parse_seconds;
use std::time::{Duration, Instant};

/// Time for the whole game, and the time that each move adds (Fischer).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    main: Duration,
    increment: Duration,
}

impl std::str::FromStr for TimeControl {
    type Err = String;

    /// Minutes, and seconds per move, as people write them: `5+3`, `0.5+0`, `10`.
    fn from_str(text: &str) -> Result<TimeControl, String> {
        let expected = || format!("expected minutes and seconds per move such as 5+3, saw '{text}'");
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let main = parse_seconds(minutes).map_err(|_| expected())?.checked_mul(60).ok_or_else(expected)?;
        let increment = match seconds {
            "0" => Duration::ZERO,
            some => parse_seconds(some).map_err(|_| expected())?,
        };
        Ok(TimeControl { main, increment })
    }
}

/// Both clocks; the clock of the side to move runs.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Duration; 2],
    /// Start of the turn.
    since: Instant,
}

impl Clocks {
    /// Full clocks; the first turn begins now.
    pub fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.main; 2], since: Instant::now() }
    }

    /// Full clocks again, for a new game.
    pub fn reset(&mut self) {
        *self = Clocks::new(self.control);
    }

    /// Starts the next turn now.
    pub fn begin_turn(&mut self) {
        self.since = Instant::now();
    }

    /// Subtracts the turn from a side's clock; false if the side has exceeded its time.
    pub fn end_turn(&mut self, side: Side) -> bool {
        let used = self.since.elapsed();
        let left = &mut self.left[side.index()];
        let in_time = used <= *left;
        *left = left.saturating_sub(used) + if in_time { self.control.increment } else { Duration::ZERO };
        self.begin_turn();
        in_time
    }

    /// The limits of a search on these clocks.
    pub fn limits(&self) -> GoLimits {
        GoLimits { clocks: self.left.map(Some), increments: [self.control.increment; 2], ..GoLimits::default() }
    }

    /// The time left on both clocks, such as `4:07`.
    pub fn show(&self) -> [String; 2] {
        self.left.map(|left| format!("{}:{:02}", left.as_secs() / 60, left.as_secs() % 60))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_minutes_and_seconds() {
        let clocks = Clocks::new("5+3".parse().expect("a time control"));
        assert_eq!(clocks.show(), ["5:00", "5:00"]);
        assert_eq!(clocks.limits().increments, [Duration::from_secs(3); 2]);
        assert!("10".parse::<TimeControl>().is_ok());
        for wrong in ["", "0+3", "5+", "5+x", "1e19", "5:00"] {
            let why = wrong.parse::<TimeControl>().expect_err(wrong);
            assert_eq!(why, format!("expected minutes and seconds per move such as 5+3, saw '{wrong}'"));
        }
    }

    #[test]
    fn a_turn_beyond_the_time_is_lost() {
        let mut clocks = Clocks::new(TimeControl { main: Duration::ZERO, increment: Duration::from_secs(3) });
        std::thread::sleep(Duration::from_millis(1));
        assert!(!clocks.end_turn(Side::First));
        clocks = Clocks::new("1+3".parse().expect("a time control"));
        assert!(clocks.end_turn(Side::Second));
        assert_eq!(clocks.show(), ["1:00", "1:02"]);
    }
}
