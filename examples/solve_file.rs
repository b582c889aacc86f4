//! Solves a file of Reversi positions, one a line in OBF, and compares the results with the scores in its lines, if
//! any.
//!
//! `cargo run --release --example solve_file -- [FILE]`; without a file it solves the first positions of the FFO test.

use flipside::Engine;
use flipside::reversi::{Board, Reversi};
use std::error::Error;
use std::io::{Write, stdout};

/// The first three positions of the FFO test.
const POSITIONS: &str = "\
--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X # FFO-1 score=+18
-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X # FFO-2 score=+10
----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X # FFO-3 score=+2
";

fn main() -> Result<(), Box<dyn Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(file)?,
        None => POSITIONS.to_string(),
    };
    let mut engine = Engine::builder(Reversi).hash_mib(64).build()?;
    let mut out = stdout();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let board: Board = line.parse()?;
        let solution = engine.solve(&board);
        let best: Vec<String> = solution.principal_variation.iter().map(|mv| mv.to_string()).collect();
        let (score, nodes) = (solution.score, solution.nodes);
        writeln!(out, "{score:+3} {nodes:>10} nodes {:>8.3} s  {}", solution.time.as_secs_f64(), best.join(" "))?;
        let known = line.split_whitespace().find_map(|word| word.strip_prefix("score="));
        if let Some(known) = known.map(str::parse::<i32>).transpose()?.filter(|known| *known != score) {
            return Err(format!("the file says {known:+}: {line}").into());
        }
    }
    Ok(())
}
