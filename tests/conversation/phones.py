"""The phones for conversations, and how their answers differ.

demo  the phone inside squint
adb   the same phone as a separate process, connected by the real adb
ios   the same screens on the fake simulator of tests/fake

Requests and answers are the same for all, except for ASKED and ANSWERED over
adb, and for the differences of simulators in ios.txt.
"""

import pathlib

from demo_phone import Adb, Phone
from simulator import Differences, NoDifferences, Simulator

ACTS = ("tap", "input", "scroll", "swipe", "key", "launch", "stop", "rotate",
        "open")


def rename(phone, members):
    """adb has its own name for the phone."""
    return {key: phone.serial
            if key in ("deviceId", "udid") and value == "demo" else value
            for key, value in members.items()}


def leave_out_note(_, members):
    """deviceNote says that there is no other phone, which would be wrong."""
    return {key: value for key, value in members.items()
            if key != "deviceNote"}


def leave_out_label(_, members):
    """Android's shell does not report the labels of apps."""
    return {key: value for key, value in members.items()
            if key != "label" or "packageName" not in members}


def ask_for_more(_, members):
    """The default contents of an answer depend on the speed of the phone.

    The screen is not captured after an action if that takes long, and the
    machine that runs this may be slow. So captures are requested explicitly.
    """
    tool, arguments = members.get("name", ""), members.get("arguments")
    if not isinstance(arguments, dict):
        return members
    operation = arguments.get("operation") if tool == "ui" \
        else tool.removeprefix("ui_")
    if operation in ACTS:
        arguments = {"receipt": "fast", **arguments}
    return {**members, "arguments": arguments}


# All differences over adb, in objects that are sent and expected.
ASKED = (rename, ask_for_more)
ANSWERED = (rename, leave_out_note, leave_out_label)


def walk(value, change):
    """A JSON value with all its objects changed."""
    if isinstance(value, list):
        return [walk(item, change) for item in value]
    if isinstance(value, dict):
        return change({key: walk(item, change)
                       for key, item in value.items()})
    return value


class DemoPhone:
    """The phone inside each server; it starts in its initial state."""

    env = None
    fast = True

    def __init__(self, squint):
        self.squint = squint

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def renew(self):
        """Reset the phone to its initial state."""

    def differences(self, _):
        """How a conversation differs on this phone; see ios.txt."""
        return NoDifferences()

    def asked(self, params):
        """What to send instead of the params of a request."""
        return params

    def answered(self, pattern):
        """What to expect instead of a pattern."""
        return pattern


class AdbPhone(DemoPhone):
    """One phone and one adb server for all conversations."""

    fast = False

    def __enter__(self):
        self.phone = Phone(self.squint)
        self.serial = self.phone.address
        self.adb = Adb().__enter__()
        self.adb.connect(self.phone)
        self.env = {
            "SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{self.adb.port}"}
        return self

    def __exit__(self, *_):
        self.adb.__exit__()
        self.phone.__exit__()

    def renew(self):
        self.adb.output("shell", "squint-reset", serial=self.serial)

    def asked(self, params):
        for difference in ASKED:
            params = walk(params, lambda v, d=difference: d(self, v))
        return params

    def answered(self, pattern):
        for difference in ANSWERED:
            pattern = walk(pattern, lambda v, d=difference: d(self, v))
        return pattern


class SimulatorPhone(DemoPhone):
    """A new simulator for every conversation."""

    fast = False

    def __init__(self, squint, fake):
        super().__init__(squint)
        self.fake = fake
        self.simulator = None

    def __exit__(self, *_):
        if self.simulator:
            self.simulator.__exit__()

    def renew(self):
        self.__exit__()
        self.simulator = Simulator(self.fake).__enter__()
        self.env = self.simulator.env

    def differences(self, path):
        here = pathlib.Path(__file__).resolve().parent
        return Differences(here / "ios.txt", path.stem)


PHONES = {"demo": DemoPhone, "adb": AdbPhone}
