#!/usr/bin/env python3
"""past.py SQUINT: past screenshots on the command line: reading their text,
searching it, and using what was found in the next command; TAP."""
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import run_in_folders
from commands import NOT_DONE, USAGE, Shell, expect, expect_in
from squint_server import PATIENCE

WORD = "shop"  # on the first screen of the demo phone


def has_tesseract(shell):
    """Whether text can be read here."""
    done = shell.start("doctor", "--ocr-enabled", "--json")
    found = not any(finding["about"] == "reading"
                    and finding["verdict"] == "wrong"
                    for finding in json.loads(done.stdout)["findings"])
    if not found:
        print("# not tested: Tesseract is not installed")
    return found


class Past(Shell):
    """A shell with one recorded screenshot of the demo phone."""

    def __init__(self, squint, home):
        super().__init__(squint, home)
        self.folder = str(self.home / "past")
        self.out("record", "--every", "1s", "--count", "1", "--into",
                 self.folder)

    def past(self, *words, status=0):
        """Standard output of a command on the archive."""
        return self.out(*words, "--archive", self.folder, status=status)

    def pictures(self):
        """The paths of the full pictures."""
        return [path for path in pathlib.Path(self.folder).rglob("*.jpg")
                if "thumbnail" not in path.name]


def the_screen_is_read_without_a_switch(shell):
    """--ocr-enabled is for agents; a person names the command."""
    if has_tesseract(shell):
        expect_in("Login\n", shell.out("read"))


def unusable_folders_are_errors(shell):
    if not has_tesseract(shell):
        return
    missing = str(shell.home / "nowhere")
    for words in (("archive", "index"), ("search", WORD)):
        error = shell.refused(*words, "--archive", missing, status=NOT_DONE)
        expect_in('"nowhere" does not exist', error)
        expect_in("Check the path", error)
    error = shell.refused("archive", "index", "--archive",
                          shell.folder + "=thumbnail", status=NOT_DONE)
    expect_in("needs the permission full", error)
    out = shell.out("archive", "index", "--archive", missing, "--archive",
                    shell.folder, status=NOT_DONE)
    expect_in("Done: 1 of 1 new or changed pictures", out)
    expect_in("nowhere does not exist", out)
    other = shell.home / "other"
    other.mkdir()
    out = shell.out("archive", "index", "--archive", shell.folder, "--archive",
                    f"{other}=thumbnail")
    expect_in(" 1 folder whose permission", out)
    error = shell.refused("archive", "index", "--archive", shell.folder,
                          "--archive", shell.folder + "=thumbnail",
                          status=NOT_DONE)
    expect_in("needs the permission full", error)


def a_missing_language_is_an_error(shell):
    if not has_tesseract(shell):
        return
    shell.past("archive", "index")
    picture = str(shell.pictures()[0])
    for words in (("archive", "index", "--archive", shell.folder),
                  ("ocr", picture), ("find-text", "x", picture)):
        for option in ("--ocr-language", "--language"):
            done = shell.start(*words, option, "xyz")
            expect(f"{words} {option}", done.returncode != 0, True)
            expect_in('language "xyz" is not installed (Debian: '
                      'tesseract-ocr-xyz)', done.stderr)
    out = shell.out("doctor", "--ocr-enabled", "--ocr-language", "xyz",
                    status=NOT_DONE)
    expect_in("wrong  reading", out)
    expect_in('language "xyz" is not installed', out)


def hits_are_used_by_the_next_command(shell):
    if not has_tesseract(shell):
        return
    error = shell.run("search", WORD, "--archive", shell.folder,
                      status=NOT_DONE)[1]
    expect_in("Run squint archive index", error)
    shell.past("archive", "index")
    expect_in("1 screenshot\n", shell.past("search", WORD))
    error = shell.run("search", "nowhere", "--show", "--archive", shell.folder,
                      status=NOT_DONE)[1]
    expect_in("no picture was shown: nothing was found", error)
    expect_in("--show has no effect with --json",
              shell.past("search", WORD, "--show", "--json", status=USAGE))
    shell.past("search", WORD)
    expect_in("hit 1 is one of an earlier search",
              shell.refused("get", "--hit", "1", "--archive", shell.folder,
                            status=NOT_DONE))
    expect_in("Screenshot of",
              shell.past("get", "--hit", "2", "-o", "get.jpg"))
    expect_in("Wrote crop.jpg",
              shell.past("crop", "--hit", "2", "-o", "crop.jpg"))
    error = shell.refused("get", "--hit", "2", "--archive",
                          shell.folder + "=metadata", status=NOT_DONE)
    expect_in("permission", error)
    shell.past("sheet", "--query", WORD, "-o", "sheet.jpg")
    expect_in("Screenshot of",
              shell.past("get", "--cell", "1", "-o", "cell.jpg"))


def recording_reads_text_without_configuration(shell):
    if not has_tesseract(shell):
        return
    for folder in ("new", "with=sign"):
        shell.out("record", "--count", "1", "--into", folder, "--index")
        expect_in("1 screenshot\n",
                  shell.out("search", WORD, "--archive", folder + "/"))


