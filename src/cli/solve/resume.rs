//! `flipside solve --resume`: the file must hold this command's answers to the first positions of
//! the input; any other file is refused and not changed.

use super::answer::SolveAnswer;
use super::args::SolveArgs;
use super::input::Request;
use anyhow::{Context, ensure};
use flipside_core::games::reversi::obf::{self, ObfLine};
use flipside_core::games::reversi::proof::Bounds;
use flipside_core::games::reversi::rules::Reversi;
use flipside_core::search::game::Game;
use flipside_core::search::types::Certainty;

/// Checks that this is the answer of this command to a position.
///
/// # Errors
/// It is another one.
pub fn check(text: &str, number: u64, request: &Request, args: &SolveArgs) -> anyhow::Result<SolveAnswer> {
    let format = if args.json { "flipside solve --json" } else { "flipside solve without --json" };
    let answer =
        SolveAnswer::read(text, args.json).with_context(|| format!("not an answer of {format}: {}", excerpt(text)))?;
    ensure!(answer.line == number, "the answer is to line {}, but the next position is line {number}", answer.line);
    check_scores(&answer)?;
    check_request(&answer, args, request)?;
    check_position(&answer, &request.line)?;
    Ok(answer)
}

/// The scores are those of a board.
fn check_scores(answer: &SolveAnswer) -> anyhow::Result<()> {
    let (least, most) = (f64::from(Bounds::UNKNOWN.lower), f64::from(Bounds::UNKNOWN.upper));
    let is_score = answer.score.as_f64().is_some_and(|score| (least..=most).contains(&score));
    ensure!(is_score, "expected a score of -64 to 64, found {}", answer.score);
    let beyond = answer.moves.iter().flatten().find(|(_, score)| !Bounds::UNKNOWN.hold(*score));
    ensure!(beyond.is_none(), "expected scores of -64 to 64, found {beyond:?}");
    Ok(())
}

/// Refuses answers to another question.
fn check_request(answer: &SolveAnswer, args: &SolveArgs, request: &Request) -> anyhow::Result<()> {
    let asked = request.task.as_ref().map(|task| (task.task, task.window));
    let answered = answer.task.as_ref().map(|task| (task.task, task.window));
    ensure!(asked == answered, "the answer is to another task than that of line {}", answer.line);
    let depth = args.depth.filter(|&depth| depth < request.line.board.empties());
    let is_asked = match depth {
        None => answer.certainty == args.solved_certainty(),
        Some(depth) => answer.depth == depth || !matches!(answer.certainty, Certainty::Estimate(_)),
    };
    ensure!(
        is_asked,
        "the answer is {} to depth {}, unlike the answers of this command",
        answer.certainty,
        answer.depth
    );
    let is_over = answer.best.is_empty();
    let is_listed = if args.all_moves { "not every move has" } else { "every move has" };
    ensure!(
        is_over || answer.moves.is_some() == args.all_moves,
        "{is_listed} a score, unlike the answers of this command"
    );
    Ok(())
}

/// Checks that the answer has this position or, without one, that its moves are legal here.
fn check_position(answer: &SolveAnswer, line: &ObfLine) -> anyhow::Result<()> {
    let position = obf::show(line.board, line.black_to_move);
    ensure!(
        answer.position.is_empty() || answer.position == position,
        "the answer is to another position: {}, but the input has {position}",
        excerpt(&answer.position)
    );
    let game = Reversi::portable();
    let legal = |board, name: &str| {
        game.moves(&board)
            .find(|mv| obf::square_name(mv.square) == *name)
            .with_context(|| format!("{} is not legal in the position of line {}", excerpt(name), answer.line))
    };
    for name in &answer.best {
        legal(line.board, name)?;
    }
    let mut board = line.board;
    for name in &answer.pv {
        board = board.after(legal(board, name)?);
    }
    Ok(())
}

/// The beginning of a text, quoted.
fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    format!("'{start}{}'", if start.len() < text.len() { "..." } else { "" })
}
