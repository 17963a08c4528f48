#!/usr/bin/env python3
"""network.py SQUINT: phones in the network, two phones with one serial number,
and a phone that is unplugged and plugged in again; TAP. The real adb of some
distributions cannot pair, so a server in front of it answers as adb 34 does."""

import json
import os
import pathlib
import socket
import sys
import threading

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import Client
from demo_phone import case, run_cases
from hands import squint_says
from phone import SMALL, Device, expect, expect_true
from relay import Listener

CODE = "123456"
SERIAL = "0123456789ABCDEF"
GUID = "adb-0123456789ABCDEF-vWgJpq"
SERVICES = (f"{GUID}\t_adb-tls-connect._tcp.\t192.0.2.7:41234\n"
            f"{GUID}\t_adb-tls-pairing._tcp.\t192.0.2.7:37123\n")


def take(sock):
    """One request of the protocol of the adb server."""
    def exactly(count):
        data = b""
        while len(data) < count:
            more = sock.recv(count - len(data))
            if not more:
                raise OSError("the client has gone")
            data += more
        return data
    return exactly(int(exactly(4), 16)).decode()


def packed(text):
    """A text with its length before it."""
    return f"{len(text.encode()):04x}".encode() + text.encode()


def forward(source, target):
    """Pass bytes until one side ends."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        target.close()


class NewAdb(Listener):
    """Answers as the server of adb 34 in front of the real one; if `merged`,
    all phones have the same serial number; if `knows_wireless` is false, it
    answers as adb 29 of Debian 12 does."""

    def __init__(self, adb, merged=False, knows_wireless=True):
        self.program, self.home, self.real = adb.program, adb.home, adb
        self.merged, self.knows_wireless = merged, knows_wireless
        self.asked = []
        super().__init__()

    def serve(self, client):
        """Answer it on a thread of its own."""
        threading.Thread(target=self._serve, args=(client,),
                         daemon=True).start()

    def _serve(self, client):
        try:
            request = take(client)
            self.asked.append(request)
            answer = self._own_answer(request)
            if answer is None:
                self._pass_on(client, request)
                return
            client.sendall(answer)
            if "track" in request:
                client.recv(1)  # until the client disconnects
            client.close()
        except OSError:
            client.close()

    def _own_answer(self, request):
        if not self.knows_wireless and request.startswith(
                ("host:pair:", "host:mdns:")):
            return b"FAIL" + packed("unknown host service")
        if request.startswith("host:pair:"):
            code, _, address = request[len("host:pair:"):].partition(":")
            return b"OKAY" + packed(
                f"Successfully paired to {address} [guid={GUID}]"
                if code == CODE else
                "Failed: Wrong password or connection was dropped.")
        if request == "host:mdns:services":
            return b"OKAY" + packed(SERVICES)
        if self.merged and "devices-l" in request:
            return b"OKAY" + packed(self._merged_list())
        if self.merged and request.startswith(("host:transport:",
                                               "host-serial:")):
            return b"FAIL" + packed("more than one device/emulator")
        return None

    def _merged_list(self):
        lines = self.real.output("devices", "-l").splitlines()[1:]
        return "".join(f"{SERIAL:22} {line.split(None, 1)[1]}\n"
                       for line in lines if line.strip())

    def _pass_on(self, client, request):
        server = socket.create_connection(("127.0.0.1", self.real.port))
        server.sendall(packed(request))
        threading.Thread(target=forward, args=(server, client),
                         daemon=True).start()
        forward(client, server)


@case
def phones_are_paired_and_listed(adb, squint):
    """What adb 34 says is shown, and what it refuses is an error."""
    squint = os.path.abspath(squint)
    with NewAdb(adb) as new:
        status, text = squint_says(new, squint, "pair", "192.0.2.7:37123",
                                   CODE)
        expect("paired", (status, text.split(" [")[0]),
               (0, "Successfully paired to 192.0.2.7:37123"))
        expect("asked", new.asked[-1], f"host:pair:{CODE}:192.0.2.7:37123")
        status, text = squint_says(new, squint, "pair", "192.0.2.7:37123",
                                   "654321")
        expect_true(text, status == 1 and "Wrong password" in text
                    and "new each time" in text)
        asked = len(new.asked)
        for words in (("192.0.2.7:37123", "12345"), ("192.0.2.7", CODE),
                      ("$(id):1", CODE), ("--help:1", CODE), ("a\nb:1", CODE),
                      ("'x':1", CODE), ("x" * 100_000 + ":1", CODE),
                      ("192.0.2.7:37123", "1" * 100_000),
                      ("192.0.2.7:37123", "12345\n")):
            status, text = squint_says(new, squint, "pair", *words)
            expect_true(f"{words[0][:40]!r}: {text[:200]}", status in (1, 2))
        expect("nothing was sent", new.asked[asked:], [])
        status, text = squint_says(new, squint, "connect")
        expect("status", status, 0)
        expect_true(text, "192.0.2.7:41234" in text and GUID in text)
        status, text = squint_says(new, squint, "connect", "--json")
        expect("list", (status, json.loads(text)), (0, {"phones": [
            {"name": GUID, "service": "_adb-tls-connect._tcp.",
             "address": "192.0.2.7:41234"},
            {"name": GUID, "service": "_adb-tls-pairing._tcp.",
             "address": "192.0.2.7:37123"}]}))
        status, text = squint_says(new, squint, "pair", "192.0.2.7:37123",
                                   CODE, "--json")
        expect("paired", (status, json.loads(text)),
               (0, {"address": "192.0.2.7:37123", "guid": GUID}))
        status, text = squint_says(new, squint, "pair", "192.0.2.7:37123",
                                   "654321", "--json")
        expect_true(text, status == 1 and "Wrong password"
                    in json.loads(text)["error"]["message"])


@case
def an_old_adb_is_named_with_what_to_install(adb, squint):
    """Where to get a newer one, and how to let it run."""
    squint = os.path.abspath(squint)
    with NewAdb(adb, knows_wireless=False) as old:
        for words in (("connect",), ("pair", "192.0.2.7:37123", CODE)):
            status, text = squint_says(old, squint, *words)
            expect(f"status of {words}", status, 1)
            for part in ("adb 30 or newer", "Debian 12 has 29",
                         "https://developer.android.com/tools/releases/"
                         "platform-tools", "adb kill-server",
                         "adb start-server"):
                expect_true(f"{part} in {text}", part in text)


@case
def phones_with_one_serial_are_told_apart(adb, squint):
    """By the transport id, which every request then names."""
    with Device(adb, squint, *SMALL), Device(adb, squint, *SMALL), \
            NewAdb(adb, merged=True) as new, Client(squint, new) as client:
        names = [device["id"] for device in client.ui("devices")["devices"]
                 if device["id"].startswith(SERIAL)]
        expect_true(f"{names}", len(set(names)) == 2
                    and all(name.startswith(SERIAL + "#") for name in names))
        error = client.expect_error("screenshot")
        expect("which one", error["error"], "MULTIPLE_DEVICES")
        one, two = names
        client.ui("launch", packageName="Login", deviceId=one,
                  receipt="none")
        client.ui("launch", packageName="Shop", deviceId=two, receipt="none")
        for name in names:
            listed = str(client.ui("dump", deviceId=name))
            expect(name, "Username" in listed, name == one)
            number = name.split("#")[1]
            expect_true("addressed", f"host:transport-id:{number}"
                        in new.asked)
        expect_true("never by serial", not any(
            request.startswith(("host:transport:", "host-serial:"))
            for request in new.asked))
        error = client.expect_error("screenshot", deviceId=SERIAL + "#999")
        expect("gone", error["error"], "DEVICE_NOT_FOUND")


@case
def unplugged_phones_are_used_again(adb, squint):
    """The call in between says so; what was seen before does not count."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        client.ui("launch", packageName="Login", receipt="none")
        client.ui("screenshot")
        for _ in range(2):
            adb.run("disconnect", device.serial)
            for operation in ("screenshot", "tap"):
                words = {"x": 5, "y": 5} if operation == "tap" else {}
                error = client.expect_error(operation, deviceId=device.serial,
                                            **words)
                expect_true(f"{error}", error["error"] in
                            ("NO_DEVICES", "DEVICE_NOT_FOUND",
                             "DEVICE_OFFLINE"))
                expect_true(f"{error}", device.serial in str(error))
            adb.run("connect", device.serial)
            reply = client.ui("screenshot")
            expect("again", reply["deviceId"], device.serial)
            expect_true("same app", "Username" in str(client.ui("dump")))
            client.ui("tap", x=5, y=5, receipt="none")


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
