//! GTP's commands according to the document.

use crate::board::{Board, Style, is_pass};
use crate::dice::Dice;
use crate::game::Game;
use crate::gtp::{Player, played, setup};
use crate::options;
use crate::words::{number, words};

#[allow(clippy::large_enum_variant, reason = "a test holds few of them at a time")]
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// An error, and nothing changes.
    Fails,
    /// An error or not; the position stays.
    Either,
    Says(String),
    /// A success with any text.
    Speaks,
    Quit,
    Play(Vec<(Player, String)>),
    /// Moves without players, from the start if `fresh`.
    Run {
        fresh: bool,
        text: String,
    },
    Genmove {
        player: Player,
        keep: bool,
    },
    Analyze {
        player: Option<Player>,
        short: bool,
    },
    Undo,
    Clear,
    BoardSize(u64),
    Setup(String),
    SetGame(Board),
    /// Whether moves may last, if there is a limit.
    TimeControl(Option<bool>),
    Clock {
        player: Player,
        slow: bool,
    },
    Option {
        name: String,
        value: String,
    },
    Position,
    Moves,
    LegalMoves,
    Side,
    Score,
    Points,
    Draw,
    Perft(u64),
    Divide,
}

/// The command of a name with its arguments.
pub fn command(name: &str, arguments: &str) -> Command {
    let list = words(arguments);
    let plain = match name {
        "protocol_version" => Command::Says("2".into()),
        "name" => Command::Says("Flipside".into()),
        "version"
        | "list_commands"
        | "list_games"
        | "flipside-games"
        | "cputime"
        | "gogui-analyze_commands"
        | "flipside-options"
        | "flipside-statistics"
        | "gogui-rules_board"
        | "gogui-rules_board_size"
        | "gogui-rules_game_id" => Command::Speaks,
        "gogui-interrupt" => Command::Says(String::new()),
        "gogui-rules_captured_count" => Command::Says("0 0".into()),
        "quit" => Command::Quit,
        "clear_board" => Command::Clear,
        "undo" => Command::Undo,
        "final_score" | "gogui-rules_final_result" => Command::Score,
        "showboard" => Command::Draw,
        "flipside-position" => Command::Position,
        "flipside-moves" => Command::Moves,
        "flipside-legal_moves" | "gogui-rules_legal_moves" => Command::LegalMoves,
        "gogui-rules_side_to_move" => Command::Side,
        "flipside-points" => Command::Points,
        _ => return with_arguments(name, arguments, &list),
    };
    if list.is_empty() { plain } else { Command::Fails }
}

fn with_arguments(name: &str, arguments: &str, list: &[&str]) -> Command {
    let read = match name {
        "known_command" => match list {
            [name] => Some(Command::Says((command(name, "") != Command::Fails || takes_arguments(name)).to_string())),
            _ => None,
        },
        "boardsize" => one(list).and_then(number).map(Command::BoardSize),
        "komi" | "loadsgf" | "flipside-param" | "flipside-hints" | "flipside-book" => Some(Command::Either),
        "play" if list.len() == 2 => pairs(list).map(Command::Play),
        "gogui-play_sequence" if list.len().is_multiple_of(2) => pairs(list).map(Command::Play),
        "genmove" | "reg_genmove" => {
            one(list).and_then(player).map(|player| Command::Genmove { player, keep: name == "reg_genmove" })
        }
        "time_settings" => match list {
            [main, period, stones] => time_settings(main, period, stones),
            _ => None,
        },
        "time_left" => match list {
            [colour, seconds, stones] => {
                let proper = number(stones).is_some_and(|stones| stones <= u32::MAX.into());
                let slow = clock(seconds).filter(|_| proper).map(|seconds| seconds > 0.3);
                slow.zip(player(colour)).map(|(slow, player)| Command::Clock { player, slow })
            }
            _ => None,
        },
        "set_game" => match arguments.to_ascii_lowercase().as_str() {
            "othello" | "reversi" | "flipello" => Some(Command::SetGame(Board::reversi())),
            "minichess" => Some(Command::SetGame(Board::minichess())),
            _ => None,
        },
        "flipside-setup" if !list.is_empty() => Some(Command::Setup(arguments.into())),
        "flipside-play" if !list.is_empty() => Some(Command::Run { fresh: false, text: arguments.into() }),
        "flipside-transcript" if !list.is_empty() => Some(Command::Run { fresh: true, text: arguments.into() }),
        "flipside-analyze" => analyze(list),
        "flipside-option" if !list.is_empty() => {
            let value = arguments[list[0].len()..].trim().to_string();
            // UCI's own names have underscores; those of the others stand for blanks.
            let is_of_uci = list[0].get(..4).is_some_and(|start| start.eq_ignore_ascii_case("UCI_"));
            let name = if is_of_uci { list[0].to_string() } else { list[0].replace('_', " ") };
            Some(Command::Option { name, value })
        }
        "flipside-perft" => one(list).and_then(number).filter(|depth| (1..=60).contains(depth)).map(Command::Perft),
        "flipside-divide" => {
            one(list).and_then(number).filter(|depth| (1..=60).contains(depth)).map(|_| Command::Divide)
        }
        _ => None,
    };
    read.unwrap_or(Command::Fails)
}

