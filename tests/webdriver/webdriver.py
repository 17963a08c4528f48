#!/usr/bin/env python3
"""webdriver.py SQUINT: devices that a WebDriver server lends, with a server of this
test. scripts/farm does the same with real servers.
"""
import base64
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

from stand_in import Hostile, StandIn, error

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "http"), os.path.join(HERE, "..", "browser")]
from served import Cases  # pylint: disable=wrong-import-position
from browser import Client, wait_for  # pylint: disable=wrong-import-position

# Status, error of the protocol, its message, the code of our answer, a word of it.
ERRORS = [
    (500, "unknown error", "Unable to execute request for an existing session: "
     "Connection refused", "DEVICE_OFFLINE", "node"),
    (500, "unknown error", "Connection error (GET http://10.0.0.7:4723/session/s1/url)",
     "DEVICE_OFFLINE", "server with this device"),
    (404, "invalid session id", "session s1 was closed; the node was removed",
     "DEVICE_OFFLINE", "has ended"),
    (500, "unexpected alert open", "alert: Careful", "INVALID_OPERATION", "Careful"),
    (500, "unknown command", "no such path", "UNSUPPORTED", "cannot"),
    (500, "script timeout", "slow", "TIMEOUT", "slow"),
    (500, "timeout", "slow", "TIMEOUT", "slow"),
    (500, "unable to capture screen", "black", "SCREENSHOT_FAILED", "black"),
    (418, "something else", "odd", "IO_ERROR", "something else"),
]
# The same of a request for a session.
START_ERRORS = [
    (500, "session not created", "New session request timed out", "DEVICE_OFFLINE",
     "in use"),
    (500, "session not created", "No nodes support the capabilities in the request",
     "DEVICE_NOT_FOUND", "no device with these capabilities"),
    (500, "session not created", "Chrome failed to start", "DEVICE_OFFLINE",
     "did not start"),
    (400, "invalid argument", "deviceName is not prefixed", "INPUT_VALIDATION_FAILED",
     "deviceName"),
]
# An operation, its arguments, the command of Appium's drivers for Android and for iOS
# with its arguments. None: as on Android, with bundleId instead of appId.
VERBS = [
    ("launch", {"packageName": "com.shop"}, "activateApp", {"appId": "com.shop"},
     "launchApp", None),
    ("stop", {"packageName": "com.shop"}, "terminateApp", {"appId": "com.shop"},
     "terminateApp", None),
    ("apps", {}, "listApps", {}, "listApps", None),
    ("open", {"url": "shop://cart"}, "deepLink", {"url": "shop://cart"}, "deepLink",
     None),
    ("open", {"url": "shop://cart", "packageName": "com.shop"}, "deepLink",
     {"url": "shop://cart", "package": "com.shop"}, "deepLink",
     {"url": "shop://cart", "bundleId": "com.shop"}),
    ("install", {"paths": ["shop.apk"]}, "installApp", {"appPath": "FOLDER/shop.apk"},
     "installApp", {"app": "FOLDER/shop.apk"}),
    ("uninstall", {"packageName": "com.shop"}, "removeApp", {"appId": "com.shop"},
     "removeApp", None),
    ("reset", {"packageName": "com.shop", "confirm": True}, "clearApp",
     {"appId": "com.shop"}, "clearApp", None),
    ("location", {"latitude": 52.5, "longitude": 13.4}, "setGeolocation",
     {"latitude": 52.5, "longitude": 13.4}, "setSimulatedLocation", None),
    ("clipboard", {"text": "Ada"}, "setClipboard", {"content": "QWRh"},
     "setClipboard", None),
    ("clipboard", {}, "getClipboard", {}, "getClipboard", None),
    ("key", {"name": "home"}, "pressKey", {"keycode": 3}, "pressButton",
     {"name": "home"}),
    ("wake", {}, "pressKey", {"keycode": 224}, "unlock", {}),
]
# The same of WebDriverAgent without Appium: its path, its body.
AGENT = {
    "launchApp": "/wda/apps/launch", "terminateApp": "/wda/apps/terminate",
    "deepLink": "/url", "setClipboard": "/wda/setPasteboard",
    "getClipboard": "/wda/getPasteboard", "pressButton": "/wda/pressButton",
    "unlock": "/wda/unlock",
}
HOSTILE = [
    ("no JSON", b"<html>hello</html>"),
    ("no value", b"{}"),
    ("a list", b"[1,2]"),
    ("no string", b'{"value":17}'),
    ("no base64", b'{"value":"&&&&"}'),
    ("no picture", b'{"value":"aGVsbG8="}'),
    ("no end", b'{"value":"aGVs'),
    ("an escape", b'{"value":"\\u0000"}'),
    ("nothing", b""),
    ("deep", b'{"value":' + b"[" * 5000),
]


def scripts(server):
    """The scripts that were run, with their arguments."""
    return {body["script"]: body["args"] for _, path, body in server.asked
            if path == "/execute/sync"}


def actions(server):
    """The last pointers, with their steps."""
    return [body["actions"] for _, path, body in server.asked
            if path == "/actions"][-1]


