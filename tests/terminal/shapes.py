#!/usr/bin/env python3
"""shapes.py SQUINT ROOT: what --json prints is what docs/output.schema.json describes,
for every command that has it; TAP. The phone of some commands is the demo phone on an
adb server of its own, if adb is installed."""
import json
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name)
                for name in ("support", "adb", "sessions", "inspector")]

# pylint: disable=wrong-import-position
import hub
import replay
from cases import Skip, expect, run_all
from commands import Shell, record
from demo_phone import Adb, Phone, find_adb
from hands import apk
from network import CODE, NewAdb
from output_schema import complaints

PAST = ("--archive", "past")
SEVERAL = {"archive", "config"}  # commands whose second word decides
NEED_ADB = {"connect", "pair", "install-app", "uninstall-app", "appearance", "logs",
            "location", "notifications", "permission", "video"}


class Shapes:
    """The schema, and which commands were compared with it."""

    def __init__(self, squint, root):
        schema = json.loads(pathlib.Path(root, "docs/output.schema.json").read_text())
        self.squint, self.root = squint, root
        self.defs, self.seen = schema["$defs"], set()

    def flat(self, schema):
        """The schema without references; members that it does not name are errors."""
        if "$ref" in schema:
            schema = self.defs[schema["$ref"].rpartition("/")[2]]
        schema = dict(schema)
        members = {name: self.flat(member)
                   for name, member in schema.get("properties", {}).items()}
        for part in schema.pop("allOf", ()):
            members = {**self.flat(part)["properties"], **members}
        if members:
            schema.update(properties=members)
            schema.setdefault("additionalProperties", False)
        if "items" in schema:
            schema["items"] = self.flat(schema["items"])
        return schema

    def compare(self, shell, words, statuses=(0, 1)):
        """What a command prints, with what the schema has under its name."""
        done = shell.start(*words, "--json")
        line = f"squint {' '.join(words)} --json"
        expect(f"status of {line} ({done.stdout[-300:]} {done.stderr[-300:]})",
               done.returncode in statuses, True)
        name = " ".join(words[:2]) if words[0] in SEVERAL else words[0]
        self.seen.add(name)
        expect(f"standard error of {line}", done.stderr if done.returncode else "", "")
        for text in done.stdout.splitlines():
            answer = json.loads(text)
            schema = self.defs["error" if "error" in answer else name]
            wrong = list(complaints(self.flat(schema), answer))
            expect(f"{line} prints {text[:600]}", wrong, [])


def every_code_is_named(shapes):
    """What "code" of an error may be."""
    source = pathlib.Path(shapes.root, "src/tool/result.c").read_text()
    codes = shapes.defs["error"]["properties"]["error"]["properties"]["code"]["enum"]
    expect("codes", set(re.findall(r'"([A-Z][A-Z_]{3,})"', source)), set(codes))


def every_command_is_described(shapes):
    """And nothing else, but what these share."""
    with tempfile.TemporaryDirectory() as home:
        shell = Shell(shapes.squint, home)
        names = re.findall(r"^  ([a-z-]+) +\S", shell.out("help", "all"), re.MULTILINE)
        wanted = {name for name in names
                  if name != "squint"
                  and re.search(r"^ +--json\b", shell.out("help", name), re.MULTILINE)}
    shared = {name for name in shapes.defs if name.startswith("a-")} | {"error"}
    described = {name.partition(" ")[0] for name in set(shapes.defs) - shared}
    expect("commands", wanted ^ described, set())
    expect("not compared", set(shapes.defs) - shared - shapes.seen
           - (set() if find_adb() else NEED_ADB), set())


