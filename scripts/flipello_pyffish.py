#!/usr/bin/env python3
"""Run by hand: pip install pyffish; scripts/flipello_pyffish.py GAMES GO ENGINE [OPPONENT]

Plays flipello games over UCI with pyffish (Fairy-Stockfish's rules) as the arbiter. `flipside match` does the same by our
own rules; this checks those rules against others.

ENGINE and OPPONENT are command lines; without OPPONENT the engine plays itself. GO is what follows `go`: `movetime 500`,
or `clock MILLISECONDS INCREMENT`. An illegal move, a move after the clock has run out, or no answer for a minute ends
the run with status 1.
"""

import queue
import random
import shlex
import subprocess
import sys
import threading
import time

import pyffish

VARIANT = "flipello"


class Player:
    """A UCI engine as a child process."""

    def __init__(self, command):
        self.name = command
        self.child = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.send("uci")
        greeting = self.until("uciok")
        if not any("UCI_Variant" in line and VARIANT in line.split() for line in greeting):
            raise SystemExit(f"{command} does not list {VARIANT}")
        self.send(f"setoption name UCI_Variant value {VARIANT}")
        self.ready()

    def _read(self):
        for line in self.child.stdout:
            self.lines.put(line.rstrip("\n"))

    def send(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()

    def until(self, word):
        seen = []
        while not seen or seen[-1].split(" ")[0] != word:
            seen.append(self.lines.get(timeout=60))
        return seen

    def ready(self):
        self.send("isready")
        self.until("readyok")

    def new_game(self):
        self.send("ucinewgame")
        self.ready()

    def move(self, moves, words):
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        began = time.monotonic()
        self.send("go " + words)
        lines = self.until("bestmove")
        used = time.monotonic() - began
        if not any(" score " in line for line in lines):
            raise SystemExit(f"{self.name}: no score before {lines[-1]}")
        return lines[-1].split()[1], used

    def quit(self):
        self.send("quit")
        self.child.wait(timeout=10)


def play(players, go, opening):
    """Returns the discs of both sides; the players move in turn from the opening."""
    moves, start = [], pyffish.start_fen(VARIANT)
    clocks = [int(go[1]) / 1000] * 2 if go[0] == "clock" else None
    while True:
        fen = pyffish.get_fen(VARIANT, start, moves)
        legal = pyffish.legal_moves(VARIANT, start, moves)
        board = fen.split("[")[0].split(" ")[0]
        if not legal or pyffish.is_immediate_game_end(VARIANT, start, moves)[0]:
            return board.count("P"), board.count("p"), len(moves)
        side = len(moves) % 2
        if len(moves) < len(opening):
            moves.append(legal[opening[len(moves)] % len(legal)])
            continue
        if clocks is None:
            words = " ".join(go)
        else:
            white, black = (max(1, int(clock * 1000)) for clock in clocks)
            words = f"wtime {white} btime {black} winc {go[2]} binc {go[2]}"
        move, used = players[side].move(moves, words)
        if clocks is not None:
            clocks[side] -= used
            if clocks[side] < 0:
                raise SystemExit(f"{players[side].name}: out of time by {-clocks[side]:.3f} s after {moves}")
            clocks[side] += int(go[2]) / 1000
        if move not in legal:
            raise SystemExit(f"{players[side].name}: illegal {move} after {moves}; legal: {legal}")
        moves.append(move)


def main():
    games, go = int(sys.argv[1]), sys.argv[2].split()
    commands = sys.argv[3:] if len(sys.argv) > 4 else [sys.argv[3]] * 2
    players = [Player(command) for command in commands]
    wins, draws, losses, margin = 0, 0, 0, 0
    randomness = random.Random(1)
    for game in range(games):
        if game % 2 == 0:
            opening = [randomness.randrange(1000) for _ in range(6)]
        order = players if game % 2 == 0 else players[::-1]
        for player in players:
            player.new_game()
        black, white, plies = play(order, go, opening)
        difference = (black - white) * (1 if game % 2 == 0 else -1)
        wins, draws, losses = wins + (difference > 0), draws + (difference == 0), losses + (difference < 0)
        margin += difference
        print(f"game {game + 1}: {black}-{white} in {plies} plies; first player +{wins} ={draws} -{losses}", flush=True)
    for player in players:
        player.quit()
    print(f"{games} games, +{wins} ={draws} -{losses}, {margin / games:+.1f} discs a game, no illegal move, no late move")


if __name__ == "__main__":
    main()
