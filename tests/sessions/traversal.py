#!/usr/bin/env python3
"""traversal.py SQUINT: over 2,000 strings that try to leave a folder, in every
argument that names a file, a picture or a resource; TAP.

After all of them nothing was created, changed or read outside of the output
folder: a file beside it keeps its content and never occurs in an answer.
"""

import itertools
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import run_case
from squint_server import Server

SQUINT = sys.argv[1]
CANARY = "canary-6b1f"
DOTS = ("..", "%2e%2e", "..%00", "\uff0e\uff0e", "..;", ". .", "%252e%252e",
        "..\u2024", "\u2025", "%c0%ae%c0%ae")
SLASHES = ("/", "\\", "%2f", "%5c", "\u2215", "//", "/./", "%252f")
STARTS = ("", "/", "./", "~/", "C:\\", "file://", "\\\\host\\", "/proc/self/cwd/",
          "/proc/self/root/", "a/", "squint://screenshot/")
ENDS = ("outside.png", "outside", "etc/passwd")
EXTRA = ("", ".", "..", "/", "~", "\0", "a\0b", "a" * 5000, "/dev/stdin", "-",
         "--help", "$(touch x)", "`id`", ";id", "a\nb", "link/x.png",
         "link", "nul", "con.png", ".git/config", ".squint")
# Operations without a phone's picture first, so that a thousand are quick.
TARGETS = (
    ("ui", {"operation": "screenshot"}, "localPath"),
    ("ui", {"operation": "tap", "x": 1, "y": 1}, "screenshotId"),
    ("ui", {"operation": "screenshot"}, "screenshotId"),
    ("ui", {"operation": "launch"}, "packageName"),
    ("ui", {"operation": "open"}, "url"),
    ("ui", {"operation": "screenshot"}, "deviceId"),
    ("get_screenshot", {}, "screenshotRef"),
    ("crop_screenshot", {"region": {}}, "screenshotRef"),
    ("save_screenshot", {}, "screenshotRef"),
    ("rtfm", {}, "operation"),
    ("resources", {}, "uri"),
)


def strings():
    """The corpus, without repetition."""
    made = (start + slash.join([dots] * count) + slash + end
            for start, dots, slash, count, end in itertools.product(
                STARTS, DOTS, SLASHES, (1, 4), ENDS))
    return list(dict.fromkeys((*EXTRA, *made)))


def snapshot(folder):
    """Every file with its content, except what squint may write."""
    return {str(path): path.read_bytes()
            for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.is_file() and path.name != "stderr"
            and not any(part in (".squint", "state", "cache")
                        for part in path.parts)}


def prepare(folder):
    """A file that must stay as it is, and a link to its folder."""
    pathlib.Path(folder, "outside.png").write_text(CANARY, encoding="ascii")
    pathlib.Path(folder, "outside").write_text(CANARY, encoding="ascii")
    output = pathlib.Path(folder, ".squint", "screenshots")
    output.mkdir(parents=True)
    os.symlink(folder, output / "link")
    pathlib.Path(folder, "past").mkdir()


def check_target(server, target, corpus):
    """Send all strings in one argument; returns how many were answered."""
    name, arguments, key = target
    for at, text in enumerate(corpus):
        method, params = "tools/call", {
            "name": name, "arguments": {**arguments, key: text}}
        if name == "resources":
            method, params = "resources/read", {"uri": text}
        server.send({"jsonrpc": "2.0", "id": 1000 + at, "method": method,
                     "params": params})
        while True:
            answer = server.receive()
            if answer.get("id") == 1000 + at:
                break
        assert CANARY not in json.dumps(answer), (name, key, text)
        assert "root:x:0" not in json.dumps(answer), (name, key, text)


def nothing_leaves_the_folder():
    """All strings in all arguments, on one server."""
    corpus = strings()
    assert len(corpus) >= 2000, len(corpus)
    # Each argument gets a part of them; SQUINT_TEST_ALL: all.
    whole = bool(os.environ.get("SQUINT_TEST_ALL"))
    server = Server([SQUINT, "mcp", "--archive", "past", "--save-directory",
                     "saved"], prepare=prepare)
    with server:
        server.initialize()
        before = snapshot(server.folder.name)
        for at, target in enumerate(TARGETS):
            part = corpus if whole else (corpus[at::2 * len(TARGETS)]
                                      + list(EXTRA))
            check_target(server, target, part)
        after = snapshot(server.folder.name)
        assert after == before, set(after) ^ set(before)


if __name__ == "__main__":
    print("1..1")
    sys.exit(not run_case(1, nothing_leaves_the_folder))
