#!/usr/bin/env python3
"""tasks.py SQUINT [adb]: twenty tasks, performed with information from answers
only, on the built-in phone; with adb some of them, on the demo phone with the
real adb, whose elements take long to list.

Every call must be accepted, and the result of each task is checked. As a
module, play() returns the cost of the tasks: calls, texts, tokens of pictures.
"""

import base64
import contextlib
import datetime
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "../support"))
# pylint: disable=wrong-import-position
from demo_phone import Adb, Phone, find_adb
from past_folders import FULL, THUMB_SIDE, png_chunk, put_shots
from picture_size import picture_size
from squint_server import SLOWNESS_NAME, Server, ServerError

NOW = datetime.date.today()
YESTERDAY = NOW - datetime.timedelta(days=1)
ACTIVITIES = [("08:00", "09:00", "Mail - Inbox"),
              ("09:00", "10:30", "Editor - report.txt"),
              ("10:30", "11:00", "Shop - Studio headphones"),
              ("11:00", "12:00", "Calendar - Week 3")]


class Session:
    """The calls and answers of one task with any server."""

    def __init__(self, name, server):
        self.name = name
        self.server = server
        self.calls = 0
        self.refused = 0
        self.sent = []  # arguments
        self.texts = []  # of answers
        self.image_tokens = 0
        self.picture = None  # bytes of the latest picture

    def ask(self, tool, arguments):
        """Call a tool that must succeed; returns the text of its answer, and
        its pictures."""
        result = self.server.call(tool, **arguments)
        self.calls += 1
        self.sent.append(json.dumps({"name": tool, "arguments": arguments},
                                    ensure_ascii=False,
                                    separators=(",", ":")))
        text, pictures = "{}", []
        for block in result["content"]:
            if block["type"] == "text":
                text = block["text"]
                self.texts.append(text)
            elif block["type"] == "image":
                self.picture = base64.b64decode(block["data"])
                pictures.append(self.picture)
        if result.get("isError"):
            self.refused += 1
            raise ServerError(f"{self.name}: {tool} {arguments}: {text}")
        return text, pictures


class Task(Session):
    """One task with squint."""

    def call(self, tool, /, **arguments):
        """Call a tool; returns the JSON of its text."""
        text, pictures = self.ask(tool, arguments)
        self.image_tokens += sum(map(picture_tokens, pictures))
        return json.loads(text)

    def ui(self, operation, /, **arguments):
        """An operation of ui."""
        return self.call("ui", operation=operation, **arguments)

    def find(self, text, **more):
        """The elements that contain a text."""
        return self.ui("find", textContains=text, **more)["elements"]

    def rows(self, receipt):
        """The rows of the screen after an action: of its receipt, or asked."""
        return receipt.get("elements") or self.ui("dump")["elements"]

    def expect(self, receipt, text):
        """The screen shows a text: the receipt says so, or a list does."""
        seen = words_of(receipt)
        if text not in seen:
            seen = words_of(self.ui("dump"))
        assert text in seen, (text, receipt)


