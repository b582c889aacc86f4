import os
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Literal, final

from ._results import Analysis, Iteration, Solution, Trace

__version__: str
__all__ = [
    "__version__",
    "Board",
    "Engine",
    "bench",
    "evaluate",
    "evaluate_discs",
    "games",
    "perft",
    "solve",
    "trace",
]

@final
class Board:
    def __new__(
        cls, position: str | None = None, *, game: str = "reversi", moves: str | Sequence[str] | None = None
    ) -> Board: ...
    def play(self, moves: str | Sequence[str]) -> Board: ...
    @property
    def game(self) -> str: ...
    @property
    def position(self) -> str: ...
    @property
    def side_to_move(self) -> str: ...
    @property
    def legal_moves(self) -> list[str]: ...
    @property
    def rows(self) -> list[str] | None: ...
    @property
    def points(self) -> tuple[int, int] | None: ...
    @property
    def moves(self) -> list[str]: ...
    @property
    def start(self) -> Board: ...
    @property
    def opening(self) -> str | None: ...
    @property
    def is_over(self) -> bool: ...
    @property
    def winner(self) -> str | None: ...
    @property
    def margin(self) -> int | None: ...
    @property
    def discs(self) -> tuple[int, int]: ...
    def _repr_svg_(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Engine:
    def __new__(
        cls,
        game: str = "reversi",
        *,
        evaluation: str = "default",
        weights: str | os.PathLike[str] | None = None,
        hash: int = 64,
        threads: int = 1,
    ) -> Engine: ...
    @property
    def game(self) -> str: ...
    def search(
        self,
        board: Board | str | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        lines: int = 1,
        level: int = 60,
        strength: int = 100,
        elo: int | None = None,
        variety: int = 0,
        seed: int = 0,
        moves: str | Sequence[str] | None = None,
        on_iteration: Callable[[Iteration], object] | None = None,
    ) -> Analysis: ...
    def stop(self) -> None: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Engine: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

def games() -> list[tuple[str, list[str]]]: ...
def bench(game: Literal["reversi", "minichess"] = "reversi") -> int: ...
def perft(board: Board | str, depth: int, *, game: str = "reversi") -> int: ...
def solve(boards: Sequence[Board | str], *, threads: int = 1, hash: int = 64) -> list[Solution]: ...
def evaluate(
    boards: Sequence[Board | str], *, game: str, evaluation: str, weights: str | os.PathLike[str] | None
) -> list[float]: ...
def evaluate_discs(discs: bytes, *, evaluation: str, weights: str | os.PathLike[str] | None) -> bytes: ...
def trace(
    tree: Board | str,
    *,
    algorithm: str = "alphabeta",
    order: str = "natural",
    depth: int | None = None,
    evaluation: str = "default",
    window: str | None = None,
    root: str = "max",
    table: bool = False,
    deepen: bool = False,
    graph: bool = False,
    techniques: Sequence[str] | None = None,
    without: Sequence[str] | None = None,
    playouts: int | None = None,
    fold: int | None = None,
    most_nodes: int | None = None,
) -> Trace: ...
