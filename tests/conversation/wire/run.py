#!/usr/bin/env python3
"""run.py PROGRAM [ARGUMENT ...] -- FILE ...: talk to a server line by line.

Nothing is added to the lines of a file, because this tests the messages
themselves. Each file is one conversation with a new process, and one TAP case:

    # a comment
    > {"jsonrpc":"2.0","id":1,"method":"ping"}    a line to send, unchanged
    < {"jsonrpc":"2.0","id":1,"result":{}}        a message to receive
    ! silence 100     the server sends nothing for 100 milliseconds
    ! raw \\xff\\n      bytes to send, written as in a Python literal
    ! long 9000000 {"id":1,"a":"<fill>"}
                      a line, filled with x to 9000000 bytes
    ! term            send SIGTERM; under Wine Ctrl-C, which stands for SIGINT there
    ! end [STATUS]    close the input; the process ends in time with STATUS

"<any>" is a placeholder: as a value it matches any value, inside a string any
characters; a member named "<any>" matches any further members. Messages are
compared as JSON, and numbers as they are written. Consecutive messages to
receive may come in any order. At the end no message may be left, and the
process has to end soon.
"""
import ast
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading

HOLE = "<any>"
FILL = "<fill>"
PATIENCE_S = 300
# squint promises half a second, but a busy machine needs more, and a sanitizer
# needs time to search for leaks.
END_S = 30 + float(os.environ.get("SQUINT_SLACK_S", "30"))


class Number(str):
    """A number as it is written: 1 is not 1.0, and no digit gets lost."""


class Failure(Exception):
    """A failed expectation."""


def parse(text):
    """JSON with numbers as they are written."""
    return json.loads(text, parse_int=Number, parse_float=Number)


def match_object(pattern, value):
    """Match members by name; "<any>" allows others."""
    named = {key for key in pattern if key != HOLE}
    if HOLE not in pattern and named != value.keys():
        return False
    return named <= value.keys() and all(
        matches(pattern[key], value[key]) for key in named)


def matches(pattern, value):
    """Whether the value matches the pattern."""
    if pattern == HOLE and not isinstance(pattern, Number):
        return True
    if type(pattern) is not type(value):
        return False
    if isinstance(pattern, dict):
        return match_object(pattern, value)
    if isinstance(pattern, list):
        return len(pattern) == len(value) and all(map(matches, pattern, value))
    if isinstance(pattern, str) and HOLE in pattern:
        parts = map(re.escape, pattern.split(HOLE))
        return re.fullmatch(".*".join(parts), value, re.DOTALL) is not None
    return pattern == value


class Server:
    """A process that reads and writes lines."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.heard = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            self.heard.put(line)
        self.heard.put(None)

    def send(self, line):
        """Send bytes immediately."""
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise Failure("the server does not listen any more") from error

    def receive(self, patience=PATIENCE_S):
        """The next line, or None after the timeout."""
        try:
            line = self.heard.get(timeout=patience)
        except queue.Empty:
            return None
        if line is not None and not line.endswith(b"\n"):
            raise Failure(f"a line has no end: {line!r}")
        return line

    def end(self, status=0):
        """Close its input; it must end in time with this status."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            got = self.process.wait(END_S)
        except subprocess.TimeoutExpired as error:
            raise Failure("the server does not end") from error
        if got != status:
            raise Failure(f"the server ended with {got}, not {status}")

    def kill(self):
        """End the process if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def short(text):
    """The text, shortened for a report."""
    return text if len(text) <= 400 else text[:400] + "..."


def receive_all(server, wanted):
    """Receive the wanted messages, in any order, and no others."""
    left = list(wanted)
    while left:
        line = server.receive()
        if line is None:
            raise Failure(f"heard nothing instead of {short(left[0])}")
        message = parse(line)
        found = next((w for w in left if matches(parse(w), message)), None)
        if found is None:
            said = short(line.decode(errors="replace").strip())
            raise Failure(f"heard {said}\n# instead of {short(left[0])}")
        left.remove(found)


def obey(server, words):
    """Execute a "!" line. Returns whether the server has ended."""
    order, _, rest = words.partition(" ")
    if order == "silence":
        line = server.receive(int(rest) / 1000)
        if line is not None:
            raise Failure(f"heard {short(repr(line))} instead of nothing")
    elif order == "raw":
        server.send(ast.literal_eval(f"b'{rest}'"))
    elif order == "long":
        count, _, text = rest.partition(" ")
        line = text or FILL
        fill = "x" * (int(count) - len(line) + len(FILL))
        server.send(line.replace(FILL, fill).encode() + b"\n")
    elif order == "term":
        under_wine = "SQUINT_TEST_DRIVE" in os.environ
        server.process.send_signal(signal.SIGINT if under_wine else signal.SIGTERM)
    elif order == "end":
        server.end(int(rest or 0))
        return True
    else:
        raise Failure(f"unknown order: {order}")
    return False


def converse(server, lines):
    """Execute all lines of a file."""
    wanted, ended = [], False
    for line in lines + [""]:
        mark, text = line[:1], line[1:].strip()
        if mark == "<":
            wanted.append(text)
            continue
        receive_all(server, wanted)
        wanted = []
        if mark == ">":
            server.send(line[1:].lstrip(" ").encode() + b"\n")
        elif mark == "!":
            ended = obey(server, text)
        elif mark not in ("", "#"):
            raise Failure(f"neither said nor heard: {line}")
    if not ended:
        server.end()
    rest = server.receive(1)
    if rest is not None:
        raise Failure(f"heard {short(repr(rest))} at the end")


def run_file(command, path):
    """Returns None, or the error."""
    server = Server(command)
    try:
        with open(path, encoding="utf-8") as file:
            converse(server, file.read().split("\n"))
    except (Failure, ValueError) as failure:
        return str(failure)
    finally:
        server.kill()
    return None


def main(arguments):
    """Run all files, as TAP."""
    if "--" not in arguments or arguments[-1] == "--":
        print(__doc__, file=sys.stderr)
        return 2
    split = arguments.index("--")
    command, files = arguments[:split], arguments[split + 1:]
    failed = 0
    print(f"1..{len(files)}", flush=True)
    for number, path in enumerate(files, 1):
        why = run_file(command, path)
        name = os.path.splitext(os.path.basename(path))[0]
        if why:
            failed += 1
            print(f"# {why}")
        print(f"{'not ok' if why else 'ok'} {number} {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
