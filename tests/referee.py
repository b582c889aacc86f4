#!/usr/bin/env python3
"""A small referee for two GTP Othello engines: every opening is played twice, colours swapped.

The rules here decide what is legal; the wall clock here decides who is late. Faults (illegal moves,
lost time, crashes, wrong answers) are counted by player. Passes are never sent to an engine: the
side that must pass is simply not asked, which every GTP engine for Othello accepts.

  tests/referee.py --first './target/release/flipside --gtp --move-time 0.5' \\
                   --second '/usr/games/gtp-rhino --level=3 --book=0' \\
                   --openings FILE --pairs 20 --jobs 2
"""
import argparse, random, shlex, subprocess, sys, threading, time
from concurrent.futures import ThreadPoolExecutor

DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


class Board:
    """The rules, square by square."""

    def __init__(self):
        self.cells = {(3, 3): "w", (4, 4): "w", (3, 4): "b", (4, 3): "b"}
        self.mover = "b"

    def turned(self, colour, row, column):
        if (row, column) in self.cells:
            return []
        found = []
        for down, right in DIRECTIONS:
            run, at = [], (row + down, column + right)
            while self.cells.get(at, colour) != colour:
                run.append(at)
                at = (at[0] + down, at[1] + right)
            if self.cells.get(at) == colour:
                found += run
        return found

    def moves(self, colour):
        squares = [(r, c) for r in range(8) for c in range(8)]
        return [name(r, c) for r, c in squares if self.turned(colour, r, c)]

    def play(self, colour, move):
        row, column = int(move[1]) - 1, ord(move[0].upper()) - 65
        for at in self.turned(colour, row, column) + [(row, column)]:
            self.cells[at] = colour
        self.mover = other(colour)

    def to_move(self):
        """Who has a move, the side on turn first; None when the game is over."""
        for colour in (self.mover, other(self.mover)):
            if self.moves(colour):
                return colour
        return None

    def score(self):
        """Black's discs less White's, empty squares to the winner."""
        black = sum(c == "b" for c in self.cells.values())
        white = len(self.cells) - black
        empty = 64 - black - white
        return black - white + (empty if black > white else -empty if black < white else 0)


def name(row, column):
    return "ABCDEFGH"[column] + str(row + 1)


def other(colour):
    return "w" if colour == "b" else "b"


class Fault(Exception):
    pass


class Engine:
    def __init__(self, command, patience):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.patience = patience

    def ask(self, line):
        """The answer to a command; a killed process ends the reading of one that hangs."""
        watchdog = threading.Timer(self.patience, self.process.kill)
        watchdog.start()
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            lines = []
            while True:
                text = self.process.stdout.readline()
                if text == "":
                    raise Fault(f"no answer to '{line}'")
                if text.strip() == "" and lines:
                    break
                if text.strip():
                    lines.append(text.rstrip("\n"))
        except OSError as error:
            raise Fault(f"gone at '{line}': {error}")
        finally:
            watchdog.cancel()
        if not lines[0].startswith("="):
            raise Fault(f"'{line}' was answered '{lines[0]}'")
        return lines[0][1:].strip()

    def close(self):
        try:
            self.process.stdin.write("quit\n")
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def play_game(options, commands, opening):
    """Black's command, White's command. Returns (score for black, fault or None, longest moves)."""
    board = Board()
    clocks = {"b": options.time, "w": options.time}
    longest = {"b": 0.0, "w": 0.0}
    engines = {}
    on_turn = "b"
    try:
        for colour, command in zip("bw", commands):
            on_turn = colour
            engines[colour] = Engine(command, options.patience)
            for line in ["boardsize 8", "clear_board"]:
                engines[colour].ask(line)
            if options.time:
                engines[colour].ask(f"time_settings {options.time:g} 0 0")
        for index in range(0, len(opening), 2):
            colour = board.to_move()
            for player in "bw":
                on_turn = player
                engines[player].ask(f"play {colour} {opening[index:index + 2]}")
            board.play(colour, opening[index:index + 2])
        while True:
            colour = board.to_move()
            if colour is None:
                return board.score(), None, longest
            on_turn = colour
            start = time.monotonic()
            move = engines[colour].ask(f"genmove {colour}").upper()
            used = time.monotonic() - start
            longest[colour] = max(longest[colour], used)
            if options.time:
                clocks[colour] -= used
                if clocks[colour] < 0:
                    raise Fault(f"lost on time ({-clocks[colour]:.3f} s over)")
            if move not in board.moves(colour):
                raise Fault(f"illegal move {move}")
            board.play(colour, move)
            on_turn = other(colour)
            engines[on_turn].ask(f"play {colour} {move}")
    except Fault as fault:
        return (-64 if on_turn == "b" else 64), (on_turn, str(fault)), longest
    finally:
        for engine in engines.values():
            engine.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", required=True, help="command of the first engine")
    parser.add_argument("--second", required=True, help="command of the second engine")
    parser.add_argument("--openings", help="file of openings, one run of moves a line; without it, random ones of 8 plies")
    parser.add_argument("--pairs", type=int, default=10, help="openings, each played twice")
    parser.add_argument("--jobs", type=int, default=1, help="games at the same time")
    parser.add_argument("--time", type=float, default=0, help="seconds a side and game (time_settings), judged here")
    parser.add_argument("--patience", type=float, default=120, help="seconds after which an answer is no longer awaited")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    chance = random.Random(options.seed)
    if options.openings:
        lines = [line.split()[0] for line in open(options.openings) if line.strip() and line[0] != "#"]
        openings = chance.sample(lines, options.pairs)
    else:
        openings = [random_opening(chance) for _ in range(options.pairs)]

    games = [(opening, swapped) for opening in openings for swapped in (False, True)]

    def run(game):
        opening, swapped = game
        commands = [options.second, options.first] if swapped else [options.first, options.second]
        return swapped, play_game(options, commands, opening)

    wins = draws = losses = margin = 0
    faults = {"first": [], "second": []}
    longest = {"first": 0.0, "second": 0.0}
    with ThreadPoolExecutor(options.jobs) as pool:
        for number, (swapped, (score, fault, slowest)) in enumerate(pool.map(run, games), 1):
            own = -score if swapped else score
            margin += own
            wins, draws, losses = wins + (own > 0), draws + (own == 0), losses + (own < 0)
            for colour, used in slowest.items():
                player = "first" if (colour == "b") != swapped else "second"
                longest[player] = max(longest[player], used)
            if fault:
                player = "first" if (fault[0] == "b") != swapped else "second"
                faults[player].append(fault[1])
                print(f"game {number}: {player}: {fault[1]}", flush=True)
            points = 100 * (wins + draws / 2) / number
            print(f"game {number}/{len(games)}: {own:+d}   +{wins} ={draws} -{losses}   {points:.1f} %", flush=True)
    print(f"first: +{wins} ={draws} -{losses}, {points:.1f} % of the points, mean margin {margin / len(games):+.1f} discs")
    print(f"longest move: first {longest['first']:.3f} s, second {longest['second']:.3f} s")
    print(f"faults: first {len(faults['first'])}, second {len(faults['second'])}")
    sys.exit(1 if faults["first"] else 0)


def random_opening(chance):
    board, moves = Board(), ""
    for _ in range(8):
        colour = board.to_move()
        move = chance.choice(board.moves(colour))
        board.play(colour, move)
        moves += move.lower()
    return moves


if __name__ == "__main__":
    main()
