#!/usr/bin/env python3
"""emulator.py SQUINT [SERVER]: squint with an emulator's gRPC interface; TAP.

The emulator is the demo phone on the real adb, and beside it a gRPC server of
another project (server.mjs: grpc-js, server.py: gRPC's C core) that shows the
same screen. Those that are not installed are skipped; SERVER names the only one
that is tried.
"""

import pathlib
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "support"), str(HERE.parent / "adb")]

# pylint: disable=wrong-import-position
import fingers
from demo_phone import run_cases
from emulator_phone import SERVERS, TOKEN, Emulator
from phone import expect, expect_true
from squint_server import PATIENCE, SLOWNESS_NAME

QUIET = {"receipt": "none"}


def pictures_are_those_of_adb(adb, squint, argv):
    """The same bytes, without screencap."""
    with Emulator(adb, squint, argv) as device:
        with device.client(squint, "off") as client:
            by_adb = client.picture()
        expect("calls of the server", device.asked(), [])
        before = device.ran("screencap")
        with device.client(squint) as client:
            expect_true("the same bytes", client.picture() == by_adb)
        expect("screencap", device.ran("screencap"), before)
        expect("requests", [line for line in device.asked()
                            if line.startswith("get")], ["getScreenshot 1=1"])


def a_still_screen_is_not_queried_again(adb, squint, argv):
    """Nothing was drawn: neither its state nor its pixels can differ."""
    with Emulator(adb, squint, argv) as device:
        with device.client(squint) as client:
            first = client.picture()
            queries = device.ran("dumpsys")
            expect_true("the same", client.picture() == first)
            expect("queries", device.ran("dumpsys"), queries)
            client.ui("tap", x=20, y=20, **QUIET)
            expect("queries of a tap", device.ran("dumpsys"), queries)
            client.ui("wait", stableMs=50)
            drawn = device.asked().count("drawn")
            device.output("shell", "input", "tap", "60", "60")
            device.draw()
            device.await_line("drawn", drawn + 1)
            client.picture()
            expect_true("queried again", device.ran("dumpsys") > queries)


def the_emulator_scales_if_asked(adb, squint, argv):
    """With fast, its own picture has the size of ours."""
    with Emulator(adb, squint, argv) as device:
        with device.client(squint, "fast",
                           SQUINT_UI_MAX_IMAGE_DIMENSION="300") as client:
            shot = client.ui("screenshot", inline=True)
            expect("picture", shot["image"], {"width": 135, "height": 300})
            expect("screen", shot["device"]["width"], 270)
            client.ui("tap", x=134, y=299, **QUIET)
        expect_true("asked for it", "getScreenshot 1=1,3=300,4=300"
                    in device.asked())
        expect_true(f"where it tapped: {device.asked()}",
                    any(line.startswith("sendTouch (1=268,2=598,")
                        for line in device.asked()))


def touches_arrive(adb, squint, argv):
    """A tap, a double tap, a long press and a swipe."""
    with Emulator(adb, squint, argv) as device:
        with device.client(squint) as client:
            client.ui("tap", x=60, y=70, deviceSpace=True, **QUIET)
            down = "sendTouch (1=60,2=70,3=0,4=1024)"
            lifted = "sendTouch (1=60,2=70,3=0,4=0)"

            def touches(since=0):
                return [line for line in device.asked()
                        if line.startswith("sendTouch")][since:]

            expect("tap", touches(), [down, lifted])
            client.ui("tap", x=60, y=70, deviceSpace=True, numberOfTaps=2,
                      **QUIET)
            expect("double tap", touches(2), [down, lifted] * 2)
            client.ui("tap", x=60, y=70, deviceSpace=True, durationMs=2,
                      **QUIET)
            expect("long press", (touches(6)[0], touches(6)[-1]),
                   (down, lifted))
            done = len(touches())
            client.ui("swipe", deviceSpace=True, durationMs=2,
                      **{"from": {"x": 60, "y": 70}, "to": {"x": 60, "y": 300}},
                      **QUIET)
            swipe = touches(done)
            expect("start of the swipe", swipe[0], down)
            expect("its end", swipe[-1], "sendTouch (1=60,2=300,3=0,4=0)")
        expect("input", device.ran("input"), 0)


