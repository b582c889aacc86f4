//! Virtual processors: clocks of threads, and the waiting of those that are ahead.

use nix::time::{ClockId, clock_gettime};
use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How the clock of a thread advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// By the processor time that the thread uses.
    ProcessorTime,
    /// By this much for each position searched.
    Position(Duration),
}

/// Virtual processors to measure with.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// How clocks advance.
    pub clock: Clock,
    /// How far a thread may be ahead of the slowest one.
    pub quantum: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Activity {
    /// No thread is on the processor.
    Absent,
    /// Its thread waits for a signal.
    Waiting,
    /// Its thread computes.
    Running,
}

#[derive(Clone, Copy, Debug)]
struct State {
    clock: Duration,
    /// The clock when the thread began to wait.
    since: Duration,
    activity: Activity,
    /// True while the thread is ahead of the others and waits for them.
    is_held: bool,
}

const ABSENT: State =
    State { clock: Duration::ZERO, since: Duration::ZERO, activity: Activity::Absent, is_held: false };
/// Most threads of a computation.
const MOST: usize = 257;
/// How often a waiting thread asks whether its wait has ended without a signal.
const SLEEP: Duration = Duration::from_millis(20);

#[derive(Debug)]
struct Machine {
    model: Model,
    states: Mutex<Vec<State>>,
    wake: Vec<Condvar>,
}

/// A thread's virtual processor.
#[derive(Clone, Debug)]
pub struct Processor {
    machine: Arc<Machine>,
    number: usize,
}

/// The processor of the present thread, and what its clock has not counted yet.
struct Present {
    processor: Processor,
    counted: Duration,
    positions: u64,
}

thread_local! {
    static PRESENT: RefCell<Option<Present>> = const { RefCell::new(None) };
}

fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// The processor of the calling thread, and by how much its clock has to advance.
fn present() -> Option<(Processor, Duration)> {
    PRESENT.with_borrow_mut(|present| {
        let Present { processor, counted, positions } = present.as_mut()?;
        let more = match processor.machine.model.clock {
            Clock::Position(price) => price * u32::try_from(std::mem::take(positions)).unwrap_or(u32::MAX),
            Clock::ProcessorTime => {
                let now = processor_time();
                now.saturating_sub(std::mem::replace(counted, now))
            }
        };
        Some((processor.clone(), more))
    })
}

/// What the thread did since the last call of [`present`] does not count.
fn forget() {
    PRESENT.with_borrow_mut(|present| {
        if let Some(present) = present {
            (present.counted, present.positions) = (processor_time(), 0);
        }
    });
}

fn set_present(processor: Option<Processor>) {
    PRESENT.set(processor.map(|processor| Present { processor, counted: processor_time(), positions: 0 }));
}

impl Machine {
    fn lock(&self) -> MutexGuard<'_, Vec<State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far a clock may be at present.
    fn bound(&self, states: &[State]) -> Duration {
        let running = states.iter().filter(|state| state.activity == Activity::Running);
        running.map(|state| state.clock).min().map_or(Duration::MAX, |least| least + self.model.quantum)
    }

    /// Lets threads go on that are no longer ahead.
    fn release(&self, states: &[State]) {
        let bound = self.bound(states);
        for (state, wake) in states.iter().zip(&self.wake) {
            if state.is_held && state.clock <= bound {
                wake.notify_one();
            }
        }
    }

    /// Holds a thread while it is ahead of the others.
    fn hold(&self, mut states: MutexGuard<'_, Vec<State>>, number: usize) {
        self.release(&states);
        while states[number].clock > self.bound(&states) {
            states[number].is_held = true;
            states = self.wake[number].wait(states).unwrap_or_else(PoisonError::into_inner);
            states[number].is_held = false;
        }
        drop(states);
        forget();
    }