def a_server_reads_new_pictures(shell):
    if not has_tesseract(shell):
        return
    words = [shell.squint, "mcp", "--archive-index", "--archive", shell.folder]
    with subprocess.Popen(words, stdin=subprocess.PIPE, env=shell.env,
                          stdout=subprocess.DEVNULL) as server:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            done = shell.start("search", WORD, "--archive", shell.folder)
            if done.returncode == 0:
                break
            time.sleep(0.1)
        expect_in("1 screenshot\n", done.stdout)
        server.stdin.close()
        expect("status of the server", server.wait(PATIENCE), 0)


def changed_pictures_are_left_out(shell):
    if not has_tesseract(shell):
        return
    shell.past("archive", "index")
    path = shell.pictures()[0]
    shutil.copy(path, shell.home / "kept.jpg")
    os.truncate(path, path.stat().st_size - 1)
    out = shell.past("search", WORD, status=NOT_DONE)
    expect_in("No screenshot that has been read shows this text", out)
    expect_in("it has changed or was deleted", out)
    shutil.copy(shell.home / "kept.jpg", path)
    out = shell.past("archive", "index")
    expect_in("changed      1 ", out)
    expect_in("1 screenshot\n", shell.past("search", WORD))


def make_older(shell, days):
    """Gives the recorded screenshot the time and the folder of an earlier
    day, as if it had been recorded then. Returns that folder."""
    then = int(time.time()) - days * 86400
    today = next(pathlib.Path(shell.folder).iterdir())
    day = today.with_name(time.strftime("%Y-%m-%d", time.localtime(then)))
    today.rename(day)
    for path in list(day.glob("*.jpg")):
        older = day / path.name.replace(today.name, day.name)
        path.rename(older)
        os.utime(older, (then, then))
    listed = day / "squint-recorded.txt"
    words = listed.read_text().replace(today.name, day.name).split()
    words[1] = words[3] = str(then)
    listed.write_text(" ".join(words) + "\n")
    return day


def old_screenshots_are_removed_with_their_text(shell):
    """Only those that squint recorded; a dry run removes nothing."""
    day = make_older(shell, 40)
    theirs = day / f"{day.name}_09-00-00_+00-00_9_9_1_0.jpg"
    shutil.copy(shell.pictures()[0], theirs)
    indexed = has_tesseract(shell)
    if indexed:
        shell.past("archive", "index")
        expect_in("1 screenshot\n", shell.past("search", WORD))
    out = shell.past("archive", "prune", "--keep", "30d", "--dry-run")
    expect_in(f"would remove 1 screenshot of {day.name}, ", out)
    expect("files after a dry run", len(list(day.iterdir())), 4)
    done = json.loads(shell.past("archive", "prune", "--keep", "30d",
                                 "--json"))
    expect("removed", (done["removed"], done["from"], done["kept"]),
           (1, day.name, 0))
    expect("files", list(day.iterdir()), [theirs])
    if indexed:
        expect("texts", done["textsRemoved"], 1)
        expect_in("1 screenshot\n", shell.past("search", WORD))
    for words in (("prune",), ("prune", "--keep", "30m"),
                  ("prune", "--keep-size", "20"), ("stats", "--keep", "1d"),
                  ("prune", "--keep", "1d", "--delete"),
                  ("prune", "x", "--keep", "1d")):
        shell.refused("archive", *words, "--archive", shell.folder,
                      status=USAGE)


def recording_removes_what_is_too_old(shell):
    day = make_older(shell, 3)
    out = shell.out("record", "--count", "1", "--keep", "2d", "--into",
                    shell.folder)
    expect_in(f"removed 1 screenshot of {day.name}, ", out)
    expect("the old day", day.exists(), False)
    expect("pictures", len(shell.pictures()), 1)
    shell.refused("record", "--count", "1", "--keep", "2", status=USAGE)


def on_terminal(shell, columns, *words):
    """What a command prints on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ,
                struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([shell.squint, *words, "--color", "never"],
                          cwd=shell.home, env=dict(shell.env, TERM="xterm"),
                          stdin=subprocess.DEVNULL, stdout=theirs,
                          stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        printed = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other side is closed
                break
            if not part:
                break
            printed += part
        process.wait(PATIENCE)
    os.close(ours)
    return printed.decode()


def references_are_printed_whole(shell):
    for columns in (40, 60, 80):
        out = on_terminal(shell, columns, "list", "today", "--archive",
                          shell.folder)
        found = re.findall(r"[A-Za-z0-9._-]{32}", out)
        expect(f"references at {columns} columns: {out}", len(found), 1)
        shell.past("get", found[0], "-o", "get.jpg")


CASES = [the_screen_is_read_without_a_switch,
         a_server_reads_new_pictures, unusable_folders_are_errors,
         a_missing_language_is_an_error,
         recording_reads_text_without_configuration,
         hits_are_used_by_the_next_command, changed_pictures_are_left_out,
         old_screenshots_are_removed_with_their_text,
         recording_removes_what_is_too_old, references_are_printed_whole]


def main(squint):
    return run_in_folders(CASES, "squint-past-",
                          lambda home: Past(squint, home))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
