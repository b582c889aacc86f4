//! `flipside solve --game minichess --resume`: continues a file of answers, which must be those to the first positions of
//! the input; any other file is refused and not changed.

use super::super::args::SolveArgs;
use super::answer::ProvenAnswer;
use super::{NumberedBoard, Positions};
use anyhow::{Context, ensure};
use flipside_core::games::minichess::rules::MiniChess;
use flipside_core::games::minichess::state_text::one_line;
use flipside_core::search::notation::{Notation, Style};
use flipside_support::resume::{GrowingFile, Line};
use flipside_support::{json, text};
use std::path::Path;

/// Opens the file. The next position is the first unanswered one.
///
/// # Errors
/// The file cannot be read or written, or does not hold such answers.
pub fn open(path: &Path, args: &SolveArgs, positions: &mut Positions) -> anyhow::Result<GrowingFile> {
    let mut file = GrowingFile::open(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut number = 0;
    let accept = |line: Line| {
        number += 1;
        let position = positions.next().context("the file has more answers than the input has positions")?;
        let accepted = match line {
            Line::Whole(answer) => whole(answer, args, position),
            Line::Torn(answer) => {
                positions.put_back(position);
                torn(answer, args.json, position.0)
            }
        };
        accepted.with_context(|| format!("line {number}"))
    };
    file.lines(accept).with_context(|| format!("cannot resume {}, which was not changed", path.display()))?;
    Ok(file)
}

/// The answer must be to this position, and list its moves if that is asked for.
fn whole(answer: &str, args: &SolveArgs, (line, board): NumberedBoard) -> anyhow::Result<()> {
    let position = one_line(&board);
    let fits = if args.json {
        let read = serde_json::from_str::<ProvenAnswer>(answer);
        read.is_ok_and(|read| read.line == line && read.position == position && read.moves.is_some() == args.all_moves)
    } else {
        // Text has no position, but moves that must be legal there.
        let mut words = answer.split(' ');
        let is_number = words.next() == Some(&line.to_string());
        let best = words.next().unwrap_or_default();
        let is_legal = |name: &str| name == "-" || MiniChess.read_move(&board, name, Style::Plain).is_some();
        let lists_moves = best == "-" || answer.contains("; ") == args.all_moves;
        is_number && best.split(',').all(is_legal) && answer.contains(" nodes ") && lists_moves
    };
    ensure!(fits, "expected the answer to line {line}, {position}; found {}", text::one_line(answer, 60));
    Ok(())
}

/// A torn line must be the beginning of the answer to this line.
fn torn(answer: &str, is_json: bool, line: u64) -> anyhow::Result<()> {
    let start = if is_json { format!("{{\"version\":{},\"line\":{line},", json::VERSION) } else { format!("{line} ") };
    let fits = answer.starts_with(&start) || start.starts_with(answer);
    ensure!(fits, "expected the beginning of the answer to line {line}, found {}", text::one_line(answer, 60));
    Ok(())
}
