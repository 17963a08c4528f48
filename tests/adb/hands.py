#!/usr/bin/env python3
"""hands.py SQUINT: everything a hand can do, on the demo phone with the real
adb; TAP."""

import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time
from unittest import mock

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "http")]

# pylint: disable=wrong-import-position
import served
import turns
from client import Client, environment
from demo_phone import case, run_cases
from phone import SMALL, Device, expect, expect_true
from squint_server import clean_environment

QUIET = {"receipt": "none"}

# The same greeting in 30 scripts; each must arrive exactly, or not at all.
SCRIPTS = {
    "Latin": "Hello", "accents": "Crème brûlée, año, Ångström? ÿ",
    "Vietnamese": "Xin chào thế giới", "Polish": "Zażółć gęślą jaźń",
    "Cyrillic": "Здравствуй, мир", "Greek": "Γειά σου Κόσμε",
    "Armenian": "Բարեւ", "Georgian": "გამარჯობა", "Hebrew": "שלום עולם",
    "Arabic": "مرحبا بالعالم", "Syriac": "ܫܠܡܐ", "Thaana": "އައްސަލާމު",
    "Devanagari": "नमस्ते", "Bengali": "নমস্কার", "Gurmukhi": "ਸਤ ਸ੍ਰੀ ਅਕਾਲ",
    "Gujarati": "નમસ્તે", "Tamil": "வணக்கம்", "Telugu": "నమస్కారం",
    "Kannada": "ನಮಸ್ಕಾರ", "Malayalam": "നമസ്കാരം", "Sinhala": "ආයුබෝවන්",
    "Thai": "สวัสดี", "Lao": "ສະບາຍດີ", "Khmer": "សួស្តី", "Burmese": "မင်္ဂလာပါ",
    "Tibetan": "བཀྲ་ཤིས", "Ethiopic": "ሰላም", "Han": "你好，世界",
    "kana": "こんにちは", "Hangul": "안녕하세요", "emoji": "👩‍🚀🎉 ok",
    "combining": "e\u0301 n\u0303",
}

HOSTILE = ["'", "\"", "$(echo harm > /sdcard/harm)", "`id`", "--help", "-n",
           "a;echo harm>/sdcard/harm", "a\nb", "\\", "a&&b|c", "*?[x]{y}",
           "%s%d", "~", "#x", "é漢🙂"]


def words_of(device):
    """The words of the program that ran last on the phone."""
    return device.output("shell", "squint-argv").split("\x1f")[:-1]


def faults(device, text):
    """Set the faults of the phone."""
    device.output("shell", f"squint-fault none {text}")


def refusal(client, call):
    """The error of a call that must fail."""
    rest = {key: value for key, value in call.items() if key != "operation"}
    return client.expect_error(call["operation"], **rest)


def focus(client):
    """Open the login screen and tap its first field."""
    client.ui("launch", packageName="Login", **QUIET)
    client.ui("tap", selector={"text": "Username"}, **QUIET)


def type_all(client, texts):
    """Type each text into the cleared field; (way, error code) of each."""
    ways = {}
    for name, text in texts.items():
        reply = client.ui("input", text=text, clear=True, receipt="fast")
        expect(f"{name} in the field", reply["field"]["text"], text)
        ways[name] = reply["typed"].get("by", "keys")
    return ways


@case
def text_in_thirty_scripts_arrives(adb, squint):
    """By keys, dead keys or the clipboard, on every layout of a clip."""
    expect_true("30 scripts", len(SCRIPTS) >= 30)
    with Device(adb, squint, *SMALL) as device:
        for api in (26, 28, 29, 30, 31, 33, 34, 35):
            faults(device, f"no-ime api={api}")
            with Client(squint, adb) as client:
                focus(client)
                texts = SCRIPTS if api == 34 else \
                    {key: SCRIPTS[key] for key in ("Han", "emoji", "Latin")}
                ways = type_all(client, texts)
                expect("Latin", ways["Latin"], "keys")
                expect("Han", ways["Han"], "clipboard")
                if api == 34:
                    expect("used", set(ways.values()),
                           {"keys", "clipboard"})


