#!/usr/bin/env python3
"""connections.py SQUINT: which connections with the real adb squint keeps, and
what it does when they break; TAP."""

import os
import pathlib
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from client import Client, environment, with_slowness
from demo_phone import case, run_cases
from phone import SMALL, Device, expect, expect_true
from relay import Relay
from squint_server import PATIENCE, ServerError, clean_environment

DUMPS = 5


def relayed(adb, relay):
    """The environment of a squint that uses the relay, and an adb program that
    logs when it is started."""
    program = pathlib.Path(adb.home.name, "never")
    program.write_text("#!/bin/sh\n: > \"$0.started\"\nexit 1\n")
    program.chmod(0o755)
    return {**relay.environment(), "SQUINT_ANDROID_ADB_PATH": str(program)}


def was_started(adb):
    """Whether that adb program was started."""
    return pathlib.Path(adb.home.name, "never.started").exists()


@case
def operation_uses_three_connections(adb, squint):
    """One is for the display, one for the app in front and the focus; the list
    of devices costs none."""
    # The state of the screen is cached for 0.3 s, 1.5 s of real time.
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay, \
            Client(squint, adb, **with_slowness(5),
                   **relayed(adb, relay)) as client:
        transport = f"host:transport:{device.serial}"
        client.ui("screenshot")
        relay.await_ahead(transport)
        begun = [requests[0] for requests in relay.asked]
        expect("followed", begun.count("host:track-devices-l"), 1)
        expect("asked", begun.count("host:devices-l"), 0)
        for operation, connections in (("screenshot", 3), ("dump", 3),
                                       ("devices", 0)):
            relay.forget()
            for _ in range(DUMPS):
                client.ui(operation)
            # Two requests on each; the last one waits for an operation.
            wanted = max(0, 2 * connections * DUMPS - 1)
            expect(operation, [requests[0] for requests
                               in relay.settled(wanted)],
                   [transport] * connections * DUMPS)
        client.ui("tap", x=5, y=5, receipt="none")  # asks for cmd input
        time.sleep(1.6)
        relay.forget()
        client.ui("tap", x=5, y=5, receipt="none")
        relay.settled(3)
        expect("tap", len(relay.asked), 2)
        # The last one waits for an operation; all others were used.
        expect("waiting", [len(requests) for requests in relay.asked], [2, 1])
    expect_true("no adb was started", not was_started(adb))


@case
def command_opens_no_unused_connection(adb, squint):
    """On the command line there is no next operation."""
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay:
        env = {**clean_environment(adb.home.name), **environment(adb),
               **relayed(adb, relay)}
        subprocess.run([os.path.abspath(squint), "dump"], env=env, check=True,
                       stdin=subprocess.DEVNULL, capture_output=True,
                       timeout=PATIENCE)
        asked = relay.settled(8)
        expect("first", asked[0], ["host:devices-l"])
        expect("features", asked[1],
               [f"host-serial:{device.serial}:features"])
        expect("all of them", [len(requests) for requests in asked[2:]],
               [2, 2, 2])


@case
def attached_and_detached_phones_are_noticed(adb, squint):
    """By the next call of a session that has seen another list before."""
    with Client(squint, adb) as client:
        expect("none", client.ui("screenshot")["deviceId"], "demo")
        with Device(adb, squint, *SMALL) as one:
            expect("one", client.ui("screenshot")["deviceId"], one.serial)
            with Device(adb, squint, *SMALL) as two:
                error = client.expect_error("screenshot")
                expect("two", error["error"], "MULTIPLE_DEVICES")
                client.ui("screenshot", deviceId=two.serial)
            expect("one", client.ui("screenshot")["deviceId"], one.serial)
            error = client.expect_error("screenshot", deviceId=two.serial)
            expect("gone", error["error"], "DEVICE_NOT_FOUND")
        error = client.expect_error("tap", x=5, y=5)
        expect("none", error["error"], "NO_DEVICES")
        expect_true(error["message"], one.serial in error["message"])
        expect("demo", client.ui("screenshot", deviceId="demo")["deviceId"],
               "demo")
        error = client.expect_error("screenshot", deviceId=one.serial)
        expect("gone", error["error"], "DEVICE_NOT_FOUND")


@case
def replaced_phone_of_the_same_name_is_queried_again(adb, squint):
    """It has other features than the first one."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for fault in ("old-shell", "none", "old-shell"):
            client.ui("dump")
            device.output("shell", "squint-fault", fault)
            device.again()
        client.ui("dump")
        client.ui("key", name="home", receipt="none")


@case
def reconnected_phone_works_immediately(adb, squint):
    """It has the same name; nothing is done twice."""
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
def restarted_server_works_immediately(adb, squint):
    """If another program restarts the server between two operations."""
    with Device(adb, squint, *SMALL) as device, Client(squint, adb) as client:
        for _ in range(3):
            expect("device", client.ui("screenshot")["deviceId"],
                   device.serial)
            adb.run("kill-server")
            adb.run("start-server")
            adb.connect(device.phone)


@case
def silent_server_does_not_lead_to_another_phone(adb, squint):
    """A phone is attached: a tap must not go to the built-in one instead."""
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay, \
            Client(squint, adb, **relayed(adb, relay)) as client:
        relay.hangs_up = True
        error = client.expect_error("tap", x=5, y=5, deviceSpace=True)
        expect_true(error["message"],
                    "adb server closed the connection" in error["message"])
        expect_true(error["suggestion"],
                    'deviceId to "demo"' in error["suggestion"])
        listed = client.ui("devices")
        expect("listed", [d["id"] for d in listed["devices"]], ["demo"])
        expect("problem", listed["problems"][0]["kind"], "android")
        client.ui("tap", x=5, y=5, deviceSpace=True, deviceId="demo")
        relay.hangs_up = False
        expect("again", client.ui("screenshot")["deviceId"], device.serial)


@case
def phone_that_disconnects_during_a_call_is_reported(adb, squint):
    """The error comes immediately; the connection made for the next operation
    ends too."""
    with Device(adb, squint, *SMALL) as device, Relay(adb) as relay, \
            Client(squint, adb, **relay.environment()) as client:
        for _ in range(3):
            client.ui("dump")
            device.output("shell", "squint-fault", "hang")
            commands = relay.count("uiautomator")
            client.send({"jsonrpc": "2.0", "id": 77, "method": "tools/call",
                         "params": {"name": "ui", "arguments": {
                             "operation": "dump"}}})
            relay.await_count("uiautomator", commands + 1)
            adb.run("disconnect", device.serial)
            answer = client.receive()
            expect("id", answer["id"], 77)
            text = answer["result"]["content"][0]["text"]
            expect_true(text, "DEVICE_OFFLINE" in text)
            expect_true(text, "was disconnected" in text)
            adb.connect(device.phone)
            device.output("shell", "squint-fault", "none")
            client.ui("dump", deviceId=device.serial)


@case
def phone_disconnects_while_it_is_watched(adb, squint):
    """The next call reports it, and the server ends as usual."""
    with Client(squint, adb, **with_slowness(2)) as client:
        with Device(adb, squint, *SMALL, "--delay", "reaction=1500"):
            client.ui("tap", selector={"text": "Settings"})
        try:
            answer = client.ui("screenshot")
        except ServerError as error:
            answer = str(error)
        expect_true("no longer attached", "no longer attached" in answer)
        expect("exit status", client.close(), 0)


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
