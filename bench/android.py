"""A phone on the real adb: squint compared with mobile-mcp."""

import base64
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
# Typical delays of a real phone.
DELAYS = "screencap=40,screencap-p=240,uiautomator=1000,input=30"
# Bytes per second of the link; one phone for each, one after the other.
USUAL = "usb3"
LINKS = {USUAL: 200_000_000, "unbound": None, "usb2": 40_000_000}
# squint's default picture, for servers that return another one.
SAME_PICTURE = {"max": 1000, "format": "jpeg", "quality": 70, "base64": 1}
WARM_UPS = 2
COMMANDS = 300
TRACED = 5  # operations of each kind under strace
QUIET_S = 0.02  # without a new line the log is complete
POINT = {"x": 200, "y": 500}
# The calls of squint and of the peer, and the target ratio of their overhead.
WORK = {
    "screenshot": (("ui", {"operation": "screenshot"}),
                   ("mobile_take_screenshot", {}), 15),
    "elements": (("ui", {"operation": "dump"}),
                 ("mobile_list_elements_on_screen", {}), 10),
    "tap": (("ui", {"operation": "tap", "receipt": "none", **POINT}),
            ("mobile_click_on_screen_at_coordinates", POINT), 4),
}
SHELL_MS = 0.5
PROCESSES = "execve,clone,clone3,fork,vfork"


class Log:
    """The phone's log of its own time."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.touch()
        self.done = 0

    def phone_ms(self):
        """The phone's time for all commands since the last call."""
        size = -1
        while self.path.stat().st_size != size:
            size = self.path.stat().st_size
            time.sleep(QUIET_S)
        with open(self.path, "rb") as file:
            file.seek(self.done)
            lines = file.read(size - self.done).splitlines()
        self.done = size
        return sum(float(line.split(b"\t")[0]) for line in lines)


def environments(adb):
    """Environments in which each side finds this phone only."""
    return {
        "squint": {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{adb.port}"},
        # Its other mode needs a program on the phone that this one cannot run.
        "mobile": {"ANDROID_ADB_SERVER_PORT": str(adb.port),
                   "MOBILEMCP_LEGACY_ROBOT": "1", "TMPDIR": adb.home.name},
    }


def ask(client, name, work, serial):
    """Run one operation on one side."""
    tool, arguments = WORK[work][0 if name == "squint" else 1]
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


def measure_work(clients, serial, log, work, rounds):
    """Both sides in turn: {name: {wall: [ms], overhead: [ms]}}."""
    times = {name: {"wall": [], "overhead": []} for name in clients}
    for turn in range(WARM_UPS + rounds):
        for name, client in clients.items():
            log.phone_ms()
            ask(client, name, work, serial)
            wall = client.took_ms
            overhead = wall - log.phone_ms()
            if turn >= WARM_UPS:
                times[name]["wall"].append(wall)
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
        for work in WORK:
            ask(client, name, work, serial)
        for work in WORK:
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
        with Phone(self.squint, "--delay", DELAYS, *rate, "--log",
                   str(log.path)) as phone:
            self.adb.connect(phone)
            try:
                return measure_on(phone, log)
            finally:
                # A single phone need not be named.
                self.adb.run("disconnect", phone.address)

    def measure_calls(self, works, phone, log):
        """Measure both servers: {work: times}."""
        with Servers(self.stopwatch, self.commands, self.bench.folder,
                     self.env) as clients:
            return {work: measure_work(clients, phone.address, log, work,
                                       self.bench.options.rounds)
                    for work in works}

    def measure_usual(self, phone, log):
        """Measure everything on one phone."""
        home, rounds = self.bench.folder, self.bench.options.rounds
        work = self.measure_calls(WORK, phone, log)
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
            "shell": self.bench.squint.ask(
                "shell", server=self.env["squint"]["SQUINT_ANDROID_ADB_SERVER"],
                serial=phone.address, command="echo", count=COMMANDS),
        }

    def measure_screenshot(self, phone, log):
        """Measure a screenshot on another phone."""
        return self.measure_calls(["screenshot"], phone, log)["screenshot"]


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
            "others": {link: rig.measure_phone(link, rig.measure_screenshot)
                       for link in LINKS if link != USUAL},
        }


def show(times):
    """Overhead, and the total in brackets: median, minimum."""
    over, wall = times["overhead"], times["wall"]
    return (f"{statistics.median(over):.1f}, {min(over):.1f} ms "
            f"(wall {statistics.median(wall):.0f}, {min(wall):.0f})")


def compare(times):
    """The ratio of the peer's overhead to squint's: median, minimum."""
    return [pick(times["mobile"]["overhead"])
            / pick(times["squint"]["overhead"])
            for pick in (statistics.median, min)]


def beside(times):
    """The peer's times and their ratio to squint's."""
    if "mobile" not in times:
        return "-"
    ratios = compare(times)
    return f"{show(times['mobile'])}: {ratios[0]:.1f}x, {ratios[1]:.1f}x"


def work_row(work, times):
    """The row of one operation."""
    what = f"{work}: overhead of the host, median, min"
    least = WORK[work][2]
    judged = "mobile" in times
    line = row("adb-" + work, what, show(times["squint"]),
               peers=beside(times), target=f"at least {least}x less",
               held=judged and compare(times)[0] >= least)
    return line if judged else {**line, "verdict": "-"}


def link_row(link, times):
    """The row of a screenshot on a phone with another link."""
    rate = f"{LINKS[link]:,} bytes/s" if LINKS[link] else "without limit"
    return {**row("adb-screenshot-" + link, f"screenshot: link {rate}",
                  show(times["squint"]), peers=beside(times)),
            "verdict": "-"}


def scaled(times, scaling):
    """The peer's times plus the time to scale its picture to squint's."""
    return {"squint": times["squint"],
            "mobile": {key: [a + b for a, b in zip(figures, scaling)]
                       for key, figures in times["mobile"].items()}}


def picture_row(figures):
    """The row with equal pictures: mobile-mcp returns the full size."""
    times = scaled(figures["work"]["screenshot"], figures["scaling"])
    return {**row("adb-picture", "screenshot: the same picture in the end",
                  show(times["squint"]),
                  peers="with sharp " + beside(times)),
            "verdict": "-"}


def processes_row(processes):
    """The row of the processes counted by strace."""
    what = "processes begun per " + ", ".join(WORK)
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
        *(work_row(work, times) for work, times in figures["work"].items()),
        *([picture_row(figures)] if figures["scaling"] else []),
        *(link_row(link, times) for link, times in figures["others"].items()),
        row("adb-shell", "a small command over the socket, median (min)",
            f"{shell['medianMs']:.2f} ({shell['minMs']:.2f}) ms",
            target=f"at most {SHELL_MS} ms",
            held=shell["medianMs"] <= SHELL_MS),
        processes_row(figures["processes"]),
    ]
