#!/usr/bin/env python3
"""process.py SQUINT: how browsers are started, attached to, kept and ended.

A real Chromium, whose own state is compared with what squint says. Skipped where
there is none.
"""
import base64
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
        answer = client.listed(20)
        cases.check(answer.get("count", 0) > 20, "reads large answers",
                    str(answer)[:300])
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
    os.kill(browsers_of(folder)[0], signal.SIGKILL)
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


def zoom_test(cases, client, site):
    """Pages that show more, or less, than the phone is wide."""
    client.open(site.origin + "/wide")
    site.said.clear()
    client.tap("Right")
    shown = client.do("find", selector={"text": "Right"})["elements"][0]
    client.do("tap", x=shown["centerX"], y=shown["centerY"])
    client.tap("Low")
    cases.check(site.said == ["right", "right", "low"],
                "a page that is wider than the phone", site.said, shown)
    client.open(site.origin + "/zoomable")
    site.said.clear()
    pinched = client.do("pinch", x=180, y=400, scale=3, deviceSpace=True)
    wait_for(lambda: site.said)
    before = client.rows()
    client.tap("Right")
    client.tap("Near")
    zooms = [word[1] for word in site.said if word[0] == "zoom"]
    taps = [word for word in site.said if word[0] != "zoom"]
    cases.check(zooms[-1] > 1.5 and taps == ["right", "near"]
                and "button Near" not in before,
                "a page that two fingers have zoomed", site.said, before, pinched)


def region_test(cases, client, site):
    """A region has each pixel of the phone, and places in it are exact."""
    client.open(site.origin + "/stripes")
    client.do("screenshot", maxDimension=1600)
    shot = client.do("screenshot", format="png",
                     region={"x": 80, "y": 160, "width": 200, "height": 200})
    picture = base64.b64encode(shot.pop("_picture", b"")).decode()
    site.said.clear()
    client.do("tap", x=30, y=240, screenshotId=shot.get("screenshotId"))
    client.open(site.origin + "/stripes?read#data:image/png;base64," + picture)
    wait_for(lambda: len(site.said) > 1)
    cases.check(site.said == [[50, 160], [300, 300, True]],
                "a region has all pixels of the screen", site.said, shot)


def emulate_test(cases, squint, site, folder):
    """Phones that are imitated, and what pages learn."""
    flags = ("--browser", "-s", "browser", "--browser-allow",
             site.origin)
    client = Client(squint, folder, *flags, "--browser-mobile", "360x800@3")
    client.open(site.origin + "/self")
    rows = client.rows()
    cases.check(any(row.startswith("text 360 3 true false") and
                    row.endswith(" 5") for row in rows),
                "a phone is imitated", rows)
    shot = client.do("screenshot", maxDimension=2400)
    cases.check(shot["device"] == {"width": 360, "height": 800},
                "device space is CSS pixels", shot["device"])
    site.said.clear()
    client.tap("Touch")
    cases.check([word for word in site.said if isinstance(word, str)]
                == ["touch", "click"], "taps are touches", site.said)
    client.open(site.origin + "/plain")
    site.said.clear()
    tapped = client.tap("No handlers")
    client.tap("Only text")
    client.do("tap", selector={"text": "Only text"}, durationMs=600)
    cases.check(site.said == ["plain", ["touch", False], ["touch", True]]
                and "error" not in tapped,
                "also on a page that handles no touches", tapped, site.said)
    page = client.do("tap", elementIndex=int(client.do("dump")["elements"][0].split()[0]))
    cases.check("tapped" in page, "the page itself can be tapped", page)
    client.do("scroll", direction="down", amount=0.5)
    scrolled = wait_for(lambda: site.said[-1][0] == "at") and site.said[-1][1]
    client.do("swipe", **{"from": {"x": 100, "y": 600}, "to": {"x": 100, "y": 300}},
              durationMs=100, deviceSpace=True)
    wait_for(lambda: site.said[-1] != ["at", scrolled])
    cases.check(scrolled == 320 and site.said[-1][1] - scrolled > 400,
                "scrolls by a length, and a quick swipe throws the page", scrolled,
                site.said)
    region_test(cases, client, site)
    zoom_test(cases, client, site)
    changed = client.do("appearance", dark="on", locale="de-CH")
    client.open(site.origin + "/self")
    rows = client.rows()
    cases.check(any("true true de-CH" in row for row in rows),
                "dark mode and locale", changed, rows)
    client.do("location", latitude=47.37, longitude=8.54)
    client.open(site.origin + "/self")
    cases.check(wait_for(lambda: [47.37, 8.54] in site.said), "a place",
                site.said)
    client.do("appearance", dark="off")
    cases.check(any("true false de-CH" in row for row in client.rows()),
                "pages are told of a change", client.rows())
    refused = client.do("appearance", fontScale=1.5)
    cases.check("font scale" in refused.get("message", ""),
                "what it lacks is said", refused)
    client.end()
    for words in (("--browser-mobile", "360"), ("--browser-mobile", "360x800@9"),
                  ("--browser-window", "1x1"), ("--browser-window", "900x900@2")):
        client = Client(squint, folder, *flags, *words)
        answer = client.do("screenshot")
        cases.check("WIDTHxHEIGHT" in answer.get("suggestion", ""),
                    "refuses " + " ".join(words), answer)
        client.end()


