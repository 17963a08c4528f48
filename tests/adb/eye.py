#!/usr/bin/env python3
"""eye.py SQUINT: squint's own program on the demo phone, which really runs it,
with the real adb; TAP."""

import pathlib
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import Client, with_slowness
from demo_phone import case, run_cases
from phone import SMALL, Device, expect, expect_true
from squint_server import PATIENCE

# The eye must count as fast, or other ways of capturing are tried.
SLOWNESS = 4
FOLDER = "/data/local/tmp"
APPS = ["login", "settings", "shop", "clock", "game", "rotate"]
PICTURES = [{}, {"maxDimension": 200}, {"raw": True, "format": "png"},
            {"region": {"x": 10, "y": 20, "width": 50, "height": 70}}]


class Log:
    """What the phone was asked to do: lines of its log."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name, "log")
        self.path.touch()

    def flags(self):
        """For the phone."""
        return ["--log", str(self.path)]

    def lines(self, words):
        """The lines of requests that begin with these words."""
        split = [line.split("\t") for line in
                 self.path.read_text().splitlines()]
        return [line for line in split if line[4].startswith(words)]

    def wait(self, words):
        """Wait until there is such a line; returns it."""
        deadline = time.monotonic() + PATIENCE
        while not self.lines(words):
            expect_true(f"{words} in the log", time.monotonic() < deadline)
            time.sleep(0.01)
        return self.lines(words)[0]


def files(device):
    """The files in the folder of programs on the phone."""
    return device.output("shell", "ls", FOLDER).split()


@case
def pictures_are_the_same(adb, squint):
    """Every screen, with and without it, in several sizes, and a region."""
    log = Log()
    with Device(adb, squint, *SMALL, "--run-programs", *log.flags()) as device:
        with Client(squint, adb, SQUINT_ANDROID_EYE="auto") as with_eye, \
                Client(squint, adb) as without:
            for app in APPS:
                without.ui("launch", packageName=f"com.squint.demo.{app}",
                           receipt="none")
                for how in PICTURES:
                    expect_true(f"the same picture of {app}, {how}",
                                with_eye.picture(**how)
                                == without.picture(**how))
            expect("files while it runs", files(device), [])
        ended = log.wait(f"{FOLDER}/squint-eye")
        expect("exit status", ended[1], "1")
        expect("starts", len(log.lines("sync:SEND")), 1)
        captures = int(ended[3]) - 2
        expect_true(f"{captures} screenshots", captures
                    >= len(APPS) * len(PICTURES))
        expect_true(f"{ended[2]} bytes for all of them",
                    int(ended[2]) < 360 * 640 * 4 * 2)


@case
def second_picture_is_small(adb, squint):
    """Only changes are sent."""
    log = Log()
    with Device(adb, squint, *SMALL, "--run-programs", *log.flags()) as device:
        with Client(squint, adb, SQUINT_ANDROID_EYE="on") as client:
            for _ in range(20):
                client.picture()
        expect_true("few bytes", int(log.wait(f"{FOLDER}/squint-eye")[2]) < 100000)
        expect("files afterwards", files(device), [])


# Large enough that a photograph is not sent as a whole over a slow link.
MIDDLE = ["--demo-width", "720", "--demo-height", "1280", "--demo-density", "2",
          "--clock", "1767268800", "--run-programs"]
SLOW_LINK = 2_000_000
# Bytes of a photograph of that size at least, coded without loss.
PHOTO_BYTES = 720 * 1280 * 2
OF_PHOTOS = [{"maxDimension": 600}, {"maxDimension": 200},
             {"maxDimension": 333, "format": "png"}, {"budgetTokens": 200},
             {"region": {"x": 10, "y": 20, "width": 50, "height": 70},
              "screenshotId": "s1"},
             {"region": {"x": 3, "y": 200, "width": 300, "height": 21},
              "screenshotId": "s1", "maxDimension": 150},
             {"region": {"x": 0, "y": 0, "width": 562, "height": 500},
              "screenshotId": "s1", "maxDimension": 400}]


class SlowDevice(Device):
    """A phone whose link is slow while show_photo says so."""

    def show_photo(self, number):
        """The whole screen shows another photograph."""
        self.output("shell", f"squint-fault photo={number}")

    def set_slow(self, is_slow):
        """The link is slow from now on, or not."""
        rate = SLOW_LINK if is_slow else "off"
        self.output("shell", f"squint-fault slow={rate}")


def slow_client(squint, adb):
    """A client with the eye that takes the slow link for one of 8 MB/s."""
    return Client(squint, adb, **with_slowness(SLOWNESS,
                                               SQUINT_ANDROID_EYE="auto"))


def crop(client, shot, **part):
    """A part of a picture by its id: the bytes in base64."""
    result = client.call("ui", operation="crop_screenshot", screenshotRef=shot,
                         **part)
    return next(b for b in result["content"] if b["type"] == "image")["data"]


@case
def scaled_pictures_are_the_same(adb, squint):
    """Photographs over a slow link, which the phone scales itself."""
    log = Log()
    with SlowDevice(adb, squint, *MIDDLE, *log.flags()) as device:
        with slow_client(squint, adb) as with_eye, \
                Client(squint, adb) as without:
            expect_true("the same picture", with_eye.picture()
                        == without.picture())
            for number, how in enumerate(OF_PHOTOS):
                device.show_photo(number)
                device.set_slow(True)
                scaled = with_eye.picture(**how)
                device.set_slow(False)
                expect_true(f"the same photograph, {how}",
                            scaled == without.picture(**how))
        ended = log.wait(f"{FOLDER}/squint-eye")
        expect("captures", int(ended[3]) - 2, 1 + len(OF_PHOTOS))
        expect_true(f"{ended[2]} bytes for all of them",
                    int(ended[2]) < PHOTO_BYTES)


@case
def parts_come_from_the_frame_on_the_phone(adb, squint):
    """By the id of a picture, also after the screen has changed."""
    parts = [{"x": 0, "y": 0, "width": 100, "height": 100},
             {"x": 20, "y": 30, "width": 10, "height": 5}]
    with SlowDevice(adb, squint, *MIDDLE) as device:
        with slow_client(squint, adb) as with_eye, \
                Client(squint, adb) as without:
            with_eye.picture()
            device.show_photo(1)
            shot = without.ui("screenshot")["screenshotId"]
            device.set_slow(True)
            scaled = with_eye.ui("screenshot", maxDimension=200)
            device.show_photo(2)
            with_eye.ui("wait", stableMs=10)
            for part in parts:
                expect_true(f"the same part, {part}",
                            crop(with_eye, scaled["screenshotId"], **part)
                            == crop(without, shot, **part))
            for number in (3, 4): # the phone keeps two, and what it saw last
                device.show_photo(number)
                with_eye.ui("screenshot", maxDimension=200)
            for number in (5, 6, 7):
                device.show_photo(number)
                with_eye.ui("wait", stableMs=10)
            error = with_eye.expect_error("crop_screenshot",
                                          screenshotRef=scaled["screenshotId"],
                                          **parts[0])
            expect("a part of an older one", error["error"],
                   "UNKNOWN_SCREENSHOT_ID")


@case
def taps_compare_with_the_frame_on_the_phone(adb, squint):
    """The guard of a tap, after only a scaled picture was fetched."""
    point = {"x": 56, "y": 190}
    with SlowDevice(adb, squint, *MIDDLE) as device:
        with slow_client(squint, adb) as client:
            client.picture()
            device.set_slow(True)
            device.show_photo(1)
            shot = client.ui("screenshot", maxDimension=200)["screenshotId"]
            client.ui("tap", guard="strict", receipt="none", screenshotId=shot,
                      **point)
            device.show_photo(2)
            error = client.expect_error("tap", guard="strict", receipt="none",
                                        screenshotId=shot, **point)
            expect("a tap at what has changed", error["error"],
                   "STALE_SCREENSHOT")


CHECK_BOX = {"x": 40, "y": 431}


def act(client):
    """A receipt and a wait: what they say of the screen, and its picture."""
    client.ui("launch", packageName="com.squint.demo.login", receipt="none")
    client.ui("wait")
    shot = client.ui("screenshot")["screenshotId"]
    receipt = client.ui("tap", receipt="fast", screenshotId=shot, **CHECK_BOX)
    changed = dict(receipt["changed"])
    changed.pop("screenshotId", None)
    waited = client.ui("wait", stableMs=100)
    return [receipt["settled"], changed, waited["settled"],
            waited["changed"]], shot


@case
def receipts_fetch_no_pixels(adb, squint):
    """They say the same as without it, and no frame is fetched for them."""
    log = Log()
    with Device(adb, squint, *SMALL, "--run-programs", *log.flags()) as device:
        with Client(squint, adb) as without:
            expected, _ = act(without)
        device.output("shell", "squint-reset")
        fetched = len(log.lines("shell,v2,raw:screencap"))
        with Client(squint, adb, SQUINT_ANDROID_EYE="on") as client:
            found, shot = act(client)
            expect("receipt and wait", found, expected)
            error = client.expect_error("tap", guard="strict", receipt="none",
                                        screenshotId=shot, **CHECK_BOX)
            expect("a tap at what has changed", error["error"],
                   "STALE_SCREENSHOT")
            client.ui("tap", guard="strict", receipt="none", screenshotId=shot,
                      x=180, y=100)
        ended = log.wait(f"{FOLDER}/squint-eye")
        expect("captures in another way",
               len(log.lines("shell,v2,raw:screencap")), fetched)
        expect_true(f"{ended[3]} programs", int(ended[3]) - 2 >= 8)


def listed(client, log, **arguments):
    """The elements, and how often uiautomator ran for them."""
    before = len(log.lines("shell,v2,raw:uiautomator"))
    elements = client.ui("dump", **arguments)["elements"]
    return elements, len(log.lines("shell,v2,raw:uiautomator")) - before


def listed_again(client, log):
    """The same for a second list of a screen. The phone's clock may change
    between the two, which is a change of the screen, but not every time."""
    for _ in range(3):
        first, _ = listed(client, log)
        second, runs = listed(client, log)
        if runs == 0:
            break
    expect("elements of the second list", second, first)
    return runs


@case
def list_is_remembered_while_the_screen_is_the_same(adb, squint):
    """uiautomator runs again after an action, and after a change."""
    log = Log()
    with Device(adb, squint, *SMALL, "--run-programs", *log.flags()):
        with Client(squint, adb, SQUINT_ANDROID_EYE="on") as client, \
                Client(squint, adb) as other:
            client.ui("launch", packageName="com.squint.demo.login",
                      receipt="none")
            client.picture()
            expect("runs for a second list", listed_again(client, log), 0)
            found, runs = listed(other, log)
            expect("runs without the eye", runs, 1)
            expect("the same list", listed(client, log)[0], found)
            other.ui("tap", receipt="none", deviceSpace=True, **CHECK_BOX)
            changed, runs = listed(client, log)
            expect("runs after a change", runs, 1)
            expect_true("the check box has changed", changed != found)
            expect("runs for a second list", listed_again(client, log), 0)
            client.ui("tap", receipt="none", deviceSpace=True, x=180, y=600)
            expect("runs after an action", listed(client, log)[1], 1)


@case
def element_is_named_from_a_list_alone(adb, squint):
    """The eye has looked when the list was made. The clock may change."""
    with Device(adb, squint, *SMALL, "--run-programs"), \
            Client(squint, adb, SQUINT_ANDROID_EYE="on") as client:
        for _ in range(3):
            client.ui("launch", packageName="com.squint.demo.settings",
                      receipt="none")
            client.ui("dump")
            named = client.ui("tap", x=180, y=300).get("element")
            if named:
                break
        expect_true(named, named["label"].startswith("Mobile data"))


@case
def list_is_remembered_where_raw_frames_are_faster(adb, squint):
    """The first picture, by the eye, is slow, and raw ones are not."""
    log = Log()
    with Device(adb, squint, *SMALL, "--run-programs", "--delay",
                "screencap=2000", *log.flags()) as device, \
            slow_client(squint, adb) as client:
        client.picture()
        device.output("shell", "squint-delay screencap=0")
        client.picture()
        before = len(log.lines("shell,v2,raw:screencap"))
        client.picture()
        expect("raw frames", len(log.lines("shell,v2,raw:screencap")), before + 1)
        expect("runs for a second list", listed_again(client, log), 0)


@case
def killed_squint_leaves_nothing(adb, squint):
    """The program ends by itself when its connection ends."""
    log = Log()
    with Device(adb, squint, *SMALL, "--run-programs", *log.flags()) as device:
        with Client(squint, adb, SQUINT_ANDROID_EYE="on") as client:
            client.picture()
            client.process.send_signal(signal.SIGKILL)
            client.process.wait()
            expect("exit status after the end of its stream",
                   log.wait(f"{FOLDER}/squint-eye")[1], "1")
            expect("files afterwards", files(device), [])


@case
def phone_that_refuses_is_used_without_it(adb, squint):
    """In the same call, and it is not tried again."""
    log = Log()
    with Device(adb, squint, *SMALL, *log.flags()) as device:
        with Client(squint, adb, SQUINT_ANDROID_EYE="on") as with_eye, \
                Client(squint, adb) as without:
            for _ in range(3):
                expect_true("the same picture", with_eye.picture()
                            == without.picture())
        expect("tries", len(log.lines("shell,v2,raw:getprop")), 1)
        expect_true("copies", len(log.lines("sync:SEND")) <= 1)
        expect("files afterwards", files(device), [])


@case
def nothing_is_copied_unless_allowed(adb, squint):
    """It is off by default."""
    log = Log()
    with Device(adb, squint, *SMALL, "--run-programs", *log.flags()):
        with Client(squint, adb) as client:
            client.picture()
        expect("programs copied", len(log.lines("sync:SEND")), 0)


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
