#!/usr/bin/env python3
"""choice.py SQUINT: the user chooses between two phones; TAP."""

import json
import os
import pathlib
import subprocess
import sys
from unittest import mock

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "http")]

# pylint: disable=wrong-import-position
import served
from demo_phone import case, run_cases
from phone import SMALL, Device, expect, expect_true
from squint_server import LEGACY, PATIENCE, Server, clean_environment

SNAPSHOT = {"name": "ui", "arguments": {"operation": "visual-snapshot"}}


def environment(adb):
    """The environment of a squint that uses only this adb server."""
    return {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{adb.port}",
            "SQUINT_ANDROID_ADB_PATH": adb.program, "ADB_MDNS": "0"}


class Asked(Server):
    """squint mcp whose client answers every question in the same way."""

    def __init__(self, squint, adb, reply):
        super().__init__([squint, "mcp"], env=environment(adb))
        self.reply = reply
        self.questions = []
        self.request("initialize", {
            "protocolVersion": LEGACY, "capabilities": {"elicitation": {}},
            "clientInfo": {"name": "t", "version": "1"}})

    def receive(self, timeout=None):
        """The next message that is not a question."""
        while True:
            message = super().receive(timeout)
            if message.get("method") != "elicitation/create":
                return message
            self.questions.append(message["params"])
            self.send({"jsonrpc": "2.0", "id": message["id"], **self.reply})

    def snapshot(self):
        """Call an operation without a device; return the result's text."""
        result = self.request("tools/call", SNAPSHOT)["result"]
        return result["isError"], result["content"][-1]["text"]


def accept(device):
    """The answer that names a device."""
    return {"action": "accept", "content": {"deviceId": device}}


@case
def choice_is_remembered_in_a_session(adb, squint):
    """The user is asked once, and again when the device has gone."""
    with Device(adb, squint, *SMALL) as one, \
            Device(adb, squint, *SMALL) as three:
        with Device(adb, squint, *SMALL) as two, \
                Asked(squint, adb, {"result": accept(two.serial)}) as client:
            for _ in range(3):
                failed, text = client.snapshot()
                expect_true(text, not failed)
            expect("questions", len(client.questions), 1)
            field = client.questions[0]["requestedSchema"]["properties"][
                "deviceId"]
            ids = {one.serial, two.serial, three.serial}
            expect("ids", set(field["enum"]), ids)
            names = dict(zip(field["enum"], field["enumNames"]))
            expect_true(names, all(name.endswith(f" ({number})")
                                   for number, name in names.items()))
            adb.run("disconnect", two.serial)
            client.reply = {"result": accept(one.serial)}
            failed, text = client.snapshot()
            expect_true(text, not failed)
            expect("questions", len(client.questions), 2)


@case
def every_refusal_names_the_devices(adb, squint):
    """What the client answered is said, and what to do instead."""
    with Device(adb, squint, *SMALL) as one, \
            Device(adb, squint, *SMALL) as two:
        for reply, said in (
                ({"result": {"action": "decline"}}, "the user chose none"),
                ({"result": {"action": "cancel"}}, "the user chose none"),
                ({"result": accept("zzz")}, 'the answer "zzz" is none of them'),
                ({"result": {"action": "accept", "content": {}}},
                 "has no deviceId"),
                ({"error": {"code": -1, "message": "no"}},
                 "answered the question with an error")):
            with Asked(squint, adb, reply) as client:
                failed, text = client.snapshot()
                error = json.loads(text)
                expect_true(text, failed)
                expect("error", error["error"], "MULTIPLE_DEVICES")
                expect_true(text, said in error["message"])
                for device in (one, two):
                    expect_true(text, device.serial in error["suggestion"])


def run(adb, squint, *words, **variables):
    """The status, the JSON and the errors of a command."""
    env = {**clean_environment(adb.home.name), **environment(adb), **variables}
    done = subprocess.run([os.path.abspath(squint), *words, "--json"], env=env,
                          cwd=adb.home.name, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=PATIENCE, check=False,
                          text=True)
    answer = json.loads(done.stdout) if done.stdout else None
    return done.returncode, answer, done.stderr


