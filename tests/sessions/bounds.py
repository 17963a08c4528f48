#!/usr/bin/env python3
"""bounds.py SQUINT: the limits of a client's use of a server; TAP.

The limits are those of SECURITY.md. Memory is not checked in builds with
sanitizers, which add their own; descriptors and threads are.
"""

import json
import os
import pathlib
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
import past_folders
from cases import expect_true, run_all
from squint_server import (SLOWNESS, SLOWNESS_NAME, Server,
                           clean_environment)

PATIENCE_S = 300
MEMORY = 100_000_000
DAY = {"startDate": "2026-01-15", "endDate": "2026-01-15"}
# Takes a third of a minute; SQUINT_BOUNDS_CALLS=250 is the maximum.
MANY = int(os.environ.get("SQUINT_BOUNDS_CALLS", "60"))
# Of each kind; SQ_MCP_MAX_CALLS.
MOST = 256
# Open descriptors of an idle server, and a few more.
IDLE_DESCRIPTORS = 16
KEPT_THREADS = 6


def is_sanitized(squint):
    """Whether the program's memory cannot be measured."""
    return b"__asan_init" in pathlib.Path(squint).read_bytes()


class Watch:
    """Samples a process often; keeps the maximum of each value."""

    def __init__(self, pid):
        self.folder = pathlib.Path("/proc", str(pid))
        self.threads = self.descriptors = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def _run(self):
        while not self.over.wait(0.005):
            try:
                self.threads = max(self.threads, self.threads_now())
                self.descriptors = max(self.descriptors,
                                       self.descriptors_now())
            except OSError:
                return

    def threads_now(self):
        """The current number of threads."""
        return len(os.listdir(self.folder / "task"))

    def descriptors_now(self):
        """The current number of descriptors."""
        return len(os.listdir(self.folder / "fd"))

    def most_memory(self):
        """Its peak memory in bytes, as counted by the kernel."""
        status = (self.folder / "status").read_text()
        line = next(l for l in status.splitlines() if l.startswith("VmHWM"))
        return int(line.split()[1]) * 1024

    def settle(self):
        """Wait for the end of a burst: then few threads and descriptors are left."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and (
                self.threads_now() > KEPT_THREADS
                or self.descriptors_now() > IDLE_DESCRIPTORS):
            time.sleep(0.01)
        expect_true(f"{self.threads_now()} threads stay",
                    self.threads_now() <= KEPT_THREADS)
        expect_true(f"{self.descriptors_now()} descriptors stay open",
                    self.descriptors_now() <= IDLE_DESCRIPTORS)


def call(number, tool, arguments):
    """The message that calls a tool."""
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}}


def failure_of(answer):
    """The error of a tool's result; None if it succeeded."""
    result = answer["result"]
    return json.loads(result["content"][0]["text"]) \
        if result["isError"] else None


class Bench:
    """Shared by all cases."""

    def __init__(self, squint):
        self.squint = os.path.abspath(squint)
        self.sanitized = is_sanitized(squint)

    def archive(self, home, count=24):
        """Make a day of shots below the server's folder; returns its flag."""
        past_folders.put_shots(self.squint, pathlib.Path(home, "shots"),
                               "2026-01-15T08:00:00", count, 600, "full")

    def server(self, *flags, env=None):
        """A server with an archive."""
        return Server([self.squint, "mcp", "--archive", "shots", *flags],
                      timeout=PATIENCE_S, env=env, prepare=self.archive)

    def check_memory(self, watch):
        """Check the memory, if it can be measured."""
        most = watch.most_memory()
        expect_true(f"{most / 1e6:.0f} MB, more than {MEMORY / 1e6:.0f}",
                    self.sanitized or most <= MEMORY)


def many_heavy_calls(bench):
    """Many contact sheets at a time: one per processor is being made"""
    with bench.server() as server:
        server.initialize()
        with Watch(server.process.pid) as watch:
            for number in range(MANY):
                server.send(call(1000 + number, "contact_sheet", DAY))
            answers = [server.receive() for _ in range(MANY)]
        waited = [failure_of(answer) for answer in answers]
        # On a slow machine the last ones may have timed out.
        expect_true(waited,
                    all(why is None or why["error"] == "TIMEOUT"
                    for why in waited))
        expect_true("none was made", waited.count(None) > 0)
        processors = min(len(os.sched_getaffinity(0)), 8)
        expect_true(f"{watch.descriptors} descriptors",
                    watch.descriptors <= IDLE_DESCRIPTORS + 8 * processors)
        expect_true(f"{watch.threads} threads",
                    watch.threads <= MANY + KEPT_THREADS)
        bench.check_memory(watch)
        watch.settle()


