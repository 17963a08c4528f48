"""
Makes the templates for vision.py, and searches for them with OpenCV.

vision_templates.py FOLDER MADE COUNT ABSENT cuts COUNT templates of 96x96 out of
each phone screen of FOLDER: as they are, as JPEG of quality 70, and in other
sizes; and ABSENT ones that are looked for on another screen. Prints one line of
JSON per case, and OpenCV's time for the same place (matchTemplate alone, in one
thread). Needs Debian's python3-opencv.
"""
import json
import os
import pathlib
import random
import sys
import time

import cv2

SIDE = 96
FLAT = 8  # least standard deviation of a template
NEAR = 3  # pixels
SIZES = (0.6, 0.8, 1.25, 1.6)


def cut(picture, chance):
    """A part of the picture in which there is something to see."""
    while True:
        x = chance.randrange(picture.shape[1] - SIDE)
        y = chance.randrange(picture.shape[0] - SIDE)
        part = picture[y:y + SIDE, x:x + SIDE]
        if part.std() >= FLAT:
            return x, y, part


def is_unique(grey, x, y):
    """Whether no other place looks like this one, and OpenCV's time."""
    part = grey[y:y + SIDE, x:x + SIDE]
    begin = time.process_time()
    result = cv2.matchTemplate(grey, part, cv2.TM_CCOEFF_NORMED)
    took = 1000 * (time.process_time() - begin)
    _, _, _, place = cv2.minMaxLoc(result)
    right = abs(place[0] - x) <= NEAR and abs(place[1] - y) <= NEAR
    result[max(0, y - SIDE // 2):y + SIDE // 2,
           max(0, x - SIDE // 2):x + SIDE // 2] = 0
    _, second, _, _ = cv2.minMaxLoc(result)
    return second < 0.9, right, took


def say(kind, **words):
    """Print one case."""
    print(json.dumps({"kind": kind, **words}))


def make_cases(path, picture, grey, chance, made, number):
    """All kinds of one template."""
    while True:
        x, y, part = cut(picture, chance)
        unique, right, took = is_unique(grey, x, y)
        if unique:
            break
    say("OpenCV", right=right, ms=took)
    base = os.path.join(made, str(number))
    cv2.imwrite(base + ".png", part)
    cv2.imwrite(base + ".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 70])
    place = {"picture": path, "x": x, "y": y}
    say("exact", template=base + ".png", **place)
    say("recompressed", template=base + ".jpg", **place)
    for size in SIZES:
        name = f"{base}-{size}.png"
        cv2.imwrite(name, cv2.resize(
            part, None, fx=size, fy=size,
            interpolation=cv2.INTER_AREA if size < 1 else cv2.INTER_CUBIC))
        say("rescaled", template=name, **place)


def main():
    """Write templates and print cases."""
    folder, made = sys.argv[1:3]
    count, absent = int(sys.argv[3]), int(sys.argv[4])
    cv2.setNumThreads(1)
    chance = random.Random(1)
    paths = [str(path) for path in sorted(
        pathlib.Path(folder).glob("*_1080x2400.rgba.png"))]
    pictures = [cv2.imread(path) for path in paths]
    number = 0
    for path, picture in zip(paths, pictures):
        grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        for _ in range(count):
            make_cases(path, picture, grey, chance, made, number)
            number += 1
    for i in range(absent):
        source = i % len(pictures)
        _, _, part = cut(pictures[source], chance)
        name = os.path.join(made, f"absent-{i}.png")
        cv2.imwrite(name, part)
        say("absent", template=name, x=0, y=0,
            picture=paths[(source + 1) % len(paths)])


if __name__ == "__main__":
    main()
