#!/usr/bin/env python3
"""hands.py FAKE SQUINT: what simctl can do besides touching the screen, and what
is refused before anything is done."""

import json
import os
import contextlib
import pathlib
import sys
import tempfile

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


def logs_are_read(it):
    it.ui("launch", packageName=SHOP, **QUIET)
    answer = it.ui("logs", packageName=SHOP)
    call = it.calls("xcrun", "log")[-1]
    assert call[1:11] == ["simctl", "spawn", UDID, "log", "show", "--style",
                          "compact", "--last", "10m", "--predicate"], call
    assert call[11].startswith("processID == ") and len(call) == 12, call
    text = "\n".join(answer["lines"])
    assert "Filtering" not in text and "Timestamp" not in text, text
    assert len(answer["lines"]) == 5 and "user=ada" in text, text
    assert "hunter2" not in text and "eyJ" not in text, text
    assert len(it.ui("logs", packageName=SHOP, limit=2)["lines"]) == 2
    assert "SpringBoard" in it.ui("logs")["lines"][0]
    assert "--predicate" not in it.calls("xcrun", "log")[-1]
    answer = it.ui("logs", packageName="com.apple.mobilesafari")
    assert answer["note"] == "The app does not run now.", answer


OTHER = "0A1B2C3D-0000-4000-8000-00000000CCCC"


def _crash(home, name, stamp, udid=UDID, bundle=SHOP, kind="309"):
    """A crash report as macOS writes it for an app in a simulator."""
    folder = pathlib.Path(home, "Library", "Logs", "DiagnosticReports")
    folder.mkdir(parents=True, exist_ok=True)
    about = {"app_name": name, "bug_type": kind, "bundleID": bundle,
             "timestamp": "2026-11-16 10:15:00.00 +0100"}
    report = {
        "pid": 71, "procName": name, "captureTime": stamp,
        "coalitionName": "com.apple.CoreSimulator.SimDevice." + udid,
        "bundleInfo": {"CFBundleIdentifier": bundle},
        "exception": {"type": "EXC_CRASH", "signal": "SIGABRT"},
        "termination": {"indicator": "Abort trap: 6"},
        "asi": {"CoreFoundation": [
            "*** reason: 'login failed password=hunter2'"]},
        "lastExceptionBacktrace": [{"imageIndex": 0, "symbol": "pay()",
                                    "sourceFile": "Pay.swift",
                                    "sourceLine": 7}],
        "usedImages": [{"name": name}]}
    path = folder / f"{name}-{stamp}.ips"
    path.write_text(json.dumps(about) + "\n" + json.dumps(report, indent=2),
                    encoding="utf-8")
    return path


def crashes_are_listed_first(fake, squint):
    """Those of the simulator and the app, newest first, also if it has ended."""
    with contextlib.ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory())
        pathlib.Path(home, "Library", "Logs").mkdir(parents=True)
        it = stack.enter_context(session.session(fake, squint,
                                                 env={"HOME": home}))
        it.ui("launch", packageName=SHOP, **QUIET)
        assert "crashes" not in it.ui("logs")
        for day in range(11, 18):
            _crash(home, "Shop", f"2026-11-{day}-101500")
        _crash(home, "Shop", "2026-11-20-101500", udid=OTHER)
        _crash(home, "Shop", "2026-11-21-101500", kind="298")
        _crash(home, "Maps", "2026-11-19-101500", bundle="com.apple.Maps")
        _crash(home, "Shop", "2026-11-22-101500").write_text("{}\n{", "utf-8")
        answer = it.ui("logs", packageName=SHOP)
        assert list(answer)[:2] == ["crashes", "lines"], list(answer)
        days = [line[8:10] for line in answer["crashes"] if "Shop[71]" in line]
        assert days == ["17", "16", "15", "14", "13"], answer["crashes"]
        assert answer["crashes"][:3] == [
            "2026-11-17-101500 Shop[71] EXC_CRASH (SIGABRT) Abort trap: 6",
            "  CoreFoundation: *** reason: 'login failed password=[redacted]'",
            "  at Shop pay() (Pay.swift:7)"], answer["crashes"]
        assert "Scene is active" in answer["lines"][0], answer
        everything = it.ui("logs")["crashes"]
        assert "Maps[71]" in everything[0], everything
        it.ui("stop", packageName=SHOP, **QUIET)
        answer = it.ui("logs", packageName=SHOP)
        assert answer["note"] == "The app does not run now.", answer
        assert "Shop[71]" in answer["crashes"][0], answer


