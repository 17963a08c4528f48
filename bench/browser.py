"""Five tasks on web pages: squint beside three other MCP servers, each with the
same Chromium. Scripts play them with what the answers say; only the places on the
canvas are known beforehand, for all."""

import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import statistics
import struct
import sys
import tempfile
import time

from browser_pages import CIRCLES, FIELDS, START, Site
from inputs import HERE
from mcp import count_tokens, row
from mcp_client import Client, ClientError

MODULES = os.path.join(HERE, "node_modules")
PIXELS_PER_TOKEN = 750
GOALS = {"calls": 28, "tokens": 4300, "pictures": 2000, "list": 2000, "click": 60,
         "memory": 12}
CLICKS = 15  # at rest, in turn
PAUSE_S = 0.7  # before each of them
VALUES = {name: f"{name} text" for name in FIELDS}
VALUES.update({"Birthday": "1990-04-05", "Country": "Germany", "Postcode": "12"})


def picture_size(data):
    """Width and height of a PNG, JPEG or WebP."""
    if data[:4] == b"\x89PNG":
        return struct.unpack(">II", data[16:24])
    if data[:4] == b"RIFF":
        return (struct.unpack("<HH", data[26:30]))
    at = 2
    while at < len(data):
        mark, size = data[at + 1], struct.unpack(">H", data[at + 2:at + 4])[0]
        if 0xC0 <= mark <= 0xC3:
            height, width = struct.unpack(">HH", data[at + 5:at + 9])
            return width, height
        at += 2 + size
    return 0, 0


class Side:
    """A server that plays tasks; counts what that costs."""

    flags = ()

    def __init__(self, client):
        self.client = client
        self.calls, self.sent, self.got, self.picture_tokens = 0, [], [], 0
        self.clicks = []
        self.most_kb = 0
        self.last = ""

    def ask(self, tool, **arguments):
        """Call a tool; returns its text."""
        self.calls += 1
        self.sent.append(json.dumps({"name": tool, "arguments": arguments},
                                    ensure_ascii=False, separators=(",", ":")))
        began = time.perf_counter()
        answer = json.loads(self.client.ask(
            "tools/call", {"name": tool, "arguments": arguments}))
        self.took = (time.perf_counter() - began) * 1e3
        if "result" not in answer:
            raise ClientError(f"{tool} {arguments}: {answer}")
        texts = []
        for block in answer["result"]["content"]:
            if block["type"] == "image":
                width, height = picture_size(base64.b64decode(block["data"]))
                self.picture_tokens += round(width * height / PIXELS_PER_TOKEN)
            else:
                texts.append(block.get("text", ""))
        self.last = "\n".join(texts)
        self.got.append(self.last)
        status = pathlib.Path(f"/proc/{self.client.process.pid}/status").read_text(
            encoding="ascii")
        self.most_kb = max(self.most_kb, int(
            re.search(r"VmHWM:\s+(\d+)", status).group(1)))
        return self.last

    def need(self, word):
        """The last answer has to say something."""
        if word not in self.last:
            raise ClientError(f"{type(self).__name__}: no {word!r} in "
                              f"{self.last[:600]}")


