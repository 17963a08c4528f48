#!/usr/bin/env python3
"""windows.py EXPECTED COMMAND ...: hold conversations with squint.exe under Wine.

COMMAND runs the program. EXPECTED is a folder with source.png and what the Linux
program made of it: scaled.jpg, scaled.webp, scaled.png, tools.json. Prints one line
per case; the exit status is 1 if one failed. What Wine cannot show (junctions, rights
of files, the console of Windows) is not tested here."""
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import zipfile
import zlib

EXPECTED = pathlib.Path(sys.argv[1])
COMMAND = sys.argv[2:]
LIMIT_S = 180
DAY = "2026-02-27"
# What Wine does differently from Windows.
WINE_FAILS = {"private files inherit no rights", "files are replaced while they are read"}


def run(*words, stdin=b"", **variables):
    """The result of a command."""
    return subprocess.run([*COMMAND, *words], input=stdin, capture_output=True,
                          timeout=LIMIT_S, check=False, env=os.environ | variables)


def wine(path):
    """How Windows sees a path of this machine."""
    return str(path) if os.name == "nt" else "Z:" + str(path).replace("/", "\\")


def start(command, **options):
    """A process that is killed after the limit of time, so that no read is longer."""
    process = subprocess.Popen(command, **options)
    timer = threading.Timer(LIMIT_S, process.kill)
    timer.daemon = True
    timer.start()
    return process


class Server:
    """squint.exe mcp, one request at a time."""

    def __init__(self, *words, **variables):
        self.process = start([*COMMAND, "mcp", *words], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, env=os.environ | variables)
        self.last = 0
        self.initialized = self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        """Write one line."""
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params=None):
        """The result of a request; notifications in between are skipped."""
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method,
                   "params": params or {}})
        while True:
            line = self.process.stdout.readline()
            assert line.endswith(b"\n") and not line.endswith(b"\r\n"), line
            answer = json.loads(line)
            if answer.get("id") == self.last:
                assert "error" not in answer, answer
                return answer["result"]

    def call(self, name, **arguments):
        """The result of a tool."""
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self):
        """Close the input, as clients do; the process has to end by itself."""
        self.process.stdin.close()
        return self.process.wait(LIMIT_S)


def image_of(result):
    """The type of the picture of a result."""
    kinds = [block["mimeType"] for block in result["content"]
             if block["type"] == "image"]
    assert kinds, result
    return kinds[0]


def pixels_of(png):
    """What a PNG holds after decompression."""
    data, at = b"", 8
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += size + 12
    return zlib.decompress(data)


def conversation():
    """initialize, tools/list, and the end when the client closes the input."""
    server = Server("--tools", "split")
    assert server.initialized["serverInfo"]["name"] == "squint"
    tools = server.ask("tools/list")["tools"]
    expected = json.loads((EXPECTED / "tools.json").read_text())
    assert tools == expected, "the list differs from that of Linux"
    assert server.close() == 0


def demo_phone():
    """A picture of the demo phone, a tap, and the changed screen."""
    server = Server("--tools", "split")
    result = server.call("ui_screenshot", deviceId="demo")
    assert not result.get("isError"), result
    assert image_of(result) in ("image/jpeg", "image/png", "image/webp")
    result = server.call("ui_tap", deviceId="demo", selector={"text": "Login"})
    assert not result.get("isError"), result
    assert server.close() == 0


