#!/usr/bin/env python3
"""
Reads ten screens that Chromium draws for this run, and compares the words with
those that were drawn. The floors are MARGIN below what was read on 2026-11-19
with Chromium 156, because every browser draws a little differently.

reading.py SQUINT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "support")]
import screen_pages  # noqa: E402 pylint: disable=wrong-import-position
import vision  # noqa: E402 pylint: disable=wrong-import-position
from cases import expect_true, run_case  # noqa: E402 pylint: disable=wrong-import-position
from sandbox import end_without_reading  # noqa: E402 pylint: disable=wrong-import-position

SEED = 70
MARGIN = 5  # points
PATIENCE = 300  # seconds for a page: with sanitizers, reading is slow
# Percent of the words that were read exactly, and of what was read that is
# exact.
READ = {
    "badges": (100, 100),
    "chips": (100, 100),
    "marked": (99, 99),
    "keys": (90, 98),
    "map": (91, 98),
    "map-dark": (95, 95),
    "photo": (92, 100),
    "table": (98, 100),
    "inverted": (100, 98),
    "tiny": (100, 100),
}


def read(squint, picture):
    """The words of a picture: [text, x and y of its middle]."""
    done = subprocess.run([squint, "ocr", picture, "--json"], check=True,
                          capture_output=True, timeout=PATIENCE)
    return [(word["text"], word["x"] + word["width"] / 2,
             word["y"] + word["height"] / 2)
            for word in json.loads(done.stdout)["words"]]


def check(squint, folder, kind):
    """A page is read as well as its floors say."""
    truth = vision.read_truth(folder / f"{kind}-0.truth.json")
    words = read(squint, folder / f"{kind}-0.png")
    exact, missed, wrong = vision.compare(truth, words)
    recall = 100 * exact / len(truth)
    precision = 100 * exact / max(1, len(words))
    print(f"# {kind}: {recall:.1f} % of {len(truth)} words, precision "
          f"{precision:.1f} %; missed {' '.join(missed)}; wrong {' '.join(wrong)}")
    least = [value - MARGIN for value in READ[kind]]
    expect_true(f"{recall:.1f} % of the words are at least {least[0]:.1f} %",
                recall >= least[0])
    expect_true(f"a precision of {precision:.1f} % is at least {least[1]:.1f} %",
                precision >= least[1])


def main():
    """Draw the pages and read them."""
    end_without_reading()
    squint = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if not screen_pages.write(folder, SEED, list(READ), pages=1):
            print("1..0 # SKIP no Chromium is installed")
            return 0
        print(f"1..{len(READ)}")
        passed = True
        for number, kind in enumerate(READ, 1):
            def case(kind=kind):
                check(squint, folder, kind)
            case.__name__ = kind.replace("-", "_")
            passed = run_case(number, case) and passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