class Squint(Side):
    """Our own."""

    def ui(self, operation, **arguments):
        """Call the one tool."""
        text = self.ask("ui", operation=operation, **arguments)
        if '"error"' in text:
            raise ClientError(f"{operation} {arguments}: {text[:600]}")
        if operation == "tap":
            self.clicks.append(self.took)
        return text

    def tap(self, text, **more):
        """Tap an element by its text."""
        return self.ui("tap", selector={"text": text, **more})

    def begin_clicks(self, site):
        """Open the page whose button counts."""
        self.ui("open", url=site.origin + "/count")

    def click_at_rest(self, number):
        """Click, and see what that did."""
        self.tap("Count")
        self.need(f"count {number}")

    def shop(self, site):
        """Two into the cart, a quantity, check out."""
        self.ui("open", url=site.origin + "/shop")
        self.tap("Add Blue lamp to cart")
        self.tap("Add Green sofa to cart")
        self.tap("Cart (2)")
        self.ui("input", text="3", clear=True,
                selector={"text": "Quantity of Blue lamp"})
        self.tap("Check out")
        self.need("Order placed: 4 items")

    def form(self, site):
        """Sixteen fields, a wrong postcode, a late error, the correction."""
        self.ui("open", url=site.origin + "/form")
        self.ui("steps", steps=[
            *({"operation": "input", "selector": {"text": name}, "text": text}
              for name, text in VALUES.items()),
            {"operation": "tap", "selector": {"text": "Send"}}])
        self.need("Postcode must have five digits")
        self.ui("input", selector={"text": "Postcode"}, text="12345", clear=True)
        self.tap("Send")
        self.need("Registered in Germany")

    def table(self, site):
        """Act in one of 300 rows, sort, read the top."""
        self.ui("open", url=site.origin + "/table")
        self.tap("Archive order 1217")
        self.need("archived")
        self.tap("Sort by amount")
        self.need("1006")

    def canvas(self, site):
        """Start, hit three circles, read a code."""
        self.ui("open", url=site.origin + "/canvas")
        self.ui("screenshot")
        for place in (START, *CIRCLES[:2]):
            self.ui("tap", x=place[0], y=place[1], deviceSpace=True)
        self.ui("tap", x=CIRCLES[2][0], y=CIRCLES[2][1], deviceSpace=True, look=True)

    def frames(self, site):
        """Two frames, a shadow root and an alert."""
        self.ui("open", url=site.origin + "/frames")
        self.tap("Press on 127.0.0.1")
        self.need("pressed on 127.0.0.1")
        self.tap("Press on localhost")
        self.need("pressed on localhost")
        self.tap("Shadow button")
        self.need("shadow 1")
        self.tap("Show word")
        self.need("heron")
        self.ui("key", name="enter")
        self.need("Read")


class Playwright(Side):
    """@playwright/mcp."""

    role = {"button": "button", "field": "textbox", "list": "combobox"}

    def look(self):
        """List the page."""
        return self.ask("browser_snapshot")

    def ref(self, label, role="button"):
        """The reference of an element in the last list."""
        text = self.last
        found = re.search(self.role[role] + r' "' + re.escape(label)
                          + r'[^"]*".*?\[ref=(\w+)\]', text)
        if not found:
            raise ClientError(f"no {label} in {text[:300]}")
        return found.group(1)

    def click(self, ref):
        """Click an element."""
        self.ask("browser_click", element="it", target=ref)
        self.clicks.append(self.took)

    def go(self, url):
        """Open a page."""
        self.ask("browser_navigate", url=url)

    def begin_clicks(self, site):
        """Open the page whose button counts."""
        self.go(site.origin + "/count")
        self.look()
        self.counter = self.ref("Count")

    def click_at_rest(self, _number):
        """Click. The answer does not tell what that did."""
        self.click(self.counter)

    def shop(self, site):
        """Two into the cart, a quantity, check out."""
        self.go(site.origin + "/shop")
        self.look()
        refs = [self.ref("Add Blue lamp to cart"),
                self.ref("Add Green sofa to cart")]
        for ref in refs:
            self.click(ref)
        self.look()  # the reference of the cart ends with its label
        self.click(self.ref("Cart"))
        self.look()
        field, pay = self.ref("Quantity of Blue lamp", "field"), self.ref("Check out")
        self.ask("browser_type", element="it", target=field, text="3")
        self.click(pay)
        self.ask("browser_wait_for", text="Order placed")
        self.look()
        self.need("Order placed: 4 items")

    def form(self, site):
        """Sixteen fields, a wrong postcode, a late error, the correction."""
        self.go(site.origin + "/form")
        self.look()
        fields = [{"target": self.ref(name, "list" if name == "Country" else "field"),
                   "element": name, "name": name, "value": text,
                   "type": "combobox" if name == "Country" else "textbox"}
                  for name, text in VALUES.items()]
        send = self.ref("Send")
        code = self.ref("Postcode", "field")
        self.ask("browser_fill_form", fields=fields)
        self.click(send)
        self.look()
        self.need("Postcode must have five digits")
        self.ask("browser_type", element="it", target=code, text="12345")
        self.click(send)
        self.look()
        self.need("Registered in Germany")

    def table(self, site):
        """Act in one of 300 rows, sort, read the top."""
        self.go(site.origin + "/table")
        self.ask("browser_find", text="Archive order 1217")
        self.click(self.ref("Archive order 1217"))
        self.ask("browser_find", text="archived")
        self.need("archived")
        self.ask("browser_find", text="Sort by amount")
        self.click(self.ref("Sort by amount"))
        self.ask("browser_find", text="1006")
        self.need("1006")

    def canvas(self, site):
        """Start, hit three circles, read a code."""
        self.go(site.origin + "/canvas")
        self.ask("browser_take_screenshot")
        for x, y in (START, *CIRCLES):
            self.ask("browser_mouse_click_xy", x=x, y=y)
        self.ask("browser_take_screenshot")

    def frames(self, site):
        """Two frames, a shadow root and an alert."""
        self.go(site.origin + "/frames")
        self.look()
        refs = [self.ref(label) for label in
                ("Press on 127.0.0.1", "Press on localhost", "Shadow button",
                 "Show word")]
        for ref in refs[:3]:
            self.click(ref)
        self.look()
        for word in ("pressed on 127.0.0.1", "pressed on localhost", "shadow 1"):
            self.need(word)
        self.click(refs[3])
        self.need("heron")
        self.ask("browser_handle_dialog", accept=True)
        self.look()
        self.need("Read")