def post(port, token, method, params, **headers):
    """The answer to one request over HTTP, and the session that it names."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    link.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", "id": 1,
                                             "method": method, "params": params}),
                 {"Authorization": f"Bearer {token}", "Content-Type": "application/json",
                  "Accept": "application/json, text/event-stream", **headers})
    answer = link.getresponse()
    text = answer.read().decode()
    assert answer.status == 200, (answer.status, text)
    lines = [line.removeprefix("data: ") for line in text.splitlines()
             if line.startswith(("{", "data: {"))]
    return json.loads(lines[-1])["result"], answer.getheader("Mcp-Session-Id")


def serve():
    """HTTP: initialize, the list of tools, a tap on the demo phone, Ctrl-C."""
    with tempfile.TemporaryDirectory() as folder:
        token = pathlib.Path(folder) / "token"
        process = start([*COMMAND, "serve", "--listen", "127.0.0.1:0", "--tools",
                         "split", "--token-file", wine(token)], stderr=subprocess.PIPE)
        port = 0
        while not port:
            line = process.stderr.readline()
            assert line, "it has ended"
            if b"http://127.0.0.1:" in line:
                port = int(line.split(b"127.0.0.1:")[1].split(b"/")[0])
        key = token.read_text().strip()
        result, session = post(port, key, "initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}})
        assert result["serverInfo"]["name"] == "squint", result
        same = {"Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-06-18"}
        tools = post(port, key, "tools/list", {}, **same)[0]["tools"]
        assert tools == json.loads((EXPECTED / "tools.json").read_text())
        result, _ = post(port, key, "tools/call", {
            "name": "ui_tap", "arguments": {"deviceId": "demo",
                                            "selector": {"text": "Login"}}}, **same)
        assert not result.get("isError"), result
        process.send_signal(signal.SIGINT)  # Wine makes it a Ctrl-C
        process.stderr.close()
        assert process.wait(LIMIT_S) == 0, process.returncode


def pictures():
    """JPEG and WebP have the same bytes as on Linux, PNG the same pixels."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXPECTED / "source.png", folder)
        for kind in ("jpg", "webp", "png"):
            made = pathlib.Path(folder) / f"scaled.{kind}"
            done = run("scale", wine(folder) + "\\source.png", "-o", wine(made))
            assert done.returncode == 0, done
            own, other = made.read_bytes(), (EXPECTED / made.name).read_bytes()
            if kind == "png":
                own, other = pixels_of(own), pixels_of(other)
            assert own == other, f"{kind} differs"


def make_archive(folder, names):
    """Copy a picture into the folder of a day."""
    day = pathlib.Path(folder) / DAY
    day.mkdir(parents=True)
    for name in names:
        shutil.copy(EXPECTED / "source.png", day / name)


def archive():
    """Lists and gets shots; folders with é, 中, an emoji and 300 characters."""
    long = "/".join(["x" * 100] * 3)
    for name in ("plain", "é 中 😀", long):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder) / name
            make_archive(root, [f"{DAY}_06-14-44.png", f"{DAY}_06-15-44.png"])
            server = Server("--tools", "split", "--archive", wine(root))
            result = server.call("list_screenshots", startDate=DAY)
            shots = result["structuredContent"]["screenshots"]
            assert len(shots) == 2, result
            result = server.call("get_screenshot",
                                 screenshotRef=shots[0]["screenshotRef"])
            image_of(result)
            assert server.close() == 0


def manictime():
    """ManicTime's folder is found by the registry, and shows small pictures only."""
    key = "HKCU\\SOFTWARE\\Finkit\\ManicTime"
    reg = [COMMAND[0], "wine", "reg"]
    with tempfile.TemporaryDirectory() as folder:
        make_archive(pathlib.Path(folder) / "Screenshots",
                     [f"{DAY}_06-14-44_01-00_1080_2400_1_0.jpg"])
        subprocess.run([*reg, "add", key, "/v", "DataDirectory", "/d", wine(folder),
                        "/f"], check=True, capture_output=True, timeout=LIMIT_S)
        try:
            done = run("archive", "stats")
            server = Server()
            health = server.ask("resources/read", {"uri": "manictime://health"})
            assert server.close() == 0
        finally:
            subprocess.run([*reg, "delete", key, "/f"], check=True,
                           capture_output=True, timeout=LIMIT_S)
        assert b"ManicTime (" in done.stdout, done
        assert b"screenshots  1 " in done.stdout, done
        state = json.loads(health["contents"][0]["text"])
        assert state["directorySource"] == "Registry", state


