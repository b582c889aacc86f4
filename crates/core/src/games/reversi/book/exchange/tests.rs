use super::*;
use crate::games::reversi::book::sorted::SortedBook;
use std::collections::BTreeSet;

/// Books that Edax 4.5.6 wrote, and its text of each: one with a game that ends after nine moves and a pass, and one of a
/// whole game with two passes.
const SAMPLES: [(&[u8], &str); 2] = [
    (include_bytes!("samples/pass-end.dat"), include_str!("samples/pass-end.txt")),
    (include_bytes!("samples/whole-game.dat"), include_str!("samples/whole-game.txt")),
];
/// The book without moves that Egaroucid ships.
const EMPTY_EGAROUCID: [u8; 39] = *b"DICUORAGE\x03\x01\0\0\0\0\0\0\x10\x08\0\0\0\0\0\0\x08\x10\0\0\0\
                                     \0\xff\0\0\0\0\0\x13\xff";

fn edax_records(bytes: &[u8]) -> (edax::Header, Vec<Record>) {
    let reader = edax::EdaxReader::new(bytes).expect("a header");
    (reader.header.clone(), reader.map(|record| record.expect("a record")).collect())
}

fn all(format: ExchangeFormat, bytes: &[u8]) -> Result<Vec<Record>, ExchangeError> {
    read(format, bytes)?.collect()
}

/// Our book of these records.
fn sorted(records: &[Record]) -> SortedBook {
    let mut book = SortedBook::new(records.iter().map(Record::entry).collect());
    book.back_up();
    book
}

fn in_egaroucid(records: impl Iterator<Item = Record>) -> Vec<u8> {
    let mut bytes = Vec::new();
    egaroucid::write(records, &mut bytes).expect("memory");
    bytes
}

#[test]
fn books_of_edax_are_written_as_they_were_read() {
    for (binary, text) in SAMPLES {
        let (header, records) = edax_records(binary);
        let (mut again, mut as_text) = (Vec::new(), Vec::new());
        edax::write(&header, records.iter().cloned(), &mut again).expect("memory");
        edax_text::write(records.into_iter(), &mut as_text).expect("memory");
        assert_eq!(again, binary);
        assert_eq!(String::from_utf8(as_text).expect("text"), text);
    }
}

#[test]
fn a_book_of_egaroucid_is_written_as_it_was_read() {
    let records = all(ExchangeFormat::Egaroucid, &EMPTY_EGAROUCID).expect("a book");
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].board, records[0].value, records[0].level), (Board::START, Some(0), 0));
    assert_eq!(in_egaroucid(records.into_iter()), EMPTY_EGAROUCID);
}

#[test]
fn our_book_gives_back_all_that_edax_derives() {
    for (binary, text) in SAMPLES {
        let (header, records) = edax_records(binary);
        let book = sorted(&records);
        let of_book: Vec<Record> = book.records().collect();
        assert_eq!(of_book.len(), records.len());
        for record in records {
            let found = of_book.iter().find(|found| found.board == record.board);
            assert_eq!(found, Some(&record));
        }
        let lines = |text: &str| text.lines().map(String::from).collect::<BTreeSet<_>>();
        let mut as_text = Vec::new();
        edax_text::write(of_book.into_iter(), &mut as_text).expect("memory");
        assert_eq!(lines(&String::from_utf8(as_text).expect("text")), lines(text));
        assert_eq!(i32::from(book.usual_level()), header.options[0]);
    }
}

#[test]
fn text_of_edax_gives_values_by_negamax() {
    for (binary, text) in SAMPLES {
        let (from_text, from_binary) = (all(ExchangeFormat::EdaxText, text.as_bytes()), edax_records(binary).1);
        let [from_text, from_binary] = [from_text.expect("records"), from_binary].map(|records| sorted(&records));
        let values = |book: &SortedBook| book.records().map(|record| (record.value, record.links)).collect::<Vec<_>>();
        assert_eq!(values(&from_text), values(&from_binary));
    }
    let short = "---------------------------OX------XO--------------------------- o,4\n\n";
    let records = all(ExchangeFormat::EdaxText, short.as_bytes()).expect("a record");
    assert_eq!(records, [Record::new(Board { player: 0x10_0800_0000, opponent: 0x8_1000_0000 }, 4)]);
}

#[test]
fn egaroucid_keeps_values_and_leaves_and_leaves_passes_out() {
    for (binary, _) in SAMPLES {
        let book = sorted(&edax_records(binary).1);
        let bytes = in_egaroucid(book.records());
        let passes = book.records().filter(|record| record.links.iter().any(|link| link.square == PASS)).count();
        assert_eq!(bytes.len(), 14 + 25 * (book.len() - passes));
        let again = sorted(&all(ExchangeFormat::Egaroucid, &bytes).expect("a book"));
        let kept = |Record { board, value, links, leaf, .. }: Record| {
            (board, value, links, leaf.map(|leaf| (leaf.score, leaf.square)))
        };
        let [before, after] = [&book, &again].map(|book| book.records().map(kept).collect::<Vec<_>>());
        // A position after a pass has two ways to it: more positions are known than Egaroucid stored.
        assert!(before.iter().all(|record| after.contains(record)), "{before:?}\n{after:?}");
    }
}

