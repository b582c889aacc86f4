//! A position as plain data, for a page or a notebook.

use crate::api::command::PlayedMove;
use crate::engine::diagram;
use crate::engine::dyn_engine::{DynEngine, SetupError, Start};
use crate::engine::recorded_game;
use crate::record::game_record::GameRecord;
use crate::record::svg;
use flipside_core::search::notation::Style;
use flipside_core::search::types::Side;
use serde::Serialize;

/// A move of a game with the side that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayedView {
    /// Name of the side.
    pub side: &'static str,
    /// The move, in lower case.
    #[serde(rename = "move")]
    pub mv: String,
}

/// Everything about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PositionView {
    /// Name of the game.
    pub game: &'static str,
    /// Name of the side to move.
    pub side: &'static str,
    /// Names of both sides, the first mover's first.
    pub sides: [&'static str; 2],
    /// Legal moves in lower case; a forced pass is one; none when the game is over.
    pub legal: Vec<String>,
    /// The board, a string a row from top to bottom, if the game has one.
    pub rows: Option<Vec<String>>,
    /// True when row 1 is drawn at the top (Reversi), false when it is at the bottom (chess).
    pub first_row_on_top: Option<bool>,
    /// Discs or points of both sides, where the game counts them.
    pub points: Option<[u32; 2]>,
    /// The position on one line.
    pub position: String,
    /// The moves that led here, with passes.
    pub history: Vec<PlayedView>,
    /// Name of the game's opening, if it has a common one.
    pub opening: Option<&'static str>,
    /// Whether the game is over.
    pub over: bool,
    /// Name of the winner; none for a draw and while the game goes on.
    pub winner: Option<&'static str>,
    /// By how many units the game was won, where the game counts them.
    pub margin: Option<u32>,
}

impl PositionView {
    /// The present position of an engine.
    pub fn of(engine: &dyn DynEngine) -> PositionView {
        let side_name = |side: Side| side.of(engine.sides());
        let lower = |mv: String| mv.to_lowercase();
        let grid = engine.grid();
        let outcome = engine.outcome();
        PositionView {
            game: engine.game(),
            side: side_name(engine.side()),
            sides: engine.sides(),
            legal: engine.legal_moves(Style::Plain).into_iter().map(lower).collect(),
            first_row_on_top: grid.as_ref().map(|grid| grid.first_row_on_top),
            rows: grid.map(|grid| grid.rows.iter().map(|row| row.iter().collect()).collect()),
            points: engine.points(),
            position: engine.position(Style::Plain),
            history: engine
                .history(Style::Plain)
                .into_iter()
                .map(|(side, text)| PlayedView { side: side_name(side), mv: lower(text) })
                .collect(),
            opening: engine.opening_name(),
            over: outcome.is_some(),
            winner: outcome.as_ref().and_then(|outcome| outcome.winner).map(side_name),
            margin: outcome.and_then(|outcome| outcome.margin),
        }
    }
}

/// The game so far as an SVG picture: the board with the numbers of its moves, and the state in words. `None` if the game has
/// no board.
pub fn svg(engine: &dyn DynEngine) -> Option<String> {
    let facts = GameRecord { event: Some(engine.game().into()), ..GameRecord::default() };
    let record = recorded_game::restyled(engine, &facts, Style::Plain, Style::Plain);
    diagram::of(&record, engine).map(|diagram| svg::draw(&diagram))
}

/// Plays moves, separate or run together (`f5d6c3`), from a position on one line, or from the game's own start.
///
/// # Errors
/// The position or a move is invalid; the engine's position is as before.
pub fn set_position(engine: &mut dyn DynEngine, start: Option<&str>, moves: &str) -> Result<(), SetupError> {
    let start = start.map_or(Start::Initial, Start::Text);
    let moves = if moves.trim().is_empty() { Vec::new() } else { vec![PlayedMove::new(moves)] };
    engine.set_position(start, &moves, Style::Plain, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::settings::Settings;
    use crate::engine::registry;

    #[test]
    fn a_game_is_described_and_a_wrong_move_changes_nothing() {
        let mut engine = registry::open(&Settings { hash: 1, ..Settings::default() }).expect("an engine");
        set_position(engine.as_mut(), None, "F5d6 c3").expect("legal moves");
        let view = PositionView::of(engine.as_ref());
        assert_eq!((view.side, view.points, view.over), ("white", Some([5, 2]), false));
        let history: Vec<_> = view.history.iter().map(|played| (played.side, played.mv.as_str())).collect();
        assert_eq!(history, [("black", "f5"), ("white", "d6"), ("black", "c3")]);
        assert!(matches!(set_position(engine.as_mut(), None, "f5a1"), Err(SetupError::Move(..))));
        assert!(matches!(set_position(engine.as_mut(), Some("XX"), ""), Err(SetupError::Position(_))));
        assert_eq!(PositionView::of(engine.as_ref()), view);
    }

    #[test]
    fn a_finished_game_has_a_winner_and_its_margin() {
        let mut engine = registry::open(&Settings { hash: 1, ..Settings::default() }).expect("an engine");
        set_position(engine.as_mut(), Some(&format!("{}- O", "X".repeat(63))), "").expect("a position");
        let view = PositionView::of(engine.as_ref());
        assert_eq!((view.over, view.winner, view.margin, view.legal), (true, Some("black"), Some(64), Vec::new()));
    }

    #[test]
    fn a_game_is_drawn_with_its_moves_and_described_in_words() {
        let mut engine = registry::open(&Settings { hash: 1, ..Settings::default() }).expect("an engine");
        set_position(engine.as_mut(), None, "f5 d6 c3").expect("legal moves");
        let picture = super::svg(engine.as_ref()).expect("a board");
        assert_eq!(picture.matches("class=\"number\"").count(), 3, "{picture}");
        assert!(picture.contains("<title>black – white; reversi"), "{picture}");
        assert!(picture.contains("; white to move; black 5, white 2</title>"), "{picture}");
    }
}
