"""The server compared with other servers: start, memory, tokens, calls."""

import json
import os
import statistics
import subprocess
import time

from inputs import HERE
from mcp_client import Client

STARTS = 20
WARM_UPS = 2
SETTLE_S = 0.3  # what is allocated lazily after the start
SHOTS = 1000
RECEIPT_EVERY = 10
PINGS = 20000
PING_ROUNDS = 5
MODULES = os.path.join(HERE, "node_modules")
PEERS = {
    "everything": "@modelcontextprotocol/server-everything",
    "mobile": "@mobilenext/mobile-mcp",
}
LISTS = {"default": [], "read-only": ["--read-only"],
         "split": ["--tools", "split"],
         "everything": ["--ocr-enabled", "--template-matching-enabled",
                        "--install-from", "/", "--archive", "/"]}
TARGETS = {"startMs": 10, "idleBytes": 8e6, "tokens": 2000, "shotMs": 15,
           "usedBytes": 24e6, "pings": 20000}


def package(name):
    """The package.json of an installed package."""
    path = os.path.join(MODULES, *name.split("/"), "package.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def peer_commands(node):
    """The commands of the installed peers: {name: argv}."""
    found = {}
    for name, module in PEERS.items():
        try:
            program = next(iter(package(module)["bin"].values()))
        except OSError:
            continue
        found[name] = [node, os.path.join(MODULES, *module.split("/"),
                                          program)]
    return found


def start_all(commands, home):
    """
    Start every server in turn, round after round, and see what it holds once
    it is idle. Returns {name: {startMs, idleBytes, tools}}.
    """
    starts = {name: [] for name in commands}
    seen = {name: {} for name in commands}
    for turn in range(WARM_UPS + STARTS):
        for name, argv in commands.items():
            with Client(argv, home) as client:
                took = client.start()
                if turn >= WARM_UPS:
                    starts[name].append(took)
                if turn == WARM_UPS:
                    seen[name]["tools"] = client.tools()
                    time.sleep(SETTLE_S)
                    seen[name]["idleBytes"] = client.rss()
    for name, samples in starts.items():
        seen[name]["startMs"] = statistics.median(samples)
        seen[name]["startMinMs"] = min(samples)
        seen[name]["samples"] = samples
    return seen


def list_tools(squint, flags, home):
    """squint's answer to tools/list with these flags."""
    with Client([squint, "mcp", *flags], home) as client:
        client.start()
        return client.tools()


def count_tokens(node, texts):
    """Tokens of each text, or None where there is no tokenizer."""
    if not node or not os.path.exists(os.path.join(MODULES, "gpt-tokenizer")):
        return None
    said = subprocess.run([node, os.path.join(HERE, "tokens.mjs")], text=True,
                          input="".join(json.dumps(t) + "\n" for t in texts),
                          stdout=subprocess.PIPE, check=True)
    return [int(line) for line in said.stdout.split()]


def use(squint, home):
    """Many pictures and taps: {shotMs, shotMinMs, shotCpuMs, usedBytes}."""
    times, costs = [], []
    with Client([squint, "mcp"], home) as client:
        client.start()
        for i in range(SHOTS):
            cost = client.cpu_ms()
            began = time.perf_counter()
            client.ui("screenshot")
            times.append((time.perf_counter() - began) * 1e3)
            costs.append(client.cpu_ms() - cost)
            receipt = {} if i % RECEIPT_EVERY == 0 else {"receipt": "none"}
            client.ui("tap", x=200, y=500, **receipt)
            client.ui("key", name="home", receipt="none")
        return {"shotMs": statistics.median(times), "shotMinMs": min(times),
                "shotCpuMs": statistics.median(costs),
                "usedBytes": client.rss()}


def ping(squint, home):
    """Pings that one server answers per second, by median."""
    with Client([squint, "mcp"], home) as client:
        client.start()
        return statistics.median(client.pings(PINGS)
                                 for _ in range(PING_ROUNDS))


def measure(squint, node, home):
    """All figures."""
    squint = os.path.abspath(squint)
    peers = peer_commands(node) if node else {}
    servers = start_all({"squint": [squint, "mcp"], **peers}, home)
    lists = {name: list_tools(squint, flags, home)
             for name, flags in LISTS.items()}
    lists.update({name: servers[name]["tools"] for name in peers})
    counts = count_tokens(node, lists.values())
    return {
        "servers": {name: {key: value for key, value in server.items()
                           if key != "tools"}
                    for name, server in servers.items()},
        "versions": {name: package(PEERS[name])["version"] for name in peers},
        "tokens": dict(zip(lists, counts)) if counts else None,
        "use": use(squint, home),
        "pings": ping(squint, home),
    }


def beside(figures, text):
    """The peers' figures of a row."""
    peers = [f"{name} {text(server)}"
             for name, server in figures["servers"].items()
             if name != "squint"]
    return ", ".join(peers) or "-"


def row(name, what, figure, *, peers="-", target="-", held=True):
    """A row in the format of report.py."""
    return {"id": name, "what": what, "figure": figure, "beside": peers,
            "target": target, "verdict": "met" if held else "missed"}


def tokens_row(figures):
    """The tokens of the list of tools, which every session pays."""
    tokens = figures["tokens"]
    what = "tools/list, tokens (o200k)"
    if not tokens:
        return {**row("mcp-tokens", what, "no tokenizer is installed"),
                "verdict": "-"}
    return row(
        "mcp-tokens", what,
        ", ".join(f"{name} {tokens[name]}" for name in LISTS),
        peers=", ".join(f"{name} {tokens[name]}" for name in PEERS
                        if name in tokens) or "-",
        target=f"everything at most {TARGETS['tokens']}, read-only less",
        held=tokens["everything"] <= TARGETS["tokens"]
        and tokens["read-only"] < tokens["default"])


def rows(figures):
    """The figures compared with their targets."""
    squint, used = figures["servers"]["squint"], figures["use"]
    return [
        row("mcp-start", "start to the answer to initialize, median (min)",
            f"{squint['startMs']:.1f} ({squint['startMinMs']:.1f}) ms",
            peers=beside(figures, lambda s: f"{s['startMs']:.0f} ms"),
            target=f"at most {TARGETS['startMs']} ms",
            held=squint["startMs"] <= TARGETS["startMs"]),
        row("mcp-idle", "memory when idle",
            f"{squint['idleBytes'] / 1e6:.1f} MB",
            peers=beside(figures, lambda s: f"{s['idleBytes'] / 1e6:.0f} MB"),
            target=f"at most {TARGETS['idleBytes'] / 1e6:.0f} MB",
            held=squint["idleBytes"] <= TARGETS["idleBytes"]),
        tokens_row(figures),
        row("mcp-shot", "ui screenshot of the demo phone, 450x1000",
            f"{used['shotMs']:.1f} ({used['shotMinMs']:.1f}) ms",
            peers=f"{used['shotCpuMs']:.1f} ms of it on a core",
            target=f"at most {TARGETS['shotMs']} ms",
            held=used["shotMs"] <= TARGETS["shotMs"]),
        row("mcp-used", f"memory after {SHOTS} screenshots and taps",
            f"{used['usedBytes'] / 1e6:.1f} MB",
            target=f"at most {TARGETS['usedBytes'] / 1e6:.0f} MB",
            held=used["usedBytes"] <= TARGETS["usedBytes"]),
        row("mcp-pings", "pings answered per second",
            f"{figures['pings']:.0f}",
            target=f"at least {TARGETS['pings']}",
            held=figures["pings"] >= TARGETS["pings"]),
    ]
