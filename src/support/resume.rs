//! Resuming a file that grows record by record: what an interruption left of a last record is cut off, so that the next
//! one is written behind the last whole record.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// Reads the lines of a file as long as `accept` takes them, and cuts off what follows: a last line without its line
/// end, or the first line that is not accepted with all after it. Returns how many lines are left; 0 without a file.
///
/// # Errors
/// The file cannot be read or cut, or the error of `accept`, which leaves the file as it is.
pub fn lines<E: From<io::Error>>(path: &Path, mut accept: impl FnMut(&str) -> Result<bool, E>) -> Result<u64, E> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        other => other?,
    };
    let (mut bytes, mut count) = (0, 0);
    let mut reader = BufReader::new(Read::by_ref(&mut file));
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let Some(text) = text.strip_suffix('\n') else { break };
        if !accept(text.strip_suffix('\r').unwrap_or(text))? {
            break;
        }
        bytes += line.len() as u64;
        count += 1;
        line.clear();
    }
    drop(reader);
    file.set_len(bytes)?;
    Ok(count)
}

/// Cuts a file of records of fixed length behind its last whole one and goes there. `header` bytes come before the
/// records. Returns how many records are left.
///
/// # Errors
/// The file cannot be cut.
pub fn records(file: &mut File, header: u64, record: u64) -> io::Result<u64> {
    let count = file.metadata()?.len().saturating_sub(header) / record;
    let end = header + count * record;
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn scratch(name: &str, content: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("flipside-resume-{name}-{}", std::process::id()));
        std::fs::write(&path, content).expect("a file");
        path
    }

    #[test]
    fn a_torn_line_is_cut() {
        let path = scratch("torn", "one\ntwo\r\nthr");
        let mut seen = Vec::new();
        let accept = |line: &str| -> io::Result<bool> {
            seen.push(line.to_string());
            Ok(true)
        };
        assert_eq!(lines(&path, accept).expect("lines"), 2);
        assert_eq!(seen, ["one", "two"]);
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "one\ntwo\r\n");
        std::fs::remove_file(&path).expect("the file");
        assert_eq!(lines(&path, |_| io::Result::Ok(true)).expect("no file"), 0);
    }

    #[test]
    fn lines_end_where_one_is_not_accepted() {
        let path = scratch("accept", "1\n2\nx\n3\n");
        let number = |line: &str| -> io::Result<bool> { Ok(line.parse::<u32>().is_ok()) };
        assert_eq!(lines(&path, number).expect("lines"), 2);
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "1\n2\n");
        let refused = lines(&path, |_| Err(io::Error::other("another match")));
        assert!(refused.is_err() && std::fs::read_to_string(&path).expect("the file") == "1\n2\n");
        std::fs::remove_file(&path).expect("the file");
    }

    #[test]
    fn a_torn_record_is_cut() {
        let path = scratch("record", "head1234123412");
        let mut file = OpenOptions::new().read(true).write(true).open(&path).expect("a file");
        assert_eq!(records(&mut file, 4, 4).expect("records"), 2);
        file.write_all(b"5678").expect("a record");
        assert_eq!(std::fs::read_to_string(&path).expect("the file"), "head123412345678");
        std::fs::remove_file(&path).expect("the file");
    }
}
