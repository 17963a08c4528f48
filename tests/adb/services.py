#!/usr/bin/env python3
"""services.py SQUINT: phones without services: their programs fail, hang or
answer nothing. With the real adb; TAP."""

import pathlib
import re
import sys
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import LOGIN, Client
from demo_phone import case, run_cases
from passwords import points, type_by_hand
from phone import SMALL, Device, expect, expect_true
from squint_server import SLOWNESS_NAME

QUIET = {"receipt": "none"}
SHOP = {"packageName": "com.squint.demo.shop"}
POINT = {"x": 100, "y": 100, "deviceSpace": True}

# What each operation does on five phones: without dumpsys, cmd and settings,
# with these three silent, the same two with every program, and where every
# service hangs. E: an error, W: an answer that says what is not known, K: it
# needs none of them.
VERBS = [
    ("input", {"text": "abc"}, "WWEWW"),
    ("input", {"text": "abc", "clear": True}, "KKEEW"),
    ("input", {"text": "\u6f22"}, "KKEEE"),
    ("input", {"text": "x", "hideKeyboard": True}, "EEEEE"),
    ("screenshot", {}, "KKEEE"),
    ("visual-snapshot", {}, "WWEEE"),
    ("dump", {}, "KKEEE"),
    ("find", {"selector": {"text": "Username"}}, "KKWWE"),
    ("accessibility-check", {}, "KKWWK"),
    ("tap", POINT, "KKEEE"),
    ("swipe", {"from": {"x": 90, "y": 300}, "to": {"x": 90, "y": 100},
               "deviceSpace": True}, "KKEEE"),
    ("scroll", {"direction": "down"}, "KKEEE"),
    ("pinch", {"x": 100, "y": 300, "scale": 1.5}, "KKEEE"),
    ("key", {"name": "back"}, "KKEWW"),
    ("launch", {"packageName": LOGIN}, "WWEEE"),
    ("launch", {"packageName": LOGIN, "activity": ".LoginActivity"}, "WWEEW"),
    ("stop", {"packageName": LOGIN}, "KKEEW"),
    ("apps", {}, "KKEEE"),
    ("open", {"url": "https://shop.squint.example/a"}, "KKEEW"),
    ("permission", {"permission": "camera", "change": "grant", **SHOP},
     "KKEEK"),
    ("reset", {"confirm": True, **SHOP}, "KKEEW"),
    ("rotate", {"orientation": "landscape"}, "EWEWE"),
    ("rotate", {"orientation": "auto"}, "EWEWE"),
    ("appearance", {"dark": "on"}, "EEEEE"),
    ("appearance", {"fontScale": 1.3}, "EEEEE"),
    ("appearance", {"density": 200}, "KKEEE"),
    ("appearance", {"locale": "de-DE"}, "EWEWE"),
    ("appearance", {"locale": "de-DE", **SHOP}, "EEEEE"),
    ("location", {"latitude": 1, "longitude": 2}, "EEEEE"),
    ("clipboard", {}, "KKEEE"),
    ("clipboard", {"text": "abc"}, "KKEEE"),
    ("notifications", {}, "EEEEE"),
    ("notifications", {"open": True}, "EEEEE"),
    ("logs", {}, "KKEEK"),
    ("logs", SHOP, "KKEEK"),
    ("info", {}, "WWEEE"),
    ("info", SHOP, "EEEEE"),
    ("wake", {}, "WWEWE"),
    ("video", {"record": "start"}, "KKEEK"),
    ("video", {"record": "stop"}, "KKEEK"),
    ("wait", {"text": "Username", "timeoutMs": 100}, "KKEEK"),
]
THREE = ("dumpsys", "cmd", "settings")
PHONES = [",".join(f"{name}=fail" for name in THREE),
          ",".join(f"{name}=silent" for name in THREE),
          "program=fail", "program=silent"]
# How an answer says that something is not known.
DOUBTS = ('note":', 'Note":', 'warning":', '"unknown"')
# An app must not be said to be missing if Android could not be asked.
UNTRUE = ("PACKAGE_NOT_FOUND", "was not shown", "start-server", "kill-server",
          "no app is in the foreground")

