#!/usr/bin/env python3
"""Compare squint with other programs. See README.md."""

import argparse
import functools
import json
import os
import statistics
import sys
import tempfile

import android
import browser
import emulator
import inspector
import archive
import colours
import legibility
import loop
import mcp
import report
import search
import serve
import task_costs
import vision
from inputs import HERE, SCREENS, Inputs
from mcp_client import ClientError
from workers import Worker, WorkerError, run_once

WARM_UPS = 2
# The tolerance of "equal bytes".
EQUAL_BYTES = 1.03
SHOT = {"max": 1000, "format": "jpeg", "quality": 70, "base64": 1}
THUMB = {"max": 480, "format": "jpeg", "quality": 80}
CROPS = [{"at": at, "share": 20, "format": "jpeg", "quality": 80}
         for at in (10, 40, 75)]
ENCODE = {"raw": 1, "format": "png"}
CATMULL, LANCZOS = {"kernel": "catmull-rom"}, {"kernel": "lanczos3"}


class Job:
    """One row: the same work on both sides, interleaved."""

    def __init__(self, name, what, source, variants, **rest):
        self.name = name
        self.what = what
        self.source = source
        self.variants = variants
        self.squint = rest.get("squint", {})  # arguments for one side only
        self.peer = rest.get("peer", {})
        self.target = rest.get("target")
        self.max_bytes = rest.get("max_bytes")
        self.may_differ = rest.get("may_differ", 0)  # pixels, by rounding


JOBS = [
    Job("png-ui", "UI PNG RGBA to 450x1000 JPEG q70, base64", "ui", [SHOT],
        squint=CATMULL, target=7.0),
    Job("png-ui-lanczos3", "... Lanczos3 on both sides", "ui", [SHOT],
        squint=LANCZOS, peer=LANCZOS),
    Job("png-ui-flatten", "... sharp told to drop alpha first", "ui", [SHOT],
        squint=CATMULL, peer={"flatten": 1}),
    Job("png-photo", "photo-heavy PNG RGBA, the same", "photo", [SHOT],
        squint=CATMULL, target=4.5),
    Job("png-rgb", "UI PNG RGB, the same", "ui-rgb", [SHOT], squint=CATMULL,
        target=3.5),
    *(Job(f"png-{kind}{suffix}", f"{words} {what}, the same", f"{page}-{kind}",
          [SHOT], squint=CATMULL, target=target)
      for kind, what, target in (("palette", "palette PNG", 3.0),
                                 ("interlaced", "interlaced PNG RGB", 2.5),
                                 ("16bit", "16-bit PNG RGB", 2.5))
      for page, suffix, words in (("ui", "", "UI"),
                                  ("photo", "-photo", "photo-heavy"))),
    Job("jpeg-1080", "JPEG 1080p to 1000 px, the same", "jpeg-1080", [SHOT],
        squint=CATMULL, target=2.5),
    Job("jpeg-4k", "JPEG 4K to 1000 px, the same", "jpeg-4k", [SHOT],
        squint=CATMULL, target=2.5),
    Job("raw", "raw RGBA, the same", "ui-raw", [{**SHOT, "raw": 1}],
        squint=CATMULL, peer={"flatten": 1}, target=8.0),
    Job("webp", "UI PNG to 512 px WebP q60", "ui",
        [{"max": 512, "format": "webp", "quality": 60}], squint=CATMULL,
        target=3.5, max_bytes=EQUAL_BYTES),
    Job("thumb-1080", "JPEG 1080p to 480 px JPEG q80", "jpeg-1080", [THUMB],
        target=2.3),
    Job("thumb-4k", "JPEG 4K to 480 px JPEG q80", "jpeg-4k", [THUMB],
        target=2.0),
    Job("crop-1080", "20 % x 20 % of a 1080p JPEG, q80", "jpeg-1080", CROPS,
        target=3.0),
    Job("crop-4k", "20 % x 20 % of a 4K JPEG, q80", "jpeg-4k", CROPS,
        target=3.0),
    Job("png-encode", "UI frame to PNG", "ui-raw", [ENCODE], target=4.0,
        max_bytes=1.5),
    Job("png-encode-photo", "photo-heavy frame to PNG", "photo-raw", [ENCODE],
        target=4.0, max_bytes=1.5),
    # Pages not used for tuning, drawn by Chromium: picture_pages.py.
    *(Job(f"page-{name}", f"Chromium's PNG of {what} to 1000 px JPEG q70, base64",
          f"page-{name}", [SHOT], squint=CATMULL, target=target)
      for name, what, target in (
          ("code", "source code", 4.0), ("prices", "prices", 4.0),
          ("chat", "a chat", 4.0), ("code-4k", "source code in 4K", 4.0),
          ("table", "a table", 4.0), ("map", "a map", 3.0),
          ("gradients", "gradients", 3.0), ("photo", "a photograph", 3.0))),
    Job("page-photo-rgba", "photograph, PNG RGBA, the same", "page-photo-rgba",
        [SHOT], squint=CATMULL, target=4.5),
    Job("page-photo-frame", "photograph, raw RGBA, the same", "page-photo-frame",
        [{**SHOT, "raw": 1}], squint=CATMULL, peer={"flatten": 1}, target=6.0),
    Job("page-webp-in", "WebP of source code, the same", "page-code-webp", [SHOT],
        squint=CATMULL, target=2.5, may_differ=1),
    Job("page-webp-in-photo", "WebP of a photograph, the same",
        "page-photo-webp", [SHOT], squint=CATMULL, target=2.5, may_differ=1),
    Job("page-jpeg-1080", "JPEG of source code, the same", "page-code-jpeg",
        [SHOT], squint=CATMULL, target=3.5),
    Job("page-jpeg-4k", "JPEG of source code in 4K, the same",
        "page-code-4k-jpeg", [SHOT], squint=CATMULL, target=3.5),
    Job("page-encode", "frame of source code to PNG", "page-code-frame",
        [ENCODE], target=4.0, max_bytes=1.5),
    *(Job(f"page-photo-{kind}", f"photograph, {what} PNG, the same",
          f"page-photo-{kind}", [SHOT], squint=CATMULL, target=3.5)
      for kind, what in (("palette", "palette"), ("interlaced", "interlaced"),
                         ("16bit", "16-bit"))),
    Job("page-large", "RGB PNG of 50 million pixels, the same", "page-large",
        [SHOT], squint=CATMULL, target=3.0),
]


