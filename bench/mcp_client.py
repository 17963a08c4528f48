"""Clients of an MCP server over a pipe, with little overhead."""

import json
import os
import pathlib
import selectors
import subprocess
import time

REVISION = "2025-11-25"
READ_BYTES = 1 << 20
# Switches off the telemetry of other servers.
QUIET = {"MOBILEMCP_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}
PATIENCE_S = 30


class ClientError(Exception):
    """A server ended or sent an invalid answer."""


def environment(home):
    """Our environment without variables that affect the servers, and with
    another home folder."""
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("SQUINT_", "REPLICANT_", "XDG_"))}
    # Do not start an adb server for the user.
    return {**env, **QUIET, "HOME": home, "SQUINT_ANDROID_ADB_SERVER": "off"}


def write(descriptor, rest):
    """Write all bytes."""
    while rest:
        rest = rest[os.write(descriptor, rest):]


class Client:
    """One server, from its start to its end."""

    def __init__(self, argv, home, more=None):
        self.name = os.path.basename(argv[0])
        self.next_id = 0
        self.began = time.perf_counter()
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0, cwd=home,
            env={**environment(home), **(more or {})})
        self.to = self.process.stdin.fileno()
        self.answers = self.process.stdout.fileno()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def send(self, message):
        """Send one message."""
        write(self.to, json.dumps({"jsonrpc": "2.0", **message}).encode()
              + b"\n")

    def read_from(self, descriptor):
        """Read some bytes."""
        some = os.read(descriptor, READ_BYTES)
        if not some:
            raise ClientError(f"{self.name} ended too early")
        return some

    def read(self):
        """Read some bytes of the answers."""
        return self.read_from(self.answers)

    def ask(self, method, params):
        """Send a request; returns the line of its answer."""
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        pieces = []
        while True:
            pieces.append(self.read())
            if not pieces[-1].endswith(b"\n"):
                continue
            lines = b"".join(pieces).splitlines()
            mine = [line for line in lines if f'"id":{self.next_id}'.encode()
                    in line.replace(b" ", b"")]
            if mine:
                return mine[-1]

    def start(self):
        """Initialize; returns milliseconds from the start to the answer."""
        self.ask("initialize", {
            "protocolVersion": REVISION, "capabilities": {},
            "clientInfo": {"name": "squint-bench", "version": "1"}})
        took = (time.perf_counter() - self.began) * 1e3
        self.send({"method": "notifications/initialized"})
        return took

    def tools(self):
        """The answer to tools/list, as text."""
        answer = json.loads(self.ask("tools/list", {}))
        return json.dumps(answer["result"]["tools"], ensure_ascii=False,
                          separators=(",", ":"))

    def call(self, tool, **arguments):
        """Call a tool, which has to succeed; returns the line of its answer."""
        line = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if b'"result"' not in line or b'"isError":true' in line:
            raise ClientError(f"{tool} {arguments}: {line[:300]!r}")
        return line

    def ui(self, operation, **arguments):
        """Call squint's tool, which has to succeed."""
        self.call("ui", operation=operation, **arguments)

    def pings(self, count):
        """Send `count` pings without waiting; returns answers per second."""
        rest = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % i
                        for i in range(count))
        os.set_blocking(self.to, False)
        ready = selectors.DefaultSelector()
        ready.register(self.to, selectors.EVENT_WRITE)
        ready.register(self.answers, selectors.EVENT_READ)
        answered = 0
        began = time.perf_counter()
        while answered < count:
            for key, _ in ready.select():
                if key.fd == self.answers:
                    answered += self.read().count(b"\n")
                elif rest:
                    rest = rest[os.write(self.to, rest[:READ_BYTES]):]
                else:
                    ready.unregister(self.to)
        took = time.perf_counter() - began
        ready.close()
        os.set_blocking(self.to, True)
        return count / took

    def rss(self):
        """Its resident memory in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(
            encoding="ascii")
        line = next(l for l in status.splitlines() if l.startswith("VmRSS"))
        return int(line.split()[1]) * 1024

    def cpu_ms(self):
        """Milliseconds of CPU time that its threads have used."""
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        return sum(int((task / "schedstat").read_text().split()[0])
                   for task in tasks.iterdir()) / 1e6


class TimedClient(Client):
    """
    The same with bench-stopwatch between client and server, because Python reads
    the clock about 50 us after bytes have arrived.
    """

    def __init__(self, stopwatch, argv, home, more=None):
        super().__init__(argv, home, more)
        # pylint: disable=consider-using-with
        self.watch = subprocess.Popen(
            [stopwatch, str(self.to), str(self.answers)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
            pass_fds=(self.to, self.answers))
        self.lines = self.watch.stdout.fileno()
        self.asks = False
        self.took_ms = None  # from the last request to the end of its answer

    def __exit__(self, *_):
        self.watch.stdin.close()
        self.watch.wait()
        self.watch.stdout.close()
        super().__exit__()

    def send(self, message):
        if "id" not in message:
            super().send(message)
            return
        self.asks = True
        write(self.watch.stdin.fileno(),
              json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def read(self):
        if not self.asks:
            write(self.watch.stdin.fileno(), b"\n")
        self.asks = False
        text = b""
        while b"\n" not in text:
            text += self.read_from(self.lines)
        head, text = text.split(b"\n", 1)
        took_ns, count = map(int, head.split())
        self.took_ms = took_ns / 1e6
        while len(text) < count:
            text += self.read_from(self.lines)
        return text
