//! Opening books of Edax and Egaroucid: what is read goes into our book and out of it, in every format.

#![no_main]

use flipside::games::reversi::book::exchange::{ExchangeFormat, Record, edax, edax_text, egaroucid, read};
use flipside::games::reversi::book::sorted::SortedBook;
use flipside::games::reversi::book::writer::write_book;
use libfuzzer_sys::fuzz_target;

fn records(format: ExchangeFormat, bytes: &[u8]) -> Option<Vec<Record>> {
    read(format, bytes).ok()?.collect::<Result<_, _>>().ok()
}

fuzz_target!(|bytes: &[u8]| {
    let Some(format) = ExchangeFormat::of_file(bytes) else { return };
    let Some(found) = records(format, bytes) else { return };
    let mut book = SortedBook::new(found.iter().map(Record::entry).collect());
    book.back_up();
    let count = book.len();
    let written: Vec<Record> = book.records().collect();
    let header = edax::Header::new([2026, 1, 1, 0, 0, 0], book.usual_level(), book.fewest_empties(), count);
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    edax::write(&header, written.iter().cloned(), &mut out[0]).expect("memory");
    edax_text::write(written.iter().cloned(), &mut out[1]).expect("memory");
    egaroucid::write(written.iter().cloned(), &mut out[2]).expect("memory");
    for (format, bytes) in [ExchangeFormat::Edax, ExchangeFormat::EdaxText].into_iter().zip(&out) {
        assert_eq!(records(format, bytes).expect("our own book").len(), count);
    }
    records(ExchangeFormat::Egaroucid, &out[2]).expect("our own book");
    write_book(book.into_entries(), "", [1, 0], Vec::new()).expect("values that fit");
});
