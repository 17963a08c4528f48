#!/usr/bin/env python3
"""sandbox.py SQUINT LIBRARY: what a server that was taken over can still do; TAP.

The library is loaded into a real server and tries it from inside. The same
attempts work without the sandbox, so they are real ones.
"""

import errno
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import Skip, run_all
from squint_server import PATIENCE, Server

FILES = ("ssh", "shadow", "home", "archive-write")
PORTS = ("connect", "bind")
CALLS = ("execve", "unshare", "clone", "ptrace", "mount")


def try_inside(squint, library, home, options, free):
    """What each attempt gave, by name, and the standard error."""
    secret = pathlib.Path(home, ".ssh", "id_ed25519")
    picture = pathlib.Path(home, "past", "2026-01-02", "x.png")
    for file in (secret, picture):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x", encoding="ascii")
    with socket.create_server(("127.0.0.1", 0)) as other:
        env = {
            "LD_PRELOAD": os.path.abspath(library), "INSIDE_SECRET": str(secret),
            "INSIDE_HOME": str(pathlib.Path(home, "new")),
            "INSIDE_PICTURE": str(picture),
            "INSIDE_PORT": str(other.getsockname()[1]),
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")
                            + ":verify_asan_link_order=0",
            **({"INSIDE_FREE": "1"} if free else {}),
        }
        argv = [squint, "mcp", "--archive", str(picture.parents[1]), *options]
        with Server(argv, env=env) as server:
            server.initialize()
            end = time.monotonic() + PATIENCE
            text = ""
            while "inside done" not in text and time.monotonic() < end:
                time.sleep(0.02)
                text = server.stderr_text()
            health = server.request("resources/read",
                                    {"uri": "squint://health"})
    lines = [line.split() for line in text.splitlines()]
    got = {words[1]: int(words[2]) for words in lines
           if words[:1] == ["inside"] and len(words) == 3}
    got["health"] = json.loads(
        health["result"]["contents"][0]["text"])["sandbox"]
    return got, text


class Attempts:
    """The attempts in a confined server, and in one that is not."""

    def __init__(self, squint, library, home):
        facts = json.loads(subprocess.run(
            [squint, "version", "--json"], check=True, capture_output=True,
            env={**os.environ, "LD_PRELOAD": ""}).stdout)
        self.can = facts["build"]["sandbox"]
        self.has_sanitizer = facts["build"]["addressSanitizer"]
        self.confined, _ = try_inside(squint, library, home, [], False)
        self.free, self.warning = try_inside(squint, library, home,
                                             ["--no-sandbox"], True)

    def expect(self, names, number, feature):
        """These attempts fail with that errno where the system can do it."""
        if feature not in self.can:
            raise Skip(f"this system has only: {self.can}")
        got = {name: self.confined.get(name) for name in names}
        assert got == dict.fromkeys(names, number), got


def files_are_refused(attempts):
    """Nothing outside of what a server needs is read or written."""
    attempts.expect(FILES, errno.EACCES, "(files")


def needed_files_are_allowed(attempts):
    """Archives are read, the output folder is written."""
    got = [attempts.confined.get(n) for n in ("archive-read", "output")]
    assert got == [0, 0], got


def ports_are_refused(attempts):
    """No connection to another port, no new port to listen at."""
    attempts.expect(PORTS, errno.EACCES, "ports)")


def calls_are_refused(attempts):
    """No programs, namespaces, mounts, and no look into other processes."""
    names = [n for n in CALLS if n != "ptrace" or not attempts.has_sanitizer]
    attempts.expect(names, errno.EPERM, "system calls,")


def nothing_is_dumped(attempts):
    """No core dump, no debugger of the same user, no more rights by exec."""
    got = [attempts.confined.get(n) for n in ("dumpable", "core", "privileges")]
    assert got == [0, 0, 1], got


def health_says_what_is_enforced(attempts):
    """In words; version has the same ones."""
    assert attempts.confined["health"] == attempts.can, attempts.confined
    assert attempts.free["health"] == "off", attempts.free


def the_same_works_without_a_sandbox(attempts):
    """And standard error warns of it."""
    names = ("ssh", "home", "archive-write", "connect", "bind", "execve")
    got = {name: attempts.free.get(name) for name in names}
    assert got == dict.fromkeys(names, 0), got
    assert "not confined" in attempts.warning, attempts.warning


CASES = (files_are_refused, needed_files_are_allowed, ports_are_refused,
         calls_are_refused, nothing_is_dumped, health_says_what_is_enforced,
         the_same_works_without_a_sandbox)


def main():
    """Run all cases on the same two servers."""
    with tempfile.TemporaryDirectory(prefix="squint-home-") as home:
        return run_all(CASES, Attempts(sys.argv[1], sys.argv[2], home))


if __name__ == "__main__":
    sys.exit(main())
