#!/usr/bin/env python3
"""Solves positions of an OBF file through a GTP process and compares with the listed scores.

  tests/ffo_gtp.py ./target/release/flipside ffo.obf 1 30
"""
import re, subprocess, sys, time

binary, path, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
engine = subprocess.Popen([binary, "--gtp", "--depth", "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(line):
    engine.stdin.write(line + "\n")
    engine.stdin.flush()
    answer = []
    while (text := engine.stdout.readline().rstrip("\n")) != "" or not answer:
        answer.append(text)
    assert answer[0].startswith("="), (line, answer)
    return answer


wrong = nodes = 0
start = time.monotonic()
lines = [line for line in open(path) if line.strip() and not line.startswith("#")]
for number, line in enumerate(lines[first - 1:last], first):
    position = line.split(";")[0].strip()
    scores = {move: int(score) for move, score in re.findall(r"([a-h][1-8]):([+-]\d+)", line.split("#")[0])}
    best = max(scores.values())
    ask("clear_board")
    ask(f"flipside-setup {position}")
    colour = "b" if position.endswith("X") else "w"
    begin = time.monotonic()
    move = ask(f"reg_genmove {colour}")[0][2:].lower()
    used = time.monotonic() - begin
    statistics = ask("flipside-statistics")[0].split()
    # The table remembers the solve: an analysis tells the score at once.
    report = [line for line in ask(f"flipside-analyze {colour} 1 2") if " certainty exact " in line]
    score = float(report[-1].split(" score ")[1].split()[0]) if report else None
    nodes += int(statistics[2])
    good = scores.get(move) == best and score == best
    wrong += not good
    print(f"{number:2} {move} {score} best {best:+d} {'ok' if good else 'WRONG'} {used:.3f} s {statistics[2]} nodes")
print(f"{last - first + 1 - wrong} of {last - first + 1} best moves with exact scores, {nodes} nodes, {time.monotonic() - start:.1f} s")
sys.exit(1 if wrong else 0)
