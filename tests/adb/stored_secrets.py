#!/usr/bin/env python3
"""stored_secrets.py SQUINT: secrets of a keyring or a file are typed on a phone, and
their values are found nowhere else. With the real adb, and a real keyring under
dbus-run-session; TAP."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import Skip
from client import LOGIN, Client
from demo_phone import case, run_cases
from phone import SMALL, Device, expect, expect_true

CANARY = "Zq7canary-Vx93"
FIELD = {"resourceId": "password"}


def write_secrets(adb, text=f"pin={CANARY}\nother=1\n", mode=0o600):
    """A file of secrets; returns its path."""
    path = pathlib.Path(adb.home.name, "secrets")
    path.unlink(missing_ok=True)
    path.touch(mode)
    path.chmod(mode)
    path.write_text(text, encoding="utf-8")
    return str(path)


def settings(adb, **more):
    """The environment of a client that may type two secrets."""
    return {"SQUINT_SECRETS_ALLOW": f"pin={LOGIN},other={LOGIN},"
                                    "elsewhere=com.example",
            "SQUINT_SECRETS_FILE": write_secrets(adb), **more}


def new_log(adb):
    """A file for the commands that the phone gets."""
    log = pathlib.Path(adb.home.name, "commands")
    log.unlink(missing_ok=True)
    return log


def find_in_memory(pid, value):
    """Where a process has these bytes in its memory."""
    found = []
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, \
            open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            begin, end = (int(x, 16) for x in line.split()[0].split("-"))
            if line.split()[1][0] != "r" or "[v" in line:
                continue
            memory.seek(begin)
            try:
                data = memory.read(end - begin)
            except OSError:
                continue
            if value in data:
                found.append(line.strip())
    return found


def answers(client):
    """What a client gets to see after the secret was typed."""
    shown = []
    for operation, more in (
            ("dump", {}), ("screenshot", {"inline": True}), ("find", {
                "selector": {"text": "Password"}}), ("info", {}),
            ("logs", {}), ("clipboard", {})):
        shown.append(json.dumps(client.call("ui", operation=operation, **more)))
    return "\n".join(shown)


@case
def the_value_is_typed_and_found_nowhere_else(adb, squint):
    """Answers, journal, audit log, standard error, argv, files, memory."""
    home = pathlib.Path(adb.home.name)
    log = new_log(adb)
    with Device(adb, squint, *SMALL, "--log", str(log)) as device, \
            Client(squint, adb, **settings(
                adb, SQUINT_JOURNAL_PATH=str(home / "journal.jsonl"),
                SQUINT_AUDIT_PATH=str(home / "audit" / "a.jsonl"),
                SQUINT_LOG_LEVEL="debug")) as client:
        client.ui("launch", packageName=LOGIN, receipt="none")
        texts = []
        for receipt in ("full", "fast"):
            answer = client.ui("input", secret="pin", selector=FIELD,
                               clear=True, receipt=receipt)
            expect("typed", answer["typed"]["secret"], "pin")
            texts.append(json.dumps(answer))
        client.ui("steps", steps=[{"operation": "input", "secret": "pin",
                                   "selector": FIELD}])
        expect("what the phone got", log.read_text(encoding="utf-8")
               .count(CANARY), 3)
        texts += [answers(client), client.stderr_text()]
        pid = client.process.pid
        texts.append(pathlib.Path(f"/proc/{pid}/cmdline").read_text(
            encoding="utf-8"))
        memory = (find_in_memory(pid, CANARY.encode())
                  if os.geteuid() == 0 and "--sanitized" not in sys.argv
                  else [])
        device.output("shell", "input keyevent 3")
        folder = pathlib.Path(client.folder.name)
        for file in [*folder.rglob("*"), *home.rglob("*")]:
            if file.is_file() and file.name not in ("secrets", "commands"):
                texts.append(file.read_text(encoding="latin-1"))
    expect("places", [t[:300] for t in texts if CANARY in t], [])
    expect("memory", memory, [])
    if os.geteuid() != 0:
        raise Skip("only root can read the memory of a server")


@case
def a_shown_value_is_hidden(adb, squint):
    """An app may show it later: the text and its place are hidden."""
    with Device(adb, squint, *SMALL) as device, \
            Client(squint, adb, **settings(adb)) as client:
        client.ui("launch", packageName=LOGIN, receipt="none")
        client.ui("input", secret="pin", selector=FIELD)
        client.ui("tap", selector={"resourceId": "username"}, receipt="none")
        before = client.picture(format="png", raw=True)
        device.output("shell", f"input text x{CANARY}y")
        shown = json.dumps(client.ui("dump"))
        expect_true(shown, CANARY not in shown and "x[redacted]y" in shown)
        after = client.picture(format="png", raw=True)
        expect_true("a picture", after != before)
        device.output("shell", "input keyevent 67;input text z")
        expect_true("what is under the box",
                    client.picture(format="png", raw=True) == after)
        expect_true("hidden", client.ui("screenshot")["redacted"] >= 1)


@case
def other_places_are_refused(adb, squint):
    """A field that shows its text, another app, another name: none is typed."""
    log = new_log(adb)
    with Device(adb, squint, *SMALL, "--log", str(log)) as device, \
            Client(squint, adb, **settings(adb)) as client:
        client.ui("launch", packageName=LOGIN, receipt="none")
        for name, selector, words in (
                ("pin", {"resourceId": "username"}, "does not hide its text"),
                ("elsewhere", FIELD, f"may not be typed into {LOGIN}"),
                ("unknown", FIELD, "is not one that may be typed")):
            error = client.expect_error("input", secret=name,
                                        selector=selector)
            expect_true(error, words in error["message"])
        error = client.expect_error("input", secret="pin", text="x")
        expect_true(error, "a secret" in error["message"])
        client.ui("launch", packageName="com.squint.demo.shop", receipt="none")
        error = client.expect_error("input", secret="pin")
        expect_true(error, "com.squint.demo.shop" in error["message"])
        expect("typed", log.read_text(encoding="utf-8").count("input text"), 0)
        device.output("shell", "input keyevent 3")


@case
def unusable_files_are_errors(adb, squint):
    """Readable by others, without the name, missing, not typable."""
    with Device(adb, squint, *SMALL), \
            Client(squint, adb, **settings(adb)) as client:
        client.ui("launch", packageName=LOGIN, receipt="none")
        for text, mode, words in (
                (f"pin={CANARY}\n", 0o644, "others can read"),
                ("else=1\n", 0o600, 'has no secret "pin"'),
                ("pin=\n", 0o600, "is empty"),
                ("pin=ä\n", 0o600, "no key types")):
            write_secrets(adb, text, mode)
            error = client.expect_error("input", secret="pin", selector=FIELD)
            expect_true(error, words in error["message"])
        path = pathlib.Path(adb.home.name, "secrets")
        real = path.with_name("real")
        write_secrets(adb, f"pin={CANARY}\n", 0o600)
        path.rename(real)
        changes = [(lambda: None, str(path)),
                   (lambda: path.symlink_to(real), "symbolic link"),
                   (lambda: os.mkfifo(path, 0o600), "is not a file")]
        if os.geteuid() == 0:
            changes.append((lambda: (real.rename(path), os.chown(path, 65534, -1)),
                            "belong to the user 65534"))
        for change, words in changes:
            change()
            error = client.expect_error("input", secret="pin", selector=FIELD)
            expect_true(error, words in error["message"])
            path.unlink(missing_ok=True)


class Keyring:
    """gnome-keyring-daemon on a session bus of its own."""

    def __init__(self, folder):
        for program in ("dbus-run-session", "gnome-keyring-daemon",
                        "secret-tool", "dbus-send"):
            if not shutil.which(program):
                raise Skip(f"{program} is not installed")
        self.env = {**os.environ, "HOME": folder, "XDG_DATA_HOME": folder,
                    "XDG_RUNTIME_DIR": folder}
        # pylint: disable=consider-using-with
        self.bus = subprocess.Popen(
            ["dbus-run-session", "--", sys.executable, "-c",
             "import os, sys; print(os.environ['DBUS_SESSION_BUS_ADDRESS'], "
             "flush=True); sys.stdin.read()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=self.env)
        self.address = self.bus.stdout.readline().strip()
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self.address
        self.daemon = subprocess.Popen(
            ["gnome-keyring-daemon", "--unlock", "--foreground",
             "--components=secrets"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.env)
        self.daemon.stdin.write(b"password of the keyring")
        self.daemon.stdin.close()
        self.daemon.stdout.readline()

    def tool(self, *words, value=""):
        """Run secret-tool."""
        subprocess.run(["secret-tool", *words], input=value, text=True,
                       check=True, env=self.env, timeout=60)

    def lock(self):
        """Lock it; secret-tool lock of Debian 12 crashes."""
        subprocess.run(
            ["dbus-send", "--session", "--print-reply",
             "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
             "org.freedesktop.Secret.Service.Lock",
             "array:objpath:/org/freedesktop/secrets/collection/login"],
            check=True, env=self.env, timeout=60, stdout=subprocess.DEVNULL)

    def close(self):
        """End both."""
        self.daemon.kill()
        self.daemon.wait()
        self.bus.stdin.close()
        self.bus.wait()


@case
def a_keyring_gives_secrets(adb, squint):
    """Also to a confined server; not one that is locked, or lacks the name."""
    log = new_log(adb)
    with tempfile.TemporaryDirectory(prefix="squint-keyring-") as folder:
        keyring = Keyring(folder)
        try:
            keyring.tool("store", "--label=a PIN", "application", "squint",
                         "name", "pin", value=CANARY)
            env = settings(adb, DBUS_SESSION_BUS_ADDRESS=keyring.address,
                           SQUINT_SECRETS_FILE="")
            with Device(adb, squint, *SMALL, "--log", str(log)), \
                    Client(squint, adb, **env) as client:
                client.ui("launch", packageName=LOGIN, receipt="none")
                client.ui("input", secret="pin", selector=FIELD)
                expect("typed", log.read_text(encoding="utf-8")
                       .count(CANARY), 1)
                error = client.expect_error("input", secret="other",
                                            selector=FIELD)
                expect_true(error, 'no secret "other"' in error["message"])
                keyring.lock()
                error = client.expect_error("input", secret="pin",
                                            selector=FIELD)
                expect_true(error, "is locked" in error["message"])
        finally:
            keyring.close()


@case
def without_a_bus_the_error_says_so(adb, squint):
    """Nothing is started in its place."""
    env = settings(adb, SQUINT_SECRETS_FILE="",
                   DBUS_SESSION_BUS_ADDRESS="unix:path=/nonexistent/bus")
    with Device(adb, squint, *SMALL), Client(squint, adb, **env) as client:
        client.ui("launch", packageName=LOGIN, receipt="none")
        error = client.expect_error("input", secret="pin", selector=FIELD)
        expect_true(error, "the keyring cannot be reached" in error["message"]
                    or "libsecret" in error["message"])


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
