"""The time of ours per command: calls of squint beside the same commands by libcurl."""
import ctypes
import json
import time
import urllib.request

ROUNDS = 300
MOST_ROUNDS = 5000  # on a machine that is busy
COMMANDS = 4  # of WebDriver in one call of `info` on a Chromium
ABOUT = ("[innerWidth, innerHeight, devicePixelRatio, location.origin, "
         "Math.floor(performance.timeOrigin) % 10000000]")
# Options of libcurl.
WRITEDATA, URL, POSTFIELDS, HTTPHEADER, POSTFIELDSIZE = 10001, 10002, 10015, 10023, 60


class Curl:
    """A client of one connection that does nothing else."""

    def __init__(self, url):
        self.lib = ctypes.CDLL("libcurl.so.4")
        self.lib.curl_easy_init.restype = ctypes.c_void_p
        self.lib.curl_slist_append.restype = ctypes.c_void_p
        self.easy = ctypes.c_void_p(self.lib.curl_easy_init())
        libc = ctypes.CDLL(None)
        libc.fopen.restype = ctypes.c_void_p
        self.url = url.encode()
        self.set(WRITEDATA, ctypes.c_void_p(libc.fopen(b"/dev/null", b"w")))
        self.set(HTTPHEADER, ctypes.c_void_p(self.lib.curl_slist_append(
            None, b"Content-Type: application/json; charset=utf-8")))
        self.set(URL, ctypes.c_char_p(self.url))

    def set(self, option, value):
        """Set an option."""
        self.lib.curl_easy_setopt(self.easy, ctypes.c_int(option), value)

    def post(self, body):
        """Send a command."""
        self.set(POSTFIELDSIZE, ctypes.c_long(len(body)))
        self.set(POSTFIELDS, ctypes.c_char_p(body))
        if self.lib.curl_easy_perform(self.easy) != 0:
            raise OSError("no answer")


def devtools(url, command, **params):
    """Send a command of the browser's DevTools; return its body and value."""
    body = json.dumps({"cmd": command, "params": params}).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data=body)) as answer:
        return body, json.load(answer)["value"]


def milliseconds_of_ours(client, server, session, limit):
    """What a command costs with squint more than with libcurl alone: the fastest,
    since other work only adds to it. More rounds are made while it is over a limit."""
    url = f"{server}/session/{session}/goog/cdp/execute"
    _, tree = devtools(url, "Page.getFrameTree")
    make, world = devtools(url, "Page.createIsolatedWorld", worldName="squint",
                           frameId=tree["frameTree"]["frame"]["id"])
    run, _ = devtools(url, "Runtime.evaluate", expression=ABOUT, returnByValue=True,
                      contextId=world["executionContextId"])
    where, _ = devtools(url, "Runtime.evaluate", expression="location.href",
                        returnByValue=True, contextId=world["executionContextId"])
    curl = Curl(url)
    ours = bare = cost = float("inf")
    for count in range(MOST_ROUNDS):
        if count >= ROUNDS and cost <= limit:
            break
        start = time.perf_counter()
        client.do("info")
        between = time.perf_counter()
        for body in (make, run, make, where):
            curl.post(body)
        bare = min(bare, time.perf_counter() - between)
        ours = min(ours, between - start)
        cost = 1000 * (ours - bare) / COMMANDS
    return cost
