//! Books of random positions: what is written is read again, whole, damaged, cut, and beyond four
//! gigabytes.

use super::audit::unfounded;
use super::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use super::error::BookError;
use super::format::{BLOCK_BYTES, BLOCK_RECORDS, Header, block_offset, decode_record, encode_block, encode_record};
use super::reader::Book;
use super::writer::{BookWriter, book_order, write_book};
use crate::games::reversi::board::{Board, PASS};
use crate::games::reversi::rules::Reversi;
use crate::games::reversi::symmetry::Symmetry;
use crate::search::game::Game;
use crate::search::types::Selectivity;
use flipside_support::random::Random;
use proptest::prelude::*;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

/// A position after this many random moves, and one of its moves.
fn played(random: &mut Random, plies: usize) -> (Board, u8) {
    let game = Reversi::portable();
    let mut board = Board::START;
    for _ in 0..plies {
        let moves: Vec<_> = game.moves(&board).collect();
        match moves.len() {
            0 => break,
            count => board = board.after(moves[random.below(count)]),
        }
    }
    let square = game.moves(&board).next().map_or(PASS, |mv| mv.square);
    (board, square)
}

fn value(random: &mut Random) -> Value {
    Value {
        score: random.below(12_801) as i32 - 6400,
        depth: random.below(61) as u8,
        selectivity: Selectivity::PERCENT[random.below(Selectivity::PERCENT.len())],
        grade: Grade::ALL[random.below(4)].0,
    }
}

fn entry(random: &mut Random, square: u8) -> BookEntry {
    let mut count = || random.below(1000) as u32;
    let games = GameCounts { won: count(), drawn: count(), lost: count() };
    let leaves = count();
    let deviation = Some(Deviation { square, value: value(random) }).filter(|_| random.below(4) > 0);
    BookEntry { value: value(random), leaves, deviation, games }
}

/// Different positions with entries, in the order of a book.
fn positions(count: usize, seed: u64) -> Vec<(Board, BookEntry)> {
    let mut random = Random(seed);
    let mut all = Vec::new();
    while all.len() < count {
        all.extend((all.len()..count).map(|_| {
            let plies = 6 + random.below(40);
            let (board, square) = played(&mut random, plies);
            let (board, symmetry) = Symmetry::canonical(board);
            (board, entry(&mut random, symmetry.square(square)))
        }));
        all.sort_by(|one: &(Board, BookEntry), other| book_order(one.0, other.0));
        all.dedup_by_key(|(board, _)| *board);
    }
    all
}

fn bytes_of(positions: &[(Board, BookEntry)]) -> Vec<u8> {
    write_book(positions.iter().copied(), "made for a test", [2, 1], Vec::new()).expect("a book")
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("flipside-book-{}-{name}", std::process::id()))
}

#[test]
fn what_was_written_is_found_in_all_its_symmetries() {
    let all = positions(1000, 1);
    let bytes = bytes_of(&all);
    assert_eq!(bytes.len(), BLOCK_BYTES * (1 + 1000_usize.div_ceil(BLOCK_RECORDS)));
    let path = scratch("symmetries");
    std::fs::write(&path, &bytes).expect("a file");
    let books = [
        Book::from_bytes(bytes).expect("a book"),
        Book::open(&path).expect("a mapped book"),
        Book::from_file(File::open(&path).expect("the file")).expect("a book that is read"),
    ];
    for book in &books {
        assert_eq!((book.positions(), book.note()), (1000, "made for a test"));
        assert_eq!([book.identity(), book.previous_identity()], [2, 1]);
        for (board, entry) in &all {
            for symmetry in Symmetry::ALL {
                let seen = book.lookup(symmetry.board(*board)).expect("a sound book").expect("an entry");
                let back = seen.transformed(symmetry.inverse());
                // A position may be symmetric itself: then another square may name its deviation.
                assert_eq!(BookEntry { deviation: None, ..back }, BookEntry { deviation: None, ..*entry });
                let child = |board: Board, deviation: Deviation| {
                    let mv = Reversi::portable().moves(&board).find(|mv| mv.square == deviation.square);
                    Symmetry::canonical(mv.map_or(board, |mv| board.after(mv))).0
                };
                let of_seen = seen.deviation.map(|deviation| child(symmetry.board(*board), deviation));
                assert_eq!(of_seen, entry.deviation.map(|deviation| child(*board, deviation)));
            }
        }
        assert!(book.entries().map(|entry| entry.expect("a sound block")).eq(all.iter().copied()));
        let others = positions(500, 2);
        let others = others.iter().filter(|(board, _)| all.iter().all(|(known, _)| known != board));
        assert!(others.map(|(board, _)| book.lookup(*board).expect("sound")).all(|found| found.is_none()));
    }
    std::fs::remove_file(&path).expect("the file");
}

