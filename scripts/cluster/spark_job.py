#!/usr/bin/env python3
"""Flipside's work on Apache Spark: the program travels with the job, and the results stream to the driver.

    spark-submit --py-files joiner.py spark_job.py --flipside flipside prove --state proof.state --slots 200
    spark-submit --py-files joiner.py spark_job.py --flipside flipside lines --slots 200 --out games.lines \\
        --command "./flipside train selfplay --range {} --seed 7 --lines" 0..1000 1000..2000 ...

`prove` works on a position that `flipside split` has split. `lines` runs a command for each argument, which stands for {}, and
appends what it prints to a file as a whole; an argument whose output is in the file already is left out.

Whatever dies is run again by Spark; --speculate runs a task a second time that takes too long. Needs pyspark 3.5 or later.
"""

import argparse
import json
import os
import queue
import shlex
import sys
import threading

from pyspark import InheritableThread, SparkConf, SparkContext

from joiner import Joiner, number_of


class Cluster:
    """Runs a line at a time through a command on the cluster; each line is a job of one task."""

    def __init__(self, arguments):
        conf = SparkConf().setAppName("flipside")
        # Executors may come and go, so a task is retried until one finishes it.
        conf.set("spark.task.maxFailures", "100").set("spark.scheduler.mode", "FAIR")
        if arguments.speculate:
            conf.set("spark.speculation", "true")
            conf.set("spark.speculation.task.duration.threshold", f"{arguments.speculate}s")
        if arguments.master:
            conf.setMaster(arguments.master)
        self.context = SparkContext(conf=conf)
        for path in [arguments.flipside, *arguments.file]:
            self.context.addFile(os.path.abspath(path))
        self.finished = queue.Queue()

    def start(self, key, line, command):
        """Runs the line; (key, output lines or None, error) comes into `finished`."""
        def run():
            self.context.addJobTag(f"task-{key}")
            try:
                output = self.context.parallelize([line], 1).pipe(command, checkCode=True).collect()
                self.finished.put((key, output, None))
            except Exception as error:  # pylint: disable=broad-except
                self.finished.put((key, None, error))
        InheritableThread(target=run, daemon=True).start()

    def cancel(self, key):
        """Ends the job of a line, whose result is not wanted any more."""
        self.context.cancelJobsWithTag(f"task-{key}")


def prove(cluster, arguments):
    """Gives the tasks of a state file to the cluster until the value is proven."""
    joiner = Joiner(arguments.flipside, arguments.state)
    # Running tasks; cancelled ones; tasks in a row without progress.
    running, cancelled, lost, in_vain, taken = {}, set(), [], 0, 0
    while True:
        tasks = joiner.want(arguments.slots - len(running), lost)
        lost = []
        if joiner.result:
            break
        if joiner.answers > taken:
            in_vain, taken = 0, joiner.answers
        if in_vain > 20 + 2 * arguments.slots:
            sys.exit(f"open: no new answer from {in_vain} tasks in a row; the state file holds what is known")
        for task in tasks:
            number = number_of(task)
            running[number] = task
            cluster.start(number, task, arguments.command)
        for number in joiner.needless & running.keys() - cancelled:
            cancelled.add(number)
            cluster.cancel(number)
        if not running:
            sys.exit("open: nothing to do and nothing proven")
        number, output, error = cluster.finished.get()
        running.pop(number)
        lost.append(number)
        for line in output or ():
            joiner.answer(line)
        if number in cancelled:
            cancelled.discard(number)
            continue
        in_vain += 1
        if error or not output:
            print(f"task {number} failed: {error or 'no answer'}", file=sys.stderr)
    print(json.dumps(joiner.result), flush=True)
    joiner.close()
    cluster.context.cancelAllJobs()


def lines(cluster, arguments):
    """Runs the command for each argument and appends each output to the file, with one write."""
    done = set()
    if os.path.exists(arguments.out):
        with open(arguments.out, encoding="utf-8") as file:
            for line in file:
                if line.startswith('{"version":') and '"range":[' in line:
                    first, last = json.loads(line)["range"]
                    done.add(f"{first}..{last}")
    waiting = [argument for argument in arguments.arguments if argument not in done]
    running, failed = 0, 0
    with open(arguments.out, "a", encoding="utf-8") as file:
        while waiting or running:
            while waiting and running < arguments.slots:
                argument = waiting.pop(0)
                command = arguments.command.replace("{}", shlex.quote(argument))
                cluster.start(argument, argument, command)
                running += 1
            argument, output, error = cluster.finished.get()
            running -= 1
            if error:
                failed += 1
                print(f"{argument} failed: {error}", file=sys.stderr)
                continue
            file.write("".join(line + "\n" for line in output))
            file.flush()
    if failed:
        sys.exit(f"open: {failed} of {len(arguments.arguments)} have failed; run the job again")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--flipside", default="flipside", help="the program; it is sent to the workers")
    parser.add_argument("--file", action="append", default=[], help="another file that the workers need")
    parser.add_argument("--master", help="where Spark runs; default: as set by spark-submit")
    parser.add_argument("--speculate", type=int, metavar="SECONDS", help="start a second run of a task that takes longer")
    steps = parser.add_subparsers(required=True)
    step = steps.add_parser("prove")
    step.add_argument("--state", required=True)
    step.add_argument("--slots", type=int, required=True, help="tasks at the same time")
    step.add_argument("--command", default="./flipside solve --json --hash 256")
    step.set_defaults(run=prove)
    step = steps.add_parser("lines")
    step.add_argument("--slots", type=int, required=True)
    step.add_argument("--command", required=True)
    step.add_argument("--out", required=True)
    step.add_argument("arguments", nargs="+")
    step.set_defaults(run=lines)
    arguments = parser.parse_args()
    cluster = Cluster(arguments)
    arguments.run(cluster, arguments)
    cluster.context.stop()


if __name__ == "__main__":
    main()