def phone_test(cases, client, server):
    """Looking at a phone, and using it."""
    shot = client.do("screenshot")
    cases.check(shot["device"] == {"width": 300, "height": 600}
                and "simulatorInfo" not in shot, "a picture", shot)
    rows = client.rows()
    cases.check(rows[0].endswith("Button Buy") and "Hidden" not in str(rows),
                "elements that are displayed", rows)
    text = json.dumps(client.do("dump"))
    cases.check("hunter2" not in text, "the text of a password is not listed", text)
    tapped = client.tap("Buy")
    pointer = actions(server)[0]
    move = pointer["actions"][0]
    cases.check((move["x"], move["y"]) == (120, 130)
                and pointer["parameters"]["pointerType"] == "touch",
                "a tap reaches the middle of the button", pointer)
    cases.check(tapped.get("changed"), "and its receipt tells the change", tapped)
    client.do("key", name="back")
    cases.check(scripts(server).get("mobile: pressKey") == [{"keycode": 4}],
                "a key by its code", scripts(server))
    client.do("swipe", **{"from": {"x": 10, "y": 200}, "to": {"x": 10, "y": 20}})
    client.do("pinch", x=150, y=300, scale=2)
    cases.check(len(actions(server)) == 2, "two fingers", actions(server))
    apps = client.do("apps")
    cases.check(apps["apps"][0]["packageName"] == "com.shop", "apps", apps)
    client.do("launch", packageName="com.shop")
    cases.check(scripts(server).get("mobile: activateApp") == [{"appId": "com.shop"}],
                "launch", scripts(server))
    client.do("rotate", orientation="landscape")
    cases.check(("POST", "/orientation", {"orientation": "LANDSCAPE"})
                in server.asked, "rotate", server.asked[-4:])
    cases.check("copied" in json.dumps(client.do("clipboard")), "clipboard")
    session = server.asked[0][2]["capabilities"]["alwaysMatch"]
    cases.check(session["unhandledPromptBehavior"] == "ignore"
                and session["appium:udid"] == "R58" and
                session["appium:secret"] == "top&secret", "capabilities", session)


def error_test(cases, client, server):
    """What servers report is explained; the next call works."""
    for status, name, message, code, word in ERRORS:
        server.fails = {"/screenshot": error(status, name, message)}
        answer = client.do("screenshot")
        server.fails = {}
        cases.check(answer.get("error") == code and word in answer["message"],
                    f"{name}, {message[:20]}", answer)
    for what, body in HOSTILE:
        for path, operation in (("/screenshot", "screenshot"), ("/source", "dump")):
            server.fails = {path: (200, body)}
            answer = client.do(operation)
            cases.check(answer.get("error"), f"{path[1:]}: {what}", answer)
    server.fails = {"/screenshot": (302, b"")}
    answer = client.do("screenshot")
    cases.check("302" in answer["message"] and "another address" in
                answer["suggestion"], "redirects are not followed", answer)
    server.fails = {}
    cases.check("error" not in client.do("screenshot"), "and it still works")


def start_error_test(cases, squint, folder, *flags):
    """What a server reports instead of a session, and of a point outside."""
    server = StandIn("android")
    client = Client(squint, folder, "--webdriver", f"farm={server.url}", "-s", "farm",
                    *flags)
    for status, name, message, code, word in START_ERRORS:
        server.fails = {"/session": error(status, name, message)}
        answer = client.do("screenshot")
        cases.check(answer.get("error") == code and word in answer["message"]
                    and answer.get("suggestion"), f"session: {message}", answer)
    server.fails = {"/actions": error(500, "move target out of bounds", "x")}
    answer = client.do("tap", x=10, y=10, deviceSpace=True)
    cases.check(answer.get("error") == "INPUT_VALIDATION_FAILED" and "outside" in
                answer["message"], "a point outside", answer)
    client.end()


def alert_test(cases, client, server):
    """A dialog is told with its text, and looking does not answer it."""
    alert = error(500, "unexpected alert open", "x", data={"text": "Delete all?"})
    server.fails = {"/screenshot": alert, "/source": alert, "/actions": alert,
                    "/execute/sync": alert}
    before = len(server.asked)
    answer = client.do("screenshot")
    cases.check("Delete all?" in answer["message"], "a dialog's text", answer)
    cases.check(not [path for path in server.paths()[before:] if "alert" in path],
                "looking leaves it open", server.paths()[before:])
    client.do("key", name="escape")
    cases.check("POST /alert/dismiss" in server.paths()[before:], "escape dismisses")
    client.do("key", name="enter")
    cases.check("POST /alert/accept" in server.paths()[before:], "enter accepts")
    client.do("input", text="Ada")
    cases.check(("POST", "/alert/text", {"text": "Ada"}) in server.asked,
                "input types into a prompt", server.asked[-3:])
    server.fails = {}


def session_test(cases, client, server):
    """A session that has ended is replaced, but not by an action."""
    started = server.sessions
    server.open.clear()
    before = server.actions
    answer = client.do("tap", x=10, y=10, deviceSpace=True)
    cases.check(answer.get("error") == "DEVICE_OFFLINE" and "ended" in
                answer["message"] and server.actions == before
                and server.sessions == started,
                "an action in a session that has ended is refused", answer)
    answer = client.do("screenshot")
    cases.check("a new one" in answer.get("deviceNote", ""),
                "the next call starts another one and says so", answer)
    answer = client.do("screenshot")
    cases.check("deviceNote" not in answer and server.sessions == started + 1,
                "once", answer)
    server.open.clear()
    answer = client.do("screenshot")
    cases.check("a new one" in answer.get("deviceNote", "")
                and answer.get("_picture") and server.sessions == started + 2,
                "a look starts another one itself", answer)


