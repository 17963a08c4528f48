#!/usr/bin/env python3
"""steps.py SQUINT [COUNT [SEED]]: random steps on a page that knows what happened.

The page reports every click with the label of what was clicked, and its whole state
on demand. It reacts immediately or late, replaces nodes, relabels and moves them, has a
frame of another site, a shadow root, fields, dialogs and a button far down; a second
client acts on it, too. No answer may be about another element, no click may reach one, and no change may be
missed within the time that is stated.
"""
import os
import random
import re
import shutil
import sys
import tempfile
import time

import browser
from pages import PAGES, Site
from served import Cases, Server

COUNT = 300
WATCH_MS = 500  # ui.watchMs: what changes later heads the next answer
SURE_MS = 300  # a reaction that the page shows within this time is told
PAGES["/steps"] = """<title>Steps</title><p id=out>out 0</p><div id=box></div>
<div id=host></div><iframe src=http://localhost:PORT/step width=300 height=60></iframe>
<p><input id=field aria-label=Field oninput="say(['field', this.value])"></p>
<div style="height:2000px"></div><p id=deep></p>
<script>
const hits = [], root = host.attachShadow({mode: "open"});
let out = 0, made = 0;
const react = began => {
  document.getElementById("out").textContent = "out " + ++out;
  say(["reacted", performance.now() - began, scrollY < 10]);
};
const click = event => {
  const el = event.composedPath().find(one => one.tagName === "BUTTON");
  const how = el.dataset.how, began = performance.now();
  say(["hit", el.dataset.key, el.textContent, how]);
  if (how === "now") react(began);
  if (how === "late") setTimeout(react, 150, began);
  if (how === "after") setTimeout(react, 1000, began);
  if (how === "relabel") el.textContent = "Button " + made++;
  if (how === "replace") el.replaceWith(make(el.dataset.how));
  if (how === "move") el.style.marginLeft = (made++ % 5) * 40 + "px";
  if (how === "alert") { alert("Alert " + made); say(["closed"]); }
  if (how === "confirm") say(["closed", confirm("Confirm " + made)]);
  if (how === "prompt") say(["closed", prompt("Prompt " + made)]);
};
function make(how) {
  const el = document.createElement("button");
  el.textContent = "Button " + made;
  el.dataset.key = made++;
  el.dataset.how = how;
  el.onclick = click;
  return el;
}
for (const how of ["now", "late", "after", "relabel", "replace", "move", "alert",
  "confirm", "prompt", "nothing"]) { const p = document.createElement("p"); p.append(make(how)); box.append(p); }
root.append(make("relabel"), make("replace"));
deep.append(make("now"), make("nothing"));
</script>"""
PAGES["/step"] = """<button onclick="say(['hit', 'frame', this.textContent, 'now']);
  say(['reacted', 0, true]); this.textContent = 'Framed ' + Math.floor(Math.random() * 1e6)">Framed</button>"""
# Without a frame of another site changes are told by the document, not by pictures.
PAGES["/calm"] = re.sub("<iframe.*</iframe>", "", PAGES["/steps"])


class Session(browser.Client):
    """A client of squint serve, with a session or without."""

    def __init__(self, server, has_session):  # pylint: disable=super-init-not-called
        self.server = server
        self.session = server.initialize() if has_session else None

    def ask(self, method, **params):
        """Send a request; return its result."""
        answer = (self.server.legacy(self.session, method, params)
                  if self.session else self.server.modern(method, params))
        return answer.json()["result"]


