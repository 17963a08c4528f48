"""The archive's rows: names, days and trees, compared with find and node."""

import json
import os
import shutil
import statistics
import subprocess
import tempfile

import archive_calls
from workers import WorkerError, pinned, run_once

FILES = int(os.environ.get("BENCH_ARCHIVE_FILES", "1000000"))
ROUNDS = 5
STARTS = 20
TRANSITIONS = 1000
SHEET_SHOTS = 48
# The difference of two lists gives the system calls per additional day.
FEW_DAYS, MANY_DAYS = 1, 11
WALK = """
require('fs').promises.readdir(process.argv[1], {recursive: true})
    .then(names => { if (names.length < 1) process.exit(1); });
"""


def ask(program, *words):
    """The answer of one command of bench-archive."""
    done = subprocess.run(pinned([program, *words]), text=True,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise WorkerError(f"bench-archive {' '.join(words)} failed")
    return json.loads(done.stdout)


def verdict(ok):
    """The verdict in the words of the other rows."""
    return "ok" if ok else "MISSED"


def row(name, what, figure, target, ok, beside="-"):
    """One line of the second table."""
    return {"id": name, "what": what, "figure": figure, "beside": beside,
            "target": target, "verdict": verdict(ok)}


def measure_parse(program):
    """One ManicTime name."""
    ns = min(ask(program, "parse")["ns"] for _ in range(ROUNDS))
    return row("archive-parse", "one file name to 16 bytes", f"{ns:.0f} ns",
               "at most 60 ns", ns <= 60)


def measure_day(program, tree, jobs):
    """A day of 1,000 shots: in the server, the first time, and as a program."""
    days = [ask(program, "day", tree) for _ in range(ROUNDS)]
    warm = min(day["warmUs"] for day in days)
    first = min(day["firstUs"] for day in days) / 1e3
    start = statistics.median(
        run_once(jobs, [program, "list", tree, "1"])["cpuMs"]
        for _ in range(STARTS))
    shots = days[0]["shots"]
    return [
        row("archive-day", f"a day of {shots} shots, again", f"{warm:.0f} us",
            "at most 100 us", warm <= 100),
        row("archive-first", "... read for the first time",
            f"{first:.2f} ms", "at most 5 ms", first <= 5),
        row("archive-start", "... with starting a process (CPU)",
            f"{start:.2f} ms", "at most 5 ms", start <= 5),
    ]


def count_calls(program, tree, days, folder):
    """The number of system calls to list `days` days."""
    log = os.path.join(folder, "strace.log")
    subprocess.run(["strace", "-f", "-qq", "-o", log, program, "list", tree,
                    str(days)], check=True, stdout=subprocess.DEVNULL)
    with open(log, encoding="utf-8", errors="replace") as file:
        return sum(1 for _ in file)


def measure_calls(program, tree, folder):
    """System calls per opened day."""
    if not shutil.which("strace"):
        return row("archive-calls", "system calls per day opened",
                   "no strace here", "at most 10", True)
    few, many = (count_calls(program, tree, days, folder)
                 for days in (FEW_DAYS, MANY_DAYS))
    calls = (many - few) / (MANY_DAYS - FEW_DAYS)
    return row("archive-calls", "system calls per day opened", f"{calls:.1f}",
               "at most 10", calls <= 10)


def measure_scan(program, tree, jobs, node):
    """All files read, parsed and sorted; the others only list them."""
    rivals = {"squint": [program, "scan", tree],
              "find": ["find", tree, "-type", "f"]}
    if node:
        rivals["node"] = [node, "-e", WALK, tree]
    samples = {name: [] for name in rivals}
    peaks = {}
    # The output of find is discarded.
    for _ in range(ROUNDS):
        for name, argv in rivals.items():
            if name == "find":
                argv = ["sh", "-c", 'exec "$@" >/dev/null', "sh", *argv]
            cost = run_once(jobs, argv)
            samples[name].append(cost["cpuMs"])
            peaks[name] = cost["peakBytes"]
    cpu = {name: min(times) for name, times in samples.items()}
    totals = ask(program, "scan", tree)
    each = totals["bytes"] / totals["shots"]
    allowed = 16 + 32 * totals["folders"] / totals["shots"]
    beside = ", ".join(f"{name} {cpu[name]:.0f} ms ({peaks[name] / 1e6:.0f} MB)"
                       for name in rivals if name != "squint")
    return [
        row("archive-scan", f"all of {FILES:,} files (CPU)",
            f"{cpu['squint']:.0f} ms ({peaks['squint'] / 1e6:.0f} MB)",
            "less than find", cpu["squint"] < cpu["find"], beside),
        row("archive-memory", "kept per shot of a day",
            f"{each:.2f} bytes", f"{allowed:.2f} and a head of 16 a day",
            each <= allowed + 16 * totals["folders"] / totals["shots"] + 0.1),
    ]


def measure_choose(program):
    """One shot per activity."""
    said = min((ask(program, "choose", str(TRANSITIONS))
                for _ in range(ROUNDS)), key=lambda one: one["us"])
    if said["picks"] != TRANSITIONS:
        raise WorkerError(f"{said['picks']} shots were chosen")
    return row("archive-choose", f"{TRANSITIONS:,} transitions sampled",
               f"{said['us'] / 1e3:.3f} ms", "at most 1 ms",
               said["us"] <= 1000)


def make_day(squint, picture, folder, thumbnails):
    """A day of real pictures; returns its folder."""
    day = os.path.join(folder, "2026-01-15")
    os.makedirs(day)
    small = os.path.join(folder, "small.jpg")
    subprocess.run([squint, "scale", picture, "-o", small, "--max-dimension",
                    "320", "--format", "jpeg"], check=True,
                   stdout=subprocess.DEVNULL)
    for number in range(SHEET_SHOTS):
        stem = os.path.join(day, f"2026-01-15_{8 + number // 6:02}-"
                            f"{number % 6}0-00_01-00_1920_1080_{number}_0")
        shutil.copyfile(picture, stem + ".jpg")
        if thumbnails:
            shutil.copyfile(small, stem + ".thumbnail.jpg")
    return folder


def measure_sheet(options, picture, home):
    """A contact sheet as a program, with and without thumbnails."""
    rows = []
    for name, thumbnails, what, target in (
            ("archive-sheet", True, "a sheet of 48 shots, as a process (CPU)",
             150),
            ("archive-sheet-full", False, "... of 1920x1080, no thumbnails",
             None)):
        past = make_day(options.squint, picture, os.path.join(home, name),
                        thumbnails)
        output = os.path.join(home, name + ".jpg")
        argv = ["env", "HOME=" + home, options.squint, "sheet", "--archive",
                past, "--start-date", "2026-01-15", "--end-date", "2026-01-15",
                "--max-count", str(SHEET_SHOTS), "--activity", "none",
                "-o", output]
        cpu = statistics.median(run_once(options.jobs, argv)["cpuMs"]
                                for _ in range(STARTS))
        size = os.path.getsize(output)
        rows.append(row(name, what, f"{cpu:.0f} ms ({size // 1000} kB)",
                        f"at most {target} ms" if target else "none",
                        not target or cpu <= target))
    return rows


def make_small(squint, picture, folder):
    """Make a small JPEG; returns its path."""
    small = os.path.join(folder, "tiny.jpg")
    subprocess.run([squint, "scale", picture, "-o", small, "--max-dimension",
                    "64", "--format", "jpeg"], check=True,
                   stdout=subprocess.DEVNULL)
    return small


def measure(options, picture, large):
    """All rows; makes the tree for them and removes it."""
    program = os.path.join(os.path.dirname(options.jobs), "bench-archive")
    with tempfile.TemporaryDirectory(prefix="squint-bench-") as folder:
        tree = os.path.join(folder, "tree")
        ask(program, "make", tree, str(FILES))
        return [measure_parse(program), measure_choose(program),
                *measure_sheet(options, picture, folder),
                *measure_day(program, tree, options.jobs),
                measure_calls(program, tree, folder),
                *measure_scan(program, tree, options.jobs, options.node),
                *archive_calls.measure(
                    options, (make_small(options.squint, picture, folder),
                              large), tree, folder, row)]
