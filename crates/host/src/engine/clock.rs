//! Time management: from the host's limits and clocks to a soft and a hard bound for one search.

use crate::api::command::{GoLimits, TimeControl};
use flipside_core::search::limits::{DEFAULT_TIME, Limits};
use flipside_core::search::searcher::TimeHint;
use flipside_core::search::types::Side;
use std::time::Duration;

/// The shortest bound: the engine must answer even when its time is over.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Kept back for each move besides the host's lag: on a machine whose processors are all busy, a process waits about
/// this long to be scheduled.
const SCHEDULING_MARGIN: Duration = Duration::from_millis(15);

/// Both players' clocks as the session knows them.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Whether the time control was inferred from a clock because none was set.
    inferred: bool,
    sides: [SideClock; 2],
}

/// The clock of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideClock {
    control: TimeControl,
    left: Duration,
    /// Moves still to make in the present period, or byo-yomi periods still whole; 0 in main time.
    stones: u32,
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(TimeControl::Unlimited)
    }
}

impl Clock {
    /// Fresh clocks of a time control.
    pub fn new(control: TimeControl) -> Clock {
        Clock::from(SideClock::new(control))
    }

    /// Both clocks as at the start of a game.
    pub fn reset(&mut self) {
        let [first, _] = self.sides;
        *self = Clock::new(if self.inferred { TimeControl::Unlimited } else { first.control });
    }

    /// Sets a side's clock.
    pub fn set(&mut self, side: Side, left: Duration, stones: u32) {
        let own = self.side_mut(side);
        (own.left, own.stones) = (left, stones);
        if own.control == TimeControl::Unlimited {
            // The host sets clocks without a time control: the time left counts as the time for the whole game.
            self.inferred = true;
            let control = match stones {
                0 => TimeControl::Game { main: left, increment: Duration::ZERO },
                _ => TimeControl::Canadian { main: Duration::ZERO, period: left, stones },
            };
            self.sides.iter_mut().for_each(|clock| clock.control = control);
        }
    }

    /// Takes a move's time off a clock, for hosts that do not set the clocks.
    pub fn spend(&mut self, side: Side, used: Duration) {
        self.side_mut(side).spend(used);
    }

    fn side_mut(&mut self, side: Side) -> &mut SideClock {
        let [first, second] = &mut self.sides;
        side.of([first, second])
    }
}

impl From<SideClock> for Clock {
    /// Two clocks like this one.
    fn from(clock: SideClock) -> Clock {
        Clock { inferred: false, sides: [clock; 2] }
    }
}

impl SideClock {
    /// A fresh clock of a time control.
    pub fn new(control: TimeControl) -> SideClock {
        let (left, stones) = match control {
            TimeControl::Unlimited => (Duration::ZERO, 0),
            TimeControl::Game { main, .. } => (main, 0),
            TimeControl::Canadian { main, period, stones: many }
            | TimeControl::ByoYomi { main, period, periods: many } => {
                if main.is_zero() {
                    (period, many)
                } else {
                    (main, 0)
                }
            }
            TimeControl::Classical { moves, main, .. } => (main, moves),
        };
        SideClock { control, left, stones }
    }

    /// Its time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The time left: for the game, or in the present session or period.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Moves still to make in the present period; 0 in main time. A period of byo-yomi counts for one move.
    pub fn stones(&self) -> u32 {
        if matches!(self.control, TimeControl::ByoYomi { .. }) { self.stones.min(1) } else { self.stones }
    }

    /// Added after each move (Fischer).
    pub fn increment(&self) -> Duration {
        match self.control {
            TimeControl::Game { increment, .. } | TimeControl::Classical { increment, .. } => increment,
            _ => Duration::ZERO,
        }
    }

    /// The longest time that the next move may take; `None` without a limit.
    pub fn allowed(&self) -> Option<Duration> {
        match self.control {
            TimeControl::Unlimited => None,
            TimeControl::Canadian { period, .. } if self.stones == 0 => Some(self.left + period),
            TimeControl::ByoYomi { period, periods, .. } if self.stones == 0 => Some(self.left + period * periods),
            TimeControl::ByoYomi { period, .. } => Some(period * self.stones),
            _ => Some(self.left),
        }
    }