def check_default_in_lists(adb, squint, serial):
    """devices marks the default device; one that is not there is a problem of
    devices, and wrong for doctor."""
    _, answer, _ = run(adb, squint, "devices", ANDROID_SERIAL=serial)
    expect("marked", [device["id"] for device in answer["devices"]
                      if device.get("default")], [serial])
    expect_true(answer, "problems" not in answer)
    status, answer, _ = run(adb, squint, "doctor", ANDROID_SERIAL=serial)
    expect(f"status {answer}", status, 0)
    for words, variables in (([], {"ANDROID_SERIAL": "nope:5555"}),
                             (["-s", "nope:5555"], {})):
        _, answer, _ = run(adb, squint, "devices", *words, **variables)
        problem = answer["problems"][0]
        expect("error", problem["error"], "DEVICE_NOT_FOUND")
        expect_true(problem, "ANDROID_SERIAL" in problem["message"])
        expect_true(problem, "adb connect nope:5555" in problem["suggestion"])
        status, answer, _ = run(adb, squint, "doctor", *words, **variables)
        found = [one for one in answer["findings"]
                 if "nope:5555" in one["text"]]
        expect("wrong", [one["verdict"] for one in found], ["wrong"])
        expect_true(found, serial in found[0]["hint"])
        expect("status", status, 1)


@case
def default_device_is_configured(adb, squint):
    """By ANDROID_SERIAL, the file and -s, for commands and for servers; a
    wrong one is an error that lists the devices."""
    with Device(adb, squint, *SMALL) as one, Device(adb, squint, *SMALL) as two:
        file = pathlib.Path(adb.home.name, "default.yaml")
        file.write_text(f"devices:\n  default: {one.serial}\n")
        named = ["visual-snapshot", "--config", str(file)]
        for words, variables, device in (
                (["visual-snapshot"], {"ANDROID_SERIAL": two.serial}, two),
                (["visual-snapshot", "-s", two.serial], {}, two),
                (["visual-snapshot", f"-s{two.serial}"], {}, two),
                (["visual-snapshot", "--device", two.serial],
                 {"ANDROID_SERIAL": one.serial}, two),
                (named, {}, one),
                (named, {"ANDROID_SERIAL": two.serial}, two),
                ([*named, "-s", two.serial], {}, two)):
            status, answer, errors = run(adb, squint, *words, **variables)
            expect(f"status of {words}: {errors}", status, 0)
            expect(f"device of {words}", answer["deviceId"], device.serial)
        status, answer, errors = run(adb, squint, "tap", "5", "5",
                                     "--device-space",
                                     ANDROID_SERIAL="emulator-9")
        told = f"{answer} {errors}"
        expect_true(told, status != 0 and "ANDROID_SERIAL" in told
                    and '"emulator-9"' in told)
        expect_true(told, one.serial in told and two.serial in told)
        check_default_in_lists(adb, squint, two.serial)
        for words in (["-s", two.serial], ["--device", two.serial]):
            with Server([squint, "mcp", *words],
                        env=environment(adb)) as server:
                server.initialize(LEGACY)
                result = server.request("tools/call", SNAPSHOT)["result"]
                text = json.loads(result["content"][-1]["text"])
                expect(f"mcp {words}", text["deviceId"], two.serial)
        with mock.patch.dict(os.environ, {**environment(adb),
                                          "ANDROID_SERIAL": two.serial}):
            server = served.Server([squint], ["--inspect"])
            path = server.inspector_path()
            opened = server.ask("GET", path)
            own = {"Authorization": None, "X-Squint-Inspector": "1",
                   "Cookie": opened.headers["set-cookie"].split(";")[0]}
            shown = server.ask(path="/inspect/api/elements", body=b"{}", **own)
            expect("inspector", shown.json()["device"], two.serial)
            expect("status", server.stop(), 0)


@case
def stateless_client_is_told_the_device(adb, squint):
    """The choice cannot be remembered: the answer says so."""
    with Device(adb, squint, *SMALL) as one, Device(adb, squint, *SMALL), \
            mock.patch.dict(os.environ, environment(adb)):
        server = served.Server([squint])
        forms = {"elicitation": {}}
        first = server.modern("tools/call", dict(SNAPSHOT),
                              capabilities=forms).json()["result"]
        expect("result", first["resultType"], "input_required")
        expect_true(first, "requestState" not in first)
        answered = dict(SNAPSHOT, inputResponses={"device": accept(one.serial)})
        result = server.modern("tools/call", answered,
                               capabilities=forms).json()["result"]
        note = json.loads(result["content"][-1]["text"])
        expect("device", note["deviceId"], one.serial)
        expect_true(note, "later calls" in note["note"])
        expect("status", server.stop(), 0)


if __name__ == "__main__":
    sys.exit(run_cases(sys.argv[1]))
