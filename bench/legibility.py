#!/usr/bin/env python3
"""How much text survives scaling and encoding: Tesseract's word recall."""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

import report
from inputs import PAGES, truth_page
from workers import Worker, WorkerError

ENLARGE = 3
TOLERANCE = 0.03
PUNCTUATION = ".,:;!?'\"()[]{}<>|-_*"
VARIANTS = {
    "lossless PNG": {"format": "png"},
    "64-colour PNG": {"format": "png", "colours": 64},
    "JPEG q70": {"format": "jpeg", "quality": 70},
    "WebP q60": {"format": "webp", "quality": 60},
}
JUDGED = "64-colour PNG"


def fold(words):
    """Words counted without case and without punctuation at their ends."""
    return collections.Counter(word.strip(PUNCTUATION).casefold()
                               for word in words)


def recall(truth, seen):
    """Share of the true words that were seen, each as often as it occurs."""
    wanted = fold(truth)
    return (wanted & fold(seen)).total() / wanted.total()


def read_words(picture):
    """The words that Tesseract reads in a picture."""
    text = subprocess.run(
        ["tesseract", picture, "-", "-l", "eng"], text=True, check=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"}).stdout
    return text.split()


def measure_page(squint, folder, page):
    """Bytes and recall of every variant of one page."""
    picture, truth_file = truth_page(page)
    with open(truth_file, encoding="utf-8") as file:
        truth = [word[0] for word in json.load(file)["words"]]
    side = PAGES[page][1]
    variants = []
    for name, words in VARIANTS.items():
        stem = os.path.join(folder, f"{page}-{len(variants)}")
        encoded, large = stem, stem + ".large.png"
        made = squint.ask("picture", max=side, output=encoded, **words,
                          input=picture)
        squint.ask("enlarge", times=ENLARGE, output=large, input=encoded)
        variants.append({"name": name, "bytes": made["bytes"],
                         "recall": recall(truth, read_words(large))})
    return {"page": page, "side": side, "variants": variants,
            "judged": JUDGED, "verdict": judge(variants)}


def judge(variants):
    """Whether few colours are as legible as lossless and smaller than JPEG."""
    by_name = {variant["name"]: variant for variant in variants}
    few, lossless = by_name[JUDGED], by_name["lossless PNG"]
    readable = few["recall"] >= lossless["recall"] - TOLERANCE
    smaller = few["bytes"] < by_name["JPEG q70"]["bytes"]
    if readable and smaller:
        return "met"
    return "missed: " + ", ".join(
        word for word, held in (("recall", readable), ("bytes", smaller))
        if not held)


def measure(squint, folder):
    """All pages, or the reason why there are none."""
    if not shutil.which("tesseract"):
        return {"skipped": "tesseract is not installed"}
    pages = [page for page in PAGES if truth_page(page)]
    if not pages:
        return {"skipped": "no screenshots with known words"}
    return {"pages": [measure_page(squint, folder, page) for page in pages]}


def main():
    """Legibility alone; run.py includes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", required=True, help="path of bench-jobs")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    squint = Worker("squint", [options.jobs])
    try:
        with tempfile.TemporaryDirectory(prefix="squint-bench-") as folder:
            result = measure(squint, folder)
    finally:
        squint.close()
    print(report.render_legibility(result, options.markdown))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (WorkerError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"legibility: {error}")
