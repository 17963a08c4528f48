#!/usr/bin/env python3
"""passwords.py FAKE SQUINT: the contents of password fields of a simulator are in
no picture and in no text."""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position,missing-function-docstring
import session
from session import UDID

FIELD = {"resourceId": "password"}
PASSWORDS = ("hunter2", "WWWWWWWWWWWW")


def _picture(it, **arguments):
    """The bytes of a screenshot, and its JSON."""
    result = it.ask("screenshot", format="png", **arguments)
    assert not result["isError"], result
    parts = {part["type"]: part for part in result["content"]}
    return (base64.b64decode(parts["image"]["data"]),
            json.loads(parts["text"]["text"]))


def _run(it, *words):
    """Starts one of the simulator's programs, as a person would."""
    subprocess.run(words, env=it.simulator.env, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _type(it, password):
    """A login form in which a person typed that password, not squint."""
    it.ui("launch", packageName="com.squint.demo.login", receipt="none")
    it.ui("tap", selector=FIELD, receipt="none")
    _run(it, "idb", "ui", "text", "--udid", UDID, "--", password)


def _own_picture(it):
    """What the simulator itself shows."""
    path = pathlib.Path(it.simulator.folder.name, "own.png")
    _run(it, "xcrun", "simctl", "io", UDID, "screenshot", "--type=png",
         str(path))
    return path.read_bytes()


def pictures_of_different_passwords_are_equal(fake, squint):
    shown = set()
    given = set()
    for password in PASSWORDS:
        with session.session(fake, squint) as it:
            _type(it, password)
            picture, about = _picture(it)
            assert about["redacted"] == 1, about
            given.add(picture)
            shown.add(_own_picture(it))
    assert len(shown) == 2  # the screens differ
    assert len(given) == 1


def receipts_and_lists_have_no_password(it):
    it.ui("launch", packageName="com.squint.demo.login")
    typed = it.ask("input", selector=FIELD, text=PASSWORDS[0], receipt="full")
    assert not typed["isError"], typed
    texts = [str(typed)]
    for operation in ("dump", "find", "visual-snapshot"):
        words = {"selector": FIELD} if operation == "find" else {}
        texts.append(str(it.ask(operation, **words)))
    for text in texts:
        assert PASSWORDS[0] not in text, text
        # Three dots, whatever its length.
        assert "\u2022" * 4 not in text, text


def a_picture_says_that_passwords_were_not_looked_for(it):
    """The place that squint typed into is hidden for a while."""
    it.put("broken", '[{"type": "Application", "AXLabel": ')
    it.put("empty", "[]")
    it.ui("launch", packageName="com.squint.demo.login")
    assert "note" not in it.ui("screenshot")
    it.ui("input", selector=FIELD, text=PASSWORDS[0])
    for control in ("say broken", "say empty", "fail boom"):
        it.simulator.control("idb describe-all " + control)
        shot = it.ui("screenshot")
        assert "could not be looked for" in shot["note"], (control, shot)
        assert shot["redacted"] == 1, (control, shot)
        # Without elements they are not looked for; see redaction.md.
        assert "note" not in it.ui("screenshot", elements=False), control


def always_refuses_a_picture_without_elements(fake, squint):
    with session.session(fake, squint,
                         env={"SQUINT_REDACT_PASSWORDS": "always"}) as it:
        it.put("broken", "nothing")
        it.put("empty", "[]")
        assert "note" not in it.ui("screenshot")
        for control in ("say broken", "say empty", "fail boom"):
            it.simulator.control("idb describe-all " + control)
            for arguments in ({}, {"elements": False}):
                answer = it.expect_error("screenshot", **arguments)
                assert "cannot be found" in answer["message"], answer


def _typed_by_argument(it):
    """What programs were started with, and what was typed."""
    words = [word for call in it.calls() if call[0] != "shell"
             for word in call]
    return [word for word in words if word.startswith("canary")]


def other_programs_cannot_read_typed_text(it):
    it.ui("launch", packageName="com.squint.demo.login")
    for field in ("username", "password"):
        typed = it.ui("input", text="canary", selector={"resourceId": field})
        assert typed["typed"]["characters"] == 6 and typed["field"], typed
    assert not _typed_by_argument(it), it.calls()
    assert len(it.calls("shell", "canary")) == 2


def an_older_idb_types_no_passwords(it):
    it.simulator.control("idb shell refuse idb [-h] ...")
    it.ui("launch", packageName="com.squint.demo.login")
    typed = it.ui("input", text="canary 1", selector={"resourceId": "username"})
    assert typed["field"]["text"] == "canary 1", typed
    for arguments in ({"selector": FIELD}, {}):
        answer = it.expect_error("input", text="canary 2", **arguments)
        assert answer["error"] == "UNSUPPORTED", answer
        assert "hide its text" in answer["message"], answer
        assert "update idb" in answer["suggestion"], answer
    it.ui("tap", selector={"resourceId": "username"})
    it.ui("input", text="canary 3")
    assert _typed_by_argument(it) == ["canary 1", "canary 3"], it.calls()


def journals_have_what_is_typed_into_other_fields(fake, squint):
    with tempfile.TemporaryDirectory() as folder:
        journal = pathlib.Path(folder, "typed.jsonl")
        with session.session(fake, squint, "--journal", str(journal)) as it:
            it.ui("launch", packageName="com.squint.demo.login")
            for field in ("username", "password"):
                it.ui("tap", selector={"resourceId": field})
                it.ui("input", text="canary of " + field, receipt="none")
                it.ui("input", text="canary at " + field, receipt="none",
                      selector={"resourceId": field})
        text = journal.read_text(encoding="utf-8")
    assert "canary of username" in text and "canary at username" in text
    assert "canary of password" not in text
    assert "canary at password" not in text


if __name__ == "__main__":
    sys.exit(session.run(sys.modules["__main__"], *sys.argv[1:3]))
