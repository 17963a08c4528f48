#!/usr/bin/env python3
"""phone.py SQUINT: the demo phone with the real adb; TAP."""

import pathlib
import signal
import socket
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import expect, expect_true
from demo_phone import Adb, Phone, case, run_cases
from squint_server import PATIENCE

SMALL = ["--demo-width", "360", "--demo-height", "640", "--demo-density", "1",
         "--clock", "1767268800"]
FRAME_BYTES = 16 + 360 * 640 * 4


class Device:
    """A phone that is connected to adb."""

    def __init__(self, adb, squint, *flags):
        self.adb = adb
        self.phone = Phone(squint, *flags)
        self.serial = self.phone.address

    def __enter__(self):
        self.adb.connect(self.phone)
        return self

    def __exit__(self, *_):
        self.disconnect()
        expect("exit status of the phone", self.phone.close(), 0)
        expect("its complaints", self.phone.stderr_text(), "")
        self.phone.folder.cleanup()

    def run(self, *words, stdin=None):
        """Run adb on this device; returns the CompletedProcess."""
        return self.adb.run(*words, serial=self.serial, stdin=stdin)

    def output(self, *words, stdin=None):
        """The output of adb on this device."""
        return self.adb.output(*words, serial=self.serial, stdin=stdin)

    def disconnect(self):
        """Break the link, and wait until adb no longer lists the device."""
        self.adb.run("disconnect", self.serial)
        deadline = time.monotonic() + PATIENCE
        while self.serial in self.adb.devices():
            expect_true("is disconnected", time.monotonic() < deadline)

    def again(self):
        """Break the link and connect again."""
        self.disconnect()
        self.adb.connect(self.phone)


@case
def devices_are_listed(adb, squint):
    """With their names and states."""
    with Device(adb, squint, *SMALL) as device:
        listed = adb.devices()[device.serial]
        expect("state", listed[0], "device")
        expect_true(f"model in {listed}", "model:squint_demo_phone" in listed)
        expect("serial number",
               device.output("shell", "getprop", "ro.serialno"),
               "SQUINTDEMO\n")
    expect("left over", adb.devices(), {})


@case
def commands_return_output_and_status(adb, squint):
    """Output, errors and exit status arrive apart."""
    with Device(adb, squint, *SMALL) as device:
        done = device.run("shell", "echo out; echo err >&2; exit 7")
        expect("answer", (done.stdout, done.stderr, done.returncode),
               (b"out\n", b"err\n", 7))
        expect("quotes", device.output("shell", "echo", "'a  b'", '"c\\$d"'),
               "a  b c$d\n")
        expect("input", device.output("shell", stdin=b"echo one\necho two"),
               "one\ntwo\n")
        done = device.run("shell", "nosuch")
        expect("unknown", (done.returncode, done.stderr),
               (127,
                b"/system/bin/sh: nosuch: inaccessible or not found\n"))
        expect("legacy", device.output("shell", "-x", "echo a"), "a\n")


@case
def captures_arrive(adb, squint):
    """Raw and PNG, by exec-out and as files, the same each time."""
    with Device(adb, squint, *SMALL) as device:
        raw = device.run("exec-out", "screencap").stdout
        expect("length", len(raw), FRAME_BYTES)
        expect("header", struct.unpack("<4I", raw[:16]), (360, 640, 1, 1))
        expect_true("the same again",
                    device.run("exec-out", "screencap").stdout == raw)
        png = device.run("exec-out", "screencap", "-p").stdout
        expect("signature", png[:8], b"\x89PNG\r\n\x1a\n")
        device.output("shell", "screencap", "-p", "/sdcard/a.png")
        pulled = pathlib.Path(adb.home.name, "a.png")
        device.output("pull", "/sdcard/a.png", str(pulled))
        expect_true("the same file", pulled.read_bytes() == png)


@case
def large_capture_is_fast(adb, squint):
    """A full frame of a common size."""
    with Device(adb, squint, "--clock", "1767268800") as device:
        raw = device.run("exec-out", "screencap").stdout
        expect("length", len(raw), 16 + 1080 * 2400 * 4)


@case
def elements_are_dumped(adb, squint):
    """To a file that can be pulled, and to the terminal."""
    with Device(adb, squint, *SMALL) as device:
        expect("message", device.output("shell", "uiautomator", "dump"),
               "UI hierchary dumped to: /sdcard/window_dump.xml\n")
        pulled = pathlib.Path(adb.home.name, "dump.xml")
        device.output("pull", "/sdcard/window_dump.xml", str(pulled))
        nodes = list(xml.etree.ElementTree.parse(pulled).iter("node"))
        labels = [node.get("text") for node in nodes]
        expect_true(f"icons in {labels}", "Settings" in labels)
        direct = device.output("exec-out", "uiautomator", "dump", "/dev/tty")
        expect("direct", direct, pulled.read_text()
               + "UI hierchary dumped to: /dev/tty\n")


