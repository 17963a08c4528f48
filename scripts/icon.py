"""The icon of the project: a narrowed eye, drawn here so that no picture file has to be
kept. PNG without other libraries, always the same bytes. As a program it writes the
icon for Windows, in several sizes, to the file that it is given."""
import math
import pathlib
import struct
import sys
import zlib

SIDE = 256
SMALL_SIDES = (16, 32, 48)  # which Windows reads as bitmaps only
SAMPLES = 3  # of a pixel, in each direction
GROUND, EYE, IRIS, PUPIL = (109, 59, 245), (255, 255, 255), (109, 59, 245), (25, 26, 35)


def colour_at(x, y):
    """The colour of a point from -1 to 1, and whether it is inside."""
    edge = [max(abs(v) - 0.62, 0) for v in (x, y)]
    if math.hypot(*edge) > 0.38:
        return GROUND, False
    # The eye is what two large circles have in common.
    if math.hypot(x, y - 0.66) > 1.0 or math.hypot(x, y + 0.66) > 1.0:
        return GROUND, True
    distance = math.hypot(x, y)
    if math.hypot(x - 0.1, y + 0.1) < 0.06:
        return EYE, True
    return (PUPIL if distance < 0.15 else IRIS if distance < 0.3 else EYE), True


def pixel(column, row, side=SIDE):
    """Red, green, blue and alpha of a pixel."""
    total, inside = [0, 0, 0], 0
    for i in range(SAMPLES * SAMPLES):
        point = [2 * (at + (part + 0.5) / SAMPLES) / side - 1
                 for at, part in ((column, i % SAMPLES), (row, i // SAMPLES))]
        colour, is_inside = colour_at(*point)
        if is_inside:
            inside += 1
            total = [a + b for a, b in zip(total, colour)]
    if not inside:
        return bytes(4)
    return bytes([*(value // inside for value in total),
                  255 * inside // SAMPLES ** 2])


def chunk(name, data):
    """A part of a PNG file."""
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png():
    """The icon as the bytes of a PNG file."""
    rows = b"".join(b"\0" + b"".join(pixel(column, row) for column in range(SIDE))
                    for row in range(SIDE))
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def bitmap(side):
    """The icon as a bitmap of an .ico file: BGRA from the bottom, and an empty mask."""
    head = struct.pack("<IiiHHIIiiII", 40, side, 2 * side, 1, 32, 0, 0, 0, 0, 0, 0)
    rows = b"".join(bytes(pixel(column, row, side)[i] for i in (2, 1, 0, 3))
                    for row in reversed(range(side)) for column in range(side))
    return head + rows + bytes((side + 31) // 32 * 4 * side)


def ico():
    """The icon as the bytes of an .ico file."""
    images = [(side, bitmap(side)) for side in SMALL_SIDES] + [(SIDE, png())]
    at = 6 + 16 * len(images)
    head = struct.pack("<HHH", 0, 1, len(images))
    for side, data in images:
        head += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32,
                            len(data), at)
        at += len(data)
    return head + b"".join(data for _, data in images)


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_bytes(ico())
