#!/usr/bin/env python3
"""replay.py SQUINT: journals of the real server, recorded and played; TAP."""

import base64
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "http")]

# pylint: disable=wrong-import-position
import served
from cases import expect_true, needs_reading, run_in_folders
from squint_server import PATIENCE, Server, clean_environment

PASSWORD = "lovelace's \"$HOME\""
NAME = "Ada 'Q' $(id) \\ `x`"
OTHER_PHONE = ["--demo-width", "1600", "--demo-height", "1000",
               "--demo-density", "1.5"]


class Place:
    """A private folder, and the program in it."""

    def __init__(self, squint, folder):
        self.squint = os.path.abspath(squint)
        self.path = pathlib.Path(folder)
        self.env = {**clean_environment(folder),
                    "SQUINT_SECRET_1": PASSWORD, "SQUINT": self.squint}

    def run(self, *argv, env=None):
        """Run a program to its end."""
        return subprocess.run(
            [str(word) for word in argv], cwd=self.path, timeout=PATIENCE,
            env=self.env if env is None else env, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False)

    def replay(self, journal, *options, env=None):
        """Play a journal; returns the exit status and the JSON."""
        done = self.run(self.squint, "replay", journal, "--json", *options,
                        env=env)
        try:
            return done.returncode, json.loads(done.stdout)
        except ValueError:
            raise AssertionError(f"{done.returncode} {done.stdout} "
                                 f"{done.stderr}") from None

    def serve(self, *options):
        """Start a server with a client."""
        server = Server([self.squint, "mcp", *map(str, options)])
        server.initialize()
        return server


def log_in(server):
    """Look, then sign in, once by pixels and once by selectors."""
    server.ui("launch", packageName="Login")
    server.ui("screenshot")
    server.ui("tap", x=225, y=320)
    server.ui("input", text=NAME)
    server.ui("input", text=PASSWORD, selector={"text": "Password"})
    server.ui("tap", selector={"text": "Sign in"})
    server.ui("find", selector={"textContains": "Welcome, Ada"})


def record_login(place, name="login.jsonl"):
    """Record log_in; returns the path of the journal."""
    journal = place.path / name
    with place.serve("--journal", journal) as server:
        log_in(server)
    return journal


def results(report):
    """The results of all steps."""
    return [step["result"] for step in report["steps"]]


def a_login_plays_the_same_on_a_fresh_phone(place):
    """Nothing differs on the same phone, and no password is in the file."""
    journal = record_login(place)
    text = journal.read_text()
    expect_true("others may read it", journal.stat().st_mode & 0o777 == 0o600)
    expect_true("the password is in the journal", "lovelace" not in text)
    expect_true("the password is not marked", "[secret 1]" in text)
    status, report = place.replay(journal)
    expect_true(report, status == 0)
    expect_true(report,
                results(report) == ["same", "notCompared"] + ["same"] * 5)


CANARY = "4711980274"


def type_secrets(server):
    """Type a canary into the password field in all ways, also wrong ones.
    Before, one that is not secret goes into the other field."""
    server.ui("launch", packageName="Login")
    server.ui("input", text="plain1", selector={"text": "Username"},
              receipt="none")
    server.ui("input", text="plain2", receipt="none")
    server.ui("tap", selector={"text": "Password"})
    for receipt in ("none", "fast", "full"):
        server.ui("input", text=CANARY, receipt=receipt)
        server.ui("input", text=CANARY, receipt=receipt,
                  selector={"resourceId": "password"})
        server.ui("steps", steps=[
            {"operation": "tap", "selector": {"resourceId": "username"}},
            {"operation": "input", "text": "plain3", "receipt": receipt},
            {"operation": "tap", "selector": {"resourceId": "password"}},
            {"operation": "ui_input", "text": int(CANARY), "receipt": receipt},
            {"operation": "INPUT", "text": CANARY, "receipt": receipt}])
    typed = {"operation": "input", "text": CANARY}
    for wrong in ({"operation": "type", "text": CANARY}, {"text": CANARY},
                  {"operation": "input", "value": CANARY},
                  {"operation": "tap", "x": 1, "y": 1, "text": CANARY},
                  {"operation": "input", "params": {"text": CANARY}},
                  {**typed, "elementIndex": 99}, {**typed, "deviceId": "gone"},
                  {"operation": "steps", "steps": json.dumps([typed])},
                  {"operation": "steps", "steps": [typed, {"operation": "no"}]},
                  {"operation": "steps", "steps": [[typed]]}):
        expect_true(wrong, server.call("ui", **wrong)["isError"])
    expect_true("the field is gone",
                server.ui("find", selector={"resourceId": "password"})["count"] == 1)