def the_clipboard_is_the_emulators(adb, squint, argv):
    """Set and read without adb."""
    with Emulator(adb, squint, argv) as device:
        with device.client(squint) as client:
            client.ui("clipboard", text="漢字🙂")
            expect("text", client.ui("clipboard")["clipboard"], "漢字🙂")
        expect("service", device.ran("service"), 0)


def typing_uses_the_emulators_clipboard(adb, squint, argv):
    """Other text than ASCII is pasted from it, and the field is read.

    A real emulator shares its clipboard with Android. Here the phone is given
    the same text before, so that it arrives.
    """
    text = "漢字🙂"
    with Emulator(adb, squint, argv) as device:
        with device.client(squint, "off") as client:
            client.ui("launch", packageName="com.squint.demo.login", **QUIET)
            client.ui("tap", selector={"text": "Username"}, **QUIET)
            client.ui("clipboard", text=text, **QUIET)
        before = device.ran("service call clipboard")
        device.draw()
        with device.client(squint) as client:
            reply = client.ui("input", text=text, receipt="fast")
        expect("typed", reply["typed"]["by"], "clipboard")
        expect(f"field: {reply}", reply["field"]["text"], text)
        expect_true(f"set: {device.asked()}",
                    f"setClipboard 1={text}" in device.asked())
        expect("service", device.ran("service call clipboard"), before)


def fall_back(adb, squint, argv, fault="none", token=TOKEN, **env):
    """With this fault pictures and taps still succeed, by adb. The requests."""
    with Emulator(adb, squint, argv, fault, token) as device:
        with device.client(squint, "off") as client:
            by_adb = client.picture()
        with device.client(squint, **env) as client:
            expect_true("the same bytes", client.picture() == by_adb)
            if fault == "die":
                device.server.wait(timeout=PATIENCE)
            client.ui("tap", x=20, y=20, **QUIET)
            expect_true("again", client.picture() != "")
        return device.asked()


def bad_token(adb, squint, argv):
    """The server refuses every call."""
    asked = fall_back(adb, squint, argv, token="wrong")
    expect_true(f"asked once: {asked}",
                asked.count("refused getScreenshot") == 1)


def faults(adb, squint, argv):
    """Answers that cannot be used."""
    for fault in ("huge", "garbage", "status", "off", "rotated", "die"):
        asked = fall_back(adb, squint, argv, fault)
        expect_true(f"{fault}: {asked}", "getScreenshot 1=1" in asked)


def slow(adb, squint, argv):
    """No answer for seconds; the call is made by adb in time."""
    asked = fall_back(adb, squint, argv, "slow", **{SLOWNESS_NAME: "1"})
    expect_true(f"asked once: {asked}", asked.count("getScreenshot 1=1") == 1)


SCENES = [pictures_are_those_of_adb, a_still_screen_is_not_queried_again,
          the_emulator_scales_if_asked, touches_arrive,
          the_clipboard_is_the_emulators,
          typing_uses_the_emulators_clipboard, bad_token, faults, slow,
          *fingers.SCENES]


def make_case(scene, name, argv):
    """A case of run_cases."""
    def run(adb, squint):
        scene(adb, squint, argv)
    run.__name__ = f"{scene.__name__} {name}"
    return run


def main(squint, only=None):
    """All scenes with every server that is installed."""
    found = {name: find() for name, find in SERVERS.items()
             if only in (None, name)}
    for name, argv in found.items():
        if not argv:
            print(f"# {name} is not installed: scripts/emulator installs it")
    cases = [make_case(scene, name, argv) for name, argv in found.items()
             if argv for scene in SCENES]
    if not cases or not shutil.which("adb"):
        print("1..0 # SKIP no gRPC server to try")
        return 0
    return run_cases(squint, cases)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
