"""Calls and tokens of twenty tasks of a model: squint with short and with full
answers, on the built-in phone and on adb, beside mobile-mcp on adb."""

import json
import os
import sys

import android
from inputs import HERE
from mcp import LISTS, count_tokens, peer_commands, row

sys.path.insert(0, os.path.join(HERE, "..", "tests", "sessions"))

# pylint: disable=wrong-import-position
import peer_tasks
import tasks
from demo_phone import find_adb
from squint_server import Server

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
MOST_TOKENS = 2000  # of the six live tasks that were measured first
MOST_CALLS = 15
MOST_LIST_TOKENS = 2000
SHORT, FULL, PEER = "short", "full", "mobile-mcp, adb"
ADB = {SHORT: "short, adb", FULL: "full, adb"}


class Cost:
    """What tasks cost."""

    def __init__(self, calls=0, refused=0, sent=0, got=0):
        self.calls, self.refused = calls, refused
        self.sent, self.got = sent, got  # tokens

    def __add__(self, other):
        return Cost(self.calls + other.calls, self.refused + other.refused,
                    self.sent + other.sent, self.got + other.got)

    def __str__(self):
        refused = f" ({self.refused} refused)" if self.refused else ""
        return f"{self.calls}{refused}, {self.sent}+{self.got}"


def costs_of(played, node):
    """The cost of each task: {name: Cost}; none without a tokenizer."""
    played = list(played)
    counts = count_tokens(node, [text for task in played
                                 for text in task.sent + task.texts])
    found = {}
    for task in played if counts else []:
        sent, got = len(task.sent), len(task.texts)
        found[task.name] = Cost(
            task.calls, task.refused, sum(counts[:sent]),
            sum(counts[sent:sent + got]) + task.image_tokens)
        counts = counts[sent + got:]
    return found


def list_tokens(squint, node):
    """Tokens of the list of tools and instructions, everything switched on."""
    with Server([squint, "mcp", *LISTS["everything"]]) as server:
        said = server.initialize()["result"]["instructions"]
        tools = server.request("tools/list")["result"]["tools"]
    counts = count_tokens(node, [said, json.dumps(
        tools, ensure_ascii=False, separators=(",", ":"))])
    return counts and sum(counts)


def measure(squint, node):
    """The costs on each side: {side: {name: Cost}}. A call that is refused
    ends the measurement."""
    squint = os.path.abspath(squint)
    figures = {mode: costs_of(tasks.play(squint, mode), node)
               for mode in (SHORT, FULL)}
    if find_adb():
        with tasks.phone_on_adb(squint, "--delay", android.DELAYS) as phone:
            for mode, side in ADB.items():
                figures[side] = costs_of(tasks.play(squint, mode, phone), node)
            peer = peer_commands(node).get("mobile") if node else None
            if peer:
                figures[PEER] = costs_of(
                    peer_tasks.play(squint, peer, phone), node)
    return {"sides": {k: v for k, v in figures.items() if v},
            "list": list_tokens(squint, node)}


def beside(sides, names):
    """The costs on the other sides of tasks that all were played there."""
    return "; ".join(f"{side} {sum((costs[n] for n in names), Cost())}"
                     for side, costs in sides.items()
                     if side != SHORT and all(n in costs for n in names))


def sum_row(sides, what, names, **verdict):
    """The row of several tasks."""
    return row("tasks", f"{what}: calls, tokens in+out",
               str(sum((sides[SHORT][n] for n in names), Cost())),
               peers=beside(sides, names), **verdict)


def rows(figures):
    """The figures beside those of the other sides and of version 0.1.0."""
    sides = figures["sides"]
    if SHORT not in sides:
        return [{**row("tasks", "twenty tasks", "no tokenizer is installed"),
                 "verdict": "-"}]
    made = [{**row("task", name, str(cost),
                   peers=beside(sides, [name]) + (
                       "; 0.1.0 {}, {} out".format(*BEFORE[name])
                       if name in BEFORE else "")), "verdict": "-"}
            for name, cost in sides[SHORT].items()]
    first = sum((sides[SHORT][n] for n in tasks.FIRST_LIVE), Cost())
    every = sum((cost for costs in sides.values() for cost in costs.values()),
                Cost()).refused
    live = [name for name in sides[SHORT] if name not in tasks.ARCHIVE]
    return [
        *made,
        {**sum_row(sides, "the live tasks", live), "verdict": "-"},
        sum_row(sides, "the first six live tasks", tasks.FIRST_LIVE,
                target=f"at most {MOST_CALLS} calls, {MOST_TOKENS} out",
                held=first.calls <= MOST_CALLS and first.got <= MOST_TOKENS),
        sum_row(sides, "the archive tasks", tasks.ARCHIVE,
                target="each at most as with 0.1.0",
                held=all(sides[SHORT][n].got <= BEFORE[n][1]
                         for n in tasks.ARCHIVE)),
        row("tasks", "refused calls", str(every), target="none",
            held=every == 0),
        row("tasks", "list of tools and instructions, everything on, tokens",
            str(figures["list"]), target=f"at most {MOST_LIST_TOKENS}",
            held=figures["list"] <= MOST_LIST_TOKENS),
    ]
