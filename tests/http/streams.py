#!/usr/bin/env python3
"""streams.py SQUINT FIXTURE: streams, sessions, slow clients and the end."""
import base64
import http.client
import json
import os
import re
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time

from served import PATIENCE, Cases, Server


def wait_for(condition):
    """Wait until a condition holds; return whether it does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def hang_count(server):
    """How many calls hang, and how many were cancelled."""
    return server.call("hang_count")["content"][0]["text"]


def check_cancellation(cases, fixture):
    """A client that goes away cancels its modern call, and no other."""
    server = Server([fixture])
    clients = [server.connect() for _ in range(3)]
    for number, client in enumerate(clients):
        params = {"name": "hang", "arguments": {}}
        if number == 2:
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "progressToken": 5}
        client.send(server.modern_bytes("tools/call", params))
    cases.check(wait_for(lambda: hang_count(server).startswith("3 hanging")),
                "three calls hang", hang_count(server))
    clients[2].read_head()
    event = clients[2].read_event()
    cases.check(event[1]["method"] == "notifications/progress",
                "progress is an event", event)
    for client in clients[1:]:
        client.close()
    cases.check(wait_for(lambda: hang_count(server)
                         == "1 hanging, 2 cancelled"),
                "two clients have gone: their calls are cancelled",
                hang_count(server))
    session = server.initialize()
    client = server.connect()
    client.send(server.legacy_bytes(session, {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "hang", "arguments": {}}}))
    wait_for(lambda: hang_count(server).startswith("2 hanging"))
    answer = server.ask("DELETE", **{"Mcp-Session-Id": session})
    cases.check(answer.status == 204, "a session ends", answer.status)
    cases.check(wait_for(lambda: hang_count(server).endswith("3 cancelled")),
                "and with it its calls", hang_count(server))
    answer = client.read_answer()
    cases.check(answer.json()["id"] == 1, "which are answered", answer.body)
    cases.check("the client ended the session" in str(answer.json()),
                "with the reason", answer.body)
    answer = server.legacy(session, "ping")
    cases.check(answer.status == 404, "the session is unknown: 404")
    cases.check(server.stop() == 0, "it ends while a call hangs",
                server.lines)
    answer = clients[0].read_answer()
    cases.check("stopped" in str(answer.json()),
                "the client is told why", answer.body)


def check_resumption(cases, fixture):
    """A legacy stream continues on another connection."""
    server = Server([fixture])
    session = server.initialize()
    client = server.connect()
    client.send(server.legacy_bytes(session, {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "test_tool_with_progress", "arguments": {},
                   "_meta": {"progressToken": 1}}}))
    client.read_head()
    first, empty = client.read_event()
    cases.check(empty is None and first, "an empty event names the stream",
                first)
    client.read_event()
    client.close()
    again = server.connect()
    again.send(server.request_bytes("GET", **{"Mcp-Session-Id": session,
                                              "Last-Event-ID": first}))
    again.read_head()
    events = []
    event = again.read_event()
    while event:
        events.append(event)
        event = again.read_event()
    cases.check([e[1].get("id") for e in events][-1] == 1,
                "its answer arrives there", events)
    cases.check([e[1]["params"]["progress"] for e in events[:-1]]
                == [0, 50, 100], "and all progress, once", events)
    cases.check(all(e[0].split("-")[0] == first.split("-")[0]
                    for e in events), "and nothing of other streams", events)
    answer = server.ask("GET", **{"Mcp-Session-Id": session,
                                  "Last-Event-ID": "99-1"})
    cases.check(answer.status == 404, "an unknown stream: 404", answer.status)
    answer = server.ask("GET", **{"Mcp-Session-Id": session,
                                  "Last-Event-ID": "x"})
    cases.check(answer.status == 400, "a malformed event id: 400")
    answer = server.ask("GET")
    cases.check(answer.status == 405, "GET without a session: 405")
    server.stop()


def check_notifications(cases, fixture):
    """The stream of a session, and a modern subscription."""
    server = Server([fixture, "keep-alive=50"])
    session = server.initialize()
    stream = server.connect()
    stream.send(server.request_bytes("GET", **{"Mcp-Session-Id": session}))
    status, headers = stream.read_head()
    cases.check(status == 200 and headers["content-type"]
                == "text/event-stream", "a session has a stream", headers)
    listener = server.connect()
    listener.send(server.modern_bytes("subscriptions/listen", {
        "notifications": {"toolsListChanged": True}}, number="sub"))
    listener.read_head()
    event = listener.read_event()
    cases.check(event[1]["method"]
                == "notifications/subscriptions/acknowledged",
                "a subscription is acknowledged first", event)
    server.call("test_trigger_prompt_change")
    server.call("test_trigger_tool_change")
    event = listener.read_event()
    cases.check(event[1]["method"] == "notifications/tools/list_changed"
                and "sub" in json.dumps(event[1]["params"]),
                "only what was asked for is sent", event)
    methods = [stream.read_event()[1]["method"] for _ in range(2)]
    cases.check(methods == ["notifications/prompts/list_changed",
                            "notifications/tools/list_changed"],
                "the session gets both", methods)
    cases.check(b":\n" in listener.read_chunk(),
                "a quiet stream gets comments")
    server.process.send_signal(15)
    event = listener.read_event()
    cases.check(event[1].get("result", {}).get("resultType") == "complete",
                "at the end the subscription is answered", event)
    cases.check(server.stop() == 0, "it ends")


def socket_count(server):
    """How many sockets the server has open."""
    folder = f"/proc/{server.process.pid}/fd/"
    count = 0
    for name in os.listdir(folder):
        try:
            count += os.readlink(folder + name).startswith("socket:")
        except FileNotFoundError:
            pass
    return count


def check_slow_clients(cases, fixture):
    """Clients that send or read slowly cost others nothing."""
    server = Server([fixture, "clients=16", "head=300", "body=300",
                     "stalled=500", "flush=2000"])
    slow = []
    for _ in range(40):
        client = server.connect()
        client.send(b"POST /mcp HTTP/1.1\r\nHost: ")
        slow.append(client)
    answer = server.modern("server/discover")
    cases.check(answer.status == 200, "40 slow heads: others are served")
    late = server.connect()
    late.send(b"POST /mcp HT")
    cases.check(late.read_head()[0] == 408, "a head that does not end: 408")
    late = server.connect()
    late.send(server.request_bytes(body=b"{", **{"Content-Length": "100"}))
    cases.check(late.read_head()[0] == 408, "a body that does not end: 408")
    before = socket_count(server)
    deaf = [server.connect(small=True) for _ in range(8)]
    for client in deaf:
        client.send(server.modern_bytes("tools/call", {"name": "large",
                                                       "arguments": {}}))
    answer = server.modern("server/discover")
    cases.check(answer.status == 200, "8 clients that never read: others are "
                "served")
    cases.check(wait_for(lambda: socket_count(server) <= before),
                "and they are closed", socket_count(server), before)
    one = server.connect(small=True)
    one.send(server.modern_bytes("tools/call", {"name": "large",
                                                "arguments": {}}))
    got = b""
    while len(got) < 1000:
        got += one.socket.recv(1)
    cases.check(len(got) == 1000, "a slow reader gets bytes")
    cases.check(wait_for(lambda: socket_count(server) <= before),
                "but is closed in the end", socket_count(server), before)
    answer = server.call("large")
    cases.check(len(answer["content"][0]["text"]) == 8 << 20,
                "a quick one gets everything")
    cases.check(server.stop() == 0, "it ends")


def check_every_byte(cases, fixture):
    """A client disconnects after every byte of a request."""
    server = Server([fixture])
    session = server.initialize()
    requests = [
        server.modern_bytes("tools/call", {"name": "test_simple_text",
                                           "arguments": {}}),
        server.legacy_bytes(session, {"jsonrpc": "2.0", "id": 1,
                                      "method": "ping"}),
    ]
    for request in requests:
        for count in range(0, len(request) + 1):
            client = server.connect()
            client.send(request[:count])
            client.close()
    answer = server.legacy(session, "ping")
    cases.check(answer.status == 200 and answer.json()["id"] == 1,
                "clients that leave at every byte", answer.body)
    whole = server.connect()
    for at in range(len(requests[0])):
        whole.send(requests[0][at:at + 1])
    cases.check(whole.read_answer().status == 200, "one byte at a time")
    whole.send(requests[0] + requests[1])
    cases.check(whole.read_answer().status == 200
                and whole.read_answer().status == 200,
                "two requests together on the same connection")
    cases.check(server.stop() == 0, "it ends")


def leave_after(server, request, count):
    """Read that many bytes of an answer, then reset the connection."""
    client = server.connect()
    client.send(request)
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                             struct.pack("ii", 1, 0))
    client.read_exactly(count)
    client.close()


def check_every_answer_byte(cases, fixture):
    """A client disconnects after every byte of an answer."""
    server = Server([fixture])
    session = server.initialize()

    def call(number):
        return server.legacy_bytes(session, {
            "jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {"name": "test_tool_with_logging", "arguments": {}}})

    plain = [
        server.modern_bytes("tools/call", {"name": "test_simple_text",
                                           "arguments": {}}),
        server.legacy_bytes(session, {"jsonrpc": "2.0", "id": 1,
                                      "method": "ping"}),
    ]
    before = socket_count(server)
    for request in plain:
        client = server.connect()
        client.send(request)
        head = client.read_until(b"\r\n\r\n")
        client.close()
        length = int(re.search(rb"Content-Length: (\d+)", head)[1])
        for count in range(len(head) + length + 1):
            leave_after(server, request, count)
    stream = server.request_bytes("GET", **{"Mcp-Session-Id": session})
    for count in range(0, 120, 5):
        leave_after(server, stream, count)
        leave_after(server, call(1000 + count), count)
    answer = server.legacy(session, "ping")
    cases.check(answer.status == 200, "clients that leave at every byte of an "
                "answer", answer.body)
    cases.check(wait_for(lambda: socket_count(server) <= before),
                "cost no connection", socket_count(server), before)
    cases.check(server.stop() == 0, "it ends")


def check_sessions(cases, fixture):
    """Sessions are separate and limited."""
    server = Server([fixture, "sessions=4"])
    sessions = [server.initialize() for _ in range(4)]
    cases.check(len(set(sessions)) == 4 and all(len(s) == 32 for s in sessions),
                "sessions have different ids", sessions)
    held = server.connect()
    held.send(server.request_bytes("GET", **{"Mcp-Session-Id": sessions[0]}))
    held.read_head()
    server.initialize()
    statuses = [server.legacy(s, "ping").status for s in sessions]
    cases.check(statuses == [200, 404, 200, 200],
                "the least recently used session makes room", statuses)
    answer = server.legacy("0" * 32, "ping")
    cases.check(answer.status == 404, "an unknown session: 404")
    answer = server.ask(body=b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    cases.check(answer.status == 400, "no session: 400", answer.body)
    answer = server.ask(body=b"nonsense", **{"Mcp-Session-Id": sessions[0]})
    cases.check(answer.status == 400, "no JSON: 400", answer.body)
    answer = server.ask(body=b'{"jsonrpc":"2.0","method":'
                             b'"notifications/initialized"}',
                        **{"Mcp-Session-Id": sessions[0]})
    cases.check(answer.status == 202 and answer.body == b"",
                "a notification: 202", answer.body)
    answer = server.modern("server/discover",
                           **{"MCP-Protocol-Version": "2025-11-25"})
    cases.check(answer.json()["error"]["code"] == -32020,
                "a modern body with a legacy header", answer.body)
    server.stop()


def frame_of(result):
    """The id of the picture in a result."""
    for block in result["content"]:
        if block["type"] == "text" and "screenshotId" in block["text"]:
            return json.loads(block["text"])["screenshotId"]
    return None


def check_isolation(cases, squint):
    """Clients do not see each other's pictures; replicas share them."""
    home = tempfile.TemporaryDirectory()
    one, two = (Server([squint], home=home.name) for _ in range(2))
    stranger = Server([squint])
    first, second = one.initialize(), one.initialize()
    shot = {"name": "ui", "arguments": {"operation": "screenshot"}}
    frame = frame_of(one.legacy(first, "tools/call", shot).json()["result"])
    tap = {"operation": "tap", "x": 100, "y": 100, "screenshotId": frame}
    answer = one.legacy(second, "tools/call",
                        {"name": "ui", "arguments": tap}).json()
    cases.check(answer["result"]["isError"]
                and "unknown" in json.dumps(answer).lower(),
                "a session does not know another's picture", answer)
    answer = one.legacy(second, "resources/read",
                        {"uri": "squint://screenshot/" + frame}).json()
    cases.check("error" in answer, "and cannot read it", answer)
    answer = one.legacy(first, "tools/call",
                        {"name": "ui", "arguments": tap}).json()
    cases.check(not answer["result"]["isError"], "its own it knows", answer)
    frame = frame_of(one.call("ui", {"operation": "screenshot",
                                     "maxDimension": 400}))
    tap["screenshotId"] = frame
    result = two.call("ui", tap)
    cases.check(not result["isError"], "another replica knows the picture of a "
                "stateless client", result)
    result = one.call("ui", tap)
    cases.check(not result["isError"], "and so does the same", result)
    result = stranger.call("ui", tap)
    cases.check(result["isError"], "a server with another key does not", result)
    tap["screenshotId"] = frame[:20] + ("A" if frame[20] != "A" else "B") \
        + frame[21:]
    result = one.call("ui", tap)
    cases.check(result["isError"], "a changed id is refused", result)
    del tap["screenshotId"]
    result = one.call("ui", tap)
    cases.check(result["isError"] and "screenshotId" in json.dumps(result),
                "a point without a picture is refused", result)
    cases.check([one.stop(), two.stop(), stranger.stop()] == [0, 0, 0],
                "they end")


