#!/usr/bin/env python3
"""others.py TORTURE SQUINT FAKE: run TORTURE on a phone, on an adb server with
phones in the network, on a fake simulator and on a server of squint; TAP."""

import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
for name in ("support", "adb", "http"):
    sys.path.insert(0, str(HERE.parent / name))

# pylint: disable=wrong-import-position
from demo_phone import Adb, find_adb
from network import NewAdb
from phone import Device
from served import Log, Server
from simulator import Simulator

SIZE = ["--demo-width", "240", "--demo-height", "480", "--demo-density", "0.75",
        "--clock", "1767268800"]


def run(torture, number, what, env):
    """Run the scenarios of a kind, and print its case and what it said."""
    done = subprocess.run(
        [torture], env={**env, "TORTURE_ON": what}, check=False,
        stdout=subprocess.PIPE, text=True)
    for line in done.stdout.splitlines():
        print(line if line.startswith("#") else f"# {line}")
    skipped = [line for line in done.stdout.splitlines() if "# SKIP" in line]
    word = "not ok" if done.returncode else "ok"
    print(f"{word} {number} {what}"
          + (f" # SKIP {skipped[0]}" if skipped else ""), flush=True)
    return done.returncode == 0


def adb_environment(server):
    """Variables that let squint use an adb server, and start none."""
    return {**os.environ, "SQUINT_ANDROID_START_SERVER": "false",
            "SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{server.port}"}


def on_phones(torture, squint):
    """The cases that need adb."""
    with Adb() as adb, Device(adb, squint, *SIZE):
        ok = run(torture, 1, "phone", adb_environment(adb))
        with NewAdb(adb) as new:
            return run(torture, 2, "network", adb_environment(new)) and ok


def on_simulator(torture, fake):
    """The case with fake xcrun and idb."""
    with Simulator(fake) as simulator:
        return run(torture, 3, "simulator", {**os.environ, **simulator.env})


def on_server(torture, squint):
    """The case with a server that runs."""
    server = Server([squint], extra=["--inspect"])
    Log(server)
    try:
        return run(torture, 4, "server", {
            **os.environ, "TORTURE_ADDRESS": server.host(),
            "TORTURE_TOKEN": server.token_file})
    finally:
        server.stop()


def main(torture, squint, fake):
    """Returns the exit status."""
    torture, squint = os.path.abspath(torture), os.path.abspath(squint)
    print("1..4")
    if find_adb():
        ok = on_phones(torture, squint)
    else:
        ok = True
        print("ok 1 phone # SKIP adb is not installed\n"
              "ok 2 network # SKIP adb is not installed")
    ok = on_simulator(torture, fake) and ok
    ok = on_server(torture, squint) and ok
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
