//! `flipside train wdl`: fits the chances of win, draw and loss that scores stand for to games of self-play.

use super::game_sources::head;
use crate::cli::io::chart::{Chart, Series};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use clap::Args;
use flipside_core::games::names::MINICHESS;
use flipside_core::search::wdl::WdlCurve;
use flipside_support::json;
use flipside_train::game_file::GameFileReader;
use flipside_train::played_games;
use flipside_train::wdl::{Calibration, Results};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `flipside train wdl`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside train wdl --games my.games --test other.games --svg calibration.svg"])]
pub struct WdlArgs {
    /// Games to fit: a file from train selfplay, or of train minichess
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Games of the same kind on which the model is tested [default: the games to fit]
    #[arg(long, value_name = "FILE")]
    test: Option<PathBuf>,
    /// Draw the results of the test games beside those that the model expects in this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object per part of the game
    #[arg(long)]
    json: bool,
}

/// A part of the game: the object of `--json`.
#[derive(Serialize)]
struct PartReport {
    /// The polynomials of the model.
    draw: [f64; 3],
    spread: [f64; 3],
    /// What is left of the game at the beginning and at the end of the part.
    part: [f64; 2],
    positions: u64,
    expected: [f64; 3],
    observed: [f64; 3],
    error: f64,
}

/// Parts of a game, by what is left of it.
const PARTS: [f64; 6] = [1.0, 0.8, 0.6, 0.4, 0.2, 0.0];
/// Fewest positions of a point in the chart.
const LEAST: f64 = 200.0;

/// Fits the model and prints it, with predicted and observed results by part of the game.
///
/// # Errors
/// A file cannot be read or written, or is no file of self-play.
pub fn run(args: &WdlArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let fitted = read(&args.games)?;
    let tested = args.test.as_deref().map_or_else(|| Ok(fitted.clone()), read)?;
    let curve = fitted.fit();
    let rows = tested.calibration(&curve, &PARTS);
    if args.json {
        print_objects(curve, &rows, out)?;
    } else {
        print_table(curve, [&fitted, &tested], &rows, out)?;
    }
    if let Some(path) = &args.svg {
        whole_file::write(path, chart(&rows).as_bytes())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_objects(WdlCurve { draw, spread }: WdlCurve, rows: &[Calibration], out: &mut Output) -> anyhow::Result<()> {
    for row in rows {
        let [expected, observed] = row.shares();
        let (part, positions, error) = (row.part, row.positions as u64, row.error());
        writeln!(out, "{}", json::line(&PartReport { draw, spread, part, positions, expected, observed, error })?)?;
    }
    Ok(())
}

fn print_table(
    curve: WdlCurve,
    [fitted, tested]: [&Results; 2],
    rows: &[Calibration],
    out: &mut Output,
) -> anyhow::Result<()> {
    let WdlCurve { draw, spread } = curve;
    writeln!(out, "{} positions: draw {draw:?}, spread {spread:?}, in hundredths", fitted.positions())?;
    let [cost, test_cost] = [fitted, tested].map(|results| results.cost(&curve));
    writeln!(out, "mean cost {cost:.4}, on {} test positions {test_cost:.4}", tested.positions())?;
    writeln!(out, "left of the game, positions, expected and observed win/draw/loss in %, error in %")?;
    for row in rows {
        let percent = |shares: [f64; 3]| shares.map(|share| format!("{:.1}", 100.0 * share)).join("/");
        let [expected, observed] = row.shares().map(percent);
        let [begin, end] = row.part.map(|left| 100.0 * left);
        let (positions, error) = (row.positions, 100.0 * row.error());
        writeln!(out, "{begin:3} to {end:2} %: {positions:7} {expected:>15} {observed:>15} {error:4.1}")?;
    }
    Ok(())
}

/// The results of a file of self-play.
fn read(path: &Path) -> anyhow::Result<Results> {
    if played_games::is_game_file(MINICHESS.name, &head(path)?) {
        let mut results = Results::of_minichess();
        played_games::read(path)?.iter().for_each(|game| results.add_minichess(game));
        return Ok(results);
    }
    let mut results = Results::of_reversi();
    for game in GameFileReader::open(path)? {
        results.add_reversi(&game?);
    }
    Ok(results)
}

/// Expected against mean results in percent, a series for each part of the game.
fn chart(rows: &[Calibration]) -> String {
    let percent = |(expected, result): (f64, f64)| (100.0 * expected, 100.0 * result);
    let part = |row: &Calibration| Series {
        name: format!("{:.0}-{:.0} % left", 100.0 * row.part[0], 100.0 * row.part[1]),
        points: row.points(LEAST).into_iter().map(percent).collect(),
        joined: false,
    };
    let ideal = Series { name: "as expected".into(), points: vec![(0.0, 0.0), (100.0, 100.0)], joined: true };
    let series: Vec<Series> = rows.iter().filter(|row| row.positions > 0.0).map(part).chain([ideal]).collect();
    let labels = ("expected result, %", "mean result, %");
    Chart { title: "Expected and observed results", x_label: labels.0, y_label: labels.1, series: &series }.svg()
}
