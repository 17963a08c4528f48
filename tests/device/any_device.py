#!/usr/bin/env python3
"""any_device.py SQUINT [APP [DEVICE]]: a conversation that suits every phone, emulator
and simulator with an app of settings: APP is its name (com.android.settings). Uses the
device that squint chooses, or DEVICE. Prints TAP. It changes nothing but what is
shown."""
import base64
import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import expect, expect_true, run_case
from picture_size import picture_size
from squint_server import Server


class Phone(Server):
    """squint mcp, always with the same device."""

    def __init__(self, squint, app, device):
        # Real devices need the user's adb server, and the home of simulators.
        real = {"SQUINT_ANDROID_ADB_SERVER": "tcp:127.0.0.1:5037",
                "HOME": os.environ["HOME"]}
        super().__init__([squint, "mcp"], env={} if device == "demo" else real)
        self.initialize()
        self.app, self.chosen = app, {"deviceId": device} if device else {}

    def do(self, operation, **arguments):
        """The answer of an operation, as JSON."""
        return self.ui(operation, **self.chosen, **arguments)

    def rows(self):
        """The labels of the listed elements with their points."""
        found = []
        for row in self.do("dump")["elements"]:
            _, point, rest = row.split(" ", 2)
            label = rest.partition(" ")[2]
            if label and not label.startswith("#"):
                found.append((label, *map(int, point.split(","))))
        return found


def is_listed_as_online(phone):
    """The list of devices has it."""
    online = [d["id"] for d in phone.ui("devices")["devices"]
              if d["state"] == "online"]
    wanted = phone.chosen.get("deviceId")
    expect_true(f"{wanted} in {online}", online and wanted in (None, *online))


def screen_is_pictured(phone):
    """The picture is as large as the answer says, and small."""
    result = phone.call("ui", operation="screenshot", **phone.chosen)
    picture = next(b for b in result["content"] if b["type"] == "image")
    told = phone.json_of(next(b for b in result["content"] if b["type"] == "text"))
    _, width, height = picture_size(base64.b64decode(picture["data"]))
    expect("size", (told["image"]["width"], told["image"]["height"]),
           (width, height))
    expect_true(f"{width}x{height}", 100 < max(width, height) <= 1000)


def app_is_launched(phone):
    """Its rows are listed, with points inside the picture."""
    phone.do("key", name="home")
    phone.do("launch", packageName=phone.app)
    phone.do("wait", until="settled")
    rows = phone.rows()
    expect_true(f"{rows}", len(rows) >= 3)
    for label, x, y in rows:
        expect_true(label, 0 <= x <= 1000 and 0 <= y <= 1000)


def row_is_found(phone):
    """By a part of its label, at the point of the list."""
    label, x, y = phone.rows()[1]
    answer = phone.do("find", selector={"textContains": label[:12]})
    points = [(e["centerX"], e["centerY"]) for e in answer["elements"]]
    expect_true(f"{label} at {x},{y} in {points}", (x, y) in points)


def scrolling_changes_the_screen(phone):
    """And its answer says so."""
    answer = phone.do("scroll", direction="down")
    expect_true(f"{answer}", answer["changed"])
    answer = phone.do("scroll", direction="up")
    expect_true(f"{answer}", answer["changed"])


def home_leaves_the_app(phone):
    """Another screen is reported."""
    answer = phone.do("key", name="home")
    expect_true(f"{answer}", answer["changed"])


CASES = [is_listed_as_online, screen_is_pictured, app_is_launched, row_is_found,
         scrolling_changes_the_screen, home_leaves_the_app]


def main(squint, app="com.android.settings", device=None):
    """Run all cases with one server."""
    print(f"1..{len(CASES)}")
    with Phone(squint, app, device) as phone:
        passed = [run_case(number, case, phone)
                  for number, case in enumerate(CASES, 1)]
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
