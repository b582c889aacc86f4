//! Commands for the GoGui board: the rules, analyze commands, hints drawn on squares.

use super::arguments::{none, played_move, reply, syntax};
use crate::api::command::{Command, CommandError, GoLimits, Query};
use crate::api::event::Iteration;
use crate::protocol::token::number;
use flipside_core::search::notation::Style;
use std::time::Duration;

/// How long hints may take.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Default number of squares with a hint.
const HINTS: usize = 8;

/// Types, labels and commands for GoGui's menu.
const ANALYZE_COMMANDS: &str = "gfx/Hints/flipside-hints
string/Position/flipside-position
string/Legal Moves/flipside-legal_moves
string/Points/flipside-points
string/Moves/flipside-moves
string/Book/flipside-book
string/Statistics/flipside-statistics
param/Options/flipside-param";

/// The `gogui-` commands.
pub fn command(name: &str, list: &[&str]) -> Result<Command, CommandError> {
    let query = |query| none(name, list).map(|()| Command::Show(query));
    match name {
        "gogui-analyze_commands" => none(name, list).map(|()| reply(ANALYZE_COMMANDS)),
        "gogui-interrupt" => none(name, list).map(|()| reply("")),
        "gogui-play_sequence" => {
            if !list.len().is_multiple_of(2) {
                return Err(syntax("gogui-play_sequence COLOR VERTEX COLOR VERTEX ..."));
            }
            let moves = list.chunks_exact(2).map(|pair| match pair {
                [colour, vertex] => played_move(colour, vertex),
                _ => Err(syntax("gogui-play_sequence COLOR VERTEX ...")),
            });
            Ok(Command::Play { moves: moves.collect::<Result<_, _>>()?, style: Style::Plain })
        }
        "gogui-rules_game_id" => query(Query::Game),
        "gogui-rules_board" => query(Query::Board),
        "gogui-rules_board_size" => query(Query::Size),
        "gogui-rules_captured_count" => none(name, list).map(|()| reply("0 0")),
        "gogui-rules_legal_moves" => query(Query::LegalMoves),
        "gogui-rules_side_to_move" => query(Query::Side),
        "gogui-rules_final_result" => query(Query::Result),
        _ => Err(CommandError::UnknownCommand(name.to_string())),
    }
}

/// `flipside-hints [N]`: the values of the N best moves, drawn after a second.
pub fn hints(list: &[&str]) -> Result<Command, CommandError> {
    let usage = || syntax("flipside-hints [LINES 1..64]");
    let multipv = match list {
        [] => HINTS,
        [multipv] => number(multipv).filter(|multipv| (1..=64).contains(multipv)).ok_or_else(usage)?,
        _ => return Err(usage()),
    };
    let limits = GoLimits { move_time: Some(HINT_TIME), ..GoLimits::default() };
    Ok(Command::Analyze { player: None, multipv, limits, until_input: false })
}

/// The hints as GoGui draws them: a label a square, the best one coloured.
pub fn draw(hints: &[Iteration<String>]) -> String {
    let label = |hint: &Iteration<String>| {
        // Adding zero turns a rounded -0 into +0.
        let units = (f64::from(hint.score) / 100.0).round() + 0.0;
        hint.pv.first().filter(|mv| *mv != "PASS").map(|mv| format!("{mv} {units:+}"))
    };
    let labels: Vec<String> = hints.iter().filter_map(label).collect();
    let best = hints.first().and_then(|hint| hint.pv.first()).filter(|mv| *mv != "PASS");
    let colour = best.map(|mv| format!("COLOR #80ff80 {mv}\n")).unwrap_or_default();
    if labels.is_empty() { String::new() } else { format!("{colour}LABEL {}", labels.join(" ")) }
}