    /// The thread of this number stops running.
    fn pause(&self, number: usize, more: Duration, activity: Activity) {
        let mut states = self.lock();
        let state = &mut states[number];
        state.clock += more;
        (state.since, state.activity) = (state.clock, activity);
        self.release(&states);
    }
}

impl Processor {
    /// The calling thread's, which stops: the thread is about to wait for a signal. `None` for an ordinary thread.
    pub fn suspend() -> Option<Processor> {
        let (processor, more) = present()?;
        processor.machine.pause(processor.number, more, Activity::Waiting);
        Some(processor)
    }

    /// Ends the wait of the processor's thread now, by the calling thread's clock.
    pub fn resume(&self) {
        let own = present();
        let mut states = self.machine.lock();
        let now = own.map(|(processor, more)| {
            states[processor.number].clock += more;
            states[processor.number].clock
        });
        self.run_from(&mut states, now);
        drop(states);
        self.machine.wake[self.number].notify_one();
    }

    /// The thread of a waiting processor runs from this time on, or from that of the slowest thread.
    fn run_from(&self, states: &mut [State], now: Option<Duration>) {
        if states[self.number].activity == Activity::Waiting {
            let least =
                states.iter().filter(|state| state.activity == Activity::Running).map(|state| state.clock).min();
            let state = &mut states[self.number];
            state.clock = state.clock.max(now.or(least).unwrap_or_default());
            state.activity = Activity::Running;
        }
    }

    /// Waits until [`Processor::resume`], or until `is_done`; returns how long by the processor's clock.
    pub fn wait(&self, is_done: impl Fn() -> bool) -> Duration {
        let mut states = self.machine.lock();
        while states[self.number].activity == Activity::Waiting {
            states =
                self.machine.wake[self.number].wait_timeout(states, SLEEP).unwrap_or_else(PoisonError::into_inner).0;
            if is_done() {
                self.run_from(&mut states, None);
            }
        }
        let waited = states[self.number].clock - states[self.number].since;
        self.machine.hold(states, self.number);
        waited
    }
}

/// The virtual processors of helping threads.
#[derive(Clone, Debug)]
pub struct Helpers {
    machine: Arc<Machine>,
    /// The processor of the thread that they help.
    first: usize,
}

impl Helpers {
    /// Processors for this many helpers of the calling thread, if it is the first one of a measurement.
    pub fn start(count: usize) -> Option<Helpers> {
        let (Processor { machine, number: first }, more) = present()?;
        let mut states = machine.lock();
        if first != 0 || count >= MOST {
            return None;
        }
        states[first].clock += more;
        let helper = State { activity: Activity::Running, ..states[first] };
        let most = states.len().max(count + 1);
        states.resize(most, ABSENT);
        states[1..=count].fill(helper);
        drop(states);
        Some(Helpers { machine, first })
    }

    /// The calling thread is the helper of this number, from 1 on.
    pub fn enter(&self, number: usize) {
        set_present(Some(Processor { machine: self.machine.clone(), number }));
    }

    /// The calling thread has ended its help.
    pub fn leave(&self) {
        if let Some((processor, more)) = present() {
            self.machine.pause(processor.number, more, Activity::Absent);
        }
        set_present(None);
    }

    /// The calling thread has ended its part and waits for the helpers.
    pub fn await_end(&self) {
        if let Some((_, more)) = present() {
            self.machine.pause(self.first, more, Activity::Absent);
        }
    }

    /// All helpers have left: the calling thread goes on when the last one did.
    pub fn end(&self) {
        let mut states = self.machine.lock();
        let last = states.iter().map(|state| state.clock).max().unwrap_or_default();
        states[self.first] = State { clock: last, activity: Activity::Running, ..ABSENT };
        drop(states);
        forget();
    }
}

/// Positions between two polls of a thread on a virtual processor; `None` for an ordinary thread.
pub fn poll_interval() -> Option<u64> {
    PRESENT.with_borrow(|present| {
        present.as_ref().map(|present| match present.processor.machine.model {
            Model { clock: Clock::Position(price), quantum } => {
                (quantum.as_nanos() / price.as_nanos().max(1) / 2).max(1) as u64
            }
            Model { clock: Clock::ProcessorTime, .. } => 64,
        })
    })
}

