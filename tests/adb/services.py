#!/usr/bin/env python3
"""services.py SQUINT: phones without services: their programs fail, hang or
answer nothing. With the real adb; TAP."""

import os
import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import LOGIN, Client, environment
from demo_phone import run_cases
from passwords import points, type_by_hand
from phone import SMALL, Device, expect, expect_true
from squint_server import PATIENCE, SLOWNESS_NAME, clean_environment

CASES = []
QUIET = {"receipt": "none"}
SHOP = {"packageName": "com.squint.demo.shop"}
POINT = {"x": 100, "y": 100, "deviceSpace": True}

# What each operation does on four phones: without dumpsys, cmd and settings,
# with these three silent, and the same with every program. E: an error, W: an
# answer that says what is not known, K: it needs none of them.
VERBS = [
    ("input", {"text": "abc"}, "WWEW"),
    ("input", {"text": "abc", "clear": True}, "KKEE"),
    ("input", {"text": "\u6f22"}, "KKEE"),
    ("input", {"text": "x", "hideKeyboard": True}, "EEEE"),
    ("screenshot", {}, "KKEE"),
    ("visual-snapshot", {}, "WWEE"),
    ("dump", {}, "KKEE"),
    ("find", {"selector": {"text": "Username"}}, "KKWW"),
    ("accessibility-check", {}, "KKWW"),
    ("tap", POINT, "KKEE"),
    ("swipe", {"from": {"x": 90, "y": 300}, "to": {"x": 90, "y": 100},
               "deviceSpace": True}, "KKEE"),
    ("scroll", {"direction": "down"}, "KKEE"),
    ("pinch", {"x": 100, "y": 300, "scale": 1.5}, "KKEE"),
    ("key", {"name": "back"}, "KKEW"),
    ("launch", {"packageName": LOGIN}, "WWEE"),
    ("launch", {"packageName": LOGIN, "activity": ".LoginActivity"}, "WWEE"),
    ("stop", {"packageName": LOGIN}, "KKEE"),
    ("apps", {}, "KKEE"),
    ("open", {"url": "https://shop.squint.example/a"}, "KKEE"),
    ("permission", {"permission": "camera", "change": "grant", **SHOP},
     "KKEE"),
    ("reset", {"confirm": True, **SHOP}, "KKEE"),
    ("rotate", {"orientation": "landscape"}, "EWEW"),
    ("rotate", {"orientation": "auto"}, "EWEW"),
    ("appearance", {"dark": "on"}, "EEEE"),
    ("appearance", {"fontScale": 1.3}, "EEEE"),
    ("appearance", {"density": 200}, "KKEE"),
    ("appearance", {"locale": "de-DE"}, "EWEW"),
    ("appearance", {"locale": "de-DE", **SHOP}, "EEEE"),
    ("location", {"latitude": 1, "longitude": 2}, "EEEE"),
    ("clipboard", {}, "KKEE"),
    ("clipboard", {"text": "abc"}, "KKEE"),
    ("notifications", {}, "EEEE"),
    ("notifications", {"open": True}, "EEEE"),
    ("logs", {}, "KKEE"),
    ("logs", SHOP, "KKEE"),
    ("info", {}, "WWEE"),
    ("info", SHOP, "EEEE"),
    ("wake", {}, "WWEW"),
    ("video", {"record": "start"}, "KKEE"),
    ("video", {"record": "stop"}, "KKEE"),
    ("wait", {"text": "Username", "timeoutMs": 100}, "KKEE"),
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

# On the command line, where dumpsys, cmd and settings hang; those that need
# none of them are left out. The word must be in the error.
HANGING = [
    ("screenshot", "dumpsys window"), ("dump", "dumpsys window"),
    ("tap 5 5 --device-space", "dumpsys window"),
    ("scroll down", "dumpsys window"),
    ("input abc --hide-keyboard", "dumpsys input_method"),
    ("apps", "cmd package"),
    ("rotate landscape", "settings put"),
    ("appearance --dark on", "cmd uimode"),
    ("appearance --font-scale 1.3", "settings put"),
    ("location 1 2", "cmd location"),
    ("notifications", "dumpsys notification"),
    ("notifications --open", "cmd statusbar"),
    ("info com.squint.demo.shop", "dumpsys package"),
]


def case(function):
    """One line of the report."""
    CASES.append(function)
    return function


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
def program_that_hangs_is_named(adb, squint):
    """In every command that needs it; all wait at the same time."""
    hang = ",".join(f"{name}=hang" for name in THREE)
    with Device(adb, squint, *SMALL, "--delay", hang) as device:
        env = {**clean_environment(adb.home.name), **environment(adb),
               SLOWNESS_NAME: "-3"}
        # pylint: disable=consider-using-with
        running = [subprocess.Popen(
            [os.path.abspath(squint), *words.split(), "--json"], env=env,
            cwd=adb.home.name, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                   for words, _ in HANGING]
        for (words, program), process in zip(HANGING, running):
            text = process.communicate(timeout=PATIENCE)[0]
            told = f"{words}: {text}"
            expect_true(told, process.returncode != 0 and "TIMEOUT" in text)
            expect_true(told, program in text)
            expect_true(told, not any(word in text for word in UNTRUE))
        repair(device, hang)


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
    sys.exit(run_cases(CASES, sys.argv[1]))
