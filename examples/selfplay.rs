//! The engine plays a game of Reversi against itself.
//!
//! `cargo run --release --example selfplay -- [POSITIONS A MOVE]`

use flipside::reversi::{Board, Outcome, Reversi};
use flipside::{Engine, Limits};
use std::error::Error;
use std::io::{Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let nodes = std::env::args().nth(1).map_or(Ok(20_000), |text| text.parse())?;
    let mut engine = Engine::builder(Reversi).hash_mib(16).build()?;
    let mut board = Board::default();
    let mut out = stdout();
    while !board.is_over() {
        let found = engine.search(&board, Limits::nodes(nodes));
        let mv = found.best_move.ok_or("a game that goes on has a move")?;
        writeln!(out, "{:>5} {mv:<4} {:+6.2} discs, depth {}", board.side_to_move(), found.units(), found.depth)?;
        board = board.play(mv)?;
    }
    match board.outcome() {
        Some(Outcome::Won { winner, discs }) => writeln!(out, "{board:#}\n{winner} wins by {discs}")?,
        _ => writeln!(out, "{board:#}\na draw")?,
    }
    Ok(())
}
