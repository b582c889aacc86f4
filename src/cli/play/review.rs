//! The review of a finished game: its costliest moves, with the verdicts of `flipside analyze`.

use crate::cli::io::interrupt::Interrupt;
use crate::cli::io::progress;
use crate::cli::review::{Analyser, Assessment, DEFAULT_HASH, Effort, Verdict};
use flipside_core::search::notation::Style;
use flipside_core::search::types::{Score, Side, UNIT, WIN_IN_MAX_PLY};
use flipside_host::api::settings::Settings;
use flipside_host::engine::dyn_engine::DynEngine;
use std::cmp::Reverse;
use std::time::Duration;

/// Work per move: `flipside analyze --time 0.05` gives the same verdicts.
const TIME: Duration = Duration::from_millis(50);
/// Most moves that are named.
const COUNT: usize = 3;

/// A move that lost something.
#[derive(Clone, Debug, PartialEq)]
struct Mistake {
    /// The ply, counted from 1.
    ply: usize,
    side: Side,
    played: String,
    best: String,
    loss: Score,
    verdict: Verdict,
}

/// The costliest moves of the game on the board after its set moves, one per line; `None` if Ctrl-C ended the review early.
///
/// # Errors
/// A search failed inside.
pub fn costliest(
    board: &dyn DynEngine,
    set_moves: usize,
    settings: &Settings,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<String>> {
    let Some(mut mistakes) = mistakes(board, set_moves, settings, interrupt)? else { return Ok(None) };
    mistakes.sort_by_key(|mistake| (Reverse(mistake.loss), mistake.ply));
    let sides = board.sides();
    let line = |mistake: &Mistake| {
        let Mistake { ply, side, played, best, verdict, .. } = mistake;
        let verdict = verdict.name();
        format!("  {ply}. {played} ({}) {}; best was {best} ({verdict})\n", side.of(sides), cost(mistake.loss))
    };
    let lines: String = mistakes.iter().take(COUNT).map(line).collect();
    Ok(Some(if lines.is_empty() { "no costly moves\n".into() } else { format!("costliest moves:\n{lines}") }))
}

/// A loss as text; a lost forced win has no number.
fn cost(loss: Score) -> String {
    match loss {
        WIN_IN_MAX_PLY.. => "lost a forced result".to_string(),
        _ => format!("lost {:.2}", f64::from(loss) / f64::from(UNIT)),
    }
}

/// All moves with a verdict below "equal".
fn mistakes(
    board: &dyn DynEngine,
    set_moves: usize,
    settings: &Settings,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<Vec<Mistake>>> {
    // The moves for which there was a choice, counted from 1.
    let choices = (1..).zip(board.course()).skip(set_moves).filter(|(_, (position, _))| position.moves().len() > 1);
    let (plies, positions): (Vec<_>, Vec<_>) =
        choices.map(|(ply, (position, played))| ((ply, played), position)).unzip();
    let mut analyser = Analyser::new(
        &Settings { hash: DEFAULT_HASH, ..settings.clone() },
        Effort::new(Some(TIME), None, None),
        1,
        interrupt,
    )?;
    let bar = progress::bar(positions.len() as u64, "reviewing {bar:30} {pos}/{len}");
    let analyses = analyser.analyse(&positions, || bar.inc(1))?;
    bar.finish_and_clear();
    let Some(analyses) = analyses else { return Ok(None) };
    let mut mistakes = Vec::new();
    for (((ply, played), position), analysis) in plies.into_iter().zip(&positions).zip(&analyses) {
        let Some(Assessment { loss, verdict }) = analysis.assess(played) else { continue };
        if verdict > Verdict::Equal {
            let [played, best] = [played, analysis.best().mv].map(|mv| position.names(&[mv], Style::Plain).concat());
            mistakes.push(Mistake { ply, side: position.side(), played, best, loss, verdict });
        }
    }
    Ok(Some(mistakes))
}
