#!/usr/bin/env python3
"""misbehaviour.py FAKE SQUINT: xcrun and idb that are slow, fail, hang, print
too much or too little; only the current call may be affected."""

import json
import os
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position,missing-function-docstring
import session
from session import UDID, await_true, button, elements
from children import all_processes, children_of
from squint_server import PATIENCE


def _expect_working(it):
    """No child process is left, and screenshots work."""
    it.simulator.control()
    assert it.ui("screenshot")["image"]["width"] == 461
    children = children_of(it.server.process.pid)
    assert not children, children


def few_programs_are_started(it):
    """What does not change is read once. Pictures are not counted: how many a
    receipt needs depends on the time."""
    login = {"packageName": "com.squint.demo.login"}
    name = {"resourceId": "username"}
    for operation, arguments, wanted in (
            ("screenshot", {}, ["list", "describe-all"]),
            ("screenshot", {}, ["describe-all"]),
            ("screenshot", {"elements": False}, []),
            ("dump", {}, ["describe-all"]),
            ("find", {"selector": {"text": "Login"}}, ["describe-all"]),
            ("launch", login, ["launch", "describe-all", "spawn"]),
            ("tap", {"selector": name}, ["describe-all", "tap"]),
            ("input", {"text": "a"}, ["describe-all", "shell", "describe-all"]),
            ("input", {"text": "b", "selector": name},
             ["describe-all", "describe-all", "shell", "describe-all"]),
            ("input", {"text": "c", "selector": name, "receipt": "none"},
             ["describe-all", "shell"]),
            ("visual-snapshot", {}, ["describe-all"]),
            ("tap", {"selector": name, "receipt": "none"},
             ["describe-all", "tap"])):
        before = len(it.calls())
        it.ui(operation, **arguments)
        started = [next(word for word in call[1:] if word not in
                        ("simctl", "ui", "devices", "io", UDID))
                   for call in it.calls()[before:]
                   if call[0] != "shell" and "screenshot" not in call]
        assert started == wanted, (operation, arguments, started)
    pictures = len(it.calls("xcrun", "screenshot"))
    it.ui("screenshot")
    assert len(it.calls("xcrun", "screenshot")) == pictures + 1


def slow_programs_are_awaited(it):
    it.simulator.control("xcrun screenshot slow 400",
                         "idb describe-all slow 700")
    assert it.ui("screenshot")["interactiveElements"]["count"] == 8
    _expect_working(it)


def failed_list_hides_no_other_device(it):
    for control in ("fail xcrun: error: unable to find utility \"simctl\"",
                    "truncate 300", "flood", "kill"):
        it.simulator.control("xcrun list " + control)
        answer = it.ui("devices")
        assert [d["id"] for d in answer["devices"]] == ["demo"], answer
        problem = answer["problems"][0]
        assert problem["kind"] == "ios" and problem["message"], problem
        assert it.ui("screenshot", deviceId="demo")
    _expect_working(it)


def failed_list_is_not_an_empty_list(it):
    it.simulator.control("xcrun list fail xcrun: error: unable to find "
                         "utility \"simctl\"")
    assert it.ui("screenshot")["deviceId"] == "demo"
    for control in ("truncate 300", "flood", "kill"):
        it.simulator.control("xcrun list " + control)
        answer = it.expect_error("tap", x=5, y=5)
        assert "ios" in answer["message"], answer
        assert 'deviceId to "demo"' in answer["suggestion"], answer
    _expect_working(it)


def a_missing_xcode_has_its_own_advice(it):
    for said, message, advice in (
            ("xcrun: error: missing DEVELOPER_DIR path: /Xcode-15.app",
             "DEVELOPER_DIR names", "Unset DEVELOPER_DIR"),
            ('xcrun: error: active developer path ("/Xcode.app") does not '
             "exist, use `xcode-select --switch path/to/Xcode.app` to specify "
             "the Xcode that you wish to use for command line developer tools",
             "not there any more", "sudo xcode-select -s"),
            ("xcrun: error: invalid active developer path (/Library/Developer"
             "/CommandLineTools), missing xcrun", "no Xcode is selected",
             "Install Xcode")):
        it.simulator.control("xcrun list fail " + said)
        problem = it.ui("devices")["problems"][0]
        assert message in problem["message"], problem
        assert advice in problem["suggestion"], problem
    _expect_working(it)


