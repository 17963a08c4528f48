"""A phone on the real adb: squint compared with mobile-mcp."""

import base64
import functools
import json
import os
import pathlib
import shutil
import statistics
import sys
import time

from inputs import HERE
from mcp import package, peer_commands, row
from mcp_client import Client, TimedClient

sys.path.insert(0, os.path.join(HERE, os.pardir, "tests", "support"))

# pylint: disable=wrong-import-position
from demo_phone import Adb, Phone, find_adb

PEER = "@mobilenext/mobile-mcp"
# What a phone takes to start and run its programs, in milliseconds: a shell, a
# small program, a query of the window manager, a raw frame, a PNG (which has to
# be compressed), gzip of a raw frame, a list of elements, an input event. They
# are added to the time that the demo phone's own work takes.
DELAYS = ("shell=5,program=10,dumpsys=60,screencap=60,screencap-p=260,gzip=60,"
          "uiautomator=1000,input=30")
# Bytes per second of the link; one phone for each, one after the other.
USUAL = "usb3"
LINKS = {USUAL: 200_000_000, "usb2": 35_000_000, "wifi": 5_000_000,
         "unbound": None}
# squint's default picture, for servers that return another one.
SAME_PICTURE = {"max": 1000, "format": "jpeg", "quality": 70, "base64": 1}
WARM_UPS = 4  # squint has tried every format of a capture after three
COMMANDS = 300
TRACED = 5  # operations of each kind under strace
QUIET_S = 0.02  # without a new line the log is complete
POINT = {"x": 200, "y": 500}
# The queries that squint sends while another command runs.
BESIDE = (b"dumpsys window displays", b"dumpsys input_method|grep")


class Work:
    """An operation of squint and, if it has one, of the peer."""

    def __init__(self, squint, peer=None, overlaps=True, of_photo=False):
        self.squint, self.peer = squint, peer
        # Another photograph fills the screen before each call.
        self.of_photo = of_photo
        # The query of the display runs while another command runs.
        self.overlaps = overlaps


def ui(operation, **arguments):
    """A call of squint's tool."""
    return ("ui", {"operation": operation, **arguments})


WORK = {
    "screenshot": Work(ui("screenshot"), ("mobile_take_screenshot", {})),
    "elements": Work(ui("dump"), ("mobile_list_elements_on_screen", {})),
    "tap": Work(ui("tap", receipt="none", **POINT),
                ("mobile_click_on_screen_at_coordinates", POINT),
                overlaps=False),
    "tap-fast": Work(ui("tap", receipt="fast", **POINT)),
    "screenshot-elements": Work(ui("screenshot", elements=True)),
    "visual-snapshot": Work(ui("visual-snapshot")),
    "photo": Work(ui("screenshot"), ("mobile_take_screenshot", {}),
                  of_photo=True),
}
USUAL_WORK = [name for name, work in WORK.items() if not work.of_photo]
# Measured on every link.
ON_LINKS = ["screenshot", "tap-fast"]
# Most milliseconds from the request to the end of the answer, by link, and how
# many times faster than the peer.
MOST_MS = {"screenshot": {"usb3": 120, "usb2": 180, "wifi": 300},
           "tap-fast": {"usb3": 400, "usb2": 600, "wifi": 900}}
# The same with squint's own program on the phone.
MOST_MS_EYE = {"screenshot": {"usb3": 110, "usb2": 115, "wifi": 165},
               "tap-fast": {"usb3": 340, "usb2": 340, "wifi": 340}}
LEAST_RATIO = {"screenshot": 3, "elements": 2}
# Measured with it on every link, and on the usual one also the list of elements
# of a screen that has not changed since the last list.
WITH_EYE = {link: ["screenshot", "tap-fast", "photo"]
            + (["elements"] if link == USUAL else [])
            for link in MOST_MS_EYE["screenshot"]}
SHELL_MS = 0.5
PROCESSES = "execve,clone,clone3,fork,vfork"


class Log:
    """The phone's log of its own time."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.touch()
        self.done = 0

    def take(self):
        """The lines since the last call: [[ms, status, bytes, programs,
        request]]."""
        size = -1
        while self.path.stat().st_size != size:
            size = self.path.stat().st_size
            time.sleep(QUIET_S)
        with open(self.path, "rb") as file:
            file.seek(self.done)
            lines = file.read(size - self.done).splitlines()
        self.done = size
        return [line.split(b"\t", 4) for line in lines]


def phone_ms(lines, work):
    """The phone's own time for an operation, without what ran beside it."""
    return sum(float(line[0]) for line in lines
               if not (work.overlaps
                       and any(words in line[4] for words in BESIDE)))


