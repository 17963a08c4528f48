#!/usr/bin/env python3
"""secrets.py FAKE SQUINT: the contents of password fields of a simulator are in
no picture and in no text."""

import base64
import json
import pathlib
import subprocess
import sys

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


if __name__ == "__main__":
    sys.exit(session.run(sys.modules["__main__"], *sys.argv[1:3]))
