"""Runs cases with squint and a fake simulator, as TAP."""

import contextlib
import inspect
import json
import pathlib
import struct
import sys
import time
import zlib

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

# pylint: disable=wrong-import-position
from cases import named, run_all
from children import adopt_orphans, processes_of
from simulator import UDID, Simulator
from squint_server import PATIENCE, SLOWNESS, SLOWNESS_NAME, Server


class Session:
    """The argument of a case: the simulator, the server, and shortcuts."""

    def __init__(self, simulator, server):
        self.simulator = simulator
        self.server = server

    def ask(self, operation, **arguments):
        """The whole result of an operation."""
        return self.server.call("ui", operation=operation, **arguments)

    def ui(self, operation, **arguments):
        """The JSON of a result that must be a success."""
        return self.server.ui(operation, **arguments)

    def expect_error(self, operation, **arguments):
        """The JSON of a tool result that must be an error."""
        result = self.ask(operation, **arguments)
        assert result["isError"], result
        return json.loads(result["content"][0]["text"])

    def calls(self, program=None, word=None):
        """The argument lists programs were started with."""
        lines = map(json.loads, self.simulator.log().splitlines())
        return [line for line in lines
                if (not program or line[0] == program)
                and (not word or word in line)]

    def put(self, name, content):
        """Write a file that a program can print by `say`."""
        path = pathlib.Path(self.simulator.folder.name, name)
        path.write_bytes(content if isinstance(content, bytes)
                         else content.encode())


@contextlib.contextmanager
def session(fake, squint, *flags, turn="left", slowness=SLOWNESS, env=None):
    """A simulator and a server that uses it."""
    with Simulator(fake, turn) as simulator:
        env = {**simulator.env, SLOWNESS_NAME: str(slowness), **(env or {})}
        with Server([squint, "mcp", *flags], env=env) as server:
            server.initialize()
            yield Session(simulator, server)


def with_slowness(slowness):
    """For cases with timeouts: how many times slower than real time the
    clock of squint runs; timeouts of the case are in that time."""
    def mark(case):
        case.slowness = slowness
        return case
    return mark


def await_true(what, holds):
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def png(width, height):
    """A picture of that size that is not of a single colour."""
    rows = b"".join(b"\0" + bytes((x * y) % 251 for x in range(width * 3))
                    for y in range(0, 64))
    rows = (rows * (height // 64 + 1))[:height * (width * 3 + 1)]

    def chunk(kind, data):
        body = kind + data
        return (struct.pack(">I", len(data)) + body
                + struct.pack(">I", zlib.crc32(body)))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
            + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def elements(width, height, *others):
    """idb's output for a screen of that size."""
    app = {"type": "Application", "AXLabel": "App", "pid": 9,
           "frame": {"x": 0, "y": 0, "width": width, "height": height}}
    return json.dumps([app, *others])


def button(label, x, y, width, height):
    """An element in idb's format."""
    return {"type": "Button", "role": "AXButton", "AXLabel": label,
            "AXUniqueId": None, "AXValue": None, "enabled": True,
            "AXFrame": f"{{{{{x}, {y}}}, {{{width}, {height}}}}}",
            "frame": {"x": x, "y": y, "width": width, "height": height}}


def run(module, fake, squint):
    """Run every public function of the module as a case, in order."""
    cases = [(name, case) for name, case in vars(module).items()
             if inspect.isfunction(case) and case.__module__ == "__main__"
             and not name.startswith("_")]
    adopt_orphans()

    def run_one(case):
        # A case with other parameters starts its own session.
        if "fake" in inspect.signature(case).parameters:
            case(fake, squint)
        else:
            slowness = getattr(case, "slowness", SLOWNESS)
            with session(fake, squint, slowness=slowness) as it:
                case(it)
    return run_all([named(name, run_one, case) for name, case in cases])
