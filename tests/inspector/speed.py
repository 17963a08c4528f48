#!/usr/bin/env python3
"""speed.py SQUINT: measure the inspector on an idle machine.

Prints the first contentful paint of several loads in a browser that is already
running, pictures per second of the demo phone's animation, and the server's share
of a processor with and without a page. Fails beyond the limits.
"""
import os
import statistics
import sys
import time

from page import Agent, Page, Server, browsers

SECONDS = 5
LOADS = 11
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


def measure_paint(server, page):
    """Milliseconds from the start of a load to the first content."""
    address = server.link[:server.link.index("/open")] + "/"
    times = []
    for _ in range(LOADS):
        page.ask("Page.navigate", url="about:blank")
        page.wait("location.href === 'about:blank'")
        page.ask("Page.navigate", url=address)
        page.wait("document.getElementById('picture')?.width > 300")
        times.append(page.evaluate(PAINT))
    return times


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
        paints = measure_paint(server, page)
        rate, busy = measure_live(server, page)
        page.ask("Page.navigate", url="about:blank")
        time.sleep(6)
        quiet = share(server, SECONDS)
    finally:
        page.close()
        server.stop()
    print(f"first contentful paint: median {statistics.median(paints):.0f} ms, "
          f"worst {max(paints):.0f} ms of {LOADS} loads")
    print(f"live: {rate:.1f} pictures a second, server {busy:.0%} of a "
          f"processor; without a page {quiet:.1%}")
    sys.exit(not (max(paints) < MAX_PAINT_MS and rate >= MIN_RATE
                  and busy < MAX_SHARE and quiet < MAX_QUIET_SHARE))


main()
