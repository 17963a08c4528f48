"""The demo phone shows the time, so each new minute changes the screen."""

import time

ATTEMPTS = 20


def this_minute():
    """The number of the current minute."""
    return int(time.time() // 60)


def within_a_minute(attempt):
    """Returns attempt(), which is None or an error. After an error, it is
    called again if the minute has changed meanwhile."""
    wrong = None
    for _ in range(ATTEMPTS):
        minute = this_minute()
        wrong = attempt()
        if not wrong or minute == this_minute():
            break
    return wrong