@case
def app_can_be_used(adb, squint):
    """Start it, tap, type text."""
    with Device(adb, squint, *SMALL) as device:
        device.output("shell", "monkey", "-p", "com.squint.demo.login", "-c",
                   "android.intent.category.LAUNCHER", "1")
        root = xml.etree.ElementTree.fromstring(
            device.output("shell", "uiautomator dump >/dev/null; "
                                "cat /sdcard/window_dump.xml"))
        field = next(node for node in root.iter("node")
                     if node.get("resource-id").endswith("/username"))
        left, top = field.get("bounds")[1:].split("]")[0].split(",")
        device.output("shell", "input", "tap", str(int(left) + 5),
                   str(int(top) + 5))
        device.output("shell", "input", "text", "agent%s007")
        expect_true("the text", 'text="agent 007"' in device.output(
            "exec-out", "uiautomator", "dump", "/dev/tty"))
        expect_true("the app", "com.squint.demo.login/.LoginActivity" in
                    device.output("shell", "dumpsys activity activities"))


@case
def files_are_pushed_and_pulled(adb, squint):
    """Pushed and pulled without change; wrong places are refused."""
    with Device(adb, squint, *SMALL) as device:
        data = bytes(range(256)) * 1000
        here = pathlib.Path(adb.home.name, "pushed")
        back = pathlib.Path(adb.home.name, "pulled")
        here.write_bytes(data)
        device.output("push", str(here), "/sdcard/file")
        device.output("pull", "/sdcard/file", str(back))
        expect_true("the same bytes", back.read_bytes() == data)
        expect("size", len(device.run("exec-out", "cat",
                                      "/sdcard/file").stdout), len(data))
        expect_true("refused", device.run("push", str(here),
                                          "/system/file").returncode != 0)
        expect_true("missing", device.run("pull", "/sdcard/none",
                                          str(back)).returncode != 0)


@case
def two_phones_in_parallel(adb, squint):
    """They are independent, also while one of them hangs."""
    with Device(adb, squint, *SMALL, "--serial", "ONE") as one, \
            Device(adb, squint, *SMALL, "--serial", "TWO") as two:
        expect("states", [state[0] for state in adb.devices().values()],
               ["device", "device"])
        for device, name in ((one, "ONE"), (two, "TWO")):
            expect("serial", device.output("shell", "getprop ro.serialno"),
                   name + "\n")
        one.output("shell", "am", "start", "-p", "com.squint.demo.shop")
        one.output("shell", "squint-fault", "hang")
        expect_true("two is at home", "com.squint.demo.launcher" in
                    two.output("shell", "dumpsys window | grep Focus"))
        one.output("shell", "squint-fault", "none")
        expect_true("one is in the shop", "com.squint.demo.shop" in
                    one.output("shell", "dumpsys window | grep Focus"))


@case
def several_clients_share_a_phone(adb, squint):
    """Two adb servers, one phone."""
    with Adb() as other, Device(adb, squint, *SMALL) as device:
        other.connect(device.phone)
        device.output("shell", "settings put global shared yes")
        expect("seen by the other",
               other.output("shell", "settings get global shared",
                         serial=device.serial), "yes\n")


@case
def unauthorized_clients_are_refused(adb, squint):
    """adb's states for a phone that refuses the connection."""
    with Phone(squint, *SMALL, "--fault", "unauthorized") as phone:
        answer = adb.run("connect", phone.address).stdout.decode()
        expect_true(answer, "authenticate" in answer or "connected" in answer)
        deadline = time.monotonic() + PATIENCE
        while (adb.devices().get(phone.address, [""])[0] != "unauthorized"
               and time.monotonic() < deadline):
            time.sleep(0.05)
        expect("state", adb.devices()[phone.address][0], "unauthorized")
        adb.run("disconnect", phone.address)


@case
def captures_can_be_damaged(adb, squint):
    """Truncated, disconnected, black, with a warning; then complete again."""
    with Device(adb, squint, *SMALL) as device:
        def capture():
            return device.run("exec-out", "screencap").stdout

        device.output("shell", "squint-fault", "truncate=1000")
        expect("cut short", len(capture()), 1000)
        device.output("shell", "squint-fault", "none,display-warning")
        warned = device.run("shell", "screencap")
        expect("with a warning", (len(warned.stdout), warned.stderr[:9]),
               (FRAME_BYTES, b"[Warning]"))
        device.output("shell", "squint-fault", "none,secure")
        expect_true("dark", not any(capture()[16:19]))
        device.output("shell", "squint-fault", "none,disconnect=5000")
        expect("cut off", len(capture()), 5000)
        device.again()
        expect("whole again", len(capture()), FRAME_BYTES)