    /// The time for the next moves in terms that every protocol has: time left, increment, moves to go.
    pub fn remaining(&self) -> Option<(Duration, Duration, Option<u32>)> {
        let SideClock { control, left, stones } = *self;
        match control {
            TimeControl::Unlimited => None,
            TimeControl::Game { increment, .. } => Some((left, increment, None)),
            TimeControl::Canadian { period, stones: per_period, .. } if stones == 0 => {
                // Main time: the first period comes after it.
                Some((left + period / per_period.max(1), period / per_period.max(1), None))
            }
            TimeControl::ByoYomi { period, .. } if stones == 0 => Some((left + period, period, None)),
            TimeControl::Canadian { .. } => Some((left, Duration::ZERO, Some(stones))),
            TimeControl::ByoYomi { .. } => Some((left, Duration::ZERO, Some(1))),
            TimeControl::Classical { increment, moves, .. } => {
                let to_go = if stones == 0 { moves } else { stones };
                Some((left, increment, Some(to_go)))
            }
        }
    }

    /// The time left in a period before its last move; what that move does not use is lost.
    fn left_for_last_of_period(&self) -> Option<Duration> {
        let has_periods = matches!(self.control, TimeControl::Canadian { .. } | TimeControl::ByoYomi { .. });
        (has_periods && self.stones() == 1).then_some(self.left)
    }

    /// Takes a move's time off.
    pub fn spend(&mut self, used: Duration) {
        match self.control {
            TimeControl::Unlimited => {}
            TimeControl::Game { increment, .. } => self.left = self.left.saturating_sub(used) + increment,
            TimeControl::Canadian { period, stones: many, .. } | TimeControl::ByoYomi { period, periods: many, .. }
                if self.stones == 0 =>
            {
                if used < self.left {
                    self.left -= used;
                } else {
                    let over = used - self.left;
                    (self.left, self.stones) = (period, many);
                    self.spend(over);
                }
            }
            TimeControl::Canadian { period, stones, .. } => {
                self.left = self.left.saturating_sub(used);
                self.stones -= 1;
                if self.stones == 0 {
                    (self.left, self.stones) = (period, stones);
                }
            }
            TimeControl::ByoYomi { period, .. } => {
                let used_up = used.as_nanos().checked_div(period.as_nanos()).unwrap_or_default();
                // The last period stays until the referee says that the time is over.
                self.stones = self.stones.saturating_sub(u32::try_from(used_up).unwrap_or(u32::MAX)).max(1);
            }
            TimeControl::Classical { moves, main, increment } => {
                self.left = self.left.saturating_sub(used) + increment;
                self.stones = self.stones.saturating_sub(1);
                if self.stones == 0 {
                    self.left += main;
                    self.stones = moves;
                }
            }
        }
    }
}

/// The bounds of one search. The host's limits count first, then the clock, then the command line's limits (`defaults`),
/// then two seconds.
pub fn limits(
    host: &GoLimits,
    defaults: &GoLimits,
    clock: &Clock,
    side: Side,
    hint: TimeHint,
    overhead: Duration,
) -> Limits {
    let mut limits = Limits { depth: host.depth, nodes: host.nodes, mate: host.mate, ..Limits::default() };
    if let Some(time) = host.move_time {
        limits.hard = Some(fixed(time, overhead));
        return limits;
    }
    let given = side.of(host.clocks).map(|left| (left, side.of(host.increments), host.moves_to_go));
    let own = side.of(clock.sides);
    if let Some(left) = own.left_for_last_of_period().filter(|_| given.is_none() && !host.infinite) {
        // Twice the lag, because a late move loses the game here.
        limits.hard = Some(fixed(left, overhead * 2));
        limits.soft = hint.forced.then_some(MIN_TIME);
        return limits;
    }
    if let Some((left, increment, moves)) = given.or_else(|| own.remaining().filter(|_| !host.infinite)) {
        let (soft, hard) = share(left, increment, moves, hint, overhead);
        limits.soft = Some(soft);
        limits.hard = Some(hard);
        return limits;
    }
    if host.infinite || host.depth.is_some() || host.nodes.is_some() || host.mate.is_some() {
        return limits;
    }
    limits.depth = defaults.depth;
    limits.nodes = defaults.nodes;
    if let Some(time) = defaults.move_time {
        limits.hard = Some(fixed(time, overhead));
    } else if limits.depth.is_none() && limits.nodes.is_none() {
        limits.hard = Some(DEFAULT_TIME - overhead.min(DEFAULT_TIME / 2));
    }
    if hint.forced && limits.hard.is_some() {
        limits.soft = Some(MIN_TIME);
    }
    limits
}