def idle_test(cases, squint, folder, *flags):
    """A session ends when it was not used for some time."""
    server = StandIn("android")
    client = Client(squint, folder, "--webdriver", f"farm={server.url}", "-s",
                    "farm", "--webdriver-idle-seconds", "1", *flags)
    client.do("screenshot")
    cases.check(wait_for(lambda: not server.open), "an idle session ends",
                server.open)
    answer = client.do("screenshot")
    cases.check("a new one" in answer.get("deviceNote", "") and server.sessions == 2,
                "and starts again when it is needed", answer)
    cases.check(wait_for(lambda: not server.open), "it ends again", server.open)
    answer = client.do("tap", x=10, y=10, deviceSpace=True)
    cases.check(answer.get("error") == "DEVICE_OFFLINE" and "ended" in
                answer["message"] and not server.actions and server.sessions == 2,
                "an action after that is refused", answer)
    client.end()


def queue_test(cases, squint, folder, *flags):
    """Waiting for a device: told, without the limit of a call, and cancelled."""
    server = StandIn("android")
    server.may_start.clear()
    client = Client(squint, folder, "--webdriver", f"farm={server.url}", "-s",
                    "farm", "--timeout-ms", "1000", *flags)
    waiting = client.send("screenshot")
    told = client.receive()
    cases.check(told.get("method") == "notifications/progress"
                and "waiting for a device of farm" in told["params"]["message"],
                "a wait for a device is told", told)
    client.receive()
    server.may_start.set()
    while told.get("id") != waiting:
        told = client.receive()
    cases.check(not told["result"].get("isError"),
                "and may take longer than a call", told)
    client.end()


def late_test(cases, squint, folder, *flags):
    """A session that starts after its call, or squint, has ended is ended."""
    server = StandIn("android")
    server.status = {"ready": True, "nodes": []}
    server.may_start.clear()

    def start():
        return Client(squint, folder, "--webdriver", f'farm={server.url} '
                      '{"platformName":"Android"}', "-s", "farm", *flags)
    client = start()
    waiting = client.send("screenshot")
    client.receive()
    client.cancel(waiting)
    cases.check(wait_for(lambda: server.left), "late: a Grid hears of a cancelled wait")
    server.status = {"ready": True}
    waiting = client.send("screenshot")
    client.receive()
    client.cancel(waiting)
    waiting = client.send("screenshot")
    time.sleep(0.5)
    server.may_start.set()
    told = {}
    while told.get("id") != waiting:
        told = client.receive()
    cases.check(not told["result"].get("isError") and server.paths()[:3] ==
                ["POST /session", "DELETE /", "POST /session"],
                "late: a cancelled start ends before the next one", server.paths())
    cases.check(client.end() == 0 and not server.open and server.left == 1,
                "late: no session is left")
    for name in ("end of input", "SIGTERM"):
        server.may_start.clear()
        client = start()
        sessions = server.sessions
        client.send("screenshot")
        client.receive()
        if name == "SIGTERM":
            client.process.terminate()
        else:
            client.process.stdin.close()
        time.sleep(2)
        server.may_start.set()
        done = client.process.wait(20)
        cases.check(done == 0 and server.sessions == sessions + 1
                    and not server.open, f"late: {name}: no session is left", done,
                    server.paths())
    server.may_start.clear()
    client = start()
    client.send("screenshot")
    client.receive()
    begin = time.monotonic()
    client.process.terminate()
    done = client.process.wait(60)
    took = time.monotonic() - begin
    cases.check(done == 0 and 8 < took < 20, "late: the end waits 10 seconds at most",
                done, took)
    server.may_start.set()


def verb_test(cases, squint, folder, *flags):
    """The commands of apps, keys and the rest, as Appium's drivers name them."""
    with open(os.path.join(folder, "shop.apk"), "wb") as file:
        file.write(b"PK")
    for platform in ("android", "ios", "agent"):
        server = StandIn(platform)
        client = Client(squint, folder, "--webdriver", f"farm={server.url}", "-s",
                        "farm", "--install-from", folder, "--open-schemes", "shop",
                        *flags)
        for verb, given, name, wanted, other, others in VERBS:
            if platform != "android":
                wanted = others if others is not None else {
                    {"appId": "bundleId"}.get(key, key): value
                    for key, value in wanted.items()}
                name = other
            wanted = {key: value.replace("FOLDER", os.path.realpath(folder))
                      if isinstance(value, str) else value
                      for key, value in wanted.items()}
            server.asked.clear()
            answer = client.do(verb, **given)
            if platform == "agent" and name not in AGENT:
                cases.check(answer.get("error") == "UNSUPPORTED" and "alone" in
                            answer["message"], f"agent: no {name}", answer)
            elif platform == "agent":
                cases.check((AGENT[name], wanted) in
                            [(path, body) for _, path, body in server.asked],
                            f"agent: {AGENT[name]}", server.asked)
            else:
                cases.check(scripts(server).get("mobile: " + name) == [wanted],
                            f"{platform}: {name}", scripts(server), wanted, answer)
        client.end()