@case
def accents_are_dead_keys(adb, squint):
    """If an app ignores dead keys, what they typed is replaced."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        focus(client)
        for text in ("é", "àèìòù ÀÈÌÒÙ", "ñõã çÇß", "äëïöüÿ", "ćśź ŵŷ"):
            reply = client.ui("input", text=text, clear=True, receipt="fast")
            expect("way", reply["typed"]["by"], "dead keys")
            expect("field", reply["field"]["text"], text)
        faults(device, "no-dead-keys")
        client.ui("input", text="x", clear=True, **QUIET)
        reply = client.ui("input", text="naïve", receipt="fast")
        expect("way", reply["typed"]["by"], "clipboard")
        expect("field", reply["field"]["text"], "xnaïve")


@case
def clipboard_is_restored(adb, squint):
    """If it was a text."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        faults(device, "no-ime")
        expect("empty", client.ui("clipboard")["clipboard"], None)
        client.ui("clipboard", text="моё", **QUIET)
        focus(client)
        reply = client.ui("input", text="漢字", receipt="fast")
        expect_true("no note", "note" not in reply)
        expect("restored", client.ui("clipboard")["clipboard"], "моё")
        for text in HOSTILE + ["x" * 8000]:
            client.ui("clipboard", text=text, **QUIET)
            expect("clipboard", client.ui("clipboard")["clipboard"], text)


@case
def text_is_refused_before_anything_is_typed(adb, squint):
    """Without a way, or with one that the field does not take."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        focus(client)
        client.ui("input", text="before", **QUIET)
        faults(device, "no-ime,no-clipboard")
        error = client.expect_error("input", text="abc 漢", receipt="fast")
        expect("error", error["error"], "UNSUPPORTED")
        expect_true("says so", "nothing was typed" in error["message"])
        faults(device, "no-ime,no-paste")
        client.expect_error("input", text="漢字", receipt="fast")
        reply = client.ui("input", text="!", receipt="full")
        expect("field", reply["field"]["text"], "before!")
        faults(device, "no-clipboard")
        reply = client.ui("input", text="漢", clear=True, receipt="fast")
        expect("way", reply["typed"]["by"], "ADBKeyBoard")


@case
def fields_are_cleared_and_the_keyboard_hidden(adb, squint):
    """Clear works with a text and without; submit and hideKeyboard follow."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        focus(client)
        client.ui("input", text="one two three", **QUIET)
        reply = client.ui("input", text="four", clear=True, receipt="fast")
        expect("field", reply["field"]["text"], "four")
        expect("cleared", reply["typed"]["cleared"], True)
        words = device.output("shell", "dumpsys", "input_method")
        expect_true("shown", "mInputShown=true" in words)
        reply = client.ui("input", clear=True, hideKeyboard=True,
                          receipt="fast")
        words = device.output("shell", "dumpsys", "input_method")
        expect_true("hidden", "mInputShown=false" in words)
        reply = client.ui("input", hideKeyboard=True, receipt="fast",
                          text="x", selector={"text": "Password"},
                          submit=True)
        expect("submitted", reply["typed"]["submitted"], True)
        error = client.expect_error("input")
        expect("missing", error["message"], "text is missing")