@case
def link_rate_is_limited(adb, squint):
    """The number of bytes per second is limited; no byte is lost."""
    with Device(adb, squint, *SMALL) as device:
        device.output("shell", "squint-fault", f"slow={2 * FRAME_BYTES}")
        began = time.monotonic()
        expect("length", len(device.run("exec-out", "screencap").stdout),
               FRAME_BYTES)
        expect_true("slow", time.monotonic() - began >= 0.5)


@case
def log_has_the_time_of_the_link(adb, squint):
    """The log has the time of the bytes on the link, and a client waits at
    least as long."""
    log = pathlib.Path(adb.home.name, "link")
    rate = 5 * FRAME_BYTES
    with Device(adb, squint, *SMALL, "--log", str(log), "--link",
                str(rate)) as device:
        for switch, least in (("none", FRAME_BYTES / rate),
                              (f"slow={4 * rate}", FRAME_BYTES / rate / 4)):
            device.output("shell", "squint-fault", switch)
            began = time.monotonic()
            expect("length", len(device.run("exec-out", "screencap").stdout),
                   FRAME_BYTES)
            wall = time.monotonic() - began
            own = float(log.read_text().splitlines()[-1].split("\t")[0]) / 1e3
            expect_true(f"{own}", least - 1e-6 <= own < least + PATIENCE)
            expect_true(f"{wall} of {own}", wall >= own)


@case
def raw_and_png_have_separate_delays(adb, squint):
    """PNG has another delay than raw frames, because encoding takes longer."""
    log = pathlib.Path(adb.home.name, "delays")
    with Device(adb, squint, *SMALL, "--log", str(log), "--delay",
                "screencap=1,screencap-p=150") as device:
        for words, least in ((["-p"], 150), ([], 1)):
            device.output("shell", "screencap", *words, "/sdcard/a")
            own = float(log.read_text().splitlines()[-1].split("\t")[0])
            expect_true(f"{words}: {own}", own >= least)


@case
def log_has_the_time_of_the_phone(adb, squint):
    """One line per command; delays are part of it."""
    log = pathlib.Path(adb.home.name, "log")
    with Device(adb, squint, *SMALL, "--log", str(log), "--delay",
                "wm=50") as device:
        expect("status", device.run("shell", "wm size; false").returncode, 1)
        lines = [line.split("\t") for line in log.read_text().splitlines()]
        expect("lines", len(lines), 1)
        own, status, size, programs, what = lines[0]
        expect("status and bytes", (status, size), ("1", "23"))
        # The shell and wm; false is part of the shell.
        expect("programs", programs, "2")
        expect_true(what, what.endswith("wm size; false"))
        expect_true(own, float(own) >= 50)


@case
def invalid_input_is_disconnected(adb, squint):
    """Clients that do not speak the protocol are disconnected."""
    with Device(adb, squint, *SMALL) as device:
        for data in (b"GET / HTTP/1.1\r\n\r\n", b"\0" * 100,
                     b"CNXN" + b"\xff" * 20):
            with socket.create_connection(("127.0.0.1", device.phone.port),
                                          timeout=PATIENCE) as sock:
                sock.sendall(data.ljust(24, b"x"))
                try:
                    expect("answer", sock.recv(100), b"")
                except ConnectionResetError:
                    pass
        expect("still there", device.output("shell", "echo a"), "a\n")


@case
def too_many_clients_are_refused(adb, squint):
    """Of 32 and one more the last is disconnected; the others are served."""
    with Device(adb, squint, *SMALL) as device:
        address = ("127.0.0.1", device.phone.port)
        others = [socket.create_connection(address, timeout=PATIENCE)
                  for _ in range(31)]
        with socket.create_connection(address, timeout=PATIENCE) as last:
            try:
                expect("answer", last.recv(100), b"")
            except ConnectionResetError:
                pass
        expect("still there", device.output("shell", "echo a"), "a\n")
        for other in others:
            other.close()


@case
def phone_ends_on_a_signal(adb, squint):
    """By a signal, with clients connected."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with Phone(squint, *SMALL) as phone:
            adb.connect(phone)
            phone.process.send_signal(number)
            expect("exit status", phone.process.wait(timeout=PATIENCE), 0)
            adb.run("disconnect", phone.address)


@case
def wrong_arguments_are_refused(_, squint):
    """There is a hint, and no phone starts."""
    for words in (["--fault", "idle"], ["--clock", "5"],
                  ["--adb", "nowhere"], ["--adb", "0.0.0.0:0"],
                  ["--adb", "127.0.0.1:0", "--fault", "nosuch"],
                  ["--adb", "127.0.0.1:0", "--delay", "wm"],
                  ["--adb", "127.0.0.1:0", "--link", "0"],
                  ["--link", "1000"]):
        done = subprocess.run([squint, "demo", *words], timeout=PATIENCE,
                              capture_output=True, check=False)
        expect(f"status of {words}", done.returncode, 2)
        expect(f"output of {words}", done.stdout, b"")
        expect_true(f"words for {words}", done.stderr)


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
