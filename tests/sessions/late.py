#!/usr/bin/env python3
"""late.py SQUINT: apps that react after the receipt of an action; TAP.

A server looks on between two calls. Its next answer begins with what it saw,
whatever that answer is about.
"""

import pathlib
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import run_all
from squint_server import SLOWNESS_NAME, Server

REACTION_MS = 1500
SLOWNESS = 2  # the clock of the server
ATTEMPTS = 5  # on a busy machine the server may not get to look in time


def start(squint):
    """A server with a phone whose apps react late."""
    server = Server([squint, "mcp", "--demo-reaction", str(REACTION_MS)],
                    env={SLOWNESS_NAME: str(SLOWNESS)})
    server.initialize()
    return server


def tap_late(server):
    """Open an app; returns whether the receipt was too early to see it."""
    server.ui("key", key="HOME", receipt="none")
    time.sleep(SLOWNESS * 0.3)
    receipt = server.ui("tap", selector={"text": "Settings"})
    return receipt.get("changed", 0) is None


def later_change_has_a_time(squint):
    """What is seen between two calls is reported once, with its time."""
    with start(squint) as server:
        for _ in range(ATTEMPTS):
            is_early = tap_late(server)
            time.sleep(SLOWNESS * 2.0)
            answer = server.ui("clipboard")
            late = answer.get("sinceLastAction", {})
            if late.get("afterMs", REACTION_MS) < REACTION_MS:
                raise AssertionError(f"earlier than the phone: {answer}")
            if not is_early or "afterMs" not in late:
                continue
            if next(iter(answer)) != "sinceLastAction":
                raise AssertionError(f"not first: {answer}")
            if "sinceLastAction" in server.ui("screenshot", size="thumb"):
                raise AssertionError("reported twice")
            return
    raise AssertionError("never seen")


def calls_go_first(squint):
    """Calls during the watch are answered, in order."""
    with start(squint) as server:
        tap_late(server)
        first = server.next_id
        for number in range(first, first + 8):
            server.send({"jsonrpc": "2.0", "id": number,
                         "method": "tools/call",
                         "params": {"name": "ui", "arguments": {
                             "operation": "screenshot", "size": "thumb"}}})
        server.next_id += 8
        for number in range(first, first + 8):
            answer = server.receive()
            if answer.get("id") != number or "result" not in answer:
                raise AssertionError(f"call {number}: {answer}")


def end_of_input_ends_the_watch(squint):
    """The server ends without an error while it watches."""
    for pause in (0, 0.1, 0.5):
        with start(squint) as server:
            tap_late(server)
            time.sleep(pause)
            server.timeout = 30
            if server.close() != 0:
                raise AssertionError(server.stderr_text())


CASES = (later_change_has_a_time, calls_go_first, end_of_input_ends_the_watch)


if __name__ == "__main__":
    sys.exit(run_all(CASES, sys.argv[1]))
