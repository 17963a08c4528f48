#!/usr/bin/env python3
"""audit.py SQUINT: the audit log of real servers, also of killed ones; TAP.

The hashes are computed here a second time, with another implementation.
"""

import hashlib
import json
import os
import pathlib
import random
import signal
import stat
import subprocess
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "http")]

# pylint: disable=wrong-import-position
from cases import run_in_folders
from squint_server import Server, clean_environment
import served

SQUINT = os.path.abspath(sys.argv[1])
CANARY = "canary-7d1f"
PAGE = 4096


def serve(log, *options):
    """A greeted server with this log, confined as usual."""
    server = Server([SQUINT, "mcp", "--audit", str(log), *options])
    server.initialize()
    return server


def verify(log):
    """Exit status, and what was printed."""
    done = subprocess.run([SQUINT, "audit", "verify", str(log)], check=False,
                          capture_output=True, text=True,
                          env=clean_environment(str(log.parent)))
    return done.returncode, done.stdout + done.stderr


def lines_of(log):
    """The lines of all files of the log, the oldest first, as objects."""
    names = [f"{log}.{i}" for i in range(9, 0, -1)] + [str(log)]
    found = []
    before = None
    for name in filter(os.path.exists, names):
        text = pathlib.Path(name).read_bytes()
        at = 0
        for line in text.split(b"\n")[:-1]:
            begin, end = at + len(line) - len(line.lstrip()), at + len(line)
            assert begin // PAGE == end // PAGE, (name, begin, end)
            at = end + 1
            line = line.strip()
            one = json.loads(line)
            hashed = line[:line.rindex(b',"hash":')]
            first = before is None
            if not first or one["n"] == 1:
                want = hashlib.sha256((b"0" * 64 if first else before)
                                      + hashed).hexdigest()
                assert one["hash"] == want, line
            before = one["hash"].encode()
            found.append(one)
        assert text[at:].strip() == b"", text[at:]
    return found


def calls_are_recorded(log):
    """With device, point and result; arguments and typed text are not."""
    with serve(log, "--deny", "install", "--allow-app",
               "com.squint.demo.login") as server:
        server.ui("launch", packageName="com.squint.demo.login")
        server.call("ui", operation="input", text=CANARY)
        server.call("ui", operation="tap", x=5, y=6, deviceSpace=True)
        server.call("ui", operation="install", path=CANARY)
        server.call("ui", operation="launch",
                    packageName="com.squint.demo.shop")
        server.ui("screenshot")
    lines = lines_of(log)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert CANARY not in log.read_text(encoding="ascii")
    assert [l["n"] for l in lines] == list(range(1, len(lines) + 1))
    assert lines[0]["event"] == "start" and lines[-1]["event"] == "end", lines
    ended = {l["operation"]: l for l in lines if l["event"] == "call"}
    tap = ended["tap"]
    assert (tap["device"], tap["point"], tap["result"]) == (
        "demo", [5, 6], "ok"), tap
    assert "--deny" in ended["install"]["because"], ended
    assert "--allow-app" in ended["launch"]["because"], ended
    begun = [l["operation"] for l in lines if l["event"] == "begin"]
    assert "tap" in begun and "screenshot" not in begun, begun
    given = json.dumps({"operation": "tap", "x": 5, "y": 6,
                        "deviceSpace": True}, separators=(",", ":"))
    assert tap["arguments"] == hashlib.sha256(given.encode()).hexdigest(), tap
    status, text = verify(log)
    assert status == 0 and lines[-1]["hash"] in text, text


def unlisted_tools_are_recorded(log):
    """One tool for each operation: a denied one does not exist."""
    with serve(log, "--deny", "tap", "--tools", "split") as server:
        answer = server.request("tools/call", {"name": "ui_tap",
                                               "arguments": {"text": CANARY}})
        assert "error" in answer, answer
    call = next(l for l in lines_of(log) if l["event"] == "call")
    assert (call["tool"], call["result"]) == (
        "ui_tap", "INVALID_OPERATION"), call
    assert CANARY not in log.read_text(encoding="ascii")


def http_refusals_are_recorded(log):
    """No token, and the page of another site."""
    server = served.Server([SQUINT], ["--audit", str(log)])
    try:
        assert server.ask(Authorization="Bearer " + CANARY).status == 401
        assert server.ask(Origin="https://evil.example").status == 403
    finally:
        server.stop()
    refused = [l["refused"] for l in lines_of(log) if l["event"] == "http"]
    assert ": 401," in refused[0] and ": 403," in refused[1], refused
    assert "https://evil.example" in refused[1], refused
    assert CANARY not in log.read_text(encoding="ascii")


