//! `flipside tables`: generates the endgame tables of MiniChess, or probes them.

use super::output::Output;
use super::whole_file;
use crate::games::minichess::state_text::read_state;
use crate::games::minichess::tables::file;
use crate::games::minichess::tables::{DRAW, EndgameTables, build};
use anyhow::Context;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Arguments of `flipside tables`.
#[derive(Args, Debug)]
pub struct TablesArgs {
    /// File of the tables (default: $FLIPSIDE_TABLES, or flipside/minichess.tables in the cache)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Probe the tables for a position, N S r6/r5/r4/r3/r2/r1, instead of generating them
    #[arg(long, value_name = "POSITION", alias = "ask")]
    probe: Option<String>,
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
    if let Some(text) = &args.probe {
        let board = read_state(text).with_context(|| format!("--probe: {text}"))?;
        let plies = EndgameTables::load(&path)?.dtm(&board).context("--probe: two kings and at most four pieces")?;
        match plies {
            DRAW => writeln!(out, "draw")?,
            plies if u32::from(plies) > board.plies_left() => writeln!(out, "draw by the limit, else {plies} plies")?,
            plies if plies % 2 == 1 => writeln!(out, "win in {plies} plies")?,
            plies => writeln!(out, "loss in {plies} plies")?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let started = Instant::now();
    let mut printed = Ok(());
    let (sender, levels) = std::sync::mpsc::channel();
    let tables = std::thread::scope(|scope| {
        let generator = scope.spawn(move || build::build(|level| drop(sender.send(level.to_string()))));
        for level in levels {
            if printed.is_ok() {
                printed = writeln!(out, "{level}: {:.1} s", started.elapsed().as_secs_f64());
            }
        }
        generator.join()
    });
    let tables = tables.map_err(|_| anyhow::anyhow!("generating the tables failed"))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    whole_file::write_with(&path, |out| tables.write(out))?;
    // The tables are kept even where nobody can be told of them.
    printed?;
    writeln!(out, "{} in {:.1} s", path.display(), started.elapsed().as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}
