#!/usr/bin/env python3
"""advice.py SQUINT: answers say what is true and what to do next; TAP.

Each case is a call that was once answered with wrong, missing or incomplete
advice.
"""

import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import expect_true, named, run_all
from squint_server import Server, clean_environment


def ask(server, tool, **arguments):
    """Call a tool; returns whether it failed, and the JSON of its text."""
    result = server.call(tool, **arguments)
    block = next(b for b in result["content"] if b["type"] == "text")
    return result.get("isError", False), json.loads(block["text"])


def refusal(server, tool, **arguments):
    """Call a tool that must fail; returns message and suggestion."""
    failed, answer = ask(server, tool, **arguments)
    expect_true(f"{tool} {arguments} was accepted: {answer}", failed)
    expect_true(f"no suggestion: {answer}", answer.get("suggestion"))
    return answer["message"], answer["suggestion"]


def run(squint, *words):
    """Run a command that must fail; returns what it says."""
    done = subprocess.run([squint, *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False,
                          timeout=60, env=clean_environment("/tmp"))
    expect_true(f"{words} was accepted", done.returncode != 0)
    return done.stderr


def stale_regions_are_not_named(server, _squint):
    """A region of another app is not suggested."""
    server.ui("key", name="home")
    server.ui("screenshot")
    rows = server.ui("dump")["elements"]
    row = next(row for row in rows if "Settings" in row)
    x, y = (int(n) for n in row.split()[1].split(","))
    region = {"x": max(0, x - 30), "y": y - 30, "width": 60, "height": 60}
    shot = server.ui("screenshot", region=region)
    server.ui("tap", x=72, y=72, screenshotId=shot["screenshotId"])
    part = {"x": 1, "y": 1, "width": 20, "height": 20}
    answer = server.ui("screenshot", region=part)
    expect_true(f"{answer}",
                answer["region"]["screenshotId"] != shot["screenshotId"])


def open_names_launch(server, _squint):
    """open without url names launch."""
    message, suggestion = refusal(server, "ui", operation="open",
                                  app="Settings")
    expect_true(message, message == "url is missing")
    expect_true(suggestion, "launch" in suggestion)


def useless_arguments_are_refused(server, _squint):
    """deviceId is no argument of operations without a device."""
    for tool, arguments in (("ui", {"operation": "devices"}),
                            ("list_screenshots", {})):
        message, suggestion = refusal(server, tool, deviceId="demo",
                                      **arguments)
        expect_true(f"{message} {suggestion}",
                    "deviceId" in message and "deviceId" not in suggestion)


def delays_need_a_program(_server, squint):
    """A delay of an unknown program is refused."""
    said = run(squint, "demo", "--adb", "127.0.0.1:0", "--delay",
               "screencp=100")
    expect_true(said, "no program \"screencp\"" in said)


def small_pictures_are_not_blank(server, _squint):
    """A picture of one pixel says nothing about the app."""
    server.ui("key", name="home")
    answer = server.ui("screenshot", maxDimension=1)
    expect_true(f"{answer}", "colour" not in answer.get("note", ""))


def spaces_are_part_of_the_text(server, _squint):
    """A receipt shows what the field holds."""
    server.ui("launch", packageName="com.squint.demo.login")
    answer = server.ui("input", text="  lead", receipt="full",
                       selector={"text": "Username"})
    expect_true(f"{answer}", answer["field"]["text"] == "  lead")


def other_commands_are_not_suggested(_server, squint):
    """A word that is far from every command has no suggestion."""
    said = run(squint, "region")
    expect_true(said, "Did you mean" not in said)
    expect_true("devics",
                "Did you mean squint devices" in run(squint, "devics"))


def a_key_can_be_called_key(server, _squint):
    """key takes its name as key."""
    answer = server.ui("key", key="home")
    expect_true(f"{answer}", answer["pressed"] == "home")


def true_is_on(server, _squint):
    """A choice of on and off takes true and false, another does not."""
    message, _ = refusal(server, "ui", operation="appearance", dark=True)
    expect_true(message, "must be" not in message)
    message, _ = refusal(server, "ui", operation="scroll", direction=True)
    expect_true(message, "direction must be one of" in message)


def control_characters_are_named(_server, squint):
    """An option with a control character says so."""
    for flag in ("--archive", "--time-zone"):
        said = run(squint, "mcp", flag, "a\tb")
        expect_true(said, "control character" in said)


CASES = [stale_regions_are_not_named, open_names_launch,
         useless_arguments_are_refused, delays_need_a_program,
         small_pictures_are_not_blank, spaces_are_part_of_the_text,
         other_commands_are_not_suggested, a_key_can_be_called_key,
         true_is_on, control_characters_are_named]


def with_server(case, squint):
    """Run a case on a server of its own."""
    with Server([squint, "mcp"]) as server:
        server.initialize()
        case(server, squint)


if __name__ == "__main__":
    program = str(pathlib.Path(sys.argv[1]).resolve())
    sys.exit(run_all([named(case.__name__, with_server, case, program)
                      for case in CASES]))