def videos_are_recorded(it):
    it.ui("video", record="start", seconds=100, **QUIET)
    call = it.calls("xcrun", "recordVideo")[-1]
    assert call[1:7] == ["simctl", "io", UDID, "recordVideo", "--codec=h264",
                         "--force"], call
    it.expect_error("video", record="start")
    it.ui("key", name="home", **QUIET)
    answer = it.ui("video", record="stop")
    with open(answer["path"], "rb") as file:
        assert file.read(12)[4:8] == b"ftyp"
    it.expect_error("video", record="stop")
    it.ui("video", record="start", seconds=1, **QUIET)
    it.ui("wait", timeoutMs=1500)
    it.ui("video", record="stop")
    it.simulator.control("xcrun recordVideo fail Unable to record")
    error = it.expect_error("video", record="start", **QUIET)
    assert "Unable to record" in error["message"], error
    it.simulator.control("xcrun recordVideo kill")
    it.expect_error("video", record="start", **QUIET)
    it.simulator.control()
    it.ui("video", record="start", **QUIET)


def recordings_end_with_the_server(fake, squint):
    """Their program and their file are gone."""
    with session.session(fake, squint) as it:
        it.ui("video", record="start", **QUIET)
        folder = it.simulator.folder.name
        assert session.processes_of(folder + "/xcrun"), "no recording"
        it.server.close()
        session.await_true("the recording runs", lambda: not
                           session.processes_of(folder + "/xcrun"))
        assert os.listdir(folder + "/tmp") == [], os.listdir(folder + "/tmp")


def apps_are_installed_only_if_allowed(it):
    before = len(it.calls("xcrun"))
    for call in ({"operation": "install", "paths": ["New.app"]},
                 {"operation": "uninstall", "packageName": "com.example.new"}):
        name = call.pop("operation")
        error = it.expect_error(name, **call)
        assert error["error"] == "INVALID_OPERATION", error
    assert len(it.calls("xcrun", "install")) == 0, it.calls("xcrun")[before:]


def _make_app(root, name, bundle):
    folder = pathlib.Path(root, name)
    folder.mkdir()
    (folder / "Info.plist").write_text(
        "<plist><dict><key>CFBundleIdentifier</key>"
        f"<string>{bundle}</string></dict></plist>", encoding="utf-8")


def apps_are_installed(fake, squint):
    with tempfile.TemporaryDirectory() as root:
        _make_app(root, "New.app", "com.example.new")
        _make_app(root, "Odd $(id) 'x'.app", "com.example.odd")
        pathlib.Path(root, "Empty.app").mkdir()
        pathlib.Path(root, "file.app").write_text("x", encoding="utf-8")
        os.symlink("/usr", os.path.join(root, "Link.app"))
        env = {"SQUINT_TOOLS_INSTALL_FROM": root}
        with session.session(fake, squint, env=env) as it:
            for name in ("New.app", "Odd $(id) 'x'.app"):
                it.ui("install", paths=[name], **QUIET)
                assert _last(it)[1:] == ["simctl", "install", UDID,
                                         os.path.join(root, name)], _last(it)
            tried = len(it.calls("xcrun", "install"))
            for names in (["file.app"], ["Link.app"], ["None.app"], ["/usr"],
                          ["../x.app"], ["New.app", "Odd.app"], ["a\nb.app"],
                          ["New"], ["--help"], ["--help.app"], ["."]):
                it.expect_error("install", paths=names)
            assert len(it.calls("xcrun", "install")) == tried
            error = it.expect_error("install", paths=["Empty.app"])
            assert "Missing bundle ID" in error["message"], error
            it.ui("uninstall", packageName="com.example.new", **QUIET)
            assert _last(it)[1:] == ["simctl", "uninstall", UDID,
                                     "com.example.new"], _last(it)
            it.ui("uninstall", packageName="com.example.odd", **QUIET)
            error = it.expect_error("uninstall",
                                    packageName="com.example.odd")
            assert "Failed to uninstall" in error["message"], error
            for name in ("--help", "a b.c", "$(id).x", "x" * 100_000, "a\nb"):
                it.expect_error("uninstall", packageName=name)


def what_is_impossible_is_refused(it):
    it.ui("screenshot")
    before = len(it.calls())
    for call, advice in (
            ({"operation": "reset", "packageName": SHOP, "confirm": True},
             "ask the person to delete the app"),
            ({"operation": "rotate", "orientation": "landscape"},
             "Device > Rotate Left"),
            ({"operation": "pinch", "x": 100, "y": 200, "scale": 2},
             "one finger"),
            ({"operation": "appearance", "fontScale": 2}, "dark"),
            ({"operation": "notifications"}, "Android devices can"),
            ({"operation": "notifications", "open": True}, "Swipe down"),
            ({"operation": "wake"}, 'key with name: "home"'),
            ({"operation": "input", "text": "a", "hideKeyboard": True},
             "outside of the field")):
        name = call.pop("operation")
        error = it.expect_error(name, **QUIET, **call)
        assert error["error"] == "UNSUPPORTED", (name, error)
        assert "Nothing was done" in error["suggestion"], (name, error)
        assert advice in error["suggestion"], (name, error)
    acted = [call for call in it.calls()[before:]
             if "screenshot" not in call and "describe-all" not in call
             and "list" not in call and "getenv" not in call]
    assert acted == [], acted


if __name__ == "__main__":
    sys.exit(session.run(sys.modules["__main__"], *sys.argv[1:3]))