/// The calling thread has searched so many positions more: its clock advances, and it waits if it is ahead.
pub fn advance(positions: u64) {
    let is_due = PRESENT.with_borrow_mut(|present| {
        let Some(present) = present else { return false };
        present.positions += positions;
        let Model { clock, quantum } = present.processor.machine.model;
        match clock {
            Clock::Position(price) => price * present.positions.min(1 << 20) as u32 >= quantum / 2,
            Clock::ProcessorTime => processor_time().saturating_sub(present.counted) >= quantum / 2,
        }
    });
    if is_due && let Some((Processor { machine, number }, more)) = present() {
        let mut states = machine.lock();
        states[number].clock += more;
        machine.hold(states, number);
    }
}

/// Does work on the first of as many virtual processors as it has threads, and returns the time by that one's clock.
pub fn measure<R>(model: Model, work: impl FnOnce() -> R) -> (R, Duration) {
    let states = Mutex::new(vec![State { activity: Activity::Running, ..ABSENT }]);
    let machine = Arc::new(Machine { model, states, wake: (0..MOST).map(|_| Condvar::new()).collect() });
    set_present(Some(Processor { machine: machine.clone(), number: 0 }));
    let result = work();
    let more = present().map_or(Duration::ZERO, |(_, more)| more);
    set_present(None);
    let time = machine.lock()[0].clock + more;
    (result, time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parker::Parker;
    use crate::thread_pool;
    use std::sync::atomic::{AtomicU64, Ordering};

    const MICROSECOND: Duration = Duration::from_micros(1);
    const MODEL: Model = Model { clock: Clock::Position(MICROSECOND), quantum: Duration::from_micros(2) };

    /// 8,000 positions, taken one at a time by all threads, on as many processors as threads.
    #[test]
    fn work_that_is_shared_takes_its_part_of_the_time() {
        for threads in [1, 2, 4, 16] {
            let left = AtomicU64::new(8_000);
            let take = || {
                while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
                    advance(1);
                }
            };
            let ((), time) = measure(MODEL, || thread_pool::run(threads, &|_| take(), &mut || take()));
            let expected = 8_000.0 / threads as f64;
            let took = time.as_secs_f64() * 1e6;
            assert!((took - expected).abs() < 8.0, "{threads} threads: {took} instead of {expected}");
        }
    }

    /// A thread that waits goes on at the time of the signal, and does not slow the others down.
    #[test]
    fn a_wait_lasts_until_the_signal() {
        let place = Mutex::new(None);
        let waited = Mutex::new(Duration::ZERO);
        let help = |_| {
            let mut held = place.lock().expect("the place");
            let parker = Parker::new();
            *held = Some(parker.clone());
            drop(held);
            *waited.lock().expect("the time") = parker.wait(0, || false);
            advance(100);
        };
        let ((), time) = measure(MODEL, || {
            thread_pool::run(2, &help, &mut || {
                let mut positions = 0;
                loop {
                    let parker = place.lock().expect("the place").take();
                    advance(500);
                    positions += 500;
                    if let Some(parker) = parker {
                        parker.signal();
                        break assert!(positions >= 500);
                    }
                }
            });
        });
        let waited = *waited.lock().expect("the time");
        assert!(waited >= 500 * MICROSECOND && time == waited + 100 * MICROSECOND, "{waited:?} {time:?}");
    }

    #[test]
    fn other_threads_are_ordinary() {
        assert_eq!(
            (poll_interval(), Processor::suspend().is_some(), Helpers::start(3).is_some()),
            (None, false, false)
        );
        let (interval, time) = measure(MODEL, poll_interval);
        assert_eq!((interval, time), (Some(1), Duration::ZERO));
    }
}
