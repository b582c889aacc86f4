//! The file of a prover's table, by which a long proof goes on another day: a header line, the numbers below, and the words
//! of the table in blocks, each with its checksum.
//!
//! Facts hold of a position wherever it comes from, so a file serves the proof of another position, too.

use super::fact_table::FactTable;
use flipside_support::hash::checksum;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::Ordering;

const HEADER: &[u8] = b"flipside minichess facts 1\n";
const WORDS_OF_MEBIBYTE: usize = (1 << 20) / size_of::<u64>();
/// Words of a block; a table has a multiple of them.
const BLOCK: usize = 1 << 14;

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FactsError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is another one, of another version, or damaged.
    #[error("it holds no whole table of a proof")]
    Damaged,
    /// The table has fewer MiB than the file needs.
    #[error("its table takes {0} MiB, more than there is room for")]
    TooLarge(usize),
}

/// Writes a table and the number of positions that it took.
///
/// # Errors
/// The error of `out`.
pub fn write(table: &FactTable, nodes: u64, out: &mut dyn Write) -> io::Result<()> {
    let words = table.words();
    out.write_all(HEADER)?;
    write_block([words.len() as u64, table.used() as u64, nodes].into_iter(), out)?;
    words.chunks(BLOCK).try_for_each(|block| write_block(block.iter().map(|word| word.load(Ordering::Relaxed)), out))
}

fn write_block(words: impl Iterator<Item = u64>, out: &mut dyn Write) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(8 * BLOCK);
    words.for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    out.write_all(&bytes)?;
    out.write_all(&checksum(&bytes).to_le_bytes())
}

/// Reads what [`write`] wrote; returns the number of positions. After an error the table is empty.
///
/// # Errors
/// The file cannot be read, is not of a table, or the table is larger than this one may grow.
pub fn read(table: &mut FactTable, input: &mut dyn Read) -> Result<u64, FactsError> {
    let nodes = read_all(table, input);
    if nodes.is_err() {
        table.clear();
    }
    nodes
}

fn read_all(table: &mut FactTable, input: &mut dyn Read) -> Result<u64, FactsError> {
    let mut header = [0; HEADER.len()];
    fill(&mut header, input)?;
    let numbers = read_block(3, input)?;
    if header != HEADER {
        return Err(FactsError::Damaged);
    }
    let (len, used) = (numbers[0] as usize, numbers[1] as usize);
    table.resize(len, used).ok_or(FactsError::TooLarge(len / WORDS_OF_MEBIBYTE))?;
    for first in (0..len).step_by(BLOCK) {
        table.set(first, read_block(BLOCK.min(len - first), input)?.into_iter());
    }
    match input.read(&mut [0])? {
        0 => Ok(numbers[2]),
        _ => Err(FactsError::Damaged),
    }
}

fn read_block(words: usize, input: &mut dyn Read) -> Result<Vec<u64>, FactsError> {
    let mut bytes = vec![0; 8 * words];
    let mut sum = [0; 8];
    fill(&mut bytes, input)?;
    fill(&mut sum, input)?;
    if checksum(&bytes).to_le_bytes() != sum {
        return Err(FactsError::Damaged);
    }
    Ok(bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

/// Reads all of these bytes; a file that ends before is damaged.
fn fill(bytes: &mut [u8], input: &mut dyn Read) -> Result<(), FactsError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => FactsError::Damaged,
        _ => error.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::facts::Facts;
    use super::super::question::Question;
    use super::*;
    use crate::games::minichess::rules::MiniChess;
    use crate::search::game::Game;
    use crate::search::types::Side;

    /// What was written is read, in a table of any size that suffices; damage at any block is found.
    #[test]
    fn tables_are_written_and_read() {
        let board = MiniChess.start();
        let questions: Vec<Question> =
            MiniChess.moves(&board).map(|mv| Question::new(&board.play(mv), Side::First, 9)).collect();
        let facts = Facts { win: 7, hold: 6 };
        let mut table = FactTable::new(8).expect("memory");
        let grow_to = |table: &mut FactTable, size: usize| (1..size).for_each(|_| table.grow());
        grow_to(&mut table, 3);
        questions.iter().for_each(|question| table.store_alone(question, facts, 5));
        let mut file = Vec::new();
        write(&table, 77, &mut file).expect("a file");
        for mebibytes in [4, 64] {
            let mut read_table = FactTable::new(mebibytes).expect("memory");
            grow_to(&mut read_table, 2);
            assert_eq!(read(&mut read_table, &mut &file[..]).expect("a table"), 77);
            assert_eq!(read_table.used(), questions.len());
            assert!(questions.iter().all(|question| read_table.probe(question) == Some(facts)));
        }
        let mut small = FactTable::new(2).expect("memory");
        assert!(matches!(read(&mut small, &mut &file[..]), Err(FactsError::TooLarge(4))));
        let mut read_table = FactTable::new(8).expect("memory");
        for at in [0, 30, 44, file.len() / 2, file.len() - 1] {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(matches!(read(&mut read_table, &mut &damaged[..]), Err(FactsError::Damaged)), "{at}");
            assert!(matches!(read(&mut read_table, &mut &file[..at]), Err(FactsError::Damaged)), "{at}");
            assert!(questions.iter().all(|question| read_table.probe(question).is_none()));
        }
        let longer = [&file[..], &[0]].concat();
        assert!(matches!(read(&mut read_table, &mut &longer[..]), Err(FactsError::Damaged)));
    }
}
