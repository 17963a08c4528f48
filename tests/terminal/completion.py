#!/usr/bin/env python3
"""completion.py SQUINT: completion in real shells: bash, zsh and fish; TAP."""
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import Skip, expect, expect_true, named, run_in_folders
from squint_server import PATIENCE, clean_environment

# How each shell is started without the files of the user, and loads the script.
SHELLS = {
    "bash": (("--norc", "--noprofile", "-i"),
             "source <(squint completion bash)"),
    "zsh": (("-f", "-i"),
            "autoload -Uz compinit; compinit -u; "
            "source <(squint completion zsh)"),
    "fish": (("--no-config", "-i"), "squint completion fish | source"),
}
# A phone cannot tell the shell what to run.
HOSTILE = "$(touch${IFS}hacked)"
STAND_IN = f"""#!/bin/sh
if [ "$2" = words ]; then
    printf '%s\\t%s\\n' '192.0.2.7:5555' 'a phone' 'q{HOSTILE}' 'x'
else
    exec "$REAL_SQUINT" "$@"
fi
"""


def free_port():
    """A port at which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Home:
    """A home with a screenshot, a few files, and squint in PATH."""

    def __init__(self, squint, home):
        self.home = pathlib.Path(home)
        self.squint = str(pathlib.Path(squint).resolve())
        programs = self.home / "bin"
        programs.mkdir()
        (programs / "squint").symlink_to(self.squint)
        self.work = self.home / "work"
        self.work.mkdir()
        for name in ("zz-screen.png", "zz-journal.jsonl"):
            (self.work / name).touch()
        self.port = free_port()
        self.env = {**clean_environment(home), "TERM": "dumb",
                    "PATH": f"{programs}:{os.environ['PATH']}",
                    "REAL_SQUINT": self.squint, "PS1": "ready> "}

    def use_adb(self):
        """From now on commands look for an adb server at a port of their own."""
        self.env["SQUINT_ANDROID_ADB_SERVER"] = f"tcp:127.0.0.1:{self.port}"

    def run(self, *words):
        """Standard output of squint."""
        return subprocess.run([self.squint, *words], cwd=self.work,
                              env=self.env, stdin=subprocess.DEVNULL,
                              check=True, capture_output=True, text=True,
                              timeout=PATIENCE).stdout

    def offered(self, *words):
        """The words that squint offers after these, without descriptions."""
        lines = self.run("completion", "words", "--", *words).splitlines()
        return [line.split("\t")[0] for line in lines]


def read_until(terminal, pattern):
    """What is printed until a pattern appears, and the rest of that line."""
    out, deadline = b"", time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            out += os.read(terminal, 1 << 16)
        if re.search(pattern, out):
            return out
    raise AssertionError(f"{pattern!r} did not appear in {out[-2000:]!r}")


def completed(home, shell, typed):
    """The line of a shell after typing these words and the Tab key. The line is
    then printed by the shell itself, as one word for each of its words."""
    options, script = SHELLS[shell]
    program = shutil.which(shell)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(home.work)
        os.execve(program, [shell, *options], home.env)
    try:
        os.write(terminal, f"{script}; echo LOA''DED\n".encode())
        read_until(terminal, rb"LOADED")
        time.sleep(0.2)
        # Control-A: the start of the line. All keys are read in order.
        os.write(terminal, typed.encode() + b"\t")
        time.sleep(0.2)
        os.write(terminal, b"\x01printf '<%s>' \x05; echo EN''D\n")
        out = read_until(terminal, rb"<squint>.*\r?\n?END")
        return re.findall(r"<([^<>]*)>", out.decode().split("<squint>")[-1])
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def completes(home, shell):
    """Commands, values, files where files are meant, and live words."""
    if not shutil.which(shell):
        raise Skip(f"{shell} is not installed")
    home.run("record", "--count", "1")
    ref = next(line for line in home.offered("get", "")
               if not line.startswith("-"))
    for typed, words in (
            ("laun", ["launch"]),
            ("launch com.squint.demo.sh", ["launch", "com.squint.demo.shop"]),
            ("screenshot -s de", ["screenshot", "-s", "demo"]),
            (f"get {ref[:8]}", ["get", ref]),
            ("install claude-d", ["install", "claude-desktop"]),
            ("scale zz-s", ["scale", "zz-screen.png"]),
            ("replay zz-j", ["replay", "zz-journal.jsonl"]),
            ("find-text a zz-s", ["find-text", "a", "zz-screen.png"]),
            ("screenshot -o zz-s", ["screenshot", "-o", "zz-screen.png"]),
            ("launch zz-s", ["launch", "zz-s"]),
            ("scroll zz-s", ["scroll", "zz-s"]),
            ("scroll down zz-s", ["scroll", "down", "zz-s"]),
            ("tap --selector.te", ["tap", "--selector.text"]),
            ("screenshot --format=jp", ["screenshot", "--format=jpeg"])):
        got = completed(home, shell, f"squint {typed}")
        if typed.startswith("tap"):
            got = [word[:len(words[-1])] for word in got]
        expect(f"squint {typed}", got, words)


def foreign_words_are_only_words(home, shell):
    """Colons, and what a shell would run."""
    if not shutil.which(shell):
        raise Skip(f"{shell} is not installed")
    (home.home / "bin/squint").unlink()
    (home.home / "bin/squint").write_text(STAND_IN)
    (home.home / "bin/squint").chmod(0o755)
    expect("address", completed(home, shell, "squint -s 192"),
           ["-s", "192.0.2.7:5555"])
    expect("address from its middle",
           completed(home, shell, "squint -s 192.0.2.7:5"),
           ["-s", "192.0.2.7:5555"])
    expect("hostile", completed(home, shell, "squint launch q"),
           ["launch", f"q{HOSTILE}"])
    expect("it was run", (home.work / "hacked").exists(), False)


def options_are_offered_where_nothing_else_is(home):
    """An empty word completes to what is meant there, not to "-"."""
    expect("scale", home.offered("scale", ""), ["FILES"])
    expect("replay", home.offered("replay", ""), ["FILES"])
    expect("launch", home.offered("launch", "")[0], "com.squint.demo.settings")
    expect("logs", home.offered("logs", "")[0], "com.squint.demo.settings")
    expect("scroll", home.offered("scroll", ""), ["up", "down", "left", "right"])
    expect("appearance", home.offered("appearance", ""), ["dark", "light"])
    expect("video", home.offered("video", "")[0], "--record")
    expect("list", home.offered("list", ""),
           ["today", "yesterday", "-7d", "now"])


def no_server_is_started(home):
    """Also where adb is installed and its server does not run."""
    if not shutil.which("adb"):
        raise Skip("adb is not installed")
    home.use_adb()
    expect("devices", home.offered("screenshot", "-s", ""), ["demo"])
    expect("apps", home.offered("launch", ""), [])
    with socket.socket() as probe:
        expect_true("an adb server runs",
                    probe.connect_ex(("127.0.0.1", home.port)) != 0)


def a_server_that_hangs_is_left(home):
    """The words come within a fifth of a second, on a machine at rest; calls
    have ten seconds."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", home.port))
        listener.listen()
        home.use_adb()
        home.env["SQUINT_TEST_CLOCK_SLOWNESS"] = "1"
        start = time.monotonic()
        home.offered("screenshot", "-s", "")
        home.offered("launch", "")
        took = time.monotonic() - start
    expect_true(f"{took:.1f} s are too long", took < 6)


CASES = [
    *[named(f"{shell}_completes", completes, shell) for shell in SHELLS],
    *[named(f"{shell}_runs_no_foreign_words", foreign_words_are_only_words,
            shell) for shell in SHELLS],
    options_are_offered_where_nothing_else_is, no_server_is_started,
    a_server_that_hangs_is_left]


def main(squint):
    return run_in_folders(CASES, "squint-completion-",
                          lambda home: Home(squint, home))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
