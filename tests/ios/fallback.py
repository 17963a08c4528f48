#!/usr/bin/env python3
"""fallback.py FAKE SQUINT: problems with the elements or the app's name do not
affect the picture; and unusual labels and ids."""

import json
import os
import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position,missing-function-docstring
import session
from children import processes_of
from session import UDID, await_true, button, elements

# How many times slower squint's clock runs in cases with timeouts.
SLOWNESS = 2


@session.with_slowness(SLOWNESS)
def hanging_idb_does_not_affect_the_picture(it):
    """From its first call on, and repeatedly."""
    it.simulator.control("idb ui hang")
    for elements_wanted in (None, False, True):
        wish = {} if elements_wanted is None else {"elements": elements_wanted}
        result = it.ask("screenshot", **wish)
        assert not result.get("isError"), result
        assert [b["type"] for b in result["content"]] == ["image", "text"]
        shot = json.loads(result["content"][1]["text"])
        # simctl alone gives the size in points.
        assert shot["device"] == {"width": 393, "height": 852}, shot
        if elements_wanted is False:
            assert "elementsNote" not in shot, shot
        else:
            assert "timed out" in shot["elementsNote"], shot


@session.with_slowness(SLOWNESS)
def idb_that_hangs_at_first_is_called_again(it):
    """Its elements are listed once it answers."""
    it.simulator.control("idb describe-all hang 1")
    shot = it.ui("screenshot")
    assert shot["device"] == {"width": 393, "height": 852}, shot
    await_true("it answers", lambda: "interactiveElements"
               in it.ui("screenshot"))


@session.with_slowness(SLOWNESS)
def hanging_idb_is_left_alone(it):
    """Only the first call waits for it. One more is not waited for, and shows
    when it answers again; it ends with the server."""
    it.simulator.control("idb ui hang")
    it.ui("screenshot")
    for operation, arguments in (("dump", {}), ("tap", {"x": 10, "y": 10}),
                                 ("tap", {"selector": {"text": "Login"}}),
                                 ("input", {"text": "x"}),
                                 ("key", {"name": "enter"})):
        answer = it.expect_error(operation, **arguments)
        assert answer["error"] == "TIMEOUT", (operation, answer)
        assert "left alone" in answer["message"], (operation, answer)
        assert "idb kill" in answer["suggestion"], (operation, answer)
    assert len(it.calls("idb")) == 2, it.calls("idb")
    program = it.simulator.folder.name + "/idb"
    assert len(processes_of(program)) == 1
    it.server.process.stdin.close()
    await_true("it ends", lambda: not processes_of(program))


def unwanted_elements_are_not_read(it):
    """Not even for the size in points, and not for a later picture."""
    for _ in range(2):
        shot = it.ui("screenshot", elements=False)
        assert shot["device"] == {"width": 393, "height": 852}, shot
    it.ui("screenshot", elements=False, size="half")
    assert not it.calls("idb"), it.calls("idb")
    # Taps refer to that picture.
    tap = it.ui("tap", x=118, y=256, receipt="none")["tapped"]
    assert (tap["deviceX"], tap["deviceY"]) == (197, 426), tap
    it.simulator.control("xcrun getenv fail no such command")
    with session.session(*sys.argv[1:3]) as other:
        other.simulator.control("xcrun getenv fail no such command")
        shot = other.ui("screenshot", elements=False)
        assert shot["device"] == {"width": 1179, "height": 2556}, shot
        assert not other.calls("idb"), other.calls("idb")
        # Without points a tap would be at the wrong position, so it is refused.
        answer = other.expect_error("tap", x=10, y=10)
        assert answer["error"] == "STALE_SCREENSHOT", answer
        shot = other.ui("screenshot", elements=False)
        assert shot["device"] == {"width": 393, "height": 852}, shot


