#!/usr/bin/env python3
"""run.py NODE FIXTURE: run the conformance suite against the test server.

Prints TAP: one line per requirement set, and one per failing scenario.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

SUITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "node_modules",
                     "@modelcontextprotocol/conformance/dist/index.js")
# The scenarios that each set must pass: scored, and only reported.
SETS = {"2025-11-25": (30, 3), "2026-07-28": (37, 13)}
PATIENCE = 600  # seconds


def run_set(node, address, revision):
    """Run one set; return the passing and failing scenarios of both kinds."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [node, SUITE, "server", "--url", address, "--requirements",
             revision, "-o", folder], capture_output=True, text=True,
            timeout=PATIENCE, check=False)
    summary, _, unscored = done.stdout.partition("Not scored for")
    summary = summary.partition("=== SUMMARY ===")[2]
    reported = {name: mark for mark, name in
                re.findall(r"^  ([✓✗]) (\S+) \(", unscored, re.M)}
    scored = {name: mark for mark, name in
              re.findall(r"^([✓✗]) (\S+):", summary, re.M)
              if name not in reported}
    return scored, reported, done.stdout + done.stderr


def main():
    """Run both sets against one server."""
    node, fixture = sys.argv[1:3]
    failed = 0
    env = dict(os.environ)
    env.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    with subprocess.Popen([fixture], stdout=subprocess.PIPE, text=True,
                          env=env) as server:
        address = server.stdout.readline().strip()
        for number, (revision, wanted) in enumerate(SETS.items(), 1):
            scored, reported, output = run_set(node, address, revision)
            good = [sum(mark == "✓" for mark in found.values())
                    for found in (scored, reported)]
            is_good = tuple(good) == wanted
            failed += not is_good
            print(f"{'ok' if is_good else 'not ok'} {number} - {revision}: "
                  f"{good[0]}/{len(scored)} scored, "
                  f"{good[1]}/{len(reported)} unscored")
            for name, mark in {**scored, **reported}.items():
                if mark != "✓":
                    print(f"# {name} fails")
            if not scored:
                print("#", output[-2000:].replace("\n", "\n# "))
        server.send_signal(signal.SIGINT)  # Wine makes it a Ctrl-C
    failed += server.returncode != 0
    print(f"{'ok' if server.returncode == 0 else 'not ok'} {len(SETS) + 1} - "
          "the test server ends without an error")
    print(f"1..{len(SETS) + 1}")
    sys.exit(failed > 0)


main()
