#!/usr/bin/env python3
"""client.py SQUINT: squint and the demo phone, with the real adb; TAP."""

import json
import subprocess
import pathlib
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from demo_phone import case, run_cases
from phone import FRAME_BYTES, SMALL, Device, expect, expect_true
from relay import Relay
from squint_server import (LEGACY, MODERN, PATIENCE, SLOWNESS_NAME, Server,
                           ServerError, modern_meta)

LOGIN = "com.squint.demo.login"


def environment(adb, **more):
    """The environment of a squint that uses only this adb server."""
    return {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{adb.port}",
            "SQUINT_ANDROID_ADB_PATH": adb.program, "HOME": adb.home.name,
            "TMPDIR": adb.home.name, "ADB_MDNS": "0", **more}


class Client(Server):
    """squint mcp with that adb server."""

    def __init__(self, squint, adb, version=LEGACY, **env):
        super().__init__([squint, "mcp"], env=environment(adb, **env))
        self.initialize(version)

    def expect_error(self, operation, /, **arguments):
        """The error of a call that must fail."""
        result = self.call("ui", operation=operation, **arguments)
        text = next(b for b in result["content"] if b["type"] == "text")
        if not result.get("isError"):
            raise ServerError(f"{operation} was done: {text}")
        return json.loads(text["text"])

    def picture(self, **arguments):
        """The bytes of a screenshot, in base64."""
        result = self.call("ui", operation="screenshot", inline=True,
                           **arguments)
        return next(b for b in result["content"]
                    if b["type"] == "image")["data"]


