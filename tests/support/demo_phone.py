"""The demo phone as a child process, and a private adb server for it."""

import fcntl
import os
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import threading

from cases import run_case
from children import adopt_orphans, die_with_parent
from squint_server import PATIENCE, SLOWNESS_NAME, clean_environment

ATTEMPTS = 20


class PhoneError(Exception):
    """The phone or adb failed unexpectedly."""


def find_adb():
    """The adb program, or None."""
    return shutil.which("adb")


# Below the range of automatically chosen ports, so that a connection of another
# process does not get the port of a server that is being restarted.
PORTS = range(20000, 32000)


class Port:
    """A free port that no other test uses until it is given back."""

    def __init__(self):
        self.lock = None
        while not self._take():
            pass

    def _take(self):
        self.number = random.choice(PORTS)
        with socket.socket() as sock:
            if sock.connect_ex(("127.0.0.1", self.number)) == 0:
                return False
        path = pathlib.Path(tempfile.gettempdir(),
                            f"squint-test-port-{os.getuid()}-{self.number}")
        # pylint: disable=consider-using-with
        self.lock = open(path, "wb")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.lock.close()
            return False
        self.path = path
        return True

    def give_back(self):
        """Let other tests use the port."""
        self.path.unlink()
        self.lock.close()


class Phone:
    """squint demo --adb as a process; it ends when its standard input does."""

    def __init__(self, squint, *flags, timeout=PATIENCE):
        self.timeout = timeout
        self.folder = tempfile.TemporaryDirectory(prefix="squint-phone-")
        self.stderr = pathlib.Path(self.folder.name, "stderr")
        # The clock of the phone runs in real time.
        env = {**clean_environment(self.folder.name), SLOWNESS_NAME: "1"}
        # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
        with open(self.stderr, "wb") as errors:
            self.process = subprocess.Popen(
                [os.path.abspath(squint), "demo", "--adb", "127.0.0.1:0",
                 *flags],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=self.folder.name, text=True, env=env,
                preexec_fn=die_with_parent)
        line = self._first_line()
        if " at " not in line:
            self.process.kill()
            self.process.wait()
            raise PhoneError(f"says {line!r}: {self.stderr_text()}")
        self.address = line.split()[-1]

    def _first_line(self):
        timer = threading.Timer(self.timeout, self.process.kill)
        timer.start()
        try:
            return self.process.stdout.readline()
        finally:
            timer.cancel()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        self.folder.cleanup()

    @property
    def port(self):
        """The port on which it listens."""
        return int(self.address.rsplit(":", 1)[1])

    def stderr_text(self):
        """Its standard error."""
        return self.stderr.read_text(errors="replace")

    def close(self):
        """End its input, wait, and return the exit status."""
        self.process.stdout.close()
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            return self.process.wait(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise PhoneError("does not end when its input ends") from None


class Adb:
    """A server of the real adb with its own port and home folder."""

    def __init__(self, program=None, timeout=PATIENCE):
        adopt_orphans()
        self.program = program or find_adb()
        self.timeout = timeout
        self.home = tempfile.TemporaryDirectory(prefix="squint-adb-")
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("ANDROID_", "ADB_"))}
        self.env.update(HOME=self.home.name, TMPDIR=self.home.name,
                        ADB_MDNS="0")
        self._choose_port()

    def _choose_port(self):
        self.reserved = Port()
        self.port = self.reserved.number
        self.env["ANDROID_ADB_SERVER_PORT"] = str(self.port)

    def __enter__(self):
        # Another process may have taken the port meanwhile.
        for _ in range(ATTEMPTS):
            done = self.run("start-server")
            if done.returncode == 0:
                return self
            self.reserved.give_back()
            self._choose_port()
        raise PhoneError(f"adb start-server: {done.stderr!r}")

    def __exit__(self, *_):
        self.run("kill-server")
        self.reserved.give_back()
        self.home.cleanup()

    def run(self, *words, serial=None, stdin=None):
        """Run adb; returns the CompletedProcess, with output as bytes."""
        which = ["-s", serial] if serial else []
        return subprocess.run([self.program, *which, *words], env=self.env,
                              stdin=None if stdin is not None
                              else subprocess.DEVNULL,
                              input=stdin, capture_output=True, check=False,
                              timeout=self.timeout)

    def output(self, *words, serial=None, stdin=None):
        """Run adb, which must succeed; returns its output as text."""
        done = self.run(*words, serial=serial, stdin=stdin)
        if done.returncode != 0:
            raise PhoneError(f"adb {' '.join(words)}: {done.returncode} "
                             f"{done.stdout!r} {done.stderr!r}")
        return done.stdout.decode()

    def connect(self, phone):
        """Connect to a phone, which must accept."""
        # The server's timeout may be too short for a busy machine.
        for _ in range(ATTEMPTS):
            answer = self.output("connect", phone.address)
            if "connected to" in answer:
                return
        raise PhoneError(answer)

    def devices(self):
        """The state of each device, by serial."""
        lines = self.output("devices", "-l").splitlines()[1:]
        words = [line.split() for line in lines if line.strip()]
        return {word[0]: word[1:] for word in words}


CASES = []


def case(function):
    """Mark a case of the script, a function of an adb server and a program."""
    if function.__module__ == "__main__":
        CASES.append(function)
    return function


def run_cases(squint, cases=None):
    """Run these cases, or those of the script, as TAP; returns the exit
    status."""
    cases = cases or CASES
    print(f"1..{len(cases)}")
    if not find_adb():
        for number, function in enumerate(cases, 1):
            print(f"ok {number} {function.__name__} # SKIP adb is not "
                  "installed")
        return 0
    failed = 0
    with Adb() as adb:
        for number, function in enumerate(cases, 1):
            failed += not run_case(number, function, adb, squint)
    return 1 if failed else 0
