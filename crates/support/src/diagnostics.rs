//! Faults of a part of an input where the work goes on: a line on stderr, in the form of all
//! errors.

use std::fmt::Display;
use std::io::{self, Write, stderr};
use std::path::Path;

/// Says what is wrong in a file, or in the standard input: `flipside: games.txt: line 3: expected ...`.
///
/// # Errors
/// If stderr cannot be written.
pub fn report(file: Option<&Path>, what: impl Display) -> io::Result<()> {
    writeln!(stderr(), "{}", text(file, what))
}

fn text(file: Option<&Path>, what: impl Display) -> String {
    match file.filter(|file| *file != Path::new("-")) {
        Some(file) => format!("flipside: {}: {what}", file.display()),
        None => format!("flipside: {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_and_the_standard_input_is_not() {
        assert_eq!(text(Some(Path::new("a.txt")), "line 3: no move"), "flipside: a.txt: line 3: no move");
        assert_eq!(text(Some(Path::new("-")), "line 3: no move"), "flipside: line 3: no move");
        assert_eq!(text(None, "game 2: no move"), "flipside: game 2: no move");
    }
}
