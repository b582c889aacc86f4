//! Measures how fast wins by continuous fours are found: makes positions from a seed, verifies them by a plain
//! search, and gives the engine a tenth of a second for each.
//!
//! `cargo run --release --example gomoku_fours -- 500 1`: number of positions, seed.

mod plain;

use flipside::api::settings::Settings;
use flipside::engine::dyn_engine::{SearchRequest, Start};
use flipside::engine::registry;
use flipside::engine::watch::search_and_wait;
use flipside::search::limits::Limits;
use flipside::search::notation::Style;
use flipside::search::types::WIN;
use flipside::support::random::Random;
use plain::FoursSearch;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

/// The engine's time for a position.
const TIME: Duration = Duration::from_millis(100);
/// The shortest and the longest wins, in plies.
const PLIES: (u32, u32) = (5, 21);

/// Positions with wins of one length.
#[derive(Default)]
struct Row {
    positions: u32,
    /// Wins found with the length of the plain search, or shorter by other threats.
    found: u32,
    slowest: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: u32 = arguments.next().map_or(Ok(500), |text| text.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let mut out = std::io::stdout().lock();
    let mut engine = registry::open(&Settings { game: "gomoku".into(), hash: 16, ..Settings::default() })?;
    let (mut random, mut search) = (Random(seed), FoursSearch::new());
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for number in 0..count {
        // Short wins are frequent, so the shortest accepted length grows in a cycle.
        let least = PLIES.0 + 2 * (number % 6);
        let win = search.generate(&mut random, (least, PLIES.1));
        engine.set_position(Start::Text(&win.board.text()), &[], Style::Plain, false)?;
        engine.clear_hash();
        let begun = Instant::now();
        let best_move = search_and_wait(engine.as_ref(), SearchRequest::new(Limits::time(TIME)))?;
        let took = begun.elapsed();
        let score = best_move.info.map_or(0, |info| info.score);
        let row = rows.entry(win.plies).or_default();
        row.positions += 1;
        row.slowest = row.slowest.max(took);
        if score >= WIN - win.plies as i32 {
            row.found += 1;
        } else {
            writeln!(out, "not found: {} plies, score {score}, {}", win.plies, win.board.text())?;
        }
    }
    writeln!(out, "plies positions found slowest")?;
    for (plies, Row { positions, found, slowest }) in &rows {
        writeln!(out, "{plies:5} {positions:9} {found:5} {:.4} s", slowest.as_secs_f64())?;
    }
    let sum = |value: fn(&Row) -> u32| rows.values().map(value).sum::<u32>();
    writeln!(out, "  all {:9} {:5}", sum(|row| row.positions), sum(|row| row.found))?;
    Ok(())
}
