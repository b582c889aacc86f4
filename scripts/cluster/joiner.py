"""The other side of `flipside join --stream`: gives out tasks, takes answers, knows when the value is proven.

Used by local.py (processes of this machine), spark_job.py and simulate.py. Python 3.8 or later, no packages.
"""

import json
import subprocess


class Joiner:
    """A running `flipside join --stream`. Not for several threads at once."""

    def __init__(self, flipside, state, options=()):
        self.process = subprocess.Popen(
            [flipside, "join", "--stream", "--state", state, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.result = None
        self.needless = set()
        self.open = 0
        self.answers = 0

    def answer(self, line):
        """Takes a line of a worker's output. Anything but a right answer is named on stderr and changes nothing."""
        if number_of(line) is None:
            # Prefixed, so that a worker's output is never taken for a request.
            line = "a worker printed: " + line
        self.process.stdin.write(line.strip() + "\n")

    def want(self, count, lost=()):
        """At most `count` new tasks (lines); `lost` are the numbers of tasks without a worker."""
        self.process.stdin.write(json.dumps({"want": count, "lost": list(lost)}) + "\n")
        self.process.stdin.flush()
        tasks = []
        for line in self.process.stdout:
            record = json.loads(line)
            if "task" in record:
                tasks.append(line.strip())
                continue
            if "score" in record:
                self.result = record
            self.needless = set(record.get("needless", ()))
            self.open = record.get("open", 0)
            self.answers = record["answers"]
            return tasks
        raise RuntimeError("flipside join has ended: its reason is on stderr")

    def close(self):
        """Ends the process; its exit status is 1 if answers were refused."""
        self.process.stdin.close()
        self.process.stdout.read()
        return self.process.wait()


def number_of(line):
    """The number in the line of a task or an answer; None if it is neither."""
    try:
        return json.loads(line)["task"]
    except (ValueError, TypeError, KeyError):
        return None
