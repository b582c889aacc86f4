//! Replaying game records on a board: checks that moves are legal, adds omitted passes, converts the notation.

use super::dyn_engine::{DynEngine, Start};
use super::dyn_position::SharedPosition;
use super::{recorded_result, recorded_variations};
use crate::api::command::PlayedMove;
use crate::record::fen;
use crate::record::game_record::{GameRecord, RecordMove, StartPosition, variation_moves};
use crate::record::san;
use flipside_core::games::names;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use flipside_support::file_fault::FileFault;
use flipside_support::text::listed;

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordedGameError {
    /// The record is of another game than the board's.
    #[error("it is a game of {found}, not of {expected}")]
    OtherGame {
        /// The record's game.
        found: &'static str,
        /// The board's game.
        expected: &'static str,
    },
    /// The start position is invalid.
    #[error("{0}")]
    Start(String),
    /// A move is invalid: its number in the record, from 1, and the reason.
    #[error("move {0}: {1}")]
    Move(usize, String),
}

impl FileFault for RecordedGameError {
    fn without_content(&self) -> String {
        match self {
            RecordedGameError::OtherGame { .. } => self.to_string(),
            RecordedGameError::Start(_) => "its start position is wrong".into(),
            RecordedGameError::Move(number, _) => format!("move {number} cannot be played"),
        }
    }
}

/// Plays a record's moves on the board, which is left at the last legal one. The result is the same game in the board's
/// own notation ([`Style::Plain`]): sides named, passes written except those after the end of the game, its start `None`
/// where it is the usual one, the opening's name filled in where the record lacks it, and the result that of the rules
/// where the moves end the game. A result that contradicts the moves is remarked, and so are illegal variations.
///
/// # Errors
/// The record is of another game, or its start or a move is invalid.
pub fn replay(board: &mut dyn DynEngine, record: &GameRecord) -> Result<GameRecord, RecordedGameError> {
    if let Some(found) = record.game.filter(|&game| game != board.game()) {
        return Err(RecordedGameError::OtherGame { found, expected: board.game() });
    }
    let mut played = match play(board, record) {
        Err(error) => played_otherwise(board, record).ok_or(error)?,
        Ok(()) => record.clone(),
    };
    played.remarks.extend(recorded_result::contradiction(board, &played));
    played.result = recorded_result::settled(board, played.result);
    let mut replayed = restyled(board, &played, Style::Plain, Style::Plain);
    let left_out = variation_moves(&played.moves) - variation_moves(&replayed.moves);
    if left_out > 0 {
        let remark = format!("moves of its variations left out from the first illegal one on: {left_out}");
        replayed.remarks.push(remark);
    }
    Ok(replayed)
}

/// The record in its less likely reading, if that can be played.
fn played_otherwise(board: &mut dyn DynEngine, record: &GameRecord) -> Option<GameRecord> {
    let Some(start) = &record.start else {
        // In a file of transcripts, a line of another game than Reversi may be a position.
        let text = record.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" ");
        let position = text.split(';').next().unwrap_or_default();
        let is_position = board.game() != names::REVERSI.name
            && !text.is_empty()
            && board.set_position(Start::Text(position), &[], Style::Plain, false).is_ok();
        return is_position.then(|| GameRecord { moves: Vec::new(), ..record.clone() });
    };
    // A FEN and moves as squares: which reading of the FEN makes them legal?
    let is_fen = start.style == Style::Uci && record.style == Style::Ggf;
    let text = fen::read_as_edax(&start.text).filter(|_| is_fen)?;
    let mut other = GameRecord { start: Some(StartPosition { text, style: Style::Uci }), ..record.clone() };
    match other.remarks.iter().position(|remark| remark == fen::AS_EDAX) {
        Some(index) => drop(other.remarks.remove(index)),
        None => other.remarks.push(fen::AS_EDAX.into()),
    }
    play(board, &other).is_ok().then_some(other)
}

/// Sets the board to the game of a record. What is remarkable in the record goes to the log.
///
/// # Errors
/// The record is of another game, or its start or a move is invalid; the board is as before.
pub fn load(board: &mut dyn DynEngine, record: &GameRecord) -> Result<(), RecordedGameError> {
    let before = board.save();
    let replayed = replay(board, record).inspect_err(|_| {
        board.resume(before);
    })?;
    replayed.remarks.iter().for_each(|remark| log::warn!("{remark}"));
    Ok(())
}

