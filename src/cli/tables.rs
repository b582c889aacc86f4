//! `flipside tables`: makes the endgame tables of MiniChess, or asks them.

use crate::games::minichess::state_text::read_state;
use crate::games::minichess::tables::file::place;
use crate::games::minichess::tables::{DRAW, EndgameTables, build};
use anyhow::Context;
use clap::Args;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Arguments of `flipside tables`.
#[derive(Args, Debug)]
pub struct TablesArgs {
    /// File of the tables (default: $FLIPSIDE_TABLES, or flipside/minichess.tables in the cache)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Tell what the tables say of a position, N S r6/r5/r4/r3/r2/r1, instead of making them
    #[arg(long, value_name = "POSITION")]
    ask: Option<String>,
}

/// Makes the tables, or answers a question.
///
/// # Errors
/// The file cannot be read or written; the position cannot be read.
pub fn run(args: &TablesArgs) -> anyhow::Result<ExitCode> {
    let path = match &args.file {
        Some(path) => path.clone(),
        None => place()?,
    };
    let mut out = stdout().lock();
    if let Some(text) = &args.ask {
        let board = read_state(text).with_context(|| format!("--ask: {text}"))?;
        let plies = EndgameTables::load(&path)?.dtm(&board).context("--ask: two kings and at most four pieces")?;
        match plies {
            DRAW => writeln!(out, "draw")?,
            plies if u32::from(plies) > board.plies_left() => writeln!(out, "draw by the limit, else {plies} plies")?,
            plies if plies % 2 == 1 => writeln!(out, "win in {plies} plies")?,
            plies => writeln!(out, "loss in {plies} plies")?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let begun = Instant::now();
    let mut told = Ok(());
    let (sender, levels) = std::sync::mpsc::channel();
    let tables = std::thread::scope(|scope| {
        let maker = scope.spawn(move || build::build(|level| drop(sender.send(level.to_string()))));
        for level in levels {
            if told.is_ok() {
                told = writeln!(out, "{level}: {:.1} s", begun.elapsed().as_secs_f64());
            }
        }
        maker.join()
    });
    told?;
    let tables = tables.map_err(|_| anyhow::anyhow!("making the tables failed"))?;
    tables.save(&path)?;
    writeln!(out, "{} in {:.1} s", path.display(), begun.elapsed().as_secs_f64())?;
    Ok(ExitCode::SUCCESS)
}
