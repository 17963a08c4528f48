"""A headless Chromium for tests, driven through its debugging pipe."""
import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 60  # seconds until a test is taken for hanging


def find():
    """The path of the program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def open_pipe():
    """A pipe whose ends have none of the numbers that the browser expects."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high


class Browser:
    """One page. Messages of the protocol end with a NUL byte."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="squint-browser-",
                                                  ignore_cleanup_errors=True)
        read_end, self.output = open_pipe()
        self.input, write_end = open_pipe()
        # The browser expects these two numbers.
        start = ("import os, sys; "
                 f"os.dup2({read_end}, 3); os.dup2({write_end}, 4); "
                 "os.execv(sys.argv[1], sys.argv[1:])")
        argv = [sys.executable, "-S", "-c", start, program, "--headless=new", "--no-sandbox", "--disable-gpu",
                "--no-first-run", "--disable-dev-shm-usage",
                "--disable-background-networking",
                # The frame is then part of the page's own target.
                "--disable-features=IsolateSandboxedIframes",
                "--remote-debugging-pipe", "--window-size=900,1400",
                "--user-data-dir=" + self.folder.name]
        self.process = subprocess.Popen(argv, pass_fds=(read_end, write_end),
                                        stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.pending = b""
        self.last_id = 0
        self.session = None
        self.events = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target,
                                flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")

    def read_message(self, end):
        """The next message."""
        while b"\0" not in self.pending:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.input, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self.pending += more
        text, _, self.pending = self.pending.partition(b"\0")
        return json.loads(text)

    def ask(self, method, **params):
        """Send a command; return its result. Events are kept."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.read_message(end)
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def take_event(self, method):
        """The next event of that name, which may have arrived before."""
        end = time.monotonic() + PATIENCE
        while True:
            for i, event in enumerate(self.events):
                if event.get("method") == method:
                    return self.events.pop(i)["params"]
            self.events.append(self.read_message(end))

    def seen(self, method):
        """All events of that name so far."""
        return [event["params"] for event in self.events
                if event.get("method") == method]

    def evaluate(self, code, context=None):
        """The value of an expression; promises are awaited."""
        extra = {"contextId": context} if context else {}
        result = self.ask("Runtime.evaluate", expression=code,
                          returnByValue=True, awaitPromise=True, **extra)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def drag(self, start, end):
        """Drag with the left button between two points of the page."""
        steps = [("mouseMoved", start, "none"), ("mousePressed", start, "left"),
                 ("mouseMoved", end, "left"), ("mouseReleased", end, "left")]
        for kind, (x, y), button in steps:
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                     button=button, buttons=int(button == "left"),
                     clickCount=int(kind != "mouseMoved"))

    def close(self):
        """End the browser."""
        try:
            self.session = None
            self.ask("Browser.close")
        except (EOFError, BrokenPipeError):
            pass
        self.process.wait(PATIENCE)
        os.close(self.output)
        os.close(self.input)
        self.folder.cleanup()