class DevTools(Playwright):
    """chrome-devtools-mcp."""

    role = {"button": "button", "field": "(?:textbox|Date)", "list": "combobox"}

    def ask(self, tool, **arguments):
        return super().ask(tool, pageId=1, **arguments)

    def look(self):
        return self.ask("take_snapshot")

    def go(self, url):
        self.ask("navigate_page", url=url, type="url")

    def ref(self, label, role="button"):
        text = self.last
        found = re.search(r'uid=(\w+) ' + self.role[role] + r' "' + re.escape(label),
                          text)
        if not found:
            raise ClientError(f"no {label} in {text[:300]}")
        return found.group(1)

    def click(self, ref):
        self.ask("click", uid=ref)
        self.clicks.append(self.took)

    def shop(self, site):
        self.go(site.origin + "/shop")
        self.look()
        refs = [self.ref("Add Blue lamp to cart"),
                self.ref("Add Green sofa to cart")]
        cart = self.ref("Cart")
        for ref in (*refs, cart):
            self.click(ref)
        self.look()
        field, pay = self.ref("Quantity of Blue lamp", "field"), self.ref("Check out")
        self.ask("fill", uid=field, value="3")
        self.click(pay)
        self.ask("wait_for", text=["Order placed"])
        self.need("Order placed: 4 items")

    def form(self, site):
        self.go(site.origin + "/form")
        self.look()
        elements = [{"uid": self.ref(name, "list" if name == "Country" else "field"),
                     "value": text} for name, text in VALUES.items()]
        send = self.ref("Send")
        code = self.ref("Postcode", "field")
        self.ask("fill_form", elements=elements)
        self.click(send)
        self.ask("wait_for", text=["five digits"])
        self.need("Postcode must have five digits")
        self.ask("fill", uid=code, value="12345")
        self.click(send)
        self.ask("wait_for", text=["Registered"])
        self.need("Registered in Germany")

    def table(self, site):
        self.go(site.origin + "/table")
        self.look()
        sort = self.ref("Sort by amount")
        self.click(self.ref("Archive order 1217"))
        self.click(sort)
        self.look()
        self.need("1006")

    def canvas(self, site):
        self.go(site.origin + "/canvas")
        self.ask("take_screenshot")
        for x, y in (START, *CIRCLES):
            self.ask("click_at", x=x, y=y)
        self.ask("take_screenshot")

    def frames(self, site):
        self.go(site.origin + "/frames")
        self.look()
        refs = [self.ref(label) for label in
                ("Press on 127.0.0.1", "Press on localhost", "Shadow button",
                 "Show word")]
        for ref in refs[:3]:
            self.click(ref)
        self.look()
        for word in ("pressed on 127.0.0.1", "pressed on localhost", "shadow 1"):
            self.need(word)
        self.click(refs[3])
        self.need("heron")
        self.ask("handle_dialog", action="accept")
        self.look()
        self.need("Read")


