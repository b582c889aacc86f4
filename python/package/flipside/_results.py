"""The results of searches and solves: plain data, which can be compared, copied and pickled."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Iteration:
    """A finished iteration of one line of play."""

    rank: int
    """1 for the best line."""
    depth: int
    """Plies."""
    score: float
    """In units (discs, pawns) for the side to move; 300 less a hundredth for each ply is a proven win."""
    certainty: str
    """`exact`, `proven` (a sure win or loss; best play may take another number of plies), `wld` (win, loss
    or draw), `end@P%` (played out, some lines pruned at that confidence) or `mid@P%` (an estimate)."""
    nodes: int
    """Positions searched, over all threads."""
    time: float
    """Seconds since the search began."""
    line: list[str]
    """The principal variation."""
    wdl: list[int] | None = None
    """Chances of a win, a draw and a loss in thousandths; None if the game has no model of them."""

    def __repr__(self) -> str:
        return (
            f"Iteration(depth={self.depth}, score={self.score:+.2f}, certainty={self.certainty!r}, "
            f"line={' '.join(self.line)!r})"
        )


@dataclass(frozen=True)
class Analysis:
    """The result of a search."""

    move: str | None
    """The best move; None when the game is over."""
    score: float | None
    """That of the last iteration (`Iteration.score`); None if no iteration was finished."""
    certainty: str | None
    """That of the last iteration; None if no iteration was finished."""
    depth: int
    """Plies of the last iteration; 0 if none was finished."""
    nodes: int
    """Positions searched, over all threads."""
    time: float
    """Seconds."""
    line: list[str]
    """The principal variation of the last iteration."""
    lines: list[Iteration]
    """The last iteration of each line of play, the best first."""
    wdl: list[int] | None = None
    """That of the last iteration (`Iteration.wdl`)."""

    @property
    def is_exact(self) -> bool:
        """Whether the score is the value of perfect play."""
        return self.certainty == "exact"

    def __repr__(self) -> str:
        score = None if self.score is None else f"{self.score:+.2f}"
        return f"Analysis(move={self.move}, score={score}, depth={self.depth}, nodes={self.nodes})"


@dataclass(frozen=True)
class Solution:
    """The value of perfect play in a position of Reversi."""

    score: int
    """Discs of the side to move less those of its opponent at the end, -64 to 64, empty squares to the winner."""
    move: str | None
    """A best move; None when the game is over."""
    line: list[str]
    """Best play of both sides to the end."""
    nodes: int
    """Positions searched, over all threads."""
    time: float
    """Seconds."""

    def __repr__(self) -> str:
        return f"Solution(score={self.score:+}, move={self.move}, nodes={self.nodes})"


@dataclass(frozen=True)
class Trace:
    """A search by a searcher of the textbook, node by node. A notebook shows its picture, `print` its diagram."""

    algorithm: str
    """Name of the searcher."""
    value: float
    """The value of the root for Max, `math.inf` for a win and `-math.inf` for a loss; of uct the mean of its playouts."""
    bound: str
    """`exact`, or `at least` and `at most` for a value outside the window of the root."""
    visited: int
    """Nodes of the tree that were visited."""
    again: int
    """Second visits of nodes."""
    beside: int
    """Visits beside the tree, or deeper than its depth: quiescence, null moves, ProbCut."""
    positions: int | None
    """Nodes of the whole tree; None for uct, which samples it."""
    summary: str
    """Value and visits in a line."""
    diagram: str
    """The tree in characters, with values and windows; with `deepen` after a line for each search of the root."""
    steps: str
    """A line for each step: `enter`, `cut`, `prune` and `leave`, each with the ply."""
    svg: str
    """The tree as a picture, with the summary as its title."""
    json: str
    """The same as an object in JSON, as `flipside trace --json` prints it."""

    @property
    def tree(self) -> dict[str, Any]:
        """The root of the tree with its children, of the object in JSON."""
        tree: dict[str, Any] = json.loads(self.json)["tree"]
        return tree

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.diagram + self.summary

    def __repr__(self) -> str:
        return f"Trace({self.algorithm}: {self.summary})"
