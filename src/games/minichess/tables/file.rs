//! The file of the tables: a line that says what it is, a checksum, and all classes in order.

use super::{Class, EndgameTables};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const HEADER: &[u8] = b"flipside minichess tables 1\n";
/// The variable that names another file than that of the cache directory.
pub const VARIABLE: &str = "FLIPSIDE_TABLES";

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// The file is something else, or damaged.
    #[error("{0} holds no whole tables of this version: make them anew with flipside tables")]
    Damaged(PathBuf),
    /// No place for the file is known.
    #[error("neither {VARIABLE} nor XDG_CACHE_HOME nor HOME says where tables are kept")]
    NoPlace,
}

/// Where tables are kept: `FLIPSIDE_TABLES`, or `flipside/minichess.tables` in the user's cache
/// directory.
///
/// # Errors
/// The environment names no such place.
pub fn place() -> Result<PathBuf, TablesError> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = variable(VARIABLE) {
        return Ok(path);
    }
    let cache = variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")));
    Ok(cache.ok_or(TablesError::NoPlace)?.join("flipside").join("minichess.tables"))
}

/// The tables of [`place`], read once in the life of the process; none if there are none. Damaged
/// ones are told of in the log.
pub fn installed() -> Option<Arc<EndgameTables>> {
    static READ: Mutex<Option<(PathBuf, Option<Arc<EndgameTables>>)>> = Mutex::new(None);
    let path = place().ok()?;
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    match &*read {
        Some((known, tables)) if *known == path => tables.clone(),
        _ => {
            let tables = match path.exists().then(|| EndgameTables::load(&path)) {
                Some(Ok(tables)) => Some(Arc::new(tables)),
                Some(Err(error)) => {
                    log::warn!("{error}");
                    None
                }
                None => None,
            };
            *read = Some((path, tables.clone()));
            tables
        }
    }
}

impl EndgameTables {
    /// Writes the tables beside the place and moves them there, so that nobody reads half a file.
    ///
    /// # Errors
    /// The folder cannot be made or the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), TablesError> {
        let error = |error| TablesError::Io(path.to_path_buf(), error);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(error)?;
        }
        let unfinished = path.with_extension(format!("{}.part", std::process::id()));
        let write = || -> std::io::Result<()> {
            let mut file = std::io::BufWriter::new(std::fs::File::create(&unfinished)?);
            file.write_all(HEADER)?;
            file.write_all(&self.checksum().to_le_bytes())?;
            for class in &self.classes {
                file.write_all(class)?;
            }
            file.flush()?;
            std::fs::rename(&unfinished, path)
        };
        write().map_err(error)
    }

    /// Reads what [`EndgameTables::save`] wrote.
    ///
    /// # Errors
    /// The file cannot be read, is no such file, or is not whole.
    pub fn load(path: &Path) -> Result<EndgameTables, TablesError> {
        let error = |error| TablesError::Io(path.to_path_buf(), error);
        let mut text = Vec::new();
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut text)).map_err(error)?;
        EndgameTables::read(&text).ok_or_else(|| TablesError::Damaged(path.to_path_buf()))
    }

    fn read(text: &[u8]) -> Option<EndgameTables> {
        let rest = text.strip_prefix(HEADER)?;
        let (sum, mut rest) = rest.split_at_checked(8)?;
        let mut classes = Vec::new();
        for class in Class::all() {
            let (table, after) = rest.split_at_checked(class.size())?;
            classes.push(Box::from(table));
            rest = after;
        }
        let tables = EndgameTables { classes };
        (rest.is_empty() && tables.checksum().to_le_bytes() == sum).then_some(tables)
    }

    /// Fowler, Noll and Vo's hash over words of eight bytes.
    fn checksum(&self) -> u64 {
        let words = self.classes.iter().flat_map(|class| class.chunks(8));
        words.fold(0xcbf2_9ce4_8422_2325, |hash: u64, word| {
            // The sizes of the tables are not all multiples of eight; copying so few bytes one by one is slow.
            let word = word.try_into().map_or_else(|_| short_word(word), u64::from_le_bytes);
            (hash ^ word).wrapping_mul(0x100_0000_01b3).rotate_left(23)
        })
    }
}

/// Fewer than eight bytes as a word.
#[cold]
fn short_word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EndgameTables of nothing but numbers: a file needs no truth.
    #[test]
    fn what_is_saved_is_loaded_and_damage_is_seen() {
        let fill = |class: Class| (0..class.size()).map(|at| (at % 251) as u8).collect();
        let tables = EndgameTables { classes: Class::all().map(fill).collect() };
        let folder = std::env::temp_dir().join(format!("flipside-tables-{}", std::process::id()));
        let path = folder.join("deeper").join("x.tables");
        tables.save(&path).expect("saved");
        let read = EndgameTables::load(&path).expect("loaded");
        assert!(read.classes == tables.classes);
        let mut text = std::fs::read(&path).expect("the file");
        let last = text.len() - 1;
        text[last] ^= 1;
        assert!(EndgameTables::read(&text).is_none(), "a bit is wrong");
        assert!(EndgameTables::read(&text[..last]).is_none(), "the end is missing");
        assert!(matches!(EndgameTables::load(&folder.join("none")), Err(TablesError::Io(..))));
        std::fs::remove_dir_all(&folder).expect("the folder");
    }
}
