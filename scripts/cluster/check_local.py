#!/usr/bin/env python3
"""Runs the scripts of this folder that need no cluster, with workers that die, print garbage and answer twice.

    scripts/cluster/check_local.py --flipside target/release/flipside

The value must be that of `flipside solve`, the proof verified, every answer counted once; without any answer, the result
must be an honest "open". Shards of games must merge into the file of one process. GNU parallel is skipped if it is not installed.
Takes seconds. Python 3.8 or later, no packages.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# ffo-01, 14 empty squares.
POSITION = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"

# Replaces the program: each started `solve` misbehaves in another way. One dies after three tasks: its input ends, because a
# filter of its output could end with an answer unread, and then everybody would wait.
BAD_WORKERS = """#!/bin/sh
[ "$1" = solve ] || exec '{flipside}' "$@"
number=0
while ! mkdir "{folder}/worker$number" 2> /dev/null; do number=$((number + 1)); done
case $((number % 9)) in
    0) read -r task; kill -9 $$ ;;
    1) sed --unbuffered 3q | '{flipside}' "$@" ;;
    2) echo 'Segmentation fault'; exec sleep 60 ;;
    3) '{flipside}' "$@" | while read -r line; do printf '%s\\n%s\\n' "$line" "$line"; done ;;
    4) '{flipside}' "$@" | while read -r line; do printf '%.100s\n' "$line"; done ;;
    5) '{flipside}' "$@" | sed --unbuffered 's/flipside 0/flipside 9/' ;;
    6) printf '\\377\\376\\n' ;;
    7) printf '{{"want":3}}\\n{{}}\\n[]\\n' ;;
    8) exec '{flipside}' "$@" ;;