def adb():
    """adb.exe is found in a folder with spaces, and starts its server, which stays, but
    has none of our pipes: the server ends while it still runs."""
    program = EXPECTED.parent / "units/tests/windows/adb.exe"
    if os.name == "nt" or not program.exists():
        return "needs Wine, and adb.exe, which is compiled with the unit tests"
    with tempfile.TemporaryDirectory(prefix="with spaces é ") as folder:
        tools = pathlib.Path(folder, "platform-tools")
        tools.mkdir()
        shutil.copy(program, tools)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        phone = start([*COMMAND, "demo", "--adb", "127.0.0.1:0"],
                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        address = phone.stdout.readline().split()[-1].decode()
        try:
            server = Server("--tools", "split", ANDROID_HOME=wine(folder),
                            SQUINT_ANDROID_ADB_SERVER=f"tcp:127.0.0.1:{port}")
            result = server.call("ui_devices")
            assert not result.get("isError"), result
            for _ in range(20):  # its own limits of time are short
                done = subprocess.run(["adb", "-P", str(port), "connect", address],
                                      capture_output=True, timeout=LIMIT_S, check=False)
                if done.returncode == 0:
                    break
            result = server.call("ui_tap", deviceId=address,
                                 selector={"text": "Login"})
            assert not result.get("isError"), result
            assert server.close() == 0
            assert not server.process.stdout.read()  # no other process has the pipe
            done = subprocess.run(["adb", "-P", str(port), "devices"], check=True,
                                  capture_output=True, timeout=LIMIT_S)
            assert address.encode() in done.stdout, done
        finally:
            subprocess.run(["adb", "-P", str(port), "kill-server"], check=False,
                           capture_output=True, timeout=LIMIT_S)
            phone.stdin.close()
            assert phone.wait(LIMIT_S) == 0
    return None


def names():
    """Names that mean something else are refused, and nothing is created."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXPECTED / "source.png", folder)
        for name in ("a.png:stream.png", "con.png", "LPT1.png", "a.png.", "a.png "):
            done = run("scale", wine(folder) + "\\source.png", "-o",
                       wine(folder) + "\\" + name, "--format", "png")
            assert done.returncode == 1, (name, done)
            assert b"cannot write" in done.stderr, (name, done)
        assert os.listdir(folder) == ["source.png"]


def words():
    """Words and answers are UTF-8."""
    done = run("scale", "mté中😀.png", "-o", "x.png")
    assert done.returncode == 1
    assert "mté中😀.png".encode() in done.stderr, done


def package():
    """The archive has the program, and the licence of every library."""
    [path] = EXPECTED.parent.glob("squint-*-windows-*.zip")
    with zipfile.ZipFile(path) as archive:
        files = {name.split("/", 1)[1]: archive.read(name)
                 for name in archive.namelist() if not name.endswith("/")}
    assert files["squint.exe"] == (EXPECTED.parent / "squint.exe").read_bytes()
    assert b"MIT" in files["LICENSE.txt"] and files["README.txt"]
    licenses = {name: data for name, data in files.items() if name.startswith("licenses/")}
    assert len(licenses) == 12 and all(licenses.values()), licenses.keys()


def selftest():
    """What squint-selftest.exe tests; Wine cannot show all of it."""
    program = EXPECTED.parent / "squint-selftest.exe"
    command = [program] if os.name == "nt" else [COMMAND[0], "wine", program]
    done = subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=False)
    failed = {line.partition(b": ")[0].removeprefix(b"FAILED  ").decode()
              for line in done.stdout.splitlines() if line.startswith(b"FAILED")}
    print("        " + done.stdout.decode().replace("\n", "\n        ").rstrip())
    assert done.stdout.startswith(b"squint "), done
    assert failed == (set() if os.name == "nt" else WINE_FAILS), failed


def doctor():
    """Says what is missing, and that squint can be used."""
    done = run("doctor")
    assert done.returncode == 0, done
    for text in (b"squint can be used", b"no sandbox on Windows"):
        assert text in done.stdout, done


def main():
    """Run all cases."""
    failed = 0
    for case in (conversation, demo_phone, serve, pictures, archive, manictime, adb, names,
                 words, package, selftest, doctor):
        try:
            lacking = case()
            print(f"not run {case.__name__}: {lacking}" if lacking
                  else f"ok      {case.__name__}", flush=True)
        except (AssertionError, KeyError, OSError, ValueError,
                subprocess.SubprocessError) as error:
            failed = 1
            print(f"FAILED  {case.__name__}: {error!r:.1500}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
