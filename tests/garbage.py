#!/usr/bin/env python3
"""A megabyte of garbage a second into every dialect: the engine must stay alive, its memory flat, and
its answers right afterwards. Linux only (it reads /proc).

  tests/garbage.py ./target/release/flipside [SECONDS]
"""
import random, subprocess, sys, threading, time

binary = sys.argv[1]
seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
CHUNK = 100_000
# Half of the garbage begins like a real line. Nothing starts a search: that would take its time.
WORDS = {
    "gtp": ["play b ", "17 ", "undo", "boardsize ", "time_left ", "flipside-setup ", "known_command ", "komi "],
    "nboard": ["set game (;", "move ", "set depth ", "set contempt ", "nboard ", "learn", "new "],
    "uci": ["position fen ", "position startpos moves ", "setoption name ", "isready", "debug ", "register "],
    "xboard": ["setboard ", "option ", "level ", "result ", "protover ", "variant ", "undo", "force"],
}
LAST = {"gtp": ("77 name", "=77 Flipside"), "nboard": ("ping 77", "pong 77"), "uci": ("isready", "readyok"),
        "xboard": ("ping 77", "pong 77")}


def resident(process):
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def garbage(chance, words):
    lines, size = [], 0
    while size < CHUNK:
        line = chance.randbytes(chance.choice([3, 20, 80, 2000])).replace(b"\n", b" ")
        if chance.random() < 0.5:
            line = chance.choice(words).encode() + line
        lines.append(line)
        size += len(line) + 1
    return b"\n".join(lines) + b"\n"


def soak(dialect):
    chance = random.Random(dialect)
    process = subprocess.Popen([binary, f"--{dialect}", "--hash", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tail = []

    def read():
        for line in process.stdout:
            tail[:] = tail[-5:] + [line.decode(errors="replace").strip()]

    reader = threading.Thread(target=read)
    reader.start()
    sizes, sent, begun = [], 0, time.monotonic()
    while time.monotonic() - begun < seconds:
        process.stdin.write(garbage(chance, WORDS[dialect]))
        process.stdin.flush()
        sent += CHUNK
        sizes.append(resident(process))
        time.sleep(max(0.0, begun + sent / 1e6 - time.monotonic()))
    question, answer = LAST[dialect]
    process.stdin.write((question + "\n").encode())
    process.stdin.close()
    reader.join(60)
    alive = answer in tail and process.wait(60) == 0
    early, late = max(sizes[: len(sizes) // 4 + 1]), max(sizes[-len(sizes) // 4 :])
    print(f"{dialect}: {sent / 1e6:.0f} MB, memory at most {early:.1f} MiB in the first quarter, {late:.1f} MiB in the last;"
          f" {'answers and leaves' if alive else f'NO ANSWER: {tail}'}", flush=True)
    return alive and late < early + 4


threads = [threading.Thread(target=lambda d=dialect: results.append(soak(d))) for dialect in WORDS]
results = []
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(0 if len(results) == len(WORDS) and all(results) else 1)
