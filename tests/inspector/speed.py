#!/usr/bin/env python3
"""speed.py SQUINT: measure the inspector on an idle machine.

Prints pictures per second of the demo phone's animation, the server's share of a
processor with and without a page, and the first paint. Fails beyond the limits.
"""
import os
import sys
import time

from page import Agent, Page, Server, browsers

SECONDS = 5


def share(server, seconds):
    """The server's share of one processor."""
    before = server.cpu_seconds()
    time.sleep(seconds)
    return (server.cpu_seconds() - before) / seconds


def main():
    """All figures."""
    server = Server(os.path.abspath(sys.argv[1]))
    page = Page(browsers.find())
    try:
        page.open(server.link)
        page.ask("Page.reload")
        page.wait("document.getElementById('picture')?.width > 300")
        paint = page.evaluate("performance.getEntriesByName('first-paint')[0]"
                              ".startTime")
        agent = Agent(server)
        agent.call(operation="key", name="home")
        agent.call(operation="tap", selector={"text": "Animation"})
        page.evaluate("import('./live.js').then(({live}) => { window.count = "
                      "0; live.addEventListener('frame', () => count++); })")
        time.sleep(1)
        first = page.evaluate("count")
        busy = share(server, SECONDS)
        rate = (page.evaluate("count") - first) / SECONDS
        page.ask("Page.navigate", url="about:blank")
        time.sleep(6)
        quiet = share(server, SECONDS)
    finally:
        page.close()
        server.stop()
    print(f"{rate:.1f} pictures a second, {busy:.0%} of a processor; "
          f"{quiet:.1%} without a page; first paint after {paint:.0f} ms")
    sys.exit(not (rate >= 15 and busy < 0.3 and quiet < 0.01 and paint < 200))


main()