/// Whether a command exists although it fails without arguments.
fn takes_arguments(name: &str) -> bool {
    let names = [
        "known_command",
        "boardsize",
        "play",
        "genmove",
        "reg_genmove",
        "time_settings",
        "time_left",
        "set_game",
        "flipside-setup",
        "flipside-play",
        "flipside-transcript",
        "flipside-option",
        "flipside-perft",
        "flipside-divide",
    ];
    names.contains(&name)
}

fn one<'a>(list: &[&'a str]) -> Option<&'a str> {
    if let [word] = list { Some(word) } else { None }
}

fn player(word: &str) -> Option<Player> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Player('b')),
        "w" | "white" => Some(Player('w')),
        "x" => Some(Player('x')),
        "o" => Some(Player('o')),
        _ => None,
    }
}

fn pairs(list: &[&str]) -> Option<Vec<(Player, String)>> {
    list.chunks(2).map(|pair| player(pair[0]).map(|player| (player, pair[1].to_string()))).collect()
}

/// Seconds with or without a fraction.
fn decimal(text: &str) -> Option<f64> {
    let proper = text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    text.parse().ok().filter(|seconds| proper && *seconds <= 1e9)
}

/// Seconds on a clock: less than nothing is nothing.
fn clock(text: &str) -> Option<f64> {
    match text.strip_prefix('-') {
        Some(rest) => decimal(rest).map(|_| 0.0),
        None => decimal(text),
    }
}

fn time_settings(main: &str, period: &str, stones: &str) -> Option<Command> {
    let [main, period] = [clock(main)?, clock(period)?];
    number(stones).filter(|stones| *stones <= u32::MAX.into())?;
    let limited = main > 0.0 || period > 0.0;
    Some(Command::TimeControl(limited.then_some(main > 0.3 || period > 0.05)))
}

fn analyze(list: &[&str]) -> Option<Command> {
    let (first, rest) = match list.split_first() {
        Some((word, rest)) if player(word).is_some() => (player(word), rest),
        _ => (None, list),
    };
    let (lines, seconds) = match rest {
        [] => (Some(1), None),
        [lines] => (number(lines), None),
        [lines, seconds] => (number(lines), Some(decimal(seconds)?)),
        _ => return None,
    };
    lines.filter(|lines| (1..=64).contains(lines))?;
    Some(Command::Analyze { player: first, short: seconds.is_some_and(|seconds| seconds < 0.3) })
}

