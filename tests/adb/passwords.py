#!/usr/bin/env python3
"""passwords.py SQUINT: a person types a password on the phone, which shows its
last character for a moment; no picture shows it. With the real adb; TAP."""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import LOGIN, Client
from demo_phone import case, run_cases
from phone import SMALL, Device, expect, expect_true


def type_by_hand(device, point, text):
    """Start the app, tap a field and type, without squint."""
    device.output("shell", f"am force-stop {LOGIN};"
                  f"monkey -p {LOGIN} 1;input tap {point};input text {text}")


def frame(device):
    """The pixels of the phone itself."""
    return device.run("exec-out", "screencap").stdout


def points(device):
    """Where the two fields are."""
    device.output("shell", f"monkey -p {LOGIN} 1")
    dump = device.output("shell", "uiautomator dump /sdcard/a.xml >/dev/null;"
                         "cat /sdcard/a.xml")
    found = {}
    for node in xml.etree.ElementTree.fromstring(dump).iter("node"):
        name = node.get("resource-id").rpartition("/")[2]
        if name in ("username", "password"):
            box = [int(side) for side in re.findall(r"\d+", node.get("bounds"))]
            found[name] = f"{(box[0] + box[2]) // 2} {(box[1] + box[3]) // 2}"
    expect("fields", sorted(found), ["password", "username"])
    return found


def pictures(device, client, point, **arguments):
    """A picture of each of two passwords of the same length, and its reply."""
    made = []
    for text in ("abcW", "abci"):
        type_by_hand(device, point, text)
        result = client.call("ui", operation="screenshot", inline=True,
                             format="png", **arguments)
        expect_true(f"a picture in {result}", not result.get("isError"))
        made.append(next(block["data"] for block in result["content"]
                         if block["type"] == "image"))
    return made


@case
def the_phone_shows_the_last_character(adb, squint):
    """Otherwise the other cases would show nothing."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, SQUINT_REDACT_PASSWORDS="known") as client:
        at = points(device)["password"]
        type_by_hand(device, at, "abcW")
        hidden = frame(device)
        type_by_hand(device, at, "abci")
        expect_true("dots only", frame(device) == hidden)
        device.output("shell", "settings put system show_password 1")
        expect_true("a letter", frame(device) != hidden)
        one, other = pictures(device, client, at, raw=True)
        expect_true("known fields only", one != other)


@case
def no_picture_shows_it(adb, squint):
    """In full size and as a thumbnail, by default and with always."""
    for when, forms in (("focused", ({"raw": True}, {"size": "thumb"})),
                        ("always", ({"raw": True},))):
        with Device(adb, squint, *SMALL) as device, \
                Client(squint, adb, SQUINT_REDACT_PASSWORDS=when) as client:
            at = points(device)["password"]
            device.output("shell", "settings put system show_password 1")
            for form in forms:
                one, other = pictures(device, client, at, **form)
                expect_true(f"{when} {form}", one == other)
            expect("hidden parts", client.ui("screenshot")["redacted"], 1)
            expect_true("in a list",
                        "abc" not in str(client.ui("dump")))


@case
def no_receipt_reads_it(adb, squint):
    """Changed text is not read where a password field is or was."""
    with Device(adb, squint) as device, \
            Client(squint, adb, SQUINT_UI_OCR_ENABLED="true") as client:
        at = points(device)
        x, y = map(int, at["username"].split())
        device.output("shell", "settings put system show_password 1")
        for receipt in ("auto", "full"):
            for letter in (*"QKRW", "abcW"):
                type_by_hand(device, at["password"], letter)
                answer = client.ui("tap", x=x, y=y, deviceSpace=True,
                                   receipt=receipt)
                shown = device.output("shell", "uiautomator dump /sdcard/a.xml"
                                      " >/dev/null; cat /sdcard/a.xml")
                expect(f"{letter} in a {receipt} receipt",
                       [line for line in answer.get("now", [])
                        if line[0] != "=" and line[2:] not in shown], [])


@case
def the_next_screen_is_shown_whole(adb, squint):
    """Where a password was typed a moment before, on a phone whose elements are
    not read for a picture."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb) as client:
        at = points(device)["username"]
        x, y = map(int, at.split())
        client.ui("input", text="abcW", selector={"resourceId": "password"})
        shown = client.ui("screenshot")
        expect("in the field", shown.get("redacted"), 1)
        client.ui("tap", x=x, y=y, deviceSpace=True, receipt="none")
        shown = client.ui("screenshot")
        expect("in the same app", shown.get("redacted"), None)
        client.ui("input", text="abcW", selector={"resourceId": "password"},
                  receipt="none")
        device.output("shell", "monkey -p com.squint.demo.shop 1")
        shown = client.ui("screenshot")
        expect("in another app", shown.get("redacted"), None)


@case
def other_fields_are_shown(adb, squint):
    """Their elements are not read, so pictures are as fast as before."""
    log = pathlib.Path(adb.home.name, "commands")
    with Device(adb, squint, *SMALL, "--log", str(log)) as device, \
            Client(squint, adb) as client:
        at = points(device)["username"]
        before = log.read_text(encoding="utf-8").count("uiautomator")
        one, other = pictures(device, client, at, raw=True)
        expect_true("text", one != other)
        after = log.read_text(encoding="utf-8").count("uiautomator")
        expect("lists of elements", after - before, 0)


@case
def a_field_that_cannot_be_found_gives_no_picture(adb, squint):
    """The elements of this phone cannot be read."""
    with Device(adb, squint, *SMALL) as device:
        at = points(device)
    with Device(adb, squint, *SMALL, "--fault", "null-root") as device, \
            Client(squint, adb) as client:
        type_by_hand(device, at["password"], "abcW")
        error = client.expect_error("screenshot")
        expect_true(error, "password" in error["message"])
        type_by_hand(device, at["username"], "abcW")
        expect("device", client.ui("screenshot")["deviceId"], device.serial)


@case
def no_journal_has_it(adb, squint):
    """What is typed into other fields is recorded, by any receipt."""
    journal = pathlib.Path(adb.home.name, "typed.jsonl")
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, SQUINT_JOURNAL_PATH=str(journal)) as client:
        for name, point in points(device).items():
            x, y = map(int, point.split())
            for receipt in ("none", "fast"):
                client.ui("tap", x=x, y=y, deviceSpace=True, receipt="none")
                client.ui("input", text=f"{name}by{receipt}", receipt=receipt)
                client.ui("input", text=f"{name}of{receipt}", receipt=receipt,
                          selector={"resourceId": name})
    text = journal.read_text(encoding="utf-8")
    typed = [call["arguments"]["text"] for call in map(json.loads,
                                                       text.splitlines())
             if call.get("operation") == "input"]
    expect("recorded", sorted(typed), [
        "[secret 1]", "[secret 2]", "[secret 3]", "[secret 4]",
        "usernamebyfast", "usernamebynone", "usernameoffast",
        "usernameofnone"])
    expect("passwords", re.findall("password(?:by|of)", text), [])


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
