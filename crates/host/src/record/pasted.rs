//! Games of Reversi as sites and apps show them: with other numbers (`1: f5 2: d6`, `1) f5`), brackets, values behind
//! moves (`F5/-1.2/0.5`) and a result in words; in a column of a CSV file; as JSON of Othello Quest. What is not wholly of
//! such a form stays as it is, so that nothing that could be a move is left out.

use super::game_record::{GameRecord, RecordMove, field};
use flipside_core::games::names::REVERSI;
use flipside_core::games::reversi::obf;
use serde_json::Value;
use std::borrow::Cow;

/// What stands between moves.
const SEPARATORS: &str = ",;|[](){}<>";
/// What separates the columns of a CSV file.
const COLUMNS: [char; 4] = [',', ';', '\t', '|'];
/// Words of a result after the moves.
const RESULT_WORDS: [&str; 19] = [
    "b", "black", "by", "discs", "draw", "drawn", "final", "on", "r", "resigned", "resigns", "result", "score", "time",
    "w", "white", "win", "wins", "won",
];
/// Parts of the names that head the column of moves.
const HEADINGS: [&str; 4] = ["moves", "transcript", "kifu", "record"];

/// The line as plain moves with blanks between them, if it is of one of these forms.
pub fn plain(line: &str) -> Cow<'_, str> {
    let moves = column_of_moves(line).and_then(moves).or_else(|| moves(line));
    moves.map_or(Cow::Borrowed(line), |moves| Cow::Owned(moves.join(" ")))
}

/// Whether the line is the head of a CSV file with a column of moves, which holds no game.
pub fn is_heading(line: &str) -> bool {
    let fields: Vec<String> = line.split(COLUMNS).map(|field| unquoted(field).to_lowercase()).collect();
    let is_name = |field: &String| !field.is_empty() && field.chars().all(|c| c.is_alphabetic() || "_- ".contains(c));
    fields.len() > 1
        && fields.iter().all(is_name)
        && fields.iter().any(|field| HEADINGS.iter().any(|heading| field.contains(heading)))
}

fn unquoted(field: &str) -> &str {
    field.trim().trim_matches(['"', '\'']).trim()
}

/// The only field of a line in three columns or more that holds moves, at least two of them. Two columns may be a list of
/// moves with a damaged byte in it.
fn column_of_moves(line: &str) -> Option<&str> {
    let fields = || line.split(COLUMNS).map(unquoted);
    let mut of_moves = fields().filter(|field| moves(field).is_some_and(|moves| moves.len() > 1));
    let only = of_moves.next().filter(|_| of_moves.next().is_none())?;
    (fields().count() > 2 && fields().all(|field| field == only || !has_square(field))).then_some(only)
}

/// Whether a letter with a digit behind it, which is not the end of a word, stands in a text: it may be a move, perhaps a
/// damaged one, and belongs to a list of moves then.
fn has_square(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_square = |at: usize| {
        let is_in_word = at > 0 && bytes.get(at - 1).is_some_and(u8::is_ascii_alphabetic);
        !is_in_word && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    (0..bytes.len()).any(|at| bytes.get(at).is_some_and(u8::is_ascii_alphabetic) && is_square(at))
}

/// The moves of a line that holds nothing but moves, their numbers and values, and a result after them.
fn moves(line: &str) -> Option<Vec<&str>> {
    let mut moves = Vec::new();
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || SEPARATORS.contains(c));
        if rest.is_empty() || !moves.is_empty() && is_result(rest) {
            return Some(moves).filter(|moves| !moves.is_empty());
        }
        rest = if rest.starts_with(|c: char| c.is_ascii_digit()) {
            after_number(rest, moves.len())?
        } else if rest.starts_with('-') && !rest.starts_with("--") && !moves.is_empty() {
            rest.get(1..)?
        } else {
            let (after, _) = obf::square(rest).ok()?;
            moves.push(rest.get(..rest.len() - after.len())?);
            match after.strip_prefix('/') {
                Some(values) => values.trim_start_matches(|c: char| c.is_ascii_digit() || "+-./:".contains(c)),
                None => after,
            }
        };
    }
}

/// What follows the number of a move, which must be the next one, of moves or of pairs. A bare number at the end of the text
/// may be the rest of a damaged move.
fn after_number(text: &str, moves: usize) -> Option<&str> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: usize = text.get(..text.len() - after.len())?.parse().ok()?;
    let bare = after.trim_start();
    let after = bare.trim_start_matches(['.', ':', ')', ']']);
    (!bare.is_empty() && (number == moves + 1 || number == moves / 2 + 1)).then_some(after)
}

