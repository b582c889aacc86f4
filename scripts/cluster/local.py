#!/usr/bin/env python3
"""Proves a split position with several processes of this machine.

    flipside split --state proof.state "$POSITION" > /dev/null
    scripts/cluster/local.py --flipside target/release/flipside --state proof.state --workers 4 --answers answers.jsonl

Each worker is a `flipside solve --json` that gets one task after another. A worker that dies is started again and its task
given to another. The answers are also written to a file, from which simulate.py reads the times of the tasks.
"""

import argparse
import json
import queue
import subprocess
import sys
import threading

from joiner import Joiner, number_of


class Worker(threading.Thread):
    """A thread with a solving process: tasks in, (worker, task, answer or None) out."""

    def __init__(self, command, finished):
        super().__init__(daemon=True)
        self.command = command
        self.finished = finished
        self.tasks = queue.Queue()
        self.process = None

    def run(self):
        while True:
            task = self.tasks.get()
            if task is None:
                break
            self.finished.put((self, task, self.solve(task)))
        if self.process:
            self.process.stdin.close()
            self.process.wait()

    def solve(self, task):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            self.process.stdin.write(task + "\n")
            self.process.stdin.flush()
            # Nothing at all: the process has died.
            return self.process.stdout.readline() or None
        except BrokenPipeError:
            return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--flipside", default="flipside")
    parser.add_argument("--state", required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--hash", default="256", help="MiB of each worker")
    parser.add_argument("--keep-table", action="store_true", help="as of flipside solve")
    parser.add_argument("--answers", help="append the answers to this file")
    arguments = parser.parse_args()

    joiner = Joiner(arguments.flipside, arguments.state)
    finished = queue.Queue()
    command = [arguments.flipside, "solve", "--json", "--hash", arguments.hash]
    if arguments.keep_table:
        command.append("--keep-table")
    idle = [Worker(command, finished) for _ in range(arguments.workers)]
    for worker in idle:
        worker.start()
    answers = open(arguments.answers, "a", encoding="utf-8") if arguments.answers else None
    running, lost, failures = set(), [], 0
    while True:
        tasks = joiner.want(len(idle), lost)
        lost = []
        if joiner.result:
            break
        for task in tasks:
            worker = idle.pop()
            running.add(number_of(task))
            worker.tasks.put(task)
        if not running:
            sys.exit("nothing to do and nothing proven")
        worker, task, answer = finished.get()
        running.discard(number_of(task))
        idle.append(worker)
        if answer is None:
            failures += 1
            if failures > 100 * arguments.workers:
                sys.exit("workers die again and again")
            print(f"a worker died at task {number_of(task)}, which is given out again", file=sys.stderr)
            lost.append(number_of(task))
            continue
        joiner.answer(answer)
        # An answer that is refused leaves its task to do.
        lost.append(number_of(task))
        if answers:
            answers.write(answer)
            answers.flush()
    print(json.dumps(joiner.result))
    joiner.close()
    # What is still being solved has become needless.
    for worker in idle:
        worker.tasks.put(None)


if __name__ == "__main__":
    main()
