//! Why endgame tables are not available.

use std::path::PathBuf;

/// Why the tables are not available.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// The file is another one, of another version, or damaged.
    #[error("{0} holds no whole tables of this version: make them anew with flipside tables")]
    Damaged(PathBuf),
    /// The user has no home directory, so there is no cache directory for the file.
    #[error("no cache directory: set FLIPSIDE_TABLES to the file of the tables")]
    NoDirectory,
}
