#!/usr/bin/env python3
"""Proves a split position with several processes of this machine.

    flipside split --state proof.state "$POSITION" > /dev/null
    scripts/cluster/local.py --flipside target/release/flipside --state proof.state --workers 4 --answers answers.jsonl

Each worker is a `flipside solve --json` that gets one task after another. A worker that dies or prints anything but a right answer
is started again and its task given to another; one whose task has become needless is stopped. The answers are also written to a
file, from which simulate.py reads the nodes of the tasks.
"""

import argparse
import json
import queue
import subprocess
import sys
import threading

from joiner import Joiner, number_of

# Answers are shorter than this.
LONGEST_LINE = 65_536


class Worker(threading.Thread):
    """A thread with a solving process: tasks in, (worker, task, line or None) out."""

    def __init__(self, command, finished):
        super().__init__(daemon=True)
        self.command = command
        self.finished = finished
        self.tasks = queue.Queue()
        self.process = None

    def run(self):
        while True:
            task = self.tasks.get()
            line = self.solve(task)
            if number_of(line) != number_of(task):
                # Dead, or out of step: its further output is unreliable.
                self.stop()
            self.finished.put((self, task, line))

    def solve(self, task):
        """The line that the process prints; None if it prints nothing more."""
        try:
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                                errors="replace")
            self.process.stdin.write(task + "\n")
            self.process.stdin.flush()
            return self.process.stdout.readline(LONGEST_LINE) or None
        except OSError as error:
            print(error, file=sys.stderr)
            return None

    def stop(self):
        """Ends the process; the next task starts another one."""
        if self.process:
            self.process.kill()
            self.process.wait()


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
    workers = [Worker(command, finished) for _ in range(arguments.workers)]
    for worker in workers:
        worker.start()
    idle = list(workers)
    answers = open(arguments.answers, "a", encoding="utf-8") if arguments.answers else None
    # The worker at each task; stopped tasks; tasks in a row without progress.
    running, stopped, lost, in_vain, taken = {}, set(), [], 0, 0
    worker = None
    while True:
        tasks = joiner.want(len(idle), lost)
        lost = []
        if joiner.result:
            break
        if joiner.answers > taken:
            in_vain, taken = 0, joiner.answers
        elif worker:
            # The worker has made no progress.
            worker.stop()
        if in_vain > 20 * arguments.workers:
            sys.exit(f"open: no new answer from {in_vain} tasks in a row; the state file holds what is known")
        for task in tasks:
            running[number_of(task)] = idle.pop(0)
            running[number_of(task)].tasks.put(task)
        for number in joiner.needless & running.keys() - stopped:
            stopped.add(number)
            running[number].stop()
        if not running:
            sys.exit("open: nothing to do and nothing proven")
        worker, task, line = finished.get()
        number = number_of(task)
        running.pop(number)
        idle.append(worker)
        # A refused answer leaves its task undone.
        lost.append(number)
        if line is not None:
            joiner.answer(line)
        if number_of(line) == number and answers:
            answers.write(line)
            answers.flush()
        if number in stopped:
            stopped.discard(number)
            continue
        in_vain += 1
        if line is None:
            print(f"a worker died at task {number}, which is given out again", file=sys.stderr)
    print(json.dumps(joiner.result))
    joiner.close()
    # The tasks still being solved are not needed any more.
    for worker in workers:
        worker.stop()


if __name__ == "__main__":
    main()
