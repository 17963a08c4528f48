#!/usr/bin/env python3
"""extended.py SQUINT [full]: a long session on each kind of device; TAP.

25 pictures in a row, with a tap after each: no side over 1000 pixels (above
20 pictures some models refuse more than 2000), and the same point of the
picture is the same point of the device every time. Without "full", which takes
minutes with sanitizers, the session is long only on one device and short on
the others.
"""

import base64
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import expect, named, run_all
from picture_size import picture_size
from squint_server import Server

SHOTS = 25
FEW_SHOTS = 3
LIMIT = 1000
LONG_ON = "standard phone"
# The documented table: name, screen, picture, scale factor to two places.
DEVICES = [
    ("budget phone", (1080, 2340), (462, 1000), 2.34),
    (LONG_ON, (1080, 2400), (450, 1000), 2.40),
    ("flagship phone", (1440, 3120), (462, 1000), 3.12),
    ("foldable, cover", (1080, 2092), (516, 1000), 2.09),
    ("foldable, inner", (1840, 2208), (833, 1000), 2.21),
    ("small tablet", (1600, 2560), (625, 1000), 2.56),
    ("large tablet", (1848, 2960), (624, 1000), 2.96),
]


def round_half_up(value):
    """Round like coordinates."""
    return int(value + 0.5)


def take_picture(server, screen, picture, scale):
    """One screenshot, checked against the table; returns its text."""
    result = server.call("ui", operation="screenshot")
    image, text = result["content"]
    kind, width, height = picture_size(base64.b64decode(image["data"]))
    said = server.json_of(text)
    expect("picture", (kind, width, height), ("image/jpeg", *picture))
    expect("device", said["device"], {"width": screen[0], "height": screen[1]})
    expect("image", said["image"], {"width": width, "height": height})
    expect("scale factor", round(said["scaleFactor"], 2), scale)
    if max(width, height) > LIMIT:
        raise AssertionError(f"{width}x{height} is too large")
    return said


def run(squint, shots, screen, picture, scale):
    """A session on one device."""
    flags = ["--demo-width", str(screen[0]), "--demo-height", str(screen[1])]
    point = (picture[0] * 3 // 7, picture[1] // 2)
    wanted = tuple(round_half_up(at * full / small) for at, full, small
                   in zip(point, screen, picture))
    with Server([squint, "mcp", *flags]) as server:
        server.initialize()
        for _ in range(shots):
            shot = take_picture(server, screen, picture, scale)
            tapped = server.ui("tap", x=point[0], y=point[1],
                               receipt="none")["tapped"]
            expect("tap", (tapped["deviceX"], tapped["deviceY"]), wanted)
            expect("frame", tapped["screenshotId"], shot["screenshotId"])
            server.ui("key", name="home", receipt="none")


def main(squint, extent=""):
    """Run all devices."""
    cases = []
    for name, *sizes in DEVICES:
        shots = SHOTS if extent == "full" or name == LONG_ON else FEW_SHOTS
        cases.append(named(f"{shots} pictures of a {name}, {sizes[0]}",
                           run, squint, shots, *sizes))
    return run_all(cases)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
