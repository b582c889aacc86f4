//! The common parts of GGF and SGF: tags, many with the same names, and escapes.

use super::game_record::{GameRecord, RecordMove, StartPosition, date, field};
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_support::text::one_line;

/// The text of the first tag of that name.
pub(super) fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(tag, _)| tag == name).map(|(_, text)| text.as_str())
}

/// A record of Reversi in GGF's notation with the data of its tags: players, date, place, event and opening.
pub(super) fn record(tags: &[(String, String)], board: Option<&String>) -> GameRecord {
    let text = |name| tag(tags, name).and_then(field);
    GameRecord {
        game: Some("reversi"),
        start: board.map(|text| StartPosition { text: text.clone(), style: Style::Ggf }),
        style: Style::Ggf,
        players: [text("PB"), text("PW")],
        date: tag(tags, "DT").and_then(date),
        site: text("PC"),
        event: text("EV"),
        round: text("RO"),
        opening: text("ON"),
        remarks: komi(tags).map(|komi| format!("its komi, {komi}, is left out")).into_iter().collect(),
        ..GameRecord::default()
    }
}

/// Why a game by these tags has other rules than Othello, if it does: its results and values would mean something else.
pub(super) fn other_rules(tags: &[(String, String)]) -> Option<String> {
    let is_othello = |game: &&str| ["othello", "reversi", ""].iter().any(|name| game.trim().eq_ignore_ascii_case(name));
    if let Some(game) = tag(tags, "GM").filter(|game| !is_othello(game)) {
        return Some(format!("it is a game of {}, not of Othello", one_line(game, 20)));
    }
    // The letters after the size: `a` anti, `k` komi, `r` a random start.
    let kind = tag(tags, "TY").unwrap_or_default().trim();
    let digits = kind.trim_start_matches('s');
    let (size, letters) = digits.split_at(digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len()));
    let what = match size {
        "" | "8" if letters.contains('a') => "an anti game, which the fewer discs win",
        "" | "8" if letters.contains('k') || komi(tags).is_some() => "a game with komi",
        "" | "8" => return None,
        _ => "a game on another board than 8x8",
    };
    Some(format!("it is {what} (TY[{}]), not one of Othello", one_line(kind, 20)))
}

/// The discs, not 0, by which the result differs from the discs on the board.
fn komi(tags: &[(String, String)]) -> Option<f64> {
    tag(tags, "KM")?.trim().parse().ok().filter(|komi| *komi != 0.0)
}

/// The side that played the move of this index, from 0; if the record does not name it, the sides take turns.
pub(super) fn mover(index: usize, mv: &RecordMove) -> Side {
    mv.side.unwrap_or(if index.is_multiple_of(2) { Side::First } else { Side::Second })
}

/// Whether a bracket after this text seems to begin the value of another property: then the value that the text belongs
/// to was not closed.
pub(super) fn begins_property(text: &str) -> bool {
    let before = text.trim_end();
    let name = before.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    (1..=2).contains(&(before.len() - name.len())) && name.trim_end().ends_with([';', ']'])
}

/// The text, escaped for use between brackets.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        let is_bracket = character == '[' && begins_property(text.get(..at).unwrap_or_default());
        if is_bracket || matches!(character, '\\' | ']') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
