#!/usr/bin/env python3
"""Run by hand: scripts/garbage.py ./target/release/flipside [SECONDS]

A soak test: a megabyte of garbage a second into every protocol. The engine must keep running, use no more memory over
time, and answer correctly afterwards. Linux only (it reads /proc).
"""
import random, subprocess, sys, threading, time

binary = sys.argv[1]
seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
CHUNK = 100_000
# Half of the garbage begins like a command. Searches are left out, because they take time.
PREFIXES = {
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


def garbage(generator, prefixes):
    lines, size = [], 0
    while size < CHUNK:
        line = generator.randbytes(generator.choice([3, 20, 80, 2000])).replace(b"\n", b" ")
        if generator.random() < 0.5:
            line = generator.choice(prefixes).encode() + line
        lines.append(line)
        size += len(line) + 1
    return b"\n".join(lines) + b"\n"


def soak(protocol):
    generator = random.Random(protocol)
    process = subprocess.Popen([binary, f"--{protocol}", "--hash", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    tail = []

    def read():
        for line in process.stdout:
            tail[:] = tail[-5:] + [line.decode(errors="replace").strip()]

    reader = threading.Thread(target=read)
    reader.start()
    sizes, sent, begun = [], 0, time.monotonic()
    while time.monotonic() - begun < seconds:
        process.stdin.write(garbage(generator, PREFIXES[protocol]))
        process.stdin.flush()
        sent += CHUNK
        sizes.append(resident(process))
        time.sleep(max(0.0, begun + sent / 1e6 - time.monotonic()))
    question, answer = LAST[protocol]
    process.stdin.write((question + "\n").encode())
    process.stdin.close()
    reader.join(60)
    answers = answer in tail and process.wait(60) == 0
    early, late = max(sizes[: len(sizes) // 4 + 1]), max(sizes[-len(sizes) // 4 :])
    print(f"{protocol}: {sent / 1e6:.0f} MB, memory at most {early:.1f} MiB in the first quarter, {late:.1f} MiB in the last;"
          f" {'answers and exits' if answers else f'NO ANSWER: {tail}'}", flush=True)
    return answers and late < early + 4


threads = [threading.Thread(target=lambda d=protocol: results.append(soak(d))) for protocol in PREFIXES]
results = []
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(0 if len(results) == len(PREFIXES) and all(results) else 1)
