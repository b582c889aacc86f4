//! Small opening books with arbitrary values, for tests of the use of a book.

use flipside::games::reversi::board::Board;
use flipside::games::reversi::book::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use flipside::games::reversi::book::writer::write_book;
use flipside::games::reversi::rules::Reversi;
use flipside::games::reversi::symmetry::Symmetry;
use flipside::search::game::Game;
use std::collections::HashMap;
use std::path::PathBuf;

/// A file that is removed at the end of the test.
pub struct BookFile(pub PathBuf);

impl BookFile {
    /// A file of this test with these bytes.
    pub fn new(name: &str, bytes: &[u8]) -> BookFile {
        let path = std::env::temp_dir().join(format!("flipside-play-{}-{name}.book", std::process::id()));
        std::fs::write(&path, bytes).expect("a file");
        BookFile(path)
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        self.0.to_str().expect("a name of letters")
    }
}

impl Drop for BookFile {
    fn drop(&mut self) {
        // The test may have removed it.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A book of all positions that are reached within `plies` plies if every side considers only the `width` moves to the
/// positions with the smallest hashes. Values are within a disc of zero and are backed up by negamax.
pub fn bytes(plies: u32, width: usize) -> Vec<u8> {
    let mut entries = HashMap::new();
    expand(Board::START, plies, width, &mut entries);
    write_book(entries, "of a test", [1, 0], Vec::new()).expect("a book in memory")
}

/// A book of one position that claims more than it shows: an exact value, which rests on a move that a search of six plies is
/// said to have proven.
pub fn claiming_bytes() -> Vec<u8> {
    let (board, _) = Symmetry::canonical(Board::START);
    let square = Reversi::portable().moves(&board).next().expect("a move").square;
    let outside = Value { score: -200, depth: 6, selectivity: 100, grade: Grade::Proven };
    let value = Value { depth: 60, grade: Grade::Exact, ..outside };
    let deviation = Some(Deviation { square, value: outside });
    let entry = BookEntry { value, leaves: 1, deviation, games: GameCounts::default() };
    write_book([(board, entry)], "of a test", [1, 0], Vec::new()).expect("a book in memory")
}

fn expand(board: Board, plies: u32, width: usize, entries: &mut HashMap<Board, BookEntry>) -> Value {
    let (board, _) = Symmetry::canonical(board);
    if let Some(known) = entries.get(&board) {
        return known.value;
    }
    let mut moves: Vec<_> = Reversi::portable().moves(&board).collect();
    let key = |mv: &_| Symmetry::canonical(board.after(*mv)).0.hash();
    moves.sort_by_key(key);
    let guess =
        |hash: u64| Value { score: (hash % 201) as i32 - 100, depth: 12, selectivity: 95, grade: Grade::Searched };
    let mut value = guess(board.hash());
    let mut deviation = None;
    if plies > 0 && !moves.is_empty() {
        let children = moves.iter().take(width).map(|mv| expand(board.after(*mv), plies - 1, width, entries).negated());
        value = children.max_by_key(|child| child.score).expect("a move");
        value.grade = Grade::BackedUp;
    } else if let Some(mv) = moves.first() {
        deviation = Some(Deviation { square: mv.square, value });
    }
    let games = GameCounts { won: plies, drawn: 1, lost: 0 };
    entries.insert(board, BookEntry { value, leaves: 1, deviation, games });
    value
}