#[test]
fn a_leaf_that_is_a_pass_becomes_the_position_after_it_in_egaroucid() {
    let (_, records) = edax_records(SAMPLES[1].0);
    let before = records.iter().find(|record| record.links.iter().any(|link| link.square == PASS)).expect("a pass");
    let Link { score, square } = before.links[0];
    let leaf = Some(Leaf { score, square, level: 2 });
    let lone = Record { links: Vec::new(), leaf, ..before.clone() };
    let bytes = in_egaroucid([lone].into_iter());
    let again = all(ExchangeFormat::Egaroucid, &bytes).expect("a book");
    assert_eq!(
        again.iter().map(|record| record.board).collect::<Vec<_>>(),
        [least(before.board.passed()), before.board]
    );
    assert_eq!(again.iter().map(|record| record.value).collect::<Vec<_>>(), [Some(-score), Some(score)]);
}

#[test]
fn a_deviation_that_joined_the_book_is_dropped_and_the_surer_twin_counts() {
    let record = |text: &str| all(ExchangeFormat::EdaxText, text.as_bytes()).expect("a record").remove(0);
    let start = record("---------------------------OX------XO--------------------------- X,4,D3,2");
    let after = record("-------------------X-------XX------XO--------------------------- O,4,C3,6");
    let twin = Record { level: 8, leaf: after.leaf.map(|leaf| Leaf { score: -3, level: 8, ..leaf }), ..after.clone() };
    let book = sorted(&[start, after, twin]);
    let of_start = book.records().last().expect("two positions");
    assert_eq!((book.len(), of_start.value, of_start.leaf), (2, Some(3), None));
    assert_eq!(of_start.links.len(), 4, "all four moves lead to the same position");
}

#[test]
fn a_cut_file_is_named_wherever_it_ends() {
    let egaroucid = in_egaroucid(sorted(&edax_records(SAMPLES[0].0).1).records());
    for (format, bytes) in [(ExchangeFormat::Edax, SAMPLES[0].0), (ExchangeFormat::Egaroucid, &egaroucid[..])] {
        for length in 0..bytes.len() {
            let error = all(format, &bytes[..length]).expect_err("a cut file").to_string();
            let is_named = ["the header is damaged", "record ", "the file is damaged: it ends after"];
            assert!(is_named.iter().any(|words| error.starts_with(words)), "{length}: {error}");
        }
        let longer = [bytes, b"\0"].concat();
        let error = all(format, &longer).expect_err("a long file").to_string();
        assert!(error.starts_with("the file is damaged: bytes follow its "), "{error}");
    }
}

#[test]
fn damage_is_named_with_its_record() {
    let damage = |place: usize, byte: u8| {
        let mut bytes = SAMPLES[0].0.to_vec();
        bytes[place] = byte;
        all(ExchangeFormat::Edax, &bytes).map(|_| ()).map_err(|error| error.to_string())
    };
    let first = |reason: &str| Err(format!("record 1 (at byte 42) is damaged: {reason}"));
    assert_eq!(
        damage(0, b'Y'),
        Err("not an opening book of Edax (expected a file that begins with `XADEKOOB`)".into())
    );
    assert_eq!(damage(8, 3), Err("the header is damaged: its version is 3; this program reads version 4".into()));
    assert_eq!(damage(41, 0x80), Err("the header is damaged: its number of positions is negative".into()));
    assert_eq!(damage(49, 0xff), Ok(()), "two more discs are no damage that can be seen");
    assert_eq!(damage(45, 0), first("it holds an impossible position"));
    assert_eq!(damage(75, 1), first("a value is beyond 64 discs"));
    assert_eq!(damage(42 + 39, 61), first("its level is above 60"));
    assert_eq!(damage(42 + 41, 0), first("a move is illegal or comes twice"));
    let lines = ["-- X,4", "-------------------X-------XX------XO--------------------------- O,4,H8,6"];
    for (line, reason) in lines.into_iter().zip(["expected 64 squares", "a move is illegal"]) {
        let text = format!("\n{line}\n");
        let error = all(ExchangeFormat::EdaxText, text.as_bytes()).expect_err("damage").to_string();
        assert!(error.starts_with("line 2 is damaged: ") && error.contains(reason), "{error}");
    }
}

#[test]
fn formats_are_recognised_by_their_first_bytes() {
    let cases: [(&[u8], _); 4] = [
        (SAMPLES[0].0, Some(ExchangeFormat::Edax)),
        (SAMPLES[0].1.as_bytes(), Some(ExchangeFormat::EdaxText)),
        (&EMPTY_EGAROUCID, Some(ExchangeFormat::Egaroucid)),
        (b"{\"position\":\"...\"}", None),
    ];
    for (start, format) in cases {
        assert_eq!(ExchangeFormat::of_file(start), format);
    }
}
