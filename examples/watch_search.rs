//! Watches a search of MiniChess iteration by iteration, and stops it when the best move has stayed the same for a
//! while.
//!
//! `cargo run --release --example watch_search -- [FEN]`

use flipside::minichess::{Board, MiniChess};
use flipside::{Engine, Limits};
use std::error::Error;
use std::io::{Write, stdout};
use std::time::Duration;

/// Iterations with the same best move after which the search stops.
const ENOUGH: u32 = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let board: Board = std::env::args().nth(1).map_or(Ok(Board::default()), |fen| fen.parse())?;
    let mut out = stdout();
    writeln!(out, "{board:#}")?;
    let mut engine = Engine::builder(MiniChess).hash_mib(16).threads(2).build()?;
    let mut iterations = engine.iterations(&board, Limits::time(Duration::from_secs(5)));
    let stop = iterations.stop_handle();
    let (mut best, mut stable) = (None, 0);
    for iteration in iterations.by_ref() {
        writeln!(out, "{iteration}")?;
        stable = if iteration.best_move == best { stable + 1 } else { 1 };
        best = iteration.best_move;
        if stable >= ENOUGH {
            stop.stop();
        }
    }
    let found = iterations.finish();
    match found.best_move {
        Some(mv) => writeln!(out, "{mv} after {} positions in {:.1?}", found.nodes, found.time)?,
        None => writeln!(out, "the game is over")?,
    }
    Ok(())
}
