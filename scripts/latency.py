#!/usr/bin/env python3
"""Run by hand: scripts/latency.py ./target/release/flipside [ROUNDS] [BURNERS]

Measures latency under load: from an interruption to the answer, from the end of the time to the answer, and from
`isready` and `ping` to their answers during a search, while BURNERS processes (default: one a core) keep the cores busy.
Positions of the middle game and of the exact solver alternate.
"""
import os, random, subprocess, sys, time

binary = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200
burners = int(sys.argv[3]) if len(sys.argv) > 3 else os.cpu_count()
POSITIONS = [
    "---------------------------OX------XO--------------------------- X",
    "--------------------------XXX----OOXX----OXO-----XOO----O------- O",
    "--OX----OXXXX-O-XXXXXO--XXOXXXO-OOOXXO--OOOOX---O-OX--------O--- X",
    "--XXXX--O-XXXX--OOXOXXX-OOOOOXOOOOXOXO--OOOXOO--O-XO------------ O",
]
load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(burners)]
generator = random.Random(1)


def engine(*arguments, protocol="--gtp"):
    return subprocess.Popen([binary, protocol, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def until(process, word):
    while not process.stdout.readline().startswith(word):
        pass


def send(process, line):
    process.stdin.write(line + "\n")
    process.stdin.flush()


def answer(process):
    first = process.stdout.readline()
    while process.stdout.readline().strip():
        pass
    return first


def report(name, times):
    times = sorted(1000 * t for t in times)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    print(f"{name}: median {at(.5):.1f} ms, 99th percentile {at(.99):.1f} ms, maximum {times[-1]:.1f} ms ({len(times)} rounds)")


try:
    process, stops = engine("--move-time", "600"), []
    for index in range(rounds):
        position = POSITIONS[index % len(POSITIONS)]
        send(process, f"flipside-setup {position}")
        answer(process)
        send(process, f"reg_genmove {'b' if position.endswith('X') else 'w'}")
        time.sleep(generator.uniform(0.05, 0.15))
        start = time.monotonic()
        send(process, "# interrupt")
        answer(process)
        stops.append(time.monotonic() - start)
    process.kill()
    report("interruption to answer", stops)

    limit = 0.1
    process, late = engine("--move-time", str(limit)), []
    send(process, "flipside-option Move_Overhead 0")
    answer(process)
    for index in range(rounds):
        position = POSITIONS[index % len(POSITIONS)]
        send(process, f"flipside-setup {position}")
        answer(process)
        start = time.monotonic()
        send(process, f"reg_genmove {'b' if position.endswith('X') else 'w'}")
        answer(process)
        late.append(max(0.0, time.monotonic() - start - limit))
    process.kill()
    report(f"answer after a bound of {1000 * limit:.0f} ms", late)

    # Time of readiness in UCI and NBoard, during a search with a thread for every core.
    process, answers = engine("--threads", str(os.cpu_count()), protocol="--uci"), []
    for index in range(rounds):
        if index % 20 == 0:
            send(process, "stop\nposition startpos\ngo infinite")
        time.sleep(generator.uniform(0.02, 0.08))
        start = time.monotonic()
        send(process, "isready")
        until(process, "readyok")
        answers.append(time.monotonic() - start)
    process.kill()
    report("isready during a search", answers)

    process, answers = engine("--threads", str(os.cpu_count()), protocol="--nboard"), []
    for index in range(rounds):
        send(process, "hint 1")
        time.sleep(generator.uniform(0.02, 0.08))
        start = time.monotonic()
        send(process, f"ping {index}")
        until(process, f"pong {index}")
        answers.append(time.monotonic() - start)
    process.kill()
    report("ping during a search", answers)
finally:
    for process in load:
        process.kill()
