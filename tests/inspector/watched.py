#!/usr/bin/env python3
"""watched.py SQUINT DELAYS: times screenshots of a slow phone that is watched.

A real browser shows the live view or an empty page, in turn. The agent calls
without a pause, or as a model does, after some time for thoughts. Prints a list of
{agent, pause, watched, seconds} as JSON; bench/inspector.py makes a table of it.
"""
import json
import os
import random
import sys
import time

from hub import StdioAgent
from page import Agent, Page, Server, browsers
import demo_phone  # pylint: disable=wrong-import-order

BLOCKS = 8
CALLS = 6     # of a block
SETTLE_S = 3  # after the page was opened or left
PAUSES = {"without a pause": (0, 0), "after 0.3 to 2 s": (0.3, 2)}


def time_calls(agent, pause, chance):
    """Seconds of each call."""
    times = []
    for _ in range(CALLS):
        time.sleep(chance.uniform(*pause))
        begun = time.monotonic()
        agent.call(operation="screenshot")
        times.append(time.monotonic() - begun)
    return times


def measure(server, page):
    """All times."""
    found = []
    address = server.link[:server.link.index("/open")] + "/"
    page.open(server.link)
    agents = {"stdio": StdioAgent(server), "HTTP": Agent(server)}
    chance = random.Random(1)
    for block in range(BLOCKS):
        # Other work of the machine that comes and goes meets both alike.
        for watched in (block % 2 == 0, block % 2 == 1):
            page.ask("Page.navigate", url=address if watched else "about:blank")
            time.sleep(SETTLE_S)
            for name, agent in agents.items():
                for what, pause in PAUSES.items():
                    found.append({"agent": name, "pause": what,
                                  "watched": watched, "seconds": time_calls(
                                      agent, pause, chance)})
    agents["stdio"].end()
    return found


def main():
    """Start a phone, adb, a server and a browser."""
    squint, delays = os.path.abspath(sys.argv[1]), sys.argv[2]
    with demo_phone.Phone(squint, "--delay", delays, "--run-programs") as phone, \
            demo_phone.Adb() as adb:
        adb.connect(phone)
        os.environ["SQUINT_ANDROID_ADB_SERVER"] = f"127.0.0.1:{adb.port}"
        server = Server(squint)
        page = Page(browsers.find())
        try:
            print(json.dumps(measure(server, page)))
        finally:
            page.close()
            server.stop()


if __name__ == "__main__":
    main()
