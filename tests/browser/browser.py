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
# Words of a receipt come if they take less than 400 ms, which a busy machine may not.
TRIES = 5
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

    def send(self, operation, **arguments):
        """Send a call whose progress is told; return its id."""
        self.last_id += 1
        line = json.dumps({"jsonrpc": "2.0", "id": self.last_id,
                           "method": "tools/call", "params": {
                               "name": "ui", "_meta": {"progressToken": self.last_id},
                               "arguments": dict(arguments, operation=operation)}})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.last_id

    def receive(self):
        """The next message of the server."""
        return json.loads(self.process.stdout.readline())

    def cancel(self, number):
        """Cancel a call."""
        line = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                           "params": {"requestId": number}})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

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
        answer = self.do("dump")
        if "elements" not in answer:
            raise ValueError(answer)
        return [row.split(" ", 2)[2] for row in answer["elements"]]

    def listed(self, count):
        """The list with more elements than `count`. A busy machine first lists
        less, or answers too late with an error."""
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.do("dump")
            if answer.get("count", 0) > count or time.monotonic() > end:
                return answer
            time.sleep(0.1)

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
    """The processes that use a folder, the first one that began first: their
    numbers start from 1 again at some time."""
    found = []
    for path in glob.glob("/proc/[0-9]*"):
        try:
            with open(path + "/cmdline", "rb") as file:
                if b"--user-data-dir=" + folder.encode() not in file.read():
                    continue
            with open(path + "/stat", encoding="utf-8") as file:
                begin = int(file.read().rpartition(")")[2].split()[19])
            found.append((begin, int(path.split("/")[2])))
        except OSError:
            pass
    return [process for _, process in sorted(found)]


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
    client.open(site.origin + "/secrets")
    before = client.do("dump")
    told = json.dumps([before, client.tap("Show it"), client.do("dump")])
    cases.check("hunter2" not in told and "0000" not in told and "1111-" not in told
                and told.count("textbox:password") == 12
                and told.count("Order: 4111111111111112") == 2,
                "a secret is known by its label and form, and stays one", told)
    client.open(site.origin + "/shop")
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
    client.tap("Keys")
    cases.check(["keys", words] in said, "and releases a key when all is there", said[-1:])
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
    client.do("launch", packageName="tab.new")
    empty = client.do("info")["url"]
    client.open(site.origin + "/spa")
    new = [tab["packageName"] for tab in client.do("apps")["apps"]]
    cases.check(empty == "about:blank" and len(new) == 2 and new[0] == tabs[0]
                and new[1] not in tabs, "a new one has a name of its own", empty, new)
    for name, goal in (("To a part", "/spa#part"), ("To the next", "/spa/next")):
        client.tap(name)
        cases.check(client.do("info")["url"] == site.origin + goal,
                    "the address that a page gives itself", client.do("info"))
    client.do("stop", packageName=new[1])


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
    client.open(site.origin + "/fieldframes")
    wait_for(lambda: "textbox Part 2" in client.rows()
             and "textbox Part 1" in client.rows())
    for field, text in (("Letter", "Ada"), ("Part 1", "one"), ("Part 2", "two"),
                        ("Part 1", "1"), ("Own", "own"), ("Letter", "Bo")):
        typed = client.do("input", selector={"text": field}, text=text, clear=True)
        cases.check(field == "Own" or site.said[-1:] == [[field.lower() if field ==
                    "Letter" else field, text]], f"types {text} into {field}", typed,
                    site.said[-3:])
        focused = [row for row in client.rows() if ":focused" in row]
        cases.check(len(focused) == 1 and field in focused[0],
                    "and no other frame has the focus", focused)


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
    client.tap("Nothing")
    hovered = client.do("tap", selector={"text": "Menu"}, numberOfTaps=0)
    cases.check("+ Hovered" in hovered.get("now", [])
                and "text Hovered" in client.rows(), "the mouse can hover", hovered)
    site.said.clear()
    context = client.do("tap", selector={"text": "Context"}, durationMs=500)
    cases.check(site.said == ["context"] and "+ menu" in context.get("now", []),
                "and click with the right button", context, site.said)
    client.open(site.origin + "/far")
    far = client.tap("Change far")
    cases.check("not on the screen has changed" in far.get("note", "")
                and not far["changed"], "a change off the screen is told", far)
    wrapped = [row for row in client.rows() if row.endswith("Wrapped")]
    cases.check(wrapped == ["button Wrapped"],
                "what only wraps a control is not listed", wrapped)
    cases.check("textbox Amount: 7" in client.rows(),
                "a field is listed with name and text", client.rows())
    typed = client.do("input", text="hunter2", selector={"text": "Code"})
    cases.check(typed["field"].get("characters") == 7 and "verified" not in typed
                and "hunter2" not in json.dumps([typed, client.do("dump")]),
                "a password is typed, and only its length is known", typed)
    client.tap("Ask")
    other = client.tap("Change far")
    cases.check("Stop here" in other.get("message", "")
                and "dialog" in other["message"],
                "an element that a dialog hides is not found: it is told", other)
    client.do("key", name="enter")
    client.open(site.origin + "/react")
    first = client.tap("Twice")
    time.sleep(1.5)
    then = client.do("info")
    cases.check("+ one" in first.get("now", []) and "two" in json.dumps(then),
                "a later change heads the next answer", first, then)
    again = client.tap("Paint")
    cases.check(again.get("changed") == painted["changed"],
                "only what changed after the action is told", again, painted)
    for looks_between in (False, True):
        client.open(site.origin + "/react")
        site.said.clear()
        client.tap("Much later")
        if looks_between:
            client.do("screenshot")
        wait_for(lambda: "much later" in site.said)
        then = (client.tap("Nothing") if looks_between
                else client.do("screenshot"))
        then.pop("_picture", None)
        cases.check("sinceLastAction" in then,
                    "a picture does not hide a later change", then)
    for page in ("/canvas", "/frames"):
        opened = []
        for _ in range(TRIES):
            client.open(site.origin + "/react")
            opened.append(client.open(site.origin + page))
            if opened[-1].get("elements"):
                break
        cases.check("width" in (opened[-1].get("changed") or {})
                    and opened[-1].get("elements"),
                    "a page that draws itself is told when it is opened", opened)
    client.open(site.origin + "/canvas")
    drawn = client.tap("Draw")
    cases.check("width" in (drawn.get("changed") or {}),
                "what only pixels show is seen", drawn)
    client.open(site.origin + "/canvas")
    drawn = client.do("tap", x=100, y=50, deviceSpace=True)
    cases.check("width" in (drawn.get("changed") or {}) and "watchedMs" not in drawn,
                "what a canvas draws where it is clicked is its reaction", drawn)


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


