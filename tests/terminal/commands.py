#!/usr/bin/env python3
"""commands.py SQUINT: what the command line promises to people, as they type it;
TAP. Each case is one promise; unit tests of its rules are in
tests/unit/app."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import expect, expect_in, run_in_folders
from squint_server import PATIENCE, clean_environment

NOT_DONE, USAGE = 1, 2
# A word of the protocol: camelCase, or one that only a model needs.
FIELD_NAME = re.compile(r"\b[a-z]+[A-Z][A-Za-z]*\b|\buntrusted\b")
# Where such a word is part of a name of Android.
CLASS_NAMES = re.compile(r"\.[A-Za-z]+Activity\b|\bcom\.[\w.]+")


class Shell:
    """Runs squint in a folder of its own, without a terminal."""

    def __init__(self, squint, home):
        self.squint = str(pathlib.Path(squint).resolve())
        self.home = pathlib.Path(home)
        self.env = clean_environment(home)

    def start(self, *words):
        """What a command prints, and its status."""
        return subprocess.run([self.squint, *words], cwd=self.home,
                              env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE,
                              check=False)

    def run(self, *words, status=0):
        """Standard output and standard error of a command that has to end with
        this status."""
        done = self.start(*words)
        expect(f"status of squint {' '.join(words)} ({done.stderr})",
               done.returncode, status)
        return done.stdout, done.stderr

    def out(self, *words, status=0):
        """Standard output alone."""
        return self.run(*words, status=status)[0]

    def refused(self, *words, status=USAGE):
        """Standard error of a command that prints nothing else."""
        out, err = self.run(*words, status=status)
        expect("standard output", out, "")
        return err


def record(shell):
    """The reference of a screenshot in a new archive, "past"."""
    shell.out("record", "--count", "1", "--into", "past")
    listed = shell.out("list", "today", "--archive", "past", "--json")
    return json.loads(listed)["screenshots"][0]["screenshotRef"]


def arguments_are_words(shell):
    """What is meant is clear from the order."""
    expect_in("Tapped at 200,500 (480,1200 on the device)",
              shell.out("tap", "200", "500"))
    expect_in("1 element found", shell.out("find", "Login"))
    expect_in("Pressed back", shell.out("key", "back"))
    expect_in("Launched com.squint.demo.shop", shell.out("launch", "Shop"))
    expect_in("No screenshots from ",
              shell.out("list", "yesterday", status=NOT_DONE))
    ref = record(shell)
    expect_in("Wrote crop", shell.out("crop", ref, "0", "0", "50", "50",
                                      "--archive", "past"))
    expect_in("What a picture of 1080x2400 pixels costs",
              shell.out("tokens", "1080x2400"))
    shell.out("screenshot", "screen.png")
    expect_in("What a picture of 450x1000 pixels costs",
              shell.out("tokens", "screen.png"))
    expect_in(" at 200,500 (480,1200 on the device) for 0.8 s",
              shell.out("tap", "200", "500", "--duration-ms", "800"))


def mistyped_words_are_recognised(shell):
    """Commands, options, values, keys, apps."""
    expect_in("Did you mean squint screenshot?", shell.refused("screnshot"))
    expect_in("Did you mean --receipt?",
              shell.refused("tap", "1", "2", "--recipt", "none"))
    expect_in("did you mean none?",
              shell.refused("tap", "1", "2", "--receipt", "nnoe"))
    expect_in("did you mean back?", shell.refused("key", "bakc"))
    expect_in("did you mean never?",
              shell.refused("devices", "--color", "nevr"))


def a_command_is_explained_in_three_ways(shell):
    """By its own option, by help, and in the manual for agents."""
    page = shell.out("help", "tap")
    expect("tap --help", shell.out("tap", "--help"), page)
    expect_in("Usage: squint tap X Y | TEXT [options]", page)
    expect_in("# tap\n", shell.out("rtfm", "tap"))


def command_lines(ref):
    """One command line for each operation that a demo phone can do."""
    return (
        ("devices",), ("apps",), ("dump",), ("find", "Username"), ("info",),
        ("screenshot", "-o", "a.jpg"), ("visual-snapshot", "-o", "b.jpg"),
        ("accessibility-check",), ("wait", "Username"), ("tap", "Username"),
        ("input", "Ada"), ("scroll", "down"), ("swipe", "9", "99", "9", "50"),
        ("key", "home"), ("launch", "Shop"), ("stop", "Shop"), ("wake",),
        ("clipboard", "text"), ("clipboard",), ("rotate", "landscape"),
        ("rotate", "portrait"), ("reset", "Shop", "--confirm"),
        ("steps", '[{"operation":"wake"}]'),
        ("list", "today", "--archive", "past"),
        ("get", ref, "--archive", "past", "-o", "c.jpg"),
        ("crop", ref, "0", "0", "50", "50", "--archive", "past", "-o", "d.jpg"),
        ("sheet", "today", "--archive", "past", "-o", "e.jpg"),
        ("archive", "stats", "--archive", "past"),
        ("scale", "a.jpg", "-o", "f.jpg"), ("diff", "a.jpg", "a.jpg"),
        ("tokens", "a.jpg"), ("demo", "--reset"))


def output_has_no_field_names(shell):
    """What happened is said in words, in the first line."""
    ref = record(shell)
    shell.out("launch", "Login")
    for words in command_lines(ref):
        out = shell.out(*words)
        plain = CLASS_NAMES.sub("", out)
        expect(f"field names of squint {' '.join(words)}",
               FIELD_NAME.findall(plain.replace(ref, "")), [])
        expect(f"JSON of squint {' '.join(words)}", out[:1] in "[{", False)
        expect(f"first line of squint {' '.join(words)}",
               len(out.splitlines()[0]) > 3, True)
        expect("colours", "\x1b" in out, False)


def programs_get_json(shell):
    """Errors too, on standard output, with the same status."""
    for words in (("find",), ("wobble",), ("tokens", "0x0"), ("get", "no"),
                  ("tap", "Nowhere"), ("tap", "1", "2", "--wobble"),
                  ("scale", "no.png", "-o", "a.jpg"), ("ocr", "no.png"),
                  ("diff", "no.png", "no.png"), ("find-text", "a", "no.png"),
                  ("find-image", "no.png", "no.png"),
                  ("screenshot", "--device", "no")):
        plain, json_form = shell.start(*words), shell.start(*words, "--json")
        line = f"of squint {' '.join(words)}"
        expect(f"output {line}", plain.stdout, "")
        expect(f"failure {line}", plain.returncode > 0, True)
        expect(f"status {line}", json_form.returncode, plain.returncode)
        expect(f"standard error {line}", json_form.stderr, "")
        told = json.loads(json_form.stdout)["error"]
        expect(f"members {line}", {"code", "message"} <= set(told), True)
    expect("count", json.loads(shell.out("find", "Nowhere", "--json",
                                         status=NOT_DONE))["count"], 0)
    for words in (("devices",), ("doctor",), ("tokens", "1080x2400"),
                  ("version",), ("apps",)):
        json.loads(shell.out(*words, "--json"))


def the_status_says_what_happened(shell):
    """0: done or found, 1: not, 2: the command line is wrong."""
    shell.out("find", "Login")
    expect_in("No element found", shell.out("find", "Nowhere", status=1))
    expect_in("It did not appear",
              shell.out("wait", "Nowhere", "--timeout-ms", "10", status=1))
    expect_in("Wrote a.jpg: ", shell.out("find", "Login", "-o", "a.jpg"))
    shell.refused("find")
    shell.refused("tap", "one", "2", "three")
    shell.refused("screenshot", "--max-dimension", "big")


def a_screenshot_needs_no_name(shell):
    """It gets one with the time, and says which."""
    out = shell.out("screenshot")
    found = re.match(r"Wrote (screenshot-\d{8}-\d{6}\.jpg): 450x1000 pixels, "
                     r"\d+ KB, 612 tokens\n", out)
    expect("first line", found is not None, True)
    expect("file", (shell.home / found[1]).read_bytes()[:2], b"\xff\xd8")


def a_written_file_is_named(shell):
    """By every command that has -o."""
    ref = record(shell)
    past = ("--archive", "past")
    for name, words in (
            ("a.jpg", ("screenshot",)), ("b.jpg", ("visual-snapshot",)),
            ("c.jpg", ("get", ref, *past)), ("d.jpg", ("sheet", "today", *past)),
            ("e.jpg", ("crop", ref, "0", "0", "50", "50", *past)),
            ("f.jpg", ("scale", "a.jpg")), ("g.jpg", ("watch", "--count", "1")),
            ("h.jpg", ("tap", "Login", "--look")),
            ("tour", ("demo",))):
        out = shell.out(*words, "-o", name)
        expect_in(name, out)
        expect(f"{name} exists", (shell.home / name).exists(), True)


def the_size_of_a_written_file_is_its_own(shell):
    """Also where the picture was made for another format."""
    ref = record(shell)
    for name, words in (("a.png", ("visual-snapshot",)), ("b.webp", ("screenshot",)),
                        ("c.png", ("get", ref, "--archive", "past"))):
        out = shell.out(*words, "-o", name)
        size = (shell.home / name).stat().st_size
        expect_in(f" {(size + 500) // 1000} KB", out)


def commands_tell_one_story(shell):
    """The demo phone keeps its state from one to the next."""
    shell.out("launch", "Login")
    shell.out("tap", "Username")
    shell.out("input", "Ada Lovelace")
    expect_in("1 element found", shell.out("find", "Ada Lovelace"))
    shell.out("clipboard", "copied")
    expect("clipboard", shell.out("clipboard").splitlines()[0], "copied")
    shell.out("screenshot", "-o", "a.jpg")
    expect("reset", shell.out("demo", "--reset"),
           "The demo phone was reset.\n")
    shell.out("find", "Ada Lovelace", status=NOT_DONE)
    expect("clipboard", shell.out("clipboard").splitlines()[0],
           "The clipboard is empty")


def messages_are_for_people(shell):
    """No names of tools, and no other person is asked to do anything."""
    for words in (("reset", "Shop"), ("logs",), ("location", "1", "2"),
                  ("get", "no"), ("tap", "--element-index", "3"),
                  ("remember", "a", "--region", "1,1,30,30", "--read-only"),
                  ("open", "https://example.org"), ("launch", "Nothing"),
                  ("tap", "9999", "9999"), ("save", "no", "a.jpg"),
                  ("search", "text"), ("install-app", "a.apk"),
                  ("list", "2020-01-01")):
        done = shell.start(*words)
        expect(f"squint {' '.join(words)} succeeds", done.returncode != 0, True)
        told = done.stdout + done.stderr
        for wrong in ("person", "_screenshot", "squint://", "operation ",
                      "have the", "ManicTime"):
            expect(f"{wrong!r} in what squint {' '.join(words)} says: {told}",
                   wrong in told, False)


def the_configuration_can_be_made(shell):
    """Written, checked and found; its schema lets editors complete it."""
    written = shell.out("config", "init")
    path = re.search(r"\S+config\.(json|yaml)", written)[0].rstrip(":")
    expect_in(path.rsplit("/", maxsplit=1)[-1], shell.out("config", "path"))
    shell.out("config", "check")
    expect_in("exists and was not changed",
              shell.refused("config", "init", status=1))
    schema = json.loads(shell.out("config", "schema"))
    expect_in("properties", schema)


def npx_is_the_command_of_its_clients(shell):
    """npm empties the cache from which npx runs programs. The flags of an
    earlier entry stay."""
    program = (shell.home / ".npm/_npx/5f3a/node_modules/@a/squint"
               / "linux-x86_64/bin/squint")
    program.parent.mkdir(parents=True)
    shutil.copy(shell.squint, program)
    shell.squint = str(program)
    file = shell.home / "mcp.json"
    cache = shell.home / ".npm/_npx/5f3a/package.json"
    tarball = shell.home / "a squint.tgz"
    tarball.touch()
    for package, before, arguments in (
            ("@a/squint", "{}", ["mcp"]),
            (f"file:{tarball.resolve()}", "{}", ["mcp"]),
            ("@a/squint", '{"mcpServers": {"squint": {"command": "/old", "args": '
             '["mcp", "--read-only"]}}}', ["mcp", "--read-only"])):
        file.write_text(before)
        cache.write_text(json.dumps({"dependencies": {"@a/squint": "^0.2.0"
            if package[0] == "@" else "file:../../../a squint.tgz"}}))
        told = shell.out("install", "cursor", "--plain", "--config", str(file))
        expect_in("npm's cache", told)
        entry = json.loads(file.read_text())["mcpServers"]["squint"]
        expect("command", entry["command"], "npx")
        expect("arguments", entry["args"], ["-y", package, *arguments])
        expect_in("already installed", shell.out(
            "install", "cursor", "--plain", "--config", str(file)))


def versions_are_told(shell):
    """Libraries, vector code and sandbox, for reports of errors."""
    out = shell.out("version", "--verbose")
    for part in ("squint ", "libjpeg-turbo ", "processor code ", "sandbox "):
        expect_in(part, out)


CASES = [arguments_are_words, mistyped_words_are_recognised,
         a_command_is_explained_in_three_ways,
         output_has_no_field_names, programs_get_json,
         the_status_says_what_happened, a_screenshot_needs_no_name,
         a_written_file_is_named, the_size_of_a_written_file_is_its_own,
         commands_tell_one_story,
         messages_are_for_people, the_configuration_can_be_made,
         npx_is_the_command_of_its_clients, versions_are_told]


def main(squint):
    return run_in_folders(CASES, "squint-commands-",
                          lambda home: Shell(squint, home))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
