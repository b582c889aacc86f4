//! FEN as Fairy-Stockfish writes it, one position a line: eight rows of `P`, `p` and digits for Reversi (`flipello`),
//! six rows of five squares for MiniChess. Edax writes other FENs of Reversi ([`read_as_edax`]), and only in PGN.

use super::game_record::{CannotHold, GameRecord, StartPosition};
use flipside_core::games::names;
use flipside_core::search::notation::Style;

/// The game whose FEN the line is, recognized by its rows and the side to move after them.
pub fn game_of(line: &str) -> Option<&'static str> {
    let mut words = line.split_whitespace();
    let rows = words.next()?.split('[').next().unwrap_or_default();
    words.next().filter(|side| ["w", "b"].contains(side))?;
    let is_row = |row: &str, squares: u32| {
        let widths = row.chars().map(|c| c.to_digit(10).or(c.is_ascii_alphabetic().then_some(1)));
        widths.sum::<Option<u32>>() == Some(squares)
    };
    let has = |count: usize, squares: u32| {
        rows.split('/').count() == count && rows.split('/').all(|row| is_row(row, squares))
    };
    if has(8, 8) && rows.chars().all(|c| "Pp/".contains(c) || c.is_ascii_digit()) {
        return Some(names::REVERSI.name);
    }
    has(6, 5).then_some(names::MINICHESS.name)
}

/// What is remarked of a record that is read by [`read_as_edax`].
pub const AS_EDAX: &str = "its FEN is read as Edax writes it: the eighth row first, 'P' and 'w' for White";

/// A FEN of Reversi by Edax as Fairy-Stockfish writes the position; the converse, too. Edax names squares as Othello
/// does, so that the eighth row comes first, and gives White `P` and `w`, which are the first mover's for
/// Fairy-Stockfish.
pub fn read_as_edax(text: &str) -> Option<String> {
    game_of(text).filter(|&game| game == names::REVERSI.name)?;
    let mut words = text.split_whitespace();
    let rows: Vec<&str> = words.next()?.split('[').next()?.rsplit('/').collect();
    let other = |disc: char| if disc == 'P' { 'p' } else { disc.to_ascii_uppercase() };
    let side = if words.next()? == "w" { 'b' } else { 'w' };
    Some(format!("{} {side} - - 0 1", rows.join("/").chars().map(other).collect::<String>()))
}

/// Reads a line without checking the position, which needs the game's rules.
///
/// # Errors
/// The line is not the FEN of a known game.
pub fn read(line: &str) -> Result<GameRecord, String> {
    let text = line.split('#').next().unwrap_or_default().trim();
    let game = game_of(text).ok_or_else(|| format!("expected the FEN of Reversi or MiniChess, saw '{text}'"))?;
    let start = StartPosition { text: text.to_string(), style: Style::Uci };
    Ok(GameRecord { game: Some(game), start: Some(start), ..GameRecord::default() })
}

/// Writes the start position of a record, which is a FEN.
///
/// # Errors
/// The game has no FEN, or the record has moves or no start position.
pub fn write(record: &GameRecord) -> Result<String, CannotHold> {
    let game = record.game.unwrap_or(names::REVERSI.name);
    if names::uci_variant_of(game).is_none() {
        return Err(CannotHold::new("fen", format!("{game} has no FEN")));
    }
    let start = record.start.as_ref().filter(|_| record.moves.is_empty());
    let start = start.ok_or_else(|| CannotHold::new("fen", "it is a game, not a position"))?;
    Ok(format!("{}\n", start.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edax_names_rows_and_colours_otherwise() {
        let edax = "8/8/8/3ppp2/3Pp3/8/8/8 w - - 0 1";
        let fairy = "8/8/8/3pP3/3PPP2/8/8/8 b - - 0 1";
        assert_eq!(read_as_edax(edax).as_deref(), Some(fairy));
        assert_eq!(read_as_edax(fairy).as_deref(), Some(edax));
        assert_eq!(read_as_edax(&edax.replace(" w", "[PPpp] w")).as_deref(), Some(fairy));
        assert_eq!(read_as_edax("kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1"), None);
    }

    #[test]
    fn rows_tell_the_game() {
        assert_eq!(game_of("8/8/8/3pP3/3Pp3/8/8/8 w - - 0 1"), Some("reversi"));
        assert_eq!(game_of("8/8/8/3pP3/3Pp3/8/8/8[PPpp] b"), Some("reversi"));
        assert_eq!(game_of("kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1"), Some("minichess"));
        for other in
            ["", "f5d6", "8/8/8 w", "kqbnr/ppppp/5/5/PPPPP/RNBQK", "8/8/8/3pP3/3Pp3/8/8/9 w", "8/8/8/3kP3/3Pp3/8/8/8 w"]
        {
            assert_eq!(game_of(other), None, "{other}");
        }
    }
}
