#!/usr/bin/env python3
"""receipts.py SQUINT: what receipts say of a phone that is slow to look at, or
whose apps react late; the demo phone with the real adb; TAP."""

import base64
import concurrent.futures
import fcntl
import json
import pathlib
import random
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import Client, with_slowness
from demo_phone import case, run_cases
from phone import FRAME_BYTES, SMALL, Device, expect, expect_true
from picture_size import picture_size

PACKAGE = "com.squint.demo."
# The times that squint measures; the phone takes SLOWNESS times as long.
SLOWNESS = 2
# Every way of capturing takes about this long.
SLOW_MS = 480
TOO_SLOW_MS = 1000
WATCHED_MS = 700  # an unchanged screen, by default


def slow_phone(delays, *more):
    """Options of a phone with these delays."""
    real = ",".join(f"{k}={v * SLOWNESS}" for k, v in delays.items())
    return [*SMALL, "--delay", real, *more]


def slow_captures(capture_ms):
    """Options of a phone on which every way of capturing takes that long."""
    rest = capture_ms - 40
    link = FRAME_BYTES * 1000 // (rest * SLOWNESS)
    delays = {"screencap": 40, "screencap-p": capture_ms, "gzip": rest,
              "uiautomator": 1000, "input": 30}
    return slow_phone(delays, "--link", str(link))


def environment():
    """A clock on which those delays count, and no timeout on a busy machine."""
    return with_slowness(SLOWNESS, SQUINT_LIMITS_TIMEOUT_MS="60000")


@case
def receipt_says_that_it_did_not_look(adb, squint):
    """In words once, then as a code; also input without a focused field."""
    with Device(adb, squint, *slow_captures(TOO_SLOW_MS)), \
            Client(squint, adb, **environment()) as client:
        for _ in range(3):
            client.ui("screenshot")
        tapped = client.ui("tap", x=5, y=600)
        expect("verified", tapped.get("verified"), False)
        expect_true(tapped["reason"], "receipt fast" in tapped["reason"])
        typed = client.ui("input", text="abc")
        expect("typed", typed["typed"], {"characters": 3})
        expect("verified", typed.get("verified"), False)
        expect("reason", typed["reason"], "slow_captures")


@case
def slow_capture_is_taken_once(adb, squint):
    """After the time in which apps react; then nothing is known of rest."""
    with Device(adb, squint, *slow_captures(SLOW_MS)), \
            Client(squint, adb, **environment()) as client:
        for _ in range(3):
            client.ui("screenshot")
        tapped = client.ui("tap", x=5, y=600)
        expect("changed", tapped["changed"], None)
        expect_true(tapped, tapped["lookedAfterMs"] >= WATCHED_MS)
        launched = client.ui("launch", packageName=f"{PACKAGE}shop")
        expect_true(launched, launched["changed"] and
                    "settled" not in launched)


def blocks(client, operation, **arguments):
    """The answer to a call, and its pictures."""
    content = client.call("ui", operation=operation, **arguments)["content"]
    text = next(b["text"] for b in content if b["type"] == "text")
    return json.loads(text), [b for b in content if b["type"] == "image"]


SIGN_IN = {"x": 180, "y": 496}  # the phone then shows a message
CHECK_BOX = {"x": 40, "y": 431}


def touch(device, client, point):
    """Tap what has a visible effect. squint has never read a list, so it does
    not know how long that takes."""
    device.output("shell", f"am force-stop {PACKAGE}login;"
                  f"monkey -p {PACKAGE}login 1")
    client.ui("screenshot")
    return blocks(client, "tap", deviceSpace=True, **point)


