#!/usr/bin/env python3
"""threads.py SQUINT: 256 calls in parallel, with ThreadSanitizer.

SQUINT is compiled with -fsanitize=thread (scripts/threads). Over one pipe, and
over HTTP by eight clients, calls look, act, list past screenshots, fail and are
cancelled. The sanitizer reports two threads that use the same memory in no
order; there may be no report, and each call has its one answer.
"""

import pathlib
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("support", "http"):
    sys.path.insert(0, str(HERE.parent / folder))

# pylint: disable=wrong-import-position
import past_folders
import served
import squint_server

CALLS = 256
AT_A_TIME = 32
CLIENTS = 8
REPORT = "ThreadSanitizer"
PAST = {"startDate": "2026-01-15T08:00:00+00:00",
        "endDate": "2026-01-15T09:00:00+00:00"}


def call(number):
    """The tool and the arguments of a call."""
    kinds = (
        ("ui", {"operation": "screenshot"}),
        ("ui", {"operation": "dump"}),
        ("ui", {"operation": "tap", "text": "Settings"}),
        ("ui", {"operation": "key", "name": "home"}),
        ("ui", {"operation": "scroll", "direction": "down"}),
        ("ui", {"operation": "find", "text": "Wi-Fi"}),
        ("ui", {"operation": "tap", "text": "nothing like this"}),
        ("list_screenshots", PAST),
        ("contact_sheet", PAST),
        ("ui", {"operation": "wait", "text": "never", "timeoutMs": 200}),
        ("ui", {"operation": "steps", "steps": [{"operation": "dump"}]}),
    )
    return kinds[number % len(kinds)]


def check(answers, ids):
    """Each id has one answer, and most calls did what they should."""
    answers = [one for one in answers if "id" in one]
    assert sorted(one["id"] for one in answers) == sorted(ids)
    good = sum(not one["result"].get("isError") for one in answers)
    assert good >= len(answers) // 2, f"only {good} calls succeeded"


def over_a_pipe(squint, past):
    """Several calls at a time without waiting; every ninth is cancelled."""
    with squint_server.Server([squint, "mcp", "--archive", str(past)]) as server:
        server.initialize()
        for first in range(1000, 1000 + CALLS, AT_A_TIME):
            numbers = range(first, first + AT_A_TIME)
            for number in numbers:
                tool, arguments = call(number)
                server.send({"jsonrpc": "2.0", "id": number,
                             "method": "tools/call",
                             "params": {"name": tool, "arguments": arguments}})
                if number % 9 == 8:
                    server.send({"jsonrpc": "2.0",
                                 "method": "notifications/cancelled",
                                 "params": {"requestId": number}})
            waited = {number for number in numbers if number % 9 != 8}
            ids, answers = set(waited), []
            while waited:
                answers.append(server.receive())
                waited.discard(answers[-1].get("id"))
            check([one for one in answers if one.get("id") in ids], ids)
        server.close()
        return server.stderr_text()


def over_http(squint, past):
    """The same calls by several clients, each with a session of its own."""
    server = served.Server([squint], extra=["--archive", str(past)])
    log = served.Log(server)
    answers = []

    def run(first):
        session = server.initialize()
        for number in range(first, CALLS, CLIENTS):
            tool, arguments = call(number)
            answer = server.legacy(session, "tools/call",
                                   {"name": tool, "arguments": arguments},
                                   number)
            answers.append(answer.json())

    threads = [threading.Thread(target=run, args=(first,))
               for first in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    server.stop()
    check(answers, range(CALLS))
    return "".join(log.lines)


def main():
    """Run both, and print what the sanitizer reported."""
    squint = sys.argv[1]
    status = 0
    with tempfile.TemporaryDirectory(prefix="squint-threads-") as name:
        past = pathlib.Path(name)
        past_folders.put_shots(squint, past / "2026-01-15",
                               "2026-01-15T09:00:00", 20, 60)
        for run in (over_a_pipe, over_http):
            said = run(squint, past)
            reports = said.count("WARNING: " + REPORT)
            print(f"{run.__name__}: {CALLS} calls, {reports} reports")
            if REPORT in said:
                print(said[:20000])
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
