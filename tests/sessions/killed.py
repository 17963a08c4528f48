#!/usr/bin/env python3
"""killed.py FAKE SQUINT: servers that are killed at any point leave no process,
no partial file and nothing that the next one stumbles over; TAP.

SQUINT_TEST_ALL: a thousand of them."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "ios")]

# pylint: disable=wrong-import-position
from cases import run_all
from children import adopt_orphans, all_processes
from squint_server import Server, clean_environment
import session

FAKE, SQUINT = map(os.path.abspath, sys.argv[1:3])
ROUNDS = 1000 if os.environ.get("SQUINT_TEST_ALL") else 60


def kill(server):
    """End it without a chance to clean up."""
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()


def descendants(pid):
    """The processes below one."""
    found = {pid}
    grown = True
    table = all_processes()
    while grown:
        more = {p for p, parent, _ in table if parent in found} - found
        found |= more
        grown = bool(more)
    return found - {pid}


def running(pids):
    """Which of them still run; those that only wait to be reaped do not."""
    left = []
    for pid in pids:
        try:
            state = pathlib.Path(f"/proc/{pid}/stat").read_text(
                encoding="latin-1").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            left.append(pid)
    return left


def no_process_is_left():
    """Neither the helper, nor a program that hangs, nor the recogniser."""
    with session.session(FAKE, SQUINT) as it:
        it.simulator.control("xcrun screenshot hang")
        it.server.send({"jsonrpc": "2.0", "id": 99, "method": "tools/call",
                        "params": {"name": "ui", "arguments": {
                            "operation": "screenshot"}}})
        session.await_true("a program that hangs", lambda: it.calls(
            "xcrun", "screenshot"))
        below = descendants(it.server.process.pid)
        assert len(below) >= 2, below  # the helper, and xcrun
        kill(it.server)
        session.await_true(f"the end of {below}", lambda: not running(below))


def start(folder, chance):
    """A server in that folder, with work under way."""
    server = Server(
        [SQUINT, "mcp", "--output-directory", str(folder / "out"), "--audit",
         str(folder / "audit.jsonl"), "--archive", str(folder / "past"),
         "--save-directory", str(folder / "saved")],
        env={f"XDG_{name}_HOME": str(folder / name.lower())
             for name in ("STATE", "CACHE", "DATA", "CONFIG")})
    server.send({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"}}})
    server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    for number in range(3):
        name = f"a{chance.randrange(10**9)}.jpg"
        for tool, arguments in (
                ("ui", {"operation": "screenshot", "localPath": name,
                        "maxDimension": 200}),
                ("list_screenshots", {"startDate": "2026-01-01",
                                      "endDate": "2026-01-02"})):
            server.send({"jsonrpc": "2.0", "id": f"{number}{tool}",
                         "method": "tools/call",
                         "params": {"name": tool, "arguments": arguments}})
    return server


def check(folder):
    """Files are whole, and no temporary one is left."""
    for path in (folder / "out").rglob("*"):
        if path.is_file() and path.name != ".gitignore":
            data = path.read_bytes()
            assert path.suffix == ".jpg", path
            assert data[:2] == b"\xff\xd8" and data[-2:] == b"\xff\xd9", path
    done = subprocess.run([SQUINT, "audit", "verify",
                           str(folder / "audit.jsonl")], check=False,
                          capture_output=True, text=True,
                          env=clean_environment(str(folder)))
    assert done.returncode == 0, done


def files_stay_whole():
    """Servers on the same folders, each killed at another moment."""
    chance = random.Random(9)
    with tempfile.TemporaryDirectory(prefix="squint-killed-") as name:
        folder = pathlib.Path(name)
        (folder / "past").mkdir()
        for _ in range(ROUNDS):
            server = start(folder, chance)
            time.sleep(chance.random() * 0.06)
            kill(server)
            server.process.stdin.close()
            server.folder.cleanup()
        last = start(folder, chance)
        last.request("ping")
        assert last.close() == 0, last.stderr_text()
        assert last.stderr_text() == "", last.stderr_text()
        last.folder.cleanup()
        check(folder)
        lines = (folder / "audit.jsonl").read_text(encoding="ascii")
        begun = [json.loads(l) for l in lines.splitlines()]
        assert sum(l["event"] == "end" for l in begun) == 1


if __name__ == "__main__":
    adopt_orphans()
    sys.exit(run_all([no_process_is_left, files_stay_whole]))
