"""An adb server whose devices send wrong data without end."""

import socket
import struct
import threading

STDOUT, STDERR = 1, 2
CHUNK = 65536


def frame_header(width, height):
    """The header that screencap writes before the pixels."""
    return struct.pack("<4I", width, height, 1, 1)


# The answer of a device to a command that contains the word: the stream, the
# first bytes, and the bytes that are then repeated; None: it stalls.
PIXELS = b"\x55" * CHUNK
NODE = (b'<node index="0" text="a" resource-id="" class="a.B" package="c" '
        b'content-desc="" clickable="true" bounds="[0,0][9,9]">')
NODES = NODE * (CHUNK // len(NODE))
TEXT = b"x" * CHUNK
XML = b"<?xml version='1.0' ?><hierarchy rotation=\"0\">"
BEHAVIOURS = {
    "output": {"": (STDOUT, b"", TEXT)},
    "errors": {"": (STDERR, b"", TEXT)},
    "huge": {"screencap": (STDOUT, frame_header(16384, 16384), PIXELS),
             "uiautomator": (STDOUT, XML, NODES), "": (STDOUT, b"", TEXT)},
    "lying": {"screencap": (STDOUT, frame_header(100, 100), PIXELS),
              "uiautomator": (STDOUT, XML, TEXT), "": (STDERR, b"", TEXT)},
    "packed": {"screencap": (STDOUT, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", PIXELS),
               "uiautomator": (STDOUT, XML, NODES), "": (STDOUT, b"", TEXT)},
    "stalling": {"screencap": (STDOUT, frame_header(1440, 3000)
                               + PIXELS * 200, None),
                 "uiautomator": (STDOUT, XML + NODES * 100, None),
                 "": (STDOUT, b"", TEXT)},
}


class HostileAdb:
    """The server; one device per behaviour, whose name is its serial."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.open = set()
        self.lock = threading.Lock()

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        with self.lock:
            for connection in self.open:
                connection.close()

    @property
    def env(self):
        """The environment that makes squint use this server."""
        return {"SQUINT_ANDROID_ADB_SERVER": f"127.0.0.1:{self.port}"}

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.open.add(connection)
            threading.Thread(target=self._serve, args=(connection,),
                             daemon=True).start()

    def _serve(self, connection):
        try:
            with connection:
                self._answer(connection, self._request(connection))
        except OSError:
            pass
        with self.lock:
            self.open.discard(connection)

    @staticmethod
    def _request(connection):
        def exactly(count):
            data = b""
            while len(data) < count:
                more = connection.recv(count - len(data))
                if not more:
                    raise OSError("the client has gone")
                data += more
            return data
        return exactly(int(exactly(4), 16)).decode()

    def _answer(self, connection, request):
        if request.startswith("host:transport:"):
            connection.sendall(b"OKAY")
            device = request.rsplit(":", 1)[1]
            command = self._request(connection)
            connection.sendall(b"OKAY")
            self._flood(connection, device, command)
        elif request == "host:version":
            self._say(connection, b"0029")
        elif request.startswith("host-serial:"):
            self._say(connection, b"shell_v2,cmd,stat_v2")
        else:
            lines = [f"{name}  device product:p model:m device:d "
                     f"transport_id:{number}\n"
                     for number, name in enumerate(BEHAVIOURS, 1)]
            self._say(connection, "".join(lines).encode())
            if "track" in request:
                connection.recv(1)  # until the client disconnects

    @staticmethod
    def _say(connection, text):
        connection.sendall(b"OKAY" + f"{len(text):04x}".encode() + text)

    @staticmethod
    def _flood(connection, device, command):
        stream, start, rest = next(
            said for word, said in BEHAVIOURS[device].items()
            if word in command)
        if start:
            connection.sendall(struct.pack("<BI", stream, len(start)) + start)
        if rest is None:
            connection.recv(1)
        packet = struct.pack("<BI", stream, len(rest or b"")) + (rest or b"")
        while rest is not None:
            connection.sendall(packet)