class Bench:
    """The workers, the inputs and how often to measure."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.squint = Worker("squint", [options.jobs])
        self.peer = None
        if options.node:
            self.peer = Worker("sharp", [options.node,
                                         os.path.join(HERE, "peer.mjs")])
        self.inputs = Inputs(self.squint, folder)

    def program(self, name):
        """The path of another program of the bench."""
        return os.path.join(os.path.dirname(self.options.jobs), name)

    def close(self):
        """End both workers."""
        self.squint.close()
        if self.peer:
            self.peer.close()

    def interleave(self, sides):
        """
        Call every side in turn, round after round; each answers {cpuMs, ...}.
        Returns per side its samples after the warm-ups and its last answer.
        """
        samples = [[] for _ in sides]
        last = [None] * len(sides)
        for turn in range(WARM_UPS + self.options.rounds):
            for i, side in enumerate(sides):
                last[i] = side()
                if turn >= WARM_UPS:
                    samples[i].append(last[i]["cpuMs"])
        return samples, last


def spread(samples):
    """Median and minimum of some milliseconds."""
    return {"median": statistics.median(samples), "min": min(samples),
            "samples": samples}


def ratio(ours, theirs):
    """How many times less CPU time squint takes."""
    return {key: theirs[key] / ours[key] for key in ("median", "min")}


def verdict(*held):
    """The result of a row in one word."""
    return "met" if all(held) else "missed"


def likeness(bench, job, words):
    """PSNR between the results of both sides, in dB."""
    ours = os.path.join(bench.folder, "squint.out")
    theirs = os.path.join(bench.folder, "sharp.out")
    bench.squint.ask("picture", output=ours, **{**job.squint, **words})
    bench.peer.ask("picture", output=theirs, **{**job.peer, **words})
    return bench.peer.ask("compare", **{"with": ours, "input": theirs})["psnr"]


def measure_variant(bench, job, variant):
    """Measure both sides of one variant of a job."""
    words = {**variant, "input": bench.inputs.path(job.source)}
    sides = [lambda: bench.squint.ask("picture", **{**job.squint, **words})]
    if bench.peer:
        sides.append(lambda: bench.peer.ask("picture",
                                            **{**job.peer, **words}))
    samples, last = bench.interleave(sides)
    part = {"words": variant}
    for name, times, answer in zip(("squint", "sharp"), samples, last):
        part[name] = {**spread(times), "bytes": answer["bytes"],
                      "size": [answer["width"], answer["height"]]}
    if bench.peer:
        sizes = zip(part["squint"]["size"], part["sharp"]["size"])
        apart = max(abs(ours - theirs) for ours, theirs in sizes)
        if apart > job.may_differ:
            raise WorkerError(f"{job.name}: sizes differ: {part}")
        part["ratio"] = ratio(part["squint"], part["sharp"])
        if not apart:
            part["psnr"] = likeness(bench, job, words)
    return part


def middle(parts, *keys):
    """The median of one value over the variants."""
    figures = []
    for part in parts:
        for key in keys:
            part = part[key]
        figures.append(part)
    return statistics.median(figures)


def measure_job(bench, job):
    """Measure a row of the main table."""
    parts = [measure_variant(bench, job, v) for v in job.variants]
    row = {"id": job.name, "what": job.what, "target": job.target,
           "maxBytes": job.max_bytes, "verdict": "", "variants": parts}
    for name in ("squint", "sharp") if bench.peer else ("squint",):
        row[name] = {key: middle(parts, name, key)
                     for key in ("median", "min", "bytes")}
    if bench.peer:
        row["ratio"] = {key: middle(parts, "ratio", key)
                        for key in ("median", "min")}
        if all("psnr" in part for part in parts):
            row["psnr"] = min(part["psnr"] for part in parts)
        if job.target:
            row["verdict"] = verdict(
                row["ratio"]["median"] >= job.target,
                not job.max_bytes or row["squint"]["bytes"]
                <= row["sharp"]["bytes"] * job.max_bytes)
    return row


def measure_oneshot(bench):
    """Measure a conversion in a new process, including its start and end."""
    options = bench.options
    picture = bench.inputs.path("ui")
    ours = os.path.join(bench.folder, "oneshot-squint.jpg")
    theirs = os.path.join(bench.folder, "oneshot-sharp.jpg")
    commands = [[options.squint, "scale", picture, "-o", ours,
                 "--max-dimension", "1000", "--format", "jpeg",
                 "--quality", "70"]]
    if bench.peer:
        commands.append([options.node, os.path.join(HERE, "oneshot.mjs"),
                         picture, theirs])
    samples, _ = bench.interleave(
        [lambda argv=argv: run_once(options.jobs, argv) for argv in commands])
    row = {"id": "oneshot", "what": "the first job as a process of its own",
           "target": 20.0, "verdict": "", "maxBytes": None}
    for name, times, path in zip(("squint", "sharp"), samples, (ours, theirs)):
        row[name] = {**spread(times), "bytes": os.path.getsize(path)}
    if bench.peer:
        row["ratio"] = ratio(row["squint"], row["sharp"])
        row["psnr"] = bench.peer.ask("compare",
                                     **{"with": ours, "input": theirs})["psnr"]
        row["verdict"] = verdict(row["ratio"]["median"] >= row["target"])
    return row


def measure_diff(bench):
    """Measure finding changed tiles of two frames, compared with memcmp."""
    frame = bench.inputs.path("ui-raw")
    samples, _ = bench.interleave(
        [lambda op=op: bench.squint.ask(op, input=frame)
         for op in ("diff", "memcmp")])
    ours, floor = spread(samples[0]), spread(samples[1])
    times = ours["median"] / floor["median"]
    return {"id": "diff", "what": "tile difference of two 10 MB frames",
            "figure": f"{ours['median']:.2f} ms ({times:.2f}x)",
            "beside": f"memcmp {floor['median']:.2f} ms",
            "target": "at most 1.3x memcmp", "verdict": verdict(times <= 1.3),
            "squint": ours, "memcmp": floor}


def measure_rss(bench):
    """Measure the peak memory of a conversion."""
    options = bench.options
    peaks = {}
    for name in ("ui", "photo"):
        argv = [options.squint, "scale", bench.inputs.path(name), "-o",
                os.path.join(bench.folder, "rss.jpg"), "--max-dimension",
                "1000", "--format", "jpeg", "--quality", "70"]
        peaks[name] = max(run_once(options.jobs, argv)["peakBytes"]
                          for _ in range(3))
    beside = "-"
    if bench.peer:
        argv = [options.node, os.path.join(HERE, "oneshot.mjs"),
                bench.inputs.path("ui"), os.path.join(bench.folder, "rss.jpg")]
        theirs = run_once(options.jobs, argv)["peakBytes"]
        beside = f"sharp {theirs / 1e6:.1f} MB"
    worst = max(peaks.values())
    return {"id": "rss", "what": "peak memory of a one-shot conversion",
            "figure": f"UI {peaks['ui'] / 1e6:.1f} MB, "
                      f"photo {peaks['photo'] / 1e6:.1f} MB",
            "beside": beside, "target": "at most 8 MB",
            "verdict": verdict(worst <= 8e6), "peakBytes": peaks}


def measure_archive(bench):
    """The rows of the archive."""
    return archive.measure(bench.options, bench.inputs.path("jpeg-1080"),
                           bench.inputs.path("jpeg-4k"))


def measure_search(bench):
    """The rows of the search in texts."""
    return search.rows(search.measure(
        bench.options.squint, bench.program("bench-search"), bench.folder))


def measure_vision(bench):
    """The rows of reading text and finding images."""
    return vision.measure(bench.program("bench-vision"),
                          os.path.abspath(bench.options.squint), SCREENS, 1)


# Rows that are compared with a limit: a list of them by the name of the group.
LIMITS = {
    "diff": lambda bench: [measure_diff(bench)],
    "rss": lambda bench: [measure_rss(bench)],
    "colours": colours.measure,
    "archive": measure_archive,
    "search": measure_search,
    "loop": lambda bench: loop.rows(bench.options.squint),
    "serve": lambda bench: serve.measure(bench.options.squint,
                                         bench.options.node),
    "tasks": lambda bench: task_costs.rows(task_costs.measure(
        bench.options.squint, bench.options.node)),
    "browser": lambda bench: browser.rows(browser.measure(
        bench.options.squint, bench.options.node)),
    "adb-eye": android.measure_eye,
    "inspector": lambda bench: inspector.rows(bench.options.squint),
    "emulator": lambda bench: emulator.rows(emulator.measure(bench)),
    "vision": measure_vision,
}
# Groups with tables of their own.
TABLES = {
    "mcp": lambda bench: mcp.measure(bench.options.squint, bench.options.node,
                                     bench.folder),
    "adb": android.measure,
    "legibility": lambda bench: legibility.measure(
        bench.squint, bench.options.squint, bench.folder),
}
NAMES = [*(job.name for job in JOBS), "oneshot", *LIMITS, *TABLES]


def measure(bench, wanted):
    """Measure all wanted rows, with progress on stderr. What cannot be measured is
    in "failed", the other rows are measured nevertheless."""
    result = {"jobs": [], "limits": [], **dict.fromkeys(TABLES), "failed": [],
              "rounds": bench.options.rounds}
    if bench.peer:
        result["peer"] = bench.peer.ask("version")

    def add(name, function, keep):
        if name not in wanted:
            return
        print(f"{name} ...", file=sys.stderr)
        try:
            keep(function())
        except Exception as error:  # of any kind: the other rows are kept
            result["failed"].append(f"{name}: {type(error).__name__}: {error}")

    for job in JOBS:
        add(job.name, functools.partial(measure_job, bench, job),
            result["jobs"].append)
    add("oneshot", functools.partial(measure_oneshot, bench),
        result["jobs"].append)
    for name, function in LIMITS.items():
        add(name, functools.partial(function, bench), result["limits"].extend)
    for name, function in TABLES.items():
        add(name, functools.partial(function, bench),
            functools.partial(result.__setitem__, name))
    result["drawn"] = bench.inputs.drawn()
    return result


def parse_options():
    """The command line; scripts/bench fills in the paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", required=True, help="path of bench-jobs")
    parser.add_argument("--squint", required=True, help="path of squint")
    parser.add_argument("--node", help="path of node; without it no ratios")
    parser.add_argument("--rounds", type=int,
                        default=int(os.environ.get("BENCH_ROUNDS", "15")))
    parser.add_argument("--only", help="these rows: " + ",".join(NAMES))
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", metavar="FILE", help="all samples as JSON")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("at least one round")
    unknown = set((options.only or "").split(",")) - {"", *NAMES}
    if unknown:
        parser.error("no such row: " + ", ".join(sorted(unknown)))
    return options


def main():
    """Measure and print; fails only if measuring failed."""
    options = parse_options()
    wanted = options.only.split(",") if options.only else NAMES
    with tempfile.TemporaryDirectory(prefix="squint-bench-") as folder:
        bench = Bench(options, folder)
        try:
            result = measure(bench, wanted)
        finally:
            bench.close()
    print(report.render(result, options.markdown))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
    return 1 if result["failed"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (WorkerError, ClientError, OSError) as error:
        sys.exit(f"bench: {error}")