def typed_passwords_are_stored_nowhere(place):
    """Neither in the journal nor in what is made of it, whatever the receipt
    says; text for other fields is."""
    journal = place.path / "typed.jsonl"
    with place.serve("--journal", journal) as server:
        type_secrets(server)
    made = [place.run(place.squint, "replay", journal, "--export", form).stdout
            for form in ("sh", "maestro")]
    for text in [journal.read_text(), *made]:
        lines = [line for line in text.splitlines() if CANARY in line]
        expect_true(lines, not lines)
        expect_true(text,
                    [text.count(f"plain{i}") > 0 for i in (1, 2, 3)] == [True] * 3)
    expect_true(made[0], made[0].count("SQUINT_SECRET_") == 12)


def a_login_heals_on_another_phone(place):
    """Another size, rotation and density: targets are found elsewhere."""
    journal = record_login(place)
    status, report = place.replay(journal, *OTHER_PHONE)
    expect_true(report, status == 0)
    expect_true(report, report["differs"] == 0 and report["notRun"] == 0)
    healed = [s for s in report["steps"] if s["result"] == "healed"]
    expect_true(report,
                any(s["operation"] == "tap" and s["foundBy"] == "selector"
                and s["from"] != s["to"] for s in healed))


def is_within(point, changed):
    """Whether a point is in what changed; not if nothing did."""
    areas = changed if isinstance(changed, list) else [changed]
    return any(area and all(
        0 <= point[axis] - area[axis] < area[size]
        for axis, size in (("x", "width"), ("y", "height")))
        for area in areas)


def find_disc(place):
    """A point of the game that changes when it is tapped."""
    with place.serve() as server:
        server.ui("launch", packageName="Game")
        image = server.ui("screenshot")["image"]
        for y in range(250, image["height"] - 100, 40):
            for x in range(40, image["width"] - 20, 40):
                point = {"x": x, "y": y}
                if is_within(point, server.ui("tap", **point)["changed"]):
                    return point
    raise AssertionError("no disc was found")


def as_other_theme(place, picture):
    """A picture in base64 with inverted colours, in base64."""
    (place.path / "light").write_bytes(base64.b64decode(picture))
    place.run(place.squint, "scale", "light", "-o", "palette.png", "--raw",
              "--colours", "64")
    data = (place.path / "palette.png").read_bytes()
    at = data.index(b"PLTE")
    size = struct.unpack(">I", data[at - 4:at])[0]
    colours = bytes(255 - value for value in data[at + 4:at + 4 + size])
    check = struct.pack(">I", zlib.crc32(b"PLTE" + colours))
    return base64.b64encode(data[:at + 4] + colours + check
                            + data[at + 8 + size:]).decode()


def read_lines(journal):
    """The lines of a journal."""
    return [json.loads(line) for line in journal.read_text().splitlines()]


def replay_lines(place, lines, *options):
    """Play a journal with these lines."""
    other = place.path / "changed.jsonl"
    other.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return place.replay(other, *options)


def a_drawing_is_found_by_its_picture(place):
    """A game without elements: its discs are elsewhere, or in other colours."""
    point = find_disc(place)
    journal = place.path / "game.jsonl"
    with place.serve("--journal", journal) as server:
        server.ui("launch", packageName="Game")
        server.ui("screenshot")
        tapped = server.ui("tap", **point)
        expect_true(tapped, is_within(point, tapped["changed"]))
    status, report = place.replay(journal)
    tap = report["steps"][-1]
    expect_true(report,
                status == 0 and tap["result"] == "same"
                and tap["foundBy"] == "image")
    status, report = place.replay(journal, "--demo-seed", "7")
    tap = report["steps"][-1]
    expect_true(report,
                status == 0 and tap["result"] == "healed"
                and tap["foundBy"] == "image" and tap["from"] != tap["to"])
    lines = read_lines(journal)
    for line in lines:
        if "picture" in line:
            line["data"] = as_other_theme(place, line["data"])
    status, report = replay_lines(place, lines)
    tap = report["steps"][-1]
    expect_true(report,
                status == 0 and tap["foundBy"] == "image"
                and tap["result"] == "same")


def a_place_in_a_container_is_not_its_middle(place):
    """A point beside what a list contains is touched again, not the list."""
    journal = place.path / "list.jsonl"
    with place.serve("--journal", journal) as server:
        server.ui("launch", packageName="Shop")
        server.ui("screenshot")
        tapped = server.ui("tap", x=3, y=126)
        expect_true(tapped, tapped["element"]["resourceId"] == "categories"
                    and tapped["element"]["at"].startswith("0%"))
    for by in ("image", "point"):
        lines = [line for line in read_lines(journal)
                 if by == "image" or "picture" not in line]
        for line in lines if by == "point" else ():
            line["content"] = [block for block in line.get("content", ())
                               if block["type"] != "image"]
        status, report = replay_lines(place, lines)
        tap = report["steps"][-1]
        expect_true(report, status == 0 and tap["result"] == "same"
                    and "to" not in tap and tap["foundBy"] == by)


