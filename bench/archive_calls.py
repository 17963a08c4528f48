"""The archive's rows as a client sees them: calls of a running server.

Where BENCH_PREVIOUS names the squint program of an earlier release, each row
shows its figure too, measured in turn with ours.
"""

import json
import os
import shutil
import tempfile
import time

from mcp_client import Client, ClientError

PREVIOUS = os.environ.get("BENCH_PREVIOUS", "")
PICTURES = int(os.environ.get("BENCH_ARCHIVE_PICTURES", "10000"))
DAY = "2026-01-15"
DAY_SHOTS = 1000
# The processor time of one call: a long run minus a short one.
FEW_CALLS, MANY_CALLS = 100, 1100
FIRST_CALLS = 5
# The folders that bench-archive makes.
TREE_FIRST, TREE_DAY, TREE_LAST = "2020-01-01", "2020-01-11", "2021-12-31"
WAIT_S = 1800
POLL_S = 1
# The time of files and folders; recently changed ones are read again in each
# call.
WRITTEN = 1768500000


class Archive:
    """A squint server with one archive and its own home folder."""

    def __init__(self, program, root, home):
        self.argv = [os.path.abspath(program), "mcp", "--archive", root, "--activity", "none"]
        self.home = home

    def start(self):
        """A client that is ready for calls."""
        os.makedirs(self.home, exist_ok=True)
        client = Client(self.argv, self.home)
        client.start()
        return client

    def cpu_of(self, calls, **arguments):
        """Seconds of processor time of a server that answers these calls."""
        client = self.start()
        for _ in range(calls):
            client.ui("list_screenshots", **arguments)
        client.process.stdin.close()
        _, _, usage = os.wait4(client.process.pid, 0)
        client.process.returncode = 0
        client.process.stdout.close()
        return usage.ru_utime + usage.ru_stime

    def first_ms(self, **arguments):
        """Milliseconds of the first call, and of the same call again."""
        with self.start() as client:
            return tuple(self.call_ms(client, arguments) for _ in range(2))

    @staticmethod
    def call_ms(client, arguments):
        """Milliseconds of one call."""
        began = time.perf_counter()
        client.ui("list_screenshots", **arguments)
        return (time.perf_counter() - began) * 1e3


def copy_day(root, day, shots, picture, thumbnail=None):
    """Fill one day with copies of a picture, with ManicTime's names."""
    folder = os.path.join(root, day)
    os.makedirs(folder)
    for number in range(shots):
        second = number * 80
        stem = os.path.join(
            folder, f"{day}_{second // 3600:02}-{second // 60 % 60:02}-"
            f"{second % 60:02}_00-00_3840_2160_{number}_0")
        copies = {stem + ".jpg": picture, stem + ".thumbnail.jpg": thumbnail}
        for path, source in copies.items():
            if source:
                shutil.copyfile(source, path)
                os.utime(path, (WRITTEN, WRITTEN))
    for changed in (folder, root):
        os.utime(changed, (WRITTEN, WRITTEN))


def releases(options):
    """The programs to measure: ours, and the previous one if it is given."""
    return [options.squint] + ([PREVIOUS] if PREVIOUS else [])


def show(figures, unit):
    """Figures of both releases as text: ours, and the previous one."""
    texts = [one if isinstance(one, str) else f"{one:.3g} {unit}"
             for one in figures]
    return texts[0], f"before: {texts[1]}" if len(texts) > 1 else "-"


def new_home(folder):
    """A home folder without a cache."""
    return tempfile.mkdtemp(prefix="home-", dir=folder)


def warm_cpu_ms(program, root, folder):
    """Processor time of listing a day that was listed before."""
    archive = Archive(program, root, new_home(folder))
    day = {"startDate": DAY, "endDate": DAY}
    few, many = (min(archive.cpu_of(calls, **day) for _ in range(3))
                 for calls in (FEW_CALLS, MANY_CALLS))
    return (many - few) / (MANY_CALLS - FEW_CALLS) * 1e3


def measure_warm(options, small, folder, row):
    """A warm day, with and without thumbnails."""
    rows = []
    for name, what, thumbnail in (
            ("archive-list", "list_screenshots of a day, again (CPU)", small),
            ("archive-list-plain", "... without thumbnails", None)):
        root = os.path.join(folder, name)
        copy_day(root, DAY, DAY_SHOTS, small, thumbnail)
        times = [warm_cpu_ms(program, root, folder)
                 for program in releases(options)]
        figure, beside = show(times, "ms")
        rows.append(row(name, what, figure, "at most 0.1 ms",
                        times[0] <= 0.1, beside))
    return rows


def measure_first(options, tree, folder, row):
    """The first list of a day, and of all days."""
    rows = []
    for name, what, last in (
            ("archive-list-first", "the first call, about a day", TREE_DAY),
            ("archive-list-all", "... about all days", TREE_LAST)):
        window = {"startDate": TREE_FIRST if last == TREE_LAST else last,
                  "endDate": last}
        pairs = [[Archive(program, tree, new_home(folder)).first_ms(**window)
                  for _ in range(FIRST_CALLS)]
                 for program in releases(options)]
        for index, suffix in enumerate(("", "-again")):
            times = [min(pair[index] for pair in one) for one in pairs]
            figure, beside = show(times, "ms")
            rows.append(row(name + suffix, what + (", again" if index else ""),
                            figure, "none", True, beside))
    return rows


def compare_until_done(program, root, home, count):
    """Seconds until all pictures are compared, or what happened instead.

    A call answers within its limit and says which share was compared; the
    rest is compared while the client waits.
    """
    began = time.perf_counter()
    with Archive(program, root, home).start() as client:
        while time.perf_counter() - began < WAIT_S:
            try:
                line = client.ask("tools/call", {
                    "name": "ui", "arguments": {
                        "operation": "list_screenshots", "startDate": DAY,
                        "endDate": "2026-01-31",
                        "samplingStrategy": "coverage"}})
            except ClientError as error:
                return str(error)
            took = time.perf_counter() - began
            result = json.loads(line)["result"]
            answer = json.loads(result["content"][0]["text"])
            if result.get("isError"):
                return f"{answer['error']} after {took:.0f} s"
            if "compared" not in answer or answer["compared"] >= 1:
                return took
            time.sleep(POLL_S)
    return f"not done after {WAIT_S} s of {count} pictures"


def measure_fingerprints(options, picture, folder, row):
    """Comparing all pictures of an archive, the first time and again."""
    root = os.path.join(folder, "pictures")
    for number in range(0, PICTURES, DAY_SHOTS):
        copy_day(root, f"2026-01-{15 + number // DAY_SHOTS:02}",
                 min(DAY_SHOTS, PICTURES - number), picture)
    times = []
    for program in releases(options):
        home = new_home(folder)
        times.append([compare_until_done(program, root, home, PICTURES)
                      for _ in range(2)])
    shutil.rmtree(root)
    rows = []
    for index, what in enumerate(("compared for the first time",
                                  "... by the next server")):
        figure, beside = show([one[index] for one in times], "s")
        rows.append(row("archive-compare" + ("-again" if index else ""),
                        f"{PICTURES:,} pictures of 3840x2160 {what}", figure,
                        "none", not isinstance(times[0][index], str), beside))
    return rows


def measure(options, pictures, tree, folder, row):
    """All rows. pictures: a small JPEG and one of 3840x2160."""
    small, large = pictures
    return [*measure_warm(options, small, folder, row),
            *measure_first(options, tree, folder, row),
            *measure_fingerprints(options, large, folder, row)]