@case
def phone_is_listed_and_chosen(adb, squint):
    """It is listed by its model, before the built-in phone."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        listed = {d["id"]: d for d in client.ui("devices")["devices"]}
        expect("state", listed[device.serial]["state"], "online")
        expect("kind", listed[device.serial]["kind"], "android")
        expect_true("name", "squint" in listed[device.serial]["name"])
        shot = client.ui("screenshot")
        expect("device", shot["deviceId"], device.serial)
        expect("size", shot["device"], {"width": 360, "height": 640})


@case
def answers_equal_those_of_the_built_in_phone(adb, squint):
    """Pictures, elements and apps are the same as without adb."""
    sizes = {"SQUINT_DEMO_WIDTH": "360", "SQUINT_DEMO_HEIGHT": "640",
             "SQUINT_DEMO_DENSITY": "1"}
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **sizes) as client:
        for app in ("login", "settings", "rotate"):
            answers = []
            for name in ("demo", device.serial):
                package = f"com.squint.demo.{app}"
                client.ui("launch", deviceId=name, packageName=package,
                          receipt="none")
                dump = client.ui("dump", deviceId=name)
                for key in ("dumpId", "deviceId", "screenshotId"):
                    dump.pop(key, None)
                answers.append((dump, client.ui(
                    "visual-snapshot", deviceId=name)["app"]))
            expect(app, answers[1], answers[0])


@case
def login_works_from_find_to_tap(adb, squint):
    """Find, tap, type, read back, scroll, wait, go back."""
    with Device(adb, squint, *SMALL), Client(squint, adb) as client:
        client.ui("launch", packageName=LOGIN)
        typed = client.ui("input", text="ada", receipt="full",
                          selector={"text": "Username"})
        expect("field", typed["field"]["text"], "ada")
        client.ui("input", text="lovelace", selector={"text": "Password"})
        client.ui("tap", selector={"text": "Sign in"})
        client.ui("wait", text="ada", timeoutMs=5000)
        client.ui("key", name="back")
        client.ui("stop", packageName=LOGIN)
        app = client.ui("visual-snapshot")["app"]["packageName"]
        expect("app", app, "com.squint.demo.launcher")


def with_slowness(slowness, **more):
    """The environment of a squint whose clock is this many times slower than
    real time, for tests of timeouts and of slow phones."""
    return {SLOWNESS_NAME: str(slowness), **more}


@case
def slow_link_gives_pictures(adb, squint):
    """The picture is complete, also after half of a raw frame was processed."""
    log = pathlib.Path(adb.home.name, "slow-link")
    # A raw frame takes 18 s and is given up after 6 s of real time.
    env = with_slowness(4, SQUINT_LIMITS_TIMEOUT_MS="3000")
    with Device(adb, squint, *SMALL, "--link", "50000", "--log", str(log)), \
            Client(squint, adb, **env) as client:
        slow = client.picture()
        log.write_text("")
        expect_true("the same again", client.picture() == slow)
        captures = [line for line in log.read_text().splitlines()
                    if "screencap" in line]
        # gzip is tried, and PNG may follow; a raw frame is not taken again.
        expect_true(captures, captures and all(
            line.endswith(("screencap|gzip -1", "screencap -p"))
            for line in captures))
    with Device(adb, squint, *SMALL), Client(squint, adb) as client:
        expect_true("the same without", client.picture() == slow)


@case
def every_format_gives_the_same_picture(adb, squint):
    """Raw frame, gzip and PNG are tried, and the fastest stays in use; gzip
    that does not work is tried once."""
    # More than 150 ms each for a squint with a slow clock.
    options = ["--link", str(FRAME_BYTES * 2 // 3), "--delay",
               "gzip=700,screencap-p=900"]
    for fault, best in (("none", "screencap|gzip -1"),
                        ("no-gzip", "screencap -p")):
        log = pathlib.Path(adb.home.name, f"formats-{fault}")
        with Device(adb, squint, *SMALL, "--clock", "1767268800", *options,
                    "--fault", fault, "--log", str(log)), \
                Client(squint, adb, **with_slowness(4)) as client:
            pictures = {client.picture() for _ in range(4)}
            expect("pictures", len(pictures), 1)
        forms = [line.split("\t")[4].partition("raw:")[2]
                 for line in log.read_text().splitlines()
                 if "screencap" in line]
        expect("formats", forms, ["screencap", "screencap|gzip -1",
                                  "screencap -p", best, *([best] if
                                                          fault != "none"
                                                          else [])])


@case
def receipts_capture_only_if_captures_are_fast(adb, squint):
    """The time of a capture on this phone decides, and may change."""
    # A quarter of a second is fast; this is 2.5 s of real time here.
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **with_slowness(10)) as client:
        client.ui("screenshot")
        expect_true("looks", "settled" in client.ui("tap", x=5, y=600))
        device.output("shell", "squint-delay", "screencap=12000")
        client.ui("screenshot")
        expect_true("does not", "settled" not in client.ui("tap", x=5, y=600))
        device.output("shell", "squint-delay", "screencap=0")
        client.ui("screenshot")
        expect_true("again", "settled" in client.ui("tap", x=5, y=600))


@case
def any_text_arrives_unchanged(adb, squint):
    """All of it or nothing."""
    texts = ["%s", "100%sure", "it's #1 ~ $(id) `id` \\ \"q\"", "-n",
             "h\u00e9llo \u20ac \U0001f600", "\u65e5\u672c\u8a9e", "*?[a]",
             "a;b&c|d", "two words"]
    with Device(adb, squint, *SMALL), Client(squint, adb) as client:
        for text in texts:
            client.ui("stop", packageName=LOGIN, receipt="none")
            client.ui("launch", packageName=LOGIN, receipt="none")
            typed = client.ui("input", text=text, receipt="full",
                              selector={"text": "Username"})
            expect("typed", typed["field"]["text"], text)


@case
def newlines_press_enter(adb, squint):
    """One key for each, also for CR LF."""
    log = pathlib.Path(adb.home.name, "lines")
    with Device(adb, squint, *SMALL, "--log", str(log)), \
            Client(squint, adb) as client:
        client.ui("launch", packageName=LOGIN, receipt="none")
        client.ui("tap", selector={"text": "Username"}, receipt="none")
        error = client.expect_error("input", text="a\rb")
        expect_true(f"{error}", "control character" in error["message"])
        typed = client.ui("input", text="a\r\nb\nc\r\n", receipt="none")
        expect("characters", typed["typed"]["characters"], 6)
        expect("enter", log.read_text().count("input keyevent 66"), 3)


@case
def unsupported_text_is_refused_before_typing(adb, squint):
    """No character of it is typed."""
    faults = "no-ime,no-clipboard"
    with Device(adb, squint, *SMALL, "--fault", faults) as device, \
            Client(squint, adb) as client:
        client.ui("launch", packageName=LOGIN, receipt="none")
        client.ui("tap", selector={"text": "Username"}, receipt="none")
        error = client.expect_error("input", text="plain, then \u4f60")
        expect_true(error["message"], "nothing was typed" in error["message"])
        dump = device.output("shell",
                             "uiautomator dump /sdcard/a.xml >/dev/null;"
                             "cat /sdcard/a.xml")
        expect_true("still empty", "plain" not in dump)


@case
def no_file_is_left_on_the_phone(adb, squint):
    """After several lists of elements."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for _ in range(3):
            client.ui("dump")
        left = device.output("shell", "ls /data/local/tmp")
        expect_true(left, "squint-" not in left)


