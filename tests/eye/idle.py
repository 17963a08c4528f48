#!/usr/bin/env python3
"""idle.py PROGRAM [EMULATOR]: squint's program on the phone, which is not asked
anything, ends by itself after five minutes and not before, in real time."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

IDLE_S = 300
HELLO_BYTES = 16 + 32
# How much later its end may be noticed on a busy machine.
LATE_S = 60


def main():
    """Returns the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        # It deletes its own file.
        program = pathlib.Path(folder, "program")
        shutil.copy(sys.argv[1], program)
        program.chmod(0o700)
        argv = [*sys.argv[2:], str(program)]
        with subprocess.Popen(argv, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            hello = os.read(process.stdout.fileno(), HELLO_BYTES)
            began = time.monotonic()
            try:
                status = process.wait(IDLE_S + LATE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                status = "none"
            took = time.monotonic() - began
    ok = len(hello) == HELLO_BYTES and status == 1 and took >= IDLE_S - 1
    print(f"{'ok' if ok else 'not ok'} - {sys.argv[1]}: hello of {len(hello)} "
          f"bytes, exit status {status} after {took:.1f} s")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
