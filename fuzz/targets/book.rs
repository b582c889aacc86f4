//! Opening books and their journals. The first byte chooses: a file as it is, changes to a good book with or without
//! corrected checksums, or a line of a journal.

#![no_main]

use flipside::games::reversi::board::Board;
use flipside::games::reversi::book::entry::{BookEntry, GameCounts, Grade, Value};
use flipside::games::reversi::book::journal::JournalLine;
use flipside::games::reversi::book::reader::Book;
use flipside::games::reversi::book::writer::write_book;
use flipside::games::reversi::rules::Reversi;
use flipside::search::game::Game;
use flipside::search::types::UNIT;
use flipside::support::hash::checksum_of_parts;
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;

const BLOCK: usize = 4096;

/// A book of the positions after two, three and four moves.
fn good_book() -> &'static [u8] {
    static BOOK: OnceLock<Vec<u8>> = OnceLock::new();
    BOOK.get_or_init(|| {
        let game = Reversi::portable();
        let next = |board: Board| game.moves(&board).map(|mv| board.after(mv)).collect::<Vec<_>>();
        let value = Value { score: 150, depth: 20, selectivity: 95, grade: Grade::Searched };
        let entry = BookEntry { value, leaves: 1, deviation: None, games: GameCounts::default() };
        let one = next(Board::START)[0];
        let boards = next(one).into_iter().flat_map(next).flat_map(next).map(|board| (board, entry));
        let mut seen = Vec::new();
        let mut unique: Vec<_> = Vec::new();
        for (board, entry) in boards {
            let (canonical, _) = flipside::games::reversi::symmetry::Symmetry::canonical(board);
            if !seen.contains(&canonical) {
                seen.push(canonical);
                unique.push((board, entry));
            }
        }
        write_book(unique, "a good book", [1, 0], Vec::new()).expect("a book")
    })
}

/// The good book after each change: two bytes are an offset, the third is the new byte.
fn changed(changes: &[u8], repair: bool) -> Vec<u8> {
    let mut bytes = good_book().to_vec();
    for change in changes.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len();
        bytes[place] = change[2];
    }
    if repair {
        let sum = checksum_of_parts([&bytes[24..BLOCK]]);
        bytes[16..24].copy_from_slice(&sum.to_le_bytes());
        for block in 1..bytes.len() / BLOCK {
            let start = block * BLOCK;
            let number = (block as u64 - 1).to_le_bytes();
            let sum = checksum_of_parts([&number[..], &bytes[start + 8..start + BLOCK]]);
            bytes[start..start + 8].copy_from_slice(&sum.to_le_bytes());
        }
    }
    bytes
}

fn read(bytes: Vec<u8>) {
    let Ok(book) = Book::from_bytes(bytes) else { return };
    for (board, entry) in book.entries().filter_map(Result::ok) {
        assert!(entry.value.score.abs() <= 64 * UNIT && board.player & board.opponent == 0);
        let _ = book.lookup(board);
        for mv in book.moves(board) {
            assert!(Reversi::portable().moves(&board).any(|legal| legal.square == mv.square));
        }
    }
    let _ = book.lookup(Board::START);
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&kind, rest)) = bytes.split_first() else { return };
    match kind % 4 {
        0 => read(rest.to_vec()),
        1 => read(changed(rest, false)),
        2 => read(changed(rest, true)),
        _ => {
            if let Ok(line) = String::from_utf8_lossy(rest).parse::<JournalLine>() {
                assert_eq!(line.to_string().parse(), Ok(line));
            }
        }
    }
});
