"""A WebDriver server for tests: answers as Appium and Selenium Grid do.

It lends one phone whose screen changes colour with each action, and notes what it
was asked. `fails` makes commands fail: {"/screenshot": (status, body)}.
"""
import base64
import http.server
import json
import struct
import threading
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
</XCUIElementTypeApplication></AppiumAUT>"""

PLATFORMS = {
    "android": ({"platformName": "Android", "appium:deviceName": "Pixel",
                 "appium:platformVersion": "14"}, ANDROID, (300, 600)),
    "ios": ({"platformName": "iOS", "deviceName": "iPhone"}, IOS, (150, 300)),
}
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


def error(status, name, message, **more):
    """The answer of a command that failed."""
    return status, {"value": dict({"error": name, "message": message,
                                   "stacktrace": ""}, **more)}


class StandIn:
    """The server, in a thread."""

    def __init__(self, platform):
        self.capabilities, self.source, self.window = PLATFORMS[platform]
        self.platform = platform
        self.asked = []   # (method, path without the session, body)
        self.fails = {}   # path without the session: (status, body)
        self.sessions = 0
        self.open = set()
        self.actions = 0
        self.status = {"ready": True, "message": "ready"}
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """Passes requests on."""
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                """Answer a request."""
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                status, answer = outer.answer(self.command, self.path,
                                              json.loads(body) if body else None)
                data = answer if isinstance(answer, bytes) else json.dumps(
                    answer).replace("/", "\\u002f").encode()
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", "file:///etc/passwd")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_DELETE = handle_any  # pylint: disable=invalid-name

            def log_message(self, *_):  # pylint: disable=arguments-differ
                """Print nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def paths(self):
        """What was asked, without bodies."""
        return [f"{method} {path}" for method, path, _ in self.asked]

    def answer(self, method, path, body):
        """(status, answer) of a request."""
        if path == "/status":
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
        self.asked.append((method, command, body))
        if name not in self.open:
            return error(404, "invalid session id", "session is not known")
        if command in self.fails:
            return self.fails[command]
        return self.run(method, name, command, body)

    def run(self, method, name, command, body):
        """The answer of a command of a session."""
        if method == "DELETE" and command == "/":
            self.open.discard(name)
            return 200, {"value": None}
        if command == "/screenshot":
            scale = 2 if self.platform == "ios" else 1
            data = png(self.window[0] * scale, self.window[1] * scale,
                       60 + self.actions * 20 % 190)
            return 200, {"value": base64.b64encode(data).decode()}
        if command == "/window/rect":
            return 200, {"value": {"x": 0, "y": 0, "width": self.window[0],
                                   "height": self.window[1]}}
        if command == "/source":
            return 200, {"value": self.source}
        if command == "/element/active":
            return 200, {"value": {ELEMENT: "e1"}}
        if command == "/execute/sync":
            if body["script"] == "mobile: getCurrentPackage":
                return 200, {"value": "com.shop"}
            if body["script"] == "mobile: activeAppInfo":
                return 200, {"value": {"bundleId": "com.shop"}}
            if body["script"] == "mobile: listApps":
                return 200, {"value": {"com.shop": {"CFBundleDisplayName": "Shop"}}}
            if body["script"] == "mobile: getClipboard":
                return 200, {"value": base64.b64encode(b"copied").decode()}
        self.actions += 1
        return 200, {"value": None}
