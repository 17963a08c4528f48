#!/usr/bin/env python3
"""connections.py SQUINT: what squint keeps of its connections with the real
adb, and what it does when they are gone; TAP."""

import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import Client, environment
from demo_phone import run_cases
from phone import SMALL, Device, expect, expect_true
from squint_server import clean_environment

DUMPS = 5
CASES = []


def case(function):
    """One line of the report."""
    CASES.append(function)
    return function


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
            for pair in ((client, server, requests), (server, client, None)):
                for sock in pair[:2]:
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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

    def settled(self):
        """What was asked, once a connection made ahead has been noticed."""
        time.sleep(0.1)
        return self.asked


def relayed(adb, relay):
    """A squint that goes through the relay, and an adb that is written down
    if it is ever started."""
    program = pathlib.Path(adb.home.name, "never")
    program.write_text("#!/bin/sh\n: > \"$0.started\"\nexit 1\n")
    program.chmod(0o755)
    return {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{relay.port}",
            "SQUINT_ANDROID_ADB_PATH": str(program)}


def was_started(adb):
    """Whether that adb was."""
    return pathlib.Path(adb.home.name, "never.started").exists()


@case
def an_operation_costs_one_connection(adb, squint):
    """The list of devices none, the tap's look at the screen another one."""
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay, \
            Client(squint, adb, **relayed(adb, relay)) as client:
        transport = f"host:transport:{device.serial}"
        client.ui("screenshot")
        begun = [requests[0] for requests in relay.settled()]
        expect("followed", begun.count("host:track-devices-l"), 1)
        expect("asked", begun.count("host:devices-l"), 0)
        for operation, connections in (("screenshot", 1), ("dump", 1),
                                       ("devices", 0)):
            relay.forget()
            for _ in range(DUMPS):
                client.ui(operation)
            expect(operation, [requests[0] for requests in relay.settled()],
                   [transport] * connections * DUMPS)
        time.sleep(0.4)  # what is known of the screen is too old then
        relay.forget()
        client.ui("tap", x=5, y=5, receipt="none")
        expect("tap", len(relay.settled()), 2)
        # The last one waits for an operation, all others had theirs.
        expect("waiting", [len(requests) for requests in relay.asked], [2, 1])
    expect_true("no adb was started", not was_started(adb))


@case
def a_command_opens_none_that_it_does_not_use(adb, squint):
    """On the command line there is no next operation."""
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay:
        env = {**clean_environment(adb.home.name), **environment(adb),
               **relayed(adb, relay)}
        subprocess.run([os.path.abspath(squint), "dump"], env=env, check=True,
                       stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=30)
        asked = relay.settled()
        expect("first", asked[0], ["host:devices-l"])
        expect("features", asked[1],
               [f"host-serial:{device.serial}:features"])
        expect("all of them", [len(requests) for requests in asked[2:]], [2])


@case
def phones_that_come_and_go_are_noticed(adb, squint):
    """At once, by a session that has seen another list before."""
    with Client(squint, adb) as client:
        expect("none", client.ui("screenshot")["deviceId"], "demo")
        with Device(adb, squint, *SMALL) as one:
            expect("one", client.ui("screenshot")["deviceId"], one.serial)
            with Device(adb, squint, *SMALL) as two:
                error = client.refused("screenshot")
                expect("two", error["error"], "MULTIPLE_DEVICES")
                client.ui("screenshot", deviceId=two.serial)
            expect("one", client.ui("screenshot")["deviceId"], one.serial)
            error = client.refused("screenshot", deviceId=two.serial)
            expect("gone", error["error"], "DEVICE_NOT_FOUND")
        error = client.refused("tap", x=5, y=5)
        expect("none", error["error"], "NO_DEVICES")
        expect_true(error["message"], one.serial in error["message"])
        expect("demo", client.ui("screenshot", deviceId="demo")["deviceId"],
               "demo")
        error = client.refused("screenshot", deviceId=one.serial)
        expect("gone", error["error"], "DEVICE_NOT_FOUND")


@case
def another_phone_under_the_same_name_is_asked_anew(adb, squint):
    """What it can do is not what the first one could."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for fault in ("old-shell", "none", "old-shell"):
            client.ui("dump")
            device.say("shell", "squint-fault", fault)
            device.again()
        client.ui("dump")
        client.ui("key", name="home", receipt="none")


@case
def a_phone_that_is_plugged_in_again_works_at_once(adb, squint):
    """Under the same name; nothing is done twice."""
    log = pathlib.Path(adb.home.name, "again")
    with Device(adb, squint, *SMALL, "--log", str(log)) as device, \
            Client(squint, adb) as client:
        for number in range(DUMPS):
            client.ui("key", name="home", receipt="none")
            device.again()
            if number % 2:
                client.ui("devices")
        client.ui("key", name="home", receipt="none")
        expect("keys", log.read_text().count("input keyevent"), DUMPS + 1)


@case
def a_server_that_was_restarted_works_at_once(adb, squint):
    """Whoever did it, between two operations."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for _ in range(3):
            expect("device", client.ui("screenshot")["deviceId"],
                   device.serial)
            adb.run("kill-server")
            adb.run("start-server")
            adb.connect(device.phone)


@case
def a_server_that_does_not_tell_its_list_leads_to_no_other_phone(adb, squint):
    """The phone is there: a tap must not go to the built-in one instead."""
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay, \
            Client(squint, adb, **relayed(adb, relay)) as client:
        relay.hangs_up = True
        error = client.refused("tap", x=5, y=5, deviceSpace=True)
        expect_true(error["message"], "adb server hung up" in error["message"])
        expect_true(error["suggestion"],
                    'deviceId "demo"' in error["suggestion"])
        listed = client.ui("devices")
        expect("listed", [d["id"] for d in listed["devices"]], ["demo"])
        expect("problem", listed["problems"][0]["kind"], "android")
        client.ui("tap", x=5, y=5, deviceSpace=True, deviceId="demo")
        relay.hangs_up = False
        expect("again", client.ui("screenshot")["deviceId"], device.serial)


@case
def a_phone_that_goes_in_the_middle_is_said(adb, squint):
    """At once; the connection made for the next operation goes with it."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for _ in range(3):
            client.ui("dump")
            device.say("shell", "squint-fault", "hang")
            client.send({"jsonrpc": "2.0", "id": 77, "method": "tools/call",
                         "params": {"name": "ui", "arguments": {
                             "operation": "dump"}}})
            time.sleep(0.2)
            adb.run("disconnect", device.serial)
            answer = client.receive(timeout=10)
            expect("id", answer["id"], 77)
            text = answer["result"]["content"][0]["text"]
            expect_true(text, "DEVICE_OFFLINE" in text and "went away" in text)
            adb.connect(device.phone)
            device.say("shell", "squint-fault", "none")
            client.ui("dump", deviceId=device.serial)


if __name__ == "__main__":
    sys.exit(run_cases(CASES, sys.argv[1]))