def killed_servers_leave_whole_lines(log):
    """Two together, many times; full files are renamed meanwhile."""
    chance = random.Random(7)
    messages = "\n".join(json.dumps(
        {"jsonrpc": "2.0", "id": 100 + i, "method": "tools/call",
         "params": {"name": "ui", "arguments": {"operation": "no-such-thing"}}})
                         for i in range(250)).encode()
    rounds = 0
    while rounds < 20 or not os.path.exists(f"{log}.1"):
        rounds += 1
        pair = [serve(log, "--audit-max-megabytes", "1") for _ in range(2)]
        for server in pair:
            server.send_bytes(messages)
        for server in pair:
            for _ in range(chance.randrange(1, 240)):
                server.receive()
            os.kill(server.process.pid, signal.SIGKILL)
        for server in pair:
            server.process.wait()
            server.process.stdin.close()
            server.folder.cleanup()
    lines = lines_of(log)
    assert [l["n"] for l in lines] == list(
        range(lines[0]["n"], lines[0]["n"] + len(lines)))
    assert len({l["pid"] for l in lines}) == 2 * rounds
    assert all(stat.S_IMODE(os.stat(f).st_mode) == 0o600
               for f in log.parent.glob(log.name + "*"))
    assert verify(log)[0] == 0, verify(log)


def make_log(log):
    """A small log."""
    with serve(log) as server:
        for _ in range(4):
            server.ui("devices")
    assert verify(log)[0] == 0
    return log.read_bytes()


def every_change_shows(log):
    """Of each byte but a few: the numbers and hashes are part of it."""
    text = make_log(log)
    for at in range(0, len(text), 13):
        changed = bytearray(text)
        changed[at] ^= 1
        log.write_bytes(changed)
        assert verify(log)[0] == 1, at


def every_removal_shows(log):
    """Also of the first and the last lines, and of the whole file."""
    text = make_log(log)
    lines = text.splitlines(keepends=True)
    for at in range(len(lines)):
        log.write_bytes(b"".join(lines[:at] + lines[at + 1:]))
        assert verify(log)[0] == 1, at
    log.write_bytes(b"".join([lines[0], lines[2], lines[1], *lines[3:]]))
    assert verify(log)[0] == 1
    log.unlink()
    assert verify(log)[0] == 1
    log.write_bytes(b"".join(lines[:-2]))  # hidden by a later line: no
    log.chmod(0o600)
    with serve(log):
        pass
    status, words = verify(log)
    assert status == 1 and "comes after" in words, words


def links_are_not_followed(log):
    """Nor are files that others may read, or that have two names."""
    target = log.with_name("target")
    target.write_text("", encoding="ascii")
    target.chmod(0o600)

    def expect_refusal():
        server = Server([SQUINT, "mcp", "--audit", str(log)])
        assert server.process.wait(60) == 1, server.stderr_text()
        assert "audit log" in server.stderr_text()
        server.__exit__()
        assert target.read_bytes() == b""

    log.symlink_to(target)
    expect_refusal()
    log.unlink()
    os.link(target, log)
    expect_refusal()
    log.unlink()
    log.touch(0o644)
    log.chmod(0o644)
    expect_refusal()


def a_log_in_the_home_folder_is_refused(log):
    """A confined server could then write to all of it."""
    for path in (log, log.parent.parent / "audit-of-squint-tests.jsonl"):
        server = Server([SQUINT, "mcp", "--audit", str(path)],
                        env={"HOME": str(log.parent)})
        assert server.process.wait(60) == 2, server.stderr_text()
        assert "a folder of its own" in server.stderr_text()
        server.__exit__()
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".last").unlink(missing_ok=True)
    with Server([SQUINT, "mcp", "--audit", str(log.parent / "logs" / "a")],
                env={"HOME": str(log.parent)}) as server:
        server.initialize()


def lost_lines_are_counted(log):
    """A log that cannot be written loses calls, and says how many."""
    with serve(log) as server:
        server.ui("devices")
        last = log.with_name(log.name + ".last")
        last.chmod(0o644)
        server.ui("devices")
        server.ui("devices")
        last.chmod(0o600)
        server.ui("devices")
        assert "the audit log lacks calls" in server.stderr_text()
    assert [l.get("lost") for l in lines_of(log)] == [None, None, 2, None]
    assert verify(log)[0] == 0


CASES = [calls_are_recorded, unlisted_tools_are_recorded,
         http_refusals_are_recorded, killed_servers_leave_whole_lines,
         every_change_shows, every_removal_shows, links_are_not_followed,
         a_log_in_the_home_folder_is_refused, lost_lines_are_counted]

if __name__ == "__main__":
    sys.exit(run_in_folders(CASES, "squint-audit-",
                            lambda folder: pathlib.Path(folder, "audit.jsonl")))