@case
def every_fault_is_reported(adb, squint):
    """Each fault of the phone has its own error, and later calls work."""
    cases = [("truncate=1000", "screenshot", "part of the picture"),
             ("secure", "screenshot", "does not allow")]
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for fault, operation, words in cases:
            device.output("shell", "squint-fault", fault)
            error = client.expect_error(operation)
            expect_true(f"{fault}: {error}", words in error["message"])
            expect_true(f"{fault}: {error}", error.get("suggestion"))
            device.output("shell", "squint-fault", "none")
            client.ui(operation)


@case
def changing_screen_falls_back_to_the_picture(adb, squint):
    """Its elements are not requested again for a while."""
    log = pathlib.Path(adb.home.name, "changing")
    slowness = 5
    with Device(adb, squint, *SMALL, "--log", str(log)) as device, \
            Client(squint, adb, **with_slowness(slowness)) as client:
        device.output("shell", "squint-fault", "idle")
        def find():
            found = client.ui("find", selector={"text": "Login"})
            expect_true("fallback", found["visualFallback"])
            expect_true(found["warning"],
                        "could not get idle state" in found["warning"])
            return log.read_text().count("uiautomator dump")

        for _ in range(3):
            expect("dumps", find(), 1)
        client.ui("key", name="home", receipt="none")
        expect("dumps after a key", find(), 2)
        expect("dumps", find(), 2)
        # Another program opens another app.
        device.output("shell", "am", "start", "-p", "com.squint.demo.shop")
        # The state of the display is cached for 300 ms.
        time.sleep(0.4 * slowness)
        expect("dumps in another app", find(), 3)
        device.output("shell", "squint-fault", "none")
        client.ui("tap", x=1, y=1, receipt="none")
        expect_true("elements again", client.ui("dump")["elements"])


@case
def slow_uiautomator_is_a_timeout(adb, squint):
    """find returns the picture and a warning, dump fails; the next call tries
    again."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **with_slowness(
                2, SQUINT_LIMITS_TIMEOUT_MS="6000")) as client:
        device.output("shell", "squint-delay", "uiautomator=600000")
        found = client.ui("find", selector={"text": "Login"})
        expect_true("picture", found["visualFallback"]["image"])
        expect_true(found["warning"], "did not list" in found["warning"])
        expect("error", client.expect_error("dump")["error"], "TIMEOUT")
        device.output("shell", "squint-delay", "uiautomator=0")
        expect("found", client.ui("find", selector={"text": "Login"})["count"],
               1)


@case
def crashing_uiautomator_falls_back_to_the_picture(adb, squint):
    """find returns it, dump says why there is no list; later calls work."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        device.output("shell", "squint-fault", "crash")
        found = client.ui("find", selector={"text": "Login"})
        expect_true("picture", found["visualFallback"]["image"])
        listed = client.ui("dump")
        expect("elements", listed["elements"], [])
        for answer in (found, listed):
            expect_true(answer["warning"],
                        "may have crashed" in answer["warning"])
        device.output("shell", "squint-fault", "none")
        expect_true("elements again", client.ui("dump")["elements"])


