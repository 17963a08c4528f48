#!/usr/bin/env python3
"""How much text survives scaling and encoding: words that squint itself reads.

The pages are those of picture_pages.py. Each is sent as a model with a profile
would get it, and read as it was sent. squint's reader stands for a model.
"""

import argparse
import collections
import os
import pathlib
import sys
import tempfile

import picture_pages
import report
import vision
from workers import Worker, WorkerError

PROFILES = ("claude", "claude-hires", "gpt-5", "gpt-5.4", "gemini-3")
# name: whether the size depends on the text, and the format
VARIANTS = {
    "default": (False, {"format": "jpeg"}),
    "WebP": (False, {"format": "webp"}),
    "auto": (False, {"format": "auto"}),
    "auto, maxDimension auto": (True, {"format": "auto"}),
}
PUNCTUATION = ".,:;!?'\"()[]{}<>|-_*"


def fold(words):
    """Words counted without case and without punctuation at their ends."""
    return collections.Counter(word.strip(PUNCTUATION).casefold()
                               for word in words)


def recall(truth, seen):
    """Share of the true words that were seen, each as often as it occurs."""
    wanted = fold(truth)
    return (wanted & fold(seen)).total() / max(1, wanted.total())


class Reader:
    """Scales pictures and reads them; the same picture only once."""

    def __init__(self, jobs, squint, folder):
        self.jobs = jobs
        self.program = os.path.abspath(squint)
        self.folder = folder
        self.worker = Worker("bench-vision", [os.path.join(
            os.path.dirname(jobs.path), "bench-vision")])
        self.known = {}

    def close(self):
        """End the worker."""
        self.worker.close()

    def read(self, picture, side, words):
        """The size, the bytes and the share of the words."""
        key = (picture, side, words["format"])
        if key not in self.known:
            path = os.path.join(self.folder, "sent")
            made = self.jobs.ask("picture", max=side, output=path, **words,
                                 input=str(picture))
            truth = vision.read_truth(picture.with_suffix(".truth.json"))
            seen = self.worker.ask("read", input=path, squint=self.program,
                                   new=1)["words"]
            self.known[key] = {**made, "recall": recall(
                [word[0] for word in truth], [word[0] for word in seen])}
        return self.known[key]


def measure_profile(reader, profile, pages):
    """The means of every variant over the pages."""
    rows = []
    for name, (is_legible, words) in VARIANTS.items():
        sums = collections.Counter()
        for picture in pages:
            sides = reader.jobs.ask("legible", profile=profile,
                                    input=str(picture))
            side = sides["side" if is_legible else "default"]
            read = reader.read(picture, side, words)
            cost = reader.jobs.ask("cost", profile=profile,
                                   width=read["width"], height=read["height"])
            sums.update(words=read["recall"], tokens=cost["tokens"],
                        bytes=read["bytes"])
        rows.append({"profile": profile, "variant": name,
                     **{key: value / len(pages) for key, value in sums.items()}})
    return rows


def measure(jobs, squint, folder):
    """All profiles, or the reason why there are none."""
    program = os.path.join(os.path.dirname(jobs.path), "bench-vision")
    if not os.path.exists(program):
        return {"skipped": "squint was built without Tesseract"}
    drawn = pathlib.Path(folder) / "pages"
    if not drawn.exists() and not picture_pages.write(drawn, picture_pages.SEED):
        return {"skipped": "no Chromium is installed"}
    pages = [drawn / f"{name}.png" for name in picture_pages.READ]
    reader = Reader(jobs, squint, folder)
    try:
        return {"seed": picture_pages.SEED, "pages": picture_pages.READ,
                "rows": [row for profile in PROFILES
                         for row in measure_profile(reader, profile, pages)]}
    finally:
        reader.close()


def main():
    """Legibility alone; run.py includes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", required=True, help="path of bench-jobs")
    parser.add_argument("--squint", required=True, help="path of squint")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    jobs = Worker("squint", [options.jobs])
    try:
        with tempfile.TemporaryDirectory(prefix="squint-bench-") as folder:
            result = measure(jobs, options.squint, folder)
    finally:
        jobs.close()
    print(report.render_legibility(result, options.markdown))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (WorkerError, OSError) as error:
        sys.exit(f"legibility: {error}")
