//! The clock that searches read: the standard library's, or in a WebAssembly module, which has
//! none of its own, the host's.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod system {
    pub use std::time::Instant;
    use std::time::SystemTime;

    /// A number that differs from run to run: nanoseconds since 1970.
    pub fn time_seed() -> u64 {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64)
    }
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod host {
    use std::ops::Add;
    use std::time::Duration;

    #[link(wasm_import_module = "flipside")]
    unsafe extern "C" {
        /// Milliseconds since 1970, with a fraction where the host has one; they never run
        /// backwards.
        safe fn now() -> f64;
    }

    /// A moment of the host's clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            Instant(Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default())
        }

        /// The time since this moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, duration: Duration) -> Instant {
            Instant(self.0.saturating_add(duration))
        }
    }

    /// A number that differs from run to run: nanoseconds since 1970.
    pub fn time_seed() -> u64 {
        Instant::now().0.as_nanos() as u64
    }
}

#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
pub use host::{Instant, time_seed};
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
pub use system::{Instant, time_seed};
