//! The command table: a name and its arguments become a [`Command`].

use super::arguments::{exactly, none, played_move, player, reply, syntax};
use super::gogui;
use super::load_sgf::load_sgf;
use crate::api::command::{Command, CommandError, Go, GoLimits, PlayedMove, Query, TimeControl};
use crate::protocol::text::option_name;
use crate::protocol::token::{clamped_seconds, is_decimal, number, perft_depth, seconds, words};
use flipside_core::search::notation::Style;
use std::time::Duration;

/// Every command, in the order of `list_commands`.
pub const NAMES: [&str; 48] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "cputime",
    "final_score",
    "showboard",
    "loadsgf",
    "set_game",
    "list_games",
    "gogui-analyze_commands",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_captured_count",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
    "flipside-analyze",
    "flipside-book",
    "flipside-divide",
    "flipside-games",
    "flipside-hints",
    "flipside-legal_moves",
    "flipside-moves",
    "flipside-option",
    "flipside-options",
    "flipside-param",
    "flipside-perft",
    "flipside-play",
    "flipside-points",
    "flipside-position",
    "flipside-setup",
    "flipside-statistics",
    "flipside-transcript",
];

/// The command of a name with its arguments.
pub fn command(name: &str, arguments: &str) -> Result<Command, CommandError> {
    let list = words(arguments);
    match name {
        "protocol_version" => none(name, &list).map(|()| reply("2")),
        "name" => none(name, &list).map(|()| reply("Flipside")),
        "version" => none(name, &list).map(|()| reply(env!("CARGO_PKG_VERSION"))),
        "known_command" => {
            let [asked] = exactly(&list, "known_command NAME")?;
            Ok(reply(if NAMES.contains(&asked) { "true" } else { "false" }))
        }
        "list_commands" => none(name, &list).map(|()| reply(&NAMES.join("\n"))),
        "quit" => none(name, &list).map(|()| Command::Quit),
        "boardsize" => {
            let [size] = exactly(&list, "boardsize N")?;
            number(size).map(Command::BoardSize).ok_or_else(|| syntax("boardsize N"))
        }
        "clear_board" => none(name, &list).map(|()| Command::NewGame),
        "komi" => {
            let [komi] = exactly(&list, "komi NUMBER")?;
            if is_decimal(komi) { Ok(reply("")) } else { Err(syntax("komi NUMBER")) }
        }
        "play" => {
            let [colour, vertex] = exactly(&list, "play COLOR VERTEX")?;
            Ok(Command::Play { moves: vec![played_move(colour, vertex)?], style: Style::Plain })
        }
        "genmove" | "reg_genmove" => {
            let [colour] = exactly(&list, "genmove COLOR")?;
            let player = Some(player(colour)?);
            Ok(Command::Go(Go { player, play: name == "genmove", ..Go::default() }))
        }
        "undo" => none(name, &list).map(|()| Command::Undo(1)),
        "time_settings" => time_settings(&list),
        "time_left" => {
            let usage = "time_left COLOR SECONDS STONES";
            let [colour, time, stones] = exactly(&list, usage)?;
            let left = clamped_seconds(time).ok_or_else(|| syntax(usage))?;
            let stones = number(stones).ok_or_else(|| syntax(usage))?;
            Ok(Command::Clock { player: player(colour)?, left, stones })
        }
        "cputime" => none(name, &list).map(|()| Command::Show(Query::ProcessorTime)),
        "final_score" => none(name, &list).map(|()| Command::Show(Query::Result)),
        "showboard" => none(name, &list).map(|()| Command::Show(Query::Board)),
        "loadsgf" => load_sgf(arguments),
        "set_game" => match arguments {
            "" => Err(syntax("set_game NAME")),
            game => Ok(Command::SelectGame(game.to_string())),
        },
        "list_games" => none(name, &list).map(|()| Command::Show(Query::Games)),
        "" => Err(syntax("a command after the id")),
        "help" => Err(CommandError::UnknownCommand("help: list_commands shows what can be asked".into())),
        _ if name.starts_with("gogui-") => gogui::command(name, &list),
        _ if name.starts_with("flipside-") => flipside_command(name, arguments, &list),
        _ => Err(CommandError::UnknownCommand(name.to_string())),
    }
}

