#!/usr/bin/env python3
"""Runs spark_job.py on a small cluster of this machine (Spark's local-cluster mode) and provokes failures.

    scripts/cluster/check_spark.py --flipside target/release/flipside

Two workers prove a position: one executor is killed in the middle, and one task is delayed by a minute, until Spark's speculation
runs it a second time. The value must be that of `flipside solve`, the proof verified, every answer counted once. Then the two make a
file of games and label it in shards, again with a kill; the files must be those of one process, byte for byte. Needs
pyspark (`pip install pyspark`, in a virtual environment) and Java 17 or later.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# 20 empty squares.
POSITION = "-OOO------OOOO--XXXOOXXX-XOOOXX-XXXXOOOOOXXOOOO---OXOO---OOOO--- X"

# The first worker of all is a straggler, because only one can make the folder.
STRAGGLER = """#!/bin/sh
read -r task
if mkdir '{marker}' 2> /dev/null; then sleep 60; fi
printf '%s\\n' "$task" | ./flipside solve --json --hash 16
"""


def children_of(parent):
    """Processes below this one, with their command lines."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    found[int(name)] = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass
    below, last = {parent}, set()
    while below != last:
        last = set(below)
        below |= {process for process, above in found.items() if above in below}
    return below


def executors_of(parent):
    """The executors below a process."""
    executors = []
    for process in children_of(parent):
        try:
            with open(f"/proc/{process}/cmdline", encoding="utf-8", errors="replace") as file:
                if "CoarseGrainedExecutorBackend" in file.read():
                    executors.append(process)
        except OSError:
            pass
    return executors


def run_job(arguments, options, is_half_done):
    """Runs the Spark job; as soon as half of the work is done, an executor is killed. What it printed."""
    command = [sys.executable, os.path.join(HERE, "spark_job.py"), "--flipside", arguments.flipside,
               "--master", "local-cluster[2,1,1024]", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    killed = []

    def kill():
        while process.poll() is None and not killed:
            executors = executors_of(process.pid)
            if executors and is_half_done():
                os.kill(executors[0], signal.SIGKILL)
                killed.append(executors[0])
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    output = process.communicate()[0]
    killer.join()
    assert process.returncode == 0, f"the job has failed: {process.returncode}"
    assert killed, "the job was over before an executor could be killed"
    return output


def records(path, kind):
    """The records of a kind of a state file."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.endswith("\n")]
    return [record for record in map(json.loads, lines) if record["record"] == kind]


def check_proof(arguments, folder):
    """The value and its proof, with an executor killed and a straggler."""
    state, proof, marker = (os.path.join(folder, name) for name in ("state", "proof", "straggler"))
    worker = os.path.join(folder, "worker.sh")
    with open(worker, "w", encoding="utf-8") as file:
        file.write(STRAGGLER.format(marker=marker))
    os.chmod(worker, 0o755)
    flipside = arguments.flipside
    subprocess.run([flipside, "split", "--empties", "17", "--state", state, POSITION], check=True, stdout=subprocess.DEVNULL)
    begun = time.time()
    output = run_job(arguments, ["--file", worker, "--speculate", "10", "prove", "--state", state, "--slots", "2",
                                 "--command", "./worker.sh"], lambda: len(records(state, "answer")) > 4)
    result = json.loads(output.splitlines()[-1])
    solved = subprocess.run([flipside, "solve", "--json"], input=POSITION, check=True, stdout=subprocess.PIPE, text=True)
    expected = json.loads(solved.stdout)
    answers = [record["task"] for record in records(state, "answer")]
    assert result["score"] == expected["score"], (result, expected)
    assert len(answers) == len(set(answers)) == result["answers"], "an answer was counted twice"
    assert os.path.isdir(marker), "there was no straggler"
    subprocess.run([flipside, "join", "--state", state, "--proof", proof], check=True, stdout=subprocess.DEVNULL)
    verified = subprocess.run([flipside, "verify", proof], check=True, stdout=subprocess.PIPE, text=True).stdout
    print(f"value {result['score']:+}, {result['answers']} answers, {time.time() - begun:.0f} s; {verified.strip()}")


def check_games(arguments, folder):
    """Self-play and labels in shards, with an executor killed."""
    flipside = arguments.flipside
    options = "--depth 3 --exact 10 --seed 5"
    whole, merged, shards = (os.path.join(folder, name) for name in ("whole", "merged", "shards"))
    labels, labelled = (os.path.join(folder, name) for name in ("labels", "labelled"))
    ranges = [f"{start}..{start + 5}" for start in range(0, 30, 5)]

    def lines(path, command, files=()):
        sent = [word for name in files for word in ("--file", name)]
        run_job(arguments, [*sent, "lines", "--slots", "2", "--out", path, "--command", command, *ranges],
                lambda: os.path.exists(path) and os.path.getsize(path) > 0)

    def same(first, second):
        with open(first, "rb") as one, open(second, "rb") as two:
            assert one.read() == two.read(), f"{first} and {second} differ"

    subprocess.run([flipside, "train", "selfplay", *options.split(), "--games", "30", "--out", whole], check=True)
    lines(shards, f"./flipside train selfplay {options} --range {{}}")
    subprocess.run([flipside, "train", "merge", "--out", merged, shards], check=True)
    same(merged, whole)
    subprocess.run([flipside, "train", "label", "--depth", "4", "--games", whole, "--out", labels], check=True)
    lines(labelled, "./flipside train label --depth 4 --games ./whole --range {}", [whole])
    subprocess.run([flipside, "train", "merge", "--out", merged, labelled], check=True)
    same(merged, labels)
    print("30 games and their labels: as by one process, byte for byte")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--flipside", default="flipside")
    arguments = parser.parse_args()
    arguments.flipside = os.path.abspath(arguments.flipside)
    with tempfile.TemporaryDirectory() as folder:
        check_proof(arguments, folder)
        check_games(arguments, folder)


if __name__ == "__main__":
    main()