def secrets_test(cases, squint, site, folder):
    """A stored secret is typed only where the frame's origin may get it too."""
    path = folder + "/secrets"
    with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w",
              encoding="ascii") as file:
        file.write("pin=canary7\n")
    other = f"http://localhost:{site.port}"
    os.environ["SQUINT_SECRETS_FILE"] = path
    for allowed in ([site.origin], [site.origin, other]):
        os.environ["SQUINT_SECRETS_ALLOW"] = ",".join("pin=" + one for one in allowed)
        client = Client(squint, folder, "--browser", "-s", "browser",
                        "--browser-allow", f"{site.origin},{other}")
        client.open(site.origin + "/framed")
        wait_for(lambda client=client: "Code" in json.dumps(client.rows()))
        site.said.clear()
        answer = client.do("input", secret="pin", selector={"text": "Code"})
        own = client.do("input", secret="pin", selector={"text": "Own"})
        want = [["own", "canary7"]]
        if other in allowed:
            want.insert(0, ["code", "canary7"])
        else:
            cases.check(answer.get("error") == "REFUSED_BY_PERSON"
                        and other in answer["message"], "names the frame", answer)
        cases.check(site.said == want, f"types a secret into {len(want)} fields",
                    answer, own, site.said)
        client.end()
    del os.environ["SQUINT_SECRETS_FILE"], os.environ["SQUINT_SECRETS_ALLOW"]


