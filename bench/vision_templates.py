"""
Makes the templates for vision.py, and searches for them with OpenCV.

vision_templates.py FOLDER MADE COUNT ABSENT SEED cuts COUNT templates of 96x96
out of each phone screen of FOLDER: as they are, as JPEG of quality 70, and in
other sizes; and ABSENT ones that are not on the screen on which they are looked
for. Prints one line of JSON per case, with OpenCV's answer for the same template
(matchTemplate in one thread, which is told the size of rescaled ones), and waits
for a line of standard input before the next one. Needs Debian's python3-opencv.

A template of another screen is absent if OpenCV finds no place where it could
be: in every size from 0.5 to 2, the places with the best correlation are compared
in colours, after a blur of 5 pixels. If no pixel differs by more than IS_THERE,
the template is there (the same letters in another size, for example) and
another one is taken.
"""
import functools
import json
import multiprocessing
import os
import pathlib
import random
import sys
import time

import cv2
import numpy

SIDE = 96
FLAT = 8  # least standard deviation of a template
NEAR = 3  # pixels
SIZES = (0.6, 0.8, 1.25, 1.6)
COARSE = 4  # the first search is in pictures this many times smaller
STEPS = 24  # sizes from 0.5 to 2
BEST = 3  # sizes whose best place is compared in full size
IS_THERE = 50  # of 255


def cut(picture, chance):
    """A part of the picture in which there is something to see."""
    while True:
        x = chance.randrange(picture.shape[1] - SIDE)
        y = chance.randrange(picture.shape[0] - SIDE)
        part = picture[y:y + SIDE, x:x + SIDE]
        if part.std() >= FLAT:
            return x, y, part


def resize(part, width, height=0):
    """A part in another size."""
    is_smaller = width < part.shape[1]
    return cv2.resize(part, (width, height or width), interpolation=(
        cv2.INTER_AREA if is_smaller else cv2.INTER_CUBIC))


def grey_of(picture):
    """A picture without colours."""
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def search(grey, part):
    """The map of scores, the best score and its place, and the time."""
    begin = time.process_time()
    result = cv2.matchTemplate(grey, part, cv2.TM_CCOEFF_NORMED)
    _, score, _, place = cv2.minMaxLoc(result)
    return result, score, place, 1000 * (time.process_time() - begin)


def is_unique(grey, x, y):
    """Whether no other place looks like this one."""
    result, _, _, _ = search(grey, grey[y:y + SIDE, x:x + SIDE])
    result[max(0, y - SIDE // 2):y + SIDE // 2,
           max(0, x - SIDE // 2):x + SIDE // 2] = 0
    return cv2.minMaxLoc(result)[1] < 0.9


class Screen:
    """A picture in which templates are looked for."""

    def __init__(self, path):
        self.path = path
        self.picture = cv2.imread(path)
        self.grey = grey_of(self.picture)
        self.small = cv2.resize(self.grey, None, fx=1 / COARSE, fy=1 / COARSE,
                                interpolation=cv2.INTER_AREA)

    def places(self, part):
        """The best places in all sizes: [(score, x, y, side)]."""
        found = []
        grey = grey_of(part)
        for i in range(STEPS + 1):
            side = SIDE * 0.5 * 4 ** (i / STEPS)
            _, score, (x, y), _ = search(
                self.small, resize(grey, round(side / COARSE)))
            found.append((score, x * COARSE, y * COARSE, side))
        return sorted(found, reverse=True)[:BEST]

    def difference(self, part, place):
        """The largest difference of a pixel at the best place near one."""
        _, x, y, side = place
        least = 255
        for size in range(round(side * 0.95), round(side * 1.05) + 1):
            left, top = max(0, x - 8), max(0, y - 8)
            window = self.picture[top:y + size + 8, left:x + size + 8]
            other = resize(part, size)
            if min(window.shape[:2]) < size:
                continue
            _, _, (dx, dy), _ = search(grey_of(window), grey_of(other))
            there = window[dy:dy + size, dx:dx + size]
            least = min(least, int(numpy.max(cv2.absdiff(
                cv2.blur(there, (5, 5)), cv2.blur(other, (5, 5))))))
        return least

    def has(self, part):
        """Whether OpenCV finds the part, in any size."""
        return any(self.difference(part, place) <= IS_THERE
                   for place in self.places(part))


def say(kind, **words):
    """Print one case and wait until it is done."""
    print(json.dumps({"kind": kind, **words}), flush=True)
    sys.stdin.readline()


def say_place(screen, kind, name, x, y):
    """One case with OpenCV's answer for the same file."""
    template = cv2.imread(name, cv2.IMREAD_GRAYSCALE)
    if template.shape[0] != SIDE:
        template = resize(template, SIDE)
    _, _, place, took = search(screen.grey, template)
    say(kind, template=name, picture=screen.path, x=x, y=y, peerMs=took,
        peerRight=abs(place[0] - x) <= NEAR and abs(place[1] - y) <= NEAR)


def make_cases(screen, chance, base):
    """All kinds of one template."""
    while True:
        x, y, part = cut(screen.picture, chance)
        if is_unique(screen.grey, x, y):
            break
    cv2.imwrite(base + ".png", part)
    cv2.imwrite(base + ".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 70])
    say_place(screen, "exact", base + ".png", x, y)
    say_place(screen, "recompressed", base + ".jpg", x, y)
    for size in SIZES:
        name = f"{base}-{size}.png"
        cv2.imwrite(name, cv2.resize(
            part, None, fx=size, fy=size,
            interpolation=cv2.INTER_AREA if size < 1 else cv2.INTER_CUBIC))
        say_place(screen, "rescaled", name, x, y)


def choose_absent(screens, seed, number):
    """A part of one screen that is not on the next one, and that screen."""
    chance = random.Random(f"{seed} {number}")
    source = screens[number % len(screens)]
    other = screens[(number + 1) % len(screens)]
    while True:
        _, _, part = cut(source.picture, chance)
        if not other.has(part):
            return part, other.path
        print("not absent: another part is taken", file=sys.stderr)


def start_chooser(screens, seed):
    """Prepare a process that chooses absent templates."""
    global choose
    cv2.setNumThreads(1)
    choose = functools.partial(choose_absent, screens, seed)


def choose_number(number):
    """What a process of the pool does."""
    return choose(number)


def make_absent(screens, seed, count, made):
    """Templates that are not there, chosen on all processors."""
    with multiprocessing.get_context("fork").Pool(
            initializer=start_chooser, initargs=(screens, seed)) as pool:
        chosen = pool.imap(choose_number, range(count))
        for number, (part, picture) in enumerate(chosen):
            name = os.path.join(made, f"absent-{number}.png")
            cv2.imwrite(name, part)
            say("absent", template=name, x=0, y=0, picture=picture)


def main():
    """Write templates and print cases."""
    folder, made = sys.argv[1:3]
    count, absent, seed = (int(word) for word in sys.argv[3:6])
    cv2.setNumThreads(1)
    chance = random.Random(seed)
    screens = [Screen(str(path)) for path in sorted(
        pathlib.Path(folder).glob("*_1080x2400.rgba.png"))]
    number = 0
    for screen in screens:
        for _ in range(count):
            make_cases(screen, chance, os.path.join(made, str(number)))
            number += 1
    make_absent(screens, seed, absent, made)


if __name__ == "__main__":
    main()
