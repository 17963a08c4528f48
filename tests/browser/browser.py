#!/usr/bin/env python3
"""browser.py SQUINT: a real Chromium as a device.

The pages tell a server of this test what happened to them, which is compared with
what squint says. Skipped where there is no Chromium.
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
import time

from pages import Site

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "http"))
from served import Cases  # pylint: disable=wrong-import-position

PATIENCE = 60
NAMES = ("chromium", "chromium-browser", "google-chrome")


class Client:
    """A client of squint mcp."""

    def __init__(self, squint, folder, *flags):
        env = dict(os.environ, HOME=folder, XDG_STATE_HOME=folder,
                   XDG_CONFIG_HOME=folder, XDG_CACHE_HOME=folder, TMPDIR=folder)
        self.process = subprocess.Popen([squint, "mcp", *flags], env=env,
                                        cwd=folder, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.last_id = 0
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                 clientInfo={"name": "test", "version": "1"})

    def ask(self, method, **params):
        """Send a request; return its result or error."""
        self.last_id += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.last_id,
                           "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.last_id:
                return answer.get("result", answer.get("error"))

    def do(self, operation, **arguments):
        """The JSON of an answer; "_picture" is its picture."""
        result = self.ask("tools/call", name="ui",
                          arguments=dict(arguments, operation=operation))
        answer = {}
        for block in result["content"]:
            if block["type"] == "image":
                answer["_picture"] = base64.b64decode(block["data"])
            else:
                answer.update(json.loads(block["text"]))
        return answer

    def tap(self, text):
        """Tap an element by its text."""
        return self.do("tap", selector={"text": text})

    def rows(self):
        """The elements without index and place."""
        return [row.split(" ", 2)[2] for row in self.do("dump")["elements"]]

    def open(self, url):
        """Open a URL."""
        return self.do("open", url=url)

    def end(self):
        """Close standard input and wait."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


