"""Exact scores of positions of Reversi."""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from ._flipside import Board
from ._flipside import solve as _solve
from ._results import Solution


@overload
def solve(  # type: ignore[overload-overlap] # a text is an iterable, too, but no list of positions
    boards: Board | str, *, threads: int = 1, hash: int = 64
) -> Solution: ...
@overload
def solve(boards: Iterable[Board | str], *, threads: int = 1, hash: int = 64) -> list[Solution]: ...
def solve(
    boards: Board | str | Iterable[Board | str], *, threads: int = 1, hash: int = 64
) -> Solution | list[Solution]:
    """Solves positions of Reversi: exact scores.

    `boards`: a list of `Board` or of texts of positions, whose list of `Solution` is returned in the same order; or a single one,
    whose `Solution` is returned. With 20 empty squares a position takes a fraction of a second, with 26 some seconds, and each
    further square doubles or triples that.

    `threads` (1 to 256) solve positions side by side, or share one if there are fewer positions. `hash` is the MiB of tables in
    all. Other threads of Python run meanwhile, and Ctrl-C ends the call.
    """
    if isinstance(boards, (str, Board)):
        return _solve([boards], threads=threads, hash=hash)[0]
    return _solve(list(boards), threads=threads, hash=hash)