def a_form_heals_on_a_turned_phone(place):
    """What was recorded upright plays on its side."""
    journal = place.path / "form.jsonl"
    with place.serve("--journal", journal) as server:
        server.ui("launch", packageName="Login")
        server.ui("screenshot")
        server.ui("tap", x=225, y=320)
        server.ui("input", text=NAME)
    with place.serve("--journal", place.path / "turn.jsonl") as server:
        server.ui("rotate", orientation="landscape")
    turn = [line for line in read_lines(place.path / "turn.jsonl")
            if "call" in line]
    lines = read_lines(journal)
    for line in lines:
        if "call" in line:
            line["call"] += len(turn)
    status, report = replay_lines(place, lines[:1] + turn + lines[1:])
    expect_true(report,
                status == 0 and report["differs"] == 0 and report["notRun"] == 0)
    tap = next(step for step in report["steps"] if step["operation"] == "tap")
    expect_true(report, tap["result"] == "healed" and tap["from"] != tap["to"])


def a_text_is_found_in_the_pixels(place):
    """The element is gone, but its text is drawn on the screen."""
    needs_reading()
    journal = place.path / "drawn.jsonl"
    with place.serve("--journal", journal) as server:
        server.ui("launch", packageName="Game")
        server.ui("tap", deviceSpace=True, x=300, y=300, receipt="none")
    lines = read_lines(journal)
    call = lines[-1]
    call["arguments"] = {"operation": "tap", "selector": {"resourceId": "gone"}}
    reply = json.loads(call["content"][0]["text"])
    reply["element"] = {"label": "Tap the discs", "resourceId": "gone"}
    call["content"][0]["text"] = json.dumps(reply)
    status, report = replay_lines(place, lines)
    expect_true(report,
                status == 1 and "not on the screen" in report["steps"][-1]["why"])
    status, report = replay_lines(place, lines, "--ocr-enabled")
    tap = report["steps"][-1]
    expect_true(report,
                status == 0 and tap["result"] == "healed"
                and tap["foundBy"] == "text")


def a_server_over_http_keeps_a_journal(place):
    """squint serve --journal records each client under its number."""
    journal = place.path / "http.jsonl"
    server = served.Server([place.squint], ["--journal", str(journal)])
    for name in ("first", "second"):
        start = {"protocolVersion": "2025-11-25", "capabilities": {},
                 "clientInfo": {"name": name, "version": "1"}}
        body = {"jsonrpc": "2.0", "id": 0, "method": "initialize",
                "params": start}
        opened = server.ask(body=json.dumps(body).encode())
        server.legacy(opened.headers["mcp-session-id"], "tools/call", {
            "name": "ui", "arguments": {"operation": "screenshot"}})
    server.stop()
    calls = [line for line in read_lines(journal) if "call" in line]
    expect_true(calls,
                [call["clientName"] for call in calls] == ["first", "second"]
                and calls[0]["client"] != calls[1]["client"])
    status, report = place.replay(journal)
    expect_true(report, status == 0
                and results(report) == ["notCompared"] * 2)


def replay_text(place, text):
    """Play a journal with that text."""
    other = place.path / "changed.jsonl"
    other.write_text(text)
    return place.replay(other)


def what_is_gone_is_a_difference(place):
    """A target that is nowhere ends the replay with status 1."""
    journal = record_login(place)
    changed = journal.read_text().replace("Sign in", "Sign up")
    changed = changed.replace('\\"sign_in\\"', '\\"sign_up\\"')
    status, report = replay_text(place, changed)
    expect_true(report,
                status == 0 and report["steps"][5]["foundBy"] == "image")
    changed = re.sub('"data":"[^"]*"', '"data":""', changed)
    status, report = replay_text(place, changed)
    expect_true(report, status == 1)
    gone = report["steps"][-1]
    expect_true(report,
                gone["operation"] == "tap" and gone["result"] == "differs"
                and "not on the screen" in gone["why"]
                and "scrolls only where the recording does" in gone["why"])
    expect_true(report, report["notRun"] == 1)


def another_effect_is_a_difference(place):
    """An empty password is refused by the phone: no greeting is found."""
    journal = record_login(place)
    env = {**place.env, "SQUINT_SECRET_1": ""}
    status, report = place.replay(journal, env=env)
    expect_true(report, status == 1 and "differs" in results(report))
    env.pop("SQUINT_SECRET_1")
    done = place.run(place.squint, "replay", journal, env=env)
    expect_true(done.stderr,
                done.returncode == 2 and "SQUINT_SECRET_1" in done.stderr)


