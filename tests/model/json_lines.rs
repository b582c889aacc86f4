//! Requests that an application sends as lines of JSON.

use crate::board::{Board, Style};
use crate::dice::Dice;
use crate::options;
use crate::words::{random_move, random_position, read_position};
use serde_json::json;

const STYLE: Style = Style::Gtp;

/// Requests before the end of input.
pub const LAST: [&str; 8] = [
    "\"command\": \"go\", \"infinite\": true",
    "\"command\": \"go\", \"ponder\": true, \"depth\": 1",
    "\"command\": \"go\", \"depth\": 2, \"play\": true",
    "\"command\": \"ready\"",
    "\"command\": \"show\"",
    "\"command\": \"analyze\"",
    "\"command\": \"new\"",
    "\"command\": \"quit\"",
];

/// Requests that the earlier searches wait for.
pub const URGENT: [&str; 3] = ["\"command\": \"stop\"", "\"command\": \"ponderhit\"", "\"command\": \"ready\""];

/// One of these requests.
pub fn one_of(dice: &mut Dice, requests: &[&str]) -> Vec<u8> {
    let request = dice.pick(requests).to_string();
    with_id(dice, &request).into_bytes()
}

/// The fields of a request as an object, with an id, which may be missing or repeated.
fn with_id(dice: &mut Dice, fields: &str) -> String {
    match dice.below(8) {
        0 => format!("{{{fields}}}"),
        1 => format!("{{{fields}, \"id\": {}}}", dice.edge()),
        2 => format!("{{\"id\": 7, {fields}}}"),
        _ => format!("{{\"id\": {}, {fields}}}", dice.below(1_000_000)),
    }
}

/// Moves from this position, mostly legal ones; the position follows them.
fn random_moves(dice: &mut Dice, board: &mut Board, most: usize) -> Vec<String> {
    let length = dice.below(most);
    let mut moves = Vec::new();
    for _ in 0..length {
        let mv = random_move(dice, board, STYLE);
        // SGF's spelling of a pass.
        if mv.is_empty() {
            continue;
        }
        *board = board.meant(&mv, STYLE).map_or(board.clone(), |mv| board.play(mv));
        moves.push(if dice.chance(50) { mv.to_ascii_lowercase() } else { mv });
    }
    moves
}

/// A request; `board` is the position that the application assumes.
pub fn random_request(dice: &mut Dice, board: &mut Board) -> String {
    let fields = match dice.below(26) {
        0 => format!(
            "\"command\": \"{}\"",
            dice.pick(&["hello", "options", "games", "book", "learn", "Hello", "dance", ""])
        ),
        1 | 2 => "\"command\": \"ready\"".into(),
        3 => "\"command\": \"new\"".into(),
        4 | 5 => {
            let (name, value) = options::random(dice);
            let value =
                if dice.chance(50) && value.parse::<i64>().is_ok() { value.into() } else { format!("{value:?}") };
            match dice.chance(10) {
                true => format!("\"command\": \"set\", \"name\": {name:?}"),
                false => format!("\"command\": \"set\", \"name\": {name:?}, \"value\": {value}"),
            }
        }
        6 => format!(
            "\"command\": \"game\", \"name\": \"{}\"",
            dice.pick(&["reversi", "Othello", "minichess", "MiniChess", "chess", ""])
        ),
        7..=9 => "\"command\": \"show\"".into(),
        10..=12 => format!("\"command\": \"{}\"", dice.pick(&["stop", "stop", "ponderhit"])),
        13 => {
            format!("\"command\": \"undo\"{}", dice.pick(&["", ", \"count\": 2", ", \"count\": 0", ", \"count\": -1"]))
        }
        14 => {
            let odd = [
                "\"command\": 7",
                "\"commands\": \"go\"",
                "\"command\": \"go\", \"dept\": 1",
                "\"command\": \"go\", \"depth\": \"1\"",
            ];
            dice.pick(&odd).to_string()
        }
        15 | 16 => format!("\"command\": \"play\", \"moves\": {}", json!(random_moves(dice, board, 4))),
        17..=19 => {
            let mut line = "\"command\": \"position\"".to_string();
            let start = dice.chance(40).then(|| random_position(dice, board, STYLE));
            if let Some(start) = &start {
                line += &format!(", \"start\": {}", json!(start));
            }
            let begin = start.and_then(|start| read_position(&start, board, STYLE));
            *board = begin.unwrap_or_else(|| board.start());
            line + &format!(", \"moves\": {}", json!(random_moves(dice, board, 12)))
        }
        20 => format!("\"command\": \"perft\", \"depth\": {}", dice.pick(&["1", "2", "0", "61", "-1", "1.5"])),
        21 | 22 => dice.pick(&ANALYSES).to_string(),
        _ => search(dice, board),
    };
    with_id(dice, &fields)
}

const ANALYSES: [&str; 8] = [
    "\"command\": \"analyze\"",
    "\"command\": \"analyze\", \"depth\": 2",
    "\"command\": \"analyze\", \"depth\": 2, \"lines\": 3",
    "\"command\": \"analyze\", \"seconds\": 0.002, \"lines\": 2",
    "\"command\": \"analyze\", \"lines\": 65",
    "\"command\": \"analyze_game\", \"depth\": 1",
    "\"command\": \"analyze_game\", \"nodes\": 30",
    "\"command\": \"analyze_game\", \"depth\": 1, \"lines\": 1",
];

fn search(dice: &mut Dice, board: &Board) -> String {
    let forms = [
        "\"depth\": 1",
        "\"depth\": 2",
        "\"depth\": 3",
        "\"nodes\": 1",
        "\"nodes\": 300",
        "\"seconds\": 0.001",
        "\"seconds\": 0.003",
        "\"clocks\": [0.02, 0.02]",
        "\"clocks\": [0, 0], \"increments\": [0.001, 0]",
        "\"clocks\": [1, 1], \"moves_to_go\": 3, \"depth\": 2",
        "\"infinite\": true",
        "\"infinite\": true, \"depth\": 1",
        "\"ponder\": true",
        "\"ponder\": true, \"depth\": 2",
        "\"ponder\": true, \"infinite\": true",
        "\"mate\": 2",
        "\"depth\": 60",
        "\"depth\": 4294967296",
        "\"depth\": 0",
        "\"seconds\": -1",
        "\"clocks\": [1]",
        "\"only\": \"d3\"",
        "\"play\": 1",
        "\"nodes\": 4294967297",
    ];
    let limit = match dice.below(5) {
        0 => {
            let only = [random_move(dice, board, STYLE), random_move(dice, board, STYLE)];
            format!("\"depth\": 2, \"only\": {}", json!(only))
        }
        1 => dice.pick(&["\"infinite\": true", "\"ponder\": true"]).to_string(),
        _ => dice.pick(&forms).to_string(),
    };
    let play = dice.pick(&["", ", \"play\": true", ", \"play\": false"]);
    format!("\"command\": \"go\", {limit}{play}")
}
