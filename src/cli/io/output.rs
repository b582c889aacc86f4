//! The standard output of the subcommands. Its one owner remembers a failed write, so that a full disk is never
//! reported as success.

use flipside_support::json;
use serde::Serialize;
use std::fmt::{self, Display};
use std::io::{self, ErrorKind, IsTerminal, Stdout, Write, stdout};

/// The standard output. Text is written line by line.
pub struct Output {
    stdout: Stdout,
    failure: Option<StdoutError>,
}

/// Why standard output cannot be written: the inner error of every error of [`Output`].
#[derive(Clone, Debug)]
struct StdoutError {
    kind: ErrorKind,
    reason: String,
}

impl Display for StdoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write to standard output: {}", self.reason)
    }
}

impl std::error::Error for StdoutError {}

impl From<StdoutError> for io::Error {
    fn from(error: StdoutError) -> io::Error {
        io::Error::new(error.kind, error)
    }
}

impl Output {
    /// The standard output of this process.
    pub fn of_process() -> Output {
        Output { stdout: stdout(), failure: None }
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.stdout.is_terminal()
    }

    /// Prints a result: the record as a line of JSON, or the same in words. Adds the end of the line.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn print(&mut self, as_json: bool, record: &impl Serialize, words: impl Display) -> anyhow::Result<()> {
        if as_json {
            writeln!(self, "{}", json::line(record)?)?
        } else {
            writeln!(self, "{words}")?
        }
        Ok(())
    }

    /// Passes on the result of a write to standard output that did not go through this type.
    ///
    /// # Errors
    /// The same error, as one of the standard output.
    pub fn checked<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            if error.kind() == ErrorKind::Interrupted {
                return error;
            }
            let failure = StdoutError { kind: error.kind(), reason: error.to_string() };
            self.failure.get_or_insert_with(|| failure.clone());
            failure.into()
        })
    }

    /// Writes the rest of the buffer.
    ///
    /// # Errors
    /// The first error of this output, even if it was returned before.
    pub fn finish(mut self) -> io::Result<()> {
        // The error is in `failure`.
        let _ = self.flush();
        self.failure.map_or(Ok(()), |failure| Err(failure.into()))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.stdout.write(bytes);
        self.checked(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.stdout.flush();
        self.checked(result)
    }
}

/// True if the reader of standard output has closed it, as `| head` does. That is not an error.
pub fn is_closed(error: &anyhow::Error) -> bool {
    let io_errors = error.chain().filter_map(|error| error.downcast_ref::<io::Error>());
    let mut ours = io_errors.filter_map(|error| error.get_ref()?.downcast_ref::<StdoutError>());
    ours.any(|error| error.kind == ErrorKind::BrokenPipe)
}
