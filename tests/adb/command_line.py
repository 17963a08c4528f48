#!/usr/bin/env python3
"""command_line.py SQUINT: an agent's loop over the real adb, one squint
process per step; TAP."""

import json
import pathlib
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import run_all
from client import environment
from demo_phone import Adb, find_adb
from hands import apk
from phone import Device, expect, expect_true
from picture_size import picture_size
from squint_server import PATIENCE, SLOWNESS_NAME, clean_environment

LOGIN = "com.squint.demo.login"
SETTINGS = "com.squint.demo.settings"


class Shell:
    """Runs squint commands in a temporary folder."""

    def __init__(self, squint, adb):
        self.squint = str(pathlib.Path(squint).resolve())
        self.folder = pathlib.Path(adb.home.name, "work")
        self.folder.mkdir()
        self.env = {**clean_environment(adb.home.name), **environment(adb)}

    def run(self, *words):
        """Returns the exit status, the JSON on standard output, standard error."""
        done = subprocess.run([self.squint, *words, "--json"], env=self.env, text=True,
                              cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE,
                              check=False)
        answer = json.loads(done.stdout) if done.stdout else None
        return done.returncode, answer, done.stderr

    def do(self, *words, status=0):
        """The JSON of a command that must end so, without error output."""
        ended, answer, complaints = self.run(*words)
        expect(f"status of {words}", (ended, complaints), (status, ""))
        return answer


def lists_the_phone(shell, device):
    """devices"""
    listed = {d["id"]: d["state"] for d in shell.do("devices")["devices"]}
    expect("state", listed[device.serial], "online")


def takes_a_screenshot(shell, device):
    """screenshot -o"""
    told = shell.do("screenshot", "-o", "shot.jpg")
    expect("device", told["deviceId"], device.serial)
    picture = (shell.folder / "shot.jpg").read_bytes()
    expect("picture", picture_size(picture), ("image/jpeg", 450, 1000))


def finds_an_element(shell, _):
    """find"""
    found = shell.do("find", "--selector.text", "Settings")
    expect("count", found["count"], 1)


def falls_back_to_a_picture(shell, _):
    """find what is not there"""
    found = shell.do("find", "--selector.text", "Nowhere", status=1)
    fallback = found["visualFallback"]
    expect("app", fallback["app"]["packageName"], "com.squint.demo.launcher")
    expect_true("a picture",
                (shell.folder / fallback["screenshotPath"]).exists())


def taps_what_it_found(shell, _):
    """tap by x,y of the picture"""
    at = shell.do("find", "--selector.text", "Settings")["elements"][0]
    told = shell.do("tap", "--x", str(at["centerX"]), "--y",
                    str(at["centerY"]), "--receipt", "fast")
    expect_true("it changed", told["changed"])
    told = shell.do("wait", "--text", "Wi-Fi")
    expect("found", told["found"], True)


def scrolls(shell, _):
    """scroll"""
    shell.do("launch", "--package-name", SETTINGS)
    before = shell.do("dump")["elements"]
    told = shell.do("scroll", "--direction", "down", "--receipt", "fast")
    expect("settled", told["settled"], True)
    expect_true("other elements", shell.do("dump")["elements"] != before)


def types(shell, _):
    """input"""
    shell.do("launch", "--package-name", LOGIN)
    told = shell.do("input", "--text", "Ada 'Q' %s $(id)", "--receipt", "full",
                    "--selector.text", "Username")
    expect("field", told["field"]["text"], "Ada 'Q' %s $(id)")
    shell.do("input", "--text", "secret", "--selector.text", "Password")


def waits(shell, _):
    """wait for a text, for a stable screen, and for a text that never appears"""
    shell.do("tap", "--selector.text", "Sign in")
    expect("found", shell.do("wait", "--text", "Welcome, Ada")["found"], True)
    expect("settled", shell.do("wait")["settled"], True)
    told = shell.do("wait", "--text", "Nowhere", "--timeout-ms", "50",
                    status=1)
    expect("found", told["found"], False)


