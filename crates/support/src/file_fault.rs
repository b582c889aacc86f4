//! What is wrong with a file, in two wordings. The user of the command line owns the file, so messages there may quote
//! it. A host that named the file learns only the kind of the fault and its place: it must not read files through the
//! engine's messages.

use std::fmt::Display;

/// A fault of a file. Its text may quote the file.
pub trait FileFault: Display {
    /// The kind of the fault and its place (line, byte, number of the move), without anything that the file holds.
    fn without_content(&self) -> String;
}

/// The system's reasons, and those of [`super::bounded_file`], quote no file.
impl FileFault for std::io::Error {
    fn without_content(&self) -> String {
        self.to_string()
    }
}
