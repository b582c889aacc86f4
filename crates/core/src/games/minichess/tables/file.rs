//! The file of endgame tables: a header line, a checksum, and all classes in order.

use super::five::{self, FiveTables};
use super::{EndgameTables, MaterialClass, TablesError};
use flipside_support::bounded_file;
use flipside_support::hash::checksum_of_parts;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const HEADER: &[u8] = b"flipside minichess tables 1\n";
/// The environment variable for another file than that of the cache directory.
pub const VARIABLE: &str = "FLIPSIDE_TABLES";

/// The path of the tables: `FLIPSIDE_TABLES`, or `flipside/minichess.tables` in the user's cache directory (feature
/// `files`).
///
/// # Errors
/// There is neither.
pub fn path() -> Result<PathBuf, TablesError> {
    if let Some(path) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        return Ok(PathBuf::from(path));
    }
    Ok(cache_directory().ok_or(TablesError::NoDirectory)?.join("flipside").join("minichess.tables"))
}

/// The user's cache directory; the library alone does not look for it.
fn cache_directory() -> Option<PathBuf> {
    #[cfg(feature = "files")]
    return etcetera::BaseStrategy::cache_dir(&etcetera::choose_base_strategy().ok()?).into();
    #[cfg(not(feature = "files"))]
    None
}

/// The tables at [`path`], read once in the life of the process; none without a file. A damaged
/// file is reported in the log.
pub fn installed() -> Option<Arc<EndgameTables>> {
    static READ: Mutex<Option<(PathBuf, Option<Arc<EndgameTables>>)>> = Mutex::new(None);
    let path = path().ok()?;
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    match &*read {
        Some((known, tables)) if *known == path => tables.clone(),
        _ => {
            let tables = match path.exists().then(|| EndgameTables::open(&path)) {
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
    /// The tables of a file, and those of five pieces beside it.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn open(path: &Path) -> Result<EndgameTables, TablesError> {
        let five = FiveTables::open(&five::folder(path));
        Ok(EndgameTables { five, ..EndgameTables::load(path)? })
    }

    /// Writes the content of the file of the tables.
    ///
    /// # Errors
    /// The error of `out`.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        out.write_all(HEADER)?;
        out.write_all(&self.checksum().to_le_bytes())?;
        self.classes.iter().try_for_each(|class| out.write_all(class))
    }

    /// Bytes of the file of the tables.
    pub fn file_size() -> usize {
        HEADER.len() + 8 + MaterialClass::all().map(MaterialClass::size).sum::<usize>()
    }

    /// Reads what [`EndgameTables::write`] wrote.
    ///
    /// # Errors
    /// The file cannot be read, is not a file of tables, or is incomplete.
    pub fn load(path: &Path) -> Result<EndgameTables, TablesError> {
        let error = |error| TablesError::Io(path.to_path_buf(), error);
        let text = bounded_file::read(path, EndgameTables::file_size()).map_err(error)?;
        EndgameTables::read(&text).ok_or_else(|| TablesError::Damaged(path.to_path_buf()))
    }

    fn read(text: &[u8]) -> Option<EndgameTables> {
        let rest = text.strip_prefix(HEADER)?;
        let (sum, mut rest) = rest.split_at_checked(8)?;
        let mut classes = Vec::new();
        for class in MaterialClass::all() {
            let (table, after) = rest.split_at_checked(class.size())?;
            classes.push(Box::from(table));
            rest = after;
        }
        let tables = EndgameTables { classes, five: None };
        (rest.is_empty() && tables.checksum().to_le_bytes() == sum).then_some(tables)
    }

    fn checksum(&self) -> u64 {
        checksum_of_parts(self.classes.iter().map(|class| &**class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of numbers: a file format test needs no true ones.
    #[test]
    fn saved_tables_are_loaded_and_damage_is_detected() {
        let fill = |class: MaterialClass| (0..class.size()).map(|at| (at % 251) as u8).collect();
        let tables = EndgameTables { classes: MaterialClass::all().map(fill).collect(), five: None };
        let path = std::env::temp_dir().join(format!("flipside-tables-{}", std::process::id()));
        let mut text = Vec::new();
        tables.write(&mut text).expect("written");
        std::fs::write(&path, &text).expect("a file");
        let read = EndgameTables::load(&path).expect("loaded");
        assert!(read.classes == tables.classes);
        let last = text.len() - 1;
        text[last] ^= 1;
        assert!(EndgameTables::read(&text).is_none(), "a bit is wrong");
        assert!(EndgameTables::read(&text[..last]).is_none(), "the end is missing");
        std::fs::remove_file(&path).expect("the file");
        assert!(matches!(EndgameTables::load(&path), Err(TablesError::Io(..))));
    }
}
