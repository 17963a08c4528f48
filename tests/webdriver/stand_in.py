"""A WebDriver server for tests: answers as Appium and Selenium Grid do.

It lends one phone whose screen changes colour with each action, and notes what it
was asked. `fails` makes commands fail: {"/screenshot": (status, body)}.
"""
import base64
import contextlib
import http.server
import json
import socket
import ssl
import struct
import threading
import time
import zlib

ANDROID = """<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
<hierarchy index="0" class="hierarchy" rotation="0" width="300" height="600">
<android.widget.FrameLayout index="0" package="com.shop" class="android.widget.FrameLayout"
 text="" bounds="[0,0][300,600]" enabled="true" displayed="true">
<android.widget.Button index="0" package="com.shop" class="android.widget.Button" text="Buy"
 clickable="true" enabled="true" bounds="[20,100][220,160]" displayed="true" />
<android.widget.EditText index="1" package="com.shop" class="android.widget.EditText"
 text="hunter2" password="true" focused="true" clickable="true" enabled="true"
 bounds="[20,200][220,260]" displayed="true" />
<android.widget.Button index="2" package="com.shop" class="android.widget.Button"
 text="Hidden" clickable="true" enabled="true" bounds="[20,300][220,360]"
 displayed="false" />
</android.widget.FrameLayout></hierarchy>"""

IOS = """<?xml version="1.0" encoding="UTF-8"?><AppiumAUT>
<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop" label="Shop"
 enabled="true" visible="true" x="0" y="0" width="150" height="300">
<XCUIElementTypeButton type="XCUIElementTypeButton" name="buy-button" label="Buy" enabled="true"
 x="10" y="50" width="100" height="30"/>
<XCUIElementTypeSwitch type="XCUIElementTypeSwitch" value="1" label="Gift" enabled="true"
 x="10" y="100" width="50" height="30"/>
<XCUIElementTypeTextField type="XCUIElementTypeTextField" value="Name" placeholderValue="Name"
 enabled="true" x="10" y="150" width="100" height="30"/>
<XCUIElementTypeButton type="XCUIElementTypeButton" label="Hidden" enabled="true"
 visible="false" x="10" y="200" width="100" height="30"/>
</XCUIElementTypeApplication></AppiumAUT>"""

