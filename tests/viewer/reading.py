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
SURE_NUMBERS = 95  # of 100 numbers of another page
# Percent of the words that were read exactly, and of what was read that is
# exact.
READ = {
    "badges": (100, 100),
    "chips": (100, 100),
    "marked": (99, 99),
    "keys": (90, 98),
    "map": (88, 98),
    "map-dark": (95, 97),
    "photo": (92, 100),
    "table": (98, 100),
    "inverted": (100, 98),
    "tiny": (100, 100),
}


def read(squint, picture):
    """The words of a picture: [text, x and y of its middle, confidence]."""
    done = subprocess.run([squint, "ocr", picture, "--json"], check=True,
                          capture_output=True, timeout=PATIENCE)
    return [(word["text"], word["x"] + word["width"] / 2,
             word["y"] + word["height"] / 2, word["confidence"])
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


def numbers(squint, folder):
    """Random numbers are right and sure, and none is sure and wrong."""
    truth = vision.read_truth(folder / "numbers-0.truth.json")
    words = [word for word in read(squint, folder / "numbers-0.png")
             if word[3] >= vision.SURE and any(map(str.isdigit, word[0]))]
    exact, missed, wrong = vision.compare(
        [entry for entry in truth if any(map(str.isdigit, entry[0]))], words)
    print(f"# {exact} numbers are sure; missed {' '.join(missed)}")
    expect_true(f"{exact} numbers of 100 are at least {SURE_NUMBERS}",
                exact >= SURE_NUMBERS)
    expect_true(f"no number is sure and wrong: {' '.join(wrong)}", not wrong)


def main():
    """Draw the pages and read them."""
    end_without_reading()
    squint = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if not screen_pages.write(folder, SEED, list(READ), pages=1):
            print("1..0 # SKIP no Chromium is installed")
            return 0
        screen_pages.write(folder, SEED, count=100)
        print(f"1..{len(READ) + 1}")
        passed = True
        for number, kind in enumerate(READ, 1):
            def case(kind=kind):
                check(squint, folder, kind)
            case.__name__ = kind.replace("-", "_")
            passed = run_case(number, case) and passed
        passed = run_case(len(READ) + 1, numbers, squint, folder) and passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
