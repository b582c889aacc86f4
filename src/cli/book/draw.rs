//! `flipside book draw`: the lines of a book near best play as a tree, in an SVG picture.

use super::hundredths;
use super::source::{discs, open_graph, position};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use crate::games::reversi::board::Board;
use crate::games::reversi::book::graph::BookGraph;
use crate::games::reversi::book::lines::lines;
use crate::games::reversi::obf::square_name;
use crate::games::reversi::opening_names;
use crate::games::reversi::rules::Reversi;
use crate::search::game::Game;
use anyhow::ensure;
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Pixels from a move to the next, from a line to the next, and around the picture.
const COLUMN: usize = 84;
const ROW: usize = 24;
const MARGIN: usize = 24;
/// Lines drawn at most.
const MAX_LINES: usize = 2000;

/// Arguments of `flipside book draw`.
#[derive(Args, Debug)]
pub struct DrawArgs {
    /// Where the tree begins: a transcript or a position (default: the start)
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// The book (default: the one inside the program)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Draw lines on which both sides together give away at most so much
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = hundredths)]
    within: i32,
    /// Draw so many moves at most
    #[arg(long, value_name = "NUMBER", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=60))]
    plies: u16,
    /// The SVG file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What was drawn: the object of `--json`.
#[derive(Serialize)]
struct Drawn {
    lines: usize,
}

/// Draws the tree.
///
/// # Errors
/// The book or the position cannot be read, the tree is too large, or the file cannot be written.
pub fn run(args: &DrawArgs, out: &mut Output) -> anyhow::Result<ExitCode> {
    let graph = open_graph(args.book.as_deref())?;
    let (board, _) = position(args.position.as_deref())?;
    ensure!(graph.get(board).is_some(), "the position is not in the book");
    let mut all: Vec<Vec<u8>> = Vec::new();
    lines(&graph, board, args.within, usize::from(args.plies), &mut |line| {
        ensure!(all.len() < MAX_LINES, "more than {MAX_LINES} lines: give fewer --plies or a smaller --within");
        all.push(line.squares.clone());
        Ok(())
    })?;
    whole_file::write(&args.out, svg(&graph, board, &all).as_bytes())?;
    let lines = all.len();
    out.print(args.json, &Drawn { lines }, format_args!("{lines} lines drawn"))?;
    Ok(ExitCode::SUCCESS)
}

/// A line a row; what it shares with the line before it is drawn once.
fn svg(graph: &BookGraph, root: Board, lines: &[Vec<u8>]) -> String {
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
    let (width, height) = (2 * MARGIN + (longest + 1) * COLUMN + 160, 2 * MARGIN + lines.len().max(1) * ROW);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut moves = String::new();
    draw_move(&mut moves, graph, root, "start", (0, 0), 1);
    // The row in which each move of the line before was drawn.
    let mut rows: Vec<usize> = Vec::new();
    let mut last: &[u8] = &[];
    for (row, line) in lines.iter().enumerate() {
        let shared = line.iter().zip(last).take_while(|(one, other)| one == other).count();
        rows.truncate(shared);
        let mut board = root;
        for (ply, &square) in line.iter().enumerate() {
            let Some(mv) = Reversi::portable().moves(&board).find(|mv| mv.square == square) else { break };
            board = board.after(mv);
            if ply < shared {
                continue;
            }
            let from = ply.checked_sub(1).map_or(0, |before| rows.get(before).copied().unwrap_or(row));
            rows.push(row);
            draw_branch(&mut text, (ply, from), row);
            // From Black's view where the root is Black's: values of every other ply change sides.
            let sign = if ply % 2 == 0 { -1 } else { 1 };
            draw_move(&mut moves, graph, board, &square_name(square), (ply + 1, row), sign);
        }
        if let Some(opening) = opening_names::at(board) {
            let (x, y) = (MARGIN + (line.len() + 1) * COLUMN, MARGIN + row * ROW + ROW / 2 + 4);
            let _ = writeln!(
                moves,
                "<text x=\"{x}\" y=\"{y}\" fill=\"#666\">{}</text>",
                opening.name.replace('&', "&amp;")
            );
        }
        last = line;
    }
    text + &moves + "</svg>\n"
}

/// The line from a move in column `ply` and row `from` to the next.
fn draw_branch(text: &mut String, (ply, from): (usize, usize), row: usize) {
    let (x, middle) = (MARGIN + ply * COLUMN + COLUMN - 18, MARGIN + (ply + 1) * COLUMN - 8);
    let (y, to) = (MARGIN + from * ROW + ROW / 2, MARGIN + row * ROW + ROW / 2);
    let end = MARGIN + (ply + 1) * COLUMN - 2;
    let _ = writeln!(text, "<path d=\"M{x} {y}H{middle}V{to}H{end}\" fill=\"none\" stroke=\"#999\"/>");
}

/// A move with the value of the position after it, for the side that began the tree; green for good, red for bad.
fn draw_move(text: &mut String, graph: &BookGraph, board: Board, name: &str, (column, row): (usize, usize), sign: i32) {
    let score = sign * graph.get(board).map_or(0, |node| node.value.score);
    let colour = match score {
        50.. => "#060",
        ..=-50 => "#900",
        _ => "#000",
    };
    let (x, y) = (MARGIN + column * COLUMN, MARGIN + row * ROW + ROW / 2 + 4);
    let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{name} {:+.1}</text>", discs(score));
}
