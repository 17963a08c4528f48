"""Whether squint can read text on this system: it does so only in a sandbox."""
import ctypes
import sys

PR_GET_SECCOMP = 21


def why_no_reading():
    """Why text cannot be read here, or None. Asks the system and not squint,
    so that a squint which wrongly finds no seccomp fails its tests."""
    libc = ctypes.CDLL(None)
    if libc.prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0:
        return None
    return "this system cannot confine a process: it has no seccomp"


def end_without_reading():
    """End the test program, as skipped, where no text can be read."""
    reason = why_no_reading()
    if reason:
        print(f"1..0 # SKIP {reason}")
        sys.exit(0)
