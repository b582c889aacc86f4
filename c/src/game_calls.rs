//! Games: a start position and the moves played from it.

use crate::border::{Failure, Status, call, give, give_text, object, optional, text};
use engine::api::command::PlayedMove;
use engine::engine::bindings::{PositionView, set_position};
use engine::engine::dyn_engine::{DynEngine, Start};
use engine::engine::registry;
use engine::search::notation::Style;
use engine::search::types::Side;
use std::ffi::c_char;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A game being played, or a position. Made by `flipside_game_new`, freed by `flipside_game_free`.
pub struct Game(Mutex<Box<dyn DynEngine>>);

impl Game {
    pub(crate) fn board(&self) -> MutexGuard<'_, Box<dyn DynEngine>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins a game.
///
/// `name` is `reversi`, `minichess`, `gomoku` or another game of the library. `position` is a start position on one line,
/// or null for the game's own. `moves` are played from it, separate or run together (`f5d6c3`); null plays none.
///
/// # Safety
/// The texts are null or end in a zero byte; `game` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_new(
    name: *const c_char,
    position: *const c_char,
    moves: *const c_char,
    game: *mut *mut Game,
) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (name, position, moves) =
            unsafe { (text("name", name)?, optional("position", position)?, optional("moves", moves)?) };
        let mut board = registry::rules(name).map_err(Failure::invalid)?;
        set_position(&mut *board, position, moves.unwrap_or_default()).map_err(Failure::invalid)?;
        if game.is_null() {
            return Err(Failure::invalid("game is null"));
        }
        // SAFETY: promised by the caller.
        unsafe { give(game, Box::into_raw(Box::new(Game(Mutex::new(board))))) }
    })
}

/// Frees a game; a null pointer is allowed.
///
/// # Safety
/// The game comes from `flipside_game_new`, was not freed before, and no other call uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_free(game: *mut Game) {
    if !game.is_null() {
        // SAFETY: promised by the caller; `flipside_game_new` made it.
        drop(unsafe { Box::from_raw(game) });
    }
}

/// Plays moves, separate or run together. Forced passes may be left out. On a failure nothing is played.
///
/// # Safety
/// `game` is null or alive; `moves` is null or ends in a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_play(game: *const Game, moves: *const c_char) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let (game, moves) = unsafe { (object("game", game)?, text("moves", moves)?) };
        let moves = [PlayedMove::new(moves)];
        game.board().set_position(Start::Here, &moves, Style::Plain, false).map_err(Failure::invalid)
    })
}

/// Takes back `count` moves, with the passes around them.
///
/// # Safety
/// `game` is null or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_undo(game: *const Game, count: u32) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let game = unsafe { object("game", game)? };
        let is_undone = game.board().undo(count);
        is_undone.then_some(()).ok_or_else(|| Failure::invalid("fewer moves were played"))
    })
}

/// Everything about the position as a JSON object: `game`, `side`, `sides`, `legal`, `rows`, `points`, `position`, `history`,
/// `opening`, `over`, `winner`, `margin`. The caller frees the text.
///
/// # Safety
/// `game` is null or alive; `json` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_json(game: *const Game, json: *mut *mut c_char) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let game = unsafe { object("game", game)? };
        let view = serde_json::to_string(&PositionView::of(&**game.board())).map_err(Failure::failed)?;
        // SAFETY: promised by the caller.
        unsafe { give_text(json, &view) }
    })
}

/// The legal moves, separated by blanks; a forced pass is `pass`; empty when the game is over. The caller frees the text.
///
/// # Safety
/// As `flipside_game_json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_moves(game: *const Game, moves: *mut *mut c_char) -> Status {
    // SAFETY: promised by the caller.
    unsafe { game_text(game, moves, |board| board.legal_moves(Style::Plain).join(" ").to_lowercase()) }
}

/// The position on one line, as `flipside_game_new` reads it. The caller frees the text.
///
/// # Safety
/// As `flipside_game_json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_position(game: *const Game, position: *mut *mut c_char) -> Status {
    // SAFETY: promised by the caller.
    unsafe { game_text(game, position, |board| board.position(Style::Plain)) }
}

/// The board drawn as text. The caller frees the text.
///
/// # Safety
/// As `flipside_game_json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_picture(game: *const Game, picture: *mut *mut c_char) -> Status {
    // SAFETY: promised by the caller.
    unsafe { game_text(game, picture, |board| board.picture(Style::Plain)) }
}

/// # Safety
/// As `flipside_game_json`.
unsafe fn game_text(game: *const Game, place: *mut *mut c_char, tell: impl FnOnce(&dyn DynEngine) -> String) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let game = unsafe { object("game", game)? };
        let text = tell(&**game.board());
        // SAFETY: promised by the caller.
        unsafe { give_text(place, &text) }
    })
}

/// Where a game stands.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The side to move: 0 moves first in the game, 1 second.
    pub side: i32,
    /// Whether the game is over.
    pub over: bool,
    /// The winner's side; -1 for a draw and while the game goes on.
    pub winner: i32,
    /// By how many discs or points the game was won; -1 where the game does not count them.
    pub margin: i32,
    /// Discs or points of both sides; -1 where the game does not count them.
    pub points: [i32; 2],
    /// Moves played, passes included.
    pub plies: u32,
}

/// Where the game stands.
///
/// # Safety
/// `game` is null or alive; `standing` may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flipside_game_standing(game: *const Game, standing: *mut Standing) -> Status {
    call(|| {
        // SAFETY: promised by the caller.
        let game = unsafe { object("game", game)? };
        let board = game.board();
        let outcome = board.outcome();
        let number = |side: Side| side.index() as i32;
        let margin = outcome.as_ref().and_then(|outcome| outcome.margin);
        let value = Standing {
            side: number(board.side()),
            over: outcome.is_some(),
            winner: outcome.and_then(|outcome| outcome.winner).map_or(-1, number),
            margin: margin.map_or(-1, |margin| margin as i32),
            points: board.points().map_or([-1; 2], |points| points.map(|points| points as i32)),
            plies: board.history(Style::Plain).len() as u32,
        };
        // SAFETY: promised by the caller.
        unsafe { give(standing, value) }
    })
}
