#!/usr/bin/env python3
"""terminal.py SQUINT: the program on a terminal: pictures, colours, widths,
progress and Ctrl-C; TAP."""
import base64
import fcntl
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import Skip, expect, expect_in, needs_reading, run_in_folders
from picture_size import picture_size
from squint_server import PATIENCE, SLOWNESS_NAME, clean_environment

ROWS, HEIGHT = 30, 600
SIXEL = b"\x1b[?62;4;22c"
KITTY = b"\x1b_Gi=31;OK\x1b\\\x1b[?62c"
NEITHER = b"\x1b[?62;22c"
QUESTION = b"\x1b[c"
SHOT = ("screenshot", "-o", "shot.jpg")


class Terminal:
    """Runs squint on a terminal that answers as told."""

    def __init__(self, squint, home):
        self.squint = str(pathlib.Path(squint).resolve())
        self.home = home
        self.answer = NEITHER
        self.columns = 80
        self.variables = {}

    def environment(self):
        """The user's choices about terminals do not count."""
        env = clean_environment(self.home)
        for name in ("NO_COLOR", "TMUX", "STY", "TERM_PROGRAM", "LC_TERMINAL",
                     "KITTY_WINDOW_ID"):
            env.pop(name, None)
        return {**env, "TERM": "xterm-256color", **self.variables}

    def start(self, words):
        """Returns the process and its terminal."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.home)
            # The size must be known before the program asks for it.
            fcntl.ioctl(1, termios.TIOCSWINSZ,
                        struct.pack("HHHH", ROWS, self.columns, 800, HEIGHT))
            os.execve(self.squint, [self.squint, *words], self.environment())
        return child, terminal

    def run(self, *words, interrupt_at=None, steps=()):
        """Returns the exit status and the bytes that reached the terminal.
        interrupt_at: press Ctrl-C when these bytes have appeared. steps: pairs
        of bytes, and what to call with the terminal when they have appeared,
        each after the one before."""
        child, terminal = self.start(words)
        steps = [*steps]
        if interrupt_at:
            steps.append((interrupt_at, press(b"\x03")))
        out, seen, deadline = b"", 0, time.monotonic() + PATIENCE
        answered = False
        while time.monotonic() < deadline:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                out += os.read(terminal, 1 << 16)
            except OSError:
                break
            if QUESTION in out and not answered:
                answered = True
                os.write(terminal, self.answer)
            if steps and steps[0][0] in out[seen:]:
                seen = len(out)
                steps.pop(0)[1](terminal)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.close(terminal)
        return status, out

    def run_plainly(self, *words):
        """Runs squint without a terminal; it has to succeed."""
        subprocess.run([self.squint, *words], cwd=self.home, check=True,
                       env=self.environment(), stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def press(keys):
    """What presses these keys, for steps of Terminal.run."""
    return lambda terminal: os.write(terminal, keys)


def shows_sixels(terminal):
    """As high as the terminal without the rows for text."""
    terminal.answer = SIXEL
    status, out = terminal.run(*SHOT)
    expect("status", status, 0)
    found = re.search(rb'\x1bP0;1;0q"1;1;(\d+);(\d+)(.*?)\x1b\\', out, re.S)
    width, height = int(found[1]), int(found[2])
    expect("height", height, HEIGHT // ROWS * (ROWS - 6))
    expect("width", width, 216)
    expect("bands", found[3].count(b"-"), (height + 5) // 6)
    expect_in(b"Wrote ", out[out.index(b"\x1bP"):])


def shows_a_png_to_kitty(terminal):
    """In chunks that make one PNG."""
    terminal.answer = KITTY
    status, out = terminal.run(*SHOT)
    expect("status", status, 0)
    chunks = re.findall(rb"\x1b_G([^;]*m=[01]);([^\x1b]*)\x1b\\", out)
    expect("first", chunks[0][0], b"a=T,f=100,q=2,r=24,m=1")
    expect("last", chunks[-1][0], b"m=0")
    png = base64.b64decode(b"".join(data for _, data in chunks))
    expect("picture", picture_size(png), ("image/png", 216, 480))


def shows_the_file_to_iterm(terminal):
    """By its environment: it is not asked."""
    terminal.variables = {"TERM_PROGRAM": "iTerm.app"}
    status, out = terminal.run(*SHOT)
    expect("status", status, 0)
    found = re.search(rb"\x1b\]1337;File=inline=1;size=(\d+);height=24;"
                      rb"preserveAspectRatio=1:([^\a]*)\a", out)
    data = base64.b64decode(found[2])
    expect("size", len(data), int(found[1]))
    expect("picture", picture_size(data), ("image/jpeg", 450, 1000))
    expect("asked", QUESTION in out, False)


def shows_nothing_where_it_cannot(terminal):
    """Nor where it may not; --show says why."""
    status, out = terminal.run(*SHOT)
    expect("status", status, 0)
    expect("sixels", b"\x1bP" in out, False)
    terminal.answer = SIXEL
    _, out = terminal.run(*SHOT, "--no-show")
    expect("asked", QUESTION in out, False)
    _, out = terminal.run(*SHOT, "--json")
    expect("asked", QUESTION in out, False)
    terminal.answer = NEITHER
    _, out = terminal.run(*SHOT, "--show")
    expect_in("▀".encode(), out)
    terminal.variables = {"TERM": "dumb"}
    _, out = terminal.run(*SHOT, "--show")
    expect_in(b"this terminal shows no pictures", out)


def refuses_to_write_pictures_to_it(terminal):
    """Their bytes would control it; an action is not done either."""
    terminal.run_plainly("screenshot", "-o", "a.png")
    for words in (("screenshot", "-o", "-"), ("scale", "a.png", "-o", "-"),
                  ("screenshot", "-o", "/dev/stdout"),
                  ("launch", "Shop", "-o", "-")):
        status, out = terminal.run(*words)
        expect(f"status of squint {' '.join(words)}", status, 2)
        expect_in(b"standard output is a terminal\r\n  Redirect it with > FILE "
                  b"or | COMMAND, or name a file: -o FILE.\r\n", out)
    terminal.run_plainly("find", "Login")


def keeps_silent_terminals_as_they_were(terminal):
    """One that does not answer costs a moment, and echoes again."""
    terminal.answer = b""
    status, out = terminal.run(*SHOT)
    expect("status", status, 0)
    expect_in(b"Wrote ", out)


def uses_colours(terminal):
    """Unless they are not wanted."""
    bold = b"\x1b[1m1 device\x1b[0m"
    expect_in(bold, terminal.run("devices")[1])
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        terminal.variables = variables
        expect("colours", b"\x1b[" in terminal.run("devices")[1], False)
        expect_in(bold, terminal.run("devices", "--color", "always")[1])
    terminal.variables = {"NO_COLOR": ""}
    expect_in(bold, terminal.run("devices")[1])
    expect("colours",
           b"\x1b[" in terminal.run("devices", "--color", "never")[1], False)


def fits_the_width(terminal):
    """A line of a table is never longer than a row of the terminal."""
    for columns in (30, 44, 80):
        terminal.columns = columns
        out = terminal.run("apps", "--color", "never")[1].decode()
        rows = [row for row in out.splitlines() if row.startswith("  ")]
        expect("rows", len(rows), 9)
        expect("longest", max(map(len, rows)) <= columns, True)
        expect("cut", "…" in out, columns == 30)


def breaks_texts_at_spaces(terminal):
    """Messages and remarks, at any width; into a pipe they are whole."""
    whole = (b'squint: no key "bakc"; did you mean back? Choose from: back, home, '
             b"enter, tab, delete, escape, space, app_switch, up, down, page_up, "
             b"page_down, power, wakeup, backspace, recents.")
    for columns in (30, 80):
        terminal.columns = columns
        out = terminal.run("key", "bakc")[1]
        expect("words", b" ".join(out.split()), whole)
        expect("longest", max(map(len, out.splitlines())) <= columns, True)
    for words in (("doctor",), ("list", "yesterday")):
        out = terminal.run(*words, "--color", "never")[1].decode()
        expect("longest", max(map(len, out.splitlines())) <= columns, True)


def breaks_lines_that_are_too_wide(terminal):
    """Help, what was done, and lists with paths; no word is lost."""
    terminal.columns = 200
    plain = terminal.run("tap", "--help")[1].split()
    for columns, words in ((40, ("--help",)), (40, ("tap", "--help")),
                           (40, ("rtfm", "key")), (80, ("install",)),
                           (40, ("swipe", "9", "9", "99", "99"))):
        terminal.columns = columns
        out = terminal.run(*words)[1].decode()
        out = re.sub(r"\x1b\[\d*m", "", out)
        expect(f"longest of {words}",
               max(map(len, out.splitlines())) <= columns, True)
    terminal.columns = 40
    expect("words", terminal.run("tap", "--help")[1].split(), plain)


def servers_say_how_they_end(terminal):
    """And that they have, with their own names."""
    for command, *more in (("serve",), ("inspect", "--print-only")):
        name = b"squint " + command.encode()
        status, out = terminal.run(command, "--listen", "127.0.0.1:0", *more,
                                   interrupt_at=name + b": Ctrl-C ends it")
        expect("status", status, 0)
        expect("end", out.endswith(b"\r\n" + name + b": ended\r\n"), True)
        expect("secret", (b"new token, shown only now:" in out,
                          b"/inspect/open?key=" in out.replace(b"\r\n  ", b"")),
               (command == "serve", command == "inspect"))
        expect("names", set(re.findall(rb"squint \w+(?=: )", out)), {name})


def ends_at_ctrl_c(terminal):
    """Status 130, the line of progress cleared, no file left."""
    status, out = terminal.run("wait", "--text", "Nowhere", "--timeout-ms",
                               "60000", interrupt_at=b"waiting: ")
    expect("status", status, 130)
    expect("end", out.endswith(b"\r\x1b[Ksquint: interrupted\r\n"), True)
    left = [str(path) for path in pathlib.Path(terminal.home).rglob("*")
            if not path.is_dir()]
    expect("files", left, [])


def records_with_a_status_line(terminal):
    """Ctrl-C is its usual end."""
    status, out = terminal.run("record", "--every", "1h", "--into", "past",
                               interrupt_at=b"next capture in ")
    expect("status", status, 0)
    expect_in(b"\r\x1b[Kdemo: 1 saved, 0 unchanged; next capture in 3600 s; Ctrl-C "
              b"ends", out)
    expect_in(b"\r\x1b[Kdemo: 1 saved, 0 skipped", out)


ALTERNATE, NORMAL = b"\x1b[?1049h", b"\x1b[?1049l"
LOOKED_OFTEN = b" in 3 captures"
WATCH = ("watch", "--every", "50ms")


def watched(out):
    """How many pictures the command says that it has drawn, in how many looks,
    after the terminal is as before."""
    found = re.search(rb"demo: (\d+) pictures? in (\d+) captures?\r\n$",
                      out[out.index(NORMAL):])
    return int(found[1]), int(found[2])


def watches_with_sixels(terminal):
    """Draws only what has changed, until Ctrl-C; then the terminal is as
    before."""
    terminal.answer = SIXEL
    status, out = terminal.run(*WATCH, interrupt_at=LOOKED_OFTEN)
    expect("status", status, 0)
    pictures, looks = watched(out)
    expect("pictures", out.count(b"\x1bP"), pictures)
    # A minute may begin, which the phone's clock shows.
    expect("redrawn", pictures < looks, True)
    start, end = out.index(ALTERNATE), out.index(NORMAL)
    expect("inside", start < out.index(b"\x1bP") < end, True)
    expect("cursor", out.index(b"\x1b[?25l") < out.index(b"\x1b[?25h"), True)


def watches_with_kitty(terminal):
    """Deletes the pictures that the terminal keeps."""
    terminal.answer = KITTY
    status, out = terminal.run(*WATCH, interrupt_at=LOOKED_OFTEN)
    expect("status", status, 0)
    pictures, _ = watched(out)
    expect("drawn", out.count(b"\x1b_Ga=T,"), pictures)
    expect("deleted", out.count(b"\x1b_Ga=d,d=A,q=2\x1b\\"), pictures + 1)


def sees_changes(terminal):
    """Of the phone, by another command, and of the terminal's size."""
    def resize(fd):
        fcntl.ioctl(fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", ROWS // 2, 80, 800, HEIGHT // 2))

    terminal.answer = SIXEL
    status, out = terminal.run(
        *WATCH, steps=[
            (b" picture", lambda _: terminal.run_plainly("launch", "Login")),
            (b"\x1bP", resize), (b"\x1bP", press(b"\x03"))])
    expect("status", status, 0)
    sizes = re.findall(rb'\x1bP0;1;0q"1;1;\d+;(\d+)', out)
    row = HEIGHT // ROWS
    expect("first", int(sizes[0]), (ROWS - 2) * row)
    expect("last", int(sizes[-1]), (ROWS // 2 - 2) * row)
    expect("pictures", len(sizes) >= 3, True)


def watches_with_blocks(terminal):
    """On a terminal without graphics: two pixels in each character."""
    for colours, sequence in (("truecolor", rb"\x1b\[48;2;\d+;\d+;\d+m"),
                              ("", rb"\x1b\[48;5;\d+m")):
        terminal.variables = {"STY": "1.tty", "COLORTERM": colours}
        status, out = terminal.run("watch", "--count", "1")
        expect("status", status, 0)
        lines = [line for line in out.split(b"\r\n")
                 if "▀".encode() in line]
        expect("rows", len(lines), ROWS - 2)
        expect("colours", len(re.findall(sequence, out)) > 100, True)
        expect("inside", out.index(ALTERNATE) < out.index("▀".encode())
               < out.index(NORMAL), True)


def watch_needs_pictures(terminal):
    """Else it says what to do, and leaves the terminal as it is."""
    terminal.variables = {"TERM": "dumb"}
    status, out = terminal.run("watch")
    expect("status", status, 1)
    expect_in(b"this terminal shows no pictures", out)
    expect_in(b"squint watch -o screen.png", b" ".join(out.split()))
    expect("touched", ALTERNATE in out, False)


def watches_into_a_file(terminal):
    """With a status line."""
    status, out = terminal.run(
        *WATCH, "-o", "screen.png", interrupt_at=b" ms; Ctrl-C ends")
    expect("status", status, 0)
    expect_in(b"Wrote screen.png: 450x1000 pixels, ", out)
    expect_in(b"\r\x1b[Kdemo: 1 picture in 1 capture, the last took ", out)
    expect("touched", ALTERNATE in out, False)
    shot = pathlib.Path(terminal.home, "screen.png").read_bytes()
    expect("picture", picture_size(shot), ("image/png", 450, 1000))


STOP, GO = b"\x13", b"\x11"  # Ctrl-S and Ctrl-Q


def run_stopped(terminal, *words, marker, then):
    """Runs a command whose output is stopped until a file exists, and then
    for longer than work may take without a line of progress."""
    child, fd = terminal.start(words)
    os.write(fd, STOP)
    deadline = time.monotonic() + PATIENCE
    while (not pathlib.Path(terminal.home, marker).exists()
           and time.monotonic() < deadline):
        time.sleep(0.01)
    time.sleep(0.5)
    os.write(fd, then)
    out = b""
    while True:
        try:
            out += os.read(fd, 1 << 16)
        except OSError:
            break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(fd)
    return status, out


def record_apps(terminal, *apps):
    """Makes an archive of screens that differ."""
    for app in apps:
        terminal.run_plainly("launch", app)
        terminal.run_plainly("record", "--count", "1", "--into", "past")


def expect_progress(what, out):
    """A line with how much is done, the rate and the remaining time."""
    found = re.search(rb"\r\x1b\[K" + what + rb": \d+ of \d+, \d+ %, [\d.]+/s, "
                      rb"\d+ (s|min|h) left\r\x1b\[K", out)
    expect("progress", found is not None, True)


def demo_shows_progress(terminal):
    """In colours, which can be turned off."""
    status, out = run_stopped(terminal, "demo",
                              marker="squint-demo/made-by-squint.txt", then=GO)
    expect("status", status, 0)
    expect_progress(b"calls", out)
    expect_in(b"\x1b[1m", out)
    terminal.columns = 40
    _, out = terminal.run("demo", "--color", "never")
    expect("colours", re.search(rb"\x1b\[\d*m", out), None)
    wide = [line for line in out.decode().splitlines()
            if len(line) > 40 and not re.search(r"[{\x1b]|squint mcp", line)]
    expect("wide lines", wide, [])


def demo_ends_at_ctrl_c(terminal):
    """It leaves nothing."""
    status, out = run_stopped(
        terminal, "demo", marker="squint-demo/made-by-squint.txt",
        then=b"\x03" + GO)
    expect("status", status, 130)
    expect("end", out.endswith(b"squint demo: interrupted\r\n"), True)
    expect("left", pathlib.Path(terminal.home, "squint-demo").exists(), False)


def indexing_shows_progress(terminal):
    """Ctrl-C ends it; the next run reads the rest."""
    needs_reading()
    record_apps(terminal, "Login", "Shop", "Settings")
    terminal.variables = {SLOWNESS_NAME: "1"}
    words = ("archive", "index", "--archive", "past")
    status, out = terminal.run(*words, interrupt_at=b"/s, ")
    if b"without" in out and status == 1:
        raise Skip("this squint was built without Tesseract")
    expect("status", status, 130)
    expect_in(b"\r\x1b[KInterrupted: ", out)
    expect_in(b"Run it again to go on where it stopped.", out)
    status, out = terminal.run(*words)
    expect("status", status, 0)
    expect_in(b"Done: ", out)


def sheets_show_progress(terminal):
    """Work of less than a third of a second shows none: the clock of quick work
    is fast. That of slow work is not, because work has a time limit."""
    record_apps(terminal, "Shop")
    folder = pathlib.Path(terminal.home, "past")
    shot = next(p for p in folder.rglob("*.jpg") if "thumbnail" not in p.name)
    for number in range(99):
        name = re.sub(r"_\d\d-\d\d-\d\d_",
                      f"_00-{number // 60:02}-{number % 60:02}_", shot.name)
        (shot.parent / name).write_bytes(shot.read_bytes())
    words = ("sheet", shot.name[:10], "--archive", "past", "--limit", "60",
             "--budget-tokens", "20000", "-o", "sheet.jpg")
    start = time.monotonic()
    terminal.run_plainly(*words)
    is_slow = time.monotonic() - start > 2
    terminal.variables = {SLOWNESS_NAME: "1" if is_slow else "-8"}
    status, out = terminal.run(*words)
    expect("status", status, 0)
    expect_progress(rb"[a-z ]+", out)
    expect_in(b"Wrote ", out)


def all_tables_have_colours(terminal):
    """On a terminal, unless they are not wanted."""
    terminal.run_plainly("screenshot", "-o", "a.png")
    terminal.run_plainly("record", "--count", "1", "--into", "past")
    for words, coloured in (
            (("doctor",), b"\x1b[32mok   \x1b[0m"),
            (("tokens", "a.png", "--profile", "claude"), b"\x1b[1mclaude\x1b[0m"),
            (("diff", "a.png", "a.png"),
             b"\x1b[32mThe pictures are the same\x1b[0m: 450x1000"),
            (("diff", "a.png", "a.png", "--map"), b"\x1b[2m.\x1b[0m"),
            (("archive", "stats", "--archive", "past"), b"\x1b[1mpast (")):
        terminal.variables = {}
        expect_in(coloured, terminal.run(*words)[1])
        out = terminal.run(*words, "--color", "never")[1]
        expect("colours", re.search(rb"\x1b\[\d*m", out), None)
        terminal.variables = {"NO_COLOR": "1"}
        out = terminal.run(*words)[1]
        expect("colours", re.search(rb"\x1b\[\d*m", out), None)


CASES = [shows_sixels, shows_a_png_to_kitty, shows_the_file_to_iterm,
         shows_nothing_where_it_cannot, refuses_to_write_pictures_to_it,
         keeps_silent_terminals_as_they_were,
         uses_colours, all_tables_have_colours, fits_the_width,
         breaks_texts_at_spaces, breaks_lines_that_are_too_wide,
         servers_say_how_they_end, ends_at_ctrl_c,
         records_with_a_status_line, watches_with_sixels, watches_with_kitty,
         watches_with_blocks, sees_changes, watch_needs_pictures, watches_into_a_file,
         demo_shows_progress, demo_ends_at_ctrl_c, indexing_shows_progress,
         sheets_show_progress]


def has_terminals():
    """Whether a pseudo terminal can be had; not in every container."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def main(squint):
    if not has_terminals():
        print("1..0 # SKIP no terminals here")
        return 0
    return run_in_folders(CASES, "squint-terminal-",
                          lambda home: Terminal(squint, home))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
