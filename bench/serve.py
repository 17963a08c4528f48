"""The server under load, beside server-everything: HTTP and stdio.

Both servers run at the same time and get the same load in turn, round after
round: calls of a small tool that answers some hundred bytes of text from memory,
on several connections with a session each (one over stdio), one call at a time
per connection. Meanwhile one more connection sends a ping every few
milliseconds. Afterwards sessions with an open stream are added.
"""
import json
import multiprocessing
import os
import re
import socket
import subprocess
import tempfile
import time

from inputs import HERE
from workers import WorkerError

EVERYTHING = os.path.join(HERE, "node_modules/@modelcontextprotocol/"
                          "server-everything/dist/index.js")
CALLS = int(os.environ.get("BENCH_SERVE_CALLS", "50000"))
ROUNDS = 5
CLIENTS = 4
STREAMS = 200
PING_EVERY_S = 0.005
WAIT_S = 30
TARGETS = {"http": 15.0, "stdio": 7.0, "memoryBytes": 12e6, "memory": 30.0}
# The peer listens on all interfaces otherwise.
BIND = ("const net=require('net');const l=net.Server.prototype.listen;"
        "net.Server.prototype.listen=function(p,...a){"
        "return l.call(this,p,'127.0.0.1',...a.filter("
        "x=>typeof x==='function'));};")
INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {},
              "clientInfo": {"name": "bench", "version": "1"}}
RTFM = {"name": "rtfm", "arguments": {"toolName": "rtfm"}}
ECHO = {"name": "echo", "arguments": {"message": "x" * 250}}
DEVICES = {"name": "ui", "arguments": {"operation": "devices"}}


def free_port():
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def request(method, params):
    """A request as JSON."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": params}).encode()


class HttpClient:
    """One connection that is kept, with its session."""

    def __init__(self, server):
        self.port = server.port
        self.headers = server.headers
        self.socket = socket.create_connection(("127.0.0.1", self.port),
                                               timeout=WAIT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head, _ = self.exchange(self.post("initialize", INITIALIZE))
        found = re.search(rb"(?i)mcp-session-id: *(\S+)", head)
        self.headers = {**self.headers, "Mcp-Session-Id": found[1].decode()}

    def head(self, method, length):
        """The head of a request."""
        lines = [f"{method} /mcp HTTP/1.1", f"Host: 127.0.0.1:{self.port}",
                 *(f"{name}: {value}" for name, value in self.headers.items()),
                 f"Content-Length: {length}"]
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def post(self, method, params):
        """The bytes of a request."""
        body = request(method, params)
        return self.head("POST", len(body)) + body

    def read_head(self):
        """The head of an answer and what was read after it."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.socket.recv(65536)
            if not more:
                raise WorkerError(f"the server closed a connection: {data}")
            data += more
        head, _, body = data.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise WorkerError(f"the server answered {head} {body[:300]}")
        return head, body

    def exchange(self, sent):
        """Send bytes and read the whole answer."""
        self.socket.sendall(sent)
        head, body = self.read_head()
        length = re.search(rb"(?i)content-length: *(\d+)", head)
        while (len(body) < int(length[1]) if length
               else not body.endswith(b"0\r\n\r\n")):
            body += self.socket.recv(65536)
        if b'"result"' not in body:
            raise WorkerError(f"the server answered {body[:300]}")
        return head, body

    def open_stream(self):
        """Open the stream of the session."""
        self.socket.sendall(self.head("GET", 0))
        self.read_head()


class PipeClient:
    """The only client of a server over stdio."""

    def __init__(self, server):
        self.process = server.process
        self.exchange(self.post("initialize", INITIALIZE))
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":'
                                 b'"notifications/initialized"}\n')

    @staticmethod
    def post(method, params):
        """The bytes of a request."""
        return request(method, params) + b"\n"

    def exchange(self, sent):
        """Send a line and read the answer; notifications are skipped."""
        os.write(self.process.stdin.fileno(), sent)
        line = b""
        while b'"id":1' not in line:
            line = self.process.stdout.readline()
            if not line:
                raise WorkerError("the server ended")
        if b'"result"' not in line:
            raise WorkerError(f"the server answered {line[:300]}")


