"""Scenes of emulator.py with several fingers: the touches that arrive."""

import math
import re

from emulator_phone import Emulator
from phone import expect, expect_true
from squint_server import SLOWNESS_NAME

QUIET = {"receipt": "none"}
DOWN = 1024  # the pressure of a finger that touches
# In no other way can this Android be touched with several fingers.
ONLY_BY_EMULATOR = "squint-fault none api=30"
FINGER = re.compile(r"\(1=(\d+),2=(\d+),3=(\d+),4=(\d+)\)")
MIDDLE = (135, 300)


class Event:
    """What one sendTouch said: identifiers, places and pressures."""

    def __init__(self, line):
        found = [tuple(map(int, one)) for one in FINGER.findall(line)]
        self.ids = [one[2] for one in found]
        self.places = [one[:2] for one in found]
        self.pressures = {one[3] for one in found}

    def middle(self):
        """The mean of the places."""
        return tuple(sum(axis) / len(self.places)
                     for axis in zip(*self.places))

    def radii(self):
        """How far each finger is from the middle."""
        return [math.dist(place, self.middle()) for place in self.places]

    def angles(self):
        """The direction of each finger in degrees; 0 is right, 90 is down."""
        x, y = self.middle()
        return [math.degrees(math.atan2(at[1] - y, at[0] - x))
                for at in self.places]


def events_of(device):
    """All touches that the server has received."""
    return [Event(line) for line in device.asked()
            if line.startswith("sendTouch")]


def expect_near(what, got, wanted, by):
    """Fail unless two numbers differ by at most that."""
    expect_true(f"{what}: {got}, not {wanted}", abs(got - wanted) <= by)


def expect_turned(what, before, after, degrees):
    """Fail unless that is the angle between both, within 3 degrees."""
    off = (after - before - degrees + 180) % 360 - 180
    expect_near(what, off, 0, 3)


def expect_release(events, fingers):
    """All fingers are in every event, and up in the last one, at its place."""
    for event in events:
        expect("fingers", event.ids, list(range(fingers)))
    expect("down", {tuple(event.pressures) for event in events[:-1]},
           {(DOWN,)})
    expect("released", events[-1].pressures, {0})
    expect("where", events[-1].places, events[-2].places)


def pinch(adb, squint, argv, landscape=False, **words):
    """The touches of a pinch."""
    with Emulator(adb, squint, argv) as device:
        device.output("shell", ONLY_BY_EMULATOR)
        with device.client(squint) as client:
            if landscape:
                client.ui("rotate", orientation="landscape", **QUIET)
            client.ui("pinch", deviceSpace=True, durationMs=200, **words,
                      **QUIET)
        expect("uinput", device.ran("register"), 0)
        expect("getevent", device.ran("getevent"), 0)
        events = events_of(device)
        expect_release(events, words.get("fingers", 2))
        # One for each step of 20 ms, and the release.
        expect_true(f"{len(events)} events", len(events) >= 11)
        return events


def two_fingers_zoom(adb, squint, argv):
    """The distance grows in a straight line, to twice as much."""
    events = pinch(adb, squint, argv, x=MIDDLE[0], y=MIDDLE[1], scale=2)
    radii = [event.radii()[0] for event in events]
    for event in events:
        expect_near("x", event.middle()[0], MIDDLE[0], 1)
        expect_near("y", event.middle()[1], MIDDLE[1], 1)
        expect_turned("angle", events[0].angles()[0], event.angles()[0], 0)
    expect_true(f"in order: {radii}",
                all(a <= b + 1 for a, b in zip(radii, radii[1:])))
    expect_near("scale", radii[-1] / radii[0], 2, 0.05)