@case
def apps_are_opened_and_reset(adb, squint):
    """open, launch with activity and extras, permission, reset."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, SQUINT_TOOLS_OPEN_SCHEMES="squint-settings") \
            as client:
        reply = client.ui("open", url="https://shop.squint.example/a",
                          receipt="fast")
        expect_true("changed", reply["changed"])
        client.ui("open", url="squint-settings:x", **QUIET)
        for url, code in (("https://nowhere.example/", "NOT_FOUND"),
                          ("file:///x", "INVALID_OPERATION"),
                          ("intent:#Intent;end", "INVALID_OPERATION"),
                          ("no-scheme", "INPUT_VALIDATION_FAILED")):
            expect(url, client.expect_error("open", url=url)["error"], code)
        error = client.expect_error("open", url="https://shop.squint.example/",
                                    packageName="Login")
        expect("other app", error["error"], "NOT_FOUND")
        client.ui("launch", packageName="Login", activity=".LoginActivity",
                  extras=["user=ada", "n=3", "new=true", "code:text=007"],
                  **QUIET)
        expect("extras", words_of(device)[4:],
               ["--es", "user", "ada", "--ei", "n", "3", "--ez", "new", "true",
                "--es", "code", "007"])
        error = client.expect_error("launch", packageName="Login",
                                    activity=".Nope")
        expect("activity", error["error"], "PACKAGE_NOT_FOUND")
        client.ui("permission", packageName="Shop", permission="camera",
                  change="grant", **QUIET)
        expect("grant", words_of(device),
               ["pm", "grant", "com.squint.demo.shop",
                "android.permission.CAMERA", ""][:4])
        client.ui("permission", packageName="Shop", change="reset",
                  permission="android.permission.CAMERA", **QUIET)
        expect("reset", words_of(device)[1], "clear-permission-flags")
        error = client.expect_error("permission", packageName="Shop",
                                    permission="sms", change="grant")
        expect_true("refused", "SecurityException" in error["message"])
        client.expect_error("permission", packageName="Shop",
                            permission="flying", change="grant")
        faults(device, "api=29")
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        faults(device, "api=29")
        client.ui("permission", packageName="Shop", change="revoke",
                  permission="notifications", **QUIET)
        expect("appops", words_of(device)[:2], ["appops", "set"])
        error = client.expect_error("permission", packageName="Shop",
                                    permission="camera", change="reset")
        expect("old", error["error"], "UNSUPPORTED")
        error = client.expect_error("reset", packageName="Shop")
        expect("confirm", error["error"], "INVALID_OPERATION")
        client.ui("reset", packageName="Shop", confirm=True, **QUIET)
        expect("clear", words_of(device)[:2], ["pm", "clear"])


def locked_phone(device, client):
    """What a client learns about a phone that gets locked after a picture."""
    client.ui("launch", packageName="settings", **QUIET)
    client.ui("screenshot")
    faults(device, f"pin {device.api}")
    error = client.expect_error("wake", **QUIET)
    expect_true("secret", "PIN" in error["message"])
    rows = client.ui("dump")["elements"]
    expect_true("lock screen", any("Enter the PIN" in row for row in rows))
    app = client.ui("visual-snapshot")["app"]
    expect("app below", app["packageName"], "com.squint.demo.settings")
    expect("locked", app.get("locked"), True)
    expect_true("advice", "Unlock it by hand" in app["hint"])
    app = client.ui("launch", packageName="login")["app"]
    expect("launched below", app.get("locked"), True)
    error = client.expect_error("input", text="abc")
    expect_true("no field", "no text field" in error["message"])
    client.ui("key", name="home", **QUIET)
    rows = client.ui("dump")["elements"]
    expect_true("still locked", any("Enter the PIN" in row for row in rows))
    faults(device, device.api)
    rows = client.ui("dump")["elements"]
    expect_true(f"unlocked: {rows}", any("Username" in row for row in rows))
    expect("app", client.ui("visual-snapshot")["app"].get("locked"), None)


@case
def a_locked_phone_says_so(adb, squint):
    """app.locked and the lock screen, where dumpsys says so and where not."""
    for api in ("", "api=28"):
        with Device(adb, squint, *SMALL) as device, \
                Client(squint, adb) as client:
            device.api = api
            faults(device, api)
            locked_phone(device, client)
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("launch", packageName="settings", **QUIET)
        shot = client.ui("screenshot")
        faults(device, "pin")
        error = client.expect_error("tap", x=100, y=100)
        expect("stale", error["error"], "STALE_SCREENSHOT")
        expect_true("both", "com.android.systemui" in error["message"]
                    and "com.squint.demo.settings" in error["message"])
        faults(device, "")
        client.ui("tap", x=100, y=100, screenshotId=shot["screenshotId"])
        client.ui("launch", packageName="secure", **QUIET)
        faults(device, "pin")
        client.ui("screenshot")


@case
def the_phone_is_set_and_read(adb, squint):
    """rotate, appearance, location, wake, notifications, logs, info."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("screenshot")
        reply = client.ui("rotate", orientation="landscape", receipt="fast")
        expect_true("turned", "has turned" in reply["note"])
        error = client.expect_error("tap", x=300, y=600)
        expect_true("old picture", error["error"] != "")
        client.ui("rotate", orientation="portrait", **QUIET)
        client.ui("appearance", dark="on", fontScale=1.3, density=200,
                  locale="de-DE", packageName="Shop", **QUIET)
        expect("night", device.output("shell", "cmd uimode night"),
               "Night mode: yes\n")
        expect("font", device.output("shell",
                                  "settings get system font_scale"), "1.3\n")
        client.ui("appearance", density=0, **QUIET)
        error = client.expect_error("appearance", locale="de-DE")
        expect("device language", error["error"], "UNSUPPORTED")
        client.expect_error("appearance")
        client.ui("location", latitude=-33.5, longitude=151.25, **QUIET)
        expect("place", words_of(device)[-1], "-33.50000000,151.25000000")
        client.ui("key", name="sleep", **QUIET)
        client.ui("wake", **QUIET)
        listed = client.ui("notifications")
        expect("titles", [n["title"] for n in listed["notifications"]],
               ["Order shipped", "USB debugging connected"])
        expect_true("shade", client.ui("notifications", open=True,
                                       receipt="fast")["changed"])
        client.ui("launch", packageName="Shop", **QUIET)
        logs = client.ui("logs", packageName="Shop")
        expect("crash", len(logs["crashes"]), 4)
        text = "\n".join(logs["lines"])
        expect_true("redacted", "hunter2" not in text and "eyJ" not in text
                    and "[redacted]" in text and "user=ada" in text)
        expect("limit", len(client.ui("logs", limit=2)["lines"]), 2)
        info = client.ui("info", packageName="Shop")
        expect("info", (info["model"], info["apiLevel"], info["appMemoryKb"]),
               ("squint demo phone", 34, 51234))
        error = client.expect_error("info", packageName="com.no.app")
        expect("no app", error["error"], "PACKAGE_NOT_FOUND")
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        faults(device, "api=28")
        for call in ({"operation": "appearance", "dark": "on"},
                     {"operation": "location", "latitude": 1, "longitude": 1},
                     {"operation": "appearance", "locale": "de",
                      "packageName": "Shop"}):
            error = refusal(client, call)
            expect(str(call), error["error"], "UNSUPPORTED")


