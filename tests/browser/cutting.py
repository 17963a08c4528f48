#!/usr/bin/env python3
"""cutting.py ARGUMENT...: a Chromium whose answers end after CUT_AFTER bytes."""
import os
import shutil
import sys
import threading

FROM_SQUINT, TO_SQUINT = 3, 4  # as --remote-debugging-pipe has them
NAMES = ("chromium", "chromium-browser", "google-chrome")


def start():
    """Start it; returns the ends of its pipes."""
    commands, answers = os.pipe(), os.pipe()
    if os.fork() == 0:
        kept = [os.dup(commands[0]), os.dup(answers[1])]
        for fd in (*commands, *answers):
            os.close(fd)
        os.dup2(kept[0], FROM_SQUINT)
        os.dup2(kept[1], TO_SQUINT)
        program = next(filter(None, map(shutil.which, NAMES)))
        os.execv(program, [program, *sys.argv[1:]])
    os.close(commands[0])
    os.close(answers[1])
    return commands[1], answers[0]


def copy(source, target):
    """Copy all that comes."""
    while chunk := os.read(source, 65536):
        os.write(target, chunk)
    os.close(target)


def main():
    """Copy both ways, and end in the middle of an answer."""
    commands, answers = start()
    threading.Thread(target=copy, args=(FROM_SQUINT, commands), daemon=True).start()
    left = int(os.environ["CUT_AFTER"])
    while left > 0 and (chunk := os.read(answers, left)):
        os.write(TO_SQUINT, chunk)
        left -= len(chunk)
    os._exit(0)  # pylint: disable=protected-access


if __name__ == "__main__":
    main()
