#!/usr/bin/env python3
"""process.py SQUINT: how browsers are started, attached to, kept and ended.

A real Chromium, whose own state is compared with what squint says. Skipped where
there is none.
"""
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request

from browser import (NAMES, PATIENCE, Cases, Client, browsers_of, profiles_of,
                     wait_for)
from pages import Site


class Running:
    """A browser of a person, who has a page open."""

    def __init__(self, folder, url):
        program = next(filter(None, map(shutil.which, NAMES)))
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-port=0",
             "--no-first-run", "--disable-gpu", "--user-data-dir=" + folder,
             *flags, url], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.file = folder + "/DevToolsActivePort"
        wait_for(lambda: os.path.exists(self.file)
                 and open(self.file, encoding="ascii").read().count("\n"))
        with open(self.file, encoding="ascii") as file:
            self.port = int(file.readline())

    def pages(self):
        """The addresses of its pages."""
        url = f"http://127.0.0.1:{self.port}/json/list"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return sorted(row["url"] for row in json.load(answer)
                          if row["type"] == "page")

    def end(self):
        """End it."""
        self.process.terminate()
        self.process.wait(PATIENCE)


def attach_test(cases, squint, site, folder):
    """A browser that is running."""
    own = site.origin + "/second"
    running = Running(folder + "/person", own)
    allow = ("--browser", "-s", "browser", "--browser-allow", site.origin)
    wait_for(lambda: running.pages() == [own])
    for place in (running.file, str(running.port)):
        client = Client(squint, folder, *allow, "--browser-attach", place)
        opened = client.open(site.origin + "/tabs")
        cases.check("opened" in opened and "heading Opener" in client.rows()
                    and len(running.pages()) == 2, "attaches, in its own tab",
                    opened, running.pages())
        tabs = client.do("apps")
        cases.check(tabs["count"] == 1 and "/second" not in json.dumps(tabs),
                    "and does not see the tabs of the person", tabs)
        shot = client.do("screenshot")
        cases.check(shot.get("device") == {"width": 1280, "height": 800},
                    "takes a picture of it", shot.get("device"))
        popup = client.tap("Popup")
        cases.check("/second" in popup.get("note", "")
                    and "heading Second page" in client.rows(),
                    "a popup of its tab is its own", popup)
        client.open(site.origin + "/many")
        cases.check(client.do("dump")["count"] > 20, "reads large answers")
        client.end()
        cases.check(running.process.poll() is None
                    and wait_for(lambda: running.pages() == [own]),
                    "closes its tabs and not the browser", running.pages())
    client = Client(squint, folder, *allow, "--browser-attach", running.file)
    client.open(own)
    running.end()
    wait_for(lambda: not browsers_of(folder))
    client.do("dump")
    again = client.do("dump")
    cases.check("127.0.0.1" in again.get("message", "")
                and "--remote-debugging-port" in again.get("suggestion", ""),
                "a browser that ended is told", again)
    client.end()
    for place, words in (("/does/not/exist", "DevToolsActivePort"),
                         ("0", "no port"), (str(site.port), "no browser")):
        client = Client(squint, folder, *allow, "--browser-attach", place)
        answer = client.do("dump")
        said = answer.get("message", "") + answer.get("suggestion", "")
        cases.check(words in said or "address of a browser" in said,
                    "a wrong place is told: " + place, answer)
        client.end()


def last_test(cases, squint, site, folder):
    """A browser whose last tab is ours."""
    running = Running(folder + "/last", "about:blank")
    client = Client(squint, folder, "--browser", "-s", "browser",
                    "--browser-allow", site.origin, "--browser-attach",
                    running.file)
    client.open(site.origin + "/second")
    with urllib.request.urlopen(
            f"http://127.0.0.1:{running.port}/json/list") as answer:
        pages = [row for row in json.load(answer) if row["url"] == "about:blank"]
    for page in pages:
        urllib.request.urlopen(f"http://127.0.0.1:{running.port}/json/close/"
                               + page["id"]).close()
    wait_for(lambda: len(running.pages()) == 1)
    client.end()
    cases.check(running.process.poll() is None
                and wait_for(lambda: running.pages() == ["about:blank"]),
                "its last tab stays, empty", running.process.poll())
    running.end()


