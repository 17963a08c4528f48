"""What stands between squint and the adb server, and sees what is asked."""

import socket
import threading
import time

from squint_server import PATIENCE


class Relay:
    """Stands between squint and the adb server and writes down what is asked:
    a list of requests for every connection."""

    def __init__(self, adb):
        self.server = ("127.0.0.1", adb.port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.asked = []
        self.hangs_up = False  # on everybody, before a word
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
            if self.hangs_up:
                client.close()
                continue
            requests = []
            self.asked.append(requests)
            try:
                server = socket.create_connection(self.server)
            except OSError:
                client.close()
                continue
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
        """Begin a new list."""
        self.asked = []

    def settled(self, requests):
        """What was asked, once there have been that many requests; the last
        of them may be on a connection that was made ahead."""
        self._await(f"{requests} requests", lambda: requests
                    <= sum(len(asked) for asked in self.asked))
        time.sleep(0.1)  # were there more, some would come now
        return self.asked

    def count(self, words):
        """How often something has been asked for in these words."""
        return sum(words in text for asked in self.asked for text in asked)

    def await_count(self, words, count):
        """Wait until it has been that often."""
        self._await(words, lambda: self.count(words) >= count)

    def await_command(self, words):
        """Wait until the device has been asked for something."""
        self.await_count(words, 1)

    def await_ahead(self, request):
        """Wait until a connection is made on which that is the only one."""
        self._await(request, lambda: [request] in self.asked)

    def _await(self, what, holds):
        deadline = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}: {self.asked}")
            time.sleep(0.01)

    def environment(self):
        """Of a squint that asks through it."""
        return {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{self.port}"}
