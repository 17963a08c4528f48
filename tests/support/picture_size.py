"""The width and height in the header of a JPEG, PNG or WebP file."""

import struct

# Markers of a JPEG frame header: SOF0 to SOF15 without DHT, JPG and DAC.
FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def of_jpeg(data):
    """Walk the segments up to the frame header."""
    at = 2
    while at + 9 < len(data):
        marker, length = data[at + 1], struct.unpack_from(">H", data, at + 2)[0]
        if marker in FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + length
    raise ValueError("a JPEG without a frame")


def of_webp(data):
    """Lossy, lossless and extended files begin differently."""
    kind = data[12:16]
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return (int.from_bytes(data[24:27], "little") + 1,
            int.from_bytes(data[27:30], "little") + 1)


def picture_size(data):
    """(media type, width, height) of a picture's bytes."""
    if data.startswith(b"\xff\xd8"):
        return ("image/jpeg", *of_jpeg(data))
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return ("image/png", *struct.unpack_from(">II", data, 16))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return ("image/webp", *of_webp(data))
    raise ValueError("neither JPEG, PNG nor WebP")