def write_until_stopped(process, line, enough):
    """Write lines until the server stops reading; returns how many were complete.

    A slow server may look like one that has stopped, but not before `enough`
    lines.
    """
    pipe = process.stdin.fileno()
    os.set_blocking(pipe, False)
    count = 0
    while count < 100 * enough:
        rest = memoryview(line(count))
        while rest:
            patience = PATIENCE_S if count < enough else 1
            if not select.select([], [pipe], [], patience)[1]:
                os.set_blocking(pipe, True)
                return count, bytes(rest)
            try:
                rest = rest[os.write(pipe, rest):]
            except BlockingIOError:
                time.sleep(0.001)
        count += 1
    raise AssertionError(f"{count} messages were taken of a client that reads "
                         "nothing")


def write_all(process, data):
    """Write everything, without a timeout."""
    process.stdin.write(data)
    process.stdin.flush()


def start_unread(bench, *flags, slowness=SLOWNESS):
    """A server whose answers are read only if the test reads them; slowness is
    that of its clock."""
    home = tempfile.TemporaryDirectory(prefix="squint-bounds-")
    bench.archive(home.name)
    process = subprocess.Popen(
        [bench.squint, "mcp", "--archive", "shots", *flags],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=home.name, env={**clean_environment(home.name),
                            SLOWNESS_NAME: str(slowness)})
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                        "clientInfo": {"name": "x", "version": "1"}}}
    process.stdin.write(json.dumps(hello).encode() + b"\n")
    process.stdin.flush()
    process.stdout.readline()
    return home, process


def line_of(message):
    """A message as a line of bytes."""
    return json.dumps(message).encode() + b"\n"


def ping(number):
    """A short request with a short answer."""
    return line_of({"jsonrpc": "2.0", "id": number, "method": "ping"})


def tools_list(number):
    """A short request with a long answer."""
    return line_of({"jsonrpc": "2.0", "id": number, "method": "tools/list"})


def sheets_first(number):
    """First many contact sheets, then tools/list."""
    if number >= MANY:
        return tools_list(number)
    return line_of(call(number, "contact_sheet", DAY))


# The line, and how many the server must read before it may stop.
UNREAD = {"ping": (ping, 30000), "tools/list": (tools_list, 500),
          "contact_sheet": (sheets_first, MANY + 500)}


def client_that_does_not_read(bench):
    """Answers that are not read: reading stops, and nothing is lost"""
    for name, (line, enough) in UNREAD.items():
        home, process = start_unread(bench)
        with home, Watch(process.pid) as watch:
            sent, rest = write_until_stopped(process, line, enough)
            bench.check_memory(watch)
            due = sent + (1 if rest else 0)
            writer = threading.Thread(target=write_all,
                                      args=(process, rest))
            writer.start()
            seen = {json.loads(process.stdout.readline())["id"]
                    for _ in range(due)}
            writer.join()
            bench.check_memory(watch)
            expect_true(f"{name}: answers are missing",
                        seen == set(range(due)))
            process.stdin.close()
            status = process.wait(PATIENCE_S)
            said = process.stderr.read()
        expect_true(f"{name}: {status}, {said}", status == 0 and not said)


def end_while_the_client_does_not_read(bench):
    """A server asked to end does so, and reports how much is lost"""
    for how in ("term", "close"):
        home, process = start_unread(bench, slowness=1)
        with home:
            sent, _ = write_until_stopped(process, tools_list, 500)
            if how == "term":
                process.send_signal(signal.SIGTERM)
            else:
                process.stdin.close()
            status = process.wait(PATIENCE_S)
            said = process.stderr.read().decode()
        lost = [int(line.rsplit(" ", 1)[1]) for line in said.splitlines()]
        # The server counts answers in the pipe as written.
        expect_true(f"{how}: {status}, {said!r} after {sent} messages",
                    status == 0 and sent - 50 <= sum(lost) <= sent + 2)