class Steps:
    """A client that remembers what it was told."""

    def __init__(self, clients, site, seed):
        self.clients = clients
        self.site = site
        self.random = random.Random(seed)
        self.known = [{} for _ in clients]  # index to label as it was listed
        self.faults = []
        self.counts = {}

    def fault(self, *what):
        """Note what went wrong."""
        self.faults.append(what)

    def count(self, word):
        """Count a kind of step."""
        self.counts[word] = self.counts.get(word, 0) + 1

    def look(self, who):
        """List the elements."""
        rows = self.clients[who].do("dump")["elements"]
        found = {}
        for row in rows:
            index, _, words = row.split(" ", 2)
            if words.split(" ")[0].split(":")[0] == "button":
                found[int(index)] = words.split(" ", 1)[1]
        self.known[who].update(found)
        return found

    def answer_dialog(self, who):
        """Answer a dialog, if one is open, by a key, a button or a text."""
        rows = self.clients[who].rows()
        if "button OK" not in rows:
            return
        self.count("dialog")
        before = len(self.site.said)
        kind = next(word for row in rows for word in ("Alert", "Confirm", "Prompt")
                    if row.startswith("text " + word))
        accepts = self.random.random() < 0.5
        text = f"answer {before}"
        if kind == "Prompt":
            self.clients[who].do("input", text=text)
        if self.random.random() < 0.5 and (accepts or kind != "Alert"):
            self.clients[who].tap("OK" if accepts else "Cancel")
        else:
            self.clients[who].do("key", name="enter" if accepts else "escape")
        want = {"Alert": ["closed"], "Confirm": ["closed", accepts],
                "Prompt": ["closed", text if accepts else None]}[kind]
        if not browser.wait_for(lambda: want in self.site.said[before:]):
            self.fault("the dialog was not answered", rows, want,
                       self.site.said[before:])

    def type(self, who):
        """Type into the field."""
        self.count("type")
        text = f"text {self.random.randrange(1000000)} \u4f60"
        answer = self.clients[who].do("input", text=text, clear=True,
                                      selector={"text": "Field"})
        if self.site.said[-1:] != [["field", text]] \
                and ["field", text] not in self.site.said[-3:]:
            self.fault("another text is in the field", text, self.site.said[-3:],
                       answer)
        if answer.get("field", {}).get("text") != text:
            self.fault("the answer has another text", text, answer)

    def await_late(self, before):
        """What comes after the receipt heads the next answer that looks."""
        self.count("late")
        if not browser.wait_for(lambda: any(
                one[0] == "reacted" for one in self.site.said[before:])):
            self.fault("no reaction", self.site.said[before:])
        answer = self.clients[0].do("screenshot")
        answer.pop("_picture", None)
        if self.site.said[-1][-1] and "sinceLastAction" not in answer:
            self.fault("a late change is missing", self.site.said[before:], answer)

    def tap(self, who, index, now):
        """Tap an index that may be old, and compare with what the page says."""
        client, site = self.clients[who], self.site
        before = len(site.said)
        answer = client.do("tap", elementIndex=index)
        hits = [one for one in site.said[before:] if one[0] == "hit"]
        if "error" in answer:
            self.count(answer["error"])
            if self.random.random() < 0.7:
                del self.known[who][index]
            if hits:
                self.fault("refused, but clicked", index, hits, answer)
            if answer["error"] == "STALE_ELEMENT_INDEX" and index in now:
                self.fault("stale, but it is there", index, now, answer)
            return
        self.count("tap")
        if len(hits) != 1:
            self.fault("not one click", index, hits, answer)
        elif index in now and hits[0][2] != now[index]:
            self.fault("another element was clicked", index, now, hits)
        label = hits[0][2] if hits else ""
        told = answer.get("element", {}).get("label", label)
        if told != label:
            self.fault("another element is named", told, label)
        times = [one[1] for one in site.said[before:] if one[0] == "reacted"
                 and one[2]]
        if hits and hits[0][3] in ("now", "late") and times[:1] < [SURE_MS]:
            self.count("reaction")
            if times and not answer.get("changed"):
                self.fault("a change is missing", hits, times, answer)
        if who == 0 and hits and hits[0][3] == "after" and not answer.get("changed"):
            self.await_late(before)

    def step(self):
        """One random step of one client."""
        who = self.random.randrange(len(self.clients))
        choice = self.random.random()
        if choice < 0.15:
            self.count("look")
            self.look(who)
        elif choice < 0.25:
            self.count("find")
            rows = self.clients[who].do("find", selector={"text": "out 999999"})
            if rows.get("count"):
                self.fault("found what is not there", rows)
        elif choice < 0.32:
            self.count("scroll")
            self.clients[who].do("scroll", direction=self.random.choice(
                ("down", "up", "up")), amount=1)
        elif choice < 0.4:
            self.type(who)
        else:
            # What is there is known from the page's own list, by either client.
            now = self.look(1 - who) if self.random.random() < 0.5 else {}
            pool = sorted(self.known[who])
            if not pool:
                self.look(who)
                return
            index = self.random.choice(pool)
            self.tap(who, index, now)
            self.answer_dialog(who)


def main():
    """Run the steps."""
    squint = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else COUNT
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if not any(map(shutil.which, browser.NAMES)):
        print("1..0 # SKIP no Chromium is installed (apt install chromium)")
        return
    cases = Cases()
    site = Site()
    with tempfile.TemporaryDirectory(prefix="sqb-") as folder:
        print("# seed", seed)
        server = Server([squint], [
            "--browser", "-s", "browser", "--timeout-ms", "60000",
            "--watch-ms", str(WATCH_MS),
            "--browser-allow", f"{site.origin},http://localhost:{site.port}"],
                        home=folder)
        clients = [Session(server, True), Session(server, False)]
        clients[0].open(site.origin + "/steps")
        steps = Steps(clients, site, seed)
        browser.wait_for(lambda: "Framed" in steps.look(0).values())
        began = time.monotonic()
        for number in range(count):
            if number == count // 2:
                clients[0].open(site.origin + "/calm")
                steps.known = [{} for _ in clients]
            steps.step()
        print(f"# {count} steps in {time.monotonic() - began:.0f} s:", steps.counts)
        cases.check(not steps.faults, f"{count} random steps", *steps.faults[:5])
        server.stop()
    cases.end()


if __name__ == "__main__":
    main()
