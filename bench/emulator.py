"""An emulator: the demo phone on adb with a gRPC server beside it."""

import os
import statistics
import sys

from android import DELAYS, POINT, ui
from inputs import HERE
from mcp import row
from mcp_client import TimedClient

sys.path[:0] = [os.path.join(HERE, os.pardir, "tests", folder)
                for folder in ("support", "adb", "emulator")]

# pylint: disable=wrong-import-position
from demo_phone import Adb, find_adb
from emulator_phone import SERVERS, Emulator

MOST_MS = 20
WARM_UPS = 3
SIZE = ("--demo-width", "1080", "--demo-height", "2400")
# How squint uses the emulator, and what is measured with it.
WORK = {
    "picture": ("exact", ui("screenshot"),
                "screenshot: a whole frame to 450x1000 JPEG"),
    "fast": ("fast", ui("screenshot"),
             "the same, scaled by the emulator"),
    "tap": ("exact", ui("tap", receipt="none", **POINT),
            "tap without receipt"),
    "tap-fast": ("exact", ui("tap", receipt="fast", **POINT),
                 "tap with receipt fast"),
    "adb": ("off", ui("screenshot"), "screenshot by adb alone"),
}


def measure_calls(device, squint, stopwatch, mode, call, rounds):
    """Times from the request to the end of the answer: [ms]."""
    tool, arguments = call
    env = {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{device.adb.port}",
           "SQUINT_ANDROID_EMULATOR": mode,
           "XDG_RUNTIME_DIR": str(device.path / "runtime")}
    times = []
    with TimedClient(stopwatch, [squint, "mcp"], str(device.path),
                     env) as client:
        client.start()
        for _ in range(WARM_UPS + rounds):
            # A point is one of a picture, which the client has seen before.
            client.call("ui", operation="screenshot")
            client.call(tool, **arguments)
            times.append(client.took_ms)
    return times[WARM_UPS:]


def measure(bench):
    """{server: {work: [ms]}}; empty if no server is installed."""
    squint = os.path.abspath(bench.options.squint)
    stopwatch = os.path.join(
        os.path.dirname(os.path.abspath(bench.options.jobs)),
        "bench-stopwatch")
    servers = {name: find() for name, find in SERVERS.items()}
    figures = {}
    if not find_adb():
        return figures
    with Adb() as adb:
        for name, argv in servers.items():
            if not argv:
                continue
            with Emulator(adb, squint, argv,
                          flags=[*SIZE, "--delay", DELAYS]) as device:
                figures[name] = {
                    work: measure_calls(device, squint, stopwatch, mode, call,
                                        bench.options.rounds)
                    for work, (mode, call, _) in WORK.items()}
    return figures


def rows(figures):
    """The figures compared with their target."""
    if not figures:
        return [{**row("emulator", "an emulator",
                       "no gRPC server is installed: scripts/emulator"),
                 "verdict": "-"}]
    lines = []
    for server, works in figures.items():
        for work, times in works.items():
            median = statistics.median(times)
            line = row(f"emulator-{work}", f"{WORK[work][2]}, {server}",
                       f"{median:.1f}, {min(times):.1f} ms",
                       target=f"at most {MOST_MS} ms" if work == "picture"
                       else "-", held=median <= MOST_MS)
            lines.append(line if work == "picture"
                         else {**line, "verdict": "-"})
    return lines
