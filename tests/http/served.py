"""A server over HTTP for tests: starts it, sends raw requests, stops it."""
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 60  # seconds until a test is taken for hanging

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
NAME_KEYS = {"tools/call": "name", "prompts/get": "name",
             "resources/read": "uri"}


class Answer:
    """Status, headers and body of an HTTP answer."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    def json(self):
        """The JSON text of the answer, or the last event's."""
        if self.headers.get("content-type") == "text/event-stream":
            return self.events()[-1][1]
        return json.loads(self.body)

    def events(self):
        """The (id, message) of each event; message is None if it is empty."""
        return parse_events(self.body)


def parse_events(body):
    """Split a stream of events."""
    found = []
    for block in body.decode().split("\n\n"):
        lines = [line for line in block.split("\n") if line[:1] not in ("", ":")]
        fields = dict(line.split(": ", 1) if ": " in line
                      else (line.rstrip(": "), "") for line in lines)
        if "data" in fields:
            data = fields["data"]
            found.append((fields.get("id"), json.loads(data) if data else None))
    return found


class Connection:
    """One connection to the server."""

    def __init__(self, address, small=False):
        kind = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(kind)
        self.socket.settimeout(PATIENCE)
        if small:  # the kernel takes little that this client does not read
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        self.socket.connect(address)
        self.pending = b""

    def send(self, data):
        """Send raw bytes."""
        self.socket.sendall(data)

    def read_until(self, end):
        """Read up to and with these bytes."""
        while end not in self.pending:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError(self.pending[:200])
            self.pending += more
        taken, self.pending = self.pending.split(end, 1)
        return taken + end

    def read_exactly(self, count):
        """Read that many bytes."""
        parts = [self.pending]
        missing = count - len(self.pending)
        while missing > 0:
            parts.append(self.socket.recv(65536))
            if not parts[-1]:
                raise EOFError(parts[0][:200])
            missing -= len(parts[-1])
        whole = b"".join(parts)
        self.pending = whole[count:]
        return whole[:count]

    def read_head(self):
        """Read status and headers."""
        lines = self.read_until(b"\r\n\r\n").decode().split("\r\n")
        headers = {}
        for line in lines[1:]:
            if line:
                name, value = line.split(":", 1)
                headers[name.lower()] = value.strip()
        return int(lines[0].split()[1]), headers

    def read_chunk(self):
        """Read one chunk; empty at the end."""
        size = int(self.read_until(b"\r\n"), 16)
        data = self.read_exactly(size)
        self.read_exactly(2)
        return data

    def read_event(self):
        """Read chunks up to the next event with data."""
        while True:
            chunk = self.read_chunk()
            if not chunk:
                return None
            events = parse_events(chunk)
            if events:
                return events[0]

    def read_answer(self):
        """Read a whole answer."""
        status, headers = self.read_head()
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            chunk = self.read_chunk()
            while chunk:
                body += chunk
                chunk = self.read_chunk()
        else:
            body = self.read_exactly(int(headers.get("content-length", 0)))
        return Answer(status, headers, body)

    def close(self):
        """Close the connection."""
        self.socket.close()


