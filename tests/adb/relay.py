"""A relay between squint and the adb server that records requests."""

import socket
import threading
import time

from squint_server import PATIENCE


class Listener:
    """Accepts connections on a free port and passes each to `serve`."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            self.serve(client)

    def serve(self, client):
        """Answer a client without waiting for it."""
        raise NotImplementedError


class Relay(Listener):
    """The relay. `asked` has a list of requests for every connection."""

    def __init__(self, adb):
        self.server = ("127.0.0.1", adb.port)
        self.asked = []
        self.hangs_up = False  # on every client, before any request
        super().__init__()

    def serve(self, client):
        """Connect it with the server."""
        if self.hangs_up:
            client.close()
            return
        requests = []
        self.asked.append(requests)
        try:
            server = socket.create_connection(self.server)
        except OSError:
            client.close()
            return
        # The threads may close both: first what needs them open.
        for sock in (client, server):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for pair in ((client, server, requests), (server, client, None)):
            threading.Thread(target=self._pass, args=pair,
                             daemon=True).start()

    @staticmethod
    def _pass(source, target, requests):
        try:
            while data := source.recv(65536):
                # squint sends each request in one piece and waits for OKAY.
                if requests is not None and len(requests) < 2:
                    requests.append(data[4:].decode(errors="replace"))
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            target.close()

    def forget(self):
        """Start a new list."""
        self.asked = []

    def settled(self, requests):
        """Wait for that number of requests; returns all requests. The last one
        may be on a connection that was opened in advance."""
        self._await(f"{requests} requests", lambda: requests
                    <= sum(len(asked) for asked in self.asked))
        time.sleep(0.1)  # further requests would arrive now
        return self.asked

    def count(self, words):
        """The number of requests that contain these words."""
        return sum(words in text for asked in self.asked for text in asked)

    def await_count(self, words, count):
        """Wait until there are `count` such requests."""
        self._await(words, lambda: self.count(words) >= count)

    def await_command(self, words):
        """Wait until a command with these words was sent to the device."""
        self.await_count(words, 1)

    def await_ahead(self, request):
        """Wait for a connection on which this is the only request."""
        self._await(request, lambda: [request] in self.asked)

    def _await(self, what, holds):
        deadline = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}: {self.asked}")
            time.sleep(0.01)

    def environment(self):
        """The environment of a squint that uses the relay."""
        return {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{self.port}"}
