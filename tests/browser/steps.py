#!/usr/bin/env python3
"""steps.py SQUINT [COUNT [SEED]]: random steps on a page that knows what happened.

The page reports every click with the label of what was clicked, and its whole state
on demand. It reacts immediately or late, replaces nodes, relabels and moves them, has a
frame of another site, a shadow root and dialogs; a second client acts on it, too.
No answer may be about another element, no click may reach one, and no change may be
missed within the time that is stated.
"""
import os
import random
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
<script>
const hits = [], root = host.attachShadow({mode: "open"});
let out = 0, made = 0;
const react = began => {
  document.getElementById("out").textContent = "out " + ++out;
  say(["reacted", performance.now() - began]);
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
  "nothing"]) { const p = document.createElement("p"); p.append(make(how)); box.append(p); }
root.append(make("relabel"), make("replace"));
</script>"""
PAGES["/step"] = """<button onclick="say(['hit', 'frame', this.textContent, 'now']);
  say(['reacted', 0]); this.textContent = 'Framed ' + Math.floor(Math.random() * 1e6)">Framed</button>"""


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
        """Close a dialog, if one is open."""
        rows = self.clients[who].rows()
        if "button OK" in rows:
            self.count("dialog")
            before = len(self.site.said)
            self.clients[who].do("key", name="enter")
            if not browser.wait_for(lambda: ["closed"] in self.site.said[before:]):
                self.fault("the dialog was not closed", rows)

    def tap(self, who, index, now):
        """Tap an index that may be old, and compare with what the page says."""
        client, site = self.clients[who], self.site
        before = len(site.said)
        answer = client.do("tap", elementIndex=index)
        hits = [one for one in site.said[before:] if one[0] == "hit"]
        if "error" in answer:
            self.count(answer["error"])
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
        times = [one[1] for one in site.said[before:] if one[0] == "reacted"]
        if hits and hits[0][3] in ("now", "late") and times[:1] < [SURE_MS]:
            self.count("reaction")
            if times and not answer.get("changed"):
                self.fault("a change is missing", hits, times, answer)

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
        for _ in range(count):
            steps.step()
        print(f"# {count} steps in {time.monotonic() - began:.0f} s:", steps.counts)
        cases.check(not steps.faults, f"{count} random steps", *steps.faults[:5])
        server.stop()
    cases.end()


if __name__ == "__main__":
    main()
