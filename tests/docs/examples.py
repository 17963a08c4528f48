#!/usr/bin/env python3
"""examples.py SQUINT ROOT [FAKE]: run the examples of README.md and docs/.

An example is a block of shell commands that is marked to be run:

    <!-- test -->
    ```sh
    squint scale screen.png -o small.jpg
    # Wrote small.jpg: 450x1000 pixels, ... KB, 612 tokens
    squint scale small.jpg -o tiny.webp --max-dimension 100

    # A comment that is not output has an empty line, or nothing, above it.
    squint diff screen.png small.jpg || echo "status $?"
    # The pictures differ in size: ...
    # status 1
    ```

Each block runs by itself in bash -eu, in an empty folder with a `screen.png`
of 1080x2400, with SQUINT's folder first in PATH; it must succeed. Lines that
begin with "# " right below commands are their complete output, on standard
output and standard error; "..." matches anything within a line, "# ..." alone
any further lines. Commands without such lines may print anything. Prints TAP,
one test per block.

`<!-- test: NEED -->` has what it needs, or is skipped: `reading` that text can be read
in pixels, `phone` the demo phone on an adb server of its own, `simulator` one that FAKE
(tests/fake) imitates; any other word is a program.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from demo_phone import Adb, Phone
from phone_clock import within_a_minute
from sandbox import why_no_reading
from simulator import Simulator

MARK = r"^<!-- test(?:: (\w+))? -->"
BLOCK = re.compile(MARK + r"\n(`{3,})sh\n(.*?)^\2$", re.MULTILINE | re.DOTALL)
SCREEN = (1080, 2400)
TIMEOUT_SECONDS = 300


def blocks(text):
    """(line number, what it needs or None, shell text) of every example of a page."""
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[1], match[3]


def why_skipped(need, squint, fake):
    """Why an example cannot be run here, or None."""
    if need == "reading":
        facts = subprocess.run([squint, "version", "--json"], check=True,
                               stdin=subprocess.DEVNULL, capture_output=True)
        has_it = "tesseract" in json.loads(facts.stdout)["libraries"]
        return why_no_reading() if has_it else "Tesseract is not installed"
    if need == "simulator":
        return None if fake else "no program imitates a simulator"
    program = "adb" if need == "phone" else need
    return None if shutil.which(program) else f"there is no {program}"


@contextlib.contextmanager
def provided(need, squint, fake):
    """Variables with which an example has what it needs, as long as it runs."""
    if need == "simulator":
        with Simulator(fake) as simulator:
            yield simulator.env
    elif need == "phone":
        with Adb() as adb, Phone(squint) as phone:
            adb.connect(phone)
            yield {**{name: "" for name in ("ADB_SERVER_SOCKET", "ANDROID_SERIAL")},
                   "SQUINT_ANDROID_ADB_SERVER": f"tcp:127.0.0.1:{adb.port}"}
    elif need == "reading":
        # Each command starts a reader, which takes seconds with sanitizers.
        yield {"SQUINT_TEST_CLOCK_SLOWNESS": "5"}
    else:
        yield {}


def steps(shell):
    """Split a block into (commands, what they print or None)."""
    commands, wanted = [], None
    for line in [*shell.splitlines(), ""]:
        if commands and (line == "#" or line.startswith("# ")):
            wanted = [*(wanted or []), line[2:]]
            continue
        if commands and (wanted is not None or not line.strip()):
            yield "\n".join(commands), wanted
            commands, wanted = [], None
        if line.strip() and (commands or not line.startswith("#")):
            commands.append(line)


def script(parts):
    """One shell for all steps, so that variables and the current folder
    are kept; the output of step N goes to the file N."""
    lines = ["set -eu"]
    for number, (commands, _) in enumerate(parts):
        lines.append(f'{{\n{commands}\n}} >"$OUTPUT/{number}" 2>&1')
    return "\n".join(lines) + "\n"


def matches(wanted, printed):
    """Whether the printed lines match the expected ones."""
    pattern = ""
    for line in wanted:
        if line == "...":
            pattern += r"(?:[^\n]*\n)*"
        else:
            pattern += r"[^\n]*".join(map(re.escape, line.split("..."))) + "\n"
    if printed and not printed.endswith("\n"):
        printed += "\n"
    return re.fullmatch(pattern, printed) is not None


def png_chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(
        ">I", zlib.crc32(body))


def screen_png():
    """A page with a bar, lines of something like text, and a button."""
    width, height = SCREEN
    paper, ink, bar = b"\xf5\xf5\xf7", b"\x20\x20\x28", b"\x1a\x5f\xb4"
    blank = b"\0" + paper * width
    words = b"".join(ink if x % 97 < 70 and x % 7 < 4 else paper
                     for x in range(width))
    text = b"\0" + paper * 60 + words[180:-180] + paper * 60
    button = b"\0" + paper * 300 + bar * (width - 600) + paper * 300
    rows = []
    for y in range(height):
        if y < 220:
            rows.append(b"\0" + bar * width)
        elif 2100 <= y < 2240:
            rows.append(button)
        else:
            rows.append(text if y % 60 < 28 and y < 2000 else blank)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
            + png_chunk(b"IDAT", zlib.compress(b"".join(rows), 6))
            + png_chunk(b"IEND", b""))


def run_block(shell, squint, screen, given=None):
    """The problems of an example, with these variables: a list of lines, empty if
    there are none."""
    parts = list(steps(shell))
    with tempfile.TemporaryDirectory(prefix="squint-examples-") as scratch:
        folder = pathlib.Path(scratch)
        work, output = folder / "work", folder / "output"
        work.mkdir()
        output.mkdir()
        (work / "screen.png").write_bytes(screen)
        env = {**os.environ, "OUTPUT": str(output),
               "SQUINT_ANDROID_ADB_SERVER": "off",
               "XDG_RUNTIME_DIR": str(folder / "runtime"),
               "HOME": str(work), "LC_ALL": "C.UTF-8", **(given or {})}
        env["PATH"] = f"{squint.parent}{os.pathsep}{env.get('PATH', '')}"
        try:
            run = subprocess.run(
                ["bash", "-c", script(parts)], cwd=work, env=env,
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
                timeout=TIMEOUT_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return [f"took more than {TIMEOUT_SECONDS} seconds"]
        return list(complaints(parts, output, run))


def complaints(parts, output, run):
    for number, (commands, wanted) in enumerate(parts):
        file = output / str(number)
        if not file.exists():
            break
        printed = file.read_text(errors="replace")
        last = not (output / str(number + 1)).exists()
        wrong = wanted is not None and not matches(wanted, printed)
        if wrong or (last and run.returncode):
            yield from (f"$ {line}" for line in commands.splitlines())
            yield from (f"  printed: {line}" for line in printed.splitlines())
        if wrong:
            yield from (f"  wanted:  {line}" for line in wanted)
    if run.returncode:
        yield f"  failed with status {run.returncode}"
        yield from run.stderr.splitlines()


def pages(root):
    return [page for page in [root / "README.md",
                              *sorted((root / "docs").rglob("*.md"))]
            if page.is_file()]


def main(squint, root, fake=None):
    squint, root = pathlib.Path(squint).resolve(), pathlib.Path(root)
    examples = []
    unread = []
    for page in pages(root):
        text = page.read_text()
        name = page.relative_to(root)
        found = list(blocks(text))
        examples += [(f"{name}:{line}", need, shell) for line, need, shell in found]
        if re.findall(MARK, text, re.MULTILINE)[len(found):]:
            unread.append(name)
    print(f"1..{len(examples) + len(unread)}")
    ok = True
    screen = screen_png()
    for number, (name, need, shell) in enumerate(examples, 1):
        skipped = need and why_skipped(need, squint, fake)
        if skipped:
            print(f"ok {number} {name} # SKIP {skipped}", flush=True)
            continue
        with provided(need, squint, fake) as given:
            wrong = within_a_minute(
                lambda block=shell, env=given: run_block(block, squint, screen, env))
        for line in wrong:
            print(f"# {line}")
        print(f"{'not ok' if wrong else 'ok'} {number} {name}", flush=True)
        ok = ok and not wrong
    for number, name in enumerate(unread, len(examples) + 1):
        print("# <!-- test --> wants a block of sh right below it")
        print(f"not ok {number} {name}")
        ok = False
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