def agent_test(cases, squint, folder, *flags):
    """WebDriverAgent without Appium: a look needs no session."""
    server = StandIn("agent")
    client = Client(squint, folder, "--webdriver", f"iphone={server.url}", "-s",
                    "iphone", *flags)
    shot = client.do("screenshot")
    rows = client.rows()
    cases.check(shot["device"] == {"width": 150, "height": 300}
                and rows == ["Button Buy", "Switch:checked Gift", "TextField Name"],
                "agent: a picture and elements", shot, rows)
    cases.check(server.sessions == 0, "agent: without a session", server.asked)
    client.tap("Buy")
    move = actions(server)[0]["actions"][0]
    cases.check((move["x"], move["y"]) == (60, 65) and server.sessions == 1
                and ("POST", "/session", {"capabilities": {"alwaysMatch": {}}})
                in server.asked, "agent: a tap starts one", server.asked)
    cases.check([body["settings"]["animationCoolOffTimeout"] for _, path, body in
                 server.asked if path == "/appium/settings"] == [0],
                "agent: which does not wait for animations")
    client.do("input", text="Ada")
    cases.check(("POST", "/wda/keys", {"value": ["Ada"]}) in server.asked,
                "agent: input types", server.asked[-4:])
    client.end()
    cases.check(not server.open, "agent: no session is left", server.open)


def ios_test(cases, client, server):
    """An iPhone: points and pixels differ."""
    shot = client.do("screenshot")
    cases.check(shot["device"] == {"width": 150, "height": 300}
                and shot["image"]["height"] == 600, "points, not pixels", shot)
    rows = client.rows()
    cases.check(rows == ["Button Buy", "Switch:checked Gift", "TextField Name"],
                "elements of XCUITest", rows)
    client.tap("Buy")
    move = actions(server)[0]["actions"][0]
    cases.check((move["x"], move["y"]) == (60, 65), "a tap in points", move)
    client.do("input", text="Ada")
    cases.check(("POST", "/element/e1/value", {"text": "Ada"}) in server.asked,
                "text into the active element", server.asked[-4:])
    client.do("key", name="home")
    cases.check(scripts(server).get("mobile: pressButton") == [{"name": "home"}],
                "a button", scripts(server))


def classic_test(cases, squint, folder, *flags):
    """A browser that only speaks the protocol, as Firefox does."""
    server = StandIn("firefox")
    client = Client(squint, folder, "--webdriver", f"fox={server.url}", "-s", "fox",
                    *flags)
    shot = client.do("screenshot")
    cases.check(shot["device"] == {"width": 300, "height": 600}, "a page", shot)
    asked = server.asked[0][2]["capabilities"]["alwaysMatch"]
    cases.check(asked["pageLoadStrategy"] == "eager" and asked["timeouts"] ==
                {"pageLoad": 20000, "script": 10000}, "waits for pages are short", asked)
    rows = client.rows()
    cases.check(rows == ["button Buy", "button Accept"],
                "elements of the page and of a frame of another origin", rows)
    cases.check(server.frame is None and not
                [path for path in server.paths() if "goog" in path],
                "by commands of the protocol, which leave the frame", server.paths())
    client.tap("Accept")
    move = actions(server)[0]["actions"][0]
    cases.check((move["x"], move["y"]) == (75, 325), "a tap in the frame", move)
    for word, error_code, more in (("gone", "STALE_ELEMENT_INDEX", 0),
                                   ("unknown", None, 1), ("aimed", None, 1)):
        server.words = {"aim": word}
        before = server.actions
        answer = client.tap("Buy")
        cases.check(answer.get("error") == error_code
                    and server.actions == before + more,
                    f"a tap on what the page calls {word}", answer)
    server.fails = {"/frame": error(404, "no such frame", "gone")}
    cases.check(client.rows() == ["button Buy"], "a frame that is gone is left out")
    server.fails = {"/frame/parent": error(500, "unknown error", "odd")}
    cases.check(client.rows() == ["button Buy", "button Accept"]
                and server.frame is None, "commands go to the page again")
    client.end()