@case
def reason_for_missing_elements_is_reported(adb, squint):
    """The warning does not claim that the app draws its own pixels."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        device.output("shell", "squint-fault", "null-root")
        found = client.ui("find", selector={"text": "Login"})
        expect_true(found["warning"], "found no window" in found["warning"])
        expect_true(found["warning"], "null root node" in found["warning"])
        expect_true("hint", "cannot be listed" in
                    found["visualFallback"]["hint"])
        error = client.expect_error("tap", selector={"text": "Login"})
        expect_true(error["message"], "found no window" in error["message"])


@case
def old_phone_works(adb, squint):
    """A phone without shell v2, with short headers and a second display."""
    with Device(adb, squint, *SMALL, "--fault",
                "old-shell,old-frame,display-warning"), \
            Client(squint, adb) as client:
        expect("size", client.ui("screenshot")["device"],
               {"width": 360, "height": 640})
        expect_true("elements", client.ui("dump")["count"] > 0)
        client.ui("tap", x=5, y=5)


@case
def oldest_phone_works(adb, squint):
    """A phone with a terminal only, whose files are fetched by sync."""
    log = pathlib.Path(adb.home.name, "oldest")
    with Device(adb, squint, *SMALL, "--log", str(log), "--fault",
                "old-shell,no-exec,old-frame") as device, \
            Device(adb, squint, *SMALL) as modern, \
            Client(squint, adb) as client:
        answers = []
        for serial in (device.serial, modern.serial):
            client.ui("launch", deviceId=serial, packageName=LOGIN)
            dump = client.ui("dump", deviceId=serial)
            answers.append([dump["elements"],
                            client.picture(deviceId=serial)])
        expect("answers", answers[0], answers[1])
        client.ui("input", text="two  words", deviceId=device.serial,
                  selector={"text": "Username"})
        client.ui("wait", text="two  words", deviceId=device.serial,
                  timeoutMs=5000)
        device.output("shell", "squint-fault", "idle=1")
        found = client.ui("find", deviceId=device.serial,
                          selector={"text": "Username"})
        expect_true("fallback", found["visualFallback"])
        # What was still being read when its call had ended is removed by then.
        end = time.monotonic() + 60
        while (files := device.output("shell", "ls /data/local/tmp")) \
                and time.monotonic() < end:
            time.sleep(0.2)
        expect("files", files, "")
        requests = log.read_text()
        expect_true("stat", "sync:STAT" in requests)
        expect_true("recv", "sync:RECV" in requests)
        expect_true("exec", "exec:" not in requests)


@case
def broken_capture_is_an_error_and_next_call_works(adb, squint):
    """At many places of a picture; the next call works."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("screenshot")
        for at in (1, 17, 4000, 70000, 900000):
            device.output("shell", "squint-fault", f"disconnect={at}")
            error = client.expect_error("screenshot", deviceId=device.serial)
            expect_true(f"{at}: {error}", error.get("suggestion"))
            device.again()
            device.output("shell", "squint-fault", "none")
            client.ui("screenshot", deviceId=device.serial)


