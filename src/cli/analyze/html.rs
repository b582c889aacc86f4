//! The report of all games as one self-contained HTML file: pictures inside, no scripts, light and dark schemes, any
//! window width.

use super::analysed_game::{AnalysedGame, MoveAnalysis, discs, side_name};
use super::{board_picture, game_chart};
use crate::cli::review::Verdict;
use flipside_core::search::types::Side;
use flipside_support::svg::escaped;
use std::fmt::Write;

/// Most boards drawn per game.
const BOARDS: usize = 6;

const STYLE: &str = include_str!("report.css");

/// The page of these sections.
pub fn page(sections: &[String]) -> String {
    let body =
        if sections.is_empty() { "<p>There was no game to analyse.</p>\n".to_string() } else { sections.concat() };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Analysis by Flipside</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}<footer>Analysed by Flipside {}. Scores are in discs, \
         for the side that moved; empty squares at the end go to the winner. <b>best</b>: no move scores better. \
         <b>equal</b>: the difference is within the noise of the search. From a loss of 3 discs on a move is a \
         <b>mistake</b>, from 8 on a <b>blunder</b>, below an <b>inaccuracy</b>.</footer>\n</main>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// The section of a game.
pub fn section(game: &AnalysedGame) -> String {
    let mut text = format!("<section>\n<h1>{}</h1>\n", escaped(&game.title));
    if let Some(opening) = game.opening {
        text += &format!("<p>Opening: {}</p>\n", escaped(opening));
    }
    if let Some(words) = game.set_moves_words() {
        text += &format!("<p>The {words}.</p>\n");
    }
    text += &summary(game);
    text += &format!("<div class=\"wide\">{}</div>\n", game_chart::inline(game));
    let worst = game.worst(BOARDS);
    if !worst.is_empty() {
        text += "<h2>Costliest moves</h2>\n<p>A cross marks the played move, a ring the best one.</p>\n";
        text += "<div class=\"boards\">\n";
        for mv in worst {
            text += &board_picture::elements(mv).picture(board_picture::SIZE, &board_picture::words(mv).join("; "));
        }
        text += "</div>\n";
    }
    text += "<h2>Moves</h2>\n";
    text += &table(game);
    text + "</section>\n"
}

/// A row for each verdict, so that it fits the narrowest window.
fn summary(game: &AnalysedGame) -> String {
    let sides = [Side::First, Side::Second].map(|side| game.summary(side));
    let row =
        |name: String, cells: [String; 2]| format!("<tr><th>{name}</th><td>{}</td></tr>\n", cells.join("</td><td>"));
    let mut text = String::from("<table class=\"summary\">\n<tr><th></th><th>black</th><th>white</th></tr>\n");
    for (index, verdict) in Verdict::ALL.into_iter().enumerate() {
        text += &row(badge(verdict), sides.each_ref().map(|side| side.counts[index].1.to_string()));
    }
    text += &row("discs lost".to_string(), sides.each_ref().map(|side| format!("{:.2}", side.lost)));
    text += &row("a move".to_string(), sides.each_ref().map(|side| format!("{:.2}", side.mean())));
    text + "</table>\n"
}

fn badge(verdict: Verdict) -> String {
    let name = verdict.name();
    format!("<span class=\"badge {name}\">{name}</span>")
}

fn table(game: &AnalysedGame) -> String {
    let with_all = game.moves.iter().any(|mv| mv.moves.is_some());
    let all = if with_all { "<th class=\"line\">all moves</th>" } else { "" };
    let mut text = format!(
        "<div class=\"wide\"><table class=\"moves\">\n<tr><th>no</th><th>move</th><th>verdict</th><th>loss</th>\
         <th>score</th><th>win/draw/loss, %</th><th>best</th><th class=\"line\">best line</th>{all}<th class=\"line\">search</th></tr>\n"
    );
    for mv in &game.moves {
        text += &row(mv, with_all);
    }
    text + "</table></div>\n"
}

fn row(mv: &MoveAnalysis, with_all: bool) -> String {
    let MoveAnalysis { number, played, best, verdict, .. } = mv;
    let side = side_name(mv.side);
    let loss = if mv.loss > 0 { format!("{:.2}", discs(mv.loss)) } else { String::new() };
    let mut text = format!(
        "<tr><td>{number}</td><td><span class=\"disc {side}\" title=\"{side}\"></span>{played}</td><td>{}</td>\
         <td class=\"number\">{loss}</td><td class=\"number\">{:+.2}</td><td class=\"number\">{}</td><td>{best}</td><td class=\"line\">{}</td>",
        badge(*verdict),
        discs(mv.score),
        mv.chances(),
        mv.pv.iter().take(8).cloned().collect::<Vec<_>>().join(" ")
    );
    if with_all {
        let scored = mv.moves.iter().flatten().map(|(name, score)| format!("{name} {score:+.2}"));
        // Writing to a `String` cannot fail.
        let _ = write!(text, "<td class=\"line\">{}</td>", scored.collect::<Vec<_>>().join(", "));
    }
    text + &format!("<td class=\"line\">{}</td></tr>\n", mv.how())
}
