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


def expect(what, got, wanted):
    """Raise unless they are equal."""
    if got != wanted:
        raise AssertionError(f"{what}: {got!r}, not {wanted!r}")


def expect_in(part, text):
    """Raise unless the text has the part."""
    if part not in text:
        raise AssertionError(f"{part!r} is not in {text[-2000:]!r}")


def expect_true(what, holds):
    """Raise unless it is true."""
    if not holds:
        raise AssertionError(what)


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


def named(name, function, *arguments):
    """A case that calls the function, with these after its own arguments."""
    def case(*given):
        function(*given, *arguments)
    case.__name__ = name
    return case


def run_all(cases, *arguments):
    """Calls the cases; returns the exit status."""
    print(f"1..{len(cases)}")
    passed = [run_case(number, case, *arguments)
              for number, case in enumerate(cases, 1)]
    return 0 if all(passed) else 1


def run_in_folders(cases, prefix, make):
    """Calls each case with what `make` makes of a new folder; returns the exit
    status."""
    print(f"1..{len(cases)}")
    failed = 0
    for number, case in enumerate(cases, 1):
        with tempfile.TemporaryDirectory(prefix=prefix) as folder:
            failed += not run_case(number, case, make(folder))
    return 1 if failed else 0
