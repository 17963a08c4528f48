#!/usr/bin/env python3
"""suites.py SQUINT FIXTURE [NODE]: the tests of this machine's squint that a client can
hold over pipes and sockets, with squint.exe.

SQUINT is a command that runs squint.exe under Wine, FIXTURE one that runs the test
server of the conformance suite, NODE a node for that suite. Prints one line per suite;
the exit status is 1 if one failed."""
import os
import pathlib
import re
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
CONVERSATIONS = TESTS / "conversation"
# What they need is missing: text cannot be read, there are no simulators, other users
# or modes of files.
READING = ("ocr", "redaction", "vision", "vision-blind", "vision-play")
LACKING = (*READING, "ios", "archive-unreadable")
LIMIT_S = 1800


def conversations(with_folders):
    """The files of the conversations."""
    return [path for path in sorted(CONVERSATIONS.glob("*.txt"))
            if path.stem not in LACKING
            and (with_folders or not path.stem.startswith("archive"))]


def suites(squint, fixture, node):
    """(name, command) of each."""
    run = CONVERSATIONS / "run.py"
    for path in conversations(True):
        yield f"conversation/{path.stem}", [run, squint, "mcp", "--", path]
    yield "conversation/wire", [CONVERSATIONS / "wire/run.py", squint, "mcp", "--",
                                *sorted((CONVERSATIONS / "wire").glob("*.txt"))]
    yield "conversation/adb", [run, "--phone", "adb", squint, "mcp", "--",
                               *conversations(False)]
    yield "conversation/http", [run, "--only", "2025-11-25",
                                TESTS / "http/bridge.py", squint, "--",
                                *conversations(False)]
    if node:
        yield "conformance", [TESTS / "conformance/run.py", node, fixture]


def hold(name, command):
    """Run one; whether it passed."""
    env = os.environ | {"SQUINT_ANDROID_ADB_SERVER": "off", "ANDROID_SERIAL": "",
                        "SQUINT_TEST_DRIVE": "Z:"}
    done = subprocess.run([sys.executable, "-B", *map(str, command)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, timeout=LIMIT_S, env=env)
    passed = len(re.findall(r"^ok \d+(?!.*# SKIP)", done.stdout, re.MULTILINE))
    good = done.returncode == 0 and passed > 0
    print(f"{'ok' if good else 'FAILED':8}{name}: {passed} cases", flush=True)
    if not good:
        wrong = re.sub(r"^ok .*\n", "", done.stdout, flags=re.MULTILINE)
        print(wrong[-6000:], flush=True)
    return good


def main(words):
    """Run all, or those whose name contains the word in SQUINT_SUITES."""
    squint, fixture, node = (words + [None])[:3]
    only = os.environ.get("SQUINT_SUITES", "")
    if not node:
        print("not run conformance: no npm or no suite")
    return int(not all([hold(name, command)
                        for name, command in suites(squint, fixture, node)
                        if only in name]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
