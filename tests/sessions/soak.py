#!/usr/bin/env python3
"""soak.py SQUINT [--count N]: many screenshots; memory must not grow.

One server shows and uses the demo phone again and again. After the warm-up its
memory may grow by 1 MB.
"""

import argparse
import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from squint_server import Server, ServerError

WARM_UP = 1000
GROWTH = 1_000_000
# Operations between two screenshots, in turn; most of them only sometimes.
BETWEEN = [
    {"operation": "tap", "x": 200, "y": 500, "receipt": "none"},
    {"operation": "find", "selector": {"text": "Login"}},
    {"operation": "launch", "packageName": "com.squint.demo.settings",
     "receipt": "none"},
    {"operation": "scroll", "direction": "down", "receipt": "none"},
    {"operation": "dump"},
    {"operation": "screenshot", "size": "half"},
    {"operation": "screenshot", "format": "png", "maxDimension": 500},
    {"operation": "key", "name": "home", "receipt": "none"},
]
ACT_EVERY = 10


def ask(server, arguments):
    """Call ui and check only that it succeeded."""
    server.next_id += 1
    server.send({"jsonrpc": "2.0", "id": server.next_id,
                 "method": "tools/call",
                 "params": {"name": "ui", "arguments": arguments}})
    line = server.receive_bytes()
    if b'"isError":false' not in line:
        raise ServerError(f"{arguments}: {line[:300]}")


def soak(server, count):
    """Bytes of memory after the warm-up, at the peak, and at the end."""
    sizes = []
    began = time.monotonic()
    for i in range(count + WARM_UP):
        ask(server, {"operation": "screenshot"})
        if i % ACT_EVERY == 0:
            ask(server, BETWEEN[i // ACT_EVERY % len(BETWEEN)])
        if i >= WARM_UP and i % 100 == 0:
            sizes.append(server.rss())
        if i % 5000 == 0 and i:
            rate = i / (time.monotonic() - began)
            print(f"{i} screenshots, {server.rss() / 1e6:.2f} MB, "
                  f"{rate:.0f}/s", file=sys.stderr, flush=True)
    sizes.append(server.rss())
    return sizes[0], max(sizes), sizes[-1]


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("squint")
    parser.add_argument("--count", type=int, default=100_000)
    options = parser.parse_args()
    with Server([options.squint, "mcp"]) as server:
        server.initialize()
        first, most, last = soak(server, options.count)
        status = server.close()
    print(f"{options.count} screenshots: {first / 1e6:.2f} MB after the "
          f"warm-up, {most / 1e6:.2f} MB at most, {last / 1e6:.2f} MB at the "
          f"end: {(last - first) / 1e6:+.2f} MB (target: at most "
          f"+{GROWTH / 1e6:.2f})")
    if status:
        print(f"FAILED: the server ended with exit status {status}")
    if last - first > GROWTH:
        print("FAILED: memory has grown")
    return 1 if status or last - first > GROWTH else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ServerError as failure:
        sys.exit(f"soak: {failure}")
