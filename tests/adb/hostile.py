#!/usr/bin/env python3
"""hostile.py SQUINT: phones that send without an end cost at most 64 MiB,
all of them together; TAP."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import named, run_all
from hostile_adb import BEHAVIOURS, HostileAdb
from squint_server import SLOWNESS_NAME, Server

MIB = 1 << 20
MOST = 64 * MIB
CALLS = [{"operation": "screenshot"},
         {"operation": "dump"},
         {"operation": "find", "selector": {"text": "Login"}},
         {"operation": "tap", "x": 5, "y": 5, "deviceSpace": True},
         {"operation": "apps"}]


def has_sanitizers(squint):
    """The allocator of sanitizers copies growing blocks, and keeps freed ones."""
    return b"__asan_init" in pathlib.Path(squint).read_bytes()


def peak(server):
    """Its peak memory in bytes."""
    path = pathlib.Path(f"/proc/{server.process.pid}/status")
    line = next(l for l in path.read_text().splitlines()
                if l.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def ask_all(server, arguments):
    """Send the same call to every phone; returns the errors by phone."""
    numbers = {}
    for device in BEHAVIOURS:
        server.next_id += 1
        numbers[server.next_id] = device
        server.send({"jsonrpc": "2.0", "id": server.next_id,
                     "method": "tools/call",
                     "params": {"name": "ui", "arguments": {
                         **arguments, "deviceId": device}}})
    errors = {}
    while len(errors) < len(numbers):
        answer = server.receive(timeout=300)
        if answer.get("id") in numbers:
            result = answer["result"]
            text = next(b["text"] for b in result["content"]
                        if b["type"] == "text")
            assert result["isError"], (numbers[answer["id"]], text)
            errors[numbers[answer["id"]]] = json.loads(text)
    return errors


def run(squint):
    """Send all calls to all phones; returns the problems and the peak memory."""
    allowed = MOST * (2 if has_sanitizers(squint) else 1)
    env = {SLOWNESS_NAME: "3",
           "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=1:"
                           "thread_local_quarantine_size_kb=64"}
    with HostileAdb() as adb, \
            Server([squint, "mcp"], timeout=300,
                   env={**env, **adb.env}) as server:
        server.initialize()
        server.ui("screenshot", deviceId="demo")
        before = server.rss()
        limits = 0
        for arguments in CALLS:
            errors = ask_all(server, arguments)
            for device, error in errors.items():
                assert error["error"] in ("LIMIT_EXCEEDED", "TIMEOUT"), (
                    arguments, device, error)
                assert error.get("suggestion"), (arguments, device, error)
                limits += error["error"] == "LIMIT_EXCEEDED"
        # Other devices still work.
        server.ui("screenshot", deviceId="demo")
        cost = peak(server) - before
        print(f"# {cost / MIB:.1f} MiB at most, {limits} limits, "
              f"{(server.rss() - before) / MIB:.1f} MiB at the end")
        assert limits > len(CALLS), limits
        assert cost <= allowed, f"{cost / MIB:.1f} MiB"


if __name__ == "__main__":
    sys.exit(run_all([named("six hostile phones cost at most 64 MiB", run)],
                     sys.argv[1]))