def spread_of(client):
    """What the picture of the app Rotate shows: its zoom and its turn."""
    listed = client.ui("find", selector={"textContains": "Zoom"})
    words = listed["elements"][0]["text"].replace("\u00b0", "").split()
    return int(words[1]), int(words[4])


def pinch_picture(client, **words):
    """Pinch the picture of that app."""
    return client.ui("pinch", selector={"contentDesc": "Picture"}, **QUIET,
                     **words)


@case
def several_fingers_zoom_and_turn(adb, squint):
    """As root through the touch screen, else through uinput, or not at all."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for fault in ("root", "none"):
            faults(device, fault)
            device.output("shell", "squint-reset")
            client.ui("launch", packageName="Rotate", **QUIET)
            pinch_picture(client, scale=2, degrees=90)
            last = words_of(device)[0]
            expect(fault, last, "sendevent" if fault == "root" else "uinput")
            zoom, turn = spread_of(client)
            expect_true(f"{fault}: {zoom} {turn}", abs(zoom - 200) <= 8
                        and abs(turn - 90) <= 3)
            pinch_picture(client, scale=0.5)
            zoom, turn = spread_of(client)
            expect_true(f"{fault}: {zoom} {turn}", abs(zoom - 100) <= 8
                        and abs(turn - 90) <= 3)
            reply = pinch_picture(client, degrees=-45, fingers=3)
            expect("fingers", reply["pinched"]["fingers"], 3)
            expect_true("turned back", abs(spread_of(client)[1] - 45) <= 3)
        log = []
        for fault in ("no-uinput", "api=30"):
            faults(device, fault)
            with Client(squint, adb) as other:
                error = other.expect_error(
                    "pinch", selector={"contentDesc": "Picture"}, scale=2)
                log.append(error["error"])
                expect_true(error["suggestion"], "Nothing was done"
                            in error["suggestion"])
        expect("refused", log, ["UNSUPPORTED"] * 2)


@case
def several_fingers_on_a_turned_screen(adb, squint):
    """The touch screen does not turn with the picture."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for fault in ("root", "none"):
            faults(device, fault)
            device.output("shell", "squint-reset")
            client.ui("launch", packageName="Rotate", **QUIET)
            client.ui("rotate", orientation="landscape", **QUIET)
            pinch_picture(client, scale=0.5, degrees=60)
            client.ui("rotate", orientation="portrait", **QUIET)
            zoom, turn = spread_of(client)
            expect_true(f"{fault}: {zoom} {turn}", abs(zoom - 50) <= 4
                        and abs(turn - 60) <= 4)


def apk(package):
    """The bytes of an app for the demo phone."""
    return b"PK\x03\x04\npackage=" + package.encode() + b"\n" + b"x" * 100000