# A service that hangs must be named; it has a second to answer here.
HANGING = (*THREE, "service", "wm", "ime")
HANG = ",".join(f"{name}=hang" for name in HANGING) + ",cmd-input=0"
NAMED = re.compile(r"(dumpsys \w+|cmd \w+|service call \w+|settings|wm|ime)"
                   r"(, [a-z_ ]+)*( of|: )")
HANG_LIMIT_S = 15
FOCUS = "dumpsys window displays|grep mCurrentFocus"


def text_of(result):
    """The first text of a result."""
    return next(block["text"] for block in result["content"]
                if block["type"] == "text")


def repair(device, broken):
    """Let the programs work again, so that the phone can be ended."""
    names = [item.partition("=")[0] for item in broken.split(",")]
    device.output("shell", "squint-delay", ",".join(f"{name}=0"
                                                    for name in names))


@case
def no_verb_succeeds_without_its_service(adb, squint):
    """Every operation on every such phone."""
    for number, broken in enumerate(PHONES):
        with Device(adb, squint, *SMALL) as device, \
                Client(squint, adb) as client:
            client.ui("launch", packageName="Login", **QUIET)
            client.ui("tap", selector={"text": "Username"}, **QUIET)
            device.output("shell", "squint-delay", broken)
            for operation, arguments, outcomes in VERBS:
                result = client.call("ui", operation=operation, **arguments)
                text = text_of(result)
                told = f"{broken}: {operation} {arguments}: {text}"
                expect(told, result.get("isError", False),
                       outcomes[number] == "E")
                expect_true(told, outcomes[number] != "W"
                            or any(word in text for word in DOUBTS))
                expect_true(told, not any(word in text for word in UNTRUE))
            repair(device, broken)


@case
def service_that_hangs_is_named_and_left_alone(adb, squint):
    """Every operation, twice: it ends in time although it asks several
    services, and does not ask them again."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **{SLOWNESS_NAME: "1"},
                   SQUINT_LIMITS_TIMEOUT_MS="1000") as client:
        client.ui("launch", packageName="Login", **QUIET)
        client.ui("tap", selector={"text": "Username"}, **QUIET)
        device.output("shell", "squint-delay", HANG)
        for operation, arguments, outcomes in VERBS:
            for number in range(1 if operation == "video" else 2):
                start = time.monotonic()
                result = client.call("ui", operation=operation, **arguments)
                seconds = time.monotonic() - start
                text = text_of(result)
                told = f"{operation} {arguments} {number}: {text}"
                expect_true(f"{seconds} s: {told}", seconds < HANG_LIMIT_S)
                expect(told, result.get("isError", False), outcomes[4] == "E")
                expect_true(told, outcomes[4] == "K" or NAMED.search(text))
                expect_true(told, outcomes[4] != "E" or "TIMEOUT" in text)
                expect_true(told, outcomes[4] == "K" or number == 0
                            or "was not asked again" in text)
                expect_true(told, not any(word in text for word in UNTRUE))
        repair(device, HANG)


@case
def rotation_is_that_of_the_display(adb, squint):
    """The answer has what the display did, not what was asked for."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for turn in ("landscape", "portrait"):
            reply = client.ui("rotate", orientation=turn, **QUIET)
            expect("orientation", reply["orientation"], turn)
            expect_true(reply, "note" not in reply)
        # The demo phone turns to one side only.
        reply = client.ui("rotate", orientation="landscapeReversed", **QUIET)
        expect("one side", reply["orientation"], "landscape")
        expect_true(reply, "did not turn as asked" in reply["note"])
        client.ui("rotate", orientation="portrait", **QUIET)
        device.output("shell", "squint-delay", "settings=silent")
        reply = client.ui("rotate", orientation="landscape", **QUIET)
        expect("not turned", reply["orientation"], "portrait")
        expect_true(reply, "did not turn" in reply["note"])
        repair(device, "settings")


