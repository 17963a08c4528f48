#!/usr/bin/env python3
"""tasks.py SQUINT: long calls as tasks, in sessions and without."""
import json
import sys
import tempfile
import threading

from served import PATIENCE, Cases, Server

ENDLESS = {"operation": "wait", "text": "no such text", "timeoutMs": 60000}
FAILS = {"operation": "wait", "deviceId": "no such device"}
WORKS = {"operation": "wait", "stableMs": 1}
RELATED = "io.modelcontextprotocol/related-task"
MODERN = {"extensions": {"io.modelcontextprotocol/tasks": {}}}


class Session:
    """A legacy client that knows tasks."""

    def __init__(self, server, version="2025-11-25"):
        self.server = server
        self.session = server.initialize(version, {"tasks": {}})
        self.last_id = 0

    def ask(self, method, **params):
        """Send a request; return the whole answer."""
        self.last_id += 1
        return self.server.legacy(self.session, method, params,
                                  self.last_id).json()

    def start(self, arguments, tool="ui"):
        """Call a tool as a task; return the answer."""
        return self.ask("tools/call", name=tool, arguments=arguments,
                        task={"ttl": 60000})

    def begin(self, arguments):
        """Start a task; return its id."""
        return self.start(arguments)["result"]["task"]["taskId"]


def check_lists(cases, server):
    """Which tools may run as tasks, and who is told."""
    client = Session(server)
    tools = client.ask("tools/list")["result"]["tools"]
    found = {tool["name"] for tool in tools
             if tool.get("execution") == {"taskSupport": "optional"}}
    cases.check(found == {"ui", "list_screenshots", "contact_sheet"},
                "tools that take long may be tasks", found)
    plain = server.legacy(server.initialize(), "tools/list").json()
    cases.check(not [tool for tool in plain["result"]["tools"]
                     if "execution" in tool],
                "a client without tasks is not told")
    refused = client.start({"screenshotRef": "x"}, tool="get_screenshot")
    cases.check(refused["error"]["code"] == -32601,
                "other tools refuse to be tasks", refused)
    for wish in ({"ttl": -5}, {"ttl": "x"}, 5):
        refused = client.ask("tools/call", name="ui", arguments=WORKS,
                             task=wish)
        cases.check(refused.get("error", {}).get("code") == -32602,
                    f"{wish} is not a wish for a task", refused)
    old = Session(server, "2025-06-18")
    cases.check(old.ask("tasks/list")["error"]["code"] == -32601,
                "earlier revisions have no tasks")
    ignored = old.start(WORKS)
    cases.check("content" in ignored["result"],
                "and ignore the wish for one", ignored)


def check_life(cases, server):
    """Tasks that work, fail and are cancelled."""
    client = Session(server)
    created = client.start(WORKS)["result"]["task"]
    cases.check({"taskId", "status", "createdAt", "lastUpdatedAt", "ttl",
                 "pollInterval"} <= created.keys(), "a task is created", created)
    task = created["taskId"]
    result = client.ask("tasks/result", taskId=task)["result"]
    cases.check(result["isError"] is False and result["content"]
                and result["_meta"][RELATED] == {"taskId": task},
                "its result is what the tool returned", result)
    state = client.ask("tasks/get", taskId=task)["result"]
    cases.check(state["status"] == "completed", "it is completed", state)
    again = client.ask("tasks/result", taskId=task)["result"]
    cases.check(again == result, "the result can be read again")
    late = client.ask("tasks/cancel", taskId=task)
    cases.check(late["error"]["code"] == -32602, "too late to cancel", late)
    task = client.begin(FAILS)
    result = client.ask("tasks/result", taskId=task)["result"]
    state = client.ask("tasks/get", taskId=task)["result"]
    cases.check(result["isError"] and state["status"] == "failed",
                "a tool that fails is a failed task", result, state)
    task = client.begin(ENDLESS)
    state = client.ask("tasks/get", taskId=task)["result"]
    cases.check(state["status"] == "working", "a task works", state)
    state = client.ask("tasks/cancel", taskId=task)["result"]
    cases.check(state["status"] == "cancelled", "it is cancelled immediately",
                state)
    gone = client.ask("tasks/result", taskId=task)
    cases.check("error" in gone, "and has no result", gone)
    for method in ("tasks/get", "tasks/result", "tasks/cancel"):
        answer = client.ask(method, taskId="0" * 32)
        cases.check(answer["error"]["code"] == -32602,
                    f"{method} of an unknown task", answer)