@case
def apps_are_installed_only_if_allowed(adb, squint):
    """Whole and in parts, from one folder."""
    with Device(adb, squint, *SMALL) as device, \
            tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, data in (("a.apk", apk("com.example.a")),
                           ("b.apk", apk("com.example.b")),
                           ("config.apk", b"PK\x03\x04 split"),
                           ("bad.apk", b"no"),
                           ("old.apk", apk("com.example.old"))):
            (root / name).write_bytes(data)
        (root / "link.apk").symlink_to("/etc/passwd")
        with Client(squint, adb) as client:
            for call in ({"operation": "install", "paths": ["a.apk"]},
                         {"operation": "uninstall",
                          "packageName": "com.example.a"}):
                expect("off", refusal(client, call)["error"],
                       "INVALID_OPERATION")
        with Client(squint, adb, SQUINT_TOOLS_INSTALL_FROM=folder) as client:
            client.ui("install", paths=["a.apk"], **QUIET)
            client.ui("install", paths=["b.apk", "config.apk"], **QUIET)
            for package in ("com.example.a", "com.example.b"):
                expect_true(package, device.output("shell", f"pm path {package}"))
                client.ui("uninstall", packageName=package, **QUIET)
            for name in ("../a.apk", "/etc/passwd", "link.apk", "none.apk",
                         "bad.apk", "old.apk"):
                client.expect_error("install", paths=[name])
            error = client.expect_error("install", paths=["old.apk"])
            expect_true("hint", "newer version" in error["suggestion"])
            error = client.expect_error("uninstall",
                                        packageName="com.squint.demo.shop")
            expect_true("system app", "DELETE_FAILED" in error["message"])


@case
def videos_are_recorded(adb, squint):
    """Until stopped, or until their limit."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("video", record="start", seconds=100, **QUIET)
        client.expect_error("video", record="start")
        client.ui("key", name="home", **QUIET)
        reply = client.ui("video", record="stop", localPath="a.mp4")
        expect_true("file", reply["path"].endswith("/a.mp4"))
        expect_true("format", b"ftyp" in pathlib.Path(reply["path"])
                    .read_bytes()[:12])
        client.ui("video", record="start", seconds=1, **QUIET)
        client.ui("wait", timeoutMs=1500)
        client.ui("video", record="stop")
        client.expect_error("video", record="stop")
        expect_true("removed", "mp4" not in device.output(
            "shell", "ls /data/local/tmp /sdcard"))


@case
def long_videos_arrive_whole(adb, squint):
    """In several parts, and nothing of them stays on the phone."""
    with Device(adb, squint, *SMALL, "--fault", "video=9000001") as device, \
            Client(squint, adb) as client:
        client.ui("video", record="start", **QUIET)
        reply = client.ui("video", record="stop")
        video = pathlib.Path(reply["path"]).read_bytes()[-9000001:]
        expect("size", reply["sizeBytes"], 9000033)
        # What program_video.c writes: each word tells how many bytes follow.
        for left in (9000001, 7000001, 1000001, 5):
            word = (left * 2654435761 % (1 << 32)).to_bytes(4, "little")
            at = 9000001 - left
            expect(f"word at {at}", video[at:at + 4], word)
        expect_true("removed", "mp4" not in device.output(
            "shell", "ls /data/local/tmp /sdcard"))


@case
def others_look_while_a_video_is_copied(adb, squint):
    """The copy takes seconds, and another client's picture comes before its
    end. On a busy machine it may come later, but not every time."""
    with Device(adb, squint, *SMALL, "--fault", "video=12000000") as device, \
            mock.patch.dict(os.environ, environment(adb)):
        server = served.Server([squint])
        for _ in range(5):
            copier, other = turns.Client(server), turns.Client(server)
            copier.ui(operation="video", record="start", **QUIET)
            device.output("shell", "squint-fault", "slow=4000000")
            copied = copier.send({"operation": "video", "record": "stop"})
            time.sleep(0.3)
            seen = other.ui(operation="screenshot")
            expect_true(seen, "screenshotId" in seen)
            is_first = not select.select([copied.socket], [], [], 0)[0]
            reply = turns.reply_of(copied.read_answer())
            copied.close()
            expect("size", reply["sizeBytes"], 12000032)
            device.output("shell", "squint-fault", "slow=off")
            if is_first:
                break
        expect_true("the picture came first", is_first)
        expect("status", server.stop(), 0)


@case
def steps_stop_at_the_first_failure(adb, squint):
    """What was done before is reported."""
    with Device(adb, squint, *SMALL), Client(squint, adb) as client:
        home = {"operation": "key", "name": "home", **QUIET}
        start = {"operation": "launch", "packageName": "Login", **QUIET}
        reply = client.ui("steps", steps=[
            start, {"operation": "input", "text": "Ada", "receipt": "fast",
                    "selector": {"text": "Username"}}])
        expect("field", reply["steps"][1]["field"]["text"], "Ada")
        error = client.expect_error("steps", steps=[
            home, {"operation": "tap", "selector": {"text": "Nowhere"}}, home])
        expect("failed", error["details"]["failedStep"], 2)
        expect("done", len(error["details"]["done"]), 1)
        reply = client.ui("steps", steps=[
            {"operation": "rotate", "orientation": "landscape",
             "receipt": "fast"}, home])
        expect("stopped", (reply["done"], reply["stopped"]), (1, True))
        for steps in ([], [home] * 21, [{}], [{"operation": "fly"}],
                      [{"operation": "steps", "steps": []}], ["home"],
                      [{"operation": "devices"}], [{**home, "deviceId": "x"}],
                      "home"):
            client.expect_error("steps", steps=steps)


@case
def hostile_arguments_do_no_harm(adb, squint):
    """They arrive as one word, or are refused."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for text in HOSTILE:
            client.call("ui", operation="launch", packageName="Login",
                        extras=[f"k={text}"], **QUIET)
            expect("extra", words_of(device)[-2:], ["k", text])
            client.call("ui", operation="launch", packageName="Login",
                        extras=[f"{text}=v"], **QUIET)
            url = f"https://nowhere.example/{text}"
            client.call("ui", operation="open", url=url, **QUIET)
            if "\n" not in text:
                expect("url", words_of(device)[-1], url)
            for operation, name in (
                    ("launch", "activity"), ("permission", "permission"),
                    ("appearance", "locale")):
                client.expect_error(operation, packageName="Login", **{
                    name: text, **({"change": "grant"}
                                   if name == "permission" else {})})
            for operation in ("reset", "uninstall", "info", "logs", "open",
                              "permission", "appearance", "launch"):
                client.call("ui", operation=operation, packageName=text)
        for size in (100_000, 60_000):
            for call in ({"operation": "open", "url": "https://x/" + "a" * size},
                         {"operation": "clipboard", "text": "漢" * size},
                         {"operation": "launch", "packageName": "Login",
                          "extras": ["k=" + "v" * size]},
                         {"operation": "input", "text": "a" * size}):
                expect("size", refusal(client, call)["error"],
                       "INPUT_VALIDATION_FAILED")
        expect("harm", device.output("shell", "ls /sdcard"), "")


