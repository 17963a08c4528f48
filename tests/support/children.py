"""Ends all processes that a test has started."""

import atexit
import ctypes
import os
import pathlib
import signal
import sys

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


_LIBC = ctypes.CDLL(None)  # loaded now, because this is not safe after a fork


def _prctl(option, value):
    try:
        return _LIBC.prctl(option, value, 0, 0, 0) == 0
    except AttributeError:
        return False  # not Linux


def die_with_parent():
    """For preexec_fn: the child is killed when this process ends, even if it
    is killed itself."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def all_processes():
    """(id, parent, command line) of every process; empty for zombies."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text(encoding="utf-8")
            line = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue  # it has just ended
        parent = state.rpartition(")")[2].split()[1]
        yield int(folder.name), int(parent), line.replace("\0", " ")


HELPER = "squint-starter"  # starts programs for a confined server


def is_helper(pid):
    """Whether a process is a helper of a server, which lives as long: it starts
    programs, or decodes pictures."""
    folder = pathlib.Path(f"/proc/{pid}")
    try:
        return ((folder / "comm").read_text(encoding="utf-8").strip() == HELPER
                or (folder / "cmdline").read_bytes().split(b"\0")[1:2]
                == [b"decode-worker"])
    except OSError:
        return False


def children_of(parent):
    """The ids of the child processes of a process, zombies included; without
    its helper."""
    return [pid for pid, its_parent, _ in all_processes()
            if its_parent == parent and not is_helper(pid)]


def processes_of(program):
    """The ids of the processes that run a program."""
    return [pid for pid, _, line in all_processes() if program in line]


def end(pid):
    """Kill a process, and reap it if it is our child."""
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def end_children():
    """End all children, also detached ones such as an adb server."""
    while left := children_of(os.getpid()):
        for pid in left:
            end(pid)


def adopt_orphans():
    """Processes that lose their parent become our children and end with us,
    also if we get a signal to end."""
    if _prctl(PR_SET_CHILD_SUBREAPER, 1):
        atexit.register(end_children)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