esac
"""

# Seconds that a part may take; it takes a few.
DEADLINE = 300

# No worker answers.
NO_WORKERS = """#!/bin/sh
[ "$1" = solve ] || exec '{flipside}' "$@"
read -r task
"""


class Check:
    """The program and a folder for the files."""

    def __init__(self, flipside, folder):
        self.flipside = os.path.abspath(flipside)
        self.folder = folder
        solved = self.run("solve", "--json", input=POSITION).stdout
        self.score = json.loads(solved)["score"]

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words, check=True, **more):
        """A run of the program to its end."""
        return subprocess.run([self.flipside, *words], check=check, text=True, capture_output=True, timeout=DEADLINE,
                              **more)

    def stand_in(self, name, script):
        """Writes an executable script that replaces the program."""
        folder = self.path(name + ".workers")
        os.mkdir(folder)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(script.format(flipside=self.flipside, folder=folder))
        os.chmod(self.path(name), 0o755)
        return self.path(name)

    def split(self, name, empties=10, depth=3):
        """A fresh state file."""
        self.run("split", "--empties", str(empties), "--depth", str(depth), "--most", "1", "--state", self.path(name), POSITION)
        return self.path(name)

    def answers(self, state):
        """The tasks with an answer in a state file."""
        with open(state, encoding="utf-8") as file:
            records = [json.loads(line) for line in file if line.endswith("\n")]
        return [record["task"] for record in records if record["record"] == "answer"]

    def proven(self, state, printed):
        """Checks that the result is right and proven, and that every answer counts once."""
        result = json.loads(printed.splitlines()[-1])
        answers = self.answers(state)
        assert result["score"] == self.score, result
        assert len(answers) == len(set(answers)) == result["answers"], "an answer was counted twice"
        proof = state + ".proof"
        self.run("join", "--state", state, "--proof", proof)
        verified = self.run("verify", "--sample", "5", proof).stdout
        assert f"value {self.score:+}" in verified, verified
        return f"value {self.score:+}, {len(answers)} answers"


def local(flipside, state, **more):
    """A run of local.py."""
    command = [sys.executable, os.path.join(HERE, "local.py"), "--flipside", flipside, "--state", state, "--hash", "4"]
    return subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def check_local(check):
    """local.py with bad workers, killed once in the middle, and with workers that never answer."""
    state = check.split("local")
    process = local(check.stand_in("killed", BAD_WORKERS), state)
    while process.poll() is None and len(check.answers(state)) < 3:
        time.sleep(0.002)
    assert process.poll() is None, f"it was over before it could be killed: {process.communicate(timeout=DEADLINE)}"
    process.kill()
    process.communicate(timeout=DEADLINE)
    before = len(check.answers(state))
    # Workers of every kind once more: the kill may have ended one before it could misbehave.
    printed, said = local(check.stand_in("bad", BAD_WORKERS), state).communicate(timeout=DEADLINE)
    for words in ["not an answer of flipside solve", "checksum is wrong", "a worker died"]:
        assert words in said, said
    print(f"local.py: {check.proven(state, printed)}, {before} of them before a kill; {said.count('refused')} lines refused")
    process = local(check.stand_in("none", NO_WORKERS), check.split("open"))
    _, said = process.communicate(timeout=DEADLINE)
    assert process.returncode == 1 and "open: no new answer" in said, said
    print("local.py: open where nobody answers")


def check_parallel(check):
    """parallel.sh likewise."""
    if not shutil.which("parallel"):
        print("parallel.sh: not tried, GNU parallel is not installed")
        return
    script = os.path.join(HERE, "parallel.sh")

    def run(name, workers):
        state = check.split(name, empties=12)
        environment = {**os.environ, "FLIPSIDE": check.stand_in(name + ".flipside", workers)}
        ended = subprocess.run([script, state, "4"], env=environment, text=True, capture_output=True, check=False,
                               timeout=DEADLINE)
        return state, ended

    # A process solves one task and ends: it dies, prints a part of the answer, or answers.
    state, ended = run("parallel", BAD_WORKERS.replace("(number % 9)", "(number % 3 * 4)"))
    print(f"parallel.sh: {check.proven(state, ended.stdout)}; {ended.stderr.count('refused')} lines refused")
    _, ended = run("parallel.open", NO_WORKERS)
    assert ended.returncode == 1 and "open: nobody answers" in ended.stderr, ended.stderr
    print("parallel.sh: open where nobody answers")


def check_slurm(check):
    """The jobs of slurm.sh's array one by one, one of them twice; the file is that of one process."""
    options = "--depth 2 --exact 8 --seed 5"
    for job in (2, 0, 1, 2):
        environment = {**os.environ, "FLIPSIDE": check.flipside, "SLURM_ARRAY_TASK_ID": str(job), "SHARD_SIZE": "4",
                       "OPTIONS": options}
        subprocess.run([os.path.join(HERE, "slurm.sh")], env=environment, cwd=check.folder, check=True)
    check.run("train", "selfplay", *options.split(), "--games", "12", "--out", check.path("whole"))
    shards = [check.path(f"shard-{job:06}.lines") for job in range(3)]
    check.run("train", "merge", "--out", check.path("merged"), *shards)
    with open(check.path("whole"), "rb") as whole, open(check.path("merged"), "rb") as merged:
        assert whole.read() == merged.read(), "the shards are not the file of one process"
    print("slurm.sh: three shards are the file of one process, byte for byte")


def check_simulator(check):
    """One simulated core does what local.py did with one worker."""
    state = check.split("one", depth=8)
    command = [sys.executable, os.path.join(HERE, "local.py"), "--flipside", check.flipside, "--state", state,
               "--workers", "1", "--hash", "4"]
    printed = subprocess.run(command, text=True, capture_output=True, check=True, timeout=DEADLINE).stdout
    tasks = json.loads(printed)["answers"]
    command = [sys.executable, os.path.join(HERE, "simulate.py"), "--flipside", check.flipside, "--empties", "10",
               "--hash", "4", "--speed", "1e4", "--cores", "1", "100", "--", POSITION]
    printed = subprocess.run(command, text=True, capture_output=True, check=True, timeout=DEADLINE).stdout
    rows = [line.split() for line in printed.splitlines()[1:]]
    assert [row[0] for row in rows] == ["1", "100"], printed
    assert int(rows[0][4]) == tasks and float(rows[1][3]) > 1.0, (tasks, printed)
    print(f"simulate.py: {tasks} tasks on one core, as those of one worker")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--flipside", default="flipside")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(arguments.flipside, folder)
        check_local(check)
        check_parallel(check)
        check_slurm(check)
        check_simulator(check)


if __name__ == "__main__":
    main()
