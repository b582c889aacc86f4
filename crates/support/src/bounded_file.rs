//! Reads a file whose name comes from outside, perhaps from a remote host: it may be a FIFO
//! without a writer, a device without end, or larger than the memory. Only regular files are read,
//! and only up to a bound.
//!
//! Subcommands read the files that their user names as text by ordinary means, because those may
//! be pipes (`<(...)`).

use super::text::drop_bom;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The whole of a regular file of at most `bound` bytes.
///
/// # Errors
/// It cannot be read, is not a regular file, or is longer.
pub fn read(path: &Path, bound: usize) -> Result<Vec<u8>> {
    check(&std::fs::metadata(path)?, bound)?;
    let file = open_regular(path)?;
    check(&file.metadata()?, bound)?;
    let mut bytes = Vec::new();
    // The length of some regular files (Linux: /proc) is unknown, and others grow.
    file.take(bound as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > bound { Err(too_long(bound)) } else { Ok(bytes) }
}

/// Opens a regular file of any length for reading.
///
/// # Errors
/// It cannot be opened or is not a regular file.
pub fn open_regular(path: &Path) -> Result<File> {
    // Opening a device may already have an effect, so the name is tested first. The file behind
    // the name may change before it is open, so the open file is tested again.
    check_regular(&std::fs::metadata(path)?)?;
    let file = open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// As [`read`], for text; drops a byte-order mark at the start.
///
/// # Errors
/// As [`read`], or if it is not UTF-8.
pub fn read_text(path: &Path, bound: usize) -> Result<String> {
    let mut bytes = read(path, bound)?;
    drop_bom(&mut bytes);
    String::from_utf8(bytes).map_err(|error| Error::new(ErrorKind::InvalidData, error.utf8_error()))
}

fn check_regular(metadata: &Metadata) -> Result<()> {
    if metadata.is_file() { Ok(()) } else { Err(Error::new(ErrorKind::InvalidInput, "not a regular file")) }
}

fn check(metadata: &Metadata, bound: usize) -> Result<()> {
    check_regular(metadata)?;
    if metadata.len() > bound as u64 { Err(too_long(bound)) } else { Ok(()) }
}

fn too_long(bound: usize) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("longer than {bound} bytes"))
}

/// Opens without waiting: a FIFO would wait for a writer.
#[cfg(unix)]
fn open(path: &Path) -> Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)
}

#[cfg(not(unix))]
fn open(path: &Path) -> Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("flipside-bounded-{}-{name}", std::process::id()))
    }

    #[test]
    fn regular_files_are_read_to_their_bound() {
        let path = path("regular");
        std::fs::write(&path, "twelve bytes").expect("a file");
        assert_eq!(read_text(&path, 12).expect("the text"), "twelve bytes");
        assert_eq!(read(&path, 11).expect_err("too long").to_string(), "longer than 11 bytes");
        std::fs::write(&path, "\u{feff}stage = 1").expect("a file");
        assert_eq!(read_text(&path, 12).expect("the text"), "stage = 1");
        std::fs::write(&path, [0xff]).expect("a file");
        assert_eq!(read_text(&path, 12).expect_err("no text").kind(), ErrorKind::InvalidData);
        std::fs::remove_file(&path).expect("the file");
        assert_eq!(read(&path, 11).expect_err("gone").kind(), ErrorKind::NotFound);
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_regular_file_is_refused_before_it_is_read() {
        let fifo = path("fifo");
        let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo runs");
        assert!(made.success());
        for path in [Path::new("/dev/zero"), Path::new("/"), &fifo] {
            assert_eq!(read(path, 1 << 20).expect_err("refused").to_string(), "not a regular file");
        }
        // A file that became a FIFO after the test of its name does not wait, either.
        assert!(open(&fifo).is_ok_and(|file| check(&file.metadata().expect("of the file"), 9).is_err()));
        std::fs::remove_file(&fifo).expect("the FIFO");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_of_unknown_length_is_read_to_the_bound() {
        assert_eq!(std::fs::metadata("/proc/self/maps").expect("Linux").len(), 0);
        assert_eq!(read(Path::new("/proc/self/maps"), 20).expect_err("longer").kind(), ErrorKind::FileTooLarge);
        assert!(!read(Path::new("/proc/self/maps"), 1 << 20).expect("short enough").is_empty());
    }
}