class Server:
    """A server process."""

    def __init__(self, name, transport, argv, env):
        self.name = name
        self.transport = transport
        self.call = RTFM if name == "squint" else ECHO
        self.port = int(env["PORT"])
        self.headers = {"Content-Type": "application/json",
                        "Accept": "application/json, text/event-stream"}
        is_pipe = transport == "stdio"
        self.process = subprocess.Popen(
            argv, env=env, stdin=subprocess.PIPE if is_pipe
            else subprocess.DEVNULL, stdout=subprocess.PIPE if is_pipe
            else subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.client = PipeClient(self) if is_pipe else None
        self.cpu_us = []  # per call, of each round
        self.pings = []
        if not is_pipe:
            self.wait()

    def wait(self):
        """Wait until it answers requests. It may listen before it has written
        its token."""
        end = time.monotonic() + WAIT_S
        while time.monotonic() < end:
            try:
                with socket.create_connection(("127.0.0.1", self.port),
                                              timeout=WAIT_S) as probe:
                    probe.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    # Without a listener, a socket can connect to itself.
                    if probe.recv(4) == b"HTTP":
                        return
            except OSError:
                pass
            time.sleep(0.02)
        self.stop()
        raise WorkerError(self.name + " did not start")

    def cpu_s(self):
        """Processor time of all its threads so far; none of them ends."""
        folder = f"/proc/{self.process.pid}/task/"
        total_ns = 0
        for thread in os.listdir(folder):
            with open(folder + thread + "/schedstat", encoding="ascii") as file:
                total_ns += int(file.read().split()[0])
        return total_ns / 1e9

    def rss(self):
        """Memory in bytes."""
        with open(f"/proc/{self.process.pid}/status",
                  encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) * 1024

    def stop(self):
        """End it."""
        self.process.terminate()
        self.process.wait()


def send_calls(client, call, count):
    """Call a tool that often, one call at a time."""
    sent = client.post("tools/call", call)
    for _ in range(count):
        client.exchange(sent)


def load_http(server, call, count):
    """Calls on all connections; the seconds that pings took meanwhile."""
    def work():
        send_calls(HttpClient(server), call, count // CLIENTS)

    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=work) for _ in range(CLIENTS)]
    client = HttpClient(server)
    ping = client.post("ping", {})
    pings = []
    for worker in workers:
        worker.start()
    try:
        while any(worker.is_alive() for worker in workers):
            begin = time.perf_counter()
            client.exchange(ping)
            pings.append(time.perf_counter() - begin)
            time.sleep(PING_EVERY_S)
    finally:
        for worker in workers:
            worker.terminate()  # no effect on those that have ended
            worker.join()
    if any(worker.exitcode != 0 for worker in workers):
        raise WorkerError(f"{server.name}: a client failed")
    return pings


def load(server, call, count):
    """One round: processor time per call in microseconds, and pings."""
    before = server.cpu_s()
    pings = []
    if server.client:
        send_calls(server.client, call, count)
    else:
        pings = load_http(server, call, count)
    return (server.cpu_s() - before) / count * 1e6, pings


def hold_streams(server):
    """Open that many sessions with a stream; how many answer afterwards."""
    clients = [HttpClient(server) for _ in range(STREAMS)]
    for client in clients:
        client.open_stream()
    HttpClient(server).exchange(clients[0].post("ping", {}))
    held = 0
    for client in clients:
        client.socket.setblocking(False)
        try:
            held += client.socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            held += 1
    return held


def start_all(servers, squint, node, folder):
    """Add all servers, by name and transport."""
    bind = os.path.join(folder, "bind.cjs")
    token = os.path.join(folder, "token")
    with open(bind, "w", encoding="ascii") as file:
        file.write(BIND)
    for transport in TARGETS.keys() & {"http", "stdio"}:
        port = free_port()
        env = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder,
               "SQUINT_ANDROID_ADB_SERVER": "off", "PORT": str(port)}
        argv = [squint, "mcp"]
        if transport == "http":
            argv = [squint, "serve", "--listen", f"127.0.0.1:{port}",
                    "--token-file", token]
        servers["squint", transport] = Server("squint", transport, argv, env)
        if transport == "http":
            with open(token, encoding="ascii") as file:
                servers["squint", transport].headers["Authorization"] = (
                    "Bearer " + file.read().strip())
        if node and os.path.exists(EVERYTHING):
            env["PORT"] = str(free_port())
            argv = [node, "--require", bind, EVERYTHING,
                    "streamableHttp" if transport == "http" else "stdio"]
            servers["peer", transport] = Server("server-everything", transport,
                                                argv, env)


