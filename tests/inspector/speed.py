#!/usr/bin/env python3
"""speed.py SQUINT: measure the inspector on an idle machine.

Prints the first contentful paint of several loads in a browser that is already
running, beside that of one line of plain text from the same server; pictures per
second of the demo phone's animation; and the server's share of a processor with
and without a page. Fails if the median of the paints or another figure is beyond
its limit.
"""
import os
import statistics
import sys
import time

from page import Agent, Page, Server, browsers

SECONDS = 5
LOADS = 9
REST_SECONDS = 1.5  # after each load: Chromium starts a spare process meanwhile
MAX_PAINT_MS = 200
MIN_RATE = 15
MAX_SHARE = 0.3
MAX_QUIET_SHARE = 0.01

PAINT = """new Promise(done => new PerformanceObserver(list => {
  const [entry] = list.getEntriesByName('first-contentful-paint');
  if (entry) done(entry.startTime);
}).observe({type: 'paint', buffered: true}))"""


def share(server, seconds):
    """The server's share of one processor."""
    before = server.cpu_seconds()
    time.sleep(seconds)
    return (server.cpu_seconds() - before) / seconds


def measure_paint(page, address, loaded):
    """Milliseconds from the start of a load to the first content."""
    times = []
    for _ in range(LOADS):
        page.ask("Page.navigate", url="about:blank")
        page.wait("location.href === 'about:blank'")
        time.sleep(REST_SECONDS)
        page.ask("Page.navigate", url=address)
        page.wait(f"location.href !== 'about:blank' && {loaded}")
        times.append(page.evaluate(PAINT))
    return times


def describe(times):
    """Median and worst."""
    return (f"median {statistics.median(times):.0f} ms, worst "
            f"{max(times):.0f} ms of {len(times)} loads")


def measure_live(server, page):
    """Pictures per second, and the server's share of a processor for them."""
    agent = Agent(server)
    agent.call(operation="key", name="home")
    agent.call(operation="tap", selector={"text": "Animation"})
    page.evaluate("import('./live.js').then(({live}) => { window.count = 0; "
                  "live.addEventListener('frame', () => count++); })")
    time.sleep(1)
    first = page.evaluate("count")
    busy = share(server, SECONDS)
    return (page.evaluate("count") - first) / SECONDS, busy


def main():
    """All figures."""
    server = Server(os.path.abspath(sys.argv[1]))
    page = Page(browsers.find())
    try:
        page.open(server.link)
        address = server.link[:server.link.index("/open")] + "/"
        least = measure_paint(page, address + "nothing", "document.body")
        paints = measure_paint(
            page, address, "document.getElementById('picture')?.width > 300")
        rate, busy = measure_live(server, page)
        page.ask("Page.navigate", url="about:blank")
        time.sleep(6)
        quiet = share(server, SECONDS)
    finally:
        page.close()
        server.stop()
    print(f"first contentful paint: {describe(paints)}")
    print(f"one line of plain text: {describe(least)}")
    print(f"live: {rate:.1f} pictures a second, server {busy:.0%} of a "
          f"processor; without a page {quiet:.1%}")
    sys.exit(not (statistics.median(paints) < MAX_PAINT_MS and rate >= MIN_RATE
                  and busy < MAX_SHARE and quiet < MAX_QUIET_SHARE))


main()
