"""Folders of past screenshots for tests, made with the program under test."""

import datetime
import functools
import pathlib
import struct
import subprocess
import tempfile
import zlib

FULL = (640, 400)
THUMB_SIDE = 160
OFFSET = "01-00"    # as in real files: without a sign
FIRST_SEQ = 517204


def png_chunk(kind, data):
    """One chunk of a PNG."""
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(
        ">I", zlib.crc32(body))


def board_png(width, height):
    """Four by four fields: red grows to the right, green downwards."""
    rows = b""
    for row in range(4):
        line = b"".join(bytes([60 + 60 * column, 60 + 60 * row, 128])
                        * (width // 4) for column in range(4))
        rows += (b"\0" + line) * (height // 4)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header)
            + png_chunk(b"IDAT", zlib.compress(rows))
            + png_chunk(b"IEND", b""))


@functools.lru_cache(maxsize=None)
def pictures(squint):
    """The bytes of a full picture and of its thumbnail."""
    with tempfile.TemporaryDirectory(prefix="squint-pictures-") as name:
        folder = pathlib.Path(name)
        (folder / "board.png").write_bytes(board_png(*FULL))
        for words in (["full.jpg", "--raw"],
                      ["thumb.jpg", "--max-dimension", str(THUMB_SIDE)]):
            subprocess.run([squint, "scale", folder / "board.png", "-o",
                            folder / words[0], *words[1:]], check=True,
                           stdout=subprocess.DEVNULL)
        return ((folder / "full.jpg").read_bytes(),
                (folder / "thumb.jpg").read_bytes())


def put_shots(squint, folder, first, count, step, kind="both"):
    """Write shots with ManicTime's names, `step` seconds apart."""
    full, thumb = pictures(squint)
    moment = datetime.datetime.fromisoformat(first)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        time = moment + datetime.timedelta(seconds=number * step)
        stem = (f"{time:%Y-%m-%d_%H-%M-%S}_{OFFSET}_{FULL[0]}_{FULL[1]}_"
                f"{FIRST_SEQ + number}_0")
        if kind != "thumb":
            (folder / f"{stem}.jpg").write_bytes(full)
        if kind != "full":
            (folder / f"{stem}.thumbnail.jpg").write_bytes(thumb)


def prepare(squint, home, text):
    """Execute a "%" line of a conversation; home is the server's folder.

    shots FOLDER FIRST COUNT SECONDS [full|thumb]
    folder NAME
    file NAME TEXT
    """
    kind, name, rest = (text.split(maxsplit=2) + [""])[:3]
    place = pathlib.Path(home, name)
    words = rest.split()
    if kind == "shots":
        put_shots(squint, place, words[0], int(words[1]), int(words[2]),
                  *words[3:])
    elif kind == "folder":
        place.mkdir(parents=True)
    elif kind == "file":
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(rest + "\n", encoding="utf-8")
    else:
        raise SystemExit(f"cannot make {kind}: unknown kind")
