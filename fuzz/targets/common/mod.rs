//! Tools of several targets.

#![allow(dead_code, reason = "every target takes what it needs")]

use std::path::Path;
use std::time::{Duration, Instant};

/// The result of `read` for a file with this content.
pub fn with_file<T>(content: impl AsRef<[u8]>, read: impl FnOnce(&Path) -> T) -> T {
    let path = std::env::temp_dir().join(format!("flipside-fuzz-{}", std::process::id()));
    std::fs::write(&path, content).expect("a temporary file");
    let result = read(&path);
    std::fs::remove_file(&path).expect("the temporary file");
    result
}

/// Threads of this process (Linux).
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// Waits on drop for the threads started since its creation. An engine's thread outlives the engine by a moment, and
/// the leak check would report what it still holds.
pub struct StartedThreads {
    before: usize,
}

impl StartedThreads {
    /// Remembers the present threads.
    pub fn new() -> StartedThreads {
        StartedThreads { before: threads() }
    }
}

impl Drop for StartedThreads {
    fn drop(&mut self) {
        let start = Instant::now();
        while threads() > self.before && start.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_micros(100));
        }
    }
}