def check_unix(cases, squint):
    """A Unix socket, which only its owner may use."""
    home = tempfile.TemporaryDirectory()
    path = home.name + "/socket"
    server = Server([squint], unix=path)
    mode = stat.S_IMODE(os.stat(path).st_mode)
    cases.check(mode == 0o600, "only its owner may use the socket", oct(mode))
    answer = server.modern("server/discover")
    cases.check(answer.status == 200, "it is served", answer.body)
    answer = server.modern("server/discover", Authorization="Bearer x")
    cases.check(answer.status == 401, "with the token only", answer.status)
    server.process.kill()
    server.process.wait()
    server = Server([squint], unix=path)
    cases.check(server.stop() == 0 and not os.path.exists(path),
                "the socket of a killed process is replaced, and removed")


def check_activation(cases, squint):
    """A service manager opens the socket."""
    home = tempfile.TemporaryDirectory()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    token = home.name + "/token"
    env = dict(os.environ, XDG_STATE_HOME=home.name, LISTEN_FDS="1")
    process = subprocess.Popen(
        ["sh", "-c", f'exec 3<&{listener.fileno()}; LISTEN_PID=$$ exec "$@"',
         "sh", squint, "serve", "--token-file", token], env=env,
        pass_fds=[listener.fileno()], stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if "listening" in line:
            break
    port = listener.getsockname()[1]
    cases.check(f"listening at port {port}, opened by the service manager"
                in line, "it says where it listens", line)
    with open(token, encoding="ascii") as file:
        key = file.read().strip()
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    client.request("POST", "/mcp", json.dumps({
        "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}}}), {
                "Content-Type": "application/json",
                "Authorization": "Bearer " + key})
    cases.check(client.getresponse().status == 200,
                "the socket of a service manager is served")
    process.terminate()
    process.communicate(timeout=PATIENCE)
    cases.check(process.returncode == 0, "it ends", process.returncode)


def check_questions(cases, fixture):
    """A modern client answers questions by repeating the call."""
    server = Server([fixture])
    tool = {"name": "test_input_required_result_request_state",
            "arguments": {}}
    result = server.modern("tools/call", tool).json()
    cases.check(result["error"]["code"] == -32021
                and result["error"]["data"]["requiredCapabilities"]
                == {"elicitation": {}}, "a client that cannot be asked", result)
    can = {"elicitation": {}}
    result = server.modern("tools/call", tool, capabilities=can).json()["result"]
    cases.check(result["resultType"] == "input_required"
                and "confirm" in result["inputRequests"],
                "input is required", result)
    state = result["requestState"]
    good = {"confirm": {"action": "accept", "content": {"ok": True}}}
    result = server.modern("tools/call", {
        **tool, "inputResponses": good, "requestState": state},
        capabilities=can).json()["result"]
    cases.check(result["content"][0]["text"] == "state-ok",
                "the answer and the state arrive", result)
    for name, change in {
            "a changed state": {"requestState": state[:-4] + "AAA="},
            "a malformed answer": {"inputResponses": {"confirm": 5}},
            "answers that are no object": {"inputResponses": []}}.items():
        result = server.modern("tools/call", {
            **tool, "inputResponses": good, "requestState": state, **change},
            capabilities=can).json()
        cases.check(result.get("error", {}).get("code") == -32602, name, result)
    other = dict(tool, name="test_input_required_result_multi_round")
    result = server.modern("tools/call", {
        **other, "inputResponses": good, "requestState": state},
        capabilities=can).json()
    cases.check(result.get("error", {}).get("code") == -32602,
                "the state of another tool", result)
    for name, changes in {
            "no Mcp-Method": {"Mcp-Method": None},
            "another Mcp-Method": {"Mcp-Method": "tools/list"},
            "another Mcp-Name": {"Mcp-Name": "greet"},
            "another version": {"MCP-Protocol-Version": "2027-01-01"}}.items():
        answer = server.modern("tools/call", tool, **changes)
        cases.check(answer.status == 400
                    and answer.json()["error"]["code"] == -32020, name,
                    answer.body)
    name = "=?base64?" + base64.b64encode(b"greet").decode() + "?="
    answer = server.modern("tools/call", {"name": "greet", "arguments": {}},
                           **{"Mcp-Name": name})
    cases.check(answer.status == 200, "Mcp-Name in base64", answer.body)
    region = {"name": "test_region", "arguments": {"region": "Zürich"}}
    value = "=?base64?" + base64.b64encode("Zürich".encode()).decode() + "?="
    statuses = [server.modern("tools/call", region, **headers).status
                for headers in ({"Mcp-Param-Region": value}, {},
                                {"Mcp-Param-Region": "Bern"},
                                {"Mcp-Param-Region": "=?base64?!?="})]
    cases.check(statuses == [200, 400, 400, 400], "a parameter as header",
                statuses)
    cases.check(server.stop() == 0, "it ends")


def check_tasks(cases, fixture):
    """A long call becomes a task."""
    server = Server([fixture])
    can = {"extensions": {"io.modelcontextprotocol/tasks": {}},
           "elicitation": {}}

    def ask(method, params):
        name = {"Mcp-Name": params["taskId"]} if "taskId" in params else {}
        return server.modern(method, params, capabilities=can, **name).json()

    def create(tool, **arguments):
        return ask("tools/call", {"name": tool, "arguments": arguments})[
            "result"]

    def wait_status(task, status):
        return wait_for(lambda: ask("tasks/get", {"taskId": task["taskId"]})[
            "result"]["status"] == status)

    task = create("multi_input")
    cases.check(task["resultType"] == "task" and task["status"] == "working",
                "a call becomes a task", task)
    cases.check(wait_status(task, "input_required"), "it asks")
    answer = {"action": "accept", "content": {}}
    for key in ("first", "second"):
        left = ask("tasks/get", {"taskId": task["taskId"]})["result"]
        cases.check(key in left["inputRequests"], f"{key} is asked", left)
        ask("tasks/update", {"taskId": task["taskId"],
                             "inputResponses": {key: answer}})
    cases.check(wait_status(task, "completed"), "and ends with the answers")
    task = create("slow_compute", seconds=60)
    ask("tasks/cancel", {"taskId": task["taskId"]})
    cases.check(wait_status(task, "cancelled"), "a task is cancelled")
    task = create("protocol_error_job")
    cases.check(wait_status(task, "failed"), "a task fails")
    result = ask("tasks/get", {"taskId": "0" * 32})
    cases.check(result["error"]["code"] == -32602, "an unknown task", result)
    result = server.modern("tasks/get", {"taskId": task["taskId"]},
                           **{"Mcp-Name": task["taskId"]}).json()
    cases.check(result["error"]["code"] == -32021,
                "a client without the extension", result)
    create("slow_compute", seconds=60)
    cases.check(server.stop() == 0, "it ends while a task runs", server.lines)


def main():
    """Run all cases."""
    squint, fixture = sys.argv[1:3]
    cases = Cases()
    for check in (check_cancellation, check_resumption, check_notifications,
                  check_slow_clients, check_every_byte,
                  check_every_answer_byte, check_sessions,
                  check_questions, check_tasks):
        check(cases, fixture)
    check_isolation(cases, squint)
    check_unix(cases, squint)
    check_activation(cases, squint)
    cases.end()


main()
