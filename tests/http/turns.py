#!/usr/bin/env python3
"""turns.py SQUINT: several clients use one device of one server."""
import json
import re
import signal
import sys
import threading
import time

from served import PATIENCE, Cases, Log, Server

LATE = {"operation": "wait", "text": "Mobile data", "timeoutMs": 60000}
REST_MS = 2000
MODERN = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


class Client:
    """A legacy client with a session of its own."""

    def __init__(self, server, capabilities=None):
        self.server = server
        self.session = server.initialize(capabilities=capabilities)
        self.last_id = 0

    def call_bytes(self, arguments, **params):
        """The bytes of a call of ui."""
        self.last_id += 1
        return self.server.legacy_bytes(self.session, {
            "jsonrpc": "2.0", "id": self.last_id, "method": "tools/call",
            "params": {"name": "ui", "arguments": arguments, **params}})

    def send(self, arguments, **params):
        """Send a call; return the connection on which its answer arrives."""
        connection = self.server.connect()
        connection.send(self.call_bytes(arguments, **params))
        return connection

    def ui(self, **arguments):
        """Call ui; return the JSON of the answer."""
        connection = self.send(arguments)
        try:
            return reply_of(connection.read_answer())
        finally:
            connection.close()


def reply_of(answer):
    """The JSON text of a tool's result."""
    result = answer.json()["result"]
    for block in result["content"]:
        if block["type"] == "text":
            return json.loads(block["text"])
    return result


def check_wait(cases, server):
    """Others look and act while one client waits."""
    waiting, acting = Client(server), Client(server)
    waiting.ui(operation="screenshot")
    late = waiting.send(LATE)
    seen = acting.ui(operation="screenshot")
    cases.check("screenshotId" in seen and "otherClientActed" not in seen,
                "a client looks while another waits", seen)
    opened = acting.ui(operation="launch", packageName="Settings")
    cases.check("otherClientActed" not in opened, "and acts", opened)
    found = reply_of(late.read_answer())
    cases.check(found.get("found") is True
                and found.get("otherClientActed") is True,
                "the wait sees what the other did, and says so", found)
    after = waiting.ui(operation="screenshot")
    cases.check("otherClientActed" not in after, "once", after)
    late.close()


def rest_after_action(server):
    """Act without a visible change while another client waits for rest; return
    its answer, and how long after the action it came."""
    waiting, acting = Client(server), Client(server)
    waiting.ui(operation="key", name="home")
    late = waiting.send({"operation": "wait", "stableMs": REST_MS,
                         "timeoutMs": 60000})
    acting.ui(operation="screenshot")
    time.sleep(0.5)
    begun = time.monotonic()
    acting.ui(operation="key", name="home", receipt="none")
    rest = reply_of(late.read_answer())
    late.close()
    return rest, time.monotonic() - begun


def check_rest(cases, server):
    """The time at rest begins again when another client acts."""
    for _ in range(5):
        rest, seconds = rest_after_action(server)
        if "otherClientActed" in rest:
            break  # otherwise the action came after the rest
    cases.check(rest.get("settled") is True
                and rest.get("otherClientActed") is True
                and rest.get("changed", 0) is None
                and seconds >= REST_MS / 1000,
                "rest is counted from the other's action", rest, seconds)


def check_frames(cases, server):
    """What the pictures of a client mean after another client has acted."""
    first, second = Client(server), Client(server)
    first.ui(operation="key", name="home")
    mine = first.ui(operation="screenshot")
    second.ui(operation="screenshot", maxDimension=200)
    quiet = first.ui(operation="tap", x=3, y=3)
    cases.check("otherClientActed" not in quiet and quiet.get("ok", True),
                "looks of others change nothing", quiet)
    second.ui(operation="launch", packageName="Settings")
    stale = first.ui(operation="tap", x=50, y=200, guard="strict",
                     screenshotId=mine["screenshotId"])
    cases.check(stale.get("error") == "STALE_SCREENSHOT",
                "a point of a picture before the other's action is refused",
                stale)
    told = first.ui(operation="key", name="home")
    cases.check(told.get("otherClientActed") is True,
                "the next answer says that another acted", told)
    again = first.ui(operation="key", name="home")
    cases.check("otherClientActed" not in again, "and only that one", again)
    other = second.ui(operation="screenshot")
    cases.check(other.get("otherClientActed") is True,
                "the other client is told, too", other)