@case
def unauthorized_phone_is_listed_as_such(adb, squint):
    """The entry says what to do; the built-in phone is used only by its name."""
    with Client(squint, adb) as client, \
            Device(adb, squint, *SMALL) as device:
        device.output("shell", "squint-fault", "unauthorized")
        adb.run("disconnect", device.serial)
        adb.run("connect", device.serial)
        listed = {d["id"]: d for d in client.ui("devices")["devices"]}
        expect("state", listed[device.serial]["state"], "unauthorized")
        expect_true("hint", listed[device.serial]["hint"])
        error = client.expect_error("screenshot", deviceId=device.serial)
        expect("error", error["error"], "DEVICE_OFFLINE")
        error = client.expect_error("tap", x=5, y=5)
        expect("none named", error["error"], "NO_DEVICES")
        expect_true(error, f"{device.serial} is unauthorized"
                    in error["message"])
        for word in ("accept", 'deviceId to "demo"'):
            expect_true(f"{word}: {error}", word in error["suggestion"])
        named = client.ui("screenshot", deviceId="demo")
        expect("named", named["deviceId"], "demo")
        expect_true("no excuse", "deviceNote" not in named)


@case
def hanging_phone_is_named(adb, squint):
    """The error comes in time and says what to do, and whether the action may
    have been performed."""
    calls = [("screenshot", {}, "", ""), ("dump", {}, "", ""),
             ("tap", {"x": 5, "y": 5}, "nothing was done", ""),
             ("key", {"name": "back", "receipt": "none"}, "",
              "may have been performed")]
    env = with_slowness(5, SQUINT_LIMITS_TIMEOUT_MS="600")
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **env) as client:
        device.output("shell", "squint-fault", "hang")
        for operation, arguments, message, suggestion in calls:
            start = time.monotonic()
            error = client.expect_error(operation, **arguments)
            took = time.monotonic() - start
            expect(operation, error["error"], "TIMEOUT")
            expect_true(f"{operation}: {took} s", took < PATIENCE / 2)
            for word in (device.serial, message):
                expect_true(f"{operation}: {error}", word in error["message"])
            # A slow dump does not mean that the phone hangs.
            remedy = ("limits.timeoutMs" if operation == "dump" else
                      f"adb connect {device.serial}")
            for word in (remedy, suggestion):
                expect_true(f"{operation}: {error}",
                            word in error["suggestion"])
        device.output("shell", "squint-fault", "none")
        client.ui("key", name="back")


@case
def disconnected_phone_error_says_how_to_connect(adb, squint):
    """The hint names its address, because it was connected over the network."""
    with Client(squint, adb) as client:
        with Device(adb, squint, *SMALL) as device:
            remedy = f"adb connect {device.serial}"
            client.ui("screenshot")
        for arguments in ({}, {"deviceId": device.serial}):
            error = client.expect_error("screenshot", **arguments)
            expect_true(f"{error}", device.serial in error["message"])
            expect_true(f"{error}", remedy in error["suggestion"])
            expect_true(f"{error}", "lug" not in error["suggestion"])
        with Device(adb, squint, *SMALL) as device:
            client.ui("screenshot", deviceId=device.serial)
            device.output("shell", "squint-fault", "disconnect=2000")
            error = client.expect_error("screenshot", deviceId=device.serial)
            remedy = f"adb connect {device.serial}"
            expect_true(f"{error}", remedy in error["suggestion"])
            device.again()


@case
def two_phones_must_be_named(adb, squint):
    """Actions on one do not affect the other."""
    with Device(adb, squint, *SMALL) as one, \
            Device(adb, squint, "--demo-width", "300", "--demo-height",
                   "500", "--demo-density", "1") as two, \
            Client(squint, adb) as client:
        error = client.expect_error("screenshot")
        expect("error", error["error"], "MULTIPLE_DEVICES")
        for device, width in ((one, 360), (two, 300), (one, 360)):
            shot = client.ui("screenshot", deviceId=device.serial)
            expect("width", shot["device"]["width"], width)


