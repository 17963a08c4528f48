"""
Compares how long two squint programs need to read the text of a generated day.

bench/search_day.py BENCH-SEARCH PREVIOUS SQUINT [--pictures 600] [--seed 1]
[--rates 35,27,8] [--rounds 3] draws the day, has both programs index it in turn,
each time from nothing, and prints the CPU time and the real time of each run
and the ratio of the best ones. The rates are those of changes from one picture
to the next, in percent: one line of a chat, two lines of a text, all of it; the
clock changes on every second picture.
"""
import argparse
import json
import os
import resource
import shutil
import subprocess
import tempfile
import time


def index(squint, archive, folder):
    """Indexes the archive from nothing: CPU seconds, seconds, counts."""
    shutil.rmtree(os.path.join(folder, "cache"), ignore_errors=True)
    environment = dict(os.environ, HOME=os.path.join(folder, "home"),
                       XDG_CACHE_HOME=os.path.join(folder, "cache"),
                       XDG_STATE_HOME=os.path.join(folder, "state"))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(
        [squint, "archive", "index", "--archive", archive, "--json"],
        stdout=subprocess.PIPE, env=environment, check=True)
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, seconds, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("previous")
    parser.add_argument("squint")
    parser.add_argument("--pictures", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rates", default="35,27,8")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "day")
        subprocess.run([options.program, "day", archive, str(options.pictures),
                        str(options.seed), *options.rates.split(",")],
                       check=True, stdout=subprocess.DEVNULL)
        for turn in range(options.rounds):
            for name in ("previous", "squint"):
                cpu, seconds, counts = index(getattr(options, name), archive,
                                             folder)
                print(f"{turn + 1} {name:8} {cpu:6.1f} s of CPU, "
                      f"{seconds:6.1f} s; read {counts['read']}, equal "
                      f"{counts['alike']}, lines read {counts['linesRead']}, "
                      f"known {counts['linesKnown']}", flush=True)
                old = best.get(name, (cpu, seconds))
                best[name] = (min(old[0], cpu), min(old[1], seconds))
    ratios = [new / old for new, old in zip(best["squint"], best["previous"])]
    print(f"ratio of the best: {ratios[0]:.2f} of CPU, {ratios[1]:.2f} of time")


if __name__ == "__main__":
    main()