def _falls_back(it, control):
    """find and visual-snapshot return the picture, and name what is missing."""
    result = it.ask("find", selector={"text": "Login"})
    assert not result.get("isError"), (control, result)
    assert [b["type"] for b in result["content"]] == ["image", "text"], control
    found = json.loads(result["content"][1]["text"])
    assert found["count"] == 0 and found["visualFallback"]["image"], found
    result = it.ask("visual-snapshot")
    assert not result.get("isError"), (control, result)
    assert [b["type"] for b in result["content"]] == ["image", "text"], control
    return found, json.loads(result["content"][1]["text"])


@session.with_slowness(SLOWNESS)
def idb_failures_do_not_affect_the_fallback_picture(it):
    for control in ("fail boom", "truncate 0", "truncate 500", "flood", "kill",
                    "hang", "say empty", "say broken"):
        it.put("empty", "[]")
        it.put("broken", '[{"type": "Application", "AXLabel": ')
        it.simulator.control("idb describe-all " + control)
        found, snapshot = _falls_back(it, control)
        assert "app" not in snapshot and snapshot["appNote"], snapshot
        if control != "say empty":
            assert "cannot be listed" in found["warning"], found


@session.with_slowness(SLOWNESS)
def unknown_app_does_not_affect_the_picture(it):
    for control in ("fail boom", "truncate 0", "flood", "kill", "hang"):
        it.simulator.control("xcrun spawn " + control)
        snapshot = it.ui("visual-snapshot")
        assert snapshot["image"]["width"] == 461, snapshot
        assert "not known" in snapshot["appNote"], snapshot
        found = it.ui("find", selector={"text": "Nowhere"})["visualFallback"]
        assert found["image"]["width"] == 461 and found["appNote"], found


def unknown_app_in_visual_mode_does_not_affect_elements(it):
    with session.session(*sys.argv[1:3], "--visual-mode-packages",
                         "com.example.other", slowness=SLOWNESS) as other:
        for control in ("xcrun spawn fail boom", "xcrun spawn hang"):
            other.simulator.control(control)
            assert other.ui("find", selector={"text": "Login"})["count"] == 1


def lone_surrogate_in_a_label_does_not_affect_elements(it):
    for half in ("\\ud83d", "\\ude00", "\\ud83d\\ud83d", "\\ud83dx"):
        text = elements(393, 852, button("HALF", 10, 20, 30, 40),
                        button("Go", 10, 120, 30, 40))
        it.put("tree", text.replace("HALF", "Hi " + half))
        it.simulator.control("idb describe-all say tree")
        found = it.ui("find", selector={"textContains": "Hi \ufffd"})
        assert found["count"] == 1, (half, found)
        assert it.ui("find", selector={"text": "Go"})["count"] == 1, half


def udid_is_compared_without_case(it):
    for udid in (UDID.lower(), UDID.swapcase(), UDID):
        assert it.ui("screenshot", deviceId=udid)["deviceId"] == UDID
        tap = it.ui("tap", deviceId=udid, x=10, y=10, receipt="none")
        assert tap["deviceId"] == UDID, tap
    assert all(word != UDID.lower() for call in it.calls() for word in call)


def every_kind_of_line_end_is_typed(it):
    it.ui("launch", packageName="com.squint.demo.login")
    it.ui("input", text="a\r\nb\nc", selector={"text": "Username"})
    typed = [call[-1] for call in it.calls("shell")]
    assert typed == ["a", "40", "b", "40", "c"], typed
    # An idb without that shell takes it as one argument.
    with session.session(*sys.argv[1:3]) as other:
        other.simulator.control("idb shell refuse idb")
        other.ui("launch", packageName="com.squint.demo.login")
        other.ui("input", text="a\r\nb", selector={"text": "Username"})
        assert other.calls("idb", "text")[-1][-1] == "a\nb"


def missing_idb_does_not_affect_the_fallback_picture(it):
    os.unlink(os.path.join(it.simulator.folder.name, "idb"))
    found, snapshot = _falls_back(it, "idb is missing")
    assert "idb" in found["warning"], found
    assert "idb" in snapshot["appNote"], snapshot


if __name__ == "__main__":
    sys.exit(session.run(sys.modules["__main__"], *sys.argv[1:3]))
