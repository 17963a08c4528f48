"""Calls and tokens of ten tasks of a model."""

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
SHARE = 2 / 3


def measure(squint, node):
    """The cost of each task: {name: (calls, tokens or None)}."""
    figures = {}
    for task in tasks.play(os.path.abspath(squint)):
        texts = count_tokens(node, task.texts)
        figures[task.name] = (task.calls, sum(texts) + task.image_tokens
                              if texts else None)
    return figures


def rows(figures):
    """The figures compared with those of version 0.1.0."""
    made = []
    for name, (calls, tokens) in figures.items():
        before = BEFORE[name]
        made.append({**row(
            "task", name, f"{calls} calls, {tokens} tokens",
            peers=f"0.1.0: {before[0]} calls, {before[1]} tokens"),
            "verdict": "-"})
    if any(tokens is None for _, tokens in figures.values()):
        return made
    total = sum(tokens for _, tokens in figures.values())
    before = sum(tokens for _, tokens in BEFORE.values())
    made.append(row("tasks", "all ten, tokens of texts and pictures",
                    str(total), peers=f"0.1.0: {before}",
                    target=f"at most {before * SHARE:.0f}",
                    held=total <= before * SHARE))
    return made
