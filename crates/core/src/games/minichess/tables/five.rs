//! Tables of five pieces: a file for each pair of classes in a folder beside the other tables, deflated in blocks that are
//! read in place.
//!
//! A file has a header line, the number of its classes, their extras, a checksum of the index, the index (for each block its
//! end in the file and a checksum) and the blocks. Where the mover can take the king, the entry is that before it, which
//! packs better: a probe asks the rules.

use super::super::board::Board;
use super::super::squares::SQUARES;
use super::error::TablesError;
use super::material::{MAX_EXTRAS, MaterialClass, TablePosition};
use crate::games::storage::Storage;
use flipside_support::hash::checksum;
use flipside_support::inflate::inflate;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const HEADER: &[u8] = b"flipside minichess table of five 1\n";
/// Entries of a block.
const BLOCK: usize = 1 << 13;
/// Unpacked blocks that are kept: 16 MiB.
const CACHED: usize = 2_048;
/// Bytes of an entry of the index.
const INDEX_ENTRY: usize = 8;

/// The folder beside the file of the other tables.
pub fn folder(tables: &Path) -> PathBuf {
    let mut name = tables.as_os_str().to_owned();
    name.push(".five");
    PathBuf::from(name)
}

/// The file of a class and its reverse in a folder.
pub fn file_of(folder: &Path, class: MaterialClass) -> PathBuf {
    folder.join(class.pair().name() + ".table")
}

/// The classes of a pair: one, if it is its own reverse.
pub fn classes_of(class: MaterialClass) -> Vec<MaterialClass> {
    let (first, second) = (class.pair(), class.pair().reversed());
    if first == second { vec![first] } else { vec![first, second] }
}

/// Blocks of a class.
fn blocks_of(class: MaterialClass) -> usize {
    class.size().div_ceil(BLOCK)
}

/// A file that is read in place.
struct TableFile {
    storage: Storage,
    /// End and checksum of every block.
    index: Vec<(u32, u32)>,
    /// Where the blocks begin.
    start: u64,
}

impl TableFile {
    fn open(path: &Path, class: MaterialClass) -> Result<TableFile, TablesError> {
        let storage = Storage::open(path).map_err(|error| TablesError::Io(path.to_path_buf(), error))?;
        TableFile::read(storage, class).ok_or_else(|| TablesError::Damaged(path.to_path_buf()))
    }

    fn read(storage: Storage, class: MaterialClass) -> Option<TableFile> {
        let head = head(class);
        let blocks: usize = classes_of(class).into_iter().map(blocks_of).sum();
        let bytes = storage.bytes(0, head.len() + 8 + blocks * INDEX_ENTRY).ok()??;
        let (sum, index) = bytes.strip_prefix(&head[..])?.split_first_chunk::<8>()?;
        if checksum(index).to_le_bytes() != *sum {
            return None;
        }
        let word = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_le_bytes);
        let index: Vec<(u32, u32)> =
            index.chunks_exact(INDEX_ENTRY).map(|entry| (word(&entry[..4]), word(&entry[4..]))).collect();
        let start = bytes.len() as u64;
        drop(bytes);
        (storage.length() == start + u64::from(index.last()?.0)).then_some(TableFile { storage, index, start })
    }

    /// A block, unpacked.
    fn block(&self, block: usize, length: usize) -> Option<Box<[u8]>> {
        let begin = if block == 0 { 0 } else { self.index.get(block - 1)?.0 };
        let &(end, sum) = self.index.get(block)?;
        let packed = self.storage.bytes(self.start + u64::from(begin), end.checked_sub(begin)? as usize).ok()??;
        let mut plain = vec![0; length].into_boxed_slice();
        (checksum(&packed) as u32 == sum).then_some(())?;
        inflate(&packed, &mut plain).ok()?;
        Some(plain)
    }
}

/// The beginning of a file: what it is, and its classes.
fn head(class: MaterialClass) -> Vec<u8> {
    let classes = classes_of(class);
    let extras = classes.iter().flat_map(|class| class.extras);
    HEADER.iter().copied().chain([classes.len() as u8]).chain(extras).collect()
}

/// The content of the file of a pair. `tables` are those of its classes.
#[cfg(feature = "threads")]
pub fn packed(class: MaterialClass, tables: &[(MaterialClass, Box<[u8]>)]) -> Vec<u8> {
    use rayon::prelude::*;
    let blocks: Vec<Vec<u8>> = classes_of(class)
        .into_iter()
        .filter_map(|class| tables.iter().find(|(known, _)| *known == class))
        .flat_map(|(_, table)| table.chunks(BLOCK))
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|block| miniz_oxide::deflate::compress_to_vec(&without_captures(block), 7))
        .collect();
    let mut index = Vec::new();
    let mut end = 0_u32;
    for block in &blocks {
        end += block.len() as u32;
        index.extend([end.to_le_bytes(), (checksum(block) as u32).to_le_bytes()].concat());
    }
    let sum = checksum(&index).to_le_bytes();
    [head(class), sum.to_vec(), index, blocks.concat()].concat()
}

/// The block with every 1 replaced by the entry before it.
#[cfg(feature = "threads")]
fn without_captures(block: &[u8]) -> Vec<u8> {
    let mut last = u8::MAX;
    let kept = block.iter().map(|&dtm| {
        last = if dtm == 1 { last } else { dtm };
        last
    });
    kept.collect()
}

/// A block that was unpacked: its class, its number, its entries.
type Cached = Option<(MaterialClass, usize, Box<[u8]>)>;

/// The files of a folder.
pub struct FiveTables {
    /// The file of each class, and the number of its first block there.
    classes: HashMap<MaterialClass, (Arc<TableFile>, usize)>,
    cache: Vec<Mutex<Cached>>,
}

