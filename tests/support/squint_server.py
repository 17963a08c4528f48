"""Runs a squint MCP server as a child process, and acts as its client."""

import errno
import json
import os
import pathlib
import queue
import subprocess
import tempfile
import threading
import time

from children import die_with_parent

# Seconds to wait for an answer. Only a program that hangs needs them all.
PATIENCE = 300
# How many times slower than real time the clock of a test build of squint runs,
# so that its deadlines do not expire because the machine is busy.
SLOWNESS = 50
SLOWNESS_NAME = "SQUINT_TEST_CLOCK_SLOWNESS"
LEGACY = "2025-11-25"
MODERN = "2026-07-28"
CLIENT = {"name": "squint-tests", "version": "1"}
META = "io.modelcontextprotocol/"


class ServerError(Exception):
    """The server broke the protocol or ended unexpectedly."""


def modern_meta():
    """The _meta of every request of a modern revision."""
    return {META + "protocolVersion": MODERN,
            META + "clientCapabilities": {}, META + "clientInfo": CLIENT}


def clean_environment(home):
    """Our environment without variables that change how squint behaves."""
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("SQUINT_UI", "SQUINT_TOOLS", "SQUINT_DEMO",
                                   "SQUINT_LIMITS", "SQUINT_OUTPUT",
                                   "SQUINT_CONFIG", "SQUINT_ARCHIVE",
                                   "MANICTIME_", "REPLICANT_",
                                   "ANDROID_SERIAL"))}
    for folder in ("cache", "config", "data", "state"):
        env[f"XDG_{folder.upper()}_HOME"] = os.path.join(home, folder)
    env["XDG_RUNTIME_DIR"] = os.path.join(home, "runtime")
    env["HOME"] = home
    # Tests do not use the user's adb server.
    env.setdefault("SQUINT_ANDROID_ADB_SERVER", "off")
    # The minute of the demo phone's clock changes no picture during a test.
    env.setdefault("SQUINT_TEST_STILL_MINUTE", "1")
    env[SLOWNESS_NAME] = str(SLOWNESS)
    return env


def remove(folder):
    """Remove a temporary folder, into which a process that ends with the server may
    write a moment longer: under Wine it did on a busy machine."""
    for _ in range(50):
        try:
            folder.cleanup()
            return
        except OSError as error:
            if error.errno != errno.ENOTEMPTY:
                raise
        time.sleep(0.1)
    folder.cleanup()


class Server:
    """The child process. Its working folder is private and is removed at its
    end; prepare gets the path before the child starts."""

    def __init__(self, argv, timeout=PATIENCE, env=None, prepare=None):
        self.timeout = timeout
        self.folder = tempfile.TemporaryDirectory(prefix="squint-server-")
        self.stderr = pathlib.Path(self.folder.name, "stderr")
        self.lines = queue.Queue()
        self.next_id = 1
        self.modern = False
        if prepare:
            prepare(self.folder.name)
        self.began = time.perf_counter()
        # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        with open(self.stderr, "wb") as errors:
            self.process = subprocess.Popen(
                [os.path.abspath(argv[0]), *argv[1:]],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=self.folder.name, preexec_fn=die_with_parent,
                env={**clean_environment(self.folder.name), **(env or {})})
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        remove(self.folder)

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send_bytes(self, line):
        """Send one line unchanged."""
        try:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise ServerError(f"does not listen any more: {error}") from error

    def send(self, message):
        """Send one message."""
        self.send_bytes(json.dumps(message).encode())

    def receive_bytes(self, timeout=None):
        """The next line without its newline; b"" if the server has ended."""
        try:
            line = self.lines.get(timeout=timeout or self.timeout)
        except queue.Empty as error:
            raise ServerError("no answer in time") from error
        if line is None:
            self.lines.put(None)
            return b""
        if not line.endswith(b"\n"):
            raise ServerError(f"a line without an end: {line[:200]!r}")
        return line[:-1]

    def receive(self, timeout=None):
        """The next message."""
        line = self.receive_bytes(timeout)
        if not line:
            raise ServerError("has gone: " + self.stderr_text())
        return json.loads(line)

    def request(self, method, params=None):
        """Send a request and return the answer; notifications are skipped."""
        number = self.next_id
        self.next_id += 1
        params = dict(params or {})
        if self.modern:
            params["_meta"] = {**modern_meta(), **params.get("_meta", {})}
        self.send({"jsonrpc": "2.0", "id": number, "method": method,
                   "params": params})
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                return answer

    def initialize(self, version=LEGACY):
        """Start a session as the revision requires; returns the answer."""
        if version == MODERN:
            self.modern = True
            return self.request("server/discover")
        answer = self.request("initialize", {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": CLIENT})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, tool, /, **arguments):
        """Call a tool; returns its result."""
        answer = self.request("tools/call",
                              {"name": tool, "arguments": arguments})
        if "result" not in answer:
            raise ServerError(f"{tool} {arguments}: {answer}")
        return answer["result"]

    def ui(self, operation, /, **arguments):
        """Call ui; returns the JSON of its text."""
        result = self.call("ui", operation=operation, **arguments)
        block = next(b for b in result["content"] if b["type"] == "text")
        if result.get("isError"):
            raise ServerError(f"{operation} {arguments}: {block['text']}")
        return self.json_of(block)

    @staticmethod
    def json_of(block):
        """The JSON of a text block."""
        return json.loads(block["text"])

    def rss(self):
        """Its resident memory in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(l for l in status.splitlines() if l.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def stderr_text(self):
        """Its standard error."""
        return self.stderr.read_text(errors="replace")

    def close(self):
        """Close its input, wait, and return the exit status."""
        if self.process.stdin and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except OSError:
                pass
        try:
            return self.process.wait(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise ServerError("does not end when its input ends") from None
