//! `flipside book export` and `import`: a book as JSON lines, for other programs and for editing, as OBF for solvers, and
//! as a book of Edax or Egaroucid.

use super::json_lines::ExportedPosition;
use super::source::{certainty, open};
use crate::cli::io::input_lines;
use crate::cli::io::interrupt::Interrupt;
use crate::cli::io::output::Output;
use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use flipside_core::games::names::REVERSI;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::entry::BookEntry;
use flipside_core::games::reversi::book::exchange::{self, ExchangeFormat, edax, edax_text, egaroucid};
use flipside_core::games::reversi::book::reader::Book;
use flipside_core::games::reversi::book::sorted::SortedBook;
use flipside_core::games::reversi::book::store::BookStore;
use flipside_core::games::reversi::obf;
use flipside_core::search::notation::Style;
use flipside_host::record;
use flipside_host::record::game_record::{GameRecord, StartPosition};
use flipside_support::json;
use flipside_support::text::{LineEnds, drop_bom};
use serde::Serialize;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use time::OffsetDateTime;

/// Arguments of `flipside book export`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside book export --book my.book > my.jsonl",
    "flipside book export --format obf > book.obf",
    "flipside book export --book my.book --format edax > my.dat",
])]
pub struct ExportArgs {
    /// Book file (default: the embedded book)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Format of the output
    #[arg(long, value_enum, default_value_t = BookFormat::Json)]
    format: BookFormat,
}

/// The formats of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BookFormat {
    /// A line of JSON for each position, with all that the book knows
    Json,
    /// A line for each position with the values of its moves in whole discs, as in Edax's files of problems; only written
    Obf,
    /// Edax's binary book (.dat)
    Edax,
    /// Edax's book as text, as its `book export` writes it
    EdaxText,
    /// Egaroucid's book (.egbk3)
    Egaroucid,
}

