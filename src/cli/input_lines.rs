//! Input from a file or from standard input.

use anyhow::Context;
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

/// A file to be read by lines; standard input for `-` or nothing.
///
/// # Errors
/// When the file cannot be opened.
pub fn open(file: Option<&Path>) -> anyhow::Result<Box<dyn BufRead + Send>> {
    match file {
        Some(path) if path != Path::new("-") => {
            let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok(Box::new(BufReader::new(file)))
        }
        _ => Ok(Box::new(BufReader::new(stdin()))),
    }
}