def check_isolation(cases, server):
    """A client sees its own tasks only."""
    client, other = Session(server), Session(server)
    task = client.begin(ENDLESS)
    own = client.ask("tasks/list")["result"]["tasks"]
    cases.check([each["taskId"] for each in own] == [task],
                "the list has the client's task", own)
    cases.check(other.ask("tasks/list")["result"]["tasks"] == [],
                "and not another's")
    for method in ("tasks/get", "tasks/result", "tasks/cancel"):
        cases.check("error" in other.ask(method, taskId=task),
                    f"{method} of another client's task")
    stranger = server.modern("tasks/get", {"taskId": task}, capabilities=MODERN,
                             **{"Mcp-Name": task}).json()
    cases.check("error" in stranger, "nor without a session", stranger)
    client.ask("tasks/cancel", taskId=task)


def check_waiting(cases, server):
    """A client that waits for a result gets it when the task ends."""
    client = Session(server)
    task = client.begin(ENDLESS)
    answers = []
    waiter = threading.Thread(target=lambda: answers.append(
        client.ask("tasks/result", taskId=task)))
    waiter.start()
    state = server.legacy(client.session, "tasks/cancel", {"taskId": task},
                          900).json()
    waiter.join(PATIENCE)
    cases.check("result" in state and answers and "error" in answers[0],
                "cancelling a task ends the wait for it", state, answers)


def check_modern(cases, server):
    """A call that takes long becomes a task by itself."""
    def ask(method, params):
        name = {"Mcp-Name": params["taskId"]} if "taskId" in params else {}
        return server.modern(method, params, capabilities=MODERN,
                             **name).json()["result"]

    quick = ask("tools/call", {"name": "ui", "arguments": WORKS})
    cases.check(quick["resultType"] == "complete", "a short call is no task",
                quick)
    task = ask("tools/call", {"name": "ui", "arguments": ENDLESS})
    cases.check(task["resultType"] == "task" and task["status"] == "working",
                "a long one becomes one", task)
    wanted = {"taskId": task["taskId"]}
    cases.check(ask("tasks/get", wanted)["status"] == "working", "it works")
    ask("tasks/cancel", wanted)
    cases.check(ask("tasks/get", wanted)["status"] == "cancelled",
                "it is cancelled")
    found = server.modern("server/discover").json()["result"]["capabilities"]
    cases.check("io.modelcontextprotocol/tasks" in found["extensions"],
                "the extension is declared", found)
    plain = server.call("ui", {**ENDLESS, "timeoutMs": 1500})
    cases.check(plain["resultType"] == "complete",
                "a client without the extension waits", plain)


def check_limit(cases, server):
    """The number of tasks is limited."""
    client = Session(server)
    answers = [client.start(ENDLESS) for _ in range(70)]
    refused = [answer for answer in answers
               if "task" not in answer.get("result", {})]
    cases.check(refused and "too many tasks" in json.dumps(refused[0]),
                "too many tasks are refused", refused[:1])
    ended = server.ask("DELETE", **{"Mcp-Session-Id": client.session})
    cases.check(ended.status == 204, "the session ends with its tasks")
    other = Session(server)
    result = other.ask("tools/call", name="ui", arguments=WORKS)["result"]
    cases.check(not result["isError"], "and the device is free again", result)


def main():
    """All cases."""
    cases = Cases()
    # Tools of an archive are offered only if there is one.
    archive = tempfile.TemporaryDirectory(prefix="squint-archive-")
    server = Server([sys.argv[1]], ["--archive", archive.name])
    for check in (check_lists, check_life, check_isolation, check_waiting,
                  check_modern, check_limit):
        check(cases, server)
    Session(server).begin(ENDLESS)
    cases.check(server.stop() == 0, "it ends while a task runs", server.lines)
    cases.end()


main()
