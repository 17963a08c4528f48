#!/usr/bin/env python3
"""bridge.py SQUINT [OPTION ...]: squint serve as if it were squint mcp.

Posts every line of standard input to the server, in a session, and prints what
it sends, so that conversations over stdio can be repeated over HTTP.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

from served import Connection


def main():
    """Serve until the input ends."""
    with tempfile.TemporaryDirectory(prefix="squint-bridge-") as folder:
        token = os.path.join(folder, "token")
        server = subprocess.Popen(
            [sys.argv[1], "serve", *sys.argv[2:], "--listen", "127.0.0.1:0",
             "--token-file", token], stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        address = None
        for line in server.stderr:
            address = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if address:
                break
        with open(token, encoding="ascii") as file:
            headers = {"Authorization": "Bearer " + file.read().strip()}
        port = int(address.group(1))
        headers.update({"Host": f"127.0.0.1:{port}",
                        "Content-Type": "application/json",
                        "Accept": "application/json, text/event-stream"})
        for line in sys.stdin:
            forward(("127.0.0.1", port), headers, line.strip().encode())
        server.send_signal(signal.SIGINT)  # Wine makes it a Ctrl-C
        server.communicate()
    sys.exit(server.returncode)


def forward(address, headers, body):
    """Post one message and print what is sent for it."""
    lines = ["POST /mcp HTTP/1.1", f"Content-Length: {len(body)}",
             *(f"{name}: {value}" for name, value in headers.items())]
    connection = Connection(address)
    connection.send("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    answer = connection.read_answer()
    connection.close()
    if "mcp-session-id" in answer.headers:
        headers["Mcp-Session-Id"] = answer.headers["mcp-session-id"]
    if answer.headers.get("content-type") == "text/event-stream":
        messages = [message for _, message in answer.events() if message]
    else:
        messages = [json.loads(answer.body)] if answer.body else []
    for message in messages:
        print(json.dumps(message, separators=(",", ":"), ensure_ascii=False),
              flush=True)


main()