def format_of(lines):
    """The format of the last capture in these lines, or None."""
    forms = {b"screencap": "raw", b"screencap|gzip -1": "gzip",
             b"screencap -p": "PNG"}
    found = [forms.get(line[4].rpartition(b":")[2]) for line in lines]
    return next((form for form in reversed(found) if form), None)


def stand_in(folder):
    """A program that answers mobile-mcp's only question to mobilecli."""
    path = pathlib.Path(folder, "mobilecli")
    path.write_text("#!/bin/sh\necho mobilecli version 0\n", encoding="ascii")
    path.chmod(0o700)
    return str(path)


def environments(adb):
    """Environments in which each side finds this phone only."""
    return {
        "squint": {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{adb.port}"},
        # Its other mode needs a program on the phone that this one cannot run.
        # In this mode it uses mobilecli only to check that it is there, so a
        # smaller program can stand in for it.
        "mobile": {"ANDROID_ADB_SERVER_PORT": str(adb.port),
                   "MOBILECLI_PATH": stand_in(adb.home.name),
                   "MOBILEMCP_LEGACY_ROBOT": "1", "TMPDIR": adb.home.name},
    }


def ask(client, name, work, serial):
    """Run one operation on one side."""
    tool, arguments = (WORK[work].squint if name == "squint"
                       else WORK[work].peer)
    where = {} if name == "squint" else {"device": serial}
    client.call(tool, **where, **arguments)


def measure_scaling(client, serial, sharp, home, rounds):
    """Times to make squint's picture from the peer's: [ms]."""
    answer = json.loads(client.call("mobile_take_screenshot", device=serial))
    picture = next(block["data"] for block in answer["result"]["content"]
                   if block["type"] == "image")
    path = pathlib.Path(home, "peer.png")
    path.write_bytes(base64.b64decode(picture))
    times = []
    for _ in range(WARM_UPS + rounds):
        began = time.perf_counter()
        sharp.ask("picture", input=path, **SAME_PICTURE)
        times.append((time.perf_counter() - began) * 1e3)
    return times[WARM_UPS:]


def measure_work(clients, serial, log, work, rounds, show_photo):
    """Both sides in turn: {name: {wall: [ms], overhead: [ms], programs: [],
    forms: []}}."""
    sides = {name: client for name, client in clients.items()
             if name == "squint" or WORK[work].peer}
    times = {name: {"wall": [], "overhead": [], "programs": [], "forms": []}
             for name in sides}
    for turn in range(WARM_UPS + rounds):
        for name, client in sides.items():
            if WORK[work].of_photo:
                show_photo(f"{turn}{len(name)}")
            log.take()
            ask(client, name, work, serial)
            wall = client.took_ms
            lines = log.take()
            overhead = wall - phone_ms(lines, WORK[work])
            if turn < WARM_UPS:
                continue
            times[name]["wall"].append(wall)
            times[name]["programs"].append(sum(int(line[3])
                                               for line in lines))
            times[name]["forms"].append(format_of(lines))
            # The log counts a command that was aborted as complete.
            if overhead > 0:
                times[name]["overhead"].append(overhead)
    return times


def count_processes(argv, home, env, name, serial):
    """Programs and processes started per operation; None without strace."""
    strace = shutil.which("strace")
    if not strace:
        return None
    path = pathlib.Path(home, f"strace-{name}")
    traced = [strace, "-f", "-qq", "-e", "trace=" + PROCESSES,
              "-e", "signal=none", "-o", str(path), *argv]

    def begun():
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        return sum("resumed" not in line and "CLONE_THREAD" not in line
                   and " = -1 " not in line and "execve(" not in line
                   for line in lines)

    counts = {}
    with Client(traced, home, env) as client:
        client.start()
        both = [work for work in USUAL_WORK if WORK[work].peer]
        for work in both:
            ask(client, name, work, serial)
        for work in both:
            before = begun()
            for _ in range(TRACED):
                ask(client, name, work, serial)
            counts[work] = (begun() - before) / TRACED
    return counts


class Servers:
    """Both servers, started for one phone."""

    def __init__(self, stopwatch, commands, home, env):
        self.clients = {name: TimedClient(stopwatch, argv, home, env[name])
                        for name, argv in commands.items()}

    def __enter__(self):
        for client in self.clients.values():
            client.start()
        return self.clients

    def __exit__(self, *_):
        for client in self.clients.values():
            client.__exit__()


class Rig:
    """An adb server, and the measurements with it."""

    def __init__(self, bench, adb):
        options = bench.options
        peers = peer_commands(options.node) if options.node else {}
        self.bench, self.adb = bench, adb
        self.squint = os.path.abspath(options.squint)
        self.stopwatch = os.path.join(
            os.path.dirname(os.path.abspath(options.jobs)), "bench-stopwatch")
        self.commands = {"squint": [self.squint, "mcp"],
                         **{name: argv for name, argv in peers.items()
                            if name == "mobile"}}
        self.env = environments(adb)

    def measure_phone(self, link, measure_on):
        """The result of measure_on(phone, log) for a phone with such a link."""
        log = Log(os.path.join(self.bench.folder, f"phone-{link}.log"))
        rate = ["--link", str(LINKS[link])] if LINKS[link] else []
        with Phone(self.squint, "--delay", DELAYS, *rate, "--run-programs",
                   "--log", str(log.path)) as phone:
            self.adb.connect(phone)
            try:
                return measure_on(phone, log)
            finally:
                # A single phone need not be named.
                self.adb.run("disconnect", phone.address)

    def measure_calls(self, works, phone, log):
        """Measure both servers: {work: times}."""
        def show_photo(which):
            self.adb.run("-s", phone.address, "shell",
                         f"squint-fault photo={which}")

        with Servers(self.stopwatch, self.commands, self.bench.folder,
                     self.env) as clients:
            try:
                return {work: measure_work(clients, phone.address, log, work,
                                           self.bench.options.rounds,
                                           show_photo)
                        for work in works}
            finally:
                show_photo("off")

    def measure_eye(self, works, phone, log):
        """Measure squint with its program on the phone, and photographs also
        without it: {work: times} of both."""
        self.env["squint"]["SQUINT_ANDROID_EYE"] = "on"
        try:
            with_eye = self.measure_calls(works, phone, log)
        finally:
            del self.env["squint"]["SQUINT_ANDROID_EYE"]
        return with_eye, self.measure_calls(["photo"], phone, log)

    def measure_usual(self, phone, log):
        """Measure everything on one phone."""
        home, rounds = self.bench.folder, self.bench.options.rounds
        work = self.measure_calls(USUAL_WORK, phone, log)
        scaling = None
        if "mobile" in self.commands and self.bench.peer:
            with Client(self.commands["mobile"], home,
                        self.env["mobile"]) as client:
                client.start()
                scaling = measure_scaling(client, phone.address,
                                          self.bench.peer, home, rounds)
        return {
            "work": work, "scaling": scaling,
            "processes": {
                name: count_processes(argv, home, self.env[name], name,
                                      phone.address)
                for name, argv in self.commands.items()},
            "shell": self.measure_shell(phone),
        }

    def measure_shell(self, phone):
        """Measure a small command on a phone that charges nothing for it."""
        self.adb.run("-s", phone.address, "shell",
                     "squint-delay shell=0,program=0")
        return self.bench.squint.ask(
            "shell", server=self.env["squint"]["SQUINT_ANDROID_ADB_SERVER"],
            serial=phone.address, command="echo", count=COMMANDS)

    def measure_other(self, phone, log):
        """Measure what depends on the link, on another phone."""
        return self.measure_calls(ON_LINKS, phone, log)


def measure(bench):
    """All figures, or the reason why there are none."""
    if not find_adb():
        return {"skipped": "adb is not installed"}
    with Adb() as adb:
        rig = Rig(bench, adb)
        return {
            "delays": DELAYS, "links": LINKS, "rounds": bench.options.rounds,
            "peer": package(PEER)["version"] if "mobile" in rig.commands
            else None,
            **rig.measure_phone(USUAL, rig.measure_usual),
            "others": {link: rig.measure_phone(link, rig.measure_other)
                       for link in LINKS if link != USUAL},
        }


def measure_eye(bench):
    """Rows with squint's own program on the phone."""
    if not find_adb():
        return []
    with Adb() as adb:
        rig = Rig(bench, adb)
        found = []
        for link, works in WITH_EYE.items():
            with_eye, without = rig.measure_phone(
                link, functools.partial(rig.measure_eye, works))
            found += [eye_row(work, link, times)
                      for work, times in with_eye.items()]
            found += [work_row(work, link, times)
                      for work, times in without.items()]
        return found


def show(times):
    """From request to answer, and the host's part: median, minimum."""
    wall, over = times["wall"], times["overhead"]
    part = (f" (host {statistics.median(over):.1f}, {min(over):.1f})"
            if over else "")
    return f"{statistics.median(wall):.0f}, {min(wall):.0f} ms{part}"


def show_with_form(times):
    """The same with the format of most captures."""
    form = statistics.mode(times["forms"])
    return show(times) + (f" by {form}" if form else "")


def compare(times, key="wall"):
    """The ratio of the peer's time to squint's: median, minimum."""
    return [pick(times["mobile"][key]) / pick(times["squint"][key])
            for pick in (statistics.median, min)]


def beside(times):
    """The peer's times and their ratio to squint's."""
    if "mobile" not in times:
        return "-"
    ratios = compare(times)
    text = f"{show(times['mobile'])}: {ratios[0]:.1f}x, {ratios[1]:.1f}x"
    if times["mobile"]["overhead"] and times["squint"]["overhead"]:
        text += f"; host {compare(times, 'overhead')[0]:.0f}x"
    return text


def work_row(work, link, times, most_ms=None):
    """The row of one operation on one link."""
    most = (most_ms or MOST_MS).get(work, {}).get(link)
    least = LEAST_RATIO.get(work) if link in MOST_MS["screenshot"] else None
    wall = statistics.median(times["squint"]["wall"])
    targets = ([f"at most {most} ms"] if most else []) + (
        [f"at least {least}x faster"] if least else [])
    has_peer = "mobile" in times
    line = row(f"adb-{work}-{link}", f"{work}, {rate_of(link)}: median, min",
               show_with_form(times["squint"]), peers=beside(times),
               target=", ".join(targets) or "-",
               held=(not most or wall <= most)
               and (not (least and has_peer)
                    or compare(times)[0] >= least))
    is_judged = most or (least and has_peer)
    return line if is_judged else {**line, "verdict": "-"}


def eye_row(work, link, times):
    """The row of one operation with squint's program on the phone."""
    # The phone's log has one line for all that its program did.
    own = {**times, "squint": {**times["squint"], "overhead": []}}
    line = work_row(work, link, own, MOST_MS_EYE)
    return {**line, "id": f"adb-eye-{work}-{link}",
            "what": f"{work} with the eye, {rate_of(link)}: median, min"}


def rate_of(link):
    """The rate of a link in words."""
    rate = LINKS[link]
    return f"{rate / 1e6:.0f} MB/s" if rate else "no limit"


def scaled(times, scaling):
    """The peer's times plus the time to scale its picture to squint's."""
    mobile = times["mobile"]
    return {"squint": times["squint"],
            "mobile": {**mobile, **{
                key: [a + b for a, b in zip(mobile[key], scaling)]
                for key in ("wall", "overhead")}}}


def picture_row(figures):
    """The row with equal pictures: mobile-mcp returns the full size."""
    times = scaled(figures["work"]["screenshot"], figures["scaling"])
    return {**row("adb-picture", "screenshot: the same picture in the end",
                  show(times["squint"]),
                  peers="with sharp " + beside(times)),
            "verdict": "-"}


def programs_row(work):
    """The row of the programs that were started on the phone."""
    def told(name):
        return ", ".join(
            f"{statistics.median(work[key][name]['programs']):g}"
            if name in work[key] else "-" for key in work)
    return {**row("adb-programs",
                  "programs started on the phone per " + ", ".join(work),
                  told("squint"), peers=told("mobile")),
            "verdict": "-"}


def processes_row(processes):
    """The row of the processes counted by strace."""
    what = "processes begun per " + ", ".join(
        work for work in USUAL_WORK if WORK[work].peer)
    if not processes["squint"]:
        return {**row("adb-processes", what, "strace is not installed"),
                "verdict": "-"}
    told = {name: ", ".join(f"{count:g}" for count in counts.values())
            for name, counts in processes.items()}
    return row("adb-processes", what, told["squint"],
               peers=told.get("mobile", "-"), target="none",
               held=not any(processes["squint"].values()))


def rows(figures):
    """The figures compared with their targets."""
    shell = figures["shell"]
    return [
        *(work_row(work, USUAL, times)
          for work, times in figures["work"].items()),
        *(work_row(work, link, times)
          for link, works in figures["others"].items()
          for work, times in works.items()),
        *([picture_row(figures)] if figures["scaling"] else []),
        programs_row(figures["work"]),
        row("adb-shell", "a small command over the socket, median (min)",
            f"{shell['medianMs']:.2f} ({shell['minMs']:.2f}) ms",
            target=f"at most {SHELL_MS} ms",
            held=shell["medianMs"] <= SHELL_MS),
        processes_row(figures["processes"]),
    ]
