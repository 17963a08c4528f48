#!/usr/bin/env python3
"""privacy.py SQUINT: what leaves a folder of past screenshots; TAP.

Calls every tool, resource and prompt that can name a past screenshot, as
listed by the server, with every permission, and measures each returned
picture. New tools are included automatically.
"""

import base64
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
import past_folders
from cases import expect_true, named, run_all
from picture_size import picture_size
from squint_server import Server, clean_environment

DAY = "2026-01-15"
SIZE = (1080, 2400)
THUMB = (144, 320)
LARGEST_THUMB = 512     # the longest side that `thumbnail` allows
LARGE = 2000            # the minimum with `full`
SHEET_EDGE = 64         # labels and margins of a sheet
TITLE = "Test result of the clinic.pdf"
PERMISSIONS = ("metadata", "labels", "thumbnail", "full")
# The files of a shot: (full picture, stored thumbnail).
SHOTS = {"09-00-00": (SIZE, THUMB), "10-00-00": (SIZE, None),
         "11-00-00": (None, THUMB), "12-00-00": (None, SIZE),
         "13-00-00": (SIZE, SIZE)}
NAMES_A_SHOT = {"screenshotRef", "cell", "refs", "startDate"}


def encode(squint, size):
    """A JPEG of that size."""
    with tempfile.TemporaryDirectory(prefix="squint-privacy-") as name:
        folder = pathlib.Path(name)
        (folder / "in.png").write_bytes(past_folders.board_png(*size))
        subprocess.run([squint, "scale", folder / "in.png", "-o",
                        folder / "out.jpg", "--raw"], check=True,
                       stdout=subprocess.DEVNULL)
        return (folder / "out.jpg").read_bytes()


def make_archive(home, jpegs):
    """Make the shots, and a table of activities."""
    folder = pathlib.Path(home, "past", DAY)
    folder.mkdir(parents=True)
    for number, (time, (whole, thumb)) in enumerate(SHOTS.items()):
        stem = f"{DAY}_{time}_00-00_{SIZE[0]}_{SIZE[1]}_{number}_0"
        for size, ending in (whole, ".jpg"), (thumb, ".thumbnail.jpg"):
            if size:
                (folder / (stem + ending)).write_bytes(jpegs[size])
    pathlib.Path(home, "day.csv").write_text(
        f"start,end,label\n{DAY}T00:00:00Z,{DAY}T23:59:00Z,{TITLE}\n",
        encoding="utf-8")


def variants(schema, refs):
    """Calls of a tool: each way to name a shot, each choice it offers."""
    known = schema["properties"]
    numbers = [name for name, about in known.items()
               if about.get("type") == "number"]
    parts = [{}] if not numbers else [
        dict(zip(numbers, corners)) for corners in
        ((0, 0, 100, 100), (0, 0, 10, 10), (40, 40, 50, 20))]
    if numbers and not set(numbers) & set(schema.get("required", [])):
        parts.append({})
    choices = [[(name, word) for word in [*about["enum"], None]]
               for name, about in known.items() if "enum" in about]
    ways = []
    if "screenshotRef" in known:
        ways += [{"screenshotRef": ref} for ref in refs]
    if "cell" in known:
        ways += [{"cell": cell + 1} for cell in range(len(refs))]
    if "refs" in known:
        ways += [{"refs": [ref]} for ref in refs] + [{"refs": refs}]
    if "startDate" in known:
        ways.append({"startDate": DAY, "endDate": DAY})
    if "links" in known:
        ways += [{**way, "links": True} for way in ways]
    for way, part, chosen in itertools.product(
            ways, parts, itertools.product(*choices)):
        yield {**way, **part, **{k: v for k, v in chosen if v is not None}}


