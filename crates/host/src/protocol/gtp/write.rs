//! Answers of GTP: `=` or `?`, the id, the text, an empty line.

use super::parse::NO_ANSWER;
use super::{Gtp, gogui};
use crate::api::command::CommandError;
use crate::api::event::{BookLine, Event, Iteration, Outcome, PerftCounts, SearchStatistics};
use crate::api::options::{OptionInfo, OptionKind};
use crate::api::protocol::RequestId;
use crate::protocol::text;
use flipside_core::games::names;
use flipside_core::search::notation::Grid;
use flipside_core::search::types::Side;

impl Gtp {
    /// The text of an event.
    pub(super) fn write_event(&mut self, request_id: &RequestId, event: &Event) -> String {
        if request_id.word == NO_ANSWER {
            return String::new();
        }
        let streams = request_id.word == "flipside-analyze";
        match event {
            Event::SearchStarted => {
                self.hints.clear();
                self.response_open = streams;
                if streams { format!("={}\n", id(request_id)) } else { String::new() }
            }
            Event::Info(info) if streams => analysis_line(info) + "\n",
            Event::Info(info) => {
                self.update_hints(info);
                String::new()
            }
            Event::Book(lines) if streams => lines.iter().map(|line| book_line(line) + "\n").collect(),
            Event::Book(_) if request_id.word != "flipside-book" => String::new(),
            Event::AnalysisFinished(_) if streams => {
                self.response_open = false;
                "\n".to_string()
            }
            Event::AnalysisFinished(_) => success(request_id, &gogui::draw(&self.hints)),
            Event::Error(error) if self.response_open => {
                // The success of the open response has been written, so it can only be ended.
                self.response_open = false;
                log::error!("{error}");
                "\n".to_string()
            }
            Event::Error(error) => failure(request_id, error),
            Event::GameAnalysis { .. } => String::new(),
            other => success(request_id, &text(request_id, other)),
        }
    }

    fn update_hints(&mut self, info: &Iteration<String>) {
        self.hints.truncate(info.multipv);
        match self.hints.get_mut(info.rank - 1) {
            Some(slot) => *slot = info.clone(),
            None => self.hints.push(info.clone()),
        }
    }
}

fn id(request_id: &RequestId) -> String {
    request_id.id.map_or(String::new(), |id| id.to_string())
}

fn success(request_id: &RequestId, text: &str) -> String {
    if text.is_empty() { format!("={}\n\n", id(request_id)) } else { format!("={} {text}\n\n", id(request_id)) }
}

fn failure(request_id: &RequestId, error: &CommandError) -> String {
    format!("?{} {}\n\n", id(request_id), text::one_line(&error.to_string()))
}

/// The body of a successful answer.
fn text(request_id: &RequestId, event: &Event) -> String {
    let gogui = request_id.word.starts_with("gogui-");
    match event {
        Event::Text(text) if request_id.word == "gogui-rules_game_id" => game_name(text),
        Event::Text(text) => text.clone(),
        Event::BestMove(best_move) => best_move.mv.clone().unwrap_or_else(|| "PASS".into()),
        Event::Board { grid: Some(grid), .. } if gogui => gogui_board(grid),
        Event::Board { picture, .. } => format!("\n{picture}"),
        Event::SideToMove { side, name } if gogui => colour(*side, name).into(),
        Event::SideToMove { name, .. } => name.clone(),
        Event::LegalMoves(moves) => {
            let names: Vec<_> = moves.iter().map(|mv| if mv == "PASS" { "pass" } else { mv }).collect();
            names.join(" ")
        }
        Event::Result { outcome, winner } => result(outcome, winner.as_deref()),
        Event::Points(points) => points.map_or(String::new(), |[first, second]| format!("{first} {second}")),
        Event::Options(options) if request_id.word == "flipside-param" => {
            let lines: Vec<String> = options.iter().filter_map(parameter).collect();
            lines.join("\n")
        }
        Event::Options(options) => {
            let lines: Vec<String> = options.iter().map(option_line).collect();
            lines.join("\n")
        }
        Event::Statistics(statistics, None) => show_statistics(statistics),
        Event::Statistics(statistics, Some(line)) => {
            format!("{} book score {} {line}", show_statistics(statistics), text::score(line.info.score))
        }
        Event::Book(lines) => lines.iter().map(book_line).collect::<Vec<_>>().join("\n"),
        Event::Games(games) => {
            let hosted = |game: &&String| request_id.word != "list_games" || is_hosted(game, games);
            games.iter().filter(hosted).map(|game| game_name(game)).collect::<Vec<_>>().join("\n")
        }
        Event::ProcessorTime(time) => format!("{:.3}", time.as_secs_f64()),
        Event::Size(columns, rows) if columns == rows => columns.to_string(),
        Event::Size(columns, rows) => format!("{columns} {rows}"),
        Event::Perft(PerftCounts { divided, total }) if request_id.word == "flipside-divide" => {
            let lines: String = divided.iter().map(|(mv, count)| format!("{mv} {count}\n")).collect();
            format!("{lines}total {total}")
        }
        Event::Perft(PerftCounts { total, .. }) => total.to_string(),
        _ => String::new(),
    }
}

