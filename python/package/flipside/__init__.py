"""A game engine for Reversi (Othello), MiniChess and small games.

>>> import flipside
>>> board = flipside.Board(moves="f5 d6 c3")
>>> with flipside.Engine() as engine:
...     found = engine.search(board, depth=8)
>>> found.move in board.legal_moves
True

Scores are in units (discs, pawns) for the side to move. Invalid input raises `ValueError` (`TypeError`
for a wrong type) with a text that describes valid input.
"""

from __future__ import annotations

from ._analyze import MoveReport, analyze
from ._evaluate import evaluate
from ._flipside import Board, Engine, __version__, bench, games, perft, trace
from ._results import Analysis, Iteration, Solution, Trace
from ._solve import solve

__all__ = [
    "Analysis",
    "Board",
    "Engine",
    "Iteration",
    "MoveReport",
    "Solution",
    "Trace",
    "__version__",
    "analyze",
    "bench",
    "evaluate",
    "games",
    "perft",
    "solve",
    "trace",
]


def _board(start: str | None, game: str, moves: list[str]) -> Board:
    """A board from its pickle."""
    return Board(start, game=game, moves=moves)
