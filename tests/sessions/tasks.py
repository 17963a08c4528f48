#!/usr/bin/env python3
"""tasks.py SQUINT: ten tasks, performed with information from answers only.

Every call must be accepted, and the result of each task is checked. As a
module, play() returns the cost of the tasks: calls, texts, tokens of pictures.
"""

import base64
import datetime
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "../support"))
# pylint: disable=wrong-import-position
from past_folders import put_shots
from squint_server import Server, ServerError

NOW = datetime.date.today()
YESTERDAY = NOW - datetime.timedelta(days=1)
ACTIVITIES = [("08:00", "09:00", "Mail - Inbox"),
              ("09:00", "10:30", "Editor - report.txt"),
              ("10:30", "11:00", "Shop - Studio headphones"),
              ("11:00", "12:00", "Calendar - Week 3")]


class Task:
    """The calls and answers of one task."""

    def __init__(self, name, server):
        self.name = name
        self.server = server
        self.calls = 0
        self.texts = []
        self.image_tokens = 0
        self.picture = None  # bytes of the latest picture

    def call(self, tool, /, **arguments):
        """Call a tool that must succeed; returns the JSON of its text."""
        result = self.server.call(tool, **arguments)
        self.calls += 1
        answer = {}
        for block in result["content"]:
            if block["type"] == "text":
                self.texts.append(block["text"])
                answer = self.server.json_of(block)
            elif block["type"] == "image":
                self.picture = base64.b64decode(block["data"])
        if result.get("isError"):
            raise ServerError(f"{self.name}: {tool} {arguments}: {answer}")
        shown = answer.get("picture", answer)
        shown = shown.get("visualFallback", shown)
        if any(b["type"] == "image" for b in result["content"]):
            self.image_tokens += shown["tokens"]
        return answer

    def ui(self, operation, /, **arguments):
        """An operation of ui."""
        return self.call("ui", operation=operation, **arguments)

    def find(self, text, **more):
        """The elements that contain a text."""
        return self.ui("find", textContains=text, **more)["elements"]


def log_in(task):
    """Sign in, and see the greeting."""
    task.ui("launch", app="Login")
    task.ui("input", text="Ada", selector="Username")
    field = task.ui("input", text="s3cret", selector="Password")["field"]
    assert field["characters"] == 6
    assert task.ui("tap", selector="Sign in")["changed"]
    assert task.ui("wait", text="Welcome, Ada")["found"]


def fill_cart(task):
    """Put two things into the cart."""
    task.ui("launch", app="Shop")
    found = task.ui("find", contentDesc="Add mug to cart")["elements"]
    first = task.ui("tap", elementIndex=found[0]["index"])
    assert first["element"]["label"] == "Add mug to cart"
    second = task.ui("tap", selector="Add headphones to cart",
                     receipt="full")
    assert any("2" in row and "art" in row for row in second["elements"])


def see_ten_o_clock(task):
    """Find what was on the screen at ten yesterday."""
    listed = task.call("list_screenshots", startDate=f"{YESTERDAY}T09:58",
                       endDate=f"{YESTERDAY}T10:02", maxCount=1)
    shot = listed["screenshots"][0]
    assert shot["activity"].startswith("Editor")
    seen = task.call("get_screenshot", screenshotRef=shot["screenshotRef"])
    assert seen["displayLocalTime"].startswith(str(YESTERDAY))


def see_yesterday(task):
    """Get an overview of yesterday."""
    sheet = task.call("contact_sheet", startDate=str(YESTERDAY),
                      endDate=str(YESTERDAY))
    for _, _, activity in ACTIVITIES:
        assert any(activity in cell for cell in sheet["cells"]), sheet


def turn_dark(task):
    """Switch on the dark theme, and verify it."""
    task.ui("launch", app="Settings")
    receipt = task.ui("tap", textContains="Dark theme")
    assert receipt["element"]["checked"] is True


