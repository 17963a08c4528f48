"""A fake iOS simulator, and how conversations differ on it."""

import os
import pathlib
import subprocess
import tempfile

from children import die_with_parent, end, processes_of

UDID = "9F2C6D1A-3B47-4E0D-8A55-1C0FFEE0D0D0"


class Simulator:
    """Fake xcrun and idb on PATH; they show a demo phone of their own."""

    def __init__(self, program, turn="left"):
        self.program = os.path.abspath(program)
        self.turn = turn
        self.folder = tempfile.TemporaryDirectory(prefix="squint-fake-")
        os.mkdir(os.path.join(self.folder.name, "tmp"))
        self.env = {
            "SQUINT_FAKE": self.folder.name,
            "TMPDIR": os.path.join(self.folder.name, "tmp"),
            "PATH": self.folder.name + os.pathsep + os.environ["PATH"]}
        for name in ("xcrun", "idb"):
            os.symlink(self.program, os.path.join(self.folder.name, name))

    def __enter__(self):
        # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        self.process = subprocess.Popen(
            [self.program + "-server", self.folder.name, self.turn],
            stdout=subprocess.PIPE, preexec_fn=die_with_parent)
        self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        for pid in processes_of(self.folder.name + os.sep):
            end(pid)
        self.folder.cleanup()

    def control(self, *lines):
        """Set how the programs misbehave; see tests/fake/main.c."""
        pathlib.Path(self.folder.name, "hung").unlink(missing_ok=True)
        path = pathlib.Path(self.folder.name, "control")
        path.write_text("".join(line + "\n" for line in lines),
                        encoding="utf-8")

    def log(self):
        """Every call of a program so far, as JSON lines."""
        path = pathlib.Path(self.folder.name, "log")
        return path.read_text(encoding="utf-8") if path.exists() else ""


class NoDifferences:
    """Does not change a conversation."""

    left_out = ()

    def change(self, text):
        """The text of a conversation."""
        return text

    def leave_out(self, lines):
        """Its lines."""
        return lines

    def unused(self):
        """Differences that were not used."""
        return ()


class Differences:
    """How a conversation changes on another device; see ios.txt."""

    def __init__(self, path, stem):
        self.changes = []
        self.skips = {}
        self.left_out = []
        self.used = set()
        self.stem = stem
        for line in path.read_text(encoding="utf-8").splitlines():
            self._read(line)

    def _read(self, line):
        mark, _, rest = line.partition(" ")
        if mark not in ("~", "-"):
            return
        where, _, rest = rest.partition(" ")
        if where not in ("*", self.stem):
            return
        if mark == "~":
            old, new = rest.split(" => ")
            self.changes.append((where, old, new))
        else:
            title, reason = rest.split(" :: ")
            self.skips[title] = reason

    def change(self, text):
        """The text of a conversation for the other device."""
        for where, old, new in self.changes:
            if old in text:
                self.used.add(old)
            elif where == "*":
                self.used.add(old)
            text = text.replace(old, new)
        return text

    def leave_out(self, lines):
        """The lines without the cases that cannot run there."""
        kept, skipping = [], False
        for line in lines:
            if line[1] == "=":
                skipping = line[2] in self.skips
                if skipping:
                    self.used.add(line[2])
                    reason = "# SKIP " + self.skips[line[2]]
                    self.left_out.append((f"{self.stem}: {line[2]}", reason))
            if not skipping or line[1] in "#$@!":
                kept.append(line)
        return kept

    def unused(self):
        """Differences that were not used; they must be removed."""
        wanted = {old for where, old, _ in self.changes if where != "*"}
        for name in sorted((wanted | set(self.skips)) - self.used):
            yield f"{self.stem}: {name}", "ios.txt says this for nothing"
