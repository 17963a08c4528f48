#!/usr/bin/env python3
"""hands.py FAKE SQUINT: what simctl can do besides touching the screen, and what
is refused before anything is done."""

import sys

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position,missing-function-docstring
import session
from session import UDID

SHOP = "com.squint.demo.shop"
QUIET = {"receipt": "none"}


def _last(it):
    return it.calls("xcrun")[-1]


def urls_are_opened(it):
    url = "https://shop.squint.example/a?b='c'&d=$(id)"
    it.ui("open", url=url, **QUIET)
    assert _last(it)[1:] == ["simctl", "openurl", UDID, url], _last(it)
    error = it.expect_error("open", url="https://nowhere.example/")
    assert "failed to open" in error["message"], error
    before = len(it.calls("xcrun", "openurl"))
    it.expect_error("open", url="file:///etc/passwd")
    assert len(it.calls("xcrun", "openurl")) == before


def settings_are_changed(it):
    it.ui("permission", packageName=SHOP, permission="camera",
          change="revoke", **QUIET)
    assert _last(it)[3:] == [UDID, "revoke", "camera", SHOP], _last(it)
    it.expect_error("permission", packageName=SHOP, permission="flying",
                    change="grant")
    it.expect_error("permission", packageName=SHOP, permission="--help",
                    change="grant")
    it.ui("appearance", dark="on", **QUIET)
    assert _last(it)[3:] == [UDID, "appearance", "dark"], _last(it)
    it.ui("location", latitude=52.5, longitude=-13.25, **QUIET)
    assert _last(it)[4:] == ["set", "52.50000000,-13.25000000"], _last(it)
    it.ui("clipboard", text="Ada", **QUIET)
    assert _last(it)[2] == "pbcopy", _last(it)
    assert it.ui("clipboard")["clipboard"] == "from the Mac"
    assert it.ui("info")["model"].startswith("iPhone 15")


def extras_are_arguments(it):
    it.ui("launch", packageName=SHOP, extras=["user=a b", "n=3"], **QUIET)
    assert it.calls("xcrun", "launch")[-1][3:] == [UDID, SHOP, "user=a b",
                                                   "n=3"]
    error = it.expect_error("launch", packageName=SHOP, activity=".Main")
    assert error["error"] == "UNSUPPORTED", error


def fields_are_cleared(it):
    it.ui("launch", packageName="com.squint.demo.login", **QUIET)
    it.ui("input", text="Ada Lovelace is here", receipt="none",
          selector={"text": "Username"})
    answer = it.ui("input", text="Eve", clear=True, receipt="fast")
    assert answer["field"]["text"] == "Eve", answer


def what_is_impossible_is_refused(it):
    before = len(it.calls())
    for call in ({"operation": "reset", "packageName": SHOP, "confirm": True},
                 {"operation": "rotate", "orientation": "landscape"},
                 {"operation": "appearance", "fontScale": 2},
                 {"operation": "notifications"},
                 {"operation": "notifications", "open": True},
                 {"operation": "logs"}, {"operation": "wake"},
                 {"operation": "input", "text": "a", "hideKeyboard": True},
                 {"operation": "video", "record": "start"}):
        name = call.pop("operation")
        error = it.expect_error(name, **QUIET, **call) \
            if name not in ("logs",) else it.expect_error(name, **call)
        assert error["error"] == "UNSUPPORTED", (name, error)
    acted = [call for call in it.calls()[before:]
             if "screenshot" not in call and "describe-all" not in call
             and "list" not in call and "getenv" not in call]
    assert acted == [], acted


if __name__ == "__main__":
    sys.exit(session.run(sys.modules["__main__"], *sys.argv[1:3]))
