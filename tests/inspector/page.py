"""The inspector in a browser for tests: a server with it, and its page."""
import atexit
import base64
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", name)
                for name in ("viewer", "http", "support")]
import browser as browsers  # pylint: disable=wrong-import-position
import served  # pylint: disable=wrong-import-position


def stored_link(text):
    """The link in the file that a message names; None if it names none."""
    named = re.search(r"a link for one browser is in (\S+)", text)
    if not named:
        return None
    with open(named.group(1), encoding="ascii") as file:
        return file.read().strip()


class Server(served.Server):
    """squint serve --inspect, which can be killed and started again."""

    def __init__(self, squint, *flags, command="serve"):
        # pylint: disable=super-init-not-called
        self.folder = tempfile.TemporaryDirectory(prefix="squint-inspector-")
        home = self.folder.name
        self.squint = squint
        self.flags = flags
        self.command = command
        self.is_fixture = False
        self.token_file = home + "/token"
        self.env = dict(os.environ, HOME=home, XDG_STATE_HOME=home + "/state",
                        XDG_DATA_HOME=home + "/data",
                        XDG_CACHE_HOME=home + "/cache",
                        XDG_RUNTIME_DIR=home + "/run",
                        XDG_CONFIG_HOME=home + "/config")
        # Tests do not use the user's adb server.
        self.env.setdefault("SQUINT_ANDROID_ADB_SERVER", "off")
        # The minute of the demo phone does not change its screen.
        self.env.setdefault("SQUINT_TEST_STILL_MINUTE", "1")
        os.mkdir(home + "/run", 0o700)
        self.address = None
        self.link = None
        self.cookie = None
        self.start(0)

    def start(self, port):
        """Start it and wait for the link."""
        words = ["--inspect"] if self.command == "serve" else ["--print-only"]
        self.process = subprocess.Popen(
            [self.squint, self.command, "--token-file", self.token_file,
             "--listen", f"127.0.0.1:{port}", *words, *self.flags],
            env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)  # also when a check has failed
        self.lines = []
        self.wait_until_ready()
        self.link = self.read_link()
        # What it prints later must not fill the pipe.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def read_link(self):
        """The link in the file that the server names, or on its output."""
        if self.command == "inspect":
            return self.process.stdout.readline().strip()
        for line in self.process.stderr:
            self.lines.append(line)
            link = stored_link(line)
            if link:
                return link
        raise RuntimeError("no link: " + "".join(self.lines))

    def ask_api(self, name, **arguments):
        """A request of the page, without a browser."""
        plain = {"Authorization": None}
        if not self.cookie:
            path = self.inspector_path()
            opened = self.ask("GET", path, Content_Type=None, **plain)
            self.cookie = opened.headers["set-cookie"].split(";")[0]
        return self.ask(path="/inspect/api/" + name,
                        body=json.dumps(arguments).encode(),
                        **{**plain, "X-Squint-Inspector": "1",
                           "Cookie": self.cookie}).json()

    def kill(self):
        """End it without a warning."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """End it as a service manager does."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(served.PATIENCE)

    def cpu_seconds(self):
        """Processor time that the process has used."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Agent:
    """A client of the protocol in a session of its own."""

    def __init__(self, server, name="agent"):
        self.server = server
        body = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": name, "version": "1"}}}
        answer = server.ask(body=json.dumps(body).encode())
        self.session = answer.headers["mcp-session-id"]

    def call(self, **arguments):
        """Run an operation; return the result."""
        return self.server.legacy(self.session, "tools/call", {
            "name": "ui", "arguments": arguments}).json()["result"]

    def start(self, **arguments):
        """Run it on a thread; return a function that waits for the result."""
        found = []
        thread = threading.Thread(
            target=lambda: found.append(self.call(**arguments)))
        thread.start()

        def wait():
            thread.join(served.PATIENCE)
            return found[0]
        wait.thread = thread
        return wait


class Page(browsers.Browser):
    """The page in a browser."""

    def __init__(self, program, width=1400, height=1000):
        super().__init__(program)
        self.resize(width, height)

    def resize(self, width, height, scale=1):
        """Set the size of the window."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width,
                 height=height, deviceScaleFactor=scale, mobile=False)

    def open(self, link):
        """Follow the link to the page and wait until it shows the screen."""
        self.ask("Page.navigate", url=link)
        self.wait("document.getElementById('connection')?.textContent"
                  " === 'Connected'")
        self.wait("document.getElementById('picture')?.width > 300")

    def wait(self, condition):
        """Wait until a condition holds; return its value."""
        code = (f"new Promise(done => {{ const look = () => {{ let value; "
                f"try {{ value = {condition}; }} catch {{ value = false; }} "
                "if (value) done(value); else setTimeout(look, 20); }; "
                "look(); })")
        while True:
            try:
                return self.evaluate(code)
            except TimeoutError as error:
                shown = self.evaluate("document.body.innerText")
                raise TimeoutError(f"{condition}\n{self.troubles()}\n"
                                   f"{shown}") from error
            except RuntimeError as error:  # the page went elsewhere meanwhile
                if not re.search("context|navigated|collected", str(error)):
                    raise

    def text(self, selector):
        """The text of an element."""
        return self.evaluate(
            f"document.querySelector({json.dumps(selector)})?.textContent")

    def wait_text(self, selector, text):
        """Wait until an element has a text."""
        return self.wait(f"document.querySelector({json.dumps(selector)})"
                         f"?.textContent.includes({json.dumps(text)})")

    def box(self, selector):
        """The rectangle of an element, which is scrolled into view."""
        return self.evaluate(
            "(() => { const element = document.querySelector("
            f"{json.dumps(selector)}); element.scrollIntoView("
            "{block: 'nearest', inline: 'nearest'}); const box = element"
            ".getBoundingClientRect(); return [box.left, box.top, box.width, "
            "box.height]; })()")

    def point(self, selector, across=0.5, down=0.5):
        """A point of an element."""
        left, top, width, height = self.box(selector)
        return left + width * across, top + height * down

    def mouse(self, kind, at, **more):
        """One event of the mouse."""
        self.ask("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1],
                 **{"button": "left", "buttons": 1, "clickCount": 1, **more})

    def click(self, selector, across=0.5, down=0.5, modifiers=0):
        """Click with the mouse, as a person does."""
        self.wait(f"document.querySelector({json.dumps(selector)})")
        at = self.point(selector, across, down)
        self.mouse("mouseMoved", at, button="none", buttons=0)
        self.mouse("mousePressed", at, modifiers=modifiers)
        self.mouse("mouseReleased", at, modifiers=modifiers, buttons=0)

    def move(self, selector, across=0.5, down=0.5):
        """Move the mouse over an element."""
        self.mouse("mouseMoved", self.point(selector, across, down),
                   button="none", buttons=0)

    def wheel(self, selector, amount):
        """Turn the wheel over an element."""
        at = self.point(selector)
        self.ask("Input.dispatchMouseEvent", type="mouseWheel", x=at[0],
                 y=at[1], deltaX=0, deltaY=amount)

    def press(self, key, text=None, modifiers=0):
        """Press a key."""
        more = {"text": text} if text else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, code=key,
                 modifiers=modifiers, windowsVirtualKeyCode={
                     "Enter": 13, "Backspace": 8, "Escape": 27, "Tab": 9,
                     "ArrowDown": 40, "ArrowRight": 39}.get(key, 0), **more)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def type(self, text):
        """Type a text, key by key."""
        for letter in text:
            self.press(letter, letter)

    def fill(self, selector, text):
        """Replace the value of a field by typing."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).select"
                      f" ? document.querySelector({json.dumps(selector)})"
                      ".select() : 0")
        self.click(selector)
        self.evaluate(f"document.querySelector({json.dumps(selector)})"
                      ".select()")
        self.ask("Input.insertText", text=text)

    def show(self, view):
        """Open one of the views."""
        self.click(f"#tab-{view}")
        self.wait(f"!document.getElementById('view-{view}').hidden")
        if view == "calls":  # the newest are shown
            self.evaluate("document.querySelector('#call-follow[aria-pressed="
                          "false]')?.click()")

    def picture(self, path=None):
        """A PNG of the window; also written to a file."""
        data = base64.b64decode(self.ask("Page.captureScreenshot")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def troubles(self):
        """Errors in the browser and requests to other places."""
        entries = [event["entry"]["text"]
                   for event in self.seen("Log.entryAdded")
                   if event["entry"]["level"] == "error"]
        thrown = [event["exceptionDetails"].get("exception", {}).get(
            "description", "")
                  for event in self.seen("Runtime.exceptionThrown")]
        return entries + thrown

    def other_hosts(self):
        """Requests that went elsewhere."""
        urls = [event["request"]["url"] for event in
                self.seen("Network.requestWillBeSent")]
        return [url for url in urls if not url.startswith(
            ("http://127.0.0.1:", "blob:", "data:"))]


def label_point(page, label):
    """Where an element is drawn, as shares of the box of the picture."""
    return page.evaluate(
        "import('./live.js').then(({live}) => { const node = live.nodes.find("
        f"node => node.label === {json.dumps(label)}); const [l, t, r, b] = "
        "node.bounds; const {width, height} = live.frame.screen; "
        "const drawn = live.drawn(); const box = document.querySelector("
        "'#picture').getBoundingClientRect(); return ["
        "(drawn.left - box.left + drawn.width * (l + r) / 2 / width)"
        " / box.width, "
        "(drawn.top - box.top + drawn.height * (t + b) / 2 / height)"
        " / box.height]; })")


def click_label(page, label):
    """Click an element where it is drawn, once the page's layout is at rest."""
    wait_label(page, label)
    last, at = None, page.point("#picture", *label_point(page, label))
    while at != last:
        page.mouse("mouseMoved", at, button="none", buttons=0)
        last, at = at, page.point("#picture", *label_point(page, label))
    page.mouse("mousePressed", at)
    page.mouse("mouseReleased", at, buttons=0)


def wait_label(page, label):
    """Wait until the tree has an element with this label."""
    return page.wait(
        "[...document.querySelectorAll('#tree .label')].some(item => "
        f"item.textContent === '“' + {json.dumps(label)} + '”')")