def check_receipts(cases, server):
    """An app reacts to one client after another one has acted."""
    first, second = Client(server), Client(server)
    first.ui(operation="launch", packageName="Settings", receipt="none")
    for look in (False, True):
        first.ui(operation="wait", stableMs=1000)
        first.ui(operation="screenshot")
        second.ui(operation="tap", selector={"text": "Mobile data"},
                  receipt="none")
        if look:  # its answer says that the other acted
            first.ui(operation="dump")
        mine = first.ui(operation="tap", x=200, y=70)
        cases.check("changed" in mine and
                    (not mine["changed"]
                     or mine.get("otherClientActed") is True),
                    "a receipt does not take the other's effect for its own",
                    mine)


def check_steps(cases, server):
    """Steps stop when another client acts between them."""
    first, second = Client(server), Client(server)
    first.ui(operation="key", name="home")
    late = first.send({"operation": "steps", "steps": [
        {"operation": "key", "name": "home"},
        {"operation": "wait", "text": "Mobile data", "timeoutMs": 60000},
        {"operation": "screenshot"},
        {"operation": "key", "name": "home"}]})
    second.ui(operation="screenshot")
    # The first step may come after this and hide what is waited for.
    ended = threading.Event()

    def open_settings():
        while not ended.wait(0.05):
            second.ui(operation="launch", packageName="Settings",
                      receipt="none")

    thread = threading.Thread(target=open_settings)
    thread.start()
    try:
        answer = reply_of(late.read_answer())
    finally:
        ended.set()
        thread.join(PATIENCE)
        late.close()
    cases.check(answer.get("stopped") is True and answer.get("done") == 3
                and answer.get("otherClientActed") is True
                and "another client acted" in answer.get("note", ""),
                "steps stop before one that acts", answer)


def check_tasks(cases, server):
    """A call that must wait for its turn becomes a task immediately."""
    first = Client(server)
    second = Client(server, {"tasks": {}})
    hold = [first.send({"operation": "wait", "text": "none such",
                        "timeoutMs": 20000}) for _ in range(2)]
    created = second.send({"operation": "screenshot"}, task={"ttl": 60000})
    task = created.read_answer().json()["result"].get("task")
    cases.check(task is not None, "a task of 2025-11-25 is created", task)
    created.close()
    # The first becomes a task after a second; the next waits for it.
    for arguments in (dict(LATE, text="none such"), {"operation": "screenshot"}):
        answer = server.modern("tools/call", {"name": "ui",
                                              "arguments": arguments},
                               capabilities=MODERN)
        result = answer.json()["result"]
    cases.check(result.get("resultType") == "task",
                "a queued call of 2026-07-28 is a task", result)
    for connection in hold:
        connection.close()


def served_order(log):
    """The clients in the order in which calls ended."""
    return [int(number) for number in
            re.findall(r"client (\d+) \(test\), device demo: screenshot",
                       "".join(log.lines))]


def check_turns(cases, server, log):
    """Many calls of one client delay the others by one call each."""
    clients = [Client(server) for _ in range(3)]
    counts = [60, 12, 12]
    pending = []
    # All calls have been sent when the first is read.
    server.process.send_signal(signal.SIGSTOP)
    try:
        for client, count in zip(clients, counts):
            pending.append([client.send({"operation": "screenshot"})
                            for _ in range(count)])
    finally:
        server.process.send_signal(signal.SIGCONT)
    answers = [[reply_of(connection.read_answer()) for connection in some]
               for some in pending]
    ids = [[int(one["screenshotId"][1:]) for one in some] for some in answers]
    cases.check(all(some == sorted(some) for some in ids),
                "the calls of a client keep their order", ids)
    for some in pending:
        for connection in some:
            connection.close()
    server.stop()
    order = served_order(log)[-sum(counts):]
    names = sorted(set(order))
    cases.check([order.count(name) for name in names] == counts,
                "all were served", order)
    ends = [max(at for at, name in enumerate(order) if name == one)
            for one in names[1:]]
    before = [order[:end].count(names[0]) for end in ends]
    cases.check(max(before) <= counts[0] // 2,
                "clients with few calls do not wait for the one with many",
                order)


def main(squint):
    """Run all cases."""
    cases = Cases()
    flags = ["--adb-server", "off", "--log-level", "debug"]
    server = Server([squint], flags)
    Log(server)  # a full pipe would stop the server
    check_wait(cases, server)
    check_rest(cases, server)
    check_frames(cases, server)
    late = Server([squint], [*flags, "--demo-reaction", "500"])
    Log(late)
    check_receipts(cases, late)
    late.stop()
    check_steps(cases, server)
    check_tasks(cases, server)
    server.stop()
    # A busy machine may need more than the usual ten seconds for all of them.
    server = Server([squint], [*flags, "--timeout-ms", "120000"])
    check_turns(cases, server, Log(server))
    cases.end()


if __name__ == "__main__":
    main(sys.argv[1])