def picture_tokens(picture):
    """The tokens of a picture, in patches of 28x28 pixels."""
    _, width, height = picture_size(picture)
    return -(-width // 28) * -(-height // 28)


def words_of(receipt):
    """What a receipt says that is there now: words or rows."""
    return " ".join(receipt.get("now", []) + receipt.get("elements", []))


def label_of(rows, *words):
    """The label of the element whose row contains these words of the task."""
    found = [row for row in rows
             if all(word in row.lower() for word in words)]
    assert found, (words, rows)
    return found[0].split(" ", 3)[3]


def log_in(task):
    """Sign in, and see the greeting."""
    rows = task.rows(task.ui("launch", app="Login"))
    done = task.ui("steps", steps=[
        {"operation": "input", "text": "Ada",
         "selector": label_of(rows, "edittext", "user")},
        {"operation": "input", "text": "s3cret",
         "selector": label_of(rows, "edittext", "password")},
        {"operation": "tap", "selector": label_of(rows, "button", "sign in")}])
    task.expect(done["steps"][2], "Welcome, Ada")


def fill_cart(task):
    """Put two things into the cart: a mug and headphones."""
    task.ui("launch", app="Shop")
    offers = texts_of(task.find("cart"))
    steps = [{"operation": "tap", "selector": next(o for o in offers
                                                   if thing in o)}
             for thing in ("mug", "headphones")]
    done = task.ui("steps", steps=steps)
    task.expect(done["steps"][1], " 2")


def texts_of(elements):
    """The labels of elements, which are objects or rows."""
    return [e["text"] if isinstance(e, dict) else e.split(" ", 3)[3]
            for e in elements]


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
    task.ui("launch", app="Settings", receipt="none")
    expect_on(task, task.ui("tap", textContains="Dark theme", scroll=True),
              "Dark theme")


def expect_on(task, receipt, label):
    """A switch is on: the receipt says so, or the row after its label does."""
    if "checked" not in receipt["element"]:
        rows = task.ui("dump")["elements"]
        at = next(i for i, row in enumerate(rows) if label in row)
        assert "Switch:checked" in rows[at + 1], rows[at:at + 2]
    else:
        assert receipt["element"]["checked"] is True


def look_at(squint, picture, size="--raw"):
    """The rows of pixels of a picture, as a model would see it."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "in").write_bytes(picture)
        subprocess.run([squint, "scale", folder / "in", "-o",
                        folder / "out.png", size], check=True,
                       stdout=subprocess.DEVNULL)
        width, pixels = read_png((folder / "out.png").read_bytes())
    return [pixels[at:at + width] for at in range(0, len(pixels), width)]


def points_of(rows, is_colour):
    """The points that have a colour, from the top."""
    return [(x, y) for y, row in enumerate(rows)
            for x, pixel in enumerate(row) if is_colour(*pixel)]


def find_disc(rows):
    """The position of a red disc."""
    points = points_of(rows, lambda r, g, b: r > 225 and 80 < g < 135
                       and 80 < b < 135)
    # The middle of the first connected rows: discs do not touch.
    top = min(y for _, y in points)
    near = [p for p in points if p[1] - top < 40
            and abs(p[0] - next(x for x, y in points if y == top)) < 40]
    return (sum(x for x, _ in near) // len(near),
            sum(y for _, y in near) // len(near))


def runs_of(numbers):
    """Sorted numbers as lists of consecutive ones."""
    runs = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def read_score(rows):
    """The last digit of the largest white text at the top: 0 has two strokes
    in the middle, 1 has one; other digits are not distinguished."""
    white = points_of(rows[:len(rows) // 8], lambda *rgb: min(rgb) > 180)
    lines = max(runs_of(y for _, y in white), key=len)
    digit = runs_of(x for x, y in white if y in lines)[-1]
    middle = lines[len(lines) // 2]
    strokes = len(runs_of(x for x, y in white if y == middle and x in digit))
    return {2: 0, 1: 1}.get(strokes)


def play_game(task):
    """Hit a disc on a canvas that has no elements, and see the score."""
    task.ui("launch", app="Game", receipt="none")
    task.ui("screenshot", budgetTokens=300)
    before = look_at(task.server.squint, task.picture)
    assert read_score(before) == 0
    x, y = find_disc(before)
    assert task.ui("tap", x=x, y=y, look=True)["changed"]
    assert read_score(look_at(task.server.squint, task.picture)) == 1


def read_vault(task):
    """Read the balance on a page that cannot be captured."""
    task.expect(task.ui("launch", app="Secure"), "$12,480.50")


def turn_and_back(task):
    """Rotate the phone and back."""
    task.ui("launch", app="Rotate", receipt="none")
    for _ in range(2):
        turned = task.ui("tap", textContains="Landscape")
        if turned.get("changed") is False:  # the phone of a busy machine is late
            turned = task.ui("wait", until="change")
            assert turned.get("sinceLastAction"), turned
        else:
            assert "turned" in turned.get("note", ""), turned


def open_about(task):
    """Read the model on a page at the end of a list."""
    task.ui("launch", app="Settings", receipt="none")
    found = task.ui("tap", textContains="About phone", scroll=True)
    assert found["scrolled"]["direction"] == "down"
    task.expect(found, "squint demo phone")


def back_up(task):
    """Switch something on that is far down a list, and find its end."""
    task.ui("launch", app="Settings", receipt="none")
    seen = task.ui("scroll", until="Backup")
    assert seen["scrolled"]["stopped"] == "found"
    expect_on(task, task.ui("tap", textContains="Backup"), "Backup")
    assert task.ui("scroll", until="end")["scrolled"]["stopped"] == "end"


def correct_name(task):
    """Look for a label with a mistake, and use the similar one."""
    task.ui("launch", app="Settings", receipt="none")
    near = task.ui("find", text="Aeroplane moed")
    first = near["near"][0]
    index = first["index"] if isinstance(first, dict) else first.split(" ")[0]
    hit = task.ui("tap", elementIndex=int(index))
    assert "Aeroplane" in hit["element"]["label"]


def recover(task):
    """Sign in without a password, read why not, and do it right."""
    task.ui("launch", app="Login", receipt="none")
    refused = task.ui("tap", text="Sign in")
    task.expect(refused, "Enter your username and password")
    done = task.ui("steps", steps=[
        {"operation": "input", "text": "Ada", "selector": "Username"},
        {"operation": "input", "text": "pw", "selector": "Password"},
        {"operation": "tap", "selector": "Sign in"}])
    task.expect(done["steps"][2], "Welcome, Ada")


def wait_for_late(task):
    """An app that reacts late: wait until something has changed."""
    task.ui("launch", app="Settings", receipt="none")
    task.ui("tap", textContains="Aeroplane", receipt="none")
    later = task.ui("wait", until="change")
    assert later.get("changed") or later.get("sinceLastAction"), later


def answer_dialog(task):
    """Delete files: read what a dialog asks, and confirm it."""
    task.ui("launch", app="Settings", receipt="none")
    asked = task.ui("tap", textContains="Storage", scroll=True)
    rows = task.rows(asked)
    assert any("Delete old downloads?" in row for row in rows), rows
    done = task.ui("tap", selector=label_of(rows, "button", "delete"))
    task.expect(done, "3.4 GB are free again")


def use_two_apps(task):
    """Carry a price from one app to a field of another."""
    task.ui("launch", app="Shop", receipt="none")
    price = texts_of(task.find("House plant"))[0].split(", ")[-1]
    task.ui("launch", app="Login", receipt="none")
    typed = task.ui("input", text=price, selector="Username")
    assert price == "$18.00"
    if typed.get("field", {}).get("text") != price:
        task.expect({}, price)


def see_list(task):
    """Do several things, and see the list at the end once."""
    done = task.ui("steps", elements=True, steps=[
        {"operation": "launch", "app": "Shop", "receipt": "none"},
        {"operation": "tap", "selector": "Audio"}])
    labels = " ".join(done["elements"])
    assert "Room speaker" in labels and "House plant" not in labels


def read_detail(task):
    """Look closer at a part of the screen."""
    task.ui("launch", app="Settings", receipt="none")
    shown = task.ui("screenshot")
    task.ui("screenshot", screenshotId=shown["screenshotId"],
            region={"x": 0, "y": 0, "width": 440, "height": 200})
    assert task.picture


def save_favourite(task):
    """Find something in a list that scrolls, then come back."""
    task.ui("launch", app="Shop", receipt="none")
    seen = task.ui("scroll", until="Room speaker")
    assert seen["scrolled"]["stopped"] == "found"
    top = task.ui("scroll", direction="up", until="Studio headphones")
    assert top["scrolled"]["stopped"] == "found"


def is_tag(red, green, blue):
    """The colour of a price tag."""
    return red > 150 and green < 90 and blue < 90


def read_price(task):
    """Read a detail of a past picture."""
    sheet = task.call("contact_sheet", startDate=f"{YESTERDAY}T10:30",
                      endDate=f"{YESTERDAY}T11:00", maxCount=4,
                      budgetTokens=300)
    assert sheet["columns"] == len(sheet["cells"]) == 1, sheet
    cell = next(int(row.split()[0]) for row in sheet["cells"]
                if "Studio headphones" in row)
    seen = look_at(task.server.squint, task.picture)
    tag = points_of(seen, is_tag)
    # A part in percent, with a margin: the cell also has a caption.
    left = max(0, min(x for x, _ in tag) * 100 // len(seen[0]) - 10)
    top = max(0, min(y for _, y in tag) * 100 // len(seen) - 10)
    task.call("crop_screenshot", cell=cell, x=left, y=top, width=50,
              height=25)
    assert read_tag(look_at(task.server.squint, task.picture)) == PRICE


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
         ("a window before the archive", look_too_early),
         ("a page at the end of a list", open_about),
         ("a switch far down a list", back_up),
         ("a label with a mistake", correct_name),
         ("a refused form, corrected", recover),
         ("an app that reacts late", wait_for_late),
         ("a dialog", answer_dialog), ("two apps", use_two_apps),
         ("several steps and a list", see_list),
         ("a detail of the screen", read_detail),
         ("down a list and up again", save_favourite)]
# The live tasks that the first releases were measured with.
FIRST_LIVE = ("log in", "two items into the cart",
              "dark theme on and verified", "score in the game",
              "vault balance", "rotate and come back")
LATE = "an app that reacts late"
LATE_MS = 1200
ARCHIVE = ("the screen at 10:00 yesterday", "yesterday at a glance",
           "the price in a past picture", "a window before the archive")
ON_ADB = (*FIRST_LIVE, "a refused form, corrected", "a dialog")
# A phone on which receipts do not list the elements.
SLOW_LISTS = ("--delay", "uiautomator=600")


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


# The strokes of digits as a pocket calculator shows them, each a rectangle of a
# digit of 3x5 squares: left, top, width, height.
STROKES = [(0, 0, 3, 1), (0, 0, 1, 3), (2, 0, 1, 3), (0, 2, 3, 1),
           (0, 2, 1, 3), (2, 2, 1, 3), (0, 4, 3, 1)]
DIGITS = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011",
          "1101111", "1010010", "1111111", "1111011"]
SQUARE = 8
PRICE = str(100 + YESTERDAY.day)


def squares_of(digit):
    """Which of the 3x5 squares of a digit are filled."""
    return {(x, y) for used, (left, top, width, height)
            in zip(DIGITS[digit], STROKES) if used == "1"
            for x in range(left, left + width)
            for y in range(top, top + height)}


def page_with_price():
    """A white page with a red tag on which the price stands; PNG."""
    width, height = FULL
    rows = [bytearray(b"\xff" * width * 3) for _ in range(height)]

    def fill(left, top, columns, lines, colour):
        for row in rows[top:top + lines]:
            row[left * 3:(left + columns) * 3] = bytes(colour) * columns

    x, y = 200, 160
    fill(x - SQUARE, y - SQUARE, (4 * len(PRICE) + 1) * SQUARE, 7 * SQUARE,
         (200, 20, 20))
    for place, digit in enumerate(PRICE):
        for column, line in squares_of(int(digit)):
            fill(x + (4 * place + column) * SQUARE, y + line * SQUARE, SQUARE,
                 SQUARE, (255, 255, 255))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
            + png_chunk(b"IDAT", body) + png_chunk(b"IEND", b""))


def read_tag(rows):
    """The digits on the red tag of a picture at its native size."""
    tag = points_of(rows, is_tag)
    left = min(x for x, _ in tag) + SQUARE
    right = max(x for x, _ in tag) + 1
    top = min(y for _, y in tag) + SQUARE
    text = ""
    for start in range(left, right, 4 * SQUARE):
        filled = {(x, y) for x in range(3) for y in range(5)
                  if rows[top + y * SQUARE + SQUARE // 2]
                  [start + x * SQUARE + SQUARE // 2][1] > 128}
        text += next((str(d) for d in range(10) if squares_of(d) == filled),
                     "?")
    return text


def fill_archive(squint, home):
    """A day of shots, and a table of activities; some show a price."""
    folder = pathlib.Path(home, "past", str(YESTERDAY))
    put_shots(squint, folder, f"{YESTERDAY}T08:00:00", 240, 60)
    page = pathlib.Path(home, "page.png")
    page.write_bytes(page_with_price())
    for end, size in (("_0.jpg", "--raw"), (".thumbnail.jpg",
                                            f"--max-dimension={THUMB_SIDE}")):
        made = pathlib.Path(home, "page.jpg")
        subprocess.run([squint, "scale", page, "-o", made, size], check=True,
                       stdout=subprocess.DEVNULL)
        for shot in folder.glob(f"{YESTERDAY}_10-[345]*{end}"):
            shot.write_bytes(made.read_bytes())
    rows = [f"{YESTERDAY}T{start}:00,{YESTERDAY}T{end}:00,{label}"
            for start, end, label in ACTIVITIES]
    pathlib.Path(home, "day.csv").write_text(
        "start,end,label\n" + "\n".join(rows) + "\n", encoding="utf-8")


class OverAdb:
    """The demo phone on the real adb, for one server after the other."""

    def __init__(self, adb, phone):
        self.adb, self.phone = adb, phone
        self.env = {"SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{adb.port}",
                    SLOWNESS_NAME: "1"}

    def prepare(self, name):
        """The state in which a task begins."""
        late_ms = LATE_MS if name == LATE else 0
        for command in ("squint-reset", f"squint-delay reaction={late_ms}"):
            self.adb.output("shell", command, serial=self.phone.address)


@contextlib.contextmanager
def phone_on_adb(squint, *flags):
    """A phone for play()."""
    with Adb() as adb, Phone(squint, *flags) as phone:
        adb.connect(phone)
        yield OverAdb(adb, phone)


def play(squint, replies="short", phone=None, names=None):
    """Run all or some tasks, each with its own server; yields them. On a phone
    on adb only those that need one."""
    past = ["--archive", "past", "--activity", "csv", "--activity-path",
            "day.csv", "--time-zone", "UTC-1"]
    for name, steps in TASKS:
        if (phone and name in ARCHIVE) or (names and name not in names):
            continue
        if phone:
            phone.prepare(name)
        more = (past if name in ARCHIVE else
                ["--demo-reaction", str(LATE_MS)] if name == LATE else [])
        with Server([squint, "mcp", "--replies", replies, *more],
                    env=phone and phone.env,
                    prepare=lambda home: name in ARCHIVE
                    and fill_archive(squint, home)) as server:
            server.squint = squint
            server.initialize()
            task = Task(name, server)
            steps(task)
            yield task


def report(tasks, count):
    """Report as TAP; returns the exit status."""
    print(f"1..{count}")
    number = 0
    try:
        for number, task in enumerate(tasks, 1):
            print(f"# {task.calls} calls, {sum(map(len, task.texts))} bytes of "
                  f"text, {task.image_tokens} tokens of pictures")
            print(f"ok {number} {task.name}")
    except (AssertionError, ServerError, KeyError) as error:
        print(f"# {error!r}\nnot ok {number + 1}")
        return 1
    return 0


def main(squint, where=None):
    """Play on one of the phones."""
    if not where:
        return report(play(squint), len(TASKS))
    if not find_adb():
        print("1..0 # SKIP adb is not installed")
        return 0
    with phone_on_adb(squint, *SLOW_LISTS) as phone:
        return report(play(squint, phone=phone, names=ON_ADB), len(ON_ADB))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
