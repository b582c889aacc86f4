//! What several targets need.

#![allow(dead_code, reason = "every target takes what it needs")]

use std::path::Path;
use std::time::{Duration, Instant};

/// What `read` makes of a file with this content.
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

/// Waits, when it is dropped, for the threads that were started since it was made. An engine's thread outlives the engine by a
/// moment, in which the leak check would take what it still holds for leaks.
pub struct StartedThreads {
    before: usize,
}

impl StartedThreads {
    /// Remembers the threads that there are.
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
