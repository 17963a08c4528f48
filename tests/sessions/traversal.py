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
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import run_all
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
COUNT = 2000  # of strings in each argument; SQUINT_TEST_ALL: all
# The arguments that name a file, a picture, a device, an app or a resource.
TARGETS = (
    ("ui", {"operation": "screenshot"}, "localPath"),
    ("ui", {"operation": "tap", "x": 1, "y": 1}, "screenshotId"),
    ("ui", {"operation": "screenshot"}, "screenshotId"),
    ("ui", {"operation": "launch"}, "packageName"),
    ("ui", {"operation": "open"}, "url"),
    ("ui", {"operation": "screenshot"}, "deviceId"),
    ("ui", {"operation": "visual-find-image"}, "localPath"),
    ("ui", {"operation": "visual-find-image"}, "name"),
    ("ui", {"operation": "forget"}, "name"),
    ("ui", {"operation": "input"}, "secret"),
    ("ui", {"operation": "install"}, "paths"),
    ("list_screenshots", {}, "cursor"),
    ("contact_sheet", {}, "refs"),
    ("save_screenshot", {"screenshotRef": "x"}, "outputPath"),
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
            "name": name, "arguments": {
                **arguments, key: [text] if key in ("paths", "refs") else text}}
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
    chance = random.Random(5)
    # A small phone, so that those that are good names cost little.
    server = Server([SQUINT, "mcp", "--archive", "past", "--save-directory",
                     "saved", "--demo-width", "240", "--demo-height", "240",
                     "--watch-ms", "0", "--template-matching-enabled",
                     "--install-from", "past"], prepare=prepare)
    with server:
        server.initialize()
        before = snapshot(server.folder.name)
        for target in TARGETS:
            part = [*EXTRA, *chance.sample(corpus, COUNT)]
            check_target(server, target,
                         corpus if os.environ.get("SQUINT_TEST_ALL") else part)
        after = snapshot(server.folder.name)
        assert after == before, set(after) ^ set(before)


if __name__ == "__main__":
    sys.exit(run_all([nothing_leaves_the_folder]))
