//! Virtual processors: the time that a parallel computation would take on more processors than there are.
//!
//! Every thread of the computation has a clock: the processor time that it has used, or a price for each position that
//! it has searched. At each poll a thread stops while its clock is ahead of the slowest running thread's by more than a
//! quantum. So all threads advance together, as they would on processors of their own, however few there are and however
//! busy they are. A thread that waits for another one has no clock; the signal that ends its wait sets its clock to that
//! of the thread that gave it. The first thread's clock at the end is the time that as many processors would take
//! without what it costs to wake a thread, to share cache lines and memory, and to run at a lower frequency.
//!
//! The quantum decides what is seen. Threads that repeat each other's work look better with a coarse one, because the
//! later one finds the table filled: take 2 µs, and the price for each position, where positions take half a
//! microsecond. 10 to 50 µs and processor time do for the solver, whose positions differ in price.
//!
//! Only the feature `virtual-processors` compiles this; without it every thread is an ordinary one.

#[cfg(all(unix, feature = "virtual-processors"))]
mod present;

#[cfg(not(all(unix, feature = "virtual-processors")))]
pub use absent::*;
#[cfg(all(unix, feature = "virtual-processors"))]
pub use present::*;

/// Without the feature: no thread is on a virtual processor, and the compiler leaves all of this out.
#[cfg(not(all(unix, feature = "virtual-processors")))]
mod absent {
    use std::time::Duration;

    /// Never exists.
    #[derive(Clone, Debug)]
    pub enum Processor {}

    /// The virtual processors of helping threads: none.
    #[derive(Clone, Debug)]
    pub enum Helpers {}

    impl Processor {
        /// The calling thread's; `None`.
        #[inline(always)]
        pub fn suspend() -> Option<Processor> {
            None
        }

        /// Never called.
        pub fn resume(&self) {
            match *self {}
        }

        /// Never called.
        pub fn wait(&self, _is_done: impl Fn() -> bool) -> Duration {
            match *self {}
        }
    }

    impl Helpers {
        /// Processors for this many helpers of the calling thread; `None`.
        #[inline(always)]
        pub fn start(_count: usize) -> Option<Helpers> {
            None
        }

        /// Never called.
        pub fn enter(&self, _number: usize) {
            match *self {}
        }

        /// Never called.
        pub fn leave(&self) {
            match *self {}
        }

        /// Never called.
        pub fn await_end(&self) {
            match *self {}
        }

        /// Never called.
        pub fn end(&self) {
            match *self {}
        }
    }

    /// Positions between two polls of a thread on a virtual processor; `None`.
    #[inline(always)]
    pub fn poll_interval() -> Option<u64> {
        None
    }

    /// Nothing to advance.
    #[inline(always)]
    pub fn advance(_positions: u64) {}
}