@case
def words_of_a_slow_list_are_read(adb, squint):
    """In the pixels that changed; and only what the phone shows."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, SQUINT_UI_OCR_ENABLED="true",
                   SQUINT_UI_REPLIES="short") as client:
        receipt, images = touch(device, client, SIGN_IN)
        expect("source", [receipt.get("by"), images], ["text", []])
        shown = device.output("shell", "uiautomator dump /sdcard/a.xml "
                              ">/dev/null; cat /sdcard/a.xml")
        for line in receipt["now"]:
            expect_true(line, line[2:] in shown)
        expect_true(receipt, any(line.startswith("+ Enter your")
                                 for line in receipt["now"]))
        turned, _ = blocks(client, "rotate", orientation="landscape")
        expect_true(turned, not turned.keys() & {"changed", "now", "by"})
        secure, images = blocks(client, "launch",
                                packageName=f"{PACKAGE}secure")
        expect("of a secure window", [images, secure.keys() & {"now", "by",
               "elements", "picture"}], [[], set()])


@case
def a_cursor_is_not_read(adb, squint):
    """In a field that is touched or typed into; a message beside it is."""
    field = {"resourceId": "username"}
    # A list is too slow for a default receipt, and reading text is in time on
    # a busy machine.
    slowness = 10
    with Device(adb, squint, "--delay", f"uiautomator={350 * slowness}") \
            as device, Client(squint, adb, SQUINT_UI_OCR_ENABLED="true",
                              **with_slowness(slowness)) as client:
        client.ui("launch", packageName=f"{PACKAGE}login", receipt="none")
        client.ui("tap", selector={"text": "Sign in"}, receipt="none")
        said = []
        for act in (("input", {"text": "Ada", "selector": field}),
                    ("tap", {"x": 540, "y": 950, "deviceSpace": True}),
                    ("tap", {"x": 540, "y": 770, "deviceSpace": True}),
                    ("input", {"text": "Eve"})):
            client.ui("screenshot")
            receipt = client.ui(act[0], **act[1])
            shown = device.output("shell", "uiautomator dump /sdcard/a.xml "
                                  ">/dev/null; cat /sdcard/a.xml")
            new = [line[2:] for line in receipt.get("now", [])
                   if line[0] == "+"]
            expect(f"{act}: not shown",
                   [line for line in new if line not in shown], [])
            said += new
        expect_true(said, "Enter your password" in said)


@case
def largest_of_two_places_is_shown(adb, squint):
    """Of a heart that is filled and a message, if both are too much."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, SQUINT_UI_REPLIES="short") as client:
        device.output("shell", f"monkey -p {PACKAGE}shop 1")
        client.ui("screenshot")
        receipt, images = blocks(client, "tap", x=324, y=390, deviceSpace=True)
        expect("source", [receipt.get("by"), len(images)], ["picture", 1])
        sizes = [list(map(int, place.split()[1].split("x")))
                 for place in receipt["changed"]]
        expect("places", len(sizes), 2)
        width, height = map(int, receipt["picture"].split()[1].split("x"))
        expect_true(receipt, width >= max(s[0] for s in sizes)
                    and height < 120 and width * height <= 100 * 750)


@case
def change_without_words_is_shown(adb, squint):
    """As a small picture, in which points do not count; not in full replies,
    of hidden apps or of most of the screen."""
    short = {"SQUINT_UI_REPLIES": "short"}
    for settings, source in (
            (short, "picture"), ({}, None),
            ({**short, "SQUINT_REDACT_APPS": f"{PACKAGE}login"}, "pixels")):
        with Device(adb, squint, *SMALL) as device, \
                Client(squint, adb, **settings) as client:
            receipt, images = touch(device, client, CHECK_BOX)
            expect(settings, [receipt.get("by"), len(images)],
                   [source, source == "picture"])
            expect_true(receipt, "now" not in receipt)
            if images:
                width, height = map(
                    int, receipt["picture"].split()[1].split("x"))
                expect_true(receipt, width * height <= 100 * 750)
                expect_true("points count in the screenshot", not client.call(
                    "ui", operation="tap", x=5, y=600).get("isError"))
            launched, images = blocks(client, "launch",
                                      packageName=f"{PACKAGE}shop")
            expect("of another screen", images, [])
            expect_true(launched, launched["changed"])


@case
def small_change_is_legible_after_a_thumb(adb, squint):
    """As large as in a default picture, whatever the latest picture was."""
    sides = []
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, SQUINT_UI_REPLIES="short") as client:
        for size in ({}, {"size": "thumb"}):
            device.output("shell", f"am force-stop {PACKAGE}login;"
                          f"monkey -p {PACKAGE}login 1")
            client.ui("screenshot", **size)
            _, images = blocks(client, "tap", deviceSpace=True, **CHECK_BOX)
            data = base64.b64decode(images[0]["data"])
            sides.append(picture_size(data)[1])
    expect_true(sides, sides[1] >= sides[0])