/// Flipside's own additions.
fn flipside_command(name: &str, arguments: &str, list: &[&str]) -> Result<Command, CommandError> {
    let query = |query| none(name, list).map(|()| Command::Show(query));
    match name {
        "flipside-analyze" => analyze(list),
        "flipside-hints" => gogui::hints(list),
        "flipside-perft" | "flipside-divide" => {
            let [depth] = exactly(list, "flipside-perft DEPTH")?;
            perft_depth(depth).map(Command::Perft).ok_or_else(|| syntax("flipside-perft DEPTH, 1 to 60"))
        }
        "flipside-games" => query(Query::Games),
        "flipside-legal_moves" => query(Query::LegalMoves),
        "flipside-moves" => query(Query::Moves),
        "flipside-points" => query(Query::Points),
        "flipside-position" => query(Query::Position),
        "flipside-statistics" => query(Query::Statistics),
        "flipside-book" => query(Query::Book { moves_back: 0 }),
        "flipside-options" => query(Query::Options),
        "flipside-option" | "flipside-param" => option(name, arguments, list),
        "flipside-play" => Ok(Command::Play { moves: run_of_moves(arguments)?, style: Style::Plain }),
        "flipside-transcript" => Ok(Command::SetPosition {
            start: None,
            moves: run_of_moves(arguments)?,
            style: Style::Plain,
            keep_prefix: false,
        }),
        "flipside-setup" if !arguments.is_empty() => Ok(Command::SetPosition {
            start: Some(arguments.to_string()),
            moves: Vec::new(),
            style: Style::Plain,
            keep_prefix: false,
        }),
        "flipside-setup" => Err(syntax("flipside-setup POSITION")),
        _ => Err(CommandError::UnknownCommand(name.to_string())),
    }
}

/// `flipside-analyze [COLOR] [LINES] [SECONDS]`.
fn analyze(list: &[&str]) -> Result<Command, CommandError> {
    let usage = || syntax("flipside-analyze [COLOR] [LINES 1..64] [SECONDS]");
    let (player, rest) = match list.split_first() {
        Some((first, rest)) if player(first).is_ok() => (player(first).ok(), rest),
        _ => (None, list),
    };
    let (multipv, time) = match rest {
        [] => (1, None),
        [multipv] => (number(multipv).ok_or_else(usage)?, None),
        [multipv, time] => (number(multipv).ok_or_else(usage)?, Some(seconds(time).ok_or_else(usage)?)),
        _ => return Err(usage()),
    };
    if !(1..=64).contains(&multipv) {
        return Err(usage());
    }
    let limits = GoLimits { move_time: time, infinite: time.is_none(), ..GoLimits::default() };
    Ok(Command::Analyze { player, multipv, limits, until_input: true })
}

/// `flipside-option NAME VALUE`; blanks in a name are written as underscores. Without arguments
/// `flipside-param` lists the options, as GoGui's parameter dialogs expect.
fn option(name: &str, arguments: &str, list: &[&str]) -> Result<Command, CommandError> {
    match list.split_first() {
        None if name == "flipside-param" => Ok(Command::Show(Query::Options)),
        None => Err(syntax("flipside-option NAME VALUE")),
        Some((option, _)) => {
            let value = arguments.get(option.len()..).unwrap_or_default().trim();
            let value = (!value.is_empty()).then(|| value.to_string());
            Ok(Command::SetOption { name: option_name(option), value })
        }
    }
}

/// Main time, period, stones. Zero stones and a period mean main time with an increment.
fn time_settings(list: &[&str]) -> Result<Command, CommandError> {
    let usage = "time_settings MAIN PERIOD STONES";
    let [main, period, stones] = exactly(list, usage)?;
    let main = clamped_seconds(main).ok_or_else(|| syntax(usage))?;
    let period = clamped_seconds(period).ok_or_else(|| syntax(usage))?;
    let stones: u32 = number(stones).ok_or_else(|| syntax(usage))?;
    Ok(Command::TimeControl(match (main, period, stones) {
        (Duration::ZERO, Duration::ZERO, _) => TimeControl::Unlimited,
        // Without main time, the clock must already hold the increment of the first move.
        (Duration::ZERO, increment, 0) => TimeControl::Game { main: increment, increment },
        (main, increment, 0) => TimeControl::Game { main, increment },
        (main, Duration::ZERO, _) => TimeControl::Game { main, increment: Duration::ZERO },
        (main, period, stones) => TimeControl::Canadian { main, period, stones },
    }))
}

/// A run of moves without players; the engine splits it.
fn run_of_moves(arguments: &str) -> Result<Vec<PlayedMove>, CommandError> {
    if arguments.is_empty() { Err(syntax("MOVES such as f5d6c3")) } else { Ok(vec![PlayedMove::new(arguments)]) }
}
