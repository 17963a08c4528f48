"""The demo phone shows the time, and its change is a change on the screen."""

import time

ATTEMPTS = 20


def this_minute():
    """Which one it is; what was begun in another may have seen it change."""
    return int(time.time() // 60)


def within_a_minute(attempt):
    """What attempt() returns: None, or what went wrong, which does not count
    where the minute has changed meanwhile. Then it is made again."""
    wrong = None
    for _ in range(ATTEMPTS):
        minute = this_minute()
        wrong = attempt()
        if not wrong or minute == this_minute():
            break
    return wrong
