#!/usr/bin/env python3
"""decoding.py SQUINT: who decodes the pictures of an archive; TAP."""

import os
import pathlib
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
import past_folders
from cases import Skip, expect, expect_true, run_all
from children import adopt_orphans, all_processes
from past_asker import longest_side, shots_of, start
from squint_server import PATIENCE

DAY = "2026-09-03"
SQUINT = sys.argv[1]


def workers():
    """The processes that decode for a server of this test, not of another."""
    processes = {pid: (parent, line) for pid, parent, line in all_processes()}

    def is_ours(pid):
        while pid in processes and pid != os.getpid():
            pid = processes[pid][0]
        return pid == os.getpid()

    return [pid for pid, (_, line) in processes.items()
            if line.split()[1:2] == ["decode-worker"] and is_ours(pid)]


def status_of(pid):
    """The lines of a process's status, by name."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return dict(line.split(":\t", 1) for line in text.splitlines()
                if ":\t" in line)


def wait_until_ended(pids):
    """A busy machine ends processes late; one that still takes a request fails it."""
    end = time.monotonic() + PATIENCE
    while set(pids) & set(workers()) and time.monotonic() < end:
        time.sleep(0.02)


def wait_for_none():
    """Wait until no worker is left."""
    end = time.monotonic() + PATIENCE
    while workers() and time.monotonic() < end:
        time.sleep(0.05)
    expect("workers", workers(), [])


def look(server):
    """The longest side of the first screenshot of the day, made smaller."""
    shot = shots_of(server.call("list_screenshots", startDate=DAY,
                                cursor="start"))[0]
    return longest_side(server.call(
        "crop_screenshot", screenshotRef=shot["screenshotRef"], x=0, y=0,
        width=200, height=100))


def in_archive(check, *options):
    """Run the check with a server of one archive."""
    with tempfile.TemporaryDirectory() as home:
        past = pathlib.Path(home, "past")
        past_folders.put_shots(SQUINT, past / DAY, f"{DAY}T08:00:00", 2, 600)
        with start(SQUINT, home, ["--archive", str(past), *options]) as server:
            check(server)
    wait_for_none()


def a_confined_process_decodes():
    """Without files, and the next one does after it was killed."""
    def check(server):
        expect("picture", look(server), 640)
        pids = workers()
        if not pids:
            raise Skip("this system cannot confine a process")
        for pid in pids:
            status = status_of(pid)
            expect("Seccomp", status["Seccomp"], "2")
            expect("NoNewPrivs", status["NoNewPrivs"], "1")
            os.kill(pid, signal.SIGKILL)
        wait_until_ended(pids)
        expect("picture", look(server), 640)
        expect_true(pids, not set(pids) & set(workers()))
    in_archive(check)


def no_sandbox_decodes_itself():
    """The same answer, without a worker."""
    def check(server):
        expect("picture", look(server), 640)
        expect("workers", workers(), [])
    in_archive(check, "--no-sandbox")


if __name__ == "__main__":
    adopt_orphans()
    sys.exit(run_all((a_confined_process_decodes, no_sandbox_decodes_itself)))