def world_test(cases, squint, folder, *flags):
    """A Chromium, in which squint has a world of scripts of its own."""
    server = StandIn("chrome")
    client = Client(squint, folder, "--webdriver", f"web={server.url}", "-s", "web",
                    *flags)
    index = int(client.do("dump")["elements"][0].split(" ")[0])
    cases.check(index == 2, "world: an index is the node's id", index)
    client.do("tap", elementIndex=index, durationMs=500)
    steps = actions(server)[0]["actions"]
    cases.check([step.get("button") for step in steps] == [None, 2, None, 2]
                and steps[2]["duration"] == 0, "world: a long press is the right button",
                steps)
    client.do("tap", elementIndex=index, numberOfTaps=0)
    cases.check(len(actions(server)[0]["actions"]) == 1, "world: the mouse hovers")
    before = server.actions
    for word, what in (("gone", "not exist"), ("unknown", "not exist")):
        server.words = {"aim": word}
        answer = client.do("tap", elementIndex=index)
        cases.check(answer.get("error") == "STALE_ELEMENT_INDEX" and what in
                    answer["message"] and server.actions == before,
                    f"world: {word}: nothing is clicked", answer)
    server.words = {"aim": "done"}
    answer = client.do("tap", elementIndex=index)
    cases.check("error" not in answer and server.actions == before,
                "world: an option is chosen without a click", answer)
    server.words = {"landed": "elsewhere"}
    answer = client.do("tap", elementIndex=index)
    cases.check(answer.get("error") == "STALE_ELEMENT_INDEX" and "stopped" in
                answer["message"], "world: a click elsewhere is told", answer)
    for word, error_code, said in (("set", None, ""), ("none", "INVALID_OPERATION", "focus"),
                                   ("!It has: A, B", "INPUT_VALIDATION_FAILED", "A, B"),
                                   ("file", "UNSUPPORTED", "files")):
        server.words = {"enter": word}
        before = server.actions
        answer = client.do("input", text="A")
        cases.check(answer.get("error") == error_code and said in
                    answer.get("message", "") and server.actions == before,
                    f"world: a field says {word}", answer)
    server.words = {}
    client.do("input", text="x", clear=True)
    focus = [body for _, path, body in server.asked if path == "/execute/sync"][-1]
    cases.check("focus()" in focus["script"] and list(focus["args"][0].values()) == ["e1"]
                and "POST /element/e1/clear" in server.paths(),
                "world: a field that is cleared has the focus again", focus)
    client.do("swipe", **{"from": {"x": 10, "y": 200}, "to": {"x": 90, "y": 200}},
              durationMs=600)
    pointer = actions(server)[0]
    cases.check(pointer["parameters"]["pointerType"] == "mouse" and
                [step["type"] for step in pointer["actions"]] ==
                ["pointerMove", "pointerDown", "pointerMove", "pointerUp"],
                "world: a slow swipe drags with the mouse", pointer)
    server.opens_tab = True
    answer = client.do("tap", elementIndex=index)
    cases.check(server.tab == "t2" and "tab.t2" in answer.get("note", ""),
                "world: a tab that a tap opens is shown and told", answer, server.tab)
    server.fails = {"/goog/cdp/execute": error(404, "unknown command", "no such")}
    rows = client.rows()
    answer = client.tap("Buy")
    cases.check("button Accept" in rows and "error" not in answer,
                "world: without it the commands of the protocol are used", rows, answer)
    client.end()


def list_test(cases, squint, folder, server):
    """squint devices: free slots, and what cannot be used."""
    def slot(name, session):
        return {"stereotype": {"browserName": "chrome", "squint:name": name},
                "session": session}
    grid = StandIn("android")
    grid.status = {"ready": True, "nodes": [
        {"availability": "UP", "slots": [slot("desk a", None), slot("desk a", {})]},
        {"availability": "DOWN", "slots": [slot("gone", None)]}]}
    flags = [word for entry in (
        f"grid={grid.url}", "down=http://127.0.0.1:1", f"ok={server.url}/",
        "env=http://u:${SQUINT_NOT_SET}@127.0.0.1:1", "bad=ftp://127.0.0.1")
        for word in ("--webdriver", entry)]
    start = time.monotonic()
    done = subprocess.run([squint, "devices", "--json", *flags], cwd=folder,
                          capture_output=True, text=True, check=False,
                          env=dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder))
    took = time.monotonic() - start
    found = {device["id"]: device for device in json.loads(done.stdout)["devices"]}
    cases.check("1 of 2 free, 1 waiting" in found["grid/desk-a"]["name"]
                and "grid/gone" not in found, "slots of a Grid", done.stdout)
    cases.check(found["ok"]["state"] == "online"
                and found["down"]["state"] == "offline"
                and "SQUINT_NOT_SET" in json.dumps(found["env"])
                and "http" in json.dumps(found["bad"]), "states", done.stdout)
    cases.check(took < 20, "does not wait for those that are down", took)
    grid.status["nodes"][0]["slots"][1]["stereotype"]["browserVersion"] = "9"
    client = Client(squint, folder, "--webdriver", f"grid={grid.url}", "-s",
                    "grid/desk-a", "--adb-server", "off")
    client.do("info")
    asked = grid.asked[0][2]["capabilities"]["alwaysMatch"]
    cases.check(asked["squint:name"] == "desk a" and "browserVersion" not in asked,
                "slots of one name: what they have in common is asked for", asked)
    client.end()
    grid.status["nodes"] = [{"availability": "UP", "slots": [
        slot(f"p{i}", None) for i in range(210)]}]
    found = listed(squint, folder, "--webdriver", f"grid={grid.url}")
    cases.check("grid/p199" in found and "10 slots are not listed"
                in found["grid"]["name"], "a Grid of 210 phones", found.get("grid"))


def listed(squint, folder, *flags, **env):
    """What squint devices says about each device, by its id."""
    done = subprocess.run([squint, "devices", "--json", *flags], cwd=folder,
                          capture_output=True, text=True, check=False,
                          env=dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder,
                                   **env))
    return {device["id"]: device for device in json.loads(done.stdout)["devices"]}