/// Whether a text says how a game ended: numbers, and words that say who won. One number alone may be the rest of a damaged
/// move.
fn is_result(text: &str) -> bool {
    let words = text.split(|c: char| c.is_whitespace() || ":=+-/".contains(c) || SEPARATORS.contains(c));
    let words = words.map(|word| word.trim_end_matches('.').to_lowercase()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.collect();
    let is_number = |word: &String| word.chars().all(|c| c.is_ascii_digit() || c == '.');
    let is_one_number = words.len() == 1 && words.iter().all(is_number);
    !is_one_number && words.iter().all(|word| is_number(word) || RESULT_WORDS.contains(&word.as_str()))
}

/// The game of Othello Quest's JSON: moves are the values of `m` in the objects of a list, `-` is a pass; players have
/// names. Any other JSON has none.
pub fn quest(text: &str) -> Option<GameRecord> {
    let game: Value = serde_json::from_str(text).ok()?;
    let moves = find(&game, &|value| {
        let texts = value.as_array()?.iter().map(|mv| mv.get("m")?.as_str());
        texts.collect::<Option<Vec<_>>>().filter(|moves| !moves.is_empty())
    })?;
    let moves = moves.into_iter().filter(|mv| *mv != "-").map(|mv| RecordMove::new(None, mv)).collect();
    let names = find(&game, &|value| value.get("players")?.as_array());
    let name = |index: usize| field(names?.get(index)?.get("name")?.as_str()?);
    Some(GameRecord { game: Some(REVERSI.name), moves, players: [name(0), name(1)], ..GameRecord::default() })
}

/// The first value for which `of` has a result: this one, or one inside it.
fn find<'a, T>(value: &'a Value, of: &dyn Fn(&'a Value) -> Option<T>) -> Option<T> {
    of(value).or_else(|| match value {
        Value::Array(values) => values.iter().find_map(|value| find(value, of)),
        Value::Object(fields) => fields.values().find_map(|value| find(value, of)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_sites_become_plain_moves() {
        for line in [
            "1: f5 2: d6 3: c3",
            "1) f5 d6 2) c3",
            "1 f5 2 d6 3 c3",
            "[f5][d6][c3]",
            "1. [F5] 2. (d6) 3. {c3}",
            "F5/-1.2/0.5 d6//3.47 c3/+0.30",
            "f5d6c3 (33-31)",
            "f5d6c3 33:31",
            "f5 d6 c3 Result: 33-31",
            "f5d6c3 Black wins by 2 discs.",
            "f5d6c3, B+R",
            "12,Ann,Bob,f5d6c3,33,31",
            "2024-05-31;\"Ann\";\"f5 d6 c3\";1",
            "Tournament\tAnn\tF5D6C3\t-2",
        ] {
            assert_eq!(plain(line).to_lowercase(), "f5 d6 c3", "{line}");
        }
    }

    /// What could be a move must not vanish: the rules refuse it.
    #[test]
    fn other_lines_stay_as_they_are() {
        for line in [
            "",
            "hello",
            "f5d6zz h9",
            "f5d6,c9",
            "f5d6,3! $6 d3c4",
            "f5d6c3,2",
            "f5d6,Ann,3d3c4",
            "f5,d6,x,c3",
            "f5 d6 7 c3",
            "2: c3 d3",
            "f5 d6 33-31 c3",
            "f5d6#c3",
            "b8,and,so,on",
            "Ann,f5d6,Bob,c3d3",
        ] {
            assert!(matches!(plain(line), Cow::Borrowed(_)), "{line}: {}", plain(line));
        }
    }

    #[test]
    fn a_head_of_columns_is_no_game() {
        assert!(is_heading("eOthello_game_id,winner,game_moves") && is_heading("\"Date\";\"Transcript\""));
        for line in ["moves", "f5d6c3,33,31", "date,black,white", "hello, record of 1"] {
            assert!(!is_heading(line), "{line}");
        }
    }

    #[test]
    fn a_game_of_othello_quest_has_players_and_moves() {
        let text = "{\"id\":7,\"players\":[{\"id\":\"a\",\"name\":\"Ann\"},{\"id\":\"b\",\"name\":\"Bob\"}],\
            \"position\":{\"moves\":[{\"m\":\"f5\",\"t\":1200},{\"m\":\"d6\"},{\"m\":\"-\"},{\"m\":\"c3\"}]}}";
        let game = quest(text).expect("a game");
        assert_eq!(game.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>(), ["f5", "d6", "c3"]);
        assert_eq!(game.players, [Some("Ann".to_string()), Some("Bob".to_string())]);
        for other in ["{\"moves\":[{\"move\":\"f5\"}]}", "{\"m\":\"f5\"}", "[]", "{"] {
            assert_eq!(quest(other), None, "{other}");
        }
    }
}
