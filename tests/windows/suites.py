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
# What is held over standard input only: about folders, and about the list of a new
# screen, of which a phone on adb may be too slow to tell.
BY_ITSELF = ("archive", "new-screens")
LIMIT_S = 900
HTTP = {"stateless": [], "tasks": [], "security": ["1000"]}
# What fails because files have no modes; of the rest of tests/http some stop at that,
# others need signals of POSIX.
FAILING = {"http/security": {"only the owner may read the token",
                             "a token that others may read is refused"}}


def conversations(with_folders):
    """The files of the conversations."""
    return [path for path in sorted(CONVERSATIONS.glob("*.txt"))
            if path.stem not in LACKING
            and (with_folders or not path.stem.startswith(BY_ITSELF))]


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
    for name, words in HTTP.items():
        yield f"http/{name}", [TESTS / f"http/{name}.py", squint, *words]
    if node:
        yield "conformance", [TESTS / "conformance/run.py", node, fixture]


def hold(name, command):
    """Run one; whether it passed."""
    env = os.environ | {"SQUINT_ANDROID_ADB_SERVER": "off", "ANDROID_SERIAL": "",
                        "SQUINT_TEST_DRIVE": "Z:"}
    try:
        done = subprocess.run([sys.executable, "-B", *map(str, command)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, timeout=LIMIT_S, env=env)
    except subprocess.TimeoutExpired:
        print(f"FAILED  {name}: did not end within {LIMIT_S} s", flush=True)
        return False
    passed = len(re.findall(r"^ok \d+(?!.*# SKIP)", done.stdout, re.MULTILINE))
    failed = set(re.findall(r"^not ok \d+ - (.*)$", done.stdout, re.MULTILINE))
    wanted = FAILING.get(name, set())
    good = passed > 0 and failed == wanted and done.returncode == (1 if wanted else 0)
    left = f", without {'; '.join(sorted(wanted))}" if wanted else ""
    print(f"{'ok' if good else 'FAILED':8}{name}: {passed} cases{left}", flush=True)
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
