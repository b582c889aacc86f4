//! What several targets need.

use std::path::Path;

/// What `read` makes of a file with this content.
pub fn with_file<T>(content: impl AsRef<[u8]>, read: impl FnOnce(&Path) -> T) -> T {
    let path = std::env::temp_dir().join(format!("flipside-fuzz-{}", std::process::id()));
    std::fs::write(&path, content).expect("a temporary file");
    let result = read(&path);
    std::fs::remove_file(&path).expect("the temporary file");
    result
}
