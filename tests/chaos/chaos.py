#!/usr/bin/env python3
"""chaos.py SQUINT [--count N] [--seed N]: random messages over a pipe; TAP.

Every request whose id can be read gets exactly one answer with that id, a
message that cannot be read gets one error without an id, others get none; and
the server sends nothing else. With --revision 2025-03-26 some are sent in
batches, and each batch is answered by one array.
"""

import argparse
import collections
import json
import pathlib
import sys
import threading
import time

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

# pylint: disable=wrong-import-position
from messages import AT_END, BATCH, ID, NO_ID, Messages
from squint_server import PATIENCE, Server, ServerError

# Requests that may be unanswered: a client that never waits would only measure
# how long a queue can be.
AHEAD = 64
WITH_BATCHES = "2025-03-26"
KNOWN = {"notifications/progress", "notifications/message",
         "notifications/resources/updated", "notifications/cancelled",
         "notifications/subscriptions/acknowledged"}


def key_of(number):
    """1 and "1" are different ids; so are 1 and true."""
    return type(number).__name__, number


class Tally:
    """Counts sent and received messages; used by two threads."""

    def __init__(self):
        self.changed = threading.Condition()
        self.deserved = {}
        self.without_id = 0
        self.answers = collections.Counter()
        self.errors = 0
        self.stray = []
        self.open = 0
        self.arrays = 0

    def sent(self, deserves, number):
        """Called before a line is sent."""
        parts = number if deserves == BATCH else [(deserves, number)]
        with self.changed:
            for wanted, key in parts:
                if wanted == NO_ID:
                    self.without_id += 1
                elif key is not None:
                    self.deserved[key_of(key)] = wanted
                self.open += wanted in (ID, NO_ID)
            if deserves == BATCH:
                self.arrays += any(wanted in (ID, NO_ID)
                                   for wanted, _ in parts)

    def came(self, line):
        """Called for each received line."""
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        parts = message if isinstance(message, list) else [message]
        with self.changed:
            self.arrays -= isinstance(message, list)
            if not parts or not all(self.is_known(part) for part in parts):
                self.stray.append(line)
            else:
                for part in parts:
                    self.count(part)
            self.changed.notify()

    @staticmethod
    def is_known(message):
        """Whether a server may send this message."""
        try:
            return message["jsonrpc"] == "2.0" and (
                "id" in message or "error" in message
                or message["method"] in KNOWN)
        except (KeyError, TypeError):
            return False

    def count(self, message):
        """Count one message, perhaps of an array."""
        if "id" in message:
            key = key_of(message["id"])
            self.answers[key] += 1
            self.open -= self.deserved.get(key) == ID
        elif "error" in message:
            self.errors += 1
            self.open -= 1

    def wait(self, most, seconds):
        """Wait until at most `most` are open; False if that takes too long."""
        with self.changed:
            return self.changed.wait_for(lambda: self.open <= most, seconds)

    def problems(self):
        """{what: [examples]}"""
        unanswered = [key for key, deserves in self.deserved.items()
                      if deserves in (ID, AT_END) and not self.answers[key]]
        twice = [key for key, count in self.answers.items() if count > 1]
        unknown = [key for key in self.answers if key not in self.deserved]
        lost = self.without_id - self.errors
        return {"no request is unanswered": unanswered,
                "no request is answered twice": twice,
                "no answer is for an unused id": unknown,
                "each unreadable line gets one error":
                    [f"{self.without_id} lines, {self.errors} errors"]
                    if lost else [],
                "every batch is answered by one array":
                    [f"{self.arrays} too few"] if self.arrays else [],
                "no stray bytes": self.stray}


def listen(server, tally):
    """Read everything until the server ends."""
    while True:
        try:
            line = server.receive_bytes(600)
        except ServerError as error:
            tally.stray.append(str(error).encode())
            return
        if not line:
            return
        tally.came(line)


def talk(server, options, tally):
    """Send everything, wait for answers; returns (peak memory, error)."""
    source = Messages(options.seed, options.revision == WITH_BATCHES)
    most = 0
    for i in range(options.count):
        line, deserves, number = source.next()
        tally.sent(deserves, number)
        server.send_bytes(line)
        if not tally.wait(AHEAD, options.patience):
            return most, f"stuck after {i} messages"
        if i % 1000 == 0:
            most = max(most, server.rss())
    if not tally.wait(0, options.patience):
        return most, "not everything was answered in time"
    return most, None


def report(results):
    """TAP; returns the exit status."""
    for number, (name, examples) in enumerate(results.items(), 1):
        print(f"{'not ok' if examples else 'ok'} {number} - {name}")
        for example in examples[:5]:
            print(f"# {str(example)[:300]}")
        if len(examples) > 5:
            print(f"# and {len(examples) - 5} more")
    print(f"1..{len(results)}")
    return 1 if any(results.values()) else 0


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("squint")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--revision", default="2025-11-25")
    parser.add_argument("--patience", type=float, default=PATIENCE,
                        help="seconds to wait for an answer")
    options = parser.parse_args()
    tally = Tally()
    began = time.monotonic()
    with Server([options.squint, "mcp"]) as server:
        server.initialize(options.revision)
        reader = threading.Thread(target=listen, args=(server, tally))
        reader.start()
        most, stuck = talk(server, options, tally)
        status = server.close()
        reader.join()
        errors = server.stderr_text()
    took = time.monotonic() - began
    print(f"# {options.count} messages, seed {options.seed}, {took:.1f} s, "
          f"{most / 1e6:.1f} MB at most")
    bad_end = [f"exit status {status}"] if status else []
    bad_end += [errors] if errors else []
    return report({**tally.problems(), "the server keeps up": [stuck] if stuck else [],
                   "the server ends without an error": bad_end})


if __name__ == "__main__":
    sys.exit(main())
