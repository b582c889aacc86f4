//! What GGF and SGF share: tags of the game, of which many have the same names, and escapes.

use super::game_record::{GameRecord, RecordMove, StartPosition, date, field};
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;

/// The text of the first tag of that name.
pub(super) fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    tags.iter().find(|(tag, _)| tag == name).map(|(_, text)| text.as_str())
}

/// A record of Reversi in GGF's notation with what the tags tell: players, date, place, event and opening.
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
        ..GameRecord::default()
    }
}

/// Who played the move of this index, from 0; where the record does not say so, the sides take turns.
pub(super) fn mover(index: usize, mv: &RecordMove) -> Side {
    mv.side.unwrap_or(if index.is_multiple_of(2) { Side::First } else { Side::Second })
}

/// The text as it stands between brackets.
pub(super) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