def answers_of_the_demo_phone(shapes):
    """Most commands."""
    with tempfile.TemporaryDirectory() as home:
        shell = Shell(shapes.squint, home)
        ref = record(shell)
        shell.out("launch", "Login")
        shell.out("screenshot", "-o", "a.jpg")
        for words in (
                ("devices",), ("apps",), ("dump",), ("tap", "Nowhere"),
                ("find", "Username"), ("find", "Nowhere"), ("info",),
                ("find", "Sign in", "-o", "b.jpg"),
                ("screenshot", "-o", "a.jpg"), ("screenshot", "--elements"),
                ("screenshot", "--size", "half"), ("screenshot", "--marks"),
                ("visual-snapshot", "-o", "b.jpg"), ("accessibility-check",),
                ("wait", "Username"), ("wait", "Nowhere", "--timeout-ms", "10"),
                ("tap", "Username"), ("input", "Ada"), ("tap", "Sign in", "--look"),
                ("scroll", "down"), ("screenshot",), ("swipe", "9", "99", "9", "50"),
                ("pinch", "225", "500", "--scale", "2"), ("key", "home"), ("launch", "Shop"),
                ("stop", "Shop"), ("wake",), ("clipboard", "text"), ("clipboard",),
                ("rotate", "landscape"), ("rotate", "portrait"),
                ("reset", "Shop", "--confirm"), ("open", "https://example.org"),
                ("steps", '[{"operation":"wake"},{"operation":"dump"}]'),
                ("list",), ("list", "today", *PAST),
                ("list", "today", "--summary", *PAST),
                ("get", ref, *PAST, "-o", "c.jpg"), ("sheet", "today", *PAST),
                ("crop", ref, "0", "0", "50", "50", *PAST, "-o", "d.jpg"),
                ("save", ref, "e.jpg", *PAST, "--save-directory", home),
                ("archive", "stats", *PAST),
                ("archive", "prune", "--keep", "1d", "--dry-run", *PAST),
                ("record", "--count", "1", "--into", "new"),
                ("watch", "--count", "1", "-o", "f.jpg"),
                ("scale", "a.jpg", "no.png", "b.jpg", "-o", "small/"),
                ("scale", "a.jpg", "-o", "g.jpg"), ("diff", "a.jpg", "a.jpg"),
                ("diff", "a.jpg", "g.jpg"), ("tokens", "a.jpg"),
                ("tokens", "a.jpg", "--budget-tokens", "1"),
                ("version",), ("doctor",), ("policy",), ("install",),
                ("config", "init"), ("config", "path"), ("config", "check"),
                ("find-image", "a.jpg", "a.jpg"),
                # Without a reader of text these print an error.
                ("read",), ("visual-find-text", "Shop"), ("visual-find-text", "Nowhere"),
                ("ocr", "a.jpg"), ("find-text", "Username", "a.jpg"),
                ("find-text", "Nowhere", "a.jpg"), ("search", "Login", *PAST),
                ("archive", "index", *PAST), ("search", "Login", *PAST),
                ("remember", "shop", "--region", "200,700,100,100"), ("remember",),
                ("visual-find-image", "--name", "shop"), ("forget", "shop")):
            shapes.compare(shell, words)
        shapes.compare(shell, ("tap",), (2,))


def answers_of_a_phone(shapes):
    """What only a phone on adb can do."""
    if not find_adb():
        raise Skip("adb is not installed")
    with tempfile.TemporaryDirectory() as home, Adb() as adb, \
            Phone(shapes.squint) as phone:
        adb.connect(phone)
        shell = Shell(shapes.squint, home)
        shell.env["SQUINT_ANDROID_ADB_SERVER"] = f"tcp:127.0.0.1:{adb.port}"
        (shell.home / "a.apk").write_bytes(apk("com.example.a"))
        for words in (
                ("install-app", "a.apk"), ("uninstall-app", "com.example.a"),
                ("devices",), ("info",), ("appearance", "dark"), ("logs",),
                ("location", "47.37", "8.54"), ("notifications",),
                ("permission", "Shop", "camera", "grant"),
                ("open", "https://example.org"), ("video", "1s", "-o", "a.mp4"),
                ("tap", "Login"), ("screenshot", "-o", "b.jpg"), ("doctor",)):
            shapes.compare(shell, words)
        with NewAdb(adb) as new:  # which can pair
            shell.env["SQUINT_ANDROID_ADB_SERVER"] = f"tcp:127.0.0.1:{new.port}"
            for words in (("connect",), ("connect", phone.address),
                          ("pair", "192.0.2.7:37123", CODE),
                          ("pair", "192.0.2.7:37123", "654321")):
                shapes.compare(shell, words)


def answers_about_recorded_calls(shapes):
    """A journal, on the phone that it was recorded with and on another one."""
    with tempfile.TemporaryDirectory() as home:
        journal = str(replay.record_login(replay.Place(shapes.squint, home)))
        shell = Shell(shapes.squint, home)
        shapes.compare(shell, ("replay", journal), (2,))
        shell.env["SQUINT_SECRET_1"] = replay.PASSWORD
        shapes.compare(shell, ("replay", journal), (0,))
        shapes.compare(shell, ("replay", journal, *replay.OTHER_PHONE), (0,))


def answers_about_waiting_calls(shapes):
    """A call that waits for a person, until it is approved."""
    server = hub.Server(shapes.squint, "--approve")
    agent = hub.StdioAgent(server)
    wait = agent.start(operation="key", name="home")
    (call,), _ = hub.waiting(server)
    shell = Shell(shapes.squint, server.folder.name)
    shell.env = server.env
    for words in ((), (str(call),), ()):
        shapes.compare(shell, ("approve", "--token-file", server.token_file, *words), (0,))
    expect("refused", wait()["isError"], False)
    agent.end()
    server.stop()


if __name__ == "__main__":
    sys.exit(run_all((answers_of_the_demo_phone, answers_of_a_phone,
                      answers_about_recorded_calls, answers_about_waiting_calls,
                      every_command_is_described, every_code_is_named),
                     Shapes(*sys.argv[1:])))