@case
def wake_says_what_the_screen_did(adb, squint):
    """The phone's own state decides: a screen that stays off is an error, one
    that turns on late is awake, and one that does not tell is unknown."""
    def sleep(device, broken):
        device.output("shell", "squint-fault", "none")
        device.output("shell", "input keyevent 223")
        device.output("shell", "squint-delay", broken)

    def power(device):
        return device.output("shell", "dumpsys power")

    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **{SLOWNESS_NAME: "1"}) as client:
        sleep(device, "input=silent")
        error = client.expect_error("wake", **QUIET)
        expect_true(error, "still off" in error["message"])
        expect_true(error, "power button" in error["suggestion"])
        expect_true("asleep", "state=OFF" in power(device))
        sleep(device, "input=0")
        device.output("shell", "squint-fault", "late-keys=400")
        reply = client.ui("wake", **QUIET)
        expect("late", reply["awake"], True)
        expect_true("awake", "state=ON" in power(device))
        for broken in ("fail", "silent"):
            sleep(device, f"input=silent,dumpsys-power={broken}")
            reply = client.ui("wake", **QUIET)
            expect("untold", reply["awake"], "unknown")
            expect_true(reply, "does not tell" in reply["note"])
            repair(device, "input,dumpsys-power")
        reply = client.ui("wake", **QUIET)
        expect("awake", reply["awake"], True)
        expect_true(reply, "note" not in reply)


def dumps(log):
    """How often the elements were read."""
    return log.read_text(encoding="utf-8").count("uiautomator")


@case
def unknown_focus_is_told_once(adb, squint):
    """A phone without input_method: no elements are read for a picture, and
    one answer says why; with always they are, or there is no picture."""
    for broken in ("fail", "silent", "hang"):
        log = pathlib.Path(adb.home.name, f"focus-{broken}")
        # The query is given up after seconds of real time.
        with Device(adb, squint, *SMALL, "--log", str(log)) as device, \
                Client(squint, adb, **{SLOWNESS_NAME: "1"}) as client:
            at = points(device)["password"]
            type_by_hand(device, at, "abcW")
            device.output("shell", "squint-delay",
                          f"dumpsys-input_method={broken}")
            before = dumps(log)
            told = [text_of(client.call("ui", operation="screenshot"))
                    for _ in range(3)]
            expect(f"lists of elements, {broken}", dumps(log), before)
            expect(f"notes, {broken}: {told}",
                   ["password" in text for text in told],
                   [True, False, False])
            device.output("shell", "squint-delay", "dumpsys-input_method=0")
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, SQUINT_REDACT_PASSWORDS="always") as client:
        type_by_hand(device, points(device)["password"], "abcW")
        device.output("shell", "squint-delay", "dumpsys-input_method=fail")
        expect("hidden", client.ui("screenshot")["redacted"], 1)
        device.output("shell", "squint-fault", "null-root")
        error = client.expect_error("screenshot")
        expect_true(error, "always" in error["message"])


@case
def untold_display_is_told_once(adb, squint):
    """A phone whose dumpsys window does not answer as expected."""
    for broken in ("fail", "silent"):
        with Device(adb, squint, *SMALL) as device, \
                Client(squint, adb) as client:
            text = text_of(client.call("ui", operation="screenshot"))
            expect_true(text, "deviceNote" not in text)
            device.output("shell", "squint-delay", f"dumpsys-window={broken}")
            told = [text_of(client.call("ui", operation="screenshot"))
                    for _ in range(3)]
            expect(f"notes, {broken}: {told}",
                   ["dumpsys window" in text for text in told],
                   [True, False, False])
            repair(device, "dumpsys-window")