def profile_test(cases, squint, site, folder):
    """Profiles that are kept."""
    flags = ("--browser", "-s", "browser", "--browser-allow", site.origin,
             "--browser-profile")
    client = Client(squint, folder, *flags, "work")
    client.open(site.origin + "/login")
    client.end()
    kept = folder + "/squint/browser/work"
    cases.check(os.stat(kept).st_mode & 0o777 == 0o700 and not profiles_of(folder)
                and not browsers_of(folder), "a profile is kept, privately",
                os.listdir(folder))
    client = Client(squint, folder, *flags, "work")
    client.open(site.origin + "/logged")
    cases.check("text me=1" in client.rows(), "with its cookies", client.rows())
    other = Client(squint, folder, *flags, "work")
    locked = other.do("screenshot")
    cases.check("used by another browser" in locked.get("message", "")
                and "another profile" in locked.get("suggestion", ""),
                "one in use is told", locked)
    other.end()
    running = browsers_of(folder)
    os.kill(min(running), signal.SIGKILL)
    wait_for(lambda: not browsers_of(folder))
    client.do("dump")
    again = client.open(site.origin + "/logged")
    cases.check("opened" in again, "the lock of a killed one is no obstacle",
                again)
    client.end()
    client = Client(squint, folder, *flags[:-1])
    client.open(site.origin + "/logged")
    cases.check("text me=1" not in client.rows(), "others do not have them")
    client.end()
    for name in ("../x", "a/b", "x" * 41, ".hidden"):
        client = Client(squint, folder, *flags, name)
        answer = client.do("screenshot")
        cases.check("browser.profile" in answer.get("message", ""),
                    "refuses the name " + name, answer)
        client.end()


def visible_test(cases, squint, site, folder):
    """A window, on a display without a screen."""
    flags = ("--browser", "-s", "browser", "--browser-allow", site.origin,
             "--browser-visible")
    saved = {name: os.environ.pop(name, None)
             for name in ("DISPLAY", "WAYLAND_DISPLAY")}
    client = Client(squint, folder, *flags)
    answer = client.do("screenshot")
    cases.check("desktop session" in answer.get("suggestion", ""),
                "a window needs a display", answer)
    client.end()
    if shutil.which("Xvfb"):
        read, write = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1000x24",
             "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        os.environ["DISPLAY"] = ":" + os.read(read, 20).decode().strip()
        client = Client(squint, folder, *flags)
        client.open(site.origin + "/shop")
        client.tap("Buy")
        shot = client.do("screenshot")
        cases.check(site.said[-1:] == ["buy"] and "heading Shop of things"
                    in client.rows() and shot.get("device")
                    == {"width": 1280, "height": 800}, "works with a window",
                    shot.get("device"), site.said[-1:])
        client.end()
        server.terminate()
        server.wait()
    else:
        cases.check(True, "no Xvfb: a window was not tried")
    for name, value in saved.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def main():
    """Run all."""
    squint = os.path.abspath(sys.argv[1])
    if not any(map(shutil.which, NAMES)):
        print("1..0 # SKIP no Chromium is installed (apt install chromium)")
        return
    cases = Cases()
    site = Site()
    tests = (attach_test, last_test, profile_test, visible_test)
    with tempfile.TemporaryDirectory(prefix="sqb-") as folder:
        for test in tests:
            if not sys.argv[2:] or test.__name__[:-5] in sys.argv[2:]:
                test(cases, squint, site, folder)
        cases.check(not browsers_of(folder) and not profiles_of(folder)
                    and not glob.glob(folder + "/squint-*"),
                    "no process and no folder is left", os.listdir(folder))
    cases.end()


if __name__ == "__main__":
    main()
