#!/usr/bin/env python3
"""Simulates how long a proof takes on a number of cores, and how much of the work is wasted.

    scripts/cluster/simulate.py --flipside target/release/flipside --empties 20 --cores 1 10 100 1000 -- "$POSITION"

Nothing of the proof is simulated but the clock: `flipside join --stream` gives out the tasks, every task is really solved (once:
answers depend on the task alone and are kept in --answers, which local.py writes, too), and its core is busy for its nodes
divided by --speed, and --latency. The processor time that `join` really takes to answer a request passes on the virtual clock, too:
there is one of it, however many cores wait. A task that has become needless is stopped, as local.py and spark_job.py do. Printed are, for each
number of cores: virtual seconds and those of `join` among them, tasks, how busy the cores were, and which part of the nodes went into
tasks that were stopped or would not have been given out to a single core.
"""

import argparse
import heapq
import json
import os
import shutil
import subprocess
import tempfile
import time

from joiner import Joiner


def processor_time(process):
    """Seconds that a running process has had a processor, on Linux: other programs do not matter. See clock_getcpuclockid(3)."""
    return time.clock_gettime(~process.pid << 3 | 2)


class Solver:
    """`flipside solve --json`, asked at most once for each position and window."""

    def __init__(self, flipside, megabytes, path):
        self.process = subprocess.Popen([flipside, "solve", "--json", "--hash", megabytes],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.known = {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    self.remember(json.loads(line))
        self.file = open(path, "a", encoding="utf-8") if path else None

    def remember(self, answer):
        self.known[answer["position"], tuple(answer["window"])] = answer

    def nodes(self, task):
        """The nodes of a task, and its score; solved now if it is not known."""
        key = task["position"], tuple(task["window"])
        if key not in self.known:
            line = self.ask(task)
            if self.file:
                self.file.write(line)
                self.file.flush()
            self.remember(json.loads(line))
        return self.known[key]["nodes"]

    def ask(self, task):
        self.process.stdin.write(task["line"] + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def answer(self, task):
        """The line that a worker would print. Numbers differ from run to run, and each line is sealed: a known answer is
        sealed anew under the number of this task."""
        known = dict(self.known[task["position"], tuple(task["window"])])
        known["task"] = task["task"]
        known.pop("checksum", None)
        return seal(json.dumps(known, separators=(",", ":")))


def seal(line):
    """A line with its checksum, as docs/cluster.md describes it."""
    content = line[:-1].encode()
    value = 0xcbf29ce484222325
    for start in range(0, len(content), 8):
        value ^= int.from_bytes(content[start:start + 8], "little")
        value = value * 0x100000001b3 % (1 << 64)
        value = (value << 23 | value >> 41) % (1 << 64)
    return f'{line[:-1]},"checksum":"{value:016x}"}}'


def simulate(arguments, solver, state, cores):
    """Virtual seconds, those of `join`, tasks, seconds of all cores, nodes of finished tasks, nodes in stopped ones."""
    joiner = Joiner(arguments.flipside, state)
    now, planning, busy, finished, nodes, stopped = 0.0, 0.0, 0.0, 0, 0, 0
    running, lost = {}, []
    heap = []
    while True:
        begun = processor_time(joiner.process)
        tasks = joiner.want(cores - len(running), lost)
        waited = processor_time(joiner.process) - begun
        planning += waited
        now += waited
        lost = []
        for line in tasks:
            task = json.loads(line)
            task["line"] = line
            cost = solver.nodes(task)
            end = now + arguments.latency + cost / arguments.speed
            running[task["task"]] = (now, end, cost, task)
            heapq.heappush(heap, (end, task["task"]))
        if joiner.result:
            break
        for number in joiner.needless & running.keys():
            start, _, cost, _ = running.pop(number)
            lost.append(number)
            stopped += min(cost, int((now - start) * arguments.speed))
            busy += now - start
        if lost and len(running) < cores:
            # Freed cores may allow more tasks.
            continue
        # Skips stopped tasks, even if they have been given out again since.
        while heap[0][1] not in running or running[heap[0][1]][1] != heap[0][0]:
            heapq.heappop(heap)
        end, number = heapq.heappop(heap)
        # It may have ended while `join` was busy.
        now = max(now, end)
        start, _, cost, task = running.pop(number)
        busy += end - start
        finished += 1
        nodes += cost
        joiner.answer(solver.answer(task))
    for start, _, cost, _ in running.values():
        stopped += min(cost, int((now - start) * arguments.speed))
        busy += now - start
    joiner.close()
    return now, planning, finished, busy, nodes, stopped


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--flipside", default="flipside")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2, 10, 100, 1000, 10000])
    parser.add_argument("--empties", help="as of flipside split")
    parser.add_argument("--hash", default="256", help="MiB of the solver")
    parser.add_argument("--speed", type=float, default=5e6, help="nodes a second and core")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds from a task's end to the next one's begin")
    parser.add_argument("--answers", help="file of answers, read and extended")
    parser.add_argument("position")
    arguments = parser.parse_args()
    solver = Solver(arguments.flipside, arguments.hash, arguments.answers)
    empties = ["--empties", arguments.empties] if arguments.empties else []
    with tempfile.TemporaryDirectory() as folder:
        first = os.path.join(folder, "first")
        subprocess.run([arguments.flipside, "split", *empties, "--most", "1", "--state", first, arguments.position],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        single = None
        print("cores  seconds  of join  speedup  tasks   busy  in vain")
        for cores in sorted(arguments.cores):
            state = os.path.join(folder, str(cores))
            shutil.copy(first, state)
            seconds, planning, tasks, busy, nodes, stopped = simulate(arguments, solver, state, cores)
            single = single or (seconds * cores, nodes)
            vain = 1 - single[1] / (nodes + stopped)
            print(f"{cores:5} {seconds:8.2f} {planning:8.2f} {single[0] / seconds:8.1f} {tasks:6} "
                  f"{busy / (seconds * cores):6.1%} {vain:8.1%}", flush=True)


if __name__ == "__main__":
    main()