@case
def gestures_use_the_service_that_works(adb, squint):
    """cmd input since Android 12; the program where the service takes no
    commands, does not answer, or stops doing so. The phone itself tells which
    app is in front."""
    def go_home(client, device, log, *ways):
        client.ui("launch", packageName="Login", **QUIET)
        expect_true("login", LOGIN in device.output("shell", FOCUS))
        before = len(log.read_text(encoding="utf-8"))
        client.ui("key", name="home", **QUIET)
        expect_true("home", LOGIN not in device.output("shell", FOCUS))
        said = log.read_text(encoding="utf-8")[before:]
        expect(said, re.findall(r"raw:((?:cmd )?input) keyevent", said),
               list(ways))

    for number, (faults, broken, way) in enumerate((
            ("none", "cmd=0", "cmd input"), ("api=30", "cmd=0", "input"),
            ("none", "cmd=silent", "input"), ("none", "cmd=fail", "input"))):
        log = pathlib.Path(adb.home.name, f"input-{number}")
        with Device(adb, squint, *SMALL, "--log", str(log)) as device, \
                Client(squint, adb) as client:
            device.output("shell", "squint-fault", faults)
            client.ui("launch", packageName="Login", **QUIET)
            device.output("shell", "squint-delay", broken.replace(
                "cmd", "cmd-input"))
            go_home(client, device, log, way)
            device.output("shell", "squint-delay", "cmd-input=fail")
            if way != "input":
                go_home(client, device, log, way, "input")
            go_home(client, device, log, "input")
            repair(device, "cmd-input")


def field(device):
    """What the phone itself says that the field contains."""
    dump = device.output("shell", "uiautomator dump /sdcard/a.xml >/dev/null;"
                         "cat /sdcard/a.xml")
    nodes = xml.etree.ElementTree.fromstring(dump).iter("node")
    return next(node.get("text") for node in nodes
                if node.get("resource-id").endswith("/username"))


@case
def text_that_arrives_late_is_undone(adb, squint):
    """The phone takes no accents, and its keys arrive late: what remains is
    as the error says. A field is not cleared for a text that is refused."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("launch", packageName="Login", **QUIET)
        client.ui("tap", selector={"text": "Username"}, **QUIET)
        empty = field(device)
        faults = "none,no-ime,no-clipboard"
        device.output("shell", "squint-fault",
                      f"{faults},no-dead-keys,late-keys=60")
        error = client.expect_error("input", text="Call J\u00fcrgen - 18:30")
        expect_true(error, "contains what it did before" in error["message"])
        expect("field", field(device), empty)
        device.output("shell", "squint-fault", f"{faults},late-keys=60")
        reply = client.ui("input", text="J\u00fcrgen", receipt="full")
        expect("late", reply["field"]["text"], "J\u00fcrgen")
        reply = client.ui("input", text=" 18:30", receipt="full")
        expect("late keys", reply["field"]["text"], "J\u00fcrgen 18:30")
        expect_true(reply, "note" not in reply)
        device.output("shell", "squint-fault", faults)
        client.ui("input", text="before", clear=True, **QUIET)
        for text in ("\u6f22\u5b57", "a\u6f22"):
            error = client.expect_error("input", text=text, clear=True)
            expect("code", error["error"], "UNSUPPORTED")
            expect("field", field(device), "before")
        device.output("shell", "squint-fault", f"{faults},no-dead-keys")
        error = client.expect_error("input", text="na\u00efve", clear=True)
        expect_true(error, "contains what it did before" in error["message"])
        expect("restored", field(device), "before")


@case
def a_cleared_field_gets_the_text_once(adb, squint):
    """The keys that clear the field arrive late, too: the text is neither
    doubled nor deleted by them, and a refused one leaves the old one."""
    others = "none,no-ime,no-clipboard"
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("launch", packageName="Login", **QUIET)
        client.ui("tap", selector={"text": "Username"}, **QUIET)
        for faults, text in (("none,late-keys=250", "J\u00fcrgen"),
                             ("none,late-keys=300", "hello"),
                             (f"{others},no-dead-keys,late-keys=200",
                              "na\u00efve")):
            device.output("shell", "squint-fault", "none")
            client.ui("input", text="old", clear=True, **QUIET)
            expect("before", field(device), "old")
            device.output("shell", "squint-fault", faults)
            if "no-dead" in faults:
                error = client.expect_error("input", text=text, clear=True)
                expect_true(error, "what it did before" in error["message"])
                text = "old"
            else:
                reply = client.ui("input", text=text, clear=True)
                expect("told", reply["field"]["text"], text)
                expect_true(reply, reply["typed"].get("by") != "clipboard")
            expect("at the end of the call", field(device), text)
            # Now all keys arrive that are still under way.
            device.output("shell", "squint-fault", "none")
            time.sleep(0.4)
            expect(f"later, {faults}", field(device), text)


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
