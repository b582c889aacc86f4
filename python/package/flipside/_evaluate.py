"""Static evaluations of many positions at once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

from ._flipside import Board
from ._flipside import evaluate as _evaluate
from ._flipside import evaluate_discs as _evaluate_discs

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


@overload
def evaluate(
    boards: NDArray[numpy.uint64],
    *,
    game: str | None = None,
    evaluation: str = "default",
    weights: str | os.PathLike[str] | None = None,
) -> NDArray[numpy.float32]: ...
@overload
def evaluate(
    boards: Iterable[Board | str],
    *,
    game: str | None = None,
    evaluation: str = "default",
    weights: str | os.PathLike[str] | None = None,
) -> list[float]: ...
def evaluate(
    boards: Any,
    *,
    game: str | None = None,
    evaluation: str = "default",
    weights: str | os.PathLike[str] | None = None,
) -> Any:
    """Static evaluations, without a search: the value of each position for its side to move, in units (discs, pawns).
    A finished game has its value by the rules.

    `boards`: a list of `Board` or of texts of positions of one game (`game`; that of the first board, else Reversi), whose list
    of floats is returned; or, for Reversi, a numpy array of shape (n, 2) and type uint64, a row a position: the discs of the side
    to move and those of its opponent, bit 0 for a1, bit 63 for h8 (`Board.discs`). Then the result is an array of shape (n,)
    and type float32.

    `evaluation`: its name; `default` is the game's best. `weights`: path of a file of weights, instead of those inside.
    """
    if hasattr(boards, "__array_interface__"):
        return _evaluate_array(boards, game, evaluation, weights)
    if isinstance(boards, (str, Board)):
        raise TypeError("evaluate expects a list of positions, or an array; of one position, [board]")
    boards = list(boards)
    if game is None:
        game = next((board.game for board in boards if isinstance(board, Board)), "reversi")
    return _evaluate(boards, game=game, evaluation=evaluation, weights=weights)


def _evaluate_array(array: Any, game: str | None, evaluation: str, weights: str | os.PathLike[str] | None) -> Any:
    import numpy

    array = numpy.asarray(array)
    if game not in (None, "reversi"):
        raise ValueError(f"arrays hold positions of reversi, saw {game}: give a list of boards")
    if array.dtype != numpy.uint64 or array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"expected an array of shape (n, 2) and type uint64, saw {array.shape} and {array.dtype}")
    discs = numpy.ascontiguousarray(array, dtype="<u8").tobytes()
    values = _evaluate_discs(discs, evaluation=evaluation, weights=weights)
    return numpy.frombuffer(values, dtype="<f4").astype(numpy.float32)
