#!/usr/bin/env python3
"""signals.py SQUINT: what tells squint that the screen of a phone has changed,
true and false; the demo phone with the real adb; TAP."""

import pathlib
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import Client, environment, with_slowness
from demo_phone import case, run_cases
from eye import Log
from phone import SMALL, Device, expect, expect_true
from squint_server import PATIENCE, clean_environment

PACKAGE = "com.squint.demo."
QUERY = "shell,v2,raw:dumpsys window displays"


class Session:
    """A phone, its log, and a client that has seen an app change."""

    # Events may be this many times later than on a machine that is not busy.
    SLOWNESS = 10

    def __init__(self, adb, squint, *flags):
        self.log = Log()
        self.device = Device(adb, squint, *SMALL, *self.log.flags(), *flags)
        self.squint = squint
        self.adb = adb
        self.client = None

    def __enter__(self):
        self.device.__enter__()
        self.client = Client(self.squint, self.adb, **with_slowness(self.SLOWNESS))
        for app in ("login", "settings"):
            self.look()
            self.client.ui("launch", packageName=PACKAGE + app, receipt="none")
        self.look()
        return self

    def __exit__(self, *_):
        self.client.close()
        self.device.__exit__()

    def look(self):
        """Take a picture, after what was logged has arrived."""
        time.sleep(0.3)
        self.client.ui("screenshot")

    def tap(self):
        """Tap where nothing is; returns how often the state was queried."""
        before = len(self.log.lines(QUERY))
        tapped = self.client.ui("tap", x=5, y=600, receipt="none")
        expect("place", tapped["tapped"]["deviceX"], 5)
        return len(self.log.lines(QUERY)) - before

    def changes(self):
        """How squint says that it notices changes."""
        return self.client.ui("info")["changes"]

    def expect_refused(self, why, *words):
        """What a person does meanwhile makes the picture stale."""
        self.device.output("shell", *words)
        time.sleep(0.3)
        error = self.client.expect_error("tap", x=5, y=600, receipt="none")
        expect(why, error["error"], "STALE_SCREENSHOT")
        self.look()


def expect_changes_are_noticed(session):
    """Another app, another rotation, and back."""
    session.expect_refused("another app", "am", "start", "-n",
                           f"{PACKAGE}login/.LoginActivity")
    session.expect_refused("turned", "settings", "put", "system",
                           "user_rotation", "1")
    session.expect_refused("turned back", "settings", "put", "system",
                           "user_rotation", "0")


@case
def quiet_log_saves_the_query(adb, squint):
    """Taps without a receipt are one command each, until something happens."""
    with Session(adb, squint) as session:
        session.tap()  # what was logged late may be read only now
        expect("queries", [session.tap() for _ in range(3)], [0, 0, 0])
        expect_changes_are_noticed(session)
        session.tap()
        expect("queries afterwards", session.tap(), 0)
        expect_true("info", "log of events: used" in session.changes())


@case
def phones_without_a_log_are_queried(adb, squint):
    """An empty log, one without the focus as before Android 11, a late one."""
    for fault in ("no-events", "api=29", "late-events=3600000"):
        with Session(adb, squint, "--fault", fault) as session:
            expect(f"queries with {fault}",
                   [session.tap() for _ in range(2)], [1, 1])
            expect_changes_are_noticed(session)
            expect(f"queries with {fault} afterwards", session.tap(), 1)


@case
def log_that_falls_silent_is_not_used_again(adb, squint):
    """The first change without an event ends its use."""
    with Session(adb, squint) as session:
        session.tap()
        expect("queries", session.tap(), 0)
        session.device.output("shell", "squint-fault", "no-events")
        session.device.output("shell", "input", "keyevent", "3")
        session.look()
        session.device.output("shell", "squint-fault", "none")
        expect("queries", [session.tap() for _ in range(2)], [1, 1])
        expect_true("info", "logged no event" in session.changes())
        expect_changes_are_noticed(session)


@case
def reconnected_phone_is_queried(adb, squint):
    """The stream ends with the connection; a new one begins."""
    with Session(adb, squint) as session:
        session.tap()
        expect("queries", session.tap(), 0)
        session.device.again()
        deadline = time.monotonic() + PATIENCE
        while session.client.call("ui", operation="screenshot").get("isError"):
            expect_true("works again", time.monotonic() < deadline)
        expect_changes_are_noticed(session)


class SlowSession(Session):
    """Captures take long, and apps react late; a change was seen."""

    SLOWNESS = 2

    def __init__(self, adb, squint):
        super().__init__(adb, squint, "--delay", "screencap=240,reaction=500")

    def __enter__(self):
        super().__enter__()
        self.expect_change("first")
        return self

    def captures(self, **where):
        """The receipt of a tap, and how many captures it took."""
        before = len(self.log.lines("shell,v2,raw:screencap"))
        tapped = self.client.ui("tap", receipt="fast", **where)
        return (tapped["changed"],
                len(self.log.lines("shell,v2,raw:screencap")) - before)

    def expect_change(self, why):
        """A tap on the switch of Wi-Fi changes it."""
        expect_true(why, self.captures(x=320, y=236)[0])

    def expect_said(self, fault, *words):
        """Changes are noticed with a fault, and info says it. On a busy machine
        a count from before the fault may be read after it."""
        for _ in range(6):
            self.device.output("shell", "squint-fault", fault)
            self.expect_change(fault)
            self.expect_change(fault)
            said = self.changes()
            if any(part in said for part in words):
                return
        expect_true(f"{fault}: {said}", False)


@case
def count_of_frames_saves_captures(adb, squint):
    """One before a tap without effect, and one at the end. The phone's clock
    may change in between, which is drawn, but not every time."""
    with SlowSession(adb, squint) as session:
        for _ in range(12):  # a look between two calls may add captures
            changed, captures = session.captures(x=5, y=600)
            if not changed and captures == 2:
                break
        expect("change", changed, None)
        expect("captures", captures, 2)
        expect_true("info", "count of frames: used" in session.changes())
        session.expect_change("after it")


@case
def wrong_count_of_frames_hides_no_change(adb, squint):
    """It starts again, is missing, or stays the same."""
    with SlowSession(adb, squint) as session:
        session.expect_said("counter-reset", "count of frames: not confirmed")
        session.expect_said("none,counter-stuck", "no frame was counted")
    with SlowSession(adb, squint) as session:
        # The second, if the last count was read before the fault: it is final.
        session.expect_said("no-counter", "does not report",
                            "no frame was counted")


@case
def doctor_says_what_a_phone_has(adb, squint):
    """Both signals, one of them, none."""
    home = adb.home.name
    for fault, events, count in (("none", "found", "found"),
                                 ("no-events", "not found", "found"),
                                 ("api=28", "not found", "not found")):
        with Device(adb, squint, *SMALL) as device:
            device.output("shell", "squint-fault", fault)
            device.output("shell", "am", "start", "-n",
                          f"{PACKAGE}login/.LoginActivity")
            said = subprocess.run(
                [squint, "doctor"], check=False, text=True, timeout=PATIENCE,
                env={**clean_environment(home), **environment(adb)},
                stdout=subprocess.PIPE).stdout
            expect_true(f"{fault}: {said}",
                        f"log of events {events}, count of frames {count}\n"
                        in said)


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