def median(figures):
    """The middle of some figures."""
    return sorted(figures)[len(figures) // 2]


def run_rounds(servers):
    """Load all servers in turn, round after round."""
    for server in servers.values():
        load(server, server.call, CALLS // 50)  # warm
    for _ in range(ROUNDS):
        for server in servers.values():
            cpu_us, pings = load(server, server.call, CALLS // ROUNDS)
            server.cpu_us.append(cpu_us)
            server.pings.extend(pings)


def times_less(ours, theirs):
    """"12.3x less"."""
    return f"{theirs / ours:.1f}x less"


def verdict(held):
    """The result of a row in one word."""
    return "met" if held else "missed"


def cost_row(servers, transport):
    """Processor time per call."""
    ours = servers["squint", transport]
    theirs = servers.get(("peer", transport))
    row = {"id": f"serve-{transport}",
           "what": f"processor time per tools/call over {transport}",
           "figure": f"{median(ours.cpu_us):.1f} us", "beside": "-",
           "target": f"at least {TARGETS[transport]:.0f}x less",
           "verdict": "", "cpuMicros": ours.cpu_us}
    if theirs:
        cost = median(theirs.cpu_us)
        row["beside"] = (f"{theirs.name} {cost:.0f} us, "
                         f"{times_less(median(ours.cpu_us), cost)}")
        row["verdict"] = verdict(cost / median(ours.cpu_us)
                                 >= TARGETS[transport])
        row["peerMicros"] = theirs.cpu_us
    return row


def memory_row(servers, memory):
    """Memory after all calls over HTTP."""
    ours = memory["squint", "http"]
    row = {"id": "serve-memory",
           "what": f"memory after {CALLS:,} calls over http",
           "figure": f"{ours / 1e6:.1f} MB", "beside": "-",
           "target": "at most 12 MB, at least 30x less",
           "verdict": verdict(ours <= TARGETS["memoryBytes"]),
           "bytes": {" ".join(key): value for key, value in memory.items()}}
    theirs = memory.get(("peer", "http"))
    if theirs:
        row["beside"] = (f"{servers['peer', 'http'].name} "
                         f"{theirs / 1e6:.0f} MB, {times_less(ours, theirs)}")
        row["verdict"] = verdict(ours <= TARGETS["memoryBytes"]
                                 and theirs / ours >= TARGETS["memory"])
    return row


def percentile(pings, share):
    """That percentile in milliseconds."""
    return sorted(pings)[min(len(pings) - 1, len(pings) * share // 100)] * 1e3


def ping_row(servers):
    """How long pings took while calls ran."""
    texts = {key: f"p50 {percentile(server.pings, 50):.2f} ms, "
                  f"p99 {percentile(server.pings, 99):.2f} ms"
             for key, server in servers.items() if server.pings}
    return {"id": "serve-ping", "what": "ping over http while calls run",
            "figure": texts["squint", "http"],
            "beside": texts.get(("peer", "http"), "-"), "target": "reported",
            "verdict": ""}


def streams_row(servers):
    """Open streams."""
    held = {key: hold_streams(server) for key, server in servers.items()
            if server.transport == "http"}
    return {"id": "serve-streams", "what": "open streams of as many sessions",
            "figure": str(held["squint", "http"]),
            "beside": str(held.get(("peer", "http"), "-")),
            "target": f"{STREAMS} held",
            "verdict": verdict(held["squint", "http"] == STREAMS)}


def thread_row(servers):
    """A call that runs on a thread of its own, for comparison."""
    cost = {transport: load(servers["squint", transport], DEVICES,
                            CALLS // 10)[0] for transport in ("http", "stdio")}
    return {"id": "serve-thread",
            "what": "the same for `ui devices`, which runs on its own thread",
            "figure": f"{cost['http']:.1f} us, stdio {cost['stdio']:.1f} us",
            "beside": "-", "target": "reported", "verdict": ""}


def measure(squint, node):
    """All rows."""
    with tempfile.TemporaryDirectory(prefix="squint-serve-") as folder:
        servers = {}
        try:
            start_all(servers, os.path.abspath(squint), node, folder)
            run_rounds(servers)
            memory = {key: server.rss() for key, server in servers.items()}
            return [cost_row(servers, "http"), cost_row(servers, "stdio"),
                    memory_row(servers, memory), ping_row(servers),
                    streams_row(servers), thread_row(servers)]
        finally:
            for server in servers.values():
                server.stop()