class SilentAdb:
    """An adb server that takes connections and never answers."""

    def __enter__(self):
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(1000)
        port = self.listener.getsockname()[1]
        return {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{port}"}

    def __exit__(self, *_):
        self.listener.close()


def calls_that_wait_for_a_device(bench):
    """Calls that wait for a device do not delay calls that need none"""
    with SilentAdb() as env, bench.server("--timeout-ms", "600000",
                                          env=env) as server:
        server.initialize()
        for number in range(MOST):
            server.send(call(1000 + number, "ui", {"operation": "screenshot"}))
        server.send(call(2000, "ui", {"operation": "devices"}))
        answer = server.receive()
        why = failure_of(answer)
        expect_true(answer,
                    answer["id"] == 2000 and why["error"] == "LIMIT_EXCEEDED"
                    and why["suggestion"])
        for number in range(MOST + 1):
            server.send(call(3000 + number, "rtfm", {}))
            answer = server.receive()
            expect_true(answer,
                        answer["id"] == 3000 + number
                        and not failure_of(answer))
        for tool in ("list_screenshots", "contact_sheet"):
            server.send(call(tool, tool, DAY))
            answer = server.receive()
            expect_true(answer,
                        answer["id"] == tool and not failure_of(answer))
        server.send({"jsonrpc": "2.0", "id": "guide",
                     "method": "resources/read",
                     "params": {"uri": "squint://guide"}})
        expect_true("no guide", "contents" in server.receive()["result"])
        with Watch(server.process.pid) as watch:
            expect_true(f"{watch.threads_now()} threads",
                        watch.threads_now() <= MOST + KEPT_THREADS)
            for number in range(MOST):
                server.send({"jsonrpc": "2.0",
                             "method": "notifications/cancelled",
                             "params": {"requestId": 1000 + number}})
            watch.settle()


def few_descriptors(bench):
    """With 64 descriptors there is a clear error, and nothing else fails"""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with SilentAdb() as env:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, limits[1]))
        try:
            server = bench.server("--timeout-ms", "600000", env=env)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        with server:
            server.initialize()
            for number in range(MOST):
                server.send(call(1000 + number, "ui",
                                 {"operation": "screenshot"}))
            for number in range(20):
                server.send(call(2000 + number, "contact_sheet", DAY))
                server.send(call(3000 + number, "rtfm", {}))
            ended = 0
            refused = 0
            while ended < 40:
                answer = server.receive()
                why = failure_of(answer)
                if answer["id"] < 2000:
                    refused += 1
                    expect_true(why,
                                why["error"] == "LIMIT_EXCEEDED"
                                and "file descriptor" in why["message"]
                                and "ulimit -n" in why["suggestion"])
                else:
                    ended += 1
                    expect_true(why, why is None)
            expect_true(f"{refused} calls were refused", 0 < refused < MOST)
            server.process.send_signal(signal.SIGTERM)


def end_of_the_input(bench):
    """A last line without newline is read; running calls are answered"""
    wait = {"operation": "wait", "selector": {"text": "never"},
            "timeoutMs": 60000}
    cases = [(["--drain-ms", "200"], "CANCELLED"), (["--drain-ms", "60000"],
                                                    None)]
    for flags, want in cases:
        arguments = dict(wait, timeoutMs=1500) if want is None else wait
        last = json.dumps(call(2, "rtfm", {})).encode()
        home, process = start_unread(bench, *flags)
        with home:
            said, _ = process.communicate(line_of(call(1, "ui", arguments))
                                          + last, PATIENCE_S)
        answers = {m["id"]: m for m in map(json.loads, said.splitlines())}
        expect_true(said, set(answers) == {1, 2})
        expect_true(answers[2], failure_of(answers[2]) is None)
        why = failure_of(answers[1]) or {}
        expect_true(answers[1],
                    (why.get("error") == "CANCELLED") == (want == "CANCELLED"))


CASES = [many_heavy_calls, client_that_does_not_read,
         end_while_the_client_does_not_read, calls_that_wait_for_a_device,
         few_descriptors, end_of_the_input]


if __name__ == "__main__":
    bench = Bench(sys.argv[1])
    if bench.sanitized:
        print("# a sanitizer is in it: memory is not looked at")
    sys.exit(run_all(CASES, bench))