def notes_test(cases, squint, site, folder):
    """The log, time zone, network, downloads and what doctor says."""
    flags = ("--browser", "-s", "browser", "--browser-allow", site.origin)
    client = Client(squint, folder, *flags)
    client.open(site.origin + "/noisy")

    def logged():
        return json.dumps(client.do("logs"))

    cases.check(wait_for(lambda: "404" in logged() and "third words" in logged())
                and "log: first words" in logged()
                and "error: second words" in logged()
                and "warning: objects {a: 1, b: x} [1, 2]" in logged(),
                "console and failed requests are in logs", logged())
    client.do("appearance", timeZone="Asia/Tokyo")
    client.open(site.origin + "/zone")
    refused = client.do("appearance", timeZone="Mars/Base")
    cases.check("text Asia/Tokyo 9" in client.rows()
                and "time zone" in refused.get("message", ""),
                "a time zone, and none that does not exist", refused,
                client.rows())
    offline = client.do("appearance", offline=True)
    asked = client.tap("Ask")
    opened = client.open(site.origin + "/second")
    cases.check("+ no network" in asked.get("now", [])
                and "offline" in opened.get("suggestion", ""),
                "a browser without network says so", offline, asked, opened)
    online = client.do("appearance", offline=False, timeZone="")
    cases.check("verified" not in online, "whose page has arrived when that is told",
                online)
    client.open(site.origin + "/zone")
    back = client.tap("Ask")
    cases.check("+ reached" in back.get("now", [])
                and "text Asia/Tokyo 9" not in client.rows(),
                "until it is switched on again", back, client.rows())
    client.open(site.origin + "/files")
    refused = client.tap("Get it")
    for _ in range(20):
        if "refused" not in refused.get("note", ""):
            refused = client.do("key", name="shift+a")
    cases.check("hello.txt" in refused.get("note", "")
                and "browser.downloads" in refused.get("note", ""),
                "a download is refused, and told", refused)
    client.end()
    goal = folder + "/got"
    client = Client(squint, folder, *flags, "--browser-downloads", goal)
    client.open(site.origin + "/files")
    told = client.tap("Get it")
    for _ in range(20):
        if "Downloaded" not in told.get("note", ""):
            told = client.do("key", name="shift+a")
    cases.check(f"5 bytes, to {goal}/hello.txt" in told.get("note", "")
                and open(goal + "/hello.txt", encoding="ascii").read()
                == "hello", "an allowed one is told with its path", told)
    client.end()
    shell = Shell(squint, folder)
    text = shell.start("doctor", "--browser").communicate(timeout=PATIENCE)[0]
    sandbox = "without its sandbox" if os.geteuid() == 0 else "in its sandbox"
    cases.check("Chromium" in text and sandbox in text,
                "doctor says which, and its sandbox", text)
    text = shell.start("doctor", "--browser", "--browser-path",
                       "/none").communicate(timeout=PATIENCE)[0]
    cases.check("/none" in text, "and that it is missing", text)


