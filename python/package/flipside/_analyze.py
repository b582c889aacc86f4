"""The cost of each move of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ._flipside import Board, Engine


@dataclass(frozen=True)
class MoveReport:
    """A move of a game beside the best one.

    Scores are in units (discs, pawns) for the side that moves. They are None if the position has only one move.
    """

    number: int
    """Number of the move in the game, from 1; passes count."""
    side: str
    """The side that made it."""
    move: str
    """The move."""
    best: str
    """The best move."""
    score: float | None
    """Value of the move."""
    best_score: float | None
    """Value of the best move."""
    exact: bool
    """Whether both values are those of perfect play."""

    @property
    def loss(self) -> float:
        """The cost of the move, in units; 0 for a best one."""
        if self.score is None or self.best_score is None:
            return 0.0
        return max(0.0, self.best_score - self.score)


def analyze(
    game: Board | str | Sequence[str],
    *,
    engine: Engine | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
) -> list[MoveReport]:
    """The cost of each move of a game: a list with a `MoveReport` for each move.

    `game`: its moves (`"f5 d6 …"` or a list), or its last position, with its moves (`Board(moves="f5 d6 …")`).
    Each position is searched within the limits `depth` (plies; 12 without any limit), `nodes` (positions) and `time`
    (seconds), and so is the played move, if another one is better.
    `engine`: the engine that searches; None opens one. Ctrl-C ends the analysis.
    """
    if depth is None and nodes is None and time is None:
        depth = 12
    if not isinstance(game, Board):
        game = Board(game=engine.game if engine is not None else "reversi").play(game)
    if engine is not None:
        return list(_reports(game, engine, depth, nodes, time))
    with Engine(game.game) as opened:
        return list(_reports(game, opened, depth, nodes, time))


def _reports(
    game: Board, engine: Engine, depth: int | None, nodes: int | None, time: float | None
) -> Iterator[MoveReport]:
    for number, (board, move) in enumerate(_positions(game), start=1):
        if len(board.legal_moves) < 2:
            yield MoveReport(number, board.side_to_move, move, move, None, None, False)
            continue
        best = engine.search(board, depth=depth, nodes=nodes, time=time)
        played = best
        if best.move != move:
            played = engine.search(board, depth=depth, nodes=nodes, time=time, moves=[move])
        exact = best.is_exact and played.is_exact
        yield MoveReport(number, board.side_to_move, move, best.move or move, played.score, best.score, exact)


def _positions(game: Board) -> Iterator[tuple[Board, str]]:
    """The positions of a game with the move that was played in each."""
    board = game.start
    for move in game.moves:
        yield board, move
        board = board.play(move)
