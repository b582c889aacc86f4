//! A temporary folder for a test.

use std::fs;
use tempfile::TempDir;

/// A folder that is removed at the end of the test.
pub struct Home(pub TempDir);

impl Home {
    pub fn new() -> Home {
        Home(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path").to_string()
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// Writes a file and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).expect("a file");
        self.path(name)
    }
}