class Shell:
    """Commands, one after the other."""

    def __init__(self, squint, folder, *flags):
        self.squint = squint
        self.flags = ("--browser", "-s", "browser", *flags)
        self.folder = folder
        self.env = dict(os.environ, HOME=folder, XDG_STATE_HOME=folder,
                        XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder,
                        TMPDIR=folder)
        self.env.pop("XDG_RUNTIME_DIR", None)

    def start(self, *words):
        """Start a command."""
        return subprocess.Popen([self.squint, *words], env=self.env,
                                cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def run(self, *words):
        """The status of a command, and what it printed."""
        process = self.start(*words, *self.flags)
        text = process.communicate(timeout=PATIENCE)[0]
        return process.returncode, text

    def close(self):
        """Close the browser."""
        return self.start("browser", "close").communicate(timeout=PATIENCE)[0]

    def keeper(self):
        """The process that keeps the browser."""
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    words = file.read().split(b"\0")
                with open(path.replace("cmdline", "environ"), "rb") as file:
                    env = file.read().split(b"\0")
            except OSError:
                continue
            if b"browser-keeper" in words and (b"HOME=" + self.folder.encode()
                                               in env):
                return int(path.split("/")[2])
        return None


def story_test(cases, squint, site, folder):
    """Commands that share a browser."""
    shell = Shell(squint, folder, "--browser-allow", site.origin)
    opened = shell.run("open", site.origin + "/dialogs")
    listed = shell.run("dump")
    cases.check(opened[0] == 0 and listed[0] == 0 and "Confirm" in listed[1],
                "commands use one browser", opened, listed)
    shot = shell.run("screenshot", "-o", "shot.png")
    asked = shell.run("tap", "--text", "Prompt")
    cases.check(shot[0] == 0 and asked[0] == 0 and "Name?" in asked[1],
                "a dialog stays open between commands", shot, asked)
    shell.run("input", "Bo")
    answered = shell.run("tap", "--text", "OK")
    cases.check(site.said[-1:] == [["prompt", "a nameBo"]],
                "and takes text", answered, site.said[-1:])
    shell.run("open", site.origin + "/second")
    shell.run("screenshot", "-o", "shot.png")
    tapped = shell.run("tap", "90", "80")
    cases.check(tapped[0] == 0 or "second" in site.said, "a point of a picture",
                tapped)
    together = [shell.start("dump", *shell.flags) for _ in range(4)]
    texts = [process.communicate(timeout=PATIENCE)[0] for process in together]
    cases.check(all("Second page" in text for text in texts),
                "commands started together wait for each other", texts)
    other = shell.run("dump", "--browser-window", "900x700")
    cases.check(other[0] == 2 and "other options" in other[1]
                and "squint browser close" in other[1],
                "other options are refused", other)
    place = folder + "/squint/run/browser.socket"
    cases.check(os.stat(place).st_mode & 0o077 == 0, "its socket is private")
    closed = shell.close()
    gone = wait_for(lambda: not browsers_of(folder) and not profiles_of(folder)
                    and not os.path.exists(place) and not shell.keeper())
    cases.check("was closed" in closed and gone, "browser close ends it",
                closed, os.listdir(folder))
    closed = shell.close()
    cases.check("No browser" in closed, "and again says so", closed)


def deaths_test(cases, squint, site, folder):
    """What happens if one of the processes is killed between commands."""
    shell = Shell(squint, folder, "--browser-allow", site.origin)

    def lost(words, how):
        told = shell.run("dump")
        again = shell.run("open", site.origin + "/second")
        cases.check(told[0] == 1 and words in told[1]
                    and "open the URL again" in told[1] and again[0] == 0
                    and "Second page" in shell.run("dump")[1],
                    how + " is told, and the next command works", told, again)

    shell.run("open", site.origin + "/second")
    os.kill(browsers_of(folder)[0], signal.SIGKILL)
    wait_for(lambda: not browsers_of(folder))
    lost("the browser has ended", "a browser that was killed")
    os.kill(shell.keeper(), signal.SIGKILL)
    wait_for(lambda: not browsers_of(folder))
    lost("was killed", "a keeper that was killed")
    waiting = shell.start("wait", "--text", "Never", "--timeout-ms", "60000",
                          *shell.flags)
    wait_for(lambda: shell.run("dump", "--timeout-ms", "500")[0] == 1)
    busy = shell.run("dump", "--timeout-ms", "500")
    cases.check("another command is using the browser" in busy[1],
                "a busy browser is told in time", busy)
    waiting.kill()
    waiting.communicate()
    lost("a command was killed", "a command that was killed")
    waiting = shell.start("wait", "--text", "Never", "--timeout-ms", "60000",
                          *shell.flags)
    wait_for(lambda: shell.run("dump", "--timeout-ms", "500")[0] == 1)
    waiting.terminate()
    waiting.communicate()
    cases.check("Second page" in shell.run("dump")[1],
                "an interrupted command gives it back")
    os.kill(shell.keeper(), signal.SIGTERM)
    cases.check(wait_for(lambda: not browsers_of(folder)
                         and not profiles_of(folder)),
                "a keeper that is ended leaves nothing")
    wait_for(lambda: not shell.keeper())
    keeper = shell.start("browser-keeper", "1")
    wait_for(lambda: os.path.exists(folder + "/squint/run/browser.socket"))
    shell.run("open", site.origin + "/second")
    cases.check(keeper.wait(PATIENCE) == 0 and not browsers_of(folder)
                and not profiles_of(folder), "it ends when it is not used")
    keeper.stdout.close()
    broken = shell.run("dump", "--browser-path", "/bin/false")
    cases.check(broken[0] == 1 and "starting the browser" in broken[1]
                and wait_for(lambda: not shell.keeper()),
                "a browser that does not start is told", broken)


def slow_test(cases, squint, site, folder):
    """A busy computer, on which pages begin late, and a journal of what was done."""
    program = next(filter(None, map(shutil.which, NAMES)))
    paths = [os.path.join(folder, name) for name in ("late-page", "late-browser")]
    for path, words in zip(paths, ('sleep 7\nexec "$@"', f'exec {program} '
                                   f'--renderer-cmd-prefix={paths[0]} "$@"')):
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + words + "\n")
        os.chmod(path, 0o755)
    journal = folder + "/journal"
    flags = ("--browser", "-s", "browser", "--browser-allow", site.origin)
    client = Client(squint, folder, *flags, "--timeout-ms", "60000",
                    "--browser-path", paths[1], "--journal", journal)
    opened = client.open(site.origin + "/shop")
    cases.check("opened" in opened, "waits for a page that begins late", opened)
    client.tap("Buy")
    client.tap("I agree")
    client.end()
    site.said.clear()
    played = subprocess.run(
        [squint, "replay", journal, "-s", "browser"], capture_output=True, text=True,
        timeout=2 * PATIENCE, check=False, cwd=folder, env=dict(
            os.environ, HOME=folder, XDG_STATE_HOME=folder, XDG_CONFIG_HOME=folder,
            XDG_CACHE_HOME=folder, XDG_RUNTIME_DIR=folder, TMPDIR=folder,
            SQUINT_BROWSER_ENABLED="1", SQUINT_BROWSER_ALLOW=site.origin))
    cases.check(played.returncode == 0 and "3 same" in played.stdout
                and site.said == ["buy", ["agree", True]],
                "a journal is played again", played, site.said)