/// The game that [`replay`] left on a board, in other notations. `record` supplies scores, times, marks, comments and
/// variations. A variation ends before its first move that is not legal.
pub fn restyled(board: &dyn DynEngine, record: &GameRecord, start: Style, moves: Style) -> GameRecord {
    let mut notes = record.moves.iter().peekable();
    let has_variations = record.moves.iter().any(|mv| !mv.variations.is_empty());
    let course = if has_variations { board.course() } else { Vec::new() };
    let with_note = |(index, (side, text)): (usize, (Side, String))| {
        let is_pass = board.is_pass(&text);
        // A pass that the record omits has no note.
        let note = notes.next_if(|note| board.is_pass(&note.text) == is_pass).cloned().unwrap_or_default();
        let styled = |(position, _): &(SharedPosition, u16)| {
            recorded_variations::restyled(board, position, &note.variations, record.style, moves)
        };
        let variations = course.get(index).map(styled).unwrap_or_default();
        RecordMove { side: Some(side), text, variations, ..note }
    };
    let start = StartPosition { text: board.start_position(start), style: start };
    GameRecord {
        game: Some(board.game()),
        start: Some(start).filter(|_| !board.has_usual_start()),
        moves: board.history(moves).into_iter().enumerate().map(with_note).collect(),
        style: moves,
        opening: record.opening.clone().or_else(|| board.opening_name().map(str::to_string)),
        result: record.result.or_else(|| recorded_result::result(board)),
        ..record.clone()
    }
}

/// The board's position alone, with the record's facts about its game. Values of moves stay only if the record has no
/// moves, because they belong to its start.
pub fn position(board: &dyn DynEngine, record: &GameRecord, start: Style) -> GameRecord {
    let values = if record.moves.is_empty() { record.values.clone() } else { Vec::new() };
    let start = StartPosition { text: board.position(start), style: start };
    GameRecord { game: Some(board.game()), start: Some(start), moves: Vec::new(), values, ..record.clone() }
}

/// Plays the moves; on an error the board stays at the last legal one.
fn play(board: &mut dyn DynEngine, record: &GameRecord) -> Result<(), RecordedGameError> {
    let (start, style) = match &record.start {
        Some(start) => (Start::Text(&start.text), start.style),
        None => (Start::Initial, Style::Plain),
    };
    board.set_position(start, &[], style, false).map_err(|error| RecordedGameError::Start(error.reason()))?;
    let is_long =
        |text: &str| text.contains('@') || text.len() >= 4 && !text.starts_with(|c: char| c.is_ascii_uppercase());
    if record.style == Style::Uci && !record.moves.iter().all(|mv| is_long(&mv.text)) {
        return play_each(board, record);
    }
    // Some programs write a pass, or one for each side, after the end of the game. That is no move.
    let last_passes = record.moves.iter().rev().take_while(|mv| board.is_pass(&mv.text)).count();
    let (moves, last_passes) = record.moves.split_at(record.moves.len() - last_passes);
    for moves in [moves, last_passes] {
        let moves: Vec<PlayedMove> = moves.iter().map(|mv| played(mv, &mv.text)).collect();
        board.set_position(Start::Here, &moves, record.style, true).map_err(|_| {
            let index = count_played(board, record);
            wrong_move(board, record, index)
        })?;
        if board.outcome().is_some() {
            break;
        }
    }
    Ok(())
}

/// Plays moves that may be written in short algebraic notation, one by one.
fn play_each(board: &mut dyn DynEngine, record: &GameRecord) -> Result<(), RecordedGameError> {
    for (index, mv) in record.moves.iter().enumerate() {
        if board.set_position(Start::Here, &[played(mv, &mv.text)], record.style, false).is_ok() {
            continue;
        }
        let found = short_move(board, &mv.text);
        let is_played = found
            .is_some_and(|text| board.set_position(Start::Here, &[played(mv, &text)], record.style, false).is_ok());
        if !is_played {
            return Err(wrong_move(board, record, index));
        }
    }
    Ok(())
}

/// The legal move in UCI's notation that a move in short algebraic notation (`Nc3`) means; none in games without
/// pieces.
pub fn short_move(board: &dyn DynEngine, text: &str) -> Option<String> {
    san::find_on(&board.grid()?, text, &board.legal_moves(Style::Uci)).cloned()
}

fn played(mv: &RecordMove, text: &str) -> PlayedMove {
    match mv.side {
        Some(side) => PlayedMove::by(side, text.to_string()),
        None => PlayedMove::new(text),
    }
}

/// How many of the record's moves the board has played; the board may have passes between them.
fn count_played(board: &dyn DynEngine, record: &GameRecord) -> usize {
    let mut moves = record.moves.iter().peekable();
    let history = board.history(Style::Plain).into_iter();
    history.filter(|(_, text)| moves.next_if(|mv| board.is_pass(&mv.text) == board.is_pass(text)).is_some()).count()
}

/// The error for the move of this index.
fn wrong_move(board: &dyn DynEngine, record: &GameRecord, index: usize) -> RecordedGameError {
    let side = board.side().of(board.sides());
    let Some(mv) = record.moves.get(index) else {
        return RecordedGameError::Move(index, "more moves are not kept".into());
    };
    let text: String = mv.text.chars().take(20).collect();
    let reason = if board.outcome().is_some() {
        format!("'{text}' comes after the end of the game")
    } else if mv.side.is_some_and(|by| by != board.side()) {
        format!("it is {side}'s turn, but '{text}' is the other side's")
    } else {
        let legal: Vec<String> = board.legal_moves(record.style).iter().map(|mv| mv.to_lowercase()).collect();
        format!("'{text}' is not legal for {side}; legal: {}", listed(&legal))
    };
    RecordedGameError::Move(index + 1, reason)
}