def name_test(cases, squint, folder, *flags):
    """Names that are taken, URLs that are none, capabilities of a flag."""
    server, other = StandIn("android"), StandIn("android")
    found = listed(squint, folder, *flags, *(word for entry in (
        f"a={server.url}", f"a={other.url}", f"demo={other.url}",
        f"q={other.url}?x=1", f"b b={other.url}") for word in ("--webdriver", entry)))
    cases.check(found["a"]["state"] == "unusable" and "name" in found["a"]["why"]
                and found["demo"]["state"] == "unusable"
                and not server.looks + other.looks, "a name that is taken", found)
    cases.check('"?"' in found["q"]["why"] and "letters" in
                found["webdriver5"]["hint"], "a URL that is none", found)
    client = Client(squint, folder, "--webdriver", f"a={server.url} "
                    '{"platformName":"Android","x:args":["1,2",{"y":"}"}]}', "-s", "a",
                    *flags)
    client.do("screenshot")
    asked = server.asked[0][2]["capabilities"]["alwaysMatch"]
    cases.check(asked["platformName"] == "Android"
                and asked["x:args"] == ["1,2", {"y": "}"}],
                "capabilities with commas in a flag", asked)
    looks = server.looks
    for _ in range(3):
        client.do("info")
    cases.check(server.looks == looks, "an open device is not looked for again")
    client.end()
    for reply, state, word in (
            ((401, b"no"), "unauthorized", "401"),
            ((407, b"no"), "unauthorized", "407"),
            (error(401, "unknown error", "who?"), "unauthorized", "401"),
            (error(404, "unknown command", "no such path"), "online", "not tell"),
            ((200, b"<html>"), "online", "not tell"),
            ((200, {"value": {"ready": False}}), "online", "in use")):
        server.fails = {"/status": reply}
        found = listed(squint, folder, *flags, "--webdriver", f"a={server.url}")["a"]
        cases.check(found["state"] == state and word in json.dumps(found),
                    f"devices: status {reply[0]}, {word}", found)
    server.fails["/session"] = error(404, "unknown command", "no such path")
    client = Client(squint, folder, "--webdriver", f"a={server.url}", "-s", "a", *flags)
    answer = client.do("screenshot")
    cases.check("/wd/hub" in answer.get("suggestion", ""), "a wrong path", answer)
    client.end()


def once_test(cases, squint, folder, *flags):
    """A command without an answer is not sent again: it may have been carried out."""
    server = StandIn("android")
    client = Client(squint, folder, "--webdriver", f"a={server.url}", "-s", "a", *flags)
    client.do("screenshot")
    server.drops = {"actions"}
    answer = client.do("tap", x=10, y=10, deviceSpace=True)
    server.drops = set()
    cases.check(answer.get("error") == "DEVICE_OFFLINE" and "may have" in
                answer["suggestion"] and server.actions == 1,
                "a tap without an answer happens once", answer, server.actions)
    cases.check("error" not in client.do("screenshot"), "and the next call works")
    client.end()


def tab_test(cases, squint, folder, *flags):
    """A tab that closes itself, and the last one."""
    server = StandIn("firefox")
    server.tabs.append("t2")
    client = Client(squint, folder, "--webdriver", f"fox={server.url}", "-s", "fox",
                    *flags)
    apps = client.do("apps")["apps"]
    client.do("launch", packageName=apps[1]["packageName"])
    cases.check(server.tab == "t2", "a tab is shown by its name", apps)
    server.tabs.remove("t2")
    answer = client.do("screenshot")
    cases.check("tab was closed" in answer.get("message", "") and server.tab == "t1"
                and "another tab" in answer["suggestion"], "a closed tab is named", answer)
    cases.check("_picture" in client.do("screenshot") and server.sessions == 1,
                "and its session goes on in another tab", server.paths())
    server.tabs.clear()
    answer = client.do("tap", x=10, y=10, deviceSpace=True)
    cases.check(answer.get("error") == "DEVICE_OFFLINE" and not server.open,
                "without a tab the session is ended", answer, server.open)
    server.tabs.append("t1")
    client.do("screenshot")
    server.fails = {"/execute/sync": error(500, "unknown error", "session deleted "
                                           "because of page crash")}
    client.do("tap", x=10, y=10, deviceSpace=True)
    cases.check(not server.open, "a session whose page crashed gives its slot back",
                server.open)
    server.fails = {}
    server.tabs.append("t3")
    client.do("stop", packageName="tab.t1")
    cases.check("DELETE /window" in server.paths() and server.tab == "t3",
                "a tab is closed by its name", server.paths(), server.tab)
    client.end()


def slow_test(cases, squint, folder, *flags):
    """Every reply is half a second late."""
    server = StandIn("android")
    server.late = 0.5
    found = listed(squint, folder, *flags, *(word for i in range(6) for word in
                                             ("--webdriver", f"a{i}={server.url}")))
    cases.check(all(found[f"a{i}"]["state"] == "online" for i in range(6)),
                "slow: devices", found)
    client = Client(squint, folder, "--webdriver", f"a={server.url}", "-s", "a", *flags)
    answers = [client.do("screenshot"), client.tap("Buy"), client.rows()]
    cases.check("_picture" in answers[0] and answers[1].get("tapped")
                and "Button Buy" in answers[2][0], "slow: calls work", answers)
    server.late = 0
    client.end()
    cases.check(not server.open, "slow: no session is left", server.open)


