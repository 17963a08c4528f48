"""The phones a conversation can be held about, and what tells them apart.

demo  the phone inside squint
adb   the same phone as a process of its own, reached by the real adb
ios   the same screens on a simulator that tests/fake pretends to be

squint is told the same of all and must answer the same, except for ASKED and
ANSWERED over adb, and for what ios.txt says of simulators.
"""

import pathlib

from demo_phone import Adb, Phone
from simulator import Differences, NoDifferences, Simulator

ACTS = ("tap", "input", "scroll", "swipe", "key", "launch", "stop")


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
    """Android's shell does not tell what apps are called."""
    return {key: value for key, value in members.items()
            if key != "label" or "packageName" not in members}


def ask_for_more(_, members):
    """How much a call tells by default depends on how quick the phone is.

    Looks at the screen after an action are left out where they take long, and
    the machine that runs this may be slow. So they are asked for.
    """
    tool, arguments = members.get("name", ""), members.get("arguments")
    if not isinstance(arguments, dict):
        return members
    operation = arguments.get("operation") if tool == "ui" \
        else tool.removeprefix("ui_")
    if operation in ACTS:
        arguments = {"receipt": "fast", **arguments}
    return {**members, "arguments": arguments}


# Everything that may differ over adb, in objects that are sent and expected.
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
    """Every server has its own, which is new when the server is."""

    env = None

    def __init__(self, squint):
        self.squint = squint

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def renew(self):
        """Reset the phone to its initial state."""

    def differences(self, _):
        """How a conversation reads here; see ios.txt."""
        return NoDifferences()

    def asked(self, params):
        """What to send instead of the params of a request."""
        return params

    def answered(self, pattern):
        """What to expect instead of a pattern."""
        return pattern


class AdbPhone(DemoPhone):
    """One phone and one adb server for all conversations."""

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
        self.adb.say("shell", "squint-reset", serial=self.serial)

    def asked(self, params):
        for difference in ASKED:
            params = walk(params, lambda v, d=difference: d(self, v))
        return params

    def answered(self, pattern):
        for difference in ANSWERED:
            pattern = walk(pattern, lambda v, d=difference: d(self, v))
        return pattern


class SimulatorPhone(DemoPhone):
    """A simulator of its own for every conversation."""

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