/// Whether a host can do something with a name in `list_games`: Quarry plays Othello alone, and its dialogue grows
/// with the list until its buttons are off the screen. An engine that does not play it lists what it plays.
fn is_hosted(game: &str, offered: &[String]) -> bool {
    let quarry_plays = |game: &str| game == names::REVERSI.name;
    quarry_plays(game) || !offered.iter().any(|game| quarry_plays(game))
}

/// Hosts know Reversi as Othello; the others go by their own names.
fn game_name(name: &str) -> String {
    if name == names::REVERSI.name { "Othello".into() } else { name.to_string() }
}

/// GoGui draws row 1 at the bottom, so the highest row comes first.
fn gogui_board(grid: &Grid) -> String {
    let row = |row: &Vec<char>| row.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
    let mut rows: Vec<String> = grid.rows.iter().map(row).collect();
    if grid.first_row_on_top {
        rows.reverse();
    }
    format!("\n{}", rows.join("\n"))
}

/// Black or white: GTP knows no other players, so black is the first mover in a game with other names.
fn colour(side: Side, name: &str) -> &'static str {
    match (name, side) {
        ("black", _) => "black",
        ("white", _) => "white",
        (_, Side::First) => "black",
        (_, Side::Second) => "white",
    }
}

fn result(outcome: &Outcome, name: Option<&str>) -> String {
    let Some(winner) = outcome.winner else { return "0".into() };
    let letter = if colour(winner, name.unwrap_or_default()) == "black" { 'B' } else { 'W' };
    match outcome.margin {
        Some(margin) => format!("{letter}+{margin}"),
        None => format!("{letter}+"),
    }
}

fn show_statistics(statistics: &SearchStatistics) -> String {
    let seconds = statistics.time.as_secs_f64();
    format!("nodes {} time {seconds:.3} nps {:.0}", statistics.nodes, statistics.nodes as f64 / seconds.max(1e-6))
}

/// `NAME VALUE TYPE ...`, blanks in names as underscores.
fn option_line(option: &OptionInfo) -> String {
    let range = match &option.kind {
        OptionKind::Spin { min, max } => format!("{min}..{max}"),
        OptionKind::Check => "true|false".into(),
        OptionKind::Combo(words) => words.join("|"),
        OptionKind::Text => "text".into(),
        OptionKind::Button => "button".into(),
    };
    let value = if option.value.is_empty() { "-" } else { &option.value };
    format!("{} {value} ({range}) {}", text::option_spelling(option.name), option.help)
}

/// `[TYPE] NAME VALUE`, as GoGui's parameter dialog reads it.
fn parameter(option: &OptionInfo) -> Option<String> {
    let name = text::option_spelling(option.name);
    match &option.kind {
        OptionKind::Spin { .. } | OptionKind::Text => Some(format!("[string] {name} {}", option.value)),
        OptionKind::Check => Some(format!("[bool] {name} {}", u8::from(option.value == "true"))),
        OptionKind::Combo(words) => Some(format!("[list/{}] {name} {}", words.join("/"), option.value)),
        OptionKind::Button => None,
    }
}

/// A move of the opening book in the format of an analysis.
fn book_line(line: &BookLine) -> String {
    format!("book {} score {} {line} pv {}", line.info.rank, text::score(line.info.score), line.info.pv.join(" "))
}

fn analysis_line(info: &Iteration<String>) -> String {
    let seconds = info.time.as_secs_f64();
    format!(
        "rank {} depth {} score {} certainty {} nodes {} nps {:.0} time {seconds:.3} pv {}",
        info.rank,
        info.depth,
        text::score(info.score),
        info.certainty,
        info.nodes,
        info.nodes as f64 / seconds.max(1e-6),
        info.pv.join(" ")
    )
}
