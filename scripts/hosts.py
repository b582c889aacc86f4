#!/usr/bin/env python3
"""Uses python-chess as a UCI and as an XBoard host: scripts/hosts.py PROGRAM

Needs the package chess (PyPI). For each protocol it reads the engine's options, sets each of them to its default and
to the ends of its range, plays a game of MiniChess against itself, and asks for an analysis. python-chess knows no
MiniChess: a board that only keeps the moves stands for it, and the engine refuses an illegal one.
Prints a line for each protocol; called by scripts/hosts.
"""

import sys

import chess
import chess.engine

START = "kqbnr/ppppp/5/5/PPPPP/RNBQK w - - 0 1"


class MiniBoard(chess.Board):
    """Keeps the moves of a game whose rules python-chess does not know."""

    uci_variant = xboard_variant = "minichess"
    aliases = ["minichess"]
    starting_fen = START

    def __init__(self, fen=None, *, chess960=False):
        super().__init__(None, chess960=chess960)
        self.turn = chess.WHITE

    def fen(self, **_):
        return START

    def root(self):
        return type(self)()

    def copy(self, *, stack=True):
        other = type(self)()
        if stack:
            other.move_stack = self.move_stack[:]
        other.turn = self.turn
        return other

    def push(self, move):
        self.move_stack.append(move)
        self.turn = not self.turn

    def pop(self):
        self.turn = not self.turn
        return self.move_stack.pop()

    def parse_uci(self, uci):
        return chess.Move.from_uci(uci)

    def parse_xboard(self, text):
        return chess.Move.from_uci(text)

    parse_san = parse_xboard

    def push_uci(self, uci):
        move = self.parse_uci(uci)
        self.push(move)
        return move

    def uci(self, move, *, chess960=None):
        return move.uci()

    def xboard(self, move, chess960=None):
        return move.uci()

    def is_game_over(self, **_):
        return False

    def outcome(self, **_):
        return None


def settings(engine):
    """Sets every option that python-chess does not manage itself to its default and to its extremes."""
    count = 0
    for name, option in engine.options.items():
        if option.is_managed() or option.type in ("button", "save", "reset", "file", "path"):
            continue
        assert option.default not in ("", None) or option.type == "string", f"{name} has no default: {option}"
        values = {option.default}
        if option.type == "combo":
            assert all(option.var), f"{name} has an empty value: {option.var}"
            values |= set(option.var)
        elif option.type == "spin":
            # Tables of gigabytes, and more threads than processors, are for other tests.
            values |= {option.min or 0, min(option.max or 64, 64)}
        for value in values:
            # A variant without MiniChess's evaluations would refuse what follows.
            if name not in ("UCI_Variant", "Evaluation", "Algorithm", "Book", "Weights"):
                engine.configure({name: value})
        if option.default is not None:
            engine.configure({name: option.default})
        count += 1
    return count


def play(engine):
    board = MiniBoard()
    while len(board.move_stack) < 80:
        result = engine.play(board, chess.engine.Limit(time=0.05))
        if result.move is None:
            break
        board.push(result.move)
    return len(board.move_stack)


def run(kind, opened):
    with opened as engine:
        count = settings(engine)
        engine.ping()
        analysis = engine.analyse(MiniBoard(), chess.engine.Limit(time=0.3))
        assert analysis["depth"] >= 4 and analysis["pv"], analysis
        moves = play(engine)
        assert moves >= 10, f"a game of {moves} moves"
    line = f"{count} options set to their defaults and the ends of their ranges; an analysis to depth {analysis['depth']}"
    print(f"| python-chess, {kind} | {chess.__version__} | {line}; a game of MiniChess, {moves} moves |")


if __name__ == "__main__":
    program = sys.argv[1]
    run("UCI", chess.engine.SimpleEngine.popen_uci([program, "--uci", "--game", "minichess", "--no-config"], timeout=20))
    run("XBoard", chess.engine.SimpleEngine.popen_xboard([program, "--xboard", "--no-config"], timeout=20))