def wait_for(condition):
    """Whether a condition becomes true."""
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def browsers_of(folder):
    """The processes that use a folder."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                if b"--user-data-dir=" + folder.encode() in file.read():
                    found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def profiles_of(folder):
    """The profiles in a folder."""
    return glob.glob(folder + "/squint-" + "[0-9a-f]" * 32)


def page_test(cases, client, site):
    """Looking at a page, and using it."""
    said = site.said
    opened = client.open(site.origin + "/shop")
    cases.check(opened.get("opened") == site.origin + "/shop", "opens a page",
                opened)
    rows = client.rows()
    cases.check("heading Shop of things" in rows and "button Buy" in rows
                and "text Hello world, text." in rows
                and "link Next page" in rows and "checkbox I agree" in rows
                and "button:disabled Sold out" in rows
                and "button In shadow" in rows, "lists what it shows", rows)
    cases.check("button Covered" not in rows and "button Far away" not in rows,
                "does not list what is covered or not shown", rows)
    text = json.dumps(client.do("dump"))
    cases.check("hunter2" not in text and "4111" not in text
                and "textbox:password Secret" in text
                and "textbox:password Card" in text,
                "secrets do not leave the page", text)
    shot = client.do("screenshot")
    cases.check(shot["device"] == {"width": 1280, "height": 800}
                and shot["_picture"][:2] == b"\xff\xd8",
                "a picture in CSS pixels", shot.get("device"))
    client.tap("Buy")
    cases.check(said[-1:] == ["buy"], "a tap reaches the button", said)
    client.tap("In shadow")
    cases.check(said[-1:] == ["shadow"], "and one in a shadow root", said)
    client.tap("I agree")
    cases.check(said[-1:] == [["agree", True]], "and a checkbox", said)
    cases.check("checkbox:checked I agree" in client.rows(), "which is checked")
    words = "a@b.c \u4f60\u597d \u05e9\u05dc\u05d5\u05dd"
    typed = client.do("input", text=words, selector={"text": "Email"})
    cases.check(said[-1:] == [["email", words]]
                and typed["field"]["text"] == words, "types any script", typed)
    client.do("input", text="x", selector={"resourceId": "email"}, clear=True)
    cases.check(said[-1:] == [["email", "x"]], "clears a field", said[-2:])
    late = client.tap("Later")
    cases.check(late.get("changed") and "text it came" in client.rows(),
                "a receipt waits for a late change", late)
    client.tap("Keys")
    client.do("key", name="ctrl+shift+k")
    cases.check(["key", "K", True, True] in said, "presses keys with modifiers",
                said[-4:])
    nowhere = client.do("input", text="lost")
    cases.check(nowhere.get("error") == "INVALID_OPERATION",
                "does not type into nothing", nowhere)
    cases.check("error" in client.do("key", name="volume_up"),
                "names a key that it lacks")


def navigation_test(cases, client, site):
    """Other pages, and pictures of them."""
    client.open(site.origin + "/shop")
    old = client.do("screenshot")["screenshotId"]
    moved = client.tap("Next page")
    cases.check("/second" in moved.get("note", "")
                and client.rows() == ["heading Second page", "button Here"],
                "a link is followed within the receipt", moved)
    stale = client.do("tap", x=20, y=20, screenshotId=old)
    cases.check(stale.get("error") == "STALE_SCREENSHOT",
                "a tap on a picture of another document is refused", stale)
    client.do("key", name="back")
    cases.check("heading Shop of things" in client.rows(), "back")
    stale = client.do("tap", x=20, y=20, screenshotId=old)
    cases.check(stale.get("error") == "STALE_SCREENSHOT",
                "also after the same page was loaded again", stale)
    client.do("key", name="forward")
    cases.check("heading Second page" in client.rows(), "forward")
    client.open(site.origin + "/shop")
    for _ in range(6):
        client.do("scroll", direction="down", amount=1)
    cases.check("button Far away" in client.rows(),
                "scrolls to what is further down",
                site.said[-1])
    client.open(site.origin + "/tabs")
    popup = client.tap("Popup")
    cases.check("tab." in popup.get("note", "")
                and "heading Second page" in client.rows(),
                "a popup is shown and told", popup)
    tabs = [tab["packageName"] for tab in client.do("apps")["apps"]]
    client.do("launch", packageName=tabs[0])
    cases.check("heading Opener" in client.rows(), "tabs can be chosen", tabs)
    client.do("stop", packageName=tabs[1])
    cases.check(client.do("apps")["count"] == 1, "and closed")


def frames_test(cases, client, site):
    """Frames of the same and of another site."""
    client.open(site.origin + "/frames")
    wait_for(lambda: "button Inner of localhost" in client.rows())
    client.tap("Inner of 127.0.0.1")
    cases.check(site.said[-1] == "127.0.0.1", "a frame of the same site",
                client.rows())
    client.tap("Inner of localhost")
    cases.check(site.said[-1] == "localhost", "and of another site",
                site.said[-1])


def indexes_test(cases, client, site):
    """An index names a node while it lives; what is off the screen is found."""
    said = site.said
    client.open(site.origin + "/nodes")
    said.clear()
    listed = client.do("dump")
    index = {row.split(" ", 2)[2]: int(row.split(" ")[0])
             for row in listed["elements"]}
    cases.check("more are not on the screen" in listed.get("hint", ""),
                "a list says how much it leaves out", listed.get("hint"))
    client.do("tap", elementIndex=index["button One"])
    client.do("tap", elementIndex=index["button Move"])
    client.do("find", selector={"text": "Replace"})
    client.do("tap", elementIndex=index["button One"])
    cases.check(said == ["a", "a"]
                and "button:focused Count 2" in client.rows(),
                "an index stays valid while label and place change", said)
    client.do("tap", elementIndex=index["button Replace"])
    stale = client.do("tap", elementIndex=index["button One"])
    cases.check(stale.get("error") == "STALE_ELEMENT_INDEX"
                and said == ["a", "a"], "a replaced node is stale", stale)
    client.tap("In form")
    cases.check(said[-1] == "clobbered", "names in a form hide nothing", said)
    found = client.do("find", selector={"text": "Bottom"})["elements"]
    cases.check(len(found) == 1 and found[0].get("offScreen") is True,
                "find reaches what is off the screen", found)
    tapped = client.do("tap", elementIndex=found[0]["index"])
    cases.check(said[-1] == "bottom" and "scrolled" in tapped,
                "a tap scrolls to it", tapped, said)
    client.tap("In list")
    cases.check(said[-1] == "inner", "also in a list in the page", said)
    client.do("input", text="x", selector={"text": "Far field"})
    cases.check(said[-1] == ["far", "x"], "and so does input", said)
    client.open(site.origin + "/second")
    stale = client.do("tap", elementIndex=index["button Move"])
    cases.check(stale.get("error") == "STALE_ELEMENT_INDEX",
                "no index of another document is valid", stale)
    client.open(site.origin + "/deep")
    wait_for(lambda: "button Innermost" in client.rows()
             and "button Shadowed" in client.rows())
    said.clear()
    for name in ("Inner of 127.0.0.1", "Innermost", "Shadowed"):
        client.tap(name)
    cases.check(said == ["127.0.0.1", "innermost", "shadowed"],
                "frames of another origin, in frames, in shadow roots", said,
                client.rows())


def receipts_test(cases, client, site):
    """What an answer says about changes."""
    client.open(site.origin + "/react")
    painted = client.tap("Paint")
    cases.check("width" in (painted.get("changed") or {}),
                "a change of style is seen", painted)
    nothing = client.tap("Nothing")
    cases.check("changed" in nothing and not nothing["changed"], "and none is not", nothing)
    hovered = client.tap("Menu")
    cases.check("+ Hovered" in hovered.get("now", []),
                "what only a style sheet shows is seen", hovered)
    first = client.tap("Twice")
    time.sleep(1.5)
    then = client.do("info")
    cases.check("+ one" in first.get("now", []) and "two" in json.dumps(then),
                "a later change heads the next answer", first, then)
    client.open(site.origin + "/canvas")
    drawn = client.tap("Draw")
    cases.check("width" in (drawn.get("changed") or {}),
                "what only pixels show is seen", drawn)


def fields_test(cases, client, site):
    """Fields that need more than keys, drag and drop, and clicks on what moves."""
    said = site.said
    client.open(site.origin + "/fields")
    said.clear()
    for field, text, word in (("Country", "Germany", ["country", "de"]),
                              ("Day", "2026-11-18", ["day", "2026-11-18"]),
                              ("Volume", "7", ["volume", "7"]),
                              ("Colour", "#ff8800", ["colour", "#ff8800"])):
        set_to = client.do("input", text=text, selector={"text": field})
        cases.check(said == [word] and set_to["field"]["text"] == text,
                    "sets " + field, said, set_to)
        said.clear()
    for field, text, words in (("Country", "Spain", "France, Germany, Italy"),
                               ("Day", "tomorrow", "2026-11-18"),
                               ("Volume", "11", "from 0 to 10")):
        refused = client.do("input", text=text, selector={"text": field})
        cases.check("error" in refused and words in refused["message"]
                    and said == [], "says what it takes: " + field, refused)
    opened = client.do("tap", selector={"text": "Country"})
    rows = client.rows()
    client.tap("France")
    cases.check("option:selected Germany" in rows and "option France" in rows
                and said == [["country", "fr"]],
                "a tap on a list shows its options", opened, rows, said)
    said.clear()
    places = {row.split(" ", 2)[2]: [int(x) for x in row.split(" ")[1].split(",")]
              for row in client.do("dump")["elements"]}
    start, end = places["text Drag me"], places["text Drop here"]
    client.do("swipe", **{"from": {"x": start[0], "y": start[1]},
                          "to": {"x": end[0], "y": end[1]}}, durationMs=600)
    cases.check(said == [["dropped", "cargo"]], "drags and drops", said)
    said.clear()
    moved = client.tap("Mover")
    cases.check(moved.get("error") == "STALE_ELEMENT_INDEX" and said == [],
                "a click on what moves away reaches nothing else", moved, said)


def dialogs_test(cases, client, site):
    """Alerts and their like."""
    said = site.said
    client.open(site.origin + "/dialogs")
    said.clear()
    shown = client.tap("Alert")
    cases.check("Saved it" in shown.get("note", ""), "an alert is told", shown)
    rows = client.rows()
    shot = client.do("screenshot")
    cases.check(rows == ["text Saved it", "button OK"] and "_picture" in shot
                and said == [], "it is listed, drawn, and not closed by looking",
                rows, said)
    refused = client.do("key", name="a")
    cases.check("Saved it" in refused.get("message", "") and said == [],
                "other keys say so", refused)
    refused = client.open(site.origin + "/second")
    cases.check("Saved it" in refused.get("message", ""),
                "and so does opening another page", refused)
    client.tap("OK")
    cases.check(said == ["after alert"], "a tap answers it", said)
    client.tap("Confirm")
    client.tap("Cancel")
    client.tap("Confirm")
    client.do("key", name="enter")
    cases.check(said[1:] == [["confirm", False], ["confirm", True]],
                "a question is answered as the button says", said)
    client.tap("Prompt")
    client.do("input", text="Zo\u00eb", clear=True)
    client.tap("OK")
    client.tap("Prompt")
    client.do("key", name="escape")
    cases.check(said[3:] == [["prompt", "Zo\u00eb"], ["prompt", None]],
                "a prompt takes text", said)
    late = client.tap("Soon")
    if "Late one" not in late.get("note", ""):
        wait_for(lambda: "text Late one" in client.rows())
    client.do("key", name="enter")
    cases.check(said[-1:] == ["after late"], "one that comes later", late, said)


def limits_test(cases, client, site):
    """What may not be opened, and pages that misbehave."""
    for url in ("http://localhost:1/", "http://127.0.0.2/", "http://10.0.0.1/",
                "http://[::1]/", "http://2130706433/", "file:///etc/passwd",
                "http://user@example.com/"):
        answer = client.open(url)
        cases.check(answer.get("error") in ("INVALID_OPERATION",
                                            "INPUT_VALIDATION_FAILED"),
                    "does not open " + url, answer)
    client.open(site.origin + "/reach")
    reached = wait_for(lambda: "text not reached" in client.rows())
    cases.check(reached, "a page cannot ask other addresses", client.rows())
    client.open(site.origin + "/many")
    wait_for(lambda: client.do("dump")["count"] > 20)  # a busy machine lists less
    rows = client.do("dump")
    cases.check(rows["count"] > 5 and len(json.dumps(rows)) < 1 << 20,
                "a large page is limited", rows["count"])
    client.open(site.origin + "/hang")
    hung = client.do("tap", selector={"text": "Hang"}, receipt="none")
    cases.check(hung.get("error") == "TIMEOUT" and "Open" in
                hung["suggestion"].replace("open", "Open"),
                "a page that hangs is told", hung)
    client.open(site.origin + "/second")
    cases.check(wait_for(lambda: "heading Second page" in client.rows()),
                "and can be left")


def end_test(cases, squint, site, folder):
    """The browser and squint end in every order."""
    flags = ("--browser", "-s", "browser", "--browser-allow", site.origin)
    client = Client(squint, folder, *flags)
    client.open(site.origin + "/second")
    running = browsers_of(folder)
    os.kill(min(running), signal.SIGKILL)
    wait_for(lambda: min(running) not in browsers_of(folder))
    lost = client.do("dump")
    again = client.open(site.origin + "/second")
    cases.check("error" in lost and "opened" in again
                and "heading Second page" in client.rows(),
                "a browser that died is started again", lost, again)
    cases.check(len(profiles_of(folder)) == 1, "with another profile")
    client.process.kill()
    client.process.wait()
    cases.check(wait_for(lambda: not browsers_of(folder)),
                "it ends when squint is killed", browsers_of(folder))
    client = Client(squint, folder, *flags)
    client.open(site.origin + "/second")
    cases.check(len(profiles_of(folder)) == 1,
                "the next one removes what is left", profiles_of(folder))
    status = client.end()
    cases.check(status == 0 and not browsers_of(folder)
                and not profiles_of(folder), "nothing is left at the end",
                status, browsers_of(folder), profiles_of(folder))


def default_test(cases, squint, folder):
    """Without being asked for, there is none."""
    client = Client(squint, folder)
    ids = [device["id"] for device in client.do("devices")["devices"]]
    cases.check("browser" not in ids, "not offered by default", ids)
    client.end()
    client = Client(squint, folder, "--browser")
    cases.check(client.do("devices")["devices"][-1]["id"] == "browser",
                "offered with --browser")
    cases.check(client.do("screenshot")["deviceId"] == "demo",
                "but not chosen by default")
    client.end()
    client = Client(squint, folder, "--browser", "-s", "browser",
                    "--browser-path", "/does/not/exist")
    answer = client.do("screenshot")
    cases.check("/does/not/exist" in json.dumps(answer),
                "a missing program is named", answer)
    client.end()


def main():
    """Run all."""
    squint = os.path.abspath(sys.argv[1])
    if not any(map(shutil.which, NAMES)):
        print("1..0 # SKIP no Chromium is installed (apt install chromium)")
        return
    cases = Cases()
    site = Site()
    with tempfile.TemporaryDirectory(prefix="sqb-") as folder:
        client = Client(squint, folder, "--browser", "-s", "browser",
                        "--timeout-ms", "60000", "--browser-allow",
                        f"{site.origin},http://localhost:{site.port}")
        for test in (page_test, navigation_test, frames_test, indexes_test,
                     receipts_test, fields_test,
                     dialogs_test,
                     limits_test):
            test(cases, client, site)
        client.end()
        end_test(cases, squint, site, folder)
        default_test(cases, squint, folder)
    cases.end()


if __name__ == "__main__":
    main()
