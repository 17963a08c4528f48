"""The icon of the project: a narrowed eye, drawn here so that no picture file has to be
kept. PNG without other libraries, always the same bytes."""
import math
import struct
import zlib

SIDE = 256
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


def pixel(column, row):
    """Red, green, blue and alpha of a pixel."""
    total, inside = [0, 0, 0], 0
    for i in range(SAMPLES * SAMPLES):
        point = [2 * (at + (part + 0.5) / SAMPLES) / SIDE - 1
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