def squint_says(adb, squint, *words):
    """The exit status and the whole output of a command."""
    done = subprocess.run([squint, *words], check=False, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, cwd=adb.home.name,
                          env={**clean_environment(adb.home.name),
                               **environment(adb)})
    return done.returncode, done.stdout


@case
def phones_in_the_network_are_connected(adb, squint):
    """By address; what cannot be an address or a code is refused."""
    squint = os.path.abspath(squint)
    with Device(adb, squint, *SMALL) as device:
        adb.run("disconnect", device.serial)
        status, text = squint_says(adb, squint, "connect", device.serial)
        expect("connected", (status, text.split()[0]), (0, "connected"))
        status, text = squint_says(adb, squint, "connect", device.serial)
        expect("again", (status, text.split()[0]), (0, "already"))
        for was_connected in (True, False):
            status, text = squint_says(adb, squint, "connect", device.serial,
                                       "--json")
            expect("JSON", (status, json.loads(text)),
                   (0, {"device": device.serial,
                        "wasConnected": was_connected}))
            adb.run("disconnect", device.serial)
        for words in (("connect", "-H"), ("connect", "a b"),
                      ("connect", "a;id"), ("connect", "x" * 300),
                      ("connect", "127.0.0.1:1"),
                      ("pair", "127.0.0.1:1", "12345"),
                      ("pair", "127.0.0.1:1", "12345x"),
                      ("pair", "127.0.0.1", "123456"),
                      ("pair", "127.0.0.1:1", "123456"), ("pair", "x")):
            status, text = squint_says(adb, squint, *words)
            expect_true(f"{words}: {text}", status in (1, 2))


@case
def read_only_servers_have_none_of_it(adb, squint):
    """Neither what acts nor what reads more than the screen."""
    names = ("open permission reset rotate appearance location clipboard "
             "notifications logs wake video install uninstall pinch "
             "steps").split()
    with Device(adb, squint, *SMALL), \
            Client(squint, adb, SQUINT_TOOLS_READ_ONLY="true") as client:
        listed = client.request("tools/list")["result"]["tools"][0]["inputSchema"]
        offered = listed["properties"]["operation"]["enum"]
        expect("offered", [n for n in names if n in offered], [])
        for name in names:
            expect(name, client.expect_error(name)["error"],
                   "INVALID_OPERATION")


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
