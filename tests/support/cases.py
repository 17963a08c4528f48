"""Runs test cases and prints their results as TAP."""
import tempfile
import traceback

from sandbox import why_no_reading


class Skip(Exception):
    """A case cannot run here; the message says why."""


def needs_reading():
    """Skip the case where no text can be read."""
    reason = why_no_reading()
    if reason:
        raise Skip(reason)


def run_case(number, case, *arguments):
    """Calls one case; returns whether it passed or was skipped."""
    try:
        case(*arguments)
        print(f"ok {number} {case.__name__}", flush=True)
        return True
    except Skip as reason:
        print(f"ok {number} {case.__name__} # SKIP {reason}", flush=True)
        return True
    except Exception:  # pylint: disable=broad-except
        for line in traceback.format_exc().splitlines():
            print(f"# {line}")
        print(f"not ok {number} {case.__name__}", flush=True)
        return False


def run_in_folders(cases, prefix, make):
    """Calls each case with what `make` makes of a new folder; returns the exit
    status."""
    print(f"1..{len(cases)}")
    failed = 0
    for number, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory(prefix=prefix) as folder:
            failed += not run_case(number, case, make(folder))
    return 1 if failed else 0
