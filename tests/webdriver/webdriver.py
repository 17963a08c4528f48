#!/usr/bin/env python3
"""webdriver.py SQUINT: devices that a WebDriver server lends, with a server of this
test. scripts/farm does the same with real servers.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from stand_in import StandIn, error

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "http"), os.path.join(HERE, "..", "browser")]
from served import Cases  # pylint: disable=wrong-import-position
from browser import Client  # pylint: disable=wrong-import-position

# Status, error of the protocol, its message, the code of our answer, a word of it.
ERRORS = [
    (500, "unknown error", "Unable to execute request for an existing session: "
     "Connection refused", "DEVICE_OFFLINE", "node"),
    (404, "invalid session id", "session s1 was closed; the node was removed",
     "DEVICE_OFFLINE", "has ended"),
    (500, "unexpected alert open", "alert: Careful", "INVALID_OPERATION", "Careful"),
    (500, "unknown command", "no such path", "UNSUPPORTED", "cannot"),
    (500, "script timeout", "slow", "TIMEOUT", "slow"),
    (500, "timeout", "slow", "TIMEOUT", "slow"),
    (500, "unable to capture screen", "black", "SCREENSHOT_FAILED", "black"),
    (418, "something else", "odd", "IO_ERROR", "something else"),
]
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
    cases.check(shot["device"] == {"width": 300, "height": 600}, "a picture", shot)
    rows = client.rows()
    cases.check(rows[0].endswith("Button Buy"), "elements", rows)
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
    cases.check("302" in answer["message"], "redirects are not followed", answer)
    server.fails = {}
    cases.check("error" not in client.do("screenshot"), "and it still works")


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
    """A session that has ended is named, and replaced by the next call."""
    started = server.sessions
    server.open.clear()
    answer = client.do("screenshot")
    cases.check(answer.get("error") == "DEVICE_OFFLINE" and "ended" in
                answer["message"], "a session that has ended is named", answer)
    answer = client.do("screenshot")
    cases.check("error" not in answer and server.sessions == started + 1,
                "the next call starts another one", answer)


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
        secret_test(cases, squint, folder, *no_adb)
    cases.end()


if __name__ == "__main__":
    main()