/// The moves of a text: those of Reversi with or without blanks between them.
pub fn moves_of(text: &str, board: &Board) -> Vec<String> {
    let mut moves = Vec::new();
    for word in words(text) {
        let mut rest = word;
        while !rest.is_empty() {
            let pass = |length: &usize| rest.get(..*length).is_some_and(|text| is_pass(text, Style::Gtp));
            let square = if board.is_reversi() && rest.is_char_boundary(2) { 2 } else { rest.len() };
            let length = [4, 2].into_iter().find(pass).unwrap_or(square).min(rest.len());
            let (mv, more) = rest.split_at(length);
            moves.push(mv.to_string());
            rest = more;
        }
    }
    moves
}

/// A line for the host to send.
pub fn random(dice: &mut Dice, game: &mut Game) -> String {
    let black = game.now().first_to_move() == game.now().is_reversi();
    let colour = if black != dice.chance(10) { "b" } else { "w" };
    match dice.below(30) {
        0..=7 => {
            let (colour, mv) = played(dice, game);
            format!("play {colour} {mv}")
        }
        8..=11 => format!("genmove {colour}"),
        12 => format!("reg_genmove {colour}"),
        13 | 14 => "undo".into(),
        15 => dice.pick(&["clear_board", "boardsize 8", "boardsize 10", "komi 6.5", "komi x"]).into(),
        16 | 17 => setup(dice, game.now()),
        18 => {
            let name = dice.pick(&["flipside-play", "flipside-transcript"]);
            if name == "flipside-transcript" {
                *game = Game::new(game.now().start());
            }
            let glue = if game.now().is_reversi() && dice.chance(50) { "" } else { " " };
            let moves: Vec<String> = (0..1 + dice.below(6)).map(|_| played(dice, game).1).collect();
            format!("{name} {}", moves.join(glue))
        }
        19 => {
            let pairs: Vec<String> =
                (0..dice.below(5)).map(|_| played(dice, game)).map(|(colour, mv)| format!("{colour} {mv}")).collect();
            format!("gogui-play_sequence {}", pairs.join(" "))
        }
        20 => {
            let forms = [
                "flipside-analyze",
                "flipside-analyze 2",
                "flipside-analyze 1 0.002",
                "flipside-analyze 3 0",
                "flipside-analyze 65",
            ];
            let form = dice.pick(&forms);
            if dice.chance(30) { form.replacen("analyze", &format!("analyze {colour}"), 1) } else { form.to_string() }
        }
        21 => {
            let (name, value) = options::random(dice);
            // Here an empty text is no argument at all.
            format!("flipside-option {} {}", name.replace(' ', "_"), value.replace("<empty>", ""))
        }
        22 => {
            let clocks = [
                "time_settings 0 0 0",
                "time_settings 0.1 0 0",
                "time_settings 0 0.01 1",
                "time_settings 600 0 0",
                "time_settings -1 0 0",
            ];
            dice.pick(&clocks).to_string()
        }
        23 => format!("time_left {colour} {}", dice.pick(&["0 0", "0.05 0", "0.1 3", "-3 0", "300 0", "1e3 0"])),
        24 => format!("set_game {}", dice.pick(&["Othello", "minichess", "reversi", "chess"])),
        25 => dice
            .pick(&[
                "",
                " ",
                "# comment",
                "# interrupt",
                "hello",
                "7",
                "quit x",
                "known_command play",
                "known_command x",
                "name",
                "version",
            ])
            .to_string(),
        26 => format!("flipside-perft {}", dice.pick(&["1", "2", "0", "61"])),
        27 => dice
            .pick(&[
                "list_commands",
                "list_games",
                "flipside-games",
                "cputime",
                "flipside-options",
                "flipside-book",
                "flipside-param",
                "flipside-statistics",
                "gogui-rules_board",
            ])
            .to_string(),
        28 => dice
            .pick(&["final_score", "showboard", "gogui-rules_side_to_move", "flipside-points", "protocol_version"])
            .to_string(),
        _ => {
            dice.pick(&["flipside-position", "flipside-legal_moves", "flipside-moves", "flipside-position"]).to_string()
        }
    }
}
