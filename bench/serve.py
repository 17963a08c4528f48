#!/usr/bin/env python3
"""serve.py SQUINT NODE: squint serve beside server-everything, the same load.

Prints processor time per call, memory after the load, the p99 of ping while
calls run, and how many streams are held, for both servers in one run. Needs the
packages of bench/package.json.
"""
import http.client
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EVERYTHING = os.path.join(HERE, "node_modules/@modelcontextprotocol/"
                          "server-everything/dist/index.js")
CALLS = int(os.environ.get("SQUINT_BENCH_CALLS", "50000"))
CLIENTS = 4
STREAMS = 200
TICKS = os.sysconf("SC_CLK_TCK")
HEADERS = {"Content-Type": "application/json",
           "Accept": "application/json, text/event-stream"}
# The peer listens on all interfaces otherwise.
BIND = ("const net=require('net');const l=net.Server.prototype.listen;"
        "net.Server.prototype.listen=function(p,...a){"
        "return l.call(this,p,'127.0.0.1',...a.filter("
        "x=>typeof x==='function'));};")


def free_port():
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Peer:
    """One server, its port, its token and the call it is measured with."""

    def __init__(self, name, folder, squint, node):
        self.name = name
        self.port = free_port()
        self.headers = dict(HEADERS)
        env = dict(os.environ, HOME=folder, XDG_STATE_HOME=folder,
                   SQUINT_ANDROID_ADB_SERVER="off", PORT=str(self.port))
        if name == "squint":
            token = os.path.join(folder, "token")
            argv = [squint, "serve", "--listen", f"127.0.0.1:{self.port}",
                    "--token-file", token]
            self.call = {"name": "rtfm", "arguments": {"toolName": "rtfm"}}
        else:
            bind = os.path.join(folder, "bind.cjs")
            with open(bind, "w", encoding="ascii") as file:
                file.write(BIND)
            argv = [node, "--require", bind, EVERYTHING, "streamableHttp"]
            self.call = {"name": "echo", "arguments": {"message": "x" * 300}}
        self.process = subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.wait()
        if name == "squint":
            with open(token, encoding="ascii") as file:
                self.headers["Authorization"] = "Bearer " + file.read().strip()

    def wait(self):
        """Wait until it accepts connections."""
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(self.name + " did not start")

    def cpu_s(self):
        """Processor time used so far."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def rss(self):
        """Memory in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) * 1024

    def session(self):
        """A connection with a session: (connection, headers)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        answer = post(connection, self.headers, "initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"}})
        headers = dict(self.headers, **{"Mcp-Session-Id": answer})
        return connection, headers


def post(connection, headers, method, params):
    """Send a request; return the session's id, if the answer has one."""
    connection.request("POST", "/mcp", json.dumps({
        "jsonrpc": "2.0", "id": 1, "method": method, "params": params}),
        headers)
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200 or b'"result"' not in body:
        raise RuntimeError(f"{method}: {answer.status} {body[:200]}")
    return answer.headers.get("Mcp-Session-Id")


def load(peer, calls):
    """Send calls on several connections; return seconds per ping meanwhile."""
    pings = []
    done = threading.Event()

    def work(count):
        connection, headers = peer.session()
        for _ in range(count):
            post(connection, headers, "tools/call", peer.call)

    def ping():
        connection, headers = peer.session()
        while not done.is_set():
            begin = time.perf_counter()
            post(connection, headers, "ping", {})
            pings.append(time.perf_counter() - begin)
            time.sleep(0.01)

    workers = [threading.Thread(target=work, args=(calls // CLIENTS,))
               for _ in range(CLIENTS)]
    pinger = threading.Thread(target=ping)
    for thread in [*workers, pinger]:
        thread.start()
    for thread in workers:
        thread.join()
    done.set()
    pinger.join()
    return sorted(pings)


def hold_streams(peer):
    """Open streams of as many sessions; return how many were accepted."""
    held = []
    for _ in range(STREAMS):
        try:
            connection, headers = peer.session()
            connection.request("GET", "/mcp", headers=headers)
            if connection.getresponse().status == 200:
                held.append(connection)
        except (OSError, RuntimeError, http.client.HTTPException):
            break
    return len(held)


def measure(peer):
    """All figures of one server."""
    load(peer, CALLS // 50)  # warm
    before = peer.cpu_s()
    begin = time.perf_counter()
    pings = load(peer, CALLS)
    took = time.perf_counter() - begin
    figures = {"cpuMicrosPerCall": (peer.cpu_s() - before) / CALLS * 1e6,
               "callsPerSecond": CALLS / took,
               "rssMB": peer.rss() / 1e6,
               "pingP50Ms": pings[len(pings) // 2] * 1e3,
               "pingP99Ms": pings[len(pings) * 99 // 100] * 1e3}
    figures["streams"] = hold_streams(peer)
    return figures


def main():
    """Measure both and print the ratios."""
    squint, node = sys.argv[1:3]
    found = {}
    for name in ("squint", "everything"):
        with tempfile.TemporaryDirectory() as folder:
            peer = Peer(name, folder, squint, node)
            try:
                found[name] = measure(peer)
            finally:
                peer.process.terminate()
                peer.process.wait()
    for name, figures in found.items():
        print(name, json.dumps({k: round(v, 2) for k, v in figures.items()}))
    ours, theirs = found["squint"], found["everything"]
    print(f"processor time per call: "
          f"{theirs['cpuMicrosPerCall'] / ours['cpuMicrosPerCall']:.1f} times "
          f"less; memory: {theirs['rssMB'] / ours['rssMB']:.1f} times less")


main()