class LateApps:
    """A phone whose apps react late, and what receipts say about it."""

    def __init__(self, device, client, seed):
        self.device = device
        self.client = client
        self.random = random.Random(seed)
        self.seen = 0

    def check(self, receipt, late_ms):
        """Compare a receipt with what the phone does that late."""
        watched = receipt.get("watchedMs", receipt.get("lookedAfterMs"))
        changed = receipt.get("changed")
        text = f"{late_ms} ms late: {receipt}"
        if "changed" not in receipt:
            expect_true(text, receipt.get("verified") is False)
        elif changed is None:
            expect_true(text, late_ms > watched)
            expect_true(text, "lookedAfterMs" in receipt
                        or watched >= WATCHED_MS)
        elif isinstance(changed, dict) and changed["height"] < 320:
            # only what is pressed
            expect_true(text, not receipt.get("settled")
                        or late_ms >= WATCHED_MS)
        else:
            self.seen += 1
            return True
        return False

    def step(self):
        """Open an app by its icon, and go home again."""
        ms = self.random.randrange(1500)
        kind = self.random.choice(["reaction", "pressed"])
        other = "pressed" if kind == "reaction" else "reaction"
        self.device.output("shell", "squint-delay", f"{kind}={ms},{other}=0")
        for act, app in ((("tap", {"x": 70, "y": 340, "deviceSpace": True}),
                          "settings"), (("key", {"name": "home"}),
                                        "launcher")):
            start = time.monotonic()
            receipt = self.client.ui(act[0], deviceId=self.device.serial,
                                     **act[1])
            if not self.check(receipt, ms):
                time.sleep(max(0, start + ms / 1000 + 0.2 - time.monotonic()))
            focus = self.device.output("shell", "dumpsys window | grep Focus")
            expect_true(f"{app}: {receipt} {focus}", app in focus)


@case
def receipts_of_late_apps_are_true(adb, squint):
    """60 actions on three phones whose apps react up to 1.5 s late."""
    def play(seed):
        with Device(adb, squint, *SMALL, "--serial", f"LATE{seed}") as device, \
                Client(squint, adb) as client:
            apps = LateApps(device, client, seed)
            for _ in range(10):
                apps.step()
            return apps.seen

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        seen = sum(pool.map(play, range(3)))
    expect_true(f"{seen} effects were seen", seen >= 15)


@case
def other_processes_are_noticed(adb, squint):
    """An answer says that another process acted; who acts waits for its turn."""
    run = pathlib.Path(adb.home.name, "run")
    run.mkdir(mode=0o700)
    shared = {"XDG_RUNTIME_DIR": str(run)}
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **shared) as first, \
            Client(squint, adb, **shared) as second:
        alone = [first.ui("screenshot"), first.ui("tap", x=5, y=600),
                 first.ui("launch", packageName=f"{PACKAGE}settings"),
                 second.ui("screenshot"), first.ui("dump")]
        expect_true(f"{alone}", "otherClientActed" not in f"{alone}")
        second.ui("launch", packageName=f"{PACKAGE}login")
        told = [first.ui("screenshot"), first.ui("screenshot")]
        expect("told once", [seen.get("otherClientActed") for seen in told],
               [True, None])
        second.ui("tap", x=5, y=600, deviceSpace=True, receipt="none")
        shown = first.ui("key", name="home")
        expect_true(f"in a receipt: {shown}", shown.get("otherClientActed"))
        (lock,) = (run / "squint").glob("device-*.lock")
        with lock.open() as held, concurrent.futures.ThreadPoolExecutor() as pool:
            fcntl.flock(held, fcntl.LOCK_EX)
            late = pool.submit(second.ui, "key", name="home")
            expect_true("a look does not wait", first.ui("screenshot"))
            waiting = concurrent.futures.wait([late], 2).not_done
            expect("an action waits", waiting, {late})
            fcntl.flock(held, fcntl.LOCK_UN)
            expect_true("then it acts", "error" not in late.result())


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
        named = client.ui("tap", x=180, y=300, receipt="fast")["element"]
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
                named = client.ui("tap", x=180, y=300,
                                  receipt="fast").get("element")
                if named:
                    break
            expect("from a list", named.get("fromLastList"), True)
            expect_true(named, named["label"].startswith("Mobile data"))


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
