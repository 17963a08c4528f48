#!/usr/bin/env python3
"""receipts.py SQUINT: what receipts say of a phone that is slow to look at; the
demo phone with the real adb; TAP."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import Client, with_slowness
from demo_phone import run_cases
from phone import FRAME_BYTES, SMALL, Device, expect, expect_true

PACKAGE = "com.squint.demo."
# The times that squint measures; the phone takes SLOWNESS times as long.
SLOWNESS = 2
# Every way of capturing takes more than a quarter of a second.
SLOW = {"screencap": 40, "screencap-p": 480, "gzip": 440, "uiautomator": 1000,
        "input": 30}
RAW_MS = 440  # for the bytes of a raw frame
CASES = []


def case(function):
    """One line of the report."""
    CASES.append(function)
    return function


def slow_phone(delays, *more):
    """Options of a phone with these delays."""
    real = ",".join(f"{k}={v * SLOWNESS}" for k, v in delays.items())
    return [*SMALL, "--delay", real, *more]


def environment():
    """A clock on which those delays count, and no timeout on a busy machine."""
    return with_slowness(SLOWNESS, SQUINT_LIMITS_TIMEOUT_MS="60000")


@case
def receipt_says_that_it_did_not_look(adb, squint):
    """In words once, then as a code; also input without a focused field."""
    link = FRAME_BYTES * 1000 // (RAW_MS * SLOWNESS)
    with Device(adb, squint, *slow_phone(SLOW, "--link", str(link))), \
            Client(squint, adb, **environment()) as client:
        for _ in range(3):
            client.ui("screenshot")
        tapped = client.ui("tap", x=5, y=600)
        expect("verified", tapped.get("verified"), False)
        expect_true(tapped["reason"], "receipt full" in tapped["reason"])
        typed = client.ui("input", text="abc")
        expect("typed", typed["typed"], {"characters": 3})
        expect("verified", typed.get("verified"), False)
        expect("reason", typed["reason"], "slow_captures")


@case
def older_list_names_nothing(adb, squint):
    """After a scroll, and in another app, x and y are not looked up in it."""
    slow = {"uiautomator": 1000}
    with Device(adb, squint, *slow_phone(slow)), \
            Client(squint, adb, **environment()) as client:
        client.ui("launch", packageName=f"{PACKAGE}settings")
        client.ui("dump")
        rows = client.ui("screenshot", elements=True)["elements"]
        client.ui("scroll", direction="down", amount=0.5)
        client.ui("screenshot")
        tapped = client.ui("tap", x=180, y=300)
        expect_true(f"{rows}: {tapped}", "element" not in tapped)
        client.ui("launch", packageName=f"{PACKAGE}login")
        rows = client.ui("screenshot", elements=True)["elements"]
        expect_true(f"{rows}", "Username" in f"{rows}")
        client.ui("launch", packageName=f"{PACKAGE}settings")
        tapped = client.ui("tap", x=180, y=300, deviceSpace=True)
        expect_true(tapped, "element" not in tapped)
        # A list of the screen that the picture shows is used.
        client.ui("screenshot", elements=True)
        named = client.ui("tap", x=180, y=300)["element"]
        expect("from a list", named.get("fromLastList"), True)
        expect_true(f"{named}", named["label"].startswith("Cast"))


@case
def list_after_a_picture_names_the_element(adb, squint):
    """A screenshot, then dump or find, then x and y. The phone's clock may
    change in between, which is a change of the screen, but not every time."""
    with Device(adb, squint, *SMALL), \
            Client(squint, adb, **environment()) as client:
        client.ui("launch", packageName=f"{PACKAGE}settings", receipt="none")
        client.ui("wait", stableMs=200, timeoutMs=20000)
        for verb, what in (("dump", {}),
                           ("find", {"selector": {"text": "Display"}})):
            for _ in range(3):
                client.ui("screenshot")
                client.ui(verb, **what)
                named = client.ui("tap", x=180, y=300).get("element")
                if named:
                    break
            expect("from a list", named.get("fromLastList"), True)
            expect_true(named, named["label"].startswith("Mobile data"))


if __name__ == "__main__":
    sys.exit(run_cases(CASES, sys.argv[1]))
