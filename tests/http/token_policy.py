#!/usr/bin/env python3
"""token_policy.py SQUINT: tokens of one server that allow different things; TAP."""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import run_in_folders
from squint_server import clean_environment
import served

SQUINT = os.path.abspath(sys.argv[1])
POLICIES = {
    "reader": "tools:\n  readOnly: true\n",
    "tester": "security:\n  deny: [launch]\n  allowDevices: [demo]\n"
              "  maxActionsPerMinute: 2\n",
}


def write(folder, texts):
    """Write policies; returns the value of --token-policy."""
    entries = []
    for name, text in texts.items():
        path = folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        entries.append(f"{name}={path}")
    return ",".join(entries)


class Tokens:
    """A server, and its clients by the names of their tokens."""

    def __init__(self, folder, *options):
        self.server = served.Server(
            [SQUINT], ["--token-policy", write(folder, POLICIES), *options],
            home=str(folder))
        main = pathlib.Path(self.server.token_file)
        self.tokens = {"": self.server.token, "unknown": "x" * 64}
        for name in POLICIES:
            path = main.with_name(f"{main.name}-{name}")
            assert path.stat().st_mode & 0o777 == 0o600
            self.tokens[name] = path.read_text(encoding="ascii").strip()
        assert len(set(self.tokens.values())) == len(self.tokens)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        assert self.server.stop() == 0, self.server.lines

    def header(self, name):
        """The header with this token."""
        return {"Authorization": "Bearer " + self.tokens[name]}

    def call(self, name, operation, **arguments):
        """The text of a call with this token, and whether it failed."""
        result = self.server.call("ui", {"operation": operation, **arguments},
                                  **self.header(name))
        text = next(b["text"] for b in result["content"]
                    if b["type"] == "text")
        return text, result.get("isError", False)

    def expect(self, name, operation, words, **arguments):
        """It is refused with these words; none: done."""
        text, failed = self.call(name, operation, **arguments)
        assert failed == bool(words) and words in text, (name, text)


TAP = {"x": 5, "y": 5, "deviceSpace": True}
SHOP = {"packageName": "com.squint.demo.shop"}


def each_token_has_its_limits(folder):
    """The first one has only those of the server."""
    with Tokens(folder, "--deny", "rotate") as tokens:
        tokens.expect("", "tap", "", **TAP)
        tokens.expect("", "launch", "", **SHOP)
        tokens.expect("reader", "tap", "read-only", **TAP)
        tokens.expect("reader", "dump", "")
        tokens.expect("reader", "steps", "read-only",
                      steps=[{"operation": "tap", **TAP}])
        tokens.expect("tester", "launch", "--deny", **SHOP)
        for name in ("", "tester"):
            tokens.expect(name, "rotate", "--deny", orientation="landscape")
        tokens.expect("tester", "tap", "", **TAP)
        tokens.expect("tester", "tap", "", **TAP)
        tokens.expect("tester", "tap", "--max-actions-per-minute", **TAP)
        tokens.expect("", "tap", "", **TAP)
        answer = tokens.server.modern("tools/list", **tokens.header("unknown"))
        assert answer.status == 401, answer.status


def sessions_belong_to_their_token(folder):
    """Neither a stronger nor a weaker token may use them."""
    with Tokens(folder) as tokens:
        session = tokens.server.initialize()
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                   "params": {"name": "ui", "arguments": {
                       "operation": "tap", **TAP}}}
        for name, status in (("reader", 404), ("", 200)):
            connection = tokens.server.connect()
            connection.send(tokens.server.legacy_bytes(
                session, message, **tokens.header(name)))
            answer = connection.read_answer()
            connection.close()
            assert answer.status == status, (name, answer.body)


def limited_tokens_do_not_open_the_inspector(folder):
    """It can hold and release the calls of others."""
    with Tokens(folder, "--inspect") as tokens:
        states = {name: tokens.server.ask("GET", "/inspect/api/state",
                                          **tokens.header(name)).status
                  for name in ("", "reader", "unknown")}
        assert states["reader"] == states["unknown"] != 200, states


def mistakes_are_errors(folder):
    """A policy that is not understood, or allows more, starts no server."""
    for text, words in (("security:\n  denny: [tap]\n", "denny"),
                        ("security:\n  deny: [tapp]\n", "names no operation"),
                        ("security:\n  allowDevices: [phone]\n",
                         "can only allow less"),
                        ("security: 5\n", "this section")):
        done = subprocess.run(
            [SQUINT, "serve", "--listen", "127.0.0.1:0", "--allow-device",
             "demo", "--token-policy", write(folder, {"a": text})],
            check=False, capture_output=True, text=True, timeout=60,
            env=clean_environment(str(folder)))
        assert done.returncode == 2 and words in done.stderr, done
        assert "--token-policy a" in done.stderr, done
    for value in ("nofile", "a/b=x", "=x"):
        done = subprocess.run(
            [SQUINT, "serve", "--listen", "127.0.0.1:0", "--token-policy",
             value], check=False, capture_output=True, text=True, timeout=60,
            env=clean_environment(str(folder)))
        assert done.returncode == 2 and "NAME=FILE" in done.stderr, done


CASES = [each_token_has_its_limits, sessions_belong_to_their_token,
         limited_tokens_do_not_open_the_inspector, mistakes_are_errors]

if __name__ == "__main__":
    sys.exit(run_in_folders(CASES, "squint-tokens-", pathlib.Path))
