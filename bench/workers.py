"""The two programs that do the work; they read commands line by line."""

import json
import os
import shutil
import subprocess

# One core for everything, so that both sides run under the same conditions.
CORE = os.environ.get("BENCH_CORE", str(max(os.sched_getaffinity(0))))


class WorkerError(Exception):
    """A worker refused a command or ended."""


def pinned(argv):
    """argv, pinned to one core if the system supports it."""
    taskset = shutil.which("taskset")
    return [taskset, "-c", CORE, *argv] if taskset else list(argv)


class Worker:
    """A process that answers every command with one line of JSON."""

    def __init__(self, name, argv):
        self.name = name
        self.path = argv[0]
        self.process = subprocess.Popen(
            pinned(argv), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, bufsize=1)

    def ask(self, op, **words):
        """Send "op<tab>key=value..." and return the answer."""
        line = "\t".join([op, *(f"{k}={v}" for k, v in words.items())])
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            reply = self.process.stdout.readline()
        except OSError as error:
            raise WorkerError(f"{self.name}: {error}") from error
        if not reply:
            raise WorkerError(f"{self.name} ended during: {line}")
        answer = json.loads(reply)
        if "error" in answer:
            raise WorkerError(f"{self.name}: {answer['error']} (at: {line})")
        return answer

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def run_once(jobs, argv):
    """
    The cost of one run of a program: {cpuMs, peakBytes}. bench-jobs starts it,
    not Python: a child's peak memory starts at its parent's.
    """
    done = subprocess.run(pinned([jobs, "run", *argv]), text=True,
                          stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        raise WorkerError(f"{jobs} said nothing about {argv[0]}")
    answer = json.loads(done.stdout.splitlines()[-1])
    if "error" in answer:
        raise WorkerError(answer["error"])
    return answer
