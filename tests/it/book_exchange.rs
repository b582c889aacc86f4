//! `flipside book import` and `export` in the formats of Edax and Egaroucid.
#![cfg(all(unix, feature = "cli"))]

use crate::common::books::{self, BookFile};
use crate::common::home::Home;
use crate::common::program::{run, stderr, stdout};
use flipside::games::reversi::board::PASS;
use flipside::games::reversi::book::exchange::edax::EdaxReader;
use flipside::games::reversi::book::exchange::{ExchangeFormat, Record, read};
use flipside::games::reversi::book::reader::Book;
use std::fs;
use std::path::Path;
use std::process::Output;

/// A book that Edax wrote: 18 positions, a pass and a finished game.
const SAMPLE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/crates/core/src/games/reversi/book/exchange/samples/pass-end");

fn flipside(words: &[&str]) -> Output {
    run(words, "")
}

fn exported(book: &str, format: &str) -> Vec<u8> {
    let output = flipside(&["book", "export", "--book", book, "--format", format]);
    assert!(output.status.success(), "{}", stderr(&output));
    output.stdout
}

/// The records in the order of their positions.
fn records(format: ExchangeFormat, bytes: &[u8]) -> Vec<Record> {
    let mut records: Vec<Record> = read(format, bytes).expect("a book").map(|record| record.expect("sound")).collect();
    records.sort_by_key(|record| (record.board.player, record.board.opponent));
    records
}

#[test]
fn a_book_of_edax_comes_back_whole() {
    let home = Home::new();
    let book = home.path("of-edax");
    let imported = flipside(&["book", "import", "--book", &book, &format!("{SAMPLE}.dat")]);
    assert_eq!(stdout(&imported), "18 positions imported, 18 in the book\n", "{}", stderr(&imported));
    let (before, after) = (fs::read(format!("{SAMPLE}.dat")).expect("a file"), exported(&book, "edax"));
    assert_eq!(records(ExchangeFormat::Edax, &after), records(ExchangeFormat::Edax, &before));
    let header = |bytes: &[u8]| EdaxReader::new(bytes).map(|reader| reader.header).expect("a header");
    let [was, is] = [&before[..], &after].map(header);
    assert!(is.options[0] == was.options[0] && is.options[2..] == was.options[2..] && is.saved[0] >= 2026, "{is:?}");
    let sorted = |text: &[u8]| {
        let mut lines: Vec<_> = String::from_utf8_lossy(text).lines().map(String::from).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&exported(&book, "edax-text")), sorted(&fs::read(format!("{SAMPLE}.txt")).expect("a file")));
    // What the book tells of a position is what Edax shows.
    let asked = stdout(&flipside(&["book", "ask", "--book", &book, "f5f6d3g5h5h4f7"]));
    assert!(asked.contains("+17.00") && asked.contains("h6") && asked.contains("e7"), "{asked}");
    // Into a book that has positions, the same positions come through the graph.
    let again = flipside(&["book", "import", "--book", &book, "--json", &format!("{SAMPLE}.txt")]);
    assert!(stdout(&again).contains("\"imported\":18,\"positions\":18"), "{}", stdout(&again));
    assert_eq!(records(ExchangeFormat::Edax, &exported(&book, "edax")), records(ExchangeFormat::Edax, &before));
}

#[test]
fn our_book_survives_every_format() {
    let home = Home::new();
    let ours = BookFile::new("exchange", &books::bytes(8, 3));
    let original = exported(ours.name(), "edax");
    let count = Book::open(Path::new(ours.name())).expect("a book").positions();
    for format in ["edax", "edax-text", "egaroucid"] {
        let (file, book) = (home.path(format), home.path(&format!("{format}.book")));
        fs::write(&file, exported(ours.name(), format)).expect("a file");
        let imported = flipside(&["book", "import", "--book", &book, "--format", format, &file]);
        let words = stdout(&imported);
        let found: u64 = words.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
        // Egaroucid's book may show positions before a pass that ours did not have.
        assert!(found == count || format == "egaroucid" && found > count, "{format}: {words}{}", stderr(&imported));
        // The values of this book are not those of negamax, which the text leaves out.
        let has_values = format != "edax-text";
        let kept = |bytes: &[u8]| -> Vec<_> {
            // Egaroucid's book stores the position after a pass instead, to which a link leads.
            let leaf = |record: &Record| record.leaf.filter(|leaf| leaf.square != PASS || format != "egaroucid");
            let of_record = |record: Record| (record.board, record.value.filter(|_| has_values), leaf(&record));
            records(ExchangeFormat::Edax, bytes).into_iter().map(of_record).collect()
        };
        let after = kept(&exported(&book, "edax"));
        for record in kept(&original) {
            assert!(after.contains(&record), "{format}: {record:?}");
        }
    }
}

#[test]
fn a_damaged_book_is_named_and_leaves_ours_as_it_is() {
    let home = Home::new();
    let (book, cut) = (home.path("ours"), home.path("cut.dat"));
    let whole = fs::read(format!("{SAMPLE}.dat")).expect("a file");
    let imported = flipside(&["book", "import", "--book", &book, &format!("{SAMPLE}.dat")]);
    assert!(imported.status.success(), "{}", stderr(&imported));
    let before = fs::read(&book).expect("a book");
    fs::write(&cut, &whole[..500]).expect("a file");
    let refused = |words: &[&str], reason: &str| {
        let output = flipside(&[&["book", "import", "--book", &book], words].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    };
    refused(&[&cut], "cut.dat: record 11 (at byte 490) is damaged: the file ends inside it");
    refused(&["--format", "egaroucid", &cut], "not an opening book of Egaroucid");
    refused(&["--format", "obf", &cut], "obf is only written");
    fs::write(&cut, [&b"YADEKOOB"[..], &whole[8..]].concat()).expect("a file");
    refused(&[&cut], "is neither a book of Edax or Egaroucid nor lines of JSON");
    assert_eq!(fs::read(&book).expect("a book"), before);
}
