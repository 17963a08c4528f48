"""The demo phone shows the time, and its change is a change on the screen."""

import time


def wait_for_a_minute_with_room():
    """What begins now ends in the same minute."""
    while time.time() % 60 >= 50:
        time.sleep(0.1)