def walk_test(cases, squint, folder, *flags):
    """The script that lists a page, as it is sent, in a real Chromium."""
    chromium = shutil.which("chromium")
    if not chromium:
        cases.check(True, "the walk over a page # SKIP no Chromium")
        return
    server = StandIn("firefox")
    client = Client(squint, folder, "--webdriver", f"fox={server.url}", "-s", "fox",
                    *flags)
    client.rows()
    client.end()
    script = next(body["script"] for _, path, body in server.asked
                  if path == "/execute/sync" and "walk.list" in body["script"]
                  and len(body["script"]) > 5000)
    page = os.path.join(folder, "walk.html")
    with open(page, "w", encoding="utf-8") as file:
        file.write("<!doctype html><title>x</title><button>Buy</button><script>"
                   "document.title=JSON.stringify((function(){" + script
                   + "})())</script>")
    done = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu",
                           "--user-data-dir=" + os.path.join(folder, "profile"),
                           "--dump-dom", "file://" + page], capture_output=True,
                          text=True, check=False, timeout=120)
    title = done.stdout.partition("<title>")[2].partition("</title>")[0]
    cases.check('"button"' in title and '"Buy"' in title,
                "the walk over a page works in a Chromium", title, done.stdout[-300:])


def peak_mib(process):
    """The most memory that a process has used."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) // 1024 for line in file
                    if line.startswith("VmHWM"))


def hostile_test(cases, squint, folder, *flags):
    """Endless and broken answers cost a bounded time and memory."""
    for kind, code, word in (
            ("endless", "LIMIT_EXCEEDED", "more than"), ("headers", "DEVICE_OFFLINE", ""),
            ("reset", "DEVICE_OFFLINE", "without an answer"),
            ("drip", "TIMEOUT", ""), ("silence", "TIMEOUT", "")):
        server = Hostile(kind)
        client = Client(squint, folder, "--webdriver", f"odd={server.url}", "-s",
                        "odd", "--timeout-ms", "2000", *flags)
        before = peak_mib(client.process)
        start = time.monotonic()
        answer = client.do("screenshot")
        took = time.monotonic() - start
        grown = peak_mib(client.process) - before
        # A busy machine may need all its time for the many bytes.
        cases.check(answer.get("error") == "TIMEOUT" or answer.get("error") == code
                    and word in answer["message"], f"hostile: {kind} is named", answer)
        cases.check(took < 30 and grown < 200, f"hostile: {kind} is bounded", took,
                    grown, server.sent)
        cases.check("error" not in client.do("screenshot", deviceId="demo"),
                    f"hostile: {kind}, other devices work")
        client.end()


def bad_entry_test(cases, squint, folder, *flags):
    """What is wrong with an endpoint is named, without its secret."""
    env = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder)
    locked = StandIn("android")
    locked.fails = {"/session": (401, b"who are you?"), "/status": (401, b"no")}
    address = locked.url.replace("http://", "http://ada:${SQUINT_FARM_KEY}@")
    for entry, word in (
            ("x=http://ada:${SQUINT_FARM_KEY}@[::1", "malformed"),
            ("x=ftp://ada:${SQUINT_FARM_KEY}@127.0.0.1", "http://"),
            ("x=http://ada:${SQUINT_NOT_SET}@127.0.0.1:1", "SQUINT_NOT_SET"),
            ("x=http://ada:${SQUINT_FARM_KEY}@127.0.0.1:1", "cannot be reached"),
            ("x=http://127.0.0.1:1 {${SQUINT_FARM_KEY}", "no JSON object"),
            (f"x={address}", "401")):
        done = subprocess.run(
            [squint, "screenshot", "-s", "x", "--webdriver", entry, *flags],
            cwd=folder, env=env, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        cases.check(done.returncode != 0 and word in said and "top&secret" not in said,
                    f"{word}: named", said)
    done = subprocess.run(
        [squint, "screenshot", "-s", "demo", "--webdriver",
         "x=http://ada:${SQUINT_NOT_SET}@127.0.0.1:1", *flags],
        cwd=folder, env=env, capture_output=True, text=True, check=False)
    cases.check(done.returncode == 0, "other devices are unaffected", done.stderr)


def library_test(cases, squint, folder, *flags):
    """Without libcurl other devices work, and doctor says what is missing."""
    libraries = os.path.join(folder, "libraries")
    os.mkdir(libraries)
    for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
        with open(os.path.join(libraries, name), "wb"):
            pass  # the loader finds it first, and cannot use it
    server = StandIn("android")

    def run(*words, path=""):
        env = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder,
                   LD_LIBRARY_PATH=path + ":" + os.environ.get("LD_LIBRARY_PATH", ""))
        done = subprocess.run([squint, *words, "--webdriver", f"x={server.url}",
                               *flags], cwd=folder, env=env, capture_output=True,
                              text=True, check=False)
        return done.stdout + done.stderr
    cases.check("libcurl/" in run("doctor"), "doctor: libcurl is there")
    said = run("doctor", path=libraries)
    cases.check("libcurl is not installed" in said and "apt-get install libcurl4"
                in said, "doctor: libcurl is missing", said)
    said = run("screenshot", "-s", "x", path=libraries)
    cases.check("libcurl is not installed" in said and not server.asked,
                "a call without libcurl", said)
    cases.check("demo" in run("devices", path=libraries)
                and "libcurl" not in run("screenshot", "-s", "demo", path=libraries),
                "other devices need none")


def secret_test(cases, squint, folder, *flags):
    """A wrong password: named, and shown nowhere."""
    server = StandIn("android")
    server.fails = {"/session": (401, b"who are you?")}
    url = server.url.replace("http://", "http://ada:${SQUINT_FARM_KEY}@")
    client = Client(squint, folder, "--webdriver", f"farm={url}", "-s", "farm",
                    *flags)
    answer = json.dumps(client.do("screenshot"))
    cases.check("401" in answer and "top&secret" not in answer and "ada" not in answer,
                "a wrong password is named, not shown", answer)
    client.end()
    os.environ["SQUINT_FARM_KEY"] = 'p@ss/w"rd:\\'
    server.fails = {}
    journal = os.path.join(folder, "journals", "")
    os.mkdir(journal)
    client = Client(squint, folder, "--webdriver",
                    f'farm={url} {{"appium:key":"${{SQUINT_FARM_KEY}}"}}', "-s",
                    "farm", "--journal", journal, *flags)
    client.do("devices")
    client.do("screenshot")
    server.open.clear()
    client.do("tap", x=10, y=10, deviceSpace=True)
    asked = server.asked[-1:] and [body for _, path, body in server.asked
                                   if path == "/session"][-1]
    cases.check(base64.b64decode(server.authorization[6:]) == b'ada:p@ss/w"rd:\\'
                and asked["capabilities"]["alwaysMatch"]["appium:key"]
                == 'p@ss/w"rd:\\', "a password of any characters arrives",
                server.authorization, asked)
    client.end()
    password = os.environ["SQUINT_FARM_KEY"]
    forms = [password, urllib.parse.quote(password, safe=""),
             urllib.parse.quote(password, safe="").lower(), json.dumps(password)[1:-1],
             json.dumps(json.dumps(password))[3:-3], "p@ss\\/w\\u0022rd:\\u005c",
             base64.b64encode(f"ada:{password}".encode()).decode()]
    client = Client(squint, folder, "--webdriver",
                    f'farm={url} {{"appium:key":"${{SQUINT_FARM_KEY}}"}}', "-s",
                    "farm", "--journal", journal, *flags)
    for form in forms:
        server.fails = {"/session": error(500, "session not created",
                                          f"{'x' * 130} <{form}>")}
        said = client.do("screenshot")["message"]
        cases.check(said.endswith("x <***>"), "a server that repeats the password "
                    f"is not quoted: {form}", said)
    client.end()
    written = b""
    for path in glob.glob(journal + "*"):
        with open(path, "rb") as file:
            written += file.read()
    cases.check(b"screenshot" in written and b"p@ss" not in written and b"p%40ss"
                not in written, "and is in no journal", written[:600])
    os.environ["SQUINT_FARM_KEY"] = "top&secret"


def status_test(cases, squint, folder, *flags):
    """A server that does not tell its status is used nevertheless."""
    server = StandIn("android")
    server.fails = {"/status": (404, b"not here")}
    client = Client(squint, folder, "--webdriver", f"odd={server.url}", "-s", "odd",
                    *flags)
    answer = client.do("screenshot")
    cases.check("_picture" in answer, "a server without a status", answer)
    client.end()


def tls_test(cases, squint, folder, *flags):
    """A certificate that no authority signed: named, and nothing is sent."""
    bundle = os.path.join(folder, "server.pem")
    if not shutil.which("openssl") or not os.path.exists(
            "/etc/ssl/certs/ca-certificates.crt"):
        cases.check(True, "a bad certificate # SKIP no openssl, or no certificates")
        return
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes",
                    "-keyout", bundle, "-out", bundle + ".crt", "-subj",
                    "/CN=127.0.0.1", "-days", "2"], check=True, capture_output=True)
    with open(bundle, "a", encoding="ascii") as file, \
            open(bundle + ".crt", encoding="ascii") as part:
        file.write(part.read())
    server = StandIn("android", bundle)
    client = Client(squint, folder, "--webdriver", f"tls={server.url}", "-s", "tls",
                    *flags)
    answer = client.do("screenshot")
    cases.check("not trusted" in json.dumps(answer) and not server.asked,
                "a bad certificate", answer)
    client.end()


def main():
    """Run all tests."""
    squint = os.path.abspath(sys.argv[1])
    os.environ["SQUINT_FARM_KEY"] = "top&secret"
    cases = Cases()
    no_adb = ["--adb-server", "off"]
    with tempfile.TemporaryDirectory() as folder:
        phone, tablet = StandIn("android"), StandIn("ios")
        wish = json.dumps({"platformName": "Android", "appium:udid": "R58",
                           "appium:secret": "${SQUINT_FARM_KEY}"})
        config = os.path.join(folder, "farm.yml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"webdriver:\n  endpoints:\n    - 'phone={phone.url} {wish}'\n"
                       f"    - 'tablet={tablet.url}'\n")
        client = Client(squint, folder, "--config", config, "-s", "phone", *no_adb)
        for test in (phone_test, error_test, alert_test, session_test):
            test(cases, client, phone)
        client.end()
        cases.check(not phone.open, "no session is left", phone.open)
        client = Client(squint, folder, "--config", config, "-s", "tablet", *no_adb)
        ios_test(cases, client, tablet)
        client.end()
        list_test(cases, squint, folder, phone)
        for test in (secret_test, status_test, tls_test, classic_test, world_test,
                     idle_test,
                     queue_test, late_test, verb_test, agent_test,
                     start_error_test,
                     hostile_test, bad_entry_test, library_test, name_test,
                     once_test, tab_test, slow_test, walk_test):
            test(cases, squint, folder, *no_adb)
    cases.end()


if __name__ == "__main__":
    main()