def find_disc(squint, jpeg):
    """The position of a red disc in a picture, as a model would see it."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in.jpg").write_bytes(jpeg)
        subprocess.run([squint, "scale", folder / "in.jpg", "-o",
                        folder / "out.png", "--raw"], check=True,
                       stdout=subprocess.DEVNULL)
        width, pixels = read_png((folder / "out.png").read_bytes())
    points = [(at % width, at // width) for at, (r, g, b) in enumerate(pixels)
              if r > 225 and 80 < g < 135 and 80 < b < 135]
    # The middle of the first connected rows: discs do not touch.
    top = min(y for _, y in points)
    near = [p for p in points if p[1] - top < 40
            and abs(p[0] - next(x for x, y in points if y == top)) < 40]
    return (sum(x for x, _ in near) // len(near),
            sum(y for _, y in near) // len(near))


def play_game(task):
    """Hit a disc on a canvas that has no elements, and see the score."""
    task.ui("launch", app="Game")
    task.ui("screenshot")
    x, y = find_disc(task.server.squint, task.picture)
    assert task.ui("tap", x=x, y=y, look=True)["changed"]


def read_vault(task):
    """Read the balance on a page that cannot be captured."""
    task.ui("launch", app="Vault")
    rows = task.ui("dump")["elements"]
    assert any("$12,480.50" in row for row in rows)


def turn_and_back(task):
    """Rotate the phone and back."""
    task.ui("launch", app="Rotate")
    task.ui("tap", textContains="Landscape")
    wide = task.ui("screenshot", maxDimension=300)["device"]
    assert wide["width"] > wide["height"]
    task.ui("tap", textContains="Landscape")
    tall = task.ui("screenshot", maxDimension=300)["device"]
    assert tall["height"] > tall["width"]


def read_price(task):
    """Read a detail of a past picture."""
    sheet = task.call("contact_sheet", startDate=f"{YESTERDAY}T10:30",
                      endDate=f"{YESTERDAY}T11:00", maxCount=4,
                      budgetTokens=300)
    cell = next(int(row.split()[0]) for row in sheet["cells"]
                if "Studio headphones" in row)
    task.call("crop_screenshot", cell=cell, x=25, y=25, width=50, height=25)


def look_too_early(task):
    """A time window before the oldest shot."""
    empty = task.call("list_screenshots", startDate="2001-01-01",
                      endDate="2001-01-02")
    assert empty["screenshots"] == []
    assert empty["diagnostics"]["reasonCode"]


TASKS = [("log in", log_in), ("two items into the cart", fill_cart),
         ("the screen at 10:00 yesterday", see_ten_o_clock),
         ("yesterday at a glance", see_yesterday),
         ("dark theme on and verified", turn_dark),
         ("score in the game", play_game), ("vault balance", read_vault),
         ("rotate and come back", turn_and_back),
         ("the price in a past picture", read_price),
         ("a window before the archive", look_too_early)]


def read_png(data):
    """The width and all pixels of a PNG of 8 bits RGB, unfiltered by hand."""
    width, height = struct.unpack(">II", data[16:24])
    assert data[24:26] == b"\x08\x02", "8 bits, RGB"
    body, at = b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    raw, stride = zlib.decompress(body), width * 3
    last, pixels = bytearray(stride), []
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(raw[start + 1:start + 1 + stride])
        unfilter(raw[start], line, last)
        pixels += zip(line[0::3], line[1::3], line[2::3])
        last = line
    return width, pixels


def unfilter(kind, line, last):
    """Undo one of PNG's filters in place."""
    for i, value in enumerate(line):
        left = line[i - 3] if i >= 3 else 0
        corner = last[i - 3] if i >= 3 else 0
        guess = left + last[i] - corner
        paeth = min((left, last[i], corner), key=lambda x: abs(guess - x))
        line[i] = (value + (0, left, last[i], (left + last[i]) // 2,
                            paeth)[kind]) & 255


def fill_archive(squint, home):
    """A day of shots, and a table of activities."""
    put_shots(squint, pathlib.Path(home, "past", str(YESTERDAY)),
              f"{YESTERDAY}T08:00:00", 240, 60)
    rows = [f"{YESTERDAY}T{start}:00,{YESTERDAY}T{end}:00,{label}"
            for start, end, label in ACTIVITIES]
    pathlib.Path(home, "day.csv").write_text(
        "start,end,label\n" + "\n".join(rows) + "\n", encoding="utf-8")


def play(squint):
    """Run all tasks, each with its own server; yields them."""
    argv = [squint, "mcp", "--archive", "past", "--activity", "csv",
            "--activity-path", "day.csv", "--time-zone", "UTC-1"]
    for name, steps in TASKS:
        with Server(argv, prepare=lambda home: fill_archive(squint, home)
                    ) as server:
            server.squint = squint
            server.initialize()
            task = Task(name, server)
            steps(task)
            yield task


def main(squint):
    """Report as TAP."""
    print(f"1..{len(TASKS)}")
    failed = 0
    tasks = play(squint)
    for number, (name, _) in enumerate(TASKS, 1):
        try:
            task = next(tasks)
        except (AssertionError, ServerError, KeyError) as error:
            failed += 1
            print(f"# {error!r}\nnot ok {number} {name}")
            break
        print(f"# {task.calls} calls, {sum(map(len, task.texts))} bytes of "
              f"text, {task.image_tokens} tokens of pictures")
        print(f"ok {number} {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