class Walk:
    """Collects everything that one server returns with one permission."""

    def __init__(self, server, permission):
        self.server = server
        self.permission = permission.lower()
        self.longest = {}   # by operation: the longest side of a picture
        self.titles = set() # operations that returned the title
        self.calls = 0

    def picture(self, operation, data, shots=1):
        """Measure a returned picture."""
        side = max(picture_size(data)[1:])
        self.longest[operation] = max(side, self.longest.get(operation, 0))
        expect_true(f"{operation} gave a picture of {side}",
                    self.permission in ("thumbnail", "full"))
        if self.permission == "thumbnail" and shots == 1:
            most = LARGEST_THUMB + (SHEET_EDGE if "sheet" in operation else 0)
            expect_true(f"{operation} gave a picture of {side}", side <= most)

    def text(self, operation, text):
        """Search for the title, which needs a permission."""
        if TITLE in text:
            self.titles.add(operation)
            expect_true(f"{operation} told a title",
                        self.permission != "metadata")

    def tool(self, name, arguments):
        """Call a tool; errors are allowed."""
        self.calls += 1
        answer = self.server.request("tools/call", {"name": name,
                                                    "arguments": arguments})
        shots = len(arguments.get("refs", "1")) if "refs" in arguments else (
            len(SHOTS) if "startDate" in arguments else 1)
        for block in answer.get("result", {}).get("content", []):
            if block["type"] == "image":
                self.picture(name, base64.b64decode(block["data"]), shots)
            if block["type"] == "resource_link":
                self.resource(block["uri"])
            self.text(name, json.dumps(block))

    def resource(self, uri):
        """Read a resource."""
        self.calls += 1
        answer = self.server.request("resources/read", {"uri": uri})
        for content in answer.get("result", {}).get("contents", []):
            if "blob" in content:
                self.picture("resource", base64.b64decode(content["blob"]))
            else:
                self.text("resource", content["text"])

    def prompt(self, about):
        """Fill in a prompt."""
        self.calls += 1
        arguments = {a["name"]: DAY for a in about.get("arguments", [])}
        answer = self.server.request("prompts/get", {"name": about["name"],
                                                     "arguments": arguments})
        for message in answer["result"]["messages"]:
            block = message["content"]
            # The picture of that prompt is the phone's screen, not a past one.
            if (block["type"] == "image"
                    and about["name"] != "investigate-screen"):
                self.picture("prompt", base64.b64decode(block["data"]))
            self.text("prompt", json.dumps(block))

    def everything(self):
        """All tools, resources and prompts."""
        listed = self.server.call("list_screenshots", startDate=DAY,
                                  endDate=DAY, intervalSeconds=0)
        refs = [shot["screenshotRef"] for shot in
                json.loads(listed["content"][0]["text"])["screenshots"]]
        expect_true(f"{len(refs)} shots are listed", len(refs) == len(SHOTS))
        tools = self.server.request("tools/list")["result"]["tools"]
        # Calls with `cell` need a sheet.
        self.tool("contact_sheet", {"refs": refs})
        for tool in tools:
            if NAMES_A_SHOT & set(tool["inputSchema"].get("properties", {})):
                for arguments in variants(tool["inputSchema"], refs):
                    self.tool(tool["name"], arguments)
        for ref, template in itertools.product(refs, self.server.request(
                "resources/templates/list")["result"]["resourceTemplates"]):
            self.resource(template["uriTemplate"].replace(
                "{screenshotRef}", ref))
        for resource in self.server.request("resources/list")["result"][
                "resources"]:
            self.resource(resource["uri"])
        for prompt in self.server.request("prompts/list")["result"]["prompts"]:
            self.prompt(prompt)
        for file in pathlib.Path(self.server.folder.name, "saved").glob("*"):
            self.picture("save_screenshot", file.read_bytes())


def walk(squint, jpegs, permission):
    """Run all calls, and check that permitted contents are returned."""
    argv = [squint, "mcp", "--archive", f"past={permission}",
            "--activity", "csv", "--activity-path", "day.csv",
            "--save-directory", "saved"]
    with Server(argv, prepare=lambda home: make_archive(home, jpegs)) as server:
        server.initialize()
        taken = Walk(server, permission)
        taken.everything()
    expect_true(f"only {taken.calls} calls", taken.calls > 100)
    permission = permission.lower()
    shows = {"get_screenshot", "contact_sheet", "resource"}
    if permission == "full":
        shows |= {"crop_screenshot", "save_screenshot"}
        for name in "get_screenshot", "crop_screenshot", "resource":
            expect_true(f"{name} gave at most {taken.longest.get(name)}",
                        taken.longest.get(name, 0) >= LARGE)
    if permission in ("thumbnail", "full"):
        missing = shows - set(taken.longest)
        expect_true(f"no picture by {missing}", not missing)
    if permission != "metadata":
        missing = {"list_screenshots", "contact_sheet"} - taken.titles
        expect_true(f"no title by {missing}", not missing)


def misspelt(squint, _jpegs):
    """An unknown permission is an error at the start."""
    with tempfile.TemporaryDirectory(prefix="squint-privacy-") as home:
        for option in "--archive", "--manictime":
            ran = subprocess.run([squint, "mcp", option, "past=metdata"],
                                 stdin=subprocess.DEVNULL, cwd=home,
                                 env=clean_environment(home), text=True,
                                 capture_output=True, check=False)
            expect_true(f"{option} past=metdata starts", ran.returncode != 0)
            expect_true(ran.stderr, "metdata" in ran.stderr)
            for word in PERMISSIONS:
                expect_true(f"{word} not in {ran.stderr}", word in ran.stderr)


def capitals(squint, jpegs):
    """Permissions may be written in upper or lower case."""
    walk(squint, jpegs, "METADATA")


if __name__ == "__main__":
    program = str(pathlib.Path(sys.argv[1]).resolve())
    sys.exit(run_all(
        [named(f"what {word} lets out", walk, word) for word in PERMISSIONS]
        + [misspelt, capitals],
        program, {size: encode(program, size) for size in (SIZE, THUMB)}))
