//! The analysis of a game as text for a terminal of eighty columns.

use super::analysed_game::{AnalysedGame, MoveAnalysis, SideSummary, discs, side_name};
use crate::cli::review::Verdict;
use flipside_core::search::types::Side;
use std::fmt::Write;

/// Most columns of a line.
const WIDTH: usize = 80;
/// Most moves that the summary names.
const WORST: usize = 3;

/// The game, line by line.
pub fn text(game: &AnalysedGame) -> String {
    let mut text = format!("{}\n", game.title);
    if let Some(opening) = game.opening {
        text += &format!("opening: {opening}\n");
    }
    if let Some(words) = game.set_moves_words() {
        text += &format!("{words}\n");
    }
    text += " no side  move verdict      loss   score w/d/l %  search   best line\n";
    for mv in &game.moves {
        text += &line(mv);
        if let Some(moves) = &mv.moves {
            let scored: Vec<_> = moves.iter().map(|(name, score)| format!("{name} {score:+.2}")).collect();
            text += &wrapped(&scored.join(", "), "      ", "      ");
        }
    }
    for side in [Side::First, Side::Second] {
        text += &wrapped(&summary_line(&game.summary(side), side), "", "  ");
    }
    let worst: Vec<_> = game.worst(WORST).into_iter().map(cost).collect();
    if !worst.is_empty() {
        text += &wrapped(&format!("costliest: {}", worst.join("; ")), "", "  ");
    }
    text
}

fn wrapped(text: &str, first: &str, others: &str) -> String {
    textwrap::fill(text, textwrap::Options::new(WIDTH).initial_indent(first).subsequent_indent(others)) + "\n"
}

/// The line of a move, with as much of the principal variation as fits.
fn line(mv: &MoveAnalysis) -> String {
    let MoveAnalysis { number, played, verdict, .. } = mv;
    let loss = if mv.loss > 0 { format!("{:.2}", discs(mv.loss)) } else { String::new() };
    let mut line = format!(
        "{number:3} {} {played:4} {:10} {loss:>6} {:>+7.2} {:8} {:8}",
        side_name(mv.side),
        verdict.name(),
        discs(mv.score),
        mv.chances(),
        mv.how()
    );
    for step in &mv.pv {
        if line.len() + 1 + step.len() > WIDTH {
            break;
        }
        // Writing to a `String` cannot fail.
        let _ = write!(line, " {step}");
    }
    line.trim_end().to_string() + "\n"
}

fn summary_line(summary: &SideSummary, side: Side) -> String {
    let plural = |(verdict, count): (Verdict, usize)| match (verdict, count) {
        (Verdict::Best | Verdict::Equal, _) | (_, 1) => format!("{count} {}", verdict.name()),
        (Verdict::Inaccuracy, _) => format!("{count} inaccuracies"),
        _ => format!("{count} {}s", verdict.name()),
    };
    let counts: Vec<_> = summary.counts.into_iter().filter(|(_, count)| *count > 0).map(plural).collect();
    let counts = if counts.is_empty() { "no moves".to_string() } else { counts.join(", ") };
    format!("{}: {counts}; {:.2} discs lost, {:.2} a move", side_name(side), summary.lost, summary.mean())
}

/// A costly move as text: `23. d3 (white) 4.20, best f4`.
pub fn cost(mv: &MoveAnalysis) -> String {
    format!("{}. {} ({}) {:.2}, best {}", mv.number, mv.played, side_name(mv.side), discs(mv.loss), mv.best)
}
