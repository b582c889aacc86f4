//! `Board`: a position of a game with the moves that led to it.

use crate::rules::with_rules;
use crate::{bad_value, failure, wrong_type};
use flipside::engine::bindings::{PositionView, set_position, svg};
use flipside::engine::dyn_engine::DynEngine;
use flipside::games::reversi::board as bits;
use flipside::reversi;
use flipside::search::notation::Style;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use std::hash::{Hash, Hasher};

/// A position of a game with the moves that led to it. Boards are immutable.
///
/// `Board()` is the start of Reversi, `Board(moves="f5 d6 c3")` the position after three moves, `Board("… X")` a position on
/// one line (for Reversi 64 squares from a1 to h8 of `X`, `O`, `-`, and the side to move; for MiniChess a FEN),
/// `Board(game="minichess")` another game (`games()` lists them). Boards compare equal by game and position, can be
/// keys of a dict, and can be pickled. An invalid position or move raises `ValueError`.
#[pyclass(frozen, module = "flipside")]
#[derive(Clone)]
pub struct Board {
    view: PositionView,
    /// The position before the moves of the history; `None` for the start of the game.
    start: Option<String>,
    picture: String,
}

/// The origin of a board: the start of its moves, the game, the moves.
type Origin = (Option<String>, &'static str, Vec<String>);

/// A position in calls: a board, or the text of a position.
pub enum BoardOrText<'py> {
    Board(PyRef<'py, Board>),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for BoardOrText<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<BoardOrText<'py>> {
        let board = value.extract().map(BoardOrText::Board);
        let either = board.or_else(|_| value.extract().map(BoardOrText::Text));
        either.map_err(|_| wrong_type("a Board, or the text of a position", &value))
    }
}

impl BoardOrText<'_> {
    /// The position's text, for a function that takes boards of one game.
    pub fn position(&self, game: &str) -> PyResult<String> {
        match self {
            BoardOrText::Board(board) if board.view.game == game => Ok(board.view.position.clone()),
            BoardOrText::Board(board) => {
                Err(bad_value(format!("expected a board of {game}, saw one of {}", board.view.game)))
            }
            BoardOrText::Text(text) => Ok(text.clone()),
        }
    }

    /// Sets an engine to the position, with the moves that led to it.
    pub fn set(&self, engine: &mut dyn DynEngine) -> PyResult<()> {
        match self {
            BoardOrText::Board(board) if board.view.game == engine.game() => board.set(engine),
            BoardOrText::Board(_) => self.position(engine.game()).map(drop),
            BoardOrText::Text(text) => set_position(engine, Some(text), "").map_err(bad_value),
        }
    }
}

/// Moves as text, separate or run together, or as a list.
pub enum Moves {
    Text(String),
    List(Vec<String>),
}

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Moves> {
        let text = value.extract().map(Moves::Text);
        let either = text.or_else(|_| value.extract().map(Moves::List));
        either.map_err(|_| wrong_type("moves such as 'f5' or 'f5 d6', or a list of them", &value))
    }
}

impl Moves {
    fn text(self) -> String {
        match self {
            Moves::Text(text) => text,
            Moves::List(list) => list.join(" "),
        }
    }

    /// The moves one by one, if they are separate.
    pub fn list(self) -> Vec<String> {
        match self {
            Moves::Text(text) => text.split_whitespace().map(str::to_string).collect(),
            Moves::List(list) => list,
        }
    }
}

impl Board {
    /// The present position of an engine that was set to this start.
    fn of(engine: &dyn DynEngine, start: Option<String>) -> Board {
        Board { view: PositionView::of(engine), start, picture: engine.picture(Style::Plain) }
    }