def uploads_test(cases, client, site):
    """Files of one folder can be given to pages, and no others."""
    said = site.said
    folder = client.uploads
    os.makedirs(folder + "/sub")
    for name, text in (("a.txt", "hello"), ("sub/b.txt", "b"), ("../secret", "no")):
        with open(os.path.join(folder, name), "w", encoding="ascii") as file:
            file.write(text)
    os.symlink(folder + "/../secret", folder + "/link")
    os.symlink(folder + "/..", folder + "/out")
    client.open(site.origin + "/upload")
    wait_for(lambda: "file Inner" in client.rows())
    said.clear()
    for field, text, got in (
            ("Photo", "a.txt", ["photo", "a.txt", 5]),
            ("Photo", folder + "/sub/b.txt", ["photo", "b.txt", 1]),
            ("Many", "a.txt\nsub/b.txt", ["many", "a.txt", 5, "b.txt", 1]),
            ("Inner", "a.txt", ["inner", "a.txt", 5])):
        answer = client.do("input", selector={"text": field}, text=text)
        cases.check(said[-1:] == [got] and "verified" not in answer,
                    f"gives {got[1::2]} to {field}", answer, said)
    said.clear()
    for text in ("../secret", "link", "out/secret", "sub", "none",
                 os.path.dirname(folder) + "/secret", folder + "x/../../secret",
                 "a.txt\nsub/b.txt"):
        answer = client.do("input", selector={"text": "Photo"}, text=text)
        cases.check(answer.get("error") == "INPUT_VALIDATION_FAILED"
                    and "suggestion" in answer, f"but not {text!r}", answer)
    for name, field in (("Choose", "unseen"), ("Photo", "photo"), ("Inner", "inner")):
        asked = client.tap(name)
        cases.check("asks for a file" in json.dumps(asked) and folder
                    in json.dumps(asked), f"{name}: a tap says what to do", asked)
        client.do("key", name="escape")
        cases.check("heading Upload" in client.rows(), "escape gives none")
        client.tap(name)
        bad = client.do("input", text="link", submit=True)
        client.do("input", text="a.txt", clear=True)
        client.tap("OK")
        cases.check("no file" in bad.get("message", "")
                    and said == ([] if field == "inner" else [[field, "a.txt", 5]]),
                    "the path can be typed there", bad, said)
        said.clear()


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
    for words in ({"operation": "info"}, {"operation": "apps"}, {"operation": "logs"},
                  {"operation": "find", "selector": {"text": "Confirm"}},
                  {"operation": "input", "text": "x"}):
        told = client.do(**words)
        told.pop("_picture", None)
        cases.check("Saved it" in json.dumps(told), words["operation"] + " says so", told)
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