def invalid_pictures_are_refused(it):
    for control in ("truncate 20", "truncate 5000", "kill"):
        it.simulator.control("xcrun screenshot " + control)
        answer = it.expect_error("screenshot")
        assert answer["error"] == "SCREENSHOT_FAILED", (control, answer)
        assert answer["suggestion"], answer
    _expect_working(it)


def file_is_used_if_standard_output_is_empty(it):
    for control in ("truncate 0", "truncate 7"):
        it.simulator.control("xcrun screenshot " + control)
        assert it.ui("screenshot")["image"]["width"] == 461
    assert it.calls("xcrun", "screenshot")[-1][-1].startswith("/")


def a_picture_may_take_15_seconds(fake, squint):
    """By a clock that is five times as fast."""
    with tempfile.TemporaryDirectory() as folder:
        journal = pathlib.Path(folder, "slow.jsonl")
        with session.session(fake, squint, "--journal", str(journal),
                             slowness=-5) as it:
            it.simulator.control("xcrun screenshot hang")
            answer = it.expect_error("screenshot", elements=False)
            assert answer["error"] == "TIMEOUT", answer
        call = json.loads(journal.read_text(encoding="utf-8").splitlines()[-1])
        assert call["deviceMs"] >= 15000, call


def too_much_output_is_refused(it):
    it.simulator.control("xcrun screenshot flood")
    answer = it.expect_error("screenshot")
    assert answer["error"] == "LIMIT_EXCEEDED" and answer["suggestion"], answer
    it.simulator.control("idb describe-all flood")
    answer = it.expect_error("dump")
    assert answer["error"] == "LIMIT_EXCEEDED" and answer["suggestion"], answer
    _expect_working(it)


@session.with_slowness(4)
def unreadable_elements_do_not_affect_the_picture(it):
    it.ui("screenshot")
    for control in ("fail boom", "truncate 0", "truncate 500", "flood",
                    "kill"):
        it.simulator.control("idb describe-all " + control)
        shot = it.ui("screenshot")
        assert shot["elementsNote"], (control, shot)
        assert shot["image"]["width"] == 461
        assert shot["device"] == {"width": 393, "height": 852}, control
    _expect_working(it)


def hostile_elements_are_safe(it):
    label = "\u202eevil\u0000\n" + "x" * 5000 + "</script>"
    it.put("tree", elements(393, 852, button(label, 10, 20, 30, 40),
                            button(None, -5, -5, 1e300, -3), 7, None))
    it.simulator.control("idb describe-all say tree")
    shot = it.ui("screenshot")
    found = shot["interactiveElements"]["elements"]
    assert len(found[0]["label"]) < 400, found
    assert shot["untrusted"] is True
    _expect_working(it)


def failed_tap_is_reported(it):
    it.ui("screenshot")
    it.simulator.control("idb tap fail Cannot connect to companion")
    answer = it.expect_error("tap", x=10, y=10)
    assert "companion" in answer["message"] and answer["suggestion"], answer
    it.simulator.control("idb tap kill")
    answer = it.expect_error("tap", x=10, y=10)
    assert "signal 9" in answer["message"], answer
    _expect_working(it)


def daemon_that_keeps_the_pipe_is_not_awaited(it):
    it.simulator.control("idb describe-all daemon")
    before = time.monotonic()
    assert it.ui("screenshot")["interactiveElements"]["count"] == 8
    # It would keep the pipe for longer than that.
    assert time.monotonic() - before < PATIENCE
    _expect_working(it)


def hanging_call_can_be_cancelled_and_delays_no_other(it):
    it.simulator.control("xcrun screenshot hang")
    server = it.server
    server.send({"jsonrpc": "2.0", "id": 900, "method": "tools/call",
                 "params": {"name": "ui",
                            "arguments": {"operation": "screenshot"}}})
    program = it.simulator.folder.name + "/xcrun"

    def running():
        return [line for _, _, line in all_processes()
                if program in line and "screenshot" in line]

    await_true("it has begun", running)
    assert server.request("ping")["result"] == {}
    server.send({"jsonrpc": "2.0", "method": "notifications/cancelled",
                 "params": {"requestId": 900}})
    await_true("it has ended", lambda: not running())
    _expect_working(it)


