//! `flipside bench --endgame`: the speed of the endgame solver on one thread.

use super::cost::{Cost, Stopwatch};
use crate::cli::io::output::Output;
use anyhow::{Context, ensure};
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::evaluation::ReversiEvaluation;
use flipside_core::games::reversi::kernels::speed::kernel_times;
use flipside_core::games::reversi::obf;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::games::reversi::searcher::{self, ReversiSearcher, SearcherOptions};
use flipside_core::search::game::Game;
use flipside_core::search::limits::{Limits, Stop};
use flipside_core::search::solve::SolveTask;
use flipside_core::search::types::UNIT;
use flipside_support::bounded_file;
use flipside_support::json;
use flipside_support::processor_time::Whose;
use flipside_support::random::Random;
use flipside_support::text::with_line_ends;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// FFO #40 to #49, with their exact scores for the side to move.
const FFO: &str = "\
O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; # FFO-#40 score=+38
-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; # FFO-#41 score=+0
--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X; # FFO-#42 score=+6
--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; # FFO-#43 score=-12
--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O; # FFO-#44 score=-14
---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X; # FFO-#45 score=+6
---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X; # FFO-#46 score=-8
-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O; # FFO-#47 score=+4
-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O; # FFO-#48 score=+28
--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X; # FFO-#49 score=+16
";
/// Number of random positions.
const SAMPLES: usize = 1000;
/// Empty squares of the random positions.
const EMPTIES: u32 = 12;
/// The largest file that is read, in bytes.
const MAX_FILE_SIZE: usize = 1 << 26;

/// The options of the bench.
pub struct EndgameBench<'a> {
    /// MiB of the solver's table.
    pub hash: usize,
    /// File of positions to solve instead of the built-in ones.
    pub file: Option<&'a Path>,
    /// Whether to print one JSON object instead of text.
    pub json: bool,
}

/// The cost as text: nodes, positions generated, times, and millions of nodes per second of the program's own time.
fn cost_text(cost: Cost) -> String {
    let Cost { nodes, generated, seconds, user_seconds, .. } = cost;
    let speed = nodes as f64 / user_seconds.unwrap_or(seconds).max(1e-6) / 1e6;
    let generated = generated.map_or(String::new(), |generated| format!(" generated {generated:>11}"));
    format!("nodes {nodes:>11}{generated} {seconds:7.2} s{} {speed:5.1} M/s", cost.processor_text())
}

/// A solved position of `--json`.
#[derive(Serialize)]
struct SolvedPosition {
    position: String,
    empties: u32,
    /// Exact, in discs for the side to move.
    score: i32,
    #[serde(flatten)]
    cost: Cost,
}

/// All positions with a number of empty squares.
#[derive(Serialize)]
struct Stage {
    empties: u32,
    positions: usize,
    #[serde(flatten)]
    cost: Cost,
}

/// The object of `--json`.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    cost: Cost,
    stages: Vec<Stage>,
    positions: Vec<SolvedPosition>,
}

/// Solves the positions and prints the cost of each, of each number of empty squares, and of all together.
///
/// # Errors
/// The file cannot be read, a score is wrong, or the output cannot be written.
pub fn run(bench: &EndgameBench<'_>, out: &mut Output) -> anyhow::Result<ExitCode> {
    let evaluation = ReversiEvaluation::open("default", None)?;
    let options = SearcherOptions::with_tables(1, bench.hash);
    let searcher = searcher::open(&evaluation, &options).context("--hash is too large")?;
    if bench.file.is_none() && !bench.json {
        measure_kernels(&searcher, out)?;
    }
    let text = match bench.file {
        Some(path) => read(path)?,
        None => FFO.into(),
    };
    let mut positions = Vec::new();
    for (number, line) in lines(&text) {
        let (name, solved) = solve_line(&searcher, line, number)?;
        if !bench.json {
            writeln!(out, "{name} {} empties {:+3} {}", solved.empties, solved.score, cost_text(solved.cost))?;
        }
        positions.push(solved);
    }
    ensure!(!positions.is_empty(), "the file holds no position to solve");
    write_sums(positions, bench.json, out)?;
    Ok(ExitCode::SUCCESS)
}

/// The text of a file of positions.
fn read(path: &Path) -> anyhow::Result<String> {
    let text = bounded_file::read_text(path, MAX_FILE_SIZE).with_context(|| path.display().to_string())?;
    Ok(with_line_ends(&text))
}