    /// The game's own name.
    pub fn game_name(&self) -> &'static str {
        self.view.game
    }

    /// The position on one line.
    pub fn position_text(&self) -> &str {
        &self.view.position
    }

    fn history_text(&self) -> String {
        self.view.history.iter().map(|played| played.mv.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn set(&self, engine: &mut dyn DynEngine) -> PyResult<()> {
        set_position(engine, self.start.as_deref(), &self.history_text()).map_err(bad_value)
    }

    fn same(&self) -> (&'static str, &str) {
        (self.view.game, &self.view.position)
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (position = None, *, game = "reversi", moves = None))]
    fn new(position: Option<String>, game: &str, moves: Option<Moves>) -> PyResult<Board> {
        let moves = moves.map_or_else(String::new, Moves::text);
        with_rules(game, |engine| {
            set_position(engine, position.as_deref(), &moves).map_err(bad_value)?;
            Ok(Board::of(engine, position))
        })
    }

    /// The position after a move (`"f5"`), or after several, separate (`"f5 d6"`), run together (`"f5d6"`) or as a
    /// list.
    ///
    /// Forced passes may be omitted. Raises `ValueError` if a move is not legal.
    fn play(&self, moves: Moves) -> PyResult<Board> {
        let moves = format!("{} {}", self.history_text(), moves.text());
        with_rules(self.view.game, |engine| {
            set_position(engine, self.start.as_deref(), &moves).map_err(bad_value)?;
            Ok(Board::of(engine, self.start.clone()))
        })
    }

    /// Name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game_name()
    }

    /// The position on one line, as `Board(position)` reads it.
    #[getter]
    fn position(&self) -> &str {
        self.position_text()
    }

    /// Name of the side to move, such as `black`.
    #[getter]
    fn side_to_move(&self) -> &'static str {
        self.view.side
    }

    /// Legal moves; a forced pass is one (`pass`); none when the game is over.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.view.legal.clone()
    }

    /// The board, a string for each row from top to bottom; None for a game without a board.
    #[getter]
    fn rows(&self) -> Option<Vec<String>> {
        self.view.rows.clone()
    }

    /// Discs or points of both sides, the first mover's first, if the game counts them.
    #[getter]
    fn points(&self) -> Option<(u32, u32)> {
        self.view.points.map(|[first, second]| (first, second))
    }

    /// The moves that led here, passes included.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.view.history.iter().map(|played| played.mv.clone()).collect()
    }

    /// The position that the moves start from.
    #[getter]
    fn start(&self) -> PyResult<Board> {
        Board::new(self.start.clone(), self.view.game, None)
    }

    /// Name of the game's opening, if it has a common one.
    #[getter]
    fn opening(&self) -> Option<&'static str> {
        self.view.opening
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.view.over
    }

    /// Name of the winner; None for a draw and while the game goes on.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.view.winner
    }

    /// By how many units (discs) the game was won, if the game counts them.
    #[getter]
    fn margin(&self) -> Option<u32> {
        self.view.margin
    }

    /// Reversi: the discs of the side to move and those of its opponent as sets of squares, bit 0 for a1, bit 7 for h1,
    /// bit 63 for h8: a row of the array that `evaluate` takes. Boards of other games have no such attribute.
    #[getter]
    fn discs(&self) -> PyResult<(u64, u64)> {
        if self.view.game != "reversi" {
            let reason = format!("discs are those of reversi, this is a board of {}", self.view.game);
            return Err(PyAttributeError::new_err(reason));
        }
        let board: reversi::Board = self.view.position.parse().map_err(failure)?;
        let bits::Board { player, opponent } = board.into();
        Ok((player, opponent))
    }

    fn __eq__(&self, other: &Board) -> bool {
        self.same() == other.same()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        self.same().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> &str {
        &self.picture
    }

    fn __repr__(&self) -> String {
        format!("Board({:?}, game={:?})", self.view.position, self.view.game)
    }

    /// The game so far as a picture for a notebook: the board with the number of each move on its square, and the state in words,
    /// which screen readers announce. None for a game without a board.
    fn _repr_svg_(&self) -> PyResult<Option<String>> {
        with_rules(self.view.game, |engine| {
            self.set(engine)?;
            Ok(svg(engine))
        })
    }

    /// Boards are copied and sent to other processes by their origin.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Origin)> {
        let board = slf.get();
        let rebuild = slf.py().import("flipside")?.getattr("_board")?;
        Ok((rebuild, (board.start.clone(), board.view.game, board.moves())))
    }
}
