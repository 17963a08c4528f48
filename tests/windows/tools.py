#!/usr/bin/env python3
"""tools.py COMMAND ...: print the list of tools that a server of squint offers."""
import json
import subprocess
import sys

MESSAGES = [
    {"id": 1, "method": "initialize",
     "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}}},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
]
LINES = "".join(json.dumps({"jsonrpc": "2.0", **m}) + "\n" for m in MESSAGES)
DONE = subprocess.run([*sys.argv[1:], "mcp", "--tools", "split"], input=LINES, text=True,
                      stdout=subprocess.PIPE, timeout=60, check=True)
for line in DONE.stdout.splitlines():
    answer = json.loads(line)
    if answer.get("id") == 2:
        print(json.dumps(answer["result"]["tools"]))