class AgentBrowser(Playwright):
    """agent-browser as an MCP server."""

    def ab(self, tool, **arguments):
        """Call a tool of it."""
        return self.ask("agent_browser_" + tool, **arguments)

    def look(self):
        return self.ab("snapshot")

    def go(self, url):
        self.ab("open", url=url)

    def ref(self, label, role="button"):
        text = self.last
        found = re.search(r'\w+ "'
                          + re.escape(label) + r'[^"]*".*?\[?ref=(\w+)\]?', text)
        if not found:
            raise ClientError(f"no {label} in {text[:300]}")
        return "@" + found.group(1)

    def click(self, ref):
        self.ab("click", selector=ref)
        self.clicks.append(self.took)

    def shop(self, site):
        self.go(site.origin + "/shop")
        self.look()
        refs = [self.ref("Add Blue lamp to cart"),
                self.ref("Add Green sofa to cart"), self.ref("Cart")]
        for ref in refs:
            self.click(ref)
        self.look()
        field, pay = self.ref("Quantity of Blue lamp", "field"), self.ref("Check out")
        self.ab("fill", selector=field, text="3")
        self.click(pay)
        self.ab("wait_for_text", text="Order placed")
        self.ab("get_text", selector="body")
        self.need("Order placed: 4 items")

    def form(self, site):
        self.go(site.origin + "/form")
        self.look()
        refs = {name: "[name=Birthday]" if name == "Birthday" else self.ref(name)
                for name in (*FIELDS, "Send")}
        for name, text in VALUES.items():
            if name == "Country":
                self.ab("select", selector=refs[name], values=[text])
            else:
                self.ab("fill", selector=refs[name], text=text)
        self.click(refs["Send"])
        self.ab("wait_for_text", text="five digits")
        self.ab("fill", selector=refs["Postcode"], text="12345")
        self.click(refs["Send"])
        self.ab("wait_for_text", text="Registered")
        self.ab("get_text", selector="#error")
        self.need("Registered in Germany")

    def table(self, site):
        self.go(site.origin + "/table")
        self.look()
        sort = self.ref("Sort by amount")
        self.click(self.ref("Archive order 1217"))
        self.click(sort)
        self.look()
        self.need("1006")

    def canvas(self, site):
        self.go(site.origin + "/canvas")
        self.ab("screenshot")
        for x, y in (START, *CIRCLES):
            self.ab("eval", script="document.querySelector('canvas').dispatchEvent("
                    f"new MouseEvent('click',{{clientX:{x},clientY:{y}}}))")
        self.ab("screenshot")

    def frames(self, site):
        self.go(site.origin + "/frames")
        self.look()
        refs = [self.ref(label) for label in
                ("Press on 127.0.0.1", "Press on localhost", "Shadow button",
                 "Show word")]
        for ref in refs[:3]:
            self.click(ref)
        self.ab("snapshot", interactive=False)
        for word in ("pressed on 127.0.0.1", "pressed on localhost", "shadow 1"):
            self.need(word)
        self.click(refs[3])
        self.ab("get_text", selector="#out")
        self.need("Read")


TASKS = ("shop", "form", "table", "canvas", "frames")


