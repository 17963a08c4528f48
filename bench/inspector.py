"""An agent's screenshot of a slow phone while a person watches it in the inspector:
tests/inspector/watched.py as rows."""
import json
import os
import statistics
import subprocess
import sys

from android import DELAYS
from inputs import HERE

SCRIPT = os.path.join(HERE, os.pardir, "tests", "inspector", "watched.py")
TARGET = 1.1


def make_row(name, what, alone, watched):
    """One line of the table: medians, and the ratio of the means."""
    ratio = statistics.median(watched) / statistics.median(alone)
    mean = statistics.mean(watched) / statistics.mean(alone)
    return {"id": f"inspector-{name.lower()}",
            "what": f"screenshot over {name}, {what}, with the live view open",
            "figure": f"{1000 * statistics.median(watched):.0f} ms",
            "beside": f"{1000 * statistics.median(alone):.0f} ms: {ratio:.2f}x, "
                      f"mean {mean:.2f}x",
            "target": f"<= {TARGET:g}x",
            "verdict": "met" if ratio <= TARGET else "missed"}


def rows(squint):
    """The rows; none without a browser or adb."""
    done = subprocess.run([sys.executable, SCRIPT, squint, DELAYS], check=True,
                          stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    found = {}
    for block in json.loads(done.stdout):
        times = found.setdefault((block["agent"], block["pause"]),
                                 {False: [], True: []})
        times[block["watched"]] += block["seconds"]
    return [make_row(*key, times[False], times[True])
            for key, times in found.items()]
