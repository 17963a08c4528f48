#!/usr/bin/env python3
"""vision_templates: how squint finds images, next to OpenCV.

vision_templates.py SQUINT PICTURE OTHER cuts templates of 96x96 pixels out of
PICTURE and looks for them as they are, compressed as JPEG (quality 70) and in
other sizes; and looks for templates of OTHER, which PICTURE does not contain.
Needs Debian's python3-opencv and python3-numpy. Times are CPU times. Those of
squint include its start and the decoding of both files ("decode" is that of an
exact search in a small region, to be subtracted); OpenCV's is matchTemplate
alone, in one thread. Parts of OTHER that PICTURE has too, such as the status
bar, are not cut. --json prints {name: [[found, ms], ...]}.
"""
import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import tempfile

import cv2

SIDE = 96
FLAT = 8  # least standard deviation of a template
NEAR = 3  # pixels
SIZES = (0.6, 0.8, 1.25, 1.6)


def cut(picture, chance):
    while True:
        x = chance.randrange(picture.shape[1] - SIDE)
        y = chance.randrange(picture.shape[0] - SIDE)
        part = picture[y:y + SIDE, x:x + SIDE]
        if part.std() >= FLAT:
            return x, y, part


def cpu_of(who):
    usage = resource.getrusage(who)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def search(squint, template, picture, *options):
    begin = cpu_of(resource.RUSAGE_CHILDREN)
    done = subprocess.run([squint, "find-image", template, picture, "--json",
                           *options], capture_output=True, check=False)
    took = cpu_of(resource.RUSAGE_CHILDREN) - begin
    return json.loads(done.stdout)["hits"], took


def is_near(hits, x, y):
    return any(abs(hit["x"] - x) <= NEAR and abs(hit["y"] - y) <= NEAR
               for hit in hits)


def peer(picture, part, x, y):
    begin = cpu_of(resource.RUSAGE_SELF)
    result = cv2.matchTemplate(picture, part, cv2.TM_CCOEFF_NORMED)
    took = cpu_of(resource.RUSAGE_SELF) - begin
    _, _, _, place = cv2.minMaxLoc(result)
    return abs(place[0] - x) <= NEAR and abs(place[1] - y) <= NEAR, took


def report(name, found, times):
    print(f"{name:28}{sum(found):5} of {len(found):4} found"
          f"{statistics.median(times):8.0f} ms median")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("squint")
    parser.add_argument("picture")
    parser.add_argument("other")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--absent", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    chance = random.Random(1)
    picture = cv2.imread(options.picture)
    other = cv2.imread(options.other)
    kinds = {"exact": [], "JPEG": [], **{f"size {s}": [] for s in SIZES},
             "OpenCV, same size": [], "absent": [], "decode": []}
    with tempfile.TemporaryDirectory() as folder:
        png = os.path.join(folder, "template.png")
        jpeg = os.path.join(folder, "template.jpg")
        for _ in range(options.count):
            x, y, part = cut(picture, chance)
            cv2.imwrite(png, part)
            cv2.imwrite(jpeg, part, [cv2.IMWRITE_JPEG_QUALITY, 70])
            for name, path in (("exact", png), ("JPEG", jpeg)):
                hits, took = search(options.squint, path, options.picture)
                kinds[name].append((is_near(hits, x, y), took))
            for size in SIZES:
                scaled = cv2.resize(part, None, fx=size, fy=size,
                                    interpolation=cv2.INTER_AREA
                                    if size < 1 else cv2.INTER_CUBIC)
                cv2.imwrite(png, scaled)
                hits, took = search(options.squint, png, options.picture)
                kinds[f"size {size}"].append((is_near(hits, x, y), took))
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            kinds["OpenCV, same size"].append(
                peer(grey, grey[y:y + SIDE, x:x + SIDE], x, y))
            kinds["decode"].append((True, search(
                options.squint, png, options.picture, "--exact", "--region",
                "0,0,200,200")[1]))
        while len(kinds["absent"]) < options.absent:
            _, _, part = cut(other, chance)
            cv2.imwrite(png, part)
            if search(options.squint, png, options.picture, "--exact")[0]:
                continue
            hits, took = search(options.squint, png, options.picture)
            kinds["absent"].append((bool(hits), took))
    if options.json:
        print(json.dumps(kinds))
        return
    for name, runs in kinds.items():
        report(name, [run[0] for run in runs], [run[1] for run in runs])


if __name__ == "__main__":
    main()
