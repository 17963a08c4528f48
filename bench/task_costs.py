"""Calls and tokens of twenty tasks of a model, in short and in full answers."""

import os
import sys

from inputs import HERE
from mcp import count_tokens, row

sys.path.insert(0, os.path.join(HERE, "..", "tests", "sessions"))
import tasks  # pylint: disable=wrong-import-position

# Calls and tokens of version 0.1.0, which also refused some of the calls.
BEFORE = {
    "log in": (5, 560), "two items into the cart": (4, 1130),
    "the screen at 10:00 yesterday": (3, 580),
    "yesterday at a glance": (1, 2310),
    "dark theme on and verified": (3, 590), "score in the game": (3, 1420),
    "vault balance": (3, 250), "rotate and come back": (5, 510),
    "the price in a past picture": (2, 2080),
    "a window before the archive": (1, 180),
}
MODES = ("short", "full")
MOST_TOKENS = 2000  # of the six live tasks that were measured first
MOST_CALLS = 15


def measure(squint, node):
    """The cost of each task: {mode: {name: (calls, tokens or None)}}. A call
    that is refused ends the measurement."""
    figures = {mode: {} for mode in MODES}
    for mode in MODES:
        for task in tasks.play(os.path.abspath(squint), mode):
            texts = count_tokens(node, task.texts)
            figures[mode][task.name] = (
                task.calls, sum(texts) + task.image_tokens if texts else None)
    return figures


def rows(figures):
    """The figures beside those of full answers and of version 0.1.0."""
    made = []
    for name, (calls, tokens) in figures["short"].items():
        full = "full: {} calls, {} tokens".format(*figures["full"][name])
        before = "; 0.1.0: {} calls, {} tokens".format(*BEFORE[name]) \
            if name in BEFORE else ""
        made.append({**row("task", name, f"{calls} calls, {tokens} tokens",
                           peers=full + before), "verdict": "-"})
    if any(tokens is None for _, tokens in figures["short"].values()):
        return made
    calls, tokens = (sum(figures["short"][name][i]
                         for name in tasks.FIRST_LIVE) for i in (0, 1))
    full = sum(figures["full"][name][1] for name in tasks.FIRST_LIVE)
    made.append(row("tasks", "the first six live tasks, tokens", str(tokens),
                    peers=f"full: {full}", target=f"at most {MOST_TOKENS}",
                    held=tokens <= MOST_TOKENS))
    made.append(row("tasks", "the first six live tasks, calls", str(calls),
                    target=f"at most {MOST_CALLS}", held=calls <= MOST_CALLS))
    return made
