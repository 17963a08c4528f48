"""Asks a server everything about its past screenshots, and compares."""

import base64
import json
import pathlib

from picture_size import picture_size
from squint_server import Server


def shots_of(reply):
    """The screenshots of a reply of list_screenshots, with their common
    members."""
    found = json.loads(reply["content"][-1]["text"])
    common = found.get("common", {})
    return [{**common, **shot} for shot in found["screenshots"]]


def start(squint, home, options, env=None):
    """A server whose state and caches are in `home`."""
    folders = {f"XDG_{name.upper()}_HOME": str(pathlib.Path(home, name))
               for name in ("cache", "config", "data", "state")}
    server = Server([squint, "mcp", *options], env={**folders, **(env or {})})
    server.initialize()
    return server


def longest_side(reply):
    """The longest side of the pictures in the answer of a tool or resource."""
    blocks = [block["data"] for block in reply.get("content", [])
              if block["type"] == "image"]
    blocks += [block["blob"] for block in reply.get("contents", [])
               if "blob" in block]
    return max((max(picture_size(base64.b64decode(data))[1:])
                for data in blocks), default=0)