impl FiveTables {
    /// The files that a folder has; damaged ones are reported in the log and left out.
    pub fn open(folder: &Path) -> Option<FiveTables> {
        if !folder.exists() {
            return None;
        }
        let mut tables = FiveTables { classes: HashMap::new(), cache: Vec::new() };
        tables.cache.resize_with(CACHED, Mutex::default);
        for class in MaterialClass::five().filter(|class| class.pair() == *class) {
            if file_of(folder, class).exists()
                && let Err(error) = tables.add(folder, class)
            {
                log::warn!("{error}");
            }
        }
        (!tables.classes.is_empty()).then_some(tables)
    }

    /// Adds the file of a pair.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    fn add(&mut self, folder: &Path, class: MaterialClass) -> Result<(), TablesError> {
        let file = Arc::new(TableFile::open(&file_of(folder, class), class)?);
        let mut first = 0;
        for class in classes_of(class) {
            self.classes.insert(class, (file.clone(), first));
            first += blocks_of(class);
        }
        Ok(())
    }

    /// The materials, each once.
    pub fn materials(&self) -> impl Iterator<Item = MaterialClass> {
        self.classes.keys().copied().filter(|class| class.pair() == *class)
    }

    /// The distance to mate of a board of five pieces; none if there is no file of its class, or its block is damaged.
    pub(super) fn dtm(&self, board: &Board) -> Option<u8> {
        let position = TablePosition::of(board);
        let (file, first) = self.classes.get(&position.class)?;
        if board.attacks_king(board.to_move()) {
            return Some(1);
        }
        let (block, entry) = (position.index() / BLOCK, position.index() % BLOCK);
        let slot = (first + block).wrapping_mul(0x9e37_79b1) ^ position.class.extras[0] as usize;
        let mut cached = self.cache.get(slot % CACHED)?.lock().unwrap_or_else(PoisonError::into_inner);
        match &*cached {
            Some((class, number, entries)) if (*class, *number) == (position.class, block) => {
                entries.get(entry).copied()
            }
            _ => {
                let length = BLOCK.min(position.class.size() - block * BLOCK);
                let entries = file.block(first + block, length)?;
                let dtm = entries.get(entry).copied();
                *cached = Some((position.class, block, entries));
                dtm
            }
        }
    }
}

/// Whether a folder has the whole file of a class and its reverse.
pub fn is_made(folder: &Path, class: MaterialClass) -> bool {
    TableFile::open(&file_of(folder, class), class).is_ok()
}

/// The materials to make for these: those that their pawns promote to come first.
pub fn in_order(wanted: impl IntoIterator<Item = MaterialClass>) -> Vec<MaterialClass> {
    let mut open: Vec<MaterialClass> = wanted.into_iter().map(MaterialClass::pair).collect();
    let mut all = BTreeSet::new();
    while let Some(class) = open.pop() {
        if all.insert(class) {
            open.extend(class.promotions().map(MaterialClass::pair));
        }
    }
    let mut all: Vec<MaterialClass> = all.into_iter().collect();
    all.sort_by_key(|class| class.pawns());
    all
}

/// Bytes of memory that solving a pair takes: three for each placement of both classes, mirrored ones included, and a copy.
pub fn memory(class: MaterialClass) -> usize {
    classes_of(class).len() * (3 * SQUARES.pow(2 + MAX_EXTRAS as u32) + class.size())
}

/// Placements of the pieces of both classes.
pub fn placements(class: MaterialClass) -> usize {
    classes_of(class).into_iter().map(MaterialClass::size).sum()
}

#[cfg(feature = "threads")]
#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str) -> MaterialClass {
        MaterialClass::of_name(name).expect("a class")
    }

    #[test]
    fn materials_are_made_after_those_of_their_promotions() {
        let names = |wanted| in_order([wanted]).into_iter().map(MaterialClass::name).collect::<Vec<_>>();
        assert_eq!(names(class("KRvKNN")), [class("KRvKNN").pair().name()]);
        let order = names(class("KRvKPP"));
        assert_eq!(order, ["KRvKQQ", "KRvKPQ", "KRvKPP"].map(|name| class(name).pair().name()));
        assert_eq!(in_order(MaterialClass::five()).len(), 110);
    }

    /// Entries come back, those of captures of the king apart. A damaged file is refused, a damaged block not believed.
    #[test]
    fn packed_tables_are_read_and_damage_is_detected() {
        let class = class("KRvKNN").pair();
        let entries = |class: MaterialClass| (0..class.size()).map(|at| (at / 7 % 251) as u8).collect::<Box<[u8]>>();
        let tables: Vec<_> = classes_of(class).into_iter().map(|class| (class, entries(class))).collect();
        let mut content = packed(class, &tables);
        let read = |content: &[u8]| TableFile::read(Storage::Memory(content.to_vec().into()), class);
        let file = read(&content).expect("a whole file");
        for (block, length) in [(0, BLOCK), (5, BLOCK), (file.index.len() - 1, class.size() % BLOCK)] {
            let (_, table) = &tables[block / blocks_of(class)];
            let expected = table.chunks(BLOCK).nth(block % blocks_of(class)).expect("a block");
            let found = file.block(block, length).expect("a whole block");
            let differs = found.iter().zip(expected).any(|(found, expected)| found != expected && *expected != 1);
            assert!(found.len() == expected.len() && !differs, "{block}");
        }
        let last = content.len() - 1;
        content[last] ^= 1;
        let file = read(&content).expect("its index is whole");
        assert!(file.block(file.index.len() - 1, class.size() % BLOCK).is_none() && file.block(0, BLOCK).is_some());
        assert!(read(&content[..last]).is_none() && read(&content[1..]).is_none());
    }
}