def sides(squint, node, origins):
    """The servers that are installed: {name: (class, command)}."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    found = {"squint": (Squint, [squint, "mcp", "--replies", "short", "--browser", "-s",
                                 "browser", "--browser-allow", origins])}
    sandbox = ["--no-sandbox"] if os.getuid() == 0 else []
    playwright = os.path.join(MODULES, "@playwright/mcp/cli.js")
    devtools = os.path.join(MODULES, "chrome-devtools-mcp/build/src/bin/"
                            "chrome-devtools-mcp.js")
    agent = os.path.join(MODULES, ".bin/agent-browser")
    if node and os.path.exists(playwright):
        found["playwright"] = (Playwright, [
            node, playwright, "--headless", "--isolated", "--executable-path",
            chromium, "--caps", "vision", *sandbox])
    if node and os.path.exists(devtools):
        found["devtools"] = (DevTools, [
            node, devtools, "--headless", "--isolated", "--executablePath", chromium,
            "--experimentalVision", "--no-usage-statistics",
            *("--chromeArg=" + flag for flag in sandbox)])
    if os.path.exists(agent):
        found["agent-browser"] = (AgentBrowser, [agent, "mcp"])
    return found


def play(kind, client, task, site, node):
    """Play a task on one server. Only the page knows whether the canvas was hit."""
    side = kind(client)
    site.asked.clear()
    failed = None
    began = time.perf_counter()
    try:
        getattr(side, task)(site)
        if task == "canvas" and "/done" not in site.asked:
            failed = "the circles were not hit"
    except (ClientError, KeyError) as why:
        failed = str(why)[:300]
    took = (time.perf_counter() - began) * 1e3
    if failed:
        print(f"browser: {kind.__name__}, {task}: {failed}", file=sys.stderr)
    return side, {"calls": side.calls, "failed": failed, "ms": took,
                  "tokens": sum(count_tokens(node, side.sent + side.got) or [0]),
                  "pictures": side.picture_tokens}


def measure_clicks(clients, site, found):
    """Click at rest on a page that reacts immediately, in turn."""
    players = {name: kind(client) for name, (kind, client) in clients.items()}
    for side in players.values():
        side.begin_clicks(site)
    for number in range(1, CLICKS + 1):
        for side in players.values():
            time.sleep(PAUSE_S)
            side.click_at_rest(number)
    for name, side in players.items():
        found[name]["rest"] = side.clicks
        found[name]["memory"] = max(found[name]["memory"], side.most_kb / 1024)


def measure(squint, node):
    """The figures of all servers: {name: figures}. They play each task in turn."""
    site = Site()
    origins = f"{site.origin},http://localhost:{site.port}"
    more = {"AGENT_BROWSER_EXECUTABLE_PATH": shutil.which("chromium") or "",
            "AGENT_BROWSER_ARGS": "--no-sandbox" if os.getuid() == 0 else ""}
    found, clients = {}, {}
    with contextlib.ExitStack() as stack:
        for name, (kind, command) in sides(os.path.abspath(squint), node,
                                           origins).items():
            home = stack.enter_context(tempfile.TemporaryDirectory(
                prefix="squint-web-"))
            client = stack.enter_context(Client(command, home, more))
            client.start()
            clients[name] = kind, client
            if name == "agent-browser":
                stack.callback(Side(client).ask, "agent_browser_close")
            tokens = (count_tokens(node, [client.tools()]) or [0])[0]
            found[name] = {"tasks": {}, "clicks": [], "memory": 0, "list": tokens}
        for task in TASKS:
            for name, (kind, client) in clients.items():
                side, figures = play(kind, client, task, site, node)
                found[name]["tasks"][task] = figures
                found[name]["clicks"] += side.clicks
                found[name]["memory"] = max(found[name]["memory"],
                                            side.most_kb / 1024)
        measure_clicks(clients, site, found)
    return found


def total(figures, key):
    """The sum over the tasks."""
    return sum(task[key] for task in figures["tasks"].values())


def rows(found):
    """One row per figure, beside those of the others."""
    def beside(show):
        return "; ".join(f"{name} {show(figures)}" for name, figures in found.items()
                         if name != "squint")
    ours = found["squint"]
    made = []
    for task in TASKS:
        def show(figures, task=task):
            one = figures["tasks"][task]
            return (f"{one['calls']}, {one['tokens']}+{one['pictures']}"
                    + (" (failed)" if one["failed"] else ""))
        made.append({**row("browser", f"{task}: calls, tokens+pictures", show(ours),
                           peers=beside(show)), "verdict": "-"})
    values = [
        ("calls", "calls", lambda f: total(f, "calls")),
        ("tokens", "tokens of text", lambda f: total(f, "tokens")),
        ("pictures", "tokens of pictures", lambda f: total(f, "pictures")),
        ("list", "tokens of the list of tools", lambda f: f["list"] or 0),
        ("click", "click at rest, median ms",
         lambda f: round(statistics.median(f["rest"]))),
        (None, "click in the tasks, median ms",
         lambda f: round(statistics.median(f["clicks"]))),
        ("memory", "server's memory, most MB", lambda f: round(f["memory"], 1)),
    ]
    for key, what, value in values:
        held = key and value(ours) <= GOALS[key] and not any(
            task["failed"] for task in ours["tasks"].values())
        made.append({**row("browser", f"five tasks: {what}", str(value(ours)),
                           peers=beside(value),
                           target=f"<= {GOALS[key]}" if key else "-"),
                     "verdict": ("met" if held else "missed") if key else "-"})
    return made
