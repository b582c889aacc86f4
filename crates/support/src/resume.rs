//! Files that grow record by record and survive a kill at any byte: every record is one write, and
//! a file that is opened again continues after its last complete record.
//!
//! Only a torn end is cut, which an interruption left of the last record. The owner refuses a file
//! with any other content and leaves it as it is.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Longest line of a growing file in bytes.
const MAX_LINE: u64 = 16 << 20;

/// A line of a growing file, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A line with its line end.
    Whole(&'a str),
    /// The bytes after the last line end: the torn beginning of a record, if the file is a valid
    /// one.
    Torn(&'a str),
}

/// A file that grows record by record. While it is open, no other process can open it as such.
#[derive(Debug)]
pub struct GrowingFile {
    path: PathBuf,
    file: File,
    /// Bytes of the file.
    length: u64,
    /// Whether it was created here.
    is_new: bool,
}

impl Drop for GrowingFile {
    /// Removes a file that was created in vain.
    fn drop(&mut self) {
        if self.is_new && self.length == 0 {
            // A file that cannot be removed does no harm.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl GrowingFile {
    /// Opens or creates the file. Nothing changes until its owner appends or cuts; a new file to which nothing is
    /// appended is removed in the end.
    ///
    /// # Errors
    /// If the file cannot be opened for reading and writing, is a folder, a pipe or a device, or
    /// grows in another process.
    pub fn open(path: &Path) -> io::Result<GrowingFile> {
        if path.exists() && !path.is_file() {
            return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
        }
        let is_new = !path.exists();
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(io::Error::new(ErrorKind::ResourceBusy, "another process is writing it"));
        }
        let length = file.metadata()?.len();
        Ok(GrowingFile { path: path.to_path_buf(), file, length, is_new })
    }

    /// Bytes of the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The first bytes of the file, at most this many.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn start(&mut self, bytes: u64) -> io::Result<Vec<u8>> {
        let mut start = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        Read::by_ref(&mut self.file).take(bytes).read_to_end(&mut start)?;
        Ok(start)
    }

    /// Shows every line to `accept`. If it takes all of them, a torn end is cut. Returns the
    /// number of lines left.
    ///
    /// # Errors
    /// The file cannot be read or cut, or the error of `accept`, which leaves the file as it is.
    pub fn lines<E: From<io::Error>>(&mut self, mut accept: impl FnMut(Line) -> Result<(), E>) -> Result<u64, E> {
        let (mut whole, mut count) = (0, 0);
        self.file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(&self.file);
        let mut line = Vec::new();
        while reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? > 0 {
            if line.len() as u64 == MAX_LINE {
                return Err(io::Error::new(ErrorKind::InvalidData, "a line is too long").into());
            }
            let text = String::from_utf8_lossy(&line);
            let Some(text) = text.strip_suffix('\n') else {
                accept(Line::Torn(&text))?;
                break;
            };
            accept(Line::Whole(text.strip_suffix('\r').unwrap_or(text)))?;
            whole += line.len() as u64;
            count += 1;
            line.clear();
        }
        self.cut(whole)?;
        Ok(count)
    }

    /// Cuts a file of records of fixed length after the last complete one. `header` bytes come
    /// before the records. Returns the number of records left.
    ///
    /// # Errors
    /// The file cannot be cut.
    pub fn records(&mut self, header: u64, record: u64) -> io::Result<u64> {
        let count = self.length.saturating_sub(header) / record;
        self.cut(header + count * record)?;
        Ok(count)
    }

    /// Cuts everything after these bytes, and logs that.
    ///
    /// # Errors
    /// The file cannot be cut.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        if length < self.length {
            self.file.set_len(length)?;
            log::warn!("{}: cut a torn record of {} bytes at its end", self.path.display(), self.length - length);
            self.length = length;
        }
        Ok(())
    }

    /// Empties the file, whose records are stored elsewhere now.
    ///
    /// # Errors
    /// The file cannot be cut.
    pub fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.length = 0;
        Ok(())
    }

    /// Appends a record in one write. After an error the file ends with its last complete record,
    /// if the system allows.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, record: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.length))?;
        if let Err(error) = self.file.write_all(record) {
            // If the rest of the record cannot be cut here, opening the file again cuts it.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += record.len() as u64;
        Ok(())
    }

    /// Appends a line in one write.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append_line(&mut self, line: &str) -> io::Result<()> {
        self.append(format!("{line}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str, content: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("flipside-resume-{name}-{}", std::process::id()));
        std::fs::write(&path, content).expect("a file");
        path
    }

    fn content(path: &Path) -> String {
        std::fs::read_to_string(path).expect("the file")
    }

    #[test]
    fn a_torn_line_is_cut() {
        let path = scratch("torn", "one\ntwo\r\nthr");
        let mut file = GrowingFile::open(&path).expect("a file");
        let mut seen = Vec::new();
        let accept = |line: Line| -> io::Result<()> {
            seen.push(format!("{line:?}"));
            Ok(())
        };
        assert_eq!(file.lines(accept).expect("lines"), 2);
        assert_eq!(seen, ["Whole(\"one\")", "Whole(\"two\")", "Torn(\"thr\")"]);
        assert_eq!(content(&path), "one\ntwo\r\n");
        file.append_line("three").expect("a line");
        assert_eq!(content(&path), "one\ntwo\r\nthree\n");
        std::fs::remove_file(&path).expect("the file");
    }

    #[test]
    fn what_is_refused_stays_as_it_is() {
        for text in ["1\n2\nx\n3\n", "1\n2\nx"] {
            let path = scratch("refused", text);
            let number = |line: Line| match line {
                Line::Whole(text) | Line::Torn(text) if text.parse::<u32>().is_ok() => Ok(()),
                _ => Err(io::Error::other("no number")),
            };
            let mut file = GrowingFile::open(&path).expect("a file");
            assert_eq!(file.lines(number).expect_err("refused").to_string(), "no number");
            assert_eq!(content(&path), text);
            std::fs::remove_file(&path).expect("the file");
        }
    }

    #[test]
    fn a_torn_record_is_cut() {
        let path = scratch("record", "head1234123412");
        let mut file = GrowingFile::open(&path).expect("a file");
        assert_eq!(file.start(4).expect("bytes"), b"head");
        assert_eq!(file.records(4, 4).expect("records"), 2);
        file.append(b"5678").expect("a record");
        assert_eq!(content(&path), "head123412345678");
        std::fs::remove_file(&path).expect("the file");
    }

    #[test]
    fn a_file_grows_in_one_process_at_a_time() {
        let path = scratch("locked", "");
        let first = GrowingFile::open(&path).expect("a file");
        assert_eq!(GrowingFile::open(&path).expect_err("locked").kind(), ErrorKind::ResourceBusy);
        drop(first);
        assert_eq!(GrowingFile::open(&path).expect("a file").length(), 0);
        std::fs::remove_file(&path).expect("the file");
        GrowingFile::open(&path).expect("a new file").append_line("one").expect("a line");
        assert_eq!(content(&path), "one\n");
        std::fs::remove_file(&path).expect("the file");
        drop(GrowingFile::open(&path).expect("a new file"));
        assert!(!path.exists(), "it was created in vain");
        let folder = GrowingFile::open(&std::env::temp_dir()).expect_err("a folder");
        assert_eq!(folder.to_string(), "not a regular file");
    }
}
