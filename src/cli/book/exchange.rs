//! `flipside book export` and `import`: a book as JSON lines, for other programs and for editing, or as OBF for
//! solvers.

use super::source::{certainty, discs, open};
use crate::cli::io::input_lines;
use crate::cli::io::interrupt::{INTERRUPTED, Interrupt};
use crate::cli::io::output::Output;
use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use flipside_core::games::names::REVERSI;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::entry::{BookEntry, Deviation, GameCounts, Grade, Value};
use flipside_core::games::reversi::book::reader::Book;
use flipside_core::games::reversi::book::store::BookStore;
use flipside_core::games::reversi::{obf, rules::Reversi};
use flipside_core::search::game::Game;
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Selectivity, UNIT};
use flipside_host::record;
use flipside_host::record::game_record::{GameRecord, StartPosition};
use flipside_support::{diagnostics, json};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `flipside book export`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside book export --book my.book > my.jsonl",
    "flipside book export --format obf > book.obf",
])]
pub struct ExportArgs {
    /// Book file (default: the embedded book)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Format of a line
    #[arg(long, value_enum, default_value_t = ExportFormat::Json)]
    format: ExportFormat,
}

/// The formats of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// One JSON object with all that the book knows; `flipside book import` reads it
    Json,
    /// A position with the values of its moves in whole discs, as in Edax
    Obf,
}

/// Arguments of `flipside book import`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book import --book my.book my.jsonl"])]
pub struct ImportArgs {
    /// File of positions as `flipside book export` prints them; `-` or no file reads standard input
    file: Option<PathBuf>,
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

/// A position of a book: one object of an export.
#[derive(Serialize, Deserialize)]
struct ExportedPosition {
    position: String,
    #[serde(flatten)]
    value: ExportedValue,
    leaves: u32,
    games: [u32; 3],
    #[serde(skip_serializing_if = "Option::is_none", default)]
    deviation: Option<ExportedDeviation>,
}

#[derive(Serialize, Deserialize)]
struct ExportedValue {
    score: f64,
    depth: u8,
    selectivity: u8,
    #[serde(serialize_with = "json::as_text", deserialize_with = "json::from_text")]
    grade: Grade,
}

#[derive(Serialize, Deserialize)]
struct ExportedDeviation {
    r#move: String,
    #[serde(flatten)]
    value: ExportedValue,
}

impl ExportedValue {
    fn new(value: Value) -> ExportedValue {
        let Value { score, depth, selectivity, grade } = value;
        ExportedValue { score: discs(score), depth, selectivity, grade }
    }

    fn value(&self) -> anyhow::Result<Value> {
        let ExportedValue { score, depth, selectivity, grade } = *self;
        ensure!(score.abs() <= 64.0, "expected a score of at most 64 discs, saw {score}");
        ensure!(depth <= 64, "expected a depth of at most 64 plies, saw {depth}");
        ensure!(Selectivity::PERCENT.contains(&selectivity), "unknown selectivity {selectivity}");
        Ok(Value { score: (score * f64::from(UNIT)).round() as i32, depth, selectivity, grade })
    }
}

/// Prints one position per line, in the order of the file.
///
/// # Errors
/// The book cannot be read, or a block of it is damaged.
pub fn export(args: &ExportArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let book = open(args.book.as_deref())?;
    for entry in book.entries() {
        let (board, entry) = entry?;
        match args.format {
            ExportFormat::Json => writeln!(out, "{}", json::line(&exported(board, &entry))?)?,
            ExportFormat::Obf => write!(out, "{}", as_obf(&book, board, &entry)?)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn exported(board: Board, entry: &BookEntry) -> ExportedPosition {
    let deviation = |deviation: Deviation| ExportedDeviation {
        r#move: obf::square_name(deviation.square),
        value: ExportedValue::new(deviation.value),
    };
    let GameCounts { won, drawn, lost } = entry.games;
    ExportedPosition {
        position: obf::show(board, true),
        value: ExportedValue::new(entry.value),
        leaves: entry.leaves,
        games: [won, drawn, lost],
        deviation: entry.deviation.map(deviation),
    }
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
/// A file cannot be read or written, or a line cannot be read; the error names the line.
pub fn import(args: &ImportArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let interrupt = Interrupt::new()?;
    let opening = interrupt.ends_at_once();
    let mut store = BookStore::open(&args.book).with_context(|| format!("cannot open {}", args.book.display()))?;
    drop(opening);
    let mut imported = 0_u64;
    input_lines::announce(args.file.as_deref(), "positions as flipside book export prints them");
    for (number, line) in input_lines::open(args.file.as_deref(), &interrupt)?.enumerate() {
        let line = line.context("cannot read the positions")?;
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        add(&mut store, &text).with_context(|| format!("line {}", number + 1))?;
        imported += 1;
    }
    if interrupt.is_raised() {
        diagnostics::report(None, "interrupted: nothing was imported")?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    store.merge().with_context(|| format!("cannot write {}", args.book.display()))?;
    let positions = store.graph.nodes().len();
    let words = format_args!("{imported} positions imported, {positions} in the book");
    out.print(args.json, &Imported { imported, positions }, words)?;
    Ok(ExitCode::SUCCESS)
}

fn add(store: &mut BookStore, text: &str) -> anyhow::Result<()> {
    let read: ExportedPosition = serde_json::from_str(text)?;
    let (board, _) = obf::position(&read.position)?;
    let deviation = |deviation: &ExportedDeviation| {
        let legal = Reversi::portable().moves(&board).find(|mv| obf::square_name(mv.square) == deviation.r#move);
        let mv = legal.with_context(|| format!("'{}' is not legal there", deviation.r#move))?;
        Ok::<_, anyhow::Error>(Deviation { square: mv.square, value: deviation.value.value()? })
    };
    let [won, drawn, lost] = read.games;
    let entry = BookEntry {
        value: read.value.value()?,
        leaves: read.leaves,
        deviation: read.deviation.as_ref().map(deviation).transpose()?,
        games: GameCounts { won, drawn, lost },
    };
    store.graph.add(board, &entry);
    Ok(())
}