/// A fixed time a move less the host's lag, at least half of the time.
fn fixed(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 2).max(MIN_TIME)
}

/// The soft and the hard bound on a clock. The soft bound is an even share of what is left, weighted by the position; the
/// hard bound is several shares, but at most half of what is left unless it is the last move.
fn share(
    left: Duration,
    increment: Duration,
    moves_to_go: Option<u32>,
    hint: TimeHint,
    overhead: Duration,
) -> (Duration, Duration) {
    let moves = moves_to_go.unwrap_or(u32::MAX).min(hint.moves_left).max(1);
    // The lag is reserved for every move still to be made, including the solved ones at the end; after this move the
    // increments pay for it as far as they go.
    let lag = overhead + SCHEDULING_MARGIN;
    let later = hint.moves_to_end.min(moves_to_go.unwrap_or(u32::MAX)).saturating_sub(1);
    let reserve = lag + lag.saturating_sub(increment) * later;
    let usable = left.saturating_sub(reserve).max(left / 16).max(MIN_TIME);
    if hint.forced {
        return (MIN_TIME, (usable / 20).max(MIN_TIME));
    }
    let even = usable / moves + increment * 3 / 4;
    let soft = even * hint.weight / 100;
    let max = if moves == 1 { usable * 9 / 10 } else { usable / 2 };
    let hard = (soft * 4).min(max).max(MIN_TIME);
    (soft.min(hard), hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HINT: TimeHint = TimeHint { moves_left: 20, moves_to_end: 26, weight: 100, forced: false };
    const LAG: Duration = Duration::from_millis(10);

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn remaining(clock: &Clock, side: Side) -> Option<(Duration, Duration, Option<u32>)> {
        side.of(clock.sides).remaining()
    }

    #[test]
    fn without_any_limit_a_move_takes_two_seconds() {
        let none = GoLimits::default();
        let limits = limits(&none, &none, &Clock::default(), Side::First, HINT, LAG);
        assert_eq!(limits.hard, Some(seconds(2) - LAG));
        assert_eq!(limits.soft, None);
    }

    #[test]
    fn depth_alone_has_no_clock() {
        let host = GoLimits { depth: Some(5), ..GoLimits::default() };
        let limits = limits(&host, &GoLimits::default(), &Clock::default(), Side::First, HINT, LAG);
        assert_eq!(limits, Limits { depth: Some(5), ..Limits::default() });
    }

    #[test]
    fn a_game_never_runs_out() {
        let mut clock = Clock::new(TimeControl::Game { main: seconds(3), increment: Duration::ZERO });
        let none = GoLimits::default();
        for moves_left in (1..=30).rev() {
            let hint = TimeHint { moves_left, moves_to_end: moves_left, weight: 250, forced: false };
            let hard = limits(&none, &none, &clock, Side::Second, hint, LAG).hard.expect("a clock bounds the search");
            clock.spend(Side::Second, hard + LAG);
            let (left, ..) = remaining(&clock, Side::Second).expect("a clock");
            assert!(left > Duration::ZERO, "time is left with {moves_left} moves to go");
        }
    }

    #[test]
    fn increments_pay_for_the_lag() {
        let step = Duration::from_millis(400);
        let mut clock = Clock::new(TimeControl::Game { main: step, increment: step });
        let none = GoLimits::default();
        let mut used = Duration::ZERO;
        for moves_left in (1..=30).rev() {
            let hint = TimeHint { moves_left, moves_to_end: moves_left, ..HINT };
            let limits = limits(&none, &none, &clock, Side::First, hint, LAG);
            let hard = limits.hard.expect("a clock bounds the search");
            used += limits.soft.expect("a share");
            clock.spend(Side::First, hard + LAG);
            let (left, ..) = remaining(&clock, Side::First).expect("a clock");
            assert!(left > step, "the move came in time with {moves_left} moves to go");
        }
        assert!(used > 30 * step / 3, "{used:?} of 12 s is too little");
    }

    #[test]
    fn canadian_periods_follow_main_time() {
        let control = TimeControl::Canadian { main: seconds(10), period: seconds(15), stones: 3 };
        let mut clock = Clock::new(control);
        clock.spend(Side::First, seconds(12));
        assert_eq!(remaining(&clock, Side::First), Some((seconds(13), Duration::ZERO, Some(2))));
        clock.spend(Side::First, seconds(5));
        clock.spend(Side::First, seconds(5));
        assert_eq!(remaining(&clock, Side::First), Some((seconds(15), Duration::ZERO, Some(3))));
        let fixed = Clock::new(TimeControl::Canadian { main: Duration::ZERO, period: seconds(5), stones: 1 });
        let none = GoLimits::default();
        let limits = limits(&none, &none, &fixed, Side::First, HINT, LAG);
        assert_eq!((limits.soft, limits.hard), (None, Some(seconds(5) - LAG * 2)), "what is not used is lost");
    }

    #[test]
    fn byo_yomi_periods_are_used_up_whole() {
        let control = TimeControl::ByoYomi { main: seconds(10), period: seconds(5), periods: 3 };
        let mut clock = SideClock::new(control);
        assert_eq!((clock.allowed(), clock.stones()), (Some(seconds(25)), 0));
        assert_eq!(clock.remaining(), Some((seconds(15), seconds(5), None)));
        clock.spend(seconds(12));
        assert_eq!((clock.allowed(), clock.left(), clock.stones()), (Some(seconds(15)), seconds(5), 1));
        clock.spend(seconds(4));
        assert_eq!(clock.allowed(), Some(seconds(15)), "less than a period leaves it whole");
        clock.spend(seconds(11));
        assert_eq!(
            (clock.allowed(), clock.remaining()),
            (Some(seconds(5)), Some((seconds(5), Duration::ZERO, Some(1))))
        );
        let none = GoLimits::default();
        let limits = limits(&none, &none, &clock.into(), Side::First, HINT, LAG);
        assert_eq!(limits.hard, Some(seconds(5) - LAG * 2), "what is not used is lost");
    }

    #[test]
    fn a_move_may_go_on_from_main_time_into_a_period() {
        let canadian = TimeControl::Canadian { main: seconds(10), period: seconds(15), stones: 3 };
        assert_eq!(SideClock::new(canadian).allowed(), Some(seconds(25)));
        let mut classical =
            SideClock::new(TimeControl::Classical { moves: 2, main: seconds(10), increment: seconds(1) });
        classical.spend(seconds(4));
        assert_eq!((classical.allowed(), classical.stones()), (Some(seconds(7)), 1));
        classical.spend(seconds(4));
        assert_eq!(classical.remaining(), Some((seconds(14), seconds(1), Some(2))), "time left over is kept");
    }

    #[test]
    fn a_clock_at_zero_still_gets_an_answer() {
        let mut clock = Clock::new(TimeControl::Game { main: seconds(60), increment: Duration::ZERO });
        clock.set(Side::First, Duration::ZERO, 0);
        let none = GoLimits::default();
        let limits = limits(&none, &none, &clock, Side::First, HINT, LAG);
        assert!(limits.hard.is_some_and(|hard| hard <= Duration::from_millis(5)));
    }

    #[test]
    fn clocks_set_without_a_time_control_last_for_the_game() {
        let mut clock = Clock::default();
        clock.set(Side::Second, seconds(15), 1);
        assert_eq!(remaining(&clock, Side::Second), Some((seconds(15), Duration::ZERO, Some(1))));
        clock.reset();
        assert_eq!(remaining(&clock, Side::Second), None);
    }

    #[test]
    fn a_forced_move_takes_next_to_nothing() {
        let clock = Clock::new(TimeControl::Game { main: seconds(60), increment: Duration::ZERO });
        let none = GoLimits::default();
        let hint = TimeHint { forced: true, ..HINT };
        assert_eq!(limits(&none, &none, &clock, Side::First, hint, LAG).soft, Some(MIN_TIME));
    }
}
