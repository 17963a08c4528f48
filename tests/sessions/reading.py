#!/usr/bin/env python3
"""reading.py SQUINT: what reading text costs a server, and the index of the
texts of past screenshots; TAP. Skipped if Tesseract is not installed, or if the
system cannot confine a process."""

import datetime
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "terminal")]

# pylint: disable=wrong-import-position
from cases import expect, run_in_folders
from children import is_helper
from sandbox import end_without_reading
from squint_server import PATIENCE, Server, clean_environment
from terminal import SIXEL, Terminal

DAY = "2026-01-15"
SURE = 75  # percent
SMALL = {"SQUINT_DEMO_WIDTH": "360", "SQUINT_DEMO_HEIGHT": "640",
         "SQUINT_DEMO_DENSITY": "1.25"}
# Each shows a word that no other one has.
APPS = {"settings": "mobile", "login": "password", "shop": "headphones"}
INTERRUPTED = 130
WITHOUT = b"this squint was built without Tesseract"
ATTEMPTS = 5


class Home:
    """A home folder, and squint in it."""

    def __init__(self, squint, folder):
        self.squint = os.path.abspath(squint)
        self.folder = pathlib.Path(folder)
        self.env = {**clean_environment(folder), **SMALL,
                    "SQUINT_ARCHIVE_ROOTS": str(self.folder / "past"),
                    "SQUINT_ARCHIVE_TIME_ZONE": "UTC"}

    def run(self, *words):
        """Run squint; returns the CompletedProcess."""
        return subprocess.run([self.squint, *words], cwd=self.folder,
                              env=self.env, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=PATIENCE)

    def json(self, *words, status=0):
        """The JSON that squint prints; it ends with that status."""
        done = self.run(*words, "--json")
        expect(f"status of {words}: {done.stderr!r}", done.returncode, status)
        return json.loads(done.stdout)

    def show(self, app):
        """Open an app of the phone."""
        self.run("launch", f"com.squint.demo.{app}", "--receipt", "none")

    def put_pictures(self):
        """One picture of each app."""
        past = self.folder / "past" / DAY
        past.mkdir(parents=True)
        for number, app in enumerate(APPS):
            self.show(app)
            self.run("screenshot", "-o", "shot.jpg", "--raw")
            shutil.move(self.folder / "shot.jpg", past / (
                f"{DAY}_10-{number:02}-00_00-00_360_640_{number}_0.jpg"))

    def pages(self):
        """The number of pictures in the index."""
        for path in self.folder.rglob("*.db"):
            try:
                with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as base:
                    return base.execute("SELECT count(*) FROM page"
                                        ).fetchone()[0]
            except sqlite3.Error:
                pass
        return 0


def children_of(pid):
    """The processes that a process has started."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        found += [pid for pid in (task / "children").read_text().split()
                  if not is_helper(pid)]
    return found


def libraries_of(pid):
    """The names of the recogniser's libraries that a process has loaded."""
    maps = pathlib.Path(f"/proc/{pid}/maps").read_text()
    return {name for name in ("libtesseract", "liblept") if name in maps}


def off_costs_nothing(home):
    """Without both options no process is started and nothing is loaded."""
    for flags, is_on in (((), False), (("--ocr-enabled",), True)):
        with Server([home.squint, "mcp", *flags], env=SMALL) as server:
            server.initialize()
            pid = server.process.pid
            server.ui("screenshot")
            server.ui("launch", packageName="com.squint.demo.game",
                      receipt="full")
            reply = server.ui("find", selector={"text": "Tap the discs"})
            expect("found", reply["count"], int(is_on))
            expect("processes", len(children_of(pid)) > 0, is_on)
            expect("libraries", libraries_of(pid), set())
            expect("tiers", "tier" in reply, is_on)


