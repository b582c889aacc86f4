//! `flipside solve --game minichess --resume`: the file must hold the answers to the first
//! positions of the input; any other file is refused and not changed.

use super::super::args::SolveArgs;
use super::answer::ProvenAnswer;
use anyhow::ensure;
use flipside_core::games::minichess::board::Board;
use flipside_core::games::minichess::rules::MiniChess;
use flipside_core::games::minichess::state_text::one_line;
use flipside_core::search::notation::{Notation, Style};
use flipside_support::text;

/// Checks that this is the answer to a position, and lists its moves if that is asked for.
///
/// # Errors
/// It is another one.
pub fn check(answer: &str, line: u64, board: &Board, args: &SolveArgs) -> anyhow::Result<()> {
    let position = one_line(board);
    let fits = if args.json {
        let read = serde_json::from_str::<ProvenAnswer>(answer);
        read.is_ok_and(|read| read.line == line && read.position == position && read.moves.is_some() == args.all_moves)
    } else {
        // Text has no position, but moves that must be legal there.
        let mut words = answer.split(' ');
        let is_number = words.next() == Some(&line.to_string());
        let best = words.next().unwrap_or_default();
        let is_legal = |name: &str| name == "-" || MiniChess.read_move(board, name, Style::Plain).is_some();
        let lists_moves = best == "-" || answer.contains("; ") == args.all_moves;
        is_number && best.split(',').all(is_legal) && answer.contains(" nodes ") && lists_moves
    };
    // An answer of `--ask`, which cannot be continued.
    let is_of_one_side = ["no win", "no loss"].iter().any(|words| answer.contains(words));
    ensure!(
        fits && !is_of_one_side,
        "expected the answer to line {line}, {position}; found {}",
        text::one_line(answer, 60)
    );
    Ok(())
}
