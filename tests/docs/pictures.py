#!/usr/bin/env python3
"""pictures.py SQUINT ROOT: the pictures of docs/ are those that the program
draws; TAP. Only the clock of the phone may differ. Skipped where no text can be
read."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from sandbox import end_without_reading

NAMES = ("marks.png", "grid.png", "hidden.png")
MOST_BYTES = 60000
STATUS_BAR = 25     # pixels


def difference(squint, made, kept):
    """What squint says about two pictures."""
    done = subprocess.run([squint, "diff", str(made), str(kept), "--json"],
                          capture_output=True, check=False)
    return json.loads(done.stdout)


def is_the_same(answer):
    """Whether the pictures are equal, or differ in the status bar only."""
    rect = answer.get("changedRect", {"y": 0, "height": 0})
    return (answer["before"] == answer["after"]
            and rect["y"] + rect["height"] <= STATUS_BAR)


def main(squint, root):
    """Make the pictures again and compare them; returns the exit status."""
    end_without_reading()
    failed = 0
    kept = pathlib.Path(root, "docs", "images")
    print(f"1..{len(NAMES)}")
    with tempfile.TemporaryDirectory(prefix="squint-pictures-") as folder:
        subprocess.run([str(pathlib.Path(root, "scripts", "vision-pictures")),
                        squint, folder], check=True, stdin=subprocess.DEVNULL)
        for number, name in enumerate(NAMES, 1):
            answer = difference(squint, pathlib.Path(folder, name), kept / name)
            is_small = (kept / name).stat().st_size <= MOST_BYTES
            if is_the_same(answer) and is_small:
                print(f"ok {number} {name}")
            else:
                failed += 1
                print(f"# run scripts/vision-pictures, and look: {answer}")
                print(f"not ok {number} {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2]))
