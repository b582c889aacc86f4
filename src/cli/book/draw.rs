//! `flipside book draw`: draws the lines of a book near best play as a tree, in an SVG picture.

use super::hundredths;
use super::source::{discs, open_graph, position};
use crate::cli::io::output::Output;
use crate::cli::io::whole_file;
use anyhow::ensure;
use clap::Args;
use flipside_core::games::reversi::board::Board;
use flipside_core::games::reversi::book::graph::BookGraph;
use flipside_core::games::reversi::book::lines::lines;
use flipside_core::games::reversi::obf::square_name;
use flipside_core::games::reversi::opening_names;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::search::game::Game;
use flipside_support::svg::{Anchor, Elements, Look};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Pixels from a move to the next, from a line to the next, and around the picture.
const COLUMN: f64 = 84.0;
const ROW: f64 = 24.0;
const MARGIN: f64 = 24.0;
/// Pixels for the name of an opening.
const OPENING_WIDTH: f64 = 160.0;
/// Most lines drawn.
const MAX_LINES: usize = 2000;

/// Arguments of `flipside book draw`.
#[derive(Args, Debug)]
#[command(after_help = examples!["flipside book draw --within 1 --plies 8 --out tree.svg"])]
pub struct DrawArgs {
    /// Root of the tree: a transcript or a position (default: the start)
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Book file (default: the embedded book)
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Draw lines on which both sides together give away at most this
    #[arg(long, value_name = "DISCS", default_value = "2", value_parser = hundredths)]
    within: i32,
    /// Draw at most this number of moves
    #[arg(long, value_name = "NUMBER", default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=60))]
    plies: u16,
    /// SVG file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The result: the object of `--json`.
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

const BRANCH: Look = Look { class: "branch", attributes: "stroke=\"#999\"" };
const OPENING: Look = Look { class: "opening", attributes: "font-size=\"12\" fill=\"#666\"" };
const GOOD: Look = Look { class: "good", attributes: "font-size=\"12\" fill=\"#060\"" };
const EVEN: Look = Look { class: "even", attributes: "font-size=\"12\" fill=\"#000\"" };
const BAD: Look = Look { class: "bad", attributes: "font-size=\"12\" fill=\"#900\"" };

/// Draws one line per row; moves that it shares with the line before it are drawn once.
fn svg(graph: &BookGraph, root: Board, lines: &[Vec<u8>]) -> String {
    let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
    let size = (column_x(longest + 1) + OPENING_WIDTH + MARGIN, 2.0 * MARGIN + lines.len().max(1) as f64 * ROW);
    let mut picture = Elements::on_paper(size);
    draw_move(&mut picture, graph, root, "start", (0, 0), 1);
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
            draw_branch(&mut picture, (ply, from), row);
            // From the point of view of the root's side: the sign of the value alternates with the ply.
            let sign = if ply % 2 == 0 { -1 } else { 1 };
            draw_move(&mut picture, graph, board, &square_name(square), (ply + 1, row), sign);
        }
        if let Some(opening) = opening_names::at(board) {
            picture.text(OPENING, (column_x(line.len() + 1), row_y(row) + 4.0), Anchor::Start, opening.name);
        }
        last = line;
    }
    picture.picture(size, "the lines of the book near best play")
}

/// Left edge of a column.
fn column_x(column: usize) -> f64 {
    MARGIN + column as f64 * COLUMN
}

/// Middle of a row.
fn row_y(row: usize) -> f64 {
    MARGIN + (row as f64 + 0.5) * ROW
}

/// The line from a move in column `ply` and row `from` to the next.
fn draw_branch(picture: &mut Elements, (ply, from): (usize, usize), row: usize) {
    let (next, y, to) = (column_x(ply + 1), row_y(from), row_y(row));
    picture.polyline(BRANCH, &[(next - 18.0, y), (next - 8.0, y), (next - 8.0, to), (next - 2.0, to)]);
}

/// A move with the value of the position after it, for the side that began the tree; green for good, red for bad.
fn draw_move(
    picture: &mut Elements,
    graph: &BookGraph,
    board: Board,
    name: &str,
    (column, row): (usize, usize),
    sign: i32,
) {
    let score = sign * graph.get(board).map_or(0, |node| node.value.score);
    let look = match score {
        50.. => GOOD,
        ..=-50 => BAD,
        _ => EVEN,
    };
    let words = format!("{name} {:+.1}", discs(score));
    picture.text(look, (column_x(column), row_y(row) + 4.0), Anchor::Start, &words);
}
