//! `flipside solve --game minichess --resume`: continues a file of answers, which must be those to the first positions of
//! the input; any other file is refused and not changed.

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
pub fn open(path: &Path, is_json: bool, positions: &mut Positions) -> anyhow::Result<GrowingFile> {
    let mut file = GrowingFile::open(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut number = 0;
    let accept = |line: Line| {
        number += 1;
        let position = positions.next().context("the file has more answers than the input has positions")?;
        let accepted = match line {
            Line::Whole(answer) => whole(answer, is_json, position),
            Line::Torn(answer) => {
                positions.put_back(position);
                torn(answer, is_json, position.0)
            }
        };
        accepted.with_context(|| format!("line {number}"))
    };
    file.lines(accept).with_context(|| format!("cannot resume {}, which was not changed", path.display()))?;
    Ok(file)
}

/// The answer must be to this position.
fn whole(answer: &str, is_json: bool, (line, board): NumberedBoard) -> anyhow::Result<()> {
    let position = one_line(&board);
    let fits = if is_json {
        let read = serde_json::from_str::<ProvenAnswer>(answer);
        read.is_ok_and(|read| read.line == line && read.position == position)
    } else {
        // Text has no position, but a move that must be legal there.
        let mut words = answer.split(' ');
        let is_number = words.next() == Some(&line.to_string());
        let is_legal = |name: &str| name == "-" || MiniChess.read_move(&board, name, Style::Plain).is_some();
        is_number && words.next().is_some_and(is_legal) && answer.contains(" nodes ")
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
