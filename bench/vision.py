#!/usr/bin/env python3
"""vision: how many words squint reads exactly, next to Tesseract's own layout.

vision.py SQUINT FOLDER reads every picture of FOLDER that has a file with the
true words, NAME.truth.json: {"dpr": 2.5, "words": [[text, left, top, right,
bottom, ...], ...]} in units of dpr pixels. NAME is the start of the picture's
name. Prints one row per picture and program.

A word counts as exact if a reported word has the same text and its middle is
inside the true box. True words without a gap between them (tokens of source
code in different colours) are one word on the screen and are joined first;
--tokens keeps them apart. Precision is the share of reported words that are
exact. CPU is that of all processes, with their start.
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import subprocess
import sys

SAME_ROW = 2  # pixels
NO_GAP = 1.5


def join_touching(words):
    joined = []
    for text, box in words:
        last = joined[-1] if joined else None
        if (last and abs(last[1][1] - box[1]) < SAME_ROW
                and abs(last[1][2] - box[0]) < NO_GAP):
            joined[-1] = (last[0] + text, last[1][:2] + box[2:])
        else:
            joined.append((text, box))
    return joined


def read_truth(path, tokens):
    truth = json.loads(path.read_text())
    words = [(word[0], [side * truth["dpr"] for side in word[1:5]])
             for word in truth["words"]]
    return words if tokens else join_touching(words)


def run(command):
    """The output of a command, and the processor time of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, check=False,
                          env=dict(os.environ, OMP_THREAD_LIMIT="1"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.decode()}")
    cpu = (after.ru_utime + after.ru_stime
           - before.ru_utime - before.ru_stime)
    return done.stdout.decode(), cpu


def read_by_squint(program, picture):
    output, cpu = run([program, "ocr", "--json", picture])
    words = [(word["text"], word["x"] + word["width"] / 2,
              word["y"] + word["height"] / 2)
             for word in json.loads(output)["words"]]
    return words, cpu


def read_by_tesseract(_, picture):
    output, cpu = run(["tesseract", picture, "-", "--psm", "3", "--oem", "1",
                       "tsv"])
    rows = csv.DictReader(output.splitlines(), delimiter="\t",
                          quoting=csv.QUOTE_NONE)
    words = [(row["text"], int(row["left"]) + int(row["width"]) / 2,
              int(row["top"]) + int(row["height"]) / 2)
             for row in rows if row["text"] and row["text"].strip()]
    return words, cpu


READERS = {"squint": read_by_squint, "tesseract": read_by_tesseract}


def count_exact(truth, words):
    unused = list(words)
    exact = 0
    for text, (left, top, right, bottom) in truth:
        for word in unused:
            if (word[0] == text and left <= word[1] <= right
                    and top <= word[2] <= bottom):
                unused.remove(word)
                exact += 1
                break
    return exact


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("squint")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tokens", action="store_true")
    options = parser.parse_args()
    totals = {name: [0, 0, 0, 0.0] for name in READERS}
    print(f"{'picture':32}{'program':>10}{'words':>7}{'exact %':>9}"
          f"{'precision %':>13}{'CPU s':>8}")
    for truth_path in sorted(options.folder.glob("*.truth.json")):
        stem = truth_path.name.removesuffix(".truth.json")
        truth = read_truth(truth_path, options.tokens)
        for picture in sorted(options.folder.glob(stem + ".*")):
            if picture.suffix not in (".png", ".jpg", ".webp"):
                continue
            for name, read in READERS.items():
                words, cpu = read(options.squint, str(picture))
                exact = count_exact(truth, words)
                for i, value in enumerate((len(truth), exact, len(words), cpu)):
                    totals[name][i] += value
                print(f"{picture.name:32}{name:>10}{len(truth):7}"
                      f"{100 * exact / len(truth):9.1f}"
                      f"{100 * exact / max(1, len(words)):13.1f}{cpu:8.2f}")
    for name, (true, exact, reported, cpu) in totals.items():
        if true:
            print(f"{'all':32}{name:>10}{true:7}{100 * exact / true:9.1f}"
                  f"{100 * exact / max(1, reported):13.1f}{cpu:8.2f}")


if __name__ == "__main__":
    main()