#[test]
fn moves_are_those_to_positions_of_the_book_and_the_deviation() {
    let game = Reversi::portable();
    let leaf = |score| Value { score, depth: 9, selectivity: 95, grade: Grade::Searched };
    let entry = |score, deviation| BookEntry {
        value: leaf(score),
        leaves: 1,
        deviation,
        games: GameCounts { won: 1, drawn: 0, lost: 2 },
    };
    let after: Vec<Board> = game.moves(&Board::START).take(1).map(|mv| Board::START.after(mv)).collect();
    let replies: Vec<_> = game.moves(&after[0]).collect();
    let out = Deviation { square: replies[2].square, value: leaf(-130) };
    let book = [
        (Board::START, entry(10, None)),
        (after[0], entry(-10, Some(out))),
        (after[0].after(replies[0]), entry(10, None)),
    ];
    let book = Book::from_bytes(bytes_of(&book)).expect("a book");
    // All four first moves lead to one position.
    let first = book.moves(Board::START);
    assert_eq!(first.len(), 4);
    assert!(first.iter().all(|mv| mv.value.score == 10 && mv.games == GameCounts { won: 2, drawn: 0, lost: 1 }));
    let second = book.moves(after[0]);
    let seen: Vec<_> = second.iter().map(|mv| (mv.square, mv.value.score, mv.in_book)).collect();
    assert_eq!(seen, [(replies[0].square, -10, true), (out.square, -130, false)]);
    assert_eq!((second[0].value.depth, second[1].games.total()), (10, 0));
    assert_eq!(book.moves(after[0].after(replies[1])), []);
}

/// A header whose checksum is right may claim anything: missing blocks take no memory and no time,
/// and give no answer.
#[test]
fn blocks_that_are_promised_and_missing_cost_nothing() {
    let all = positions(2000, 5);
    let sound = bytes_of(&all);
    let present = 7;
    for promised in [all.chunks(BLOCK_RECORDS).len() as u64, 1 << 32, u64::MAX / BLOCK_BYTES as u64 - 1] {
        let (note, identities) = ("made for a test".to_string(), [2, 1]);
        let header = Header { positions: promised, blocks: promised, identities, note };
        let mut bytes = sound[..(1 + present) * BLOCK_BYTES].to_vec();
        bytes[..BLOCK_BYTES].copy_from_slice(&header.encode());
        let book = Book::from_bytes(bytes).expect("a book");
        for (index, (board, entry)) in all.iter().enumerate() {
            match book.lookup(*board) {
                Ok(found) => assert!(index < present * BLOCK_RECORDS && found == Some(*entry), "{index}"),
                Err(BookError::DamagedBlock { block, .. }) => {
                    assert!(index >= present * BLOCK_RECORDS && block == present as u64, "{index} {block}");
                }
                Err(error) => panic!("{error}"),
            }
        }
        let (read, failed): (Vec<_>, Vec<_>) = book.entries().partition(Result::is_ok);
        assert_eq!((read.len(), failed.len()), (present * BLOCK_RECORDS, 1));
        assert_eq!(book.missing_blocks(), promised - present as u64);
    }
}