def pictures_are_found_without_a_process(home):
    """Remembering and finding one needs no recogniser."""
    with Server([home.squint, "mcp", "--template-matching-enabled"],
                env={**SMALL, "XDG_STATE_HOME": str(home.folder)}) as server:
        server.initialize()
        server.ui("launch", packageName="com.squint.demo.login",
                  receipt="none")
        region = {"x": 24, "y": 200, "width": 120, "height": 65}
        server.ui("screenshot")
        kept = server.ui("remember", name="title", region=region)
        expect("beside", "beside" in kept["remembered"][0], False)
        expect("found", server.ui("find", selector={"text": "title"})["tier"],
               "image")
        expect("processes", children_of(server.process.pid), [])


def expect_low_priority(pid):
    """Of a process and those it started, unless they have ended by now."""
    try:
        priorities = {os.getpriority(os.PRIO_PROCESS, int(one))
                      for one in (pid, *children_of(pid))}
    except (FileNotFoundError, ProcessLookupError):
        return
    expect(f"low priority: {priorities}", min(priorities) > 0, True)


def start_and_interrupt(home):
    """Returns the JSON of an index command that got Ctrl-C after the first
    picture, or None if it was faster."""
    with subprocess.Popen([home.squint, "archive", "index", "--json"],
                          cwd=home.folder, env=home.env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + PATIENCE
        while home.pages() == 0 and process.poll() is None:
            expect("in time", time.monotonic() < deadline, True)
        expect_low_priority(process.pid)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    if process.returncode == 0:
        return None
    expect("status", process.returncode, INTERRUPTED)
    return json.loads(out)


def index_goes_on_after_ctrl_c(home):
    """What was read is kept; the next run reads the rest."""
    home.put_pictures()
    for _ in range(ATTEMPTS):
        first = start_and_interrupt(home)
        if first:
            break
        home.run("archive", "index", "--delete")
    expect("interrupted", first["interrupted"], True)
    done = home.pages()
    expect("a part", 0 < done < len(APPS), True)
    second = home.json("archive", "index")
    expect("known", second["known"], done)
    expect("the rest", second["read"] + second["alike"], len(APPS) - done)
    third = home.json("archive", "index")
    expect("again", (third["known"], third["read"]), (len(APPS), 0))
    for number, word in enumerate(APPS.values()):
        hits = home.json("search", word)["hits"]
        expect(word, [hit["displayLocalTime"] for hit in hits],
               [f"{DAY} 10:{number:02}:00"])
    expect("absent", home.json("search", "zebra", status=1)["hits"], [])
    says_how_many_activities_were_added(home)
    shows_what_it_finds(home)


def says_how_many_activities_were_added(home):
    """To pictures that were read before there were activities."""
    (home.folder / "activities.csv").write_text(
        "start,end,label\n"
        f"{DAY}T10:00:00Z,{DAY}T10:01:30Z,Mail\n")
    home.env |= {"SQUINT_ARCHIVE_ACTIVITY": "csv",
                 "SQUINT_ARCHIVE_ACTIVITY_PATH": "activities.csv"}
    done = home.run("archive", "index")
    expect(f"row: {done.stdout!r}",
           b"  activities   2 that were added" in done.stdout, True)
    again = home.json("archive", "index")
    expect("again", (again["activitiesAdded"], again["read"]), (0, 0))


def shows_what_it_finds(home):
    """On a terminal, with --show, below the hits."""
    terminal = Terminal(home.squint, str(home.folder))
    terminal.answer = SIXEL
    terminal.variables = home.env
    for words, pictures in (("search", "mobile", "--show"), 1), \
                           (("search", "mobile"), 0), \
                           (("search", "zebra", "--show"), 0):
        status, out = terminal.run(*words)
        expect(f"status of {words}: {out!r}", status, int("zebra" in words))
        expect(f"pictures of {words}", out.count(b"\x1bP"), pictures)
    expect("hits", b"Mobile data" in terminal.run("search", "mobile")[1], True)


def recordings_are_read(home):
    """With --index each picture is found immediately, without it none."""
    home.show("settings")
    (home.folder / "past").mkdir()
    expect("status", home.run("record", "--count", "1").returncode, 0)
    expect("pages", home.pages(), 0)
    home.show("login")
    done = home.run("record", "--count", "1", "--index", "--ocr-language",
                    "eng", "--activity", "none")
    expect(f"status: {done.stderr!r}", done.returncode, 0)
    today = datetime.datetime.now(datetime.timezone.utc)
    hits = home.json("search", "password")["hits"]
    expect("day", [hit["displayLocalTime"][:7] for hit in hits],
           [f"{today:%Y-%m}"])
    # A folder that is no archive yet needs no second option.
    done = home.run("record", "--count", "1", "--index", "--into", "elsewhere")
    expect(f"status: {done.stderr!r}", done.returncode, 0)
    hits = home.json("search", "password", "--archive", "elsewhere")["hits"]
    expect("hits elsewhere", len(hits), 1)


def recordings_hide_text(home):
    """A pattern is hidden in the file, and what is beside it is not."""
    home.show("login")
    done = home.run("record", "--count", "1", "--into", "past",
                    "--ocr-enabled", "--ocr-language", "eng",
                    "--redact-patterns", "Welcome")
    expect(f"status: {done.stderr!r}", done.returncode, 0)
    files = [str(path) for path in (home.folder / "past").rglob("*.jpg")
             if "thumbnail" not in path.name]
    expect("files", len(files), 1)
    text = home.run("ocr", files[0]).stdout.decode()
    expect(f"hidden in {text!r}", "Welcome" in text, False)
    expect(f"shown in {text!r}", "Remember" in text, True)


BOX = ["x", "y", "width", "height"]


def files_are_read_and_searched(home):
    """With the members and boxes that docs/vision.md names."""
    home.show("login")
    home.run("screenshot", "-o", "shot.png", "--raw")
    reply = home.json("ocr", "shot.png", "--region", "0,200,360,65")
    expect("members", sorted(reply), ["image", "lines", "words"])
    expect("image", reply["image"], {"width": 360, "height": 640})
    words, lines = reply["words"], reply["lines"]
    expect("words", [word["text"] for word in words], ["Welcome", "back"])
    expect("lines", [line["text"] for line in lines], ["Welcome back"])
    for word in words:
        expect("word", list(word), ["text", *BOX, "confidence"])
        expect("sure", 75 <= word["confidence"] <= 100, True)
    expect("line", list(lines[0]), ["text", *BOX])
    (match,) = home.json("find-text", "welcome BACK", "shot.png")["matches"]
    expect("match", list(match), ["text", *BOX, "centerX", "centerY", "score",
                                   "confidence", "line"])
    expect("place", [match[name] for name in ("x", "y", "width", "score")],
           [words[0]["x"], words[0]["y"],
            words[1]["x"] + words[1]["width"] - words[0]["x"], 1])
    part = [words[0][name] for name in BOX]
    home.run("scale", "shot.png", "-o", "part.png", "--region",
             ",".join(map(str, part)))
    expect("middle", [match["centerX"], match["centerY"]],
           [(2 * match["x"] + match["width"]) // 2,
            (2 * match["y"] + match["height"]) // 2])
    (hit,) = home.json("find-image", "part.png", "shot.png")["hits"]
    expect("middle", [hit.pop("centerX"), hit.pop("centerY")],
           [part[0] + part[2] // 2, part[1] + part[3] // 2])
    expect("hit", list(hit.items()), [*zip(BOX, part), ("scale", 1),
                                      ("score", 1), ("tier", "exact")])


def write_blank_png(path):
    """A grey picture of 64x48."""
    def chunk(name, content):
        return (struct.pack(">I", len(content)) + name + content
                + struct.pack(">I", zlib.crc32(name + content)))
    rows = (b"\0" + b"\x90" * 64) * 48
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(
        ">IIBBBBB", 64, 48, 8, 0, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(
            rows)) + chunk(b"IEND", b""))


def blank_pictures_have_no_text(home):
    """Every way to read says so, and ends with status 1."""
    write_blank_png(home.folder / "blank.png")
    done = home.run("ocr", "blank.png")
    expect("ocr", (done.returncode, done.stdout, done.stderr),
           (1, b"no text was found\n", b""))
    reply = home.json("ocr", "blank.png", status=1)
    expect("JSON", (reply["words"], reply["lines"]), ([], []))
    reply = home.json("find-text", "Play", "blank.png", status=1)
    expect("find-text", (reply["matches"], "nearest" in reply), ([], False))
    home.env.update(SQUINT_UI_OCR_ENABLED="true")
    home.show("login")
    corner = ("--region", "0,150,8,8")
    done = home.run("read", *corner)
    expect(f"read: {done.stderr!r}", (done.returncode, done.stdout[:13]),
           (1, b"No text found"))
    expect("lines", home.json("read", *corner, status=1)["lines"], [])
    reply = home.json("visual-find-text", "Play", *corner, status=1)
    expect("visual-find-text", (reply["matches"], reply["count"]), ([], 0))


def doubtful_lines_are_named(home):
    """Those with a word that the command line reads with little confidence."""
    with Server([home.squint, "mcp", "--ocr-enabled"], env=SMALL) as server:
        server.initialize()
        server.ui("launch", packageName="com.squint.demo.login")
        reply = server.ui("ocr")
    home.show("login")
    home.run("screenshot", "-o", "login.png", "--raw")
    words = iter(home.json("ocr", "login.png")["words"])
    least = [min(next(words)["confidence"] for _ in line.split())
             for line in reply["lines"]]
    wanted = [{"line": number, "confidence": confidence}
              for number, confidence in enumerate(least) if confidence < SURE]
    expect("some are doubtful, others not", 0 < len(wanted) < len(least), True)
    expect("doubtful", reply["doubtful"], wanted)


CASES = [off_costs_nothing, pictures_are_found_without_a_process,
         doubtful_lines_are_named,
         files_are_read_and_searched, blank_pictures_have_no_text,
         index_goes_on_after_ctrl_c, recordings_are_read, recordings_hide_text]


def says_what_to_install(home):
    """A squint that was built without Tesseract; pictures are still found."""
    home.run("screenshot", "-o", "shot.png", "--raw")
    (home.folder / "past").mkdir()
    home.env.update(SQUINT_UI_OCR_ENABLED="true")
    for words in (("ocr", "shot.png"), ("find-text", "Play", "shot.png"),
                  ("archive", "index"), ("read",)):
        done = home.run(*words)
        expect(f"status of {words}", done.returncode, 1)
        expect(f"{words}: {done.stderr!r}", WITHOUT in done.stderr
               and b"  Install libtesseract-dev" in done.stderr, True)
    home.run("scale", "shot.png", "-o", "part.png", "--region", "9,9,90,90")
    expect("found", home.run("find-image", "part.png", "shot.png").returncode,
           0)
    with Server([home.squint, "mcp", "--ocr-enabled"], env=SMALL) as server:
        server.initialize()
        reply = server.ui("find", selector={"text": "zebra"}, maxTier="shape")
        expect("tier", (reply["tier"], reply["earlier"]["ocr"].encode()),
               ("none", WITHOUT))


def choose_cases(squint):
    """Those that this squint can run here; none without a recogniser."""
    with tempfile.TemporaryDirectory(prefix="squint-reading-") as folder:
        home = Home(squint, folder)
        home.run("screenshot", "-o", "shot.png")
        done = home.run("ocr", "shot.png")
    return (CASES if done.returncode == 0
            else [says_what_to_install] if WITHOUT in done.stderr else [])


def main(squint):
    """Run the cases; returns the exit status."""
    end_without_reading()
    cases = choose_cases(squint)
    if not cases:
        print("1..0 # SKIP Tesseract or its English data is not installed")
        return 0
    return run_in_folders(cases, "squint-reading-",
                          lambda folder: Home(squint, folder))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