/// The lines that hold a position, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

/// The positions of a file of OBF.
///
/// # Errors
/// The file cannot be read, or a line holds no position.
pub fn positions_of(path: &Path) -> anyhow::Result<Vec<Board>> {
    let text = read(path)?;
    lines(&text).map(|(number, line)| Ok(obf::line(line).with_context(|| format!("line {number}"))?.board)).collect()
}

/// The exact score in discs and the cost, with empty tables or with their present contents.
fn solve(searcher: &ReversiSearcher, board: Board, fresh: bool) -> anyhow::Result<(i32, Cost)> {
    let stopwatch = Stopwatch::start(Whose::Own);
    let task = SolveTask { fresh, ..SolveTask::exact(1) };
    let stop = Stop::new(&Limits::default());
    let solution = searcher.solve(&board, &task, &stop).context("the solve was stopped")?;
    let cost = Cost { generated: Some(stop.generated()), ..stopwatch.cost(solution.nodes) };
    Ok((solution.score / UNIT, cost))
}

/// Solves a line of OBF with empty tables; returns its name and the answer.
fn solve_line(searcher: &ReversiSearcher, text: &str, number: usize) -> anyhow::Result<(String, SolvedPosition)> {
    let line = obf::line(text).with_context(|| format!("line {number}"))?;
    let name = line.name().map_or_else(|| format!("#{number}"), |name| name.replace('-', " "));
    let (score, cost) = solve(searcher, line.board, true)?;
    let expected = line.value("score").and_then(|score| score.parse::<i32>().ok());
    ensure!(expected.is_none_or(|expected| expected == score), "{name} has the score {score:+}, not {expected:?}");
    let position = obf::show(line.board, line.black_to_move);
    Ok((name, SolvedPosition { position, empties: line.board.empties(), score, cost }))
}

/// A position with `empties` empty squares of an unfinished random game.
pub fn random_position(random: &mut Random, empties: u32) -> Board {
    let game = Reversi::portable();
    loop {
        let mut board = Board::START;
        while board.empties() > empties && game.outcome(&board).is_none() {
            let moves: Vec<_> = game.moves(&board).collect();
            board = board.after(moves[random.below(moves.len())]);
        }
        if board.empties() == empties && game.outcome(&board).is_none() {
            return board;
        }
    }
}

/// Prints the times of the kernels and the rate at [`EMPTIES`] empty squares.
fn measure_kernels(searcher: &ReversiSearcher, out: &mut Output) -> anyhow::Result<()> {
    let mut random = Random(12);
    let sample: Vec<Board> = (0..SAMPLES).map(|_| random_position(&mut random, EMPTIES)).collect();
    let (placements, flips) = kernel_times(&sample);
    writeln!(out, "kernels: legal moves {placements:.1} ns, all moves with their flips {flips:.1} ns per position")?;
    let (mut sum, mut all) = (0, Cost::default());
    for &board in &sample {
        let (score, cost) = solve(searcher, board, false)?;
        sum += score;
        all.add(cost);
    }
    let rate = SAMPLES as f64 / all.seconds;
    writeln!(out, "{EMPTIES} empties: {rate:.0} positions/s, {} nodes, sum of scores {sum:+}", all.nodes)?;
    Ok(())
}

/// Prints the sums by number of empty squares and in total; as JSON with the positions.
fn write_sums(positions: Vec<SolvedPosition>, as_json: bool, out: &mut Output) -> anyhow::Result<()> {
    let (mut by_empties, mut all) = (BTreeMap::<u32, (usize, Cost)>::new(), Cost::default());
    for solved in &positions {
        let (count, cost) = by_empties.entry(solved.empties).or_default();
        *count += 1;
        cost.add(solved.cost);
        all.add(solved.cost);
    }
    let stages: Vec<Stage> =
        by_empties.into_iter().map(|(empties, (positions, cost))| Stage { empties, positions, cost }).collect();
    if as_json {
        writeln!(out, "{}", json::line(&Report { cost: all, stages, positions })?)?;
        return Ok(());
    }
    for Stage { empties, positions, cost } in stages {
        writeln!(out, "{empties} empties: {positions} positions, {}", cost_text(cost))?;
    }
    writeln!(out, "all {} positions {}", positions.len(), cost_text(all))?;
    Ok(())
}
