#!/usr/bin/env python3
"""policy.py SQUINT: the limits for agents, on the demo phone; TAP."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import run_all
from squint_server import CLIENT, LEGACY, Server

SQUINT = sys.argv[1]
SHOP = "com.squint.demo.shop"


def text_of(result):
    """The first text of a result."""
    return next(b["text"] for b in result["content"] if b["type"] == "text")


def serve(*options):
    """A server that has been greeted by a client without abilities."""
    server = Server([SQUINT, "mcp", *options])
    server.initialize()
    return server


def refused(server, words, operation, **arguments):
    """The call fails and says these words."""
    result = server.call("ui", operation=operation, **arguments)
    assert result["isError"], (operation, result)
    assert words in text_of(result), text_of(result)


def denied_operations_are_gone():
    """They are neither listed nor done, alone or as a step."""
    with serve("--deny", "tap,visual_snapshot") as server:
        tools = server.request("tools/list")["result"]["tools"]
        names = next(t for t in tools if t["name"] == "ui")["inputSchema"][
            "properties"]["operation"]["enum"]
        assert "tap" not in names and "visual-snapshot" not in names, names
        assert "input" in names, names
        refused(server, "--deny", "tap", x=5, y=5)
        refused(server, "--deny", "steps",
                steps=[{"operation": "tap", "x": 5, "y": 5}])


def unknown_operations_are_mistakes():
    """A server with a typo in its limits does not start."""
    server = Server([SQUINT, "mcp", "--deny", "tapp"])
    assert server.process.wait(60) == 2
    assert "names no operation" in server.stderr_text()


def other_devices_are_refused():
    """Also for looking."""
    with serve("--allow-device", "emulator-5554") as server:
        refused(server, "--allow-device", "screenshot")
    with serve("--allow-device", "demo") as server:
        server.ui("screenshot")


def actions_need_an_allowed_app():
    """Launching one leads there, and leaving it ends the right."""
    with serve("--allow-app", SHOP) as server:
        refused(server, "the app in front is", "tap", x=5, y=5,
                deviceSpace=True)
        refused(server, "--allow-app", "launch",
                packageName="com.squint.demo.login")
        server.ui("launch", packageName=SHOP)
        server.ui("tap", x=5, y=5, deviceSpace=True)
        refused(server, "--allow-app", "steps", steps=[
            {"operation": "key", "name": "home"},
            {"operation": "tap", "x": 5, "y": 5, "deviceSpace": True}])
        refused(server, "the app in front is", "tap", x=5, y=5,
                deviceSpace=True)
        server.ui("screenshot")


def actions_are_counted():
    """Looks are not; the refusal says how long to wait."""
    with serve("--max-actions-per-minute", "2") as server:
        for _ in range(2):
            server.ui("tap", x=5, y=5, deviceSpace=True)
            server.ui("screenshot")
        refused(server, "--max-actions-per-minute", "tap", x=5, y=5,
                deviceSpace=True)
        server.ui("screenshot")


def a_client_that_cannot_ask_is_refused():
    """And so is every operation that a person must confirm."""
    with serve("--confirm", "tap,key=person") as server:
        refused(server, "cannot ask", "tap", x=5, y=5, deviceSpace=True)
        refused(server, "no inspector runs", "key", name="home")
        refused(server, "must be confirmed", "steps", steps=[
            {"operation": "tap", "x": 5, "y": 5, "deviceSpace": True}])
        server.ui("screenshot")


def tap_with_answer(server, action):
    """Tap, and answer the question of the server."""
    server.send({"jsonrpc": "2.0", "id": 900, "method": "tools/call",
                 "params": {"name": "ui", "arguments": {
                     "operation": "tap", "x": 5, "y": 5,
                     "deviceSpace": True}}})
    asked = 0
    while True:
        message = server.receive()
        if message.get("method") == "elicitation/create":
            asked += 1
            assert "tap" in message["params"]["message"], message
            server.send({"jsonrpc": "2.0", "id": message["id"],
                         "result": {"action": action, "content": {}}})
        elif message.get("id") == 900:
            assert asked == 1, asked
            return message["result"]


def the_user_decides():
    """An accepted call is done, a declined one is not."""
    server = Server([SQUINT, "mcp", "--confirm", "tap"])
    with server:
        server.request("initialize", {
            "protocolVersion": LEGACY, "capabilities": {"elicitation": {}},
            "clientInfo": CLIENT})
        server.send({"jsonrpc": "2.0",
                     "method": "notifications/initialized"})
        result = tap_with_answer(server, "accept")
        assert not result["isError"], result
        assert "tapped" in json.loads(text_of(result)), result
        for action in ("decline", "cancel"):
            result = tap_with_answer(server, action)
            assert result["isError"], result
            assert "did not confirm" in text_of(result), result


def reading_may_be_extended():
    """info is read-only; logs are private unless they are allowed."""
    with serve("--read-only") as server:
        server.ui("info")
        refused(server, "read-only", "logs")
    with serve("--read-only", "--allow-read", "logs") as server:
        refused(server, "demo devices cannot", "logs")
        refused(server, "read-only", "notifications")
        refused(server, "read-only", "tap", x=5, y=5)


CASES = (denied_operations_are_gone, unknown_operations_are_mistakes,
         other_devices_are_refused, actions_need_an_allowed_app,
         actions_are_counted, a_client_that_cannot_ask_is_refused,
         the_user_decides, reading_may_be_extended)

if __name__ == "__main__":
    sys.exit(run_all(CASES))