/// Arguments of `flipside book import`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside book import --book my.book my.jsonl",
    "flipside book import --book my.book book.dat",
])]
pub struct ImportArgs {
    /// File of positions as `flipside book export` prints them, or a book of Edax or Egaroucid; `-` or no file reads
    /// standard input
    file: Option<PathBuf>,
    /// Format of the file (default: recognised by its first bytes)
    #[arg(long, value_enum)]
    format: Option<BookFormat>,
    /// Book to import into; a new one is created if the file does not exist
    #[arg(long, value_name = "FILE")]
    book: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The result of an import: the object of `import --json`.
#[derive(Serialize)]
struct Imported {
    imported: u64,
    /// Number of positions of the book.
    positions: usize,
}

/// Prints all positions; as JSON and OBF one per line, in the order of the file.
///
/// # Errors
/// The book cannot be read, or a block of it is damaged; the output is a terminal, but the format is binary.
pub fn export(args: &ExportArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let book = open(args.book.as_deref())?;
    let is_binary = matches!(args.format, BookFormat::Edax | BookFormat::Egaroucid);
    ensure!(!is_binary || !out.is_terminal(), "the format is binary: write it to a file with `> FILE`");
    let sorted = || anyhow::Ok(SortedBook::new(book.entries().collect::<Result<_, _>>()?));
    match args.format {
        BookFormat::Json | BookFormat::Obf => {
            for entry in book.entries() {
                let (board, entry) = entry?;
                match args.format {
                    BookFormat::Obf => write!(out, "{}", as_obf(&book, board, &entry)?)?,
                    _ => writeln!(out, "{}", json::line(&ExportedPosition::new(board, &entry))?)?,
                }
            }
        }
        BookFormat::Edax => {
            let book = sorted()?;
            let header = edax::Header::new(now(), book.usual_level(), book.fewest_empties(), book.len());
            edax::write(&header, book.records(), out)?;
        }
        BookFormat::EdaxText => edax_text::write(sorted()?.records(), out)?,
        BookFormat::Egaroucid => egaroucid::write(sorted()?.records(), out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Year, month, day, hour, minute and second, in UTC.
fn now() -> [i16; 6] {
    let now = OffsetDateTime::now_utc();
    let rest = [u8::from(now.month()), now.day(), now.hour(), now.minute(), now.second()].map(i16::from);
    let [month, day, hour, minute, second] = rest;
    [now.year() as i16, month, day, hour, minute, second]
}

/// A line of OBF: the moves whose values the book knows, the best first, and the certainty of the position's value.
fn as_obf(book: &Book, board: Board, entry: &BookEntry) -> anyhow::Result<String> {
    let moves = book.moves(board);
    let record = GameRecord {
        game: Some(REVERSI.name),
        start: Some(StartPosition { text: obf::show(board, true), style: Style::Plain }),
        values: moves.iter().map(|mv| (obf::square_name(mv.square), mv.value.score)).collect(),
        comment: Some(certainty(entry.value)),
        ..GameRecord::default()
    };
    Ok(record::obf::write(&record)?)
}

/// Imports all positions, or none if one cannot be read.
///
/// # Errors
/// A file cannot be read or written, or a position cannot be read; the error names its place.
pub fn import(args: &ImportArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new()?;
    let cannot_write = || format!("cannot write {}", args.book.display());
    // Nothing changes before the whole file has been read.
    let reading = interrupt.ends_at_once();
    let mut store = BookStore::open(&args.book).with_context(|| format!("cannot open {}", args.book.display()))?;
    let entries = args.entries()?;
    let mut imported = 0;
    let counted = entries.inspect(|_| imported += 1);
    // A graph of millions of positions takes many times their memory.
    let positions = if store.graph.nodes().is_empty() {
        let mut book = SortedBook::new(counted.collect::<Result<_, _>>()?);
        drop(reading);
        book.back_up();
        let positions = book.len();
        store.replace(book.into_entries()).with_context(cannot_write)?;
        positions
    } else {
        for entry in counted {
            let (board, entry) = entry?;
            store.graph.add(board, &entry);
        }
        drop(reading);
        store.merge().with_context(cannot_write)?;
        store.graph.nodes().len()
    };
    let words = format_args!("{imported} positions imported, {positions} in the book");
    out.print(args.json, &Imported { imported, positions }, words)?;
    Ok(ExitCode::SUCCESS)
}

/// Positions of a file, one after another.
type Entries = Box<dyn Iterator<Item = anyhow::Result<(Board, BookEntry)>>>;

impl ImportArgs {
    fn entries(&self) -> anyhow::Result<Entries> {
        input_lines::announce(self.file.as_deref(), "positions as flipside book export prints them");
        let name = self.file.as_ref().map_or("standard input".to_string(), |file| file.display().to_string());
        let mut input = BufReader::with_capacity(1 << 16, input_lines::source(self.file.as_deref())?);
        let start = input.fill_buf().with_context(|| format!("cannot read {name}"))?;
        let format = match self.format {
            None => {
                let format = ExchangeFormat::of_file(start);
                let is_json = start.trim_ascii_start().first().is_none_or(|byte| matches!(byte, b'{' | 0xef));
                ensure!(is_json || format.is_some(), "{name} is neither a book of Edax or Egaroucid nor lines of JSON");
                format
            }
            Some(BookFormat::Json) => None,
            Some(BookFormat::Obf) => bail!("import reads json, edax, edax-text and egaroucid; obf is only written"),
            Some(BookFormat::Edax) => Some(ExchangeFormat::Edax),
            Some(BookFormat::EdaxText) => Some(ExchangeFormat::EdaxText),
            Some(BookFormat::Egaroucid) => Some(ExchangeFormat::Egaroucid),
        };
        let records = match format {
            None => return Ok(json_entries(BufReader::new(LineEnds::new(input)))),
            Some(format @ ExchangeFormat::EdaxText) => exchange::read(format, BufReader::new(LineEnds::new(input))),
            Some(format) => exchange::read(format, input),
        };
        let records = records.with_context(|| name.clone())?;
        Ok(Box::new(records.map(move |record| Ok(record.with_context(|| name.clone())?.entry()))))
    }
}

/// The positions of lines of JSON; empty lines are skipped.
fn json_entries(input: impl BufRead + 'static) -> Entries {
    let lines = input.split(b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.as_ref().is_ok_and(|line| line.trim_ascii().is_empty()));
    Box::new(lines.map(|(index, line)| {
        let mut line = line.context("cannot read the positions")?;
        if index == 0 {
            drop_bom(&mut line);
        }
        ExportedPosition::read(&String::from_utf8_lossy(&line)).with_context(|| format!("line {}", index + 1))
    }))
}