def records_a_video(shell, device):
    """video 1s, and one that Ctrl-C ends early"""
    told = shell.do("video", "1s", "-o", "clip.mp4")
    expect("path", told["path"], str(shell.folder / "clip.mp4"))
    expect_true("video", b"ftyp" in (shell.folder / "clip.mp4")
                .read_bytes()[:12])
    with subprocess.Popen([shell.squint, "video", "150s", "-o", "long.mp4"],
                          env=shell.env, cwd=shell.folder, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        end = time.monotonic() + PATIENCE
        while (not device.adb.run("shell", "pidof -s screenrecord",
                                  serial=device.serial).stdout
               and time.monotonic() < end):
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=PATIENCE)[0]
    expect("status", process.returncode, 0)
    expect_true(f"it is named: {out}", "long.mp4" in out)
    expect_true("video", b"ftyp" in (shell.folder / "long.mp4")
                .read_bytes()[:12])
    status, answer, _ = shell.run("video", "--record", "start")
    expect("status", status, 2)
    expect_true("hint", "squint video 10s" in answer["error"]["hint"])


def installs_an_app(shell, _):
    """install-app FILE, which needs no further option"""
    (shell.folder / "a.apk").write_bytes(apk("com.example.a"))
    told = shell.do("install-app", "a.apk")
    expect("installed", told["installed"], str(shell.folder.resolve() / "a.apk"))
    shell.do("uninstall-app", "com.example.a")


def reports_a_disconnected_phone(shell, device):
    """A named phone that is not attached is an error with a hint."""
    device.adb.run("disconnect", device.serial)
    told = shell.do("screenshot", "--device-id", device.serial, status=1)
    expect_true("what was said", device.serial in told["error"]["message"])
    device.adb.connect(device.phone)
    shell.do("screenshot", "--device-id", device.serial, "-o", "again.jpg")


def records_one_device_only(shell, device):
    """A disconnected phone is reported; the demo phone is not used instead."""
    words = [shell.squint, "record", "--every", "1s", "--count", "3", "--into",
             "past", "--demo-width", "360", "--demo-height", "640"]
    env = {**shell.env, SLOWNESS_NAME: "1"}  # the clock runs in real time
    with subprocess.Popen(words, env=env, cwd=shell.folder, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as recorder:
        first = recorder.stdout.readline()
        device.adb.run("disconnect", device.serial)
        rest, complaints = recorder.communicate(timeout=PATIENCE)
    device.adb.connect(device.phone)
    expect("status", recorder.returncode, 0)
    expect_true("the first picture", "_1080_2400_" in first)
    expect_true(f"no other device's: {rest}", "_360_640_" not in rest)
    expect_true(f"what was recorded: {rest}",
                rest.splitlines()[-1].startswith(f"{device.serial}: "))
    expect_true(f"which device: {complaints}",
                complaints.startswith("squint record: recording "
                                      f"{device.serial}\n"))
    expect_true(f"that it has gone: {complaints}",
                f'no device "{device.serial}"\n  Run: adb connect '
                f'{device.serial}. Known' in complaints)


def says_that_it_started_a_server(shell, device):
    """The one that was configured is gone, and its phones with it."""
    device.adb.run("kill-server")
    done = subprocess.run([shell.squint, "devices"], env=shell.env, text=True,
                          cwd=shell.folder, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=PATIENCE, check=True)
    expect_true("the demo phone is listed", "demo phone" in done.stdout)
    for part in ("squint: android: no adb server answered at tcp:",
                 "so squint started one there; it has no devices\n  If your"):
        expect_true(part, part in done.stderr)
    device.adb.connect(device.phone)
    expect_true("nothing is wrong", "problems" not in shell.do("devices"))


def never_takes_the_demo_phone_instead(shell, _):
    """of the phones of a server that was configured, but cannot be reached."""
    nowhere = ("--adb-server", "tcp:0.0.0.0:1")
    told = shell.do("find", "Shop", *nowhere, status=1)["error"]
    expect_true("the reason",
                "no adb server answers at tcp:0.0.0.0:1" in told["message"])
    shell.do("find", "Shop", *nowhere, "--device", "demo")


CASES = [lists_the_phone, takes_a_screenshot, finds_an_element,
         falls_back_to_a_picture, taps_what_it_found, scrolls, types, waits,
         records_a_video, installs_an_app,
         reports_a_disconnected_phone, records_one_device_only,
         says_that_it_started_a_server, never_takes_the_demo_phone_instead]


def main(squint):
    """All cases on one phone, as TAP."""
    if not find_adb():
        print("1..0 # SKIP adb is not installed")
        return 0
    with Adb() as adb, Device(adb, squint) as device:
        return run_all(CASES, Shell(squint, adb), device)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