PLATFORMS = {
    "android": ({"platformName": "Android", "appium:deviceName": "Pixel",
                 "appium:platformVersion": "14"}, ANDROID, (300, 600)),
    # A Grid writes the names of platforms so.
    "ios": ({"platformName": "IOS", "deviceName": "iPhone"}, IOS, (150, 300)),
    "agent": ({"device": "iphone", "browserName": "Shop"}, IOS, (150, 300)),
    "firefox": ({"browserName": "firefox", "browserVersion": "153.0",
                 "platformName": "linux"}, "", (300, 600)),
    "chrome": ({"browserName": "chrome", "browserVersion": "156.0",
                "platformName": "linux"}, "", (300, 600)),
}
# What the walk over a page answers; None: the page, else the frame in it, or the
# page of a browser in which squint has a world of scripts.
ROWS = {
    None: [[1, 0, "page", "", "", "", "", 0, 0, 300, 600, ""],
           [2, 1, "button", "", "Buy", "", "", 20, 100, 220, 160, "c"],
           [3, 1, "iframe", "", "", "", "ad", 20, 300, 220, 400, "x"]],
    "world": [[1, 0, "page", "", "", "", "", 0, 0, 300, 600, ""],
              [2, 1, "button", "", "Buy", "", "", 20, 100, 220, 160, "c"],
              [3, 1, "textbox", "Ada", "Name", "", "q", 20, 200, 220, 260, "cefF"]],
    "f1": [[1, 0, "page", "", "", "", "", 0, 0, 200, 100, ""],
           [2, 1, "button", "", "Accept", "", "", 10, 10, 100, 40, "c"]],
}
# What WebDriverAgent answers without a session.
FREE = ("/screenshot", "/source", "/window/size", "/wda/activeAppInfo", "/wda/unlock",
        "/alert/text", "/alert/accept", "/alert/dismiss")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def png(width, height, shade):
    """A picture of one colour."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(
            ">I", zlib.crc32(body))
    rows = (b"\0" + bytes([shade]) * width) * height
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Hostile:
    """A server that answers the status and then misbehaves: `kind` is how."""

    def __init__(self, kind):
        self.kind = kind
        self.sent = 0
        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def accept(self, listener):
        """Serve one client after the other."""
        while True:
            client, _ = listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        """Answer until the client has enough."""
        with client, contextlib.suppress(OSError):
            while True:
                request = client.recv(65536)
                if not request:
                    return
                head, _, rest = request.partition(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].split()[:1]
                while len(rest) < int((length or [0])[0]):
                    rest += client.recv(65536)
                body = b'{"value":{"ready":true}}'
                if b" /session " in request.split(b"\n")[0]:
                    body = (b'{"value":{"sessionId":"s1","capabilities":'
                            b'{"platformName":"Android"}}}')
                if b"/session/" in request.split(b"\n")[0]:
                    self.misbehave(client)
                    return
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s"
                               % (len(body), body))

    def misbehave(self, client):
        """Send what no server should."""
        head = b"HTTP/1.1 200 OK\r\n"
        if self.kind == "headers":
            client.sendall(head)
            while True:
                client.sendall(b"X-More: " + b"x" * 8000 + b"\r\n")
                self.sent += 8000
        if self.kind == "silence":
            time.sleep(600)
        client.sendall(head + (b"Content-Length: 1000000\r\n\r\n"
                               if self.kind in ("reset", "drip") else b"\r\n"))
        client.sendall(b'{"value":"')
        if self.kind == "reset":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                              struct.pack("ii", 1, 0))
            return
        while True:
            part = b"A" if self.kind == "drip" else b"QUJD" * 16384
            client.sendall(part)
            self.sent += len(part)
            if self.kind == "drip":
                time.sleep(0.05)


def error(status, name, message, **more):
    """The answer of a command that failed."""
    return status, {"value": dict({"error": name, "message": message,
                                   "stacktrace": ""}, **more)}


class StandIn:
    """The server, in a thread."""

    def __init__(self, platform, certificate=None):
        self.capabilities, self.source, self.window = PLATFORMS[platform]
        self.platform = platform
        self.asked = []   # (method, path without the session, body)
        self.fails = {}   # path without the session: (status, body)
        self.sessions = 0
        self.open = set()
        self.actions = 0
        self.frame = None
        self.authorization = None  # of the last request
        self.may_start = threading.Event()  # sessions wait for it
        self.may_start.set()
        self.left = 0  # clients that left while they waited
        self.late = 0  # seconds until a reply
        self.drops = set()  # commands that are carried out and get no reply
        self.tabs = ["t1"]
        self.tab = "t1"
        self.looks = 0  # at its status
        self.walks = set()  # the rows of ROWS whose page or world has the walk
        self.words = {}  # what the walk answers: {"aim": "gone"}
        self.opens_tab = False  # with the next action
        self.status = {"ready": True, "message": "ready"}
        if platform == "agent":
            self.status = {"ready": True, "message": "WebDriverAgent is ready to accept "
                           "commands", "state": "success", "ios": {"ip": "10.0.0.2"},
                           "os": {"name": "iOS", "version": "17.4"}, "build": {}}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Passes requests on."""
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                """Answer a request."""
                outer.authorization = self.headers.get("Authorization")
                time.sleep(outer.late)
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                if self.path == "/session" and not self.await_turn():
                    return
                status, answer = outer.answer(self.command, self.path,
                                              json.loads(body) if body else None)
                if self.path.split("/")[-1] in outer.drops:
                    self.close_connection = True
                    return
                data = answer if isinstance(answer, bytes) else json.dumps(
                    answer).replace("/", "\\u002f").encode()
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "file:///etc/passwd")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def await_turn(self):
                """Whether the client still waits when its session may start."""
                while not outer.may_start.wait(0.02):
                    with contextlib.suppress(BlockingIOError):
                        if not self.connection.recv(
                                1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                            outer.left += 1
                            self.close_connection = True
                            return False
                return True

            do_GET = do_POST = do_DELETE = handle_any  # pylint: disable=invalid-name

            def log_message(self, *_):  # pylint: disable=arguments-differ
                """Print nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(
                self.server.socket, server_side=True,
                do_handshake_on_connect=False)
            self.url = self.url.replace("http:", "https:")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def paths(self):
        """What was asked, without bodies."""
        return [f"{method} {path}" for method, path, _ in self.asked]

    def answer(self, method, path, body):
        """(status, answer) of a request."""
        if path == "/status":
            self.looks += 1
            return self.fails.get(path, (200, {"value": self.status}))
        if path.endswith("/newsessionqueue/queue"):
            return 200, {"value": [{}]}
        if path == "/session":
            self.asked.append((method, path, body))
            if path in self.fails:
                return self.fails[path]
            self.sessions += 1
            name = f"s{self.sessions}"
            self.open.add(name)
            return 200, {"value": {"sessionId": name,
                                   "capabilities": self.capabilities}}
        name, _, command = path[len("/session/"):].partition("/")
        command = "/" + command
        if self.platform == "agent" and path.split("?")[0] in FREE:
            command = path.split("?")[0]
            self.asked.append((method, command, body))
            return self.run(method, None, command, body)
        self.asked.append((method, command, body))
        if name not in self.open:
            return error(404, "invalid session id", "session is not known")
        if command in self.fails:
            return self.fails[command]
        if command == "/window/handles":
            return 200, {"value": self.tabs}
        if command == "/window" and method == "POST":
            self.tab = body["handle"]
        if self.tab not in self.tabs and command != "/":
            return error(404, "no such window", "target window already closed")
        if command == "/window" and method == "DELETE":
            self.tabs.remove(self.tab)
            return 200, {"value": self.tabs}
        if command == "/window":
            return 200, {"value": self.tab}
        return self.run(method, name, command, body)

    def run(self, method, name, command, body):
        """The answer of a command of a session."""
        if method == "DELETE" and command == "/":
            self.open.discard(name)
            return 200, {"value": None}
        if command == "/screenshot":
            scale = 2 if self.source == IOS else 1
            data = png(self.window[0] * scale, self.window[1] * scale,
                       60 + self.actions * 20 % 190)
            return 200, {"value": base64.b64encode(data).decode()}
        if command == "/wda/activeAppInfo":
            return 200, {"value": {"bundleId": "com.shop", "pid": 7}}
        if command == "/wda/getPasteboard":
            return 200, {"value": base64.b64encode(b"copied").decode()}
        if command in ("/window/rect", "/window/size"):
            return 200, {"value": {"x": 0, "y": 0, "width": self.window[0],
                                   "height": self.window[1]}}
        if command == "/source":
            return 200, {"value": self.source}
        if command == "/element/active":
            return 200, {"value": {ELEMENT: "e1"}}
        if command.startswith("/frame"):
            self.frame = (body.get("id") or {}).get(ELEMENT)
            return 200, {"value": None}
        if command == "/execute/sync":
            if "innerWidth" in body["script"][:40]:
                return 200, {"value": [*self.window, 1, "https://shop.example", 1]}
            if "[walk." in body["script"]:
                return 200, {"value": self.walk(body["script"], self.frame)}
            if "flatMap" in body["script"]:
                return 200, {"value": [[{ELEMENT: "f1"}, 20, 300]]}
            if body["script"] == "mobile: getCurrentPackage":
                return 200, {"value": "com.shop"}
            if body["script"] == "mobile: activeAppInfo":
                return 200, {"value": {"bundleId": "com.shop"}}
            if body["script"] == "mobile: listApps":
                return 200, {"value": {"com.shop": {"CFBundleDisplayName": "Shop"}}}
            if body["script"] == "mobile: getClipboard":
                return 200, {"value": base64.b64encode(b"copied").decode()}
        if command == "/goog/cdp/execute":
            return 200, {"value": self.devtools(body["cmd"], body["params"])}
        self.actions += 1
        if self.opens_tab:
            self.tabs.append(f"t{len(self.tabs) + 1}")
            self.opens_tab = False
        return 200, {"value": None}

    def devtools(self, command, params):
        """What a command of the browser's DevTools answers."""
        if command == "Page.captureScreenshot":
            return {"data": base64.b64encode(png(*self.window, 60 + self.actions)
                                             ).decode()}
        if command == "Page.getFrameTree":
            return {"frameTree": {"frame": {"id": "F1"}}}
        if command == "Page.createIsolatedWorld":
            return {"executionContextId": 7}
        code = params["expression"]
        if "innerWidth" in code[:40]:
            return {"result": {"value": [*self.window, 1, "https://shop.example", 1]}}
        return {"result": {"value": self.walk(code, "world")}}

    def walk(self, code, place):
        """What a function of the walk answers, once the walk was sent."""
        if len(code) > 5000:
            self.walks.add(place)
        if place not in self.walks:
            return False
        function = code.rpartition("[")[2].partition("(")[0].partition(".")[2]
        if function == "list":
            return [{"rows": ROWS[place], "more": 0, "next": 4}]
        return [self.words.get(function, {"aim": "aimed", "landed": "hit",
                                          "enter": "type", "reveal": "shown"}[function])]
