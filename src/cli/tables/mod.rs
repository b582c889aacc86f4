//! `flipside tables`: generates the endgame tables of MiniChess, probes or checks them.

mod five;

use crate::cli::io::output::Output;
use crate::cli::io::{progress, whole_file};
use anyhow::{Context, bail};
use clap::Args;
use flipside_core::games::minichess::state_text::read_state;
use flipside_core::games::minichess::tables::build::Progress;
use flipside_core::games::minichess::tables::file;
use flipside_core::games::minichess::tables::{CLASSES, DRAW, EndgameTables, MaterialClass, build};
use flipside_support::json;
use indicatif::ProgressBar;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Arguments of `flipside tables`.
#[derive(Args, Debug)]
#[command(after_help = examples![
    "flipside tables",
    "flipside tables --probe '9 W ..k../...../...../...../...../R...K'",
    "flipside tables --material KQRvKR,KRPvKR",
])]
pub struct TablesArgs {
    /// File of the tables (default: $FLIPSIDE_TABLES, or flipside/minichess.tables in the cache); those of five pieces are
    /// in a folder beside it
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Pieces of a position, kings included: 4, or 5 for all materials of five (takes hours; the command says how many
    /// before it begins, and continues after an interruption)
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(4..=5))]
    men: u8,
    /// Make the tables of these materials of five pieces, such as KQRvKR, and of those that their pawns promote to
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = read_material)]
    material: Vec<MaterialClass>,
    /// Check this number of random positions, or `all`, against those after their moves, instead of generating; with
    /// `--material`, of these materials
    #[arg(long, value_name = "NUMBER", value_parser = read_extent)]
    check: Option<Extent>,
    /// Probe the tables for a position, N S r6/r5/r4/r3/r2/r1, instead of generating them
    #[arg(long, value_name = "POSITION", alias = "ask", allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["check", "material"])]
    probe: Option<String>,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// The positions that a check compares.
#[derive(Clone, Copy, Debug)]
enum Extent {
    /// So many random ones.
    Random(u64),
    All,
}

fn read_extent(text: &str) -> Result<Extent, String> {
    let number = || text.parse().map(Extent::Random).map_err(|_| "expected a number, or all".to_string());
    if text == "all" { Ok(Extent::All) } else { number() }
}

fn read_material(name: &str) -> Result<MaterialClass, String> {
    let five = MaterialClass::of_name(name).filter(|class| class.pieces().count() == 3);
    five.ok_or_else(|| "expected a material of five pieces, such as KQRvKR".to_string())
}

/// The generated tables: the object of `--json`.
#[derive(Serialize)]
struct MadeTables<'a> {
    file: Cow<'a, str>,
    bytes: usize,
    seconds: f64,
}

/// The answer of a probe: the object of `--probe --json`.
#[derive(Serialize)]
struct ProbeAnswer<'a> {
    position: &'a str,
    /// For the side to move.
    result: &'static str,
    /// Plies to the capture of a king under best play; `None` for a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u8>,
}

/// Generates the tables, or probes them.
///
/// # Errors
/// The file cannot be read or written; the position cannot be read.
pub fn run(args: &TablesArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let path = match &args.file {
        Some(path) => path.clone(),
        None => file::path()?,
    };
    match (&args.probe, args.check) {
        (Some(text), _) => probe(text, &path, args.json, out),
        (None, Some(extent)) => five::check(extent, &args.material, &path, args.json, out),
        _ if args.men == 5 => five::generate(MaterialClass::five(), &path, args.json, out),
        _ if !args.material.is_empty() => five::generate(args.material.iter().copied(), &path, args.json, out),
        _ => {
            let made = generate(&path, args.json, out)?;
            let words = format!("{} in {:.1} s", made.file, made.seconds);
            out.print(args.json, &made, words)?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn probe(text: &str, path: &Path, json: bool, out: &mut Output) -> anyhow::Result<ExitCode> {
    let board = read_state(text).with_context(|| format!("--probe: {text}"))?;
    let plies = open(path)?.dtm(&board).context(
        "--probe: expected two kings and at most four pieces, or five of a material that flipside tables --material made",
    )?;
    let result = match plies {
        DRAW => "draw",
        plies if u32::from(plies) > board.plies_left() => "draw by the limit",
        plies if plies % 2 == 1 => "win",
        _ => "loss",
    };
    let plies = (plies != DRAW).then_some(plies);
    if json {
        writeln!(out, "{}", json::line(&ProbeAnswer { position: text, result, plies })?)?;
        return Ok(ExitCode::SUCCESS);
    }
    match plies {
        None => writeln!(out, "{result}")?,
        Some(plies) if result == "draw by the limit" => writeln!(out, "{result}, else {plies} plies")?,
        Some(plies) => writeln!(out, "{result} in {plies} plies")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The tables of a file and those beside it.
fn open(path: &Path) -> anyhow::Result<EndgameTables> {
    if !path.exists() {
        bail!("there is no file {path}; flipside tables --file {path} makes the tables", path = path.display());
    }
    Ok(EndgameTables::open(path)?)
}

fn generate<'a>(path: &'a Path, json: bool, out: &mut Output) -> anyhow::Result<MadeTables<'a>> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    whole_file::check_room(path, EndgameTables::file_size())?;
    let started = Instant::now();
    let bar = classes_bar();
    // Without a bar, this line still tells the user what is going on.
    let mut printed = tell(out, json, format_args!("solving the {CLASSES} material classes of {}", path.display()));
    let (sender, progress) = std::sync::mpsc::channel();
    let tables = std::thread::scope(|scope| {
        let generator = scope.spawn(move || {
            build::build(|step| {
                // The receiver is gone if the main thread has panicked.
                let _ = sender.send(step);
            })
        });
        for step in progress {
            match step {
                Progress::Classes(count) => bar.inc(count as u64),
                Progress::Level { .. } if printed.is_err() => {}
                Progress::Level { pieces, pawns } => {
                    let seconds = started.elapsed().as_secs_f64();
                    let level = format_args!("{pieces} pieces, {pawns} pawns: {seconds:.1} s");
                    printed = bar.suspend(|| tell(out, json, level));
                }
            }
        }
        generator.join()
    });
    bar.finish_and_clear();
    let tables = tables.map_err(|_| anyhow::anyhow!("generating the tables failed"))?;
    whole_file::write_with(path, |out| tables.write(out))?;
    // The tables are kept even if the result cannot be printed.
    printed?;
    let seconds = started.elapsed().as_secs_f64();
    Ok(MadeTables { file: path.to_string_lossy(), bytes: EndgameTables::file_size(), seconds })
}

/// Reports the progress; on stderr if stdout is kept for the JSON object.
fn tell(out: &mut Output, json: bool, line: fmt::Arguments<'_>) -> io::Result<()> {
    if json { writeln!(stderr(), "{line}") } else { writeln!(out, "{line}") }
}

/// A progress bar that moves from the first second, hidden unless stderr is a terminal.
fn classes_bar() -> ProgressBar {
    if !stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = progress::bar(CLASSES as u64, "{spinner} {bar:30} {pos}/{len} material classes, {elapsed}");
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
