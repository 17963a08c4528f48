"""An emulator: the demo phone on the real adb, and a gRPC server beside it."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from children import die_with_parent
from client import Client
from phone import Device, expect_true
from squint_server import PATIENCE

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TOKEN = "abc.DEF-123"
SIZE = ("--demo-width", "270", "--demo-height", "600", "--demo-density", "1",
        "--clock", "1767268800")
POLL_S = 0.01


def find_node():
    """grpc-js with its node, or None; never installs anything."""
    if not (HERE / "node_modules" / "@grpc").is_dir():
        return None
    found = subprocess.run([str(ROOT / "scripts" / "find-node")], check=False,
                           capture_output=True, text=True)
    return ([found.stdout.strip(), str(HERE / "server.mjs")]
            if found.returncode == 0 else None)


def find_python():
    """A Python that has gRPC's C core, or None."""
    for program in (sys.executable, "/usr/bin/python3"):
        if os.access(program, os.X_OK) and subprocess.run(
                [program, "-c", "import grpc"], check=False,
                capture_output=True).returncode == 0:
            return [program, str(HERE / "server.py")]
    return None


SERVERS = {"grpc-js": find_node, "C core": find_python}


class Emulator(Device):
    """The demo phone with a gRPC server beside it."""

    def __init__(self, adb, squint, argv, fault="none", token=TOKEN,
                 flags=SIZE):
        self.folder = tempfile.TemporaryDirectory(prefix="squint-emulator-")
        self.path = pathlib.Path(self.folder.name)
        super().__init__(adb, squint, *flags, "--log",
                         str(self.path / "phone"))
        self.argv = [*argv, str(self.path), TOKEN, fault]
        self.token = token

    def __enter__(self):
        super().__enter__()
        self.draw()
        # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        self.server = subprocess.Popen(
            self.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, preexec_fn=die_with_parent)
        port = int(self.server.stdout.readline())
        running = self.path / "runtime" / "avd" / "running"
        running.mkdir(parents=True)
        lines = ["port.serial=5554", f"port.adb={self.phone.port}",
                 f"grpc.port={port}", f"grpc.token={self.token}", ""]
        (running / f"pid_{self.server.pid}.ini").write_text("\n".join(lines))
        # Another emulator, which has ended.
        (running / "pid_2000000000.ini").write_text("\n".join(
            line.replace(str(port), "1") for line in lines))
        return self

    def __exit__(self, *args):
        with contextlib.suppress(OSError):
            self.server.stdin.close()
        self.server.wait(timeout=PATIENCE)
        self.server.stdout.close()
        super().__exit__(*args)
        self.folder.cleanup()

    def draw(self):
        """Let the server show what the phone shows."""
        done = self.run("exec-out", "screencap")
        expect_true("a raw frame", len(done.stdout) > 16)
        new = self.path / "new"
        new.write_bytes(done.stdout)
        new.replace(self.path / "frame")

    def asked(self):
        """The lines of the server's log."""
        log = self.path / "log"
        return log.read_text().splitlines() if log.exists() else []

    def await_line(self, line, count):
        """Wait until the log has that line so often."""
        deadline = time.monotonic() + PATIENCE
        while self.asked().count(line) < count:
            expect_true(f"{line} in {self.asked()}",
                        time.monotonic() < deadline)
            time.sleep(POLL_S)

    def ran(self, word):
        """How many requests to the phone contained that word."""
        return (self.path / "phone").read_text().count(word)

    def client(self, squint, mode="exact", **env):
        """squint mcp that can find this emulator."""
        return Client(squint, self.adb, SQUINT_ANDROID_EMULATOR=mode,
                      XDG_RUNTIME_DIR=str(self.path / "runtime"), **env)