def calls_for_a_hanging_phone_do_not_delay_other_devices(it):
    it.simulator.control("xcrun screenshot hang")
    server = it.server
    crowd = range(1000, 1080)
    for number in crowd:
        server.send({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                     "params": {"name": "ui",
                                "arguments": {"operation": "screenshot",
                                              "deviceId": UDID}}})
    before = time.monotonic()
    assert it.ui("screenshot", deviceId="demo")
    assert len(it.ui("devices")["devices"]) > 1
    # The first hanging call would time out after 500 seconds.
    assert time.monotonic() - before < PATIENCE
    for number in crowd:
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled",
                     "params": {"requestId": number}})
    _expect_working(it)


def unbooted_and_missing_simulators_have_different_errors(it):
    answer = it.expect_error("screenshot",
                             deviceId="0A1B2C3D-0000-4000-8000-00000000CCCC")
    assert answer["error"] == "DEVICE_OFFLINE", answer
    assert "not booted" in answer["message"], answer
    assert "simctl boot" in answer["suggestion"], answer
    answer = it.expect_error("screenshot",
                             deviceId="0A1B2C3D-0000-4000-8000-00000000FFFF")
    assert answer["error"] == "DEVICE_NOT_FOUND", answer
    answer = it.expect_error("screenshot",
                             deviceId="0A1B2C3D-0000-4000-8000-00000000BBBB")
    assert "runtime" in answer["message"], answer
    it.simulator.control("xcrun screenshot fail An error was encountered: "
                         "Unable to lookup in current state: Shutdown")
    answer = it.expect_error("screenshot", deviceId=UDID)
    assert answer["error"] == "DEVICE_OFFLINE", answer
    _expect_working(it)


def other_displays_are_requested_from_simctl(it):
    it.ui("screenshot", displayId="internal", elements=False)
    answer = it.expect_error("screenshot", displayId="; reboot")
    assert "internal, external" in answer["suggestion"], answer
    answer = it.expect_error("screenshot", displayId="external")
    assert "No external display" in answer["message"], answer
    assert "--display=external" in it.calls("xcrun", "screenshot")[-1]
    assert not any("reboot" in word for call in it.calls() for word in call)


def without_idb_pictures_work_and_taps_name_idb(it):
    os.unlink(os.path.join(it.simulator.folder.name, "idb"))
    shot = it.ui("screenshot")
    assert "idb" in shot["elementsNote"], shot
    answer = it.expect_error("tap", x=10, y=10)
    assert "idb" in answer["message"], answer
    assert "brew" in answer["suggestion"], answer


def unknown_scale_is_not_reported(it):
    os.unlink(os.path.join(it.simulator.folder.name, "idb"))
    it.simulator.control("xcrun getenv fail no such variable")
    size = it.ui("screenshot")["screenDimensions"]
    assert "scale" not in size, size
    assert size["width"] == size["pixels"]["width"], size
    assert size["height"] == size["pixels"]["height"], size


def known_scale_is_reported(it):
    os.unlink(os.path.join(it.simulator.folder.name, "idb"))
    size = it.ui("screenshot")["screenDimensions"]
    assert size["scale"] == 3, size
    assert size["pixels"]["width"] == 3 * size["width"], size


def failed_idb_is_not_an_unknown_simulator(it):
    it.simulator.control("idb list-targets fail the companion has crashed",
                         "idb describe-all fail some error")
    answer = it.expect_error("tap", selector={"text": "Settings"})
    assert "idb does not know" not in answer["suggestion"], answer
    assert "Try again" in answer["suggestion"], answer
    _expect_working(it)


@session.with_slowness(1)
def xcode_installed_later_is_found(it):
    xcrun = os.path.join(it.simulator.folder.name, "xcrun")
    os.rename(xcrun, xcrun + ".away")
    for _ in range(3):
        assert [d["id"] for d in it.ui("devices")["devices"]] == ["demo"]
    os.rename(xcrun + ".away", xcrun)
    # If xcrun was not found, PATH is not searched again with each call.
    await_true("it is found",
               lambda: len(it.ui("devices")["devices"]) > 1)
    _expect_working(it)


def text_that_idb_cannot_type_is_refused_first(it):
    it.ui("launch", packageName="com.squint.demo.login")
    answer = it.expect_error("input", text="abc\u00fc",
                             selector={"text": "Username"})
    assert "US keyboard" in answer["message"], answer
    assert not it.calls("idb", "text")


if __name__ == "__main__":
    sys.exit(session.run(sys.modules["__main__"], *sys.argv[1:3]))
