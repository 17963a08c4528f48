#!/usr/bin/env python3
"""examples.py SQUINT ROOT: run the examples of README.md and docs/.

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
"""
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from phone_clock import within_a_minute

BLOCK = re.compile(r"^<!-- test -->\n(`{3,})sh\n(.*?)^\1$",
                   re.MULTILINE | re.DOTALL)
MARK = "<!-- test -->"
SCREEN = (1080, 2400)
TIMEOUT_SECONDS = 300


def blocks(text):
    """(line number, shell text) of every example of a page."""
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[2]


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


def run_block(shell, squint, screen):
    """The problems of an example: a list of lines, empty if there are none."""
    parts = list(steps(shell))
    with tempfile.TemporaryDirectory(prefix="squint-examples-") as scratch:
        folder = pathlib.Path(scratch)
        work, output = folder / "work", folder / "output"
        work.mkdir()
        output.mkdir()
        (work / "screen.png").write_bytes(screen)
        path = f"{squint.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        env = {**os.environ, "PATH": path, "OUTPUT": str(output),
               "SQUINT_ANDROID_ADB_SERVER": "off",
               "XDG_RUNTIME_DIR": str(folder / "runtime"),
               "HOME": str(work), "LC_ALL": "C.UTF-8"}
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


def main(squint, root):
    squint, root = pathlib.Path(squint).resolve(), pathlib.Path(root)
    examples = []
    unread = []
    for page in pages(root):
        text = page.read_text()
        name = page.relative_to(root)
        found = list(blocks(text))
        examples += [(f"{name}:{line}", shell) for line, shell in found]
        if re.findall(rf"^{MARK}", text, re.MULTILINE)[len(found):]:
            unread.append(name)
    print(f"1..{len(examples) + len(unread)}")
    ok = True
    screen = screen_png()
    for number, (name, shell) in enumerate(examples, 1):
        wrong = within_a_minute(
            lambda block=shell: run_block(block, squint, screen))
        for line in wrong:
            print(f"# {line}")
        print(f"{'not ok' if wrong else 'ok'} {number} {name}", flush=True)
        ok = ok and not wrong
    for number, name in enumerate(unread, len(examples) + 1):
        print(f"# {MARK} wants a block of sh right below it")
        print(f"not ok {number} {name}")
        ok = False
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