@case
def user_chooses_between_two_phones(adb, squint):
    """A client that can show a form is asked, in both kinds of revisions."""
    def exchange(messages, answer):
        """Send messages; answer(reply) returns the next one, or None."""
        with subprocess.Popen([squint, "mcp"], env=environment(adb), text=True,
                              stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as server:
            for message in messages:
                server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            for line in server.stdout:
                message = answer(json.loads(line))
                if message is None:
                    break
                if message:
                    server.stdin.write(json.dumps(message) + "\n")
                    server.stdin.flush()
            server.stdin.close()
            return json.loads(line)

    call = {"name": "ui", "arguments": {"operation": "visual-snapshot"}}

    def content(wanted):
        return {"action": "accept", "content": {"deviceId": wanted}}

    with Device(adb, squint, *SMALL) as one, \
            Device(adb, squint, "--demo-width", "300", "--demo-height",
                   "500", "--demo-density", "1") as two:
        def answer_legacy(reply):
            if reply.get("method") == "elicitation/create":
                choices = reply["params"]["requestedSchema"]["properties"][
                    "deviceId"]["enum"]
                expect("choices", set(choices), {one.serial, two.serial})
                return {"jsonrpc": "2.0", "id": reply["id"],
                        "result": content(two.serial)}
            return None if reply.get("id") == 2 else {}

        done = exchange([
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": LEGACY, "capabilities": {"elicitation": {}},
                "clientInfo": {"name": "t", "version": "1"}}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
             "params": call}], answer_legacy)
        expect_true(f"{done}", two.serial in json.dumps(done["result"]))
        meta = {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}}

        def answer_modern(reply):
            if reply["result"]["resultType"] == "input_required":
                expect("keys", list(reply["result"]["inputRequests"]),
                       ["device"])
                return {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                        "params": {**call, **meta, "inputResponses": {
                            "device": content(one.serial)}}}
            return None

        done = exchange([{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                          "params": {**call, **meta}}], answer_modern)
        expect_true(f"{done}", one.serial in json.dumps(done["result"]))


@case
def two_phones_are_used_in_parallel(adb, squint):
    """A phone that hangs or disconnects does not affect the other one."""
    with Device(adb, squint, *SMALL) as one, Client(squint, adb) as client:
        with Device(adb, squint, *SMALL) as two:
            numbers = {one.serial: 1001, two.serial: 1002}
            two.output("shell", "squint-fault", "hang")
            for serial in (two.serial, one.serial):
                client.send({"jsonrpc": "2.0", "id": numbers[serial],
                             "method": "tools/call", "params": {
                                 "name": "ui", "arguments": {
                                     "operation": "screenshot",
                                     "deviceId": serial}}})
            first = client.receive()
            expect("first", first["id"], numbers[one.serial])
            expect_true(first, not first["result"].get("isError"))
            adb.run("disconnect", two.serial)
            second = client.receive()
            expect("second", second["id"], numbers[two.serial])
            expect_true(second, second["result"].get("isError"))
            client.ui("screenshot", deviceId=one.serial)
        error = client.expect_error("screenshot", deviceId=two.serial)
        expect("error", error["error"], "DEVICE_NOT_FOUND")
        client.ui("screenshot")