def shapes_test(cases, client, site):
    """Elements whose name, box or place is not where it usually is."""
    client.open(site.origin + "/shapes")
    wait_for(lambda: "button Other size" in client.rows()
             and "button Inside" in client.rows())
    rows = client.rows()
    cases.check("button Save" in rows and "generic Drawn" in rows
                and "text No box" in rows and "text Slotted" in rows
                and "checkbox Own box" in rows, "names and boxes", rows)
    site.said.clear()
    names = ("link it", "Save", "No box", "Drawn", "Half size", "Other size", "Inside",
             "Twice")
    answers = [client.tap(name) for name in names]
    cases.check(site.said == ["wrapped", "icon", "contents", "drawn", "half", "other",
                              "inside", "twice"],
                "lines, drawings and frames of other sizes are clicked", site.said,
                [answer for answer in answers if "error" in answer])
    client.open(site.origin + "/wraps")
    rows = client.rows()
    client.do("tap", selector={"text": "Cell 1"}, numberOfTaps=2)
    cases.check("text First words" in rows and "text Other 0" in rows
                and "gridcell Left" in rows and "gridcell Right" in rows
                and site.said[-1] == "cell 1", "what a large thing holds is listed",
                rows, site.said)
    for _ in range(TRIES):
        client.open(site.origin + "/shapes")
        checked = client.tap("Own box")
        if "now" in checked:
            break
    cases.check(site.said[-1:] == [["c", True]]
                and "= Own box: checked" in checked.get("now", []),
                "a label tells the state of its hidden box", checked, site.said)


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
    rows = client.listed(20)
    cases.check(rows.get("count", 0) > 20 and len(json.dumps(rows)) < 1 << 20,
                "a large page is limited", str(rows)[:300])
    missed = []
    wait_for(lambda: missed.append(client.tap("Row 19999"))
             or missed[-1].get("error") != "TIMEOUT")
    cases.check("not all were" in missed[-1].get("message", ""),
                "a tap says that not all was read", missed)
    client.open(site.origin + "/hang")
    hung = client.do("tap", selector={"text": "Hang"}, receipt="none")
    cases.check(hung.get("error") == "TIMEOUT" and "Open" in
                hung["suggestion"].replace("open", "Open"),
                "a page that hangs is told", hung)
    client.open(site.origin + "/second")
    cases.check(wait_for(lambda: "heading Second page" in client.rows()),
                "and can be left")


def local_test(cases, squint, site, folder):
    """Names of this computer that no entry of the list has."""
    client = Client(squint, folder, "--browser", "-s", "browser", "--browser-allow",
                    "*,127.0.0.1")
    client.open(site.origin + "/local")
    cases.check(wait_for(lambda: "text reached:" in client.rows()),
                "no name or address of this computer is reached", client.rows())
    client.end()


def end_test(cases, squint, site, folder):
    """The browser and squint end in every order."""
    flags = ("--browser", "-s", "browser", "--browser-allow", site.origin)
    client = Client(squint, folder, *flags)
    client.open(site.origin + "/second")
    first = browsers_of(folder)[0]
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: first not in browsers_of(folder))
    lost = client.do("dump")
    again = client.open(site.origin + "/second")
    cases.check("error" in lost and "opened" in again
                and "heading Second page" in client.rows(),
                "a browser that died is started again", lost, again)
    cases.check(len(profiles_of(folder)) == 1, "with another profile")
    client.open(site.origin + "/second")
    first = browsers_of(folder)[0]
    os.kill(first, signal.SIGSTOP)
    time.sleep(0.5)  # a look between two calls waits for it
    os.kill(first, signal.SIGKILL)
    wait_for(lambda: first not in browsers_of(folder))
    lost = client.do("dump")
    cases.check(lost.get("error") == "DEVICE_OFFLINE"
                and "opened" in client.open(site.origin + "/second"),
                "the next call tells it, also if a look has noticed it first", lost)
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
        uploads = os.path.join(os.path.realpath(folder), "give")
        os.mkdir(uploads)
        client = Client(squint, folder, "--browser", "-s", "browser",
                        "--timeout-ms", "60000", "--browser-allow",
                        f"{site.origin},http://localhost:{site.port}",
                        "--browser-upload", uploads)
        client.uploads = uploads
        for test in (page_test, navigation_test, frames_test, indexes_test,
                     receipts_test, fields_test, uploads_test,
                     dialogs_test, shapes_test,
                     limits_test):
            test(cases, client, site)
        client.end()
        local_test(cases, squint, site, folder)
        end_test(cases, squint, site, folder)
        default_test(cases, squint, folder)
    cases.end()


if __name__ == "__main__":
    main()