def five_fingers_turn(adb, squint, argv):
    """A regular pentagon that turns clockwise."""
    events = pinch(adb, squint, argv, x=MIDDLE[0], y=MIDDLE[1], degrees=90,
                   fingers=5)
    for event in events:
        expect_near("radii", max(event.radii()) - min(event.radii()), 0, 2)
        angles = event.angles()
        for a, b in zip(angles, angles[1:]):
            expect_turned("next finger", a, b, 72)
    for i in range(5):
        expect_turned(f"finger {i}", events[0].angles()[i],
                      events[-1].angles()[i], 90)
    turned = [(event.angles()[0] - events[0].angles()[0] + 20) % 360
              for event in events]
    expect_true(f"in order: {turned}",
                all(a <= b + 3 for a, b in zip(turned, turned[1:])))


def fingers_on_a_turned_screen(adb, squint, argv):
    """The panel does not turn with the screen: x,y is at 269-y,x."""
    for fingers in (2, 5):
        events = pinch(adb, squint, argv, landscape=True, x=200, y=110,
                       to={"x": 400, "y": 150}, degrees=60, fingers=fingers)
        for event, x, y in ((events[0], 159, 200), (events[-1], 119, 400)):
            expect_near("x", event.middle()[0], x, 1)
            expect_near("y", event.middle()[1], y, 1)
        expect_turned("turn", events[0].angles()[0], events[-1].angles()[0],
                      60)


def fail_in_the_middle(adb, squint, argv, fault, **env):
    """The error of a pinch whose third touch has this fault; the touches."""
    with Emulator(adb, squint, argv, fault) as device:
        with device.client(squint, **env) as client:
            error = client.expect_error("pinch", x=MIDDLE[0], y=MIDDLE[1],
                                        deviceSpace=True, scale=2, fingers=3,
                                        **QUIET)
        expect("uinput", device.ran("register"), 0)
        expect("getevent", device.ran("getevent"), 0)
        expect_true(str(error), "in the middle of the touch"
                    in error["message"])
        expect_true(str(error), "Look at the screen" in error["suggestion"])
        return error, events_of(device)


def fingers_are_lifted_after_a_failure(adb, squint, argv):
    """An answer that is a failure, or none; then it answers again."""
    for fault, code, words, env in (
            ("touch-status", "IO_ERROR", "the GPU is gone", {}),
            ("touch-silent", "TIMEOUT", "", {SLOWNESS_NAME: "1"})):
        error, events = fail_in_the_middle(adb, squint, argv, fault, **env)
        expect(fault, error["error"], code)
        expect_true(str(error), words in error["message"])
        expect_true(str(error), "fingers were lifted" in error["suggestion"])
        expect("events", len(events), 4)
        expect_release(events, 3)


def a_dead_server_is_reported(adb, squint, argv):
    """Nothing is done twice, and the error says that fingers stay down."""
    error, events = fail_in_the_middle(adb, squint, argv, "touch-die")
    expect("events", len(events), 3)
    expect_true(str(error), "could not be lifted" in error["suggestion"])


def without_touches_the_next_way_is_used(adb, squint, argv):
    """A server that does not know the method: uinput, if it may be used."""
    with Emulator(adb, squint, argv, "touch-unknown") as device:
        with device.client(squint) as client:
            client.ui("pinch", x=MIDDLE[0], y=MIDDLE[1], deviceSpace=True,
                      scale=2, **QUIET)
            expect_true("uinput", device.ran("register") > 0)
        device.output("shell", ONLY_BY_EMULATOR)
        with device.client(squint) as client:
            error = client.expect_error("pinch", x=MIDDLE[0], y=MIDDLE[1],
                                        deviceSpace=True, scale=2)
            expect("error", error["error"], "UNSUPPORTED")
            expect_true(str(error), "Nothing was done" in error["suggestion"])
        expect("touches", len(events_of(device)), 0)


SCENES = [two_fingers_zoom, five_fingers_turn, fingers_on_a_turned_screen,
          fingers_are_lifted_after_a_failure, a_dead_server_is_reported,
          without_touches_the_next_way_is_used]