def the_script_signs_in(place):
    """The exported script runs against the demo phone that commands share."""
    journal = record_login(place)
    script = place.run(place.squint, "replay", journal, "--export", "sh")
    expect_true(script,
                script.returncode == 0 and "lovelace" not in script.stdout)
    (place.path / "login.sh").write_text(script.stdout)
    done = place.run("sh", "login.sh")
    expect_true(f"{script.stdout}\n{done}", done.returncode == 0)
    found = place.run(place.squint, "find", "Welcome, " + NAME)
    expect_true(found, found.returncode == 0)


def a_journal_answers_without_a_device(place):
    """The same calls get the same answers; another call says what is next."""
    journal = record_login(place)
    with place.serve("--replay", journal) as server:
        wrong = server.call("ui", operation="screenshot")
        text = json.loads(wrong["content"][0]["text"])
        expect_true(text,
                    wrong["isError"]
                    and text["details"]["expected"]["arguments"]
                    == {"operation": "launch", "packageName": "Login"})
        log_in(server)
        after = server.call("ui", operation="screenshot")
        expect_true(after,
                    after["isError"] and "no more" in after["content"][0]["text"])
    with place.serve("--replay", journal) as server:
        server.ui("launch", packageName="Login")
        played = server.call("ui", operation="screenshot")
    picture = next(line for line in map(json.loads, journal.open())
                   if "picture" in line)
    expect_true("other pixels",
                played["content"][0]["data"] == picture["data"])


def a_killed_server_leaves_a_readable_journal(place):
    """Every call that was answered is in the file, also in a cut one."""
    journal = place.path / "killed.jsonl"
    server = place.serve("--journal", journal)
    server.ui("launch", packageName="Login")
    server.ui("screenshot")
    server.process.kill()
    server.process.wait()
    server.folder.cleanup()
    status, report = place.replay(journal)
    expect_true(report, status == 0
                and results(report) == ["same", "notCompared"])
    cut = place.path / "cut.jsonl"
    cut.write_bytes(journal.read_bytes()[:-40])
    status, report = place.replay(cut)
    expect_true(report,
                status == 1 and results(report) == ["same"]
                and report["incomplete"])


def each_start_has_its_own_file_in_a_folder(place):
    """A folder gets a file per server; an existing file is refused."""
    folder = place.path / "journals"
    folder.mkdir()
    for _ in range(2):
        with place.serve("--journal", folder) as server:
            server.ui("screenshot")
    files = sorted(folder.iterdir())
    expect_true(files, len(files) == 2)
    done = place.run(place.squint, "mcp", "--journal", files[0])
    expect_true(done, done.returncode == 1 and "exists already" in done.stderr)


def a_journal_ends_at_its_limit(place):
    """Calls go on when the file is full."""
    journal = place.path / "small.jsonl"
    with place.serve("--journal", journal, "--journal-max-megabytes",
                     "1") as server:
        while "{\"full\":true}" not in journal.read_text()[-40:]:
            server.ui("screenshot", format="png", maxDimension=2400)
        server.ui("screenshot")
        errors = server.stderr_text()
    expect_true("too large", journal.stat().st_size <= 1 << 20)
    expect_true(errors, "reached its limit" in errors)
    status, report = place.replay(journal)
    expect_true(report, status == 0)


def what_is_not_a_journal_is_refused(place):
    """Errors say what a journal is."""
    other = place.path / "other"
    other.write_text("{}\n")
    done = place.run(place.squint, "replay", other)
    expect_true(done,
                done.returncode == 1 and "line 1" in done.stderr
                and "--journal" in done.stderr)
    done = place.run(place.squint, "replay")
    expect_true(done, done.returncode == 2 and "JOURNAL" in done.stderr)


CASES = [a_login_plays_the_same_on_a_fresh_phone,
         typed_passwords_are_stored_nowhere,
         a_login_heals_on_another_phone,
         a_drawing_is_found_by_its_picture,
         a_place_in_a_container_is_not_its_middle,
         a_form_heals_on_a_turned_phone,
         a_text_is_found_in_the_pixels,
         a_server_over_http_keeps_a_journal,
         what_is_gone_is_a_difference,
         another_effect_is_a_difference,
         the_script_signs_in,
         a_journal_answers_without_a_device,
         a_killed_server_leaves_a_readable_journal,
         each_start_has_its_own_file_in_a_folder,
         a_journal_ends_at_its_limit,
         what_is_not_a_journal_is_refused]


if __name__ == "__main__":
    sys.exit(run_in_folders(
        [case for case in CASES
         if not sys.argv[2:] or case.__name__ in sys.argv[2:]],
        "squint-replay-", lambda folder: Place(sys.argv[1], folder)))