def cut_test(cases, squint, site, folder):
    """The pipe of a browser breaks in the middle of a message."""
    flags = ("--browser", "-s", "browser", "--browser-allow", site.origin,
             "--browser-path", os.path.join(os.path.dirname(__file__), "cutting.py"))
    for size in (50, 2000, 6000):
        os.environ["CUT_AFTER"] = str(size)
        client = Client(squint, folder, *flags)
        answers = [client.open(site.origin + "/second")]
        while "error" not in answers[-1] and len(answers) < 100:
            answers.append(client.do("dump"))
        cases.check(answers[-1].get("error") == "DEVICE_OFFLINE"
                    and answers[-1].get("suggestion"),
                    f"a pipe that breaks after {size} bytes is told", answers[-1])
        again = client.open(site.origin + "/second")
        cases.check(("opened" in again) == (size == 6000),
                    "and the next call starts another browser", again)
        client.end()
        cases.check(wait_for(lambda: not browsers_of(folder))
                    and not profiles_of(folder), "nothing is left of it",
                    browsers_of(folder), profiles_of(folder))


def shared_attach_test(cases, squint, site, folder):
    """Commands that use a browser of a person."""
    own = site.origin + "/second"
    running = Running(folder + "/shared", own)
    shell = Shell(squint, folder, "--browser-allow", site.origin,
                  "--browser-attach", running.file)
    shell.run("open", site.origin + "/tabs")
    popup = shell.run("tap", "--text", "Popup")
    listed = shell.run("dump")
    cases.check("Second page" in listed[1] and len(running.pages()) == 3,
                "commands share a tab of it", popup, listed, running.pages())
    shell.close()
    cases.check(wait_for(lambda: running.pages() == [own]),
                "which browser close closes", running.pages())
    running.end()


def main():
    """Run all."""
    squint = os.path.abspath(sys.argv[1])
    if not any(map(shutil.which, NAMES)):
        print("1..0 # SKIP no Chromium is installed (apt install chromium)")
        return
    cases = Cases()
    site = Site()
    tests = (attach_test, last_test, profile_test, visible_test, emulate_test,
             secrets_test, notes_test, slow_test, cut_test, story_test, deaths_test,
             shared_attach_test)
    with tempfile.TemporaryDirectory(prefix="sqb-") as folder:
        for test in tests:
            if not sys.argv[2:] or test.__name__[:-5] in sys.argv[2:]:
                test(cases, squint, site, folder)
        cases.check(wait_for(lambda: not browsers_of(folder))
                    and not profiles_of(folder)
                    and not glob.glob(folder + "/squint-*"),
                    "no process and no folder is left", os.listdir(folder))
    cases.end()


if __name__ == "__main__":
    main()