#[test]
fn a_damaged_block_is_named_and_the_rest_serves() {
    let all = positions(2000, 3);
    let sound = bytes_of(&all);
    let blocks = all.chunks(BLOCK_RECORDS).len();
    // Blocks at the beginning, in the middle, at the end, neighbours, and nearly all.
    let cases: [&[usize]; 5] = [&[0], &[10], &[blocks - 1], &[4, 5, 6], &(0..blocks - 1).collect::<Vec<_>>()];
    for (case, damaged) in cases.into_iter().enumerate() {
        let mut bytes = sound.clone();
        for block in damaged {
            bytes[(block + 1) * BLOCK_BYTES + 17 * (1 + case)] ^= 4;
        }
        let book = Book::from_bytes(bytes).expect("a book");
        for _ in 0..2 {
            for (block, chunk) in all.chunks(BLOCK_RECORDS).enumerate() {
                for (board, entry) in chunk {
                    match book.lookup(*board) {
                        Ok(found) => {
                            assert!(!damaged.contains(&block) && found == Some(*entry), "{case}: {block} {found:?}");
                        }
                        Err(BookError::DamagedBlock { block: named, offset, .. }) => {
                            assert!(damaged.contains(&block) && damaged.contains(&(named as usize)));
                            assert_eq!(offset, block_offset(named));
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
            }
        }
        assert_eq!(book.entries().filter(Result::is_err).count(), damaged.len());
    }
}

#[test]
fn a_book_that_is_cut_keeps_its_first_blocks() {
    let all = positions(400, 4);
    let mut bytes = bytes_of(&all);
    bytes.truncate(3 * BLOCK_BYTES + 100);
    let book = Book::from_bytes(bytes).expect("a book");
    for (index, (board, entry)) in all.iter().enumerate() {
        match book.lookup(*board) {
            Ok(found) => assert!(index < 2 * BLOCK_RECORDS && found == Some(*entry)),
            Err(error) => {
                let is_damage = matches!(error, BookError::DamagedBlock { block: 2.., .. });
                assert!(index >= 2 * BLOCK_RECORDS && is_damage, "{index}: {error}");
            }
        }
    }
}

#[test]
fn other_files_are_refused() {
    let error = |bytes: &[u8]| Book::from_bytes(bytes.to_vec()).expect_err("no book").to_string();
    let sound = bytes_of(&positions(5, 5));
    assert!(error(b"").starts_with("not an opening book") && error(b"f5d6c3").starts_with("not an opening book"));
    assert_eq!(error(b"flipside book 2\n"), "an opening book of version 2; this program reads version 1");
    assert_eq!(error(&sound[..1000]), "the header is damaged: the file is too short");
    assert_eq!(error(&[&sound[..], b"x"].concat()), "the header is damaged: the file is longer than it says");
    for byte in [16, 24, 33, 40, 70] {
        let mut bytes = sound.clone();
        bytes[byte] ^= 1;
        assert_eq!(error(&bytes), "the header is damaged: its checksum is wrong");
    }
    let bytes = Header { positions: 93, blocks: 1, identities: [0; 2], note: String::new() }.encode();
    assert!(error(&bytes).ends_with("contradict each other"));
    let unopened = Book::open(&std::env::temp_dir()).expect_err("a folder").to_string();
    assert_eq!(unopened, "not a regular file");
}

#[test]
fn what_has_no_place_in_a_book_is_not_written() {
    let [one, two] = [positions(2, 6)[0], positions(2, 6)[1]];
    let refused = |entries: &[(Board, BookEntry)]| write_book(entries.iter().copied(), "", [0; 2], Vec::new()).is_err();
    assert!(!refused(&[two, one]) && refused(&[one, one]));
    let with_value = |value| (one.0, BookEntry { value, ..one.1 });
    for score in [6401, -6401, 40_000] {
        assert!(refused(&[with_value(Value { score, ..one.1.value })]));
    }
    assert!(refused(&[with_value(Value { selectivity: 90, ..one.1.value })]));
    let occupied = one.0.player.trailing_zeros() as u8;
    let deviation = Some(Deviation { square: occupied, value: one.1.value });
    assert!(refused(&[(one.0, BookEntry { deviation, ..one.1 })]));
    let mut writer = BookWriter::new(Vec::new(), 2, "", [0; 2]).expect("a header");
    assert!(writer.push(two.0, &two.1).is_ok() && writer.push(one.0, &one.1).is_err() && writer.finish().is_err());
}

/// Each number of a record at both ends of its range and one beyond: the two values, the deviation's square, the reserved
/// byte. Counts may be any number.
#[test]
fn numbers_of_a_record_end_at_the_board() {
    let (board, entry) = positions(1, 6)[0];
    let free = board.empty().trailing_zeros() as u8;
    let deviation = Some(Deviation { square: free, value: entry.value });
    let record = encode_record(board, &BookEntry { deviation, ..entry }).expect("a record");
    let is_read = |at: usize, bytes: &[u8]| {
        let mut record = record;
        record[at..at + bytes.len()].copy_from_slice(bytes);
        decode_record(&record).is_some()
    };
    for value in [16, 22] {
        for score in [-6400i16, 6400] {
            assert!(is_read(value, &score.to_le_bytes()), "{value}: {score}");
        }
        for beyond in [-6401i16, 6401, i16::MIN, i16::MAX] {
            assert!(!is_read(value, &beyond.to_le_bytes()), "{value}: {beyond}");
        }
        let is_byte = |at: usize, bytes: &[u8]| bytes.iter().all(|&byte| is_read(value + at, &[byte]));
        let is_no_byte = |at: usize, bytes: &[u8]| bytes.iter().all(|&byte| !is_read(value + at, &[byte]));
        assert!(is_byte(2, &[0, 64]) && is_no_byte(2, &[65, 255]), "{value}: depth");
        assert!(is_byte(3, &Selectivity::PERCENT) && is_no_byte(3, &[0, 72, 74, 101, 255]), "{value}: selectivity");
        let grades = Grade::ALL.len() as u8;
        assert!(is_byte(4, &[0, grades - 1]) && is_no_byte(4, &[grades, 255]), "{value}: grade");
    }
    let taken = board.player.trailing_zeros() as u8;
    let squares = [(free, true), (PASS, true), (255, true), (taken, false), (PASS + 1, false), (254, false)];
    for (square, is_square) in squares {
        assert_eq!(is_read(21, &[square]), is_square, "{square}");
    }
    assert!(is_read(27, &[0]) && !is_read(27, &[1]));
    assert!((28..44).all(|at| is_read(at, &[0]) && is_read(at, &[255])));
    let depth = Value { depth: 65, ..entry.value };
    assert!(encode_record(board, &BookEntry { value: depth, ..entry }).is_err());
}

#[test]
fn a_long_note_is_cut_between_characters() {
    let note = "\u{e4}".repeat(4000);
    let bytes = write_book([], &note, [0; 2], Vec::new()).expect("a book");
    let book = Book::from_bytes(bytes).expect("a book");
    assert_eq!((book.positions(), book.note().chars().count()), (0, 2018));
    assert_eq!(book.lookup(Board::START).expect("an empty book"), None);
}

/// A file of almost five gigabytes of which only the blocks around some positions are written; the rest are holes.
#[test]
fn positions_beyond_four_gigabytes_are_found() {
    const BLOCKS: u64 = 1_200_000;
    const WRITTEN: u64 = 4000;
    let path = scratch("sparse");
    let mut file = File::create(&path).expect("a file");
    let mut random = Random(9);
    let header = Header { positions: BLOCKS, blocks: BLOCKS, identities: [0; 2], note: String::new() };
    file.write_all(&header.encode()).expect("a header");
    file.set_len(block_offset(BLOCKS)).expect("a sparse file");
    // One position a block, so that few have to be made; their hashes are as evenly spread as in a
    // full book.
    let position = |random: &mut Random| {
        let player = random.bits();
        Symmetry::canonical(Board { player, opponent: random.bits() & !player }).0
    };
    let mut boards: Vec<_> = (0..BLOCKS).map(|_| position(&mut random)).collect();
    boards.sort_by(|one, other| book_order(*one, *other));
    let wanted = [BLOCKS / 3, BLOCKS - WRITTEN / 2];
    for middle in wanted {
        for block in middle - WRITTEN / 2..middle + WRITTEN / 2 {
            let entry = BookEntry { deviation: None, leaves: block as u32, ..entry(&mut random, PASS) };
            let record = encode_record(boards[block as usize], &entry).expect("a record");
            file.seek(SeekFrom::Start(block_offset(block))).expect("a place");
            file.write_all(&encode_block(block, &[record])).expect("a block");
        }
    }
    drop(file);
    for book in [Book::open(&path), File::open(&path).map_err(Into::into).and_then(Book::from_file)] {
        let book = book.expect("a book");
        assert!(book.bytes() > 4 << 30);
        for block in wanted.into_iter().flat_map(|middle| middle - 100..middle + 100) {
            let found = book.lookup(boards[block as usize]).expect("a sound block").expect("an entry");
            assert_eq!(u64::from(found.leaves), block);
        }
        let last = book.lookup(boards[BLOCKS as usize - 1]).expect("a sound block");
        assert_eq!(last.map(|entry| u64::from(entry.leaves)), Some(BLOCKS - 1));
    }
    std::fs::remove_file(&path).expect("the file");
}

#[test]
fn the_embedded_book_is_sound() {
    let book = Book::embedded();
    assert!(book.probe(Board::START).is_some() && book.bytes() <= 1 << 20);
    assert!(book.entries().all(|entry| entry.is_ok()));
    assert_eq!(book.entries().count() as u64, book.positions());
    let entries: Vec<_> = book.entries().filter_map(Result::ok).collect();
    assert_eq!(unfounded(&entries), [], "no value claims more than the book shows");
}

/// The order of the positions in a file depends on this hash.
#[test]
fn the_hash_of_a_position_never_changes() {
    assert_eq!(Board::START.hash(), 10_290_143_608_313_629_899);
    assert_eq!(
        Board { player: 0x0123_4567_89ab_cdef, opponent: 0xf000_0000_0000_0000 }.hash(),
        3_207_781_596_898_659_917
    );
}

proptest! {
    /// Opening and reading end without a panic for any content of a file.
    #[test]
    fn any_bytes_are_read_or_refused(at in 0usize..3 * BLOCK_BYTES, bytes in prop::collection::vec(any::<u8>(), 1..40)) {
        let all = positions(150, 11);
        let mut file = bytes_of(&all);
        for (place, byte) in file.iter_mut().skip(at).zip(bytes) {
            *place = byte;
        }
        if let Ok(book) = Book::from_bytes(file) {
            for (board, entry) in &all {
                if let Ok(found) = book.lookup(*board) {
                    prop_assert_eq!(found, Some(*entry));
                }
            }
        }
    }
}
