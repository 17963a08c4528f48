"""Tokens and time of a step of squint demo, which plays an agent's loop."""

import json
import os
import statistics
import subprocess
import tempfile

from mcp import row

ROUNDS = 5
FULL_SIZE = "1080x2400"  # of the demo phone


def play(squint, folder):
    """The steps of one demo, as it logs them."""
    tour = os.path.join(folder, "tour")
    subprocess.run([squint, "demo", "-o", tour], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with open(os.path.join(tour, "steps.json"), encoding="utf-8") as file:
        return json.load(file)


def tokens_of(squint, size):
    """What a picture costs the model that the demo counts for."""
    done = subprocess.run([squint, "tokens", size, "--profile", "claude",
                           "--json"], check=True, capture_output=True,
                          text=True)
    return json.loads(done.stdout)[0]["tokens"]


def rows(squint):
    """Two rows: tokens and milliseconds of a step, on average of a demo."""
    squint = os.path.abspath(squint)
    with tempfile.TemporaryDirectory(prefix="squint-bench-") as folder:
        demos = [play(squint, folder) for _ in range(ROUNDS)]
    steps = demos[0]
    tokens = sum(s["pictureTokens"] + s["textTokens"] for s in steps)
    took = statistics.median(sum(s["microseconds"] for s in demo) / len(demo)
                             for demo in demos)
    full = tokens_of(squint, FULL_SIZE)
    return [
        {**row("loop-tokens", f"a step of squint demo ({len(steps)} steps)",
               f"{tokens / len(steps):.0f} tokens",
               peers=f"full-size screenshot: {full} tokens"), "verdict": "-"},
        {**row("loop-time", "the same, until the screen is stable",
               f"{took / 1000:.0f} ms", peers=""), "verdict": "-"},
    ]
