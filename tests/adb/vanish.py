#!/usr/bin/env python3
"""vanish.py SQUINT VANISH [whole]: run VANISH on a phone of 64x128; TAP."""

import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from demo_phone import Adb, find_adb
from phone import Device


def main(squint, program, *words):
    """Returns the exit status."""
    if not find_adb():
        print("1..0 # SKIP adb is not installed")
        return 0
    with Adb() as adb:
        log = pathlib.Path(adb.home.name, "log")
        flags = ["--demo-width", "240", "--demo-height", "480",
                 "--demo-density", "1", "--clock", "1767268800",
                 "--log", str(log)]
        with Device(adb, squint, *flags) as device:
            return subprocess.run([program, str(adb.port), device.serial, log,
                                   *words], env=adb.env,
                                  check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