@case
def killed_server_is_restarted(adb, squint):
    """squint starts it; adb then has to connect to the phone again."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("screenshot")
        adb.run("kill-server")
        error = client.expect_error("screenshot", deviceId=device.serial)
        expect("error", error["error"], "DEVICE_NOT_FOUND")
        adb.connect(device.phone)
        client.ui("screenshot", deviceId=device.serial)


@case
def server_killed_during_a_call_is_reported(adb, squint):
    """The error comes immediately, and the next call works."""
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay, \
            Client(squint, adb, **relay.environment()) as client:
        device.output("shell", "squint-fault", "hang")
        client.send({"jsonrpc": "2.0", "id": 77, "method": "tools/call",
                     "params": {"name": "ui", "arguments": {
                         "operation": "screenshot"}}})
        relay.await_command("screencap")
        adb.run("kill-server")
        answer = client.receive()
        expect("id", answer["id"], 77)
        text = answer["result"]["content"][0]["text"]
        expect_true(text, "DEVICE_OFFLINE" in text and "suggestion" in text)
        expect_true(text, f"adb connect {device.serial}" in text)
        adb.run("start-server")
        adb.connect(device.phone)
        device.output("shell", "squint-fault", "none")
        client.ui("screenshot", deviceId=device.serial)


@case
def action_under_way_may_have_been_performed(adb, squint):
    """The phone goes, or the server, while a tap runs: the error says so. If a
    new server already runs, the phone is what has gone."""
    for end, said in (
            (lambda device: adb.run("disconnect", device.serial),
             ("was disconnected",)),
            (lambda device: adb.run("kill-server"),
             ("the adb server ended", "was disconnected"))):
        with Device(adb, squint, *SMALL) as device, Relay(adb) as relay, \
                Client(squint, adb, **relay.environment()) as client:
            client.ui("key", name="home", receipt="none")
            device.output("shell", "squint-delay", "input=hang")
            client.send({"jsonrpc": "2.0", "id": 78, "method": "tools/call",
                         "params": {"name": "ui", "arguments": {
                             "operation": "tap", "x": 5, "y": 5,
                             "deviceSpace": True, "receipt": "none"}}})
            relay.await_command("input tap")
            end(device)
            text = client.receive()["result"]["content"][0]["text"]
            expect_true(text, "DEVICE_OFFLINE" in text
                        and any(part in text for part in said)
                        and "The action may have been performed" in text)
            adb.run("start-server")
            adb.connect(device.phone)


@case
def disconnected_phone_is_not_a_new_server(adb, squint):
    """squint starts the server; later its only phone goes."""
    with Device(adb, squint, *SMALL) as device:
        adb.run("kill-server")
        with Client(squint, adb) as client:
            told = client.ui("devices")
            expect_true(told, "started one there" in json.dumps(told))
            adb.connect(device.phone)
            expect("device", client.ui("screenshot")["deviceId"],
                   device.serial)
            device.disconnect()
            error = client.expect_error("screenshot")
            expect_true(error, "started one there" not in error["message"]
                        and "no longer attached" in error["message"])
            adb.connect(device.phone)


def await_update(client):
    """The next message, which must report that the devices have changed."""
    message = client.receive()
    expect("method", message.get("method"), "notifications/resources/updated")
    expect("uri", message["params"]["uri"], "squint://health")


def answers(adb):
    """Whether the server of adb runs."""
    with socket.socket() as sock:
        return sock.connect_ex(("127.0.0.1", adb.port)) == 0


def drain(client):
    """Discard notifications of a phone's intermediate states."""
    time.sleep(0.6)
    while not client.lines.empty():
        await_update(client)


@case
def subscribers_are_notified_of_attached_phones(adb, squint):
    """A subscribed client is also told when the adb server ends and restarts;
    squint ends without delay."""
    listen = {"jsonrpc": "2.0", "id": "ear", "method": "subscriptions/listen",
              "params": {"_meta": modern_meta(), "notifications": {
                  "resourceSubscriptions": ["squint://health"]}}}
    for version in (LEGACY, MODERN):
        with Client(squint, adb, version) as client:
            if version == MODERN:
                client.send(listen)
                client.receive()
            else:
                client.request("resources/subscribe",
                               {"uri": "squint://health"})
            time.sleep(0.3)
            with Device(adb, squint, *SMALL) as device:
                await_update(client)
                drain(client)
                listed = {d["id"] for d in client.ui("devices")["devices"]}
                expect_true("listed", device.serial in listed)
            await_update(client)
            drain(client)
            adb.run("kill-server")
            await_update(client)
            time.sleep(0.3)
            expect_true("not started by listening", not answers(adb))
            adb.run("start-server")
            await_update(client)
            began = time.monotonic()
            expect("exit status", client.close(), 0)
            expect_true("ends without delay",
                        time.monotonic() - began < PATIENCE / 2)


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
