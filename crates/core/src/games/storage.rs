//! Where the bytes of a book or a table are: in memory, in a mapped file, or in a file that is read
//! block by block.

use flipside_support::bounded_file;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The bytes of a book or of a table.
#[derive(Debug)]
pub enum Storage {
    /// In memory.
    Memory(Cow<'static, [u8]>),
    /// In a file that is mapped into memory.
    #[cfg(feature = "files")]
    Mapped(memmap2::Mmap),
    /// In a file without a map.
    File(Mutex<File>, u64),
}

impl Storage {
    /// A regular file, mapped if that is possible.
    ///
    /// # Errors
    /// It is not a regular file or cannot be opened.
    pub fn open(path: &Path) -> io::Result<Storage> {
        let file = bounded_file::open_regular(path)?;
        #[cfg(feature = "files")]
        // SAFETY: the bytes are only copied, compared or unpacked, whatever they are, and checked before
        // use. Books and tables are replaced by renaming, never written in place, so a mapped one does not
        // change.
        if let Ok(map) = unsafe { memmap2::Mmap::map(&file) } {
            return Ok(Storage::Mapped(map));
        }
        Storage::reading(file)
    }

    /// A file that is read block by block.
    ///
    /// # Errors
    /// Its length cannot be found.
    pub fn reading(file: File) -> io::Result<Storage> {
        let length = file.metadata()?.len();
        Ok(Storage::File(Mutex::new(file), length))
    }

    /// Bytes in all.
    pub fn length(&self) -> u64 {
        match self {
            Storage::Memory(bytes) => bytes.len() as u64,
            #[cfg(feature = "files")]
            Storage::Mapped(map) => map.len() as u64,
            Storage::File(_, length) => *length,
        }
    }

    /// The first bytes of a file that is too short to be a book, `most` of them, to say what it is instead.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn start(&self, most: u64) -> io::Result<Vec<u8>> {
        match self {
            Storage::Memory(bytes) => Ok(bytes.to_vec()),
            #[cfg(feature = "files")]
            Storage::Mapped(map) => Ok(map.to_vec()),
            Storage::File(file, _) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut bytes = Vec::new();
                file.seek(SeekFrom::Start(0))?;
                Read::by_ref(&mut *file).take(most).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
        }
    }

    /// True if data that was checked once need not be checked again.
    pub fn is_lasting(&self) -> bool {
        !matches!(self, Storage::File(..))
    }

    /// The block that begins at this byte, in place or read into `buffer`; none beyond the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn block<'a, const N: usize>(
        &'a self,
        offset: u64,
        buffer: &'a mut [u8; N],
    ) -> io::Result<Option<&'a [u8; N]>> {
        let slice = |bytes: &'a [u8]| usize::try_from(offset).ok().and_then(|at| bytes.get(at..)?.first_chunk());
        match self {
            Storage::Memory(bytes) => Ok(slice(bytes)),
            #[cfg(feature = "files")]
            Storage::Mapped(map) => Ok(slice(map)),
            Storage::File(_, length) if offset.saturating_add(N as u64) > *length => Ok(None),
            Storage::File(file, _) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset))?;
                file.read_exact(buffer)?;
                Ok(Some(buffer))
            }
        }
    }

    /// The bytes from an offset on, in place or read; none beyond the end.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn bytes(&self, offset: u64, length: usize) -> io::Result<Option<Cow<'_, [u8]>>> {
        let slice = |bytes| {
            let at = usize::try_from(offset).ok()?;
            <[u8]>::get(bytes, at..at.checked_add(length)?).map(Cow::Borrowed)
        };
        match self {
            Storage::Memory(bytes) => Ok(slice(bytes)),
            #[cfg(feature = "files")]
            Storage::Mapped(map) => Ok(slice(map)),
            Storage::File(_, end) if offset.saturating_add(length as u64) > *end => Ok(None),
            Storage::File(file, _) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut bytes = vec![0; length];
                file.seek(SeekFrom::Start(offset))?;
                file.read_exact(&mut bytes)?;
                Ok(Some(Cow::Owned(bytes)))
            }
        }
    }
}