class Server:
    """A running server: squint serve, or the test server of the suite."""

    log = None  # what reads its messages, if something does

    def __init__(self, command, extra=(), home=None, unix=None):
        """command: the program and, for the test server, its limits."""
        self.folder = tempfile.TemporaryDirectory(prefix="squint-http-")
        home = home or self.folder.name
        self.is_fixture = "fixture" in os.path.basename(command[0])
        env = dict(os.environ, HOME=home, XDG_STATE_HOME=home + "/state",
                   XDG_DATA_HOME=home + "/data", XDG_CACHE_HOME=home + "/cache",
                   XDG_CONFIG_HOME=home + "/config")
        self.token_file = home + "/token"
        where = ["--unix", unix] if unix else ["--listen", "127.0.0.1:0"]
        arguments = list(extra) if self.is_fixture else [
            "serve", "--token-file", self.token_file, *where, *extra]
        self.process = subprocess.Popen(
            [*command, *arguments], env=env, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        self.address = unix
        self.token = None
        self.wait_until_ready()

    def wait_until_ready(self):
        """Wait for the line that tells the address."""
        stream = self.process.stdout if self.is_fixture else self.process.stderr
        for line in stream:
            self.lines.append(line)
            port = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if port:
                self.address = ("127.0.0.1", int(port.group(1)))
            if port or "unix:" in line:
                break
        else:
            raise RuntimeError("it did not start: " + "".join(self.lines))
        if not self.is_fixture:
            with open(self.token_file, encoding="ascii") as file:
                self.token = file.read().strip()

    def host(self):
        """The Host header."""
        return ("localhost" if isinstance(self.address, str)
                else f"127.0.0.1:{self.address[1]}")

    def inspector_proof(self):
        """What squint inspect sends to show that it knows the secret."""
        with open(self.token_file + ".inspector", encoding="ascii") as file:
            secret = file.read().strip()
        key = hashlib.blake2b(f"{self.token}\0{secret}\0".encode(),
                              key=b"squint inspector cookie\0",
                              digest_size=32).digest()
        now = int(time.time() * 1000)
        text = f"link {now} {self.host()}".encode()
        mac = hashlib.blake2b(text, key=key, digest_size=32).hexdigest()
        return {"Authorization": None, "X-Squint-Proof": f"{now}.{mac}"}

    def inspector_path(self):
        """The path of a new link of the inspector."""
        return self.ask(path="/inspect/link", body=b"{}",
                        **self.inspector_proof()).json()["path"]

    def connect(self, small=False):
        """Open a connection."""
        return Connection(self.address, small)

    def headers(self, **changes):
        """The headers of a good request; None removes one."""
        headers = {"Host": self.host(), "Content-Type": "application/json",
                   "Accept": "application/json, text/event-stream"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        for name, value in changes.items():
            name = name.replace("_", "-")
            if value is None:
                headers.pop(name, None)
            else:
                headers[name] = value
        return headers

    def request_bytes(self, method="POST", path="/mcp", body=b"", **changes):
        """The bytes of a request."""
        headers = self.headers(**changes)
        if body or method == "POST":
            headers.setdefault("Content-Length", str(len(body)))
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def ask(self, method="POST", path="/mcp", body=b"", **changes):
        """Send a request on a connection of its own; return the answer."""
        connection = self.connect()
        try:
            connection.send(self.request_bytes(method, path, body, **changes))
            return connection.read_answer()
        finally:
            connection.close()

    def modern_bytes(self, method, params=None, number=1, capabilities=None,
                     **changes):
        """The bytes of a modern request."""
        params = dict(params or {})
        params.setdefault("_meta", dict(META))
        if capabilities is not None:
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = \
                capabilities
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                           "params": params}).encode()
        headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
        if NAME_KEYS.get(method) in params:
            headers["Mcp-Name"] = params[NAME_KEYS[method]]
        headers.update({k.replace("_", "-"): v for k, v in changes.items()})
        return self.request_bytes(body=body, **headers)

    def modern(self, method, params=None, **changes):
        """Send a modern request; return the answer."""
        connection = self.connect()
        try:
            connection.send(self.modern_bytes(method, params, **changes))
            return connection.read_answer()
        finally:
            connection.close()

    def call(self, tool, arguments=None, **changes):
        """Call a tool without a session; return the result."""
        answer = self.modern("tools/call", {"name": tool,
                                            "arguments": arguments or {}},
                             **changes)
        return answer.json()["result"]

    def initialize(self, version="2025-11-25", capabilities=None):
        """Start a legacy session; return its id."""
        body = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": capabilities or {},
            "clientInfo": {"name": "test", "version": "1"}}}
        answer = self.ask(body=json.dumps(body).encode())
        assert answer.status == 200, answer.body
        return answer.headers["mcp-session-id"]

    def legacy_bytes(self, session, message, **changes):
        """The bytes of a message in a session."""
        return self.request_bytes(body=json.dumps(message).encode(),
                                  **{"Mcp-Session-Id": session, **changes})

    def legacy(self, session, method, params=None, number=1):
        """Send a request in a session; return the answer."""
        connection = self.connect()
        message = {"jsonrpc": "2.0", "id": number, "method": method,
                   "params": params or {}}
        try:
            connection.send(self.legacy_bytes(session, message))
            return connection.read_answer()
        finally:
            connection.close()

    def stop(self):
        """End it as a service manager does; return the exit status. Wine makes an
        interrupt a Ctrl-C."""
        under_wine = "SQUINT_TEST_DRIVE" in os.environ
        self.process.send_signal(signal.SIGINT if under_wine else signal.SIGTERM)
        _, errors = self.process.communicate(timeout=PATIENCE)
        self.lines.append(errors or "")
        if self.log:
            self.log.thread.join(PATIENCE)
        return self.process.returncode


class Log:
    """Collects the lines of a server."""

    def __init__(self, server):
        self.lines = list(server.lines)
        self.changed = threading.Condition()
        self.thread = threading.Thread(
            target=self.read, args=(server.process.stderr,), daemon=True)
        self.thread.start()
        server.process.stderr = None  # it has another reader now
        server.log = self

    def read(self, stream):
        """Read until the end."""
        for line in stream:
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()

    def await_line(self, pattern):
        """Wait for a line; return it, or None."""
        def find():
            return next((line for line in self.lines
                         if re.search(pattern, line)), None)
        with self.changed:
            self.changed.wait_for(find, PATIENCE)
            return find()


class Cases:
    """Prints TAP."""

    def __init__(self):
        self.count = 0
        self.failed = 0

    def check(self, condition, name, *shown):
        """One case; shown is printed if it fails."""
        self.count += 1
        self.failed += not condition
        print(f"{'ok' if condition else 'not ok'} {self.count} - {name}")
        if not condition:
            for item in shown:
                print("#", repr(item)[:600])
        sys.stdout.flush()

    def end(self):
        """Print the plan and exit."""
        print(f"1..{self.count}")
        sys.exit(self.failed > 0)
