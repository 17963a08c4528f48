#!/usr/bin/env python3
"""server.py FOLDER TOKEN FAULT: an emulator's gRPC interface by gRPC's C core.

Shows the raw frame FOLDER/frame, writes what it is asked to FOLDER/log, and
prints its port. FAULT is "none" or how it misbehaves. Like server.mjs.
"""

import concurrent.futures
import os
import pathlib
import signal
import struct
import sys
import threading
import time

import grpc

FOLDER, TOKEN, FAULT = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
SERVICE = "android.emulation.control.EmulatorController"
RAW_HEADER = 16
STATE = {"clipboard": b"", "time": None, "touches": 0}
LOG_LOCK = threading.Lock()


def varint(value):
    """A number as Protocol Buffers store it."""
    out = bytearray()
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out) + bytes([value])


def number(field, value):
    """A field with a number."""
    return varint(field * 8) + varint(value)


def chunk(field, value):
    """A field with bytes."""
    return varint(field * 8 + 2) + varint(len(value)) + value


def parse(message):
    """The fields of a message: [(number, value), ...]."""
    at, fields = 0, []

    def take():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key, value = take(), take()
        if key % 8 == 2:
            value, at = message[at:at + value], at + value
        fields.append((key // 8, value))
    return fields


def log(line):
    """Add a line to the log."""
    with LOG_LOCK, open(FOLDER / "log", "ab") as file:
        file.write(line + b"\n")


def show(name, message):
    """The fields of a message as text."""
    return b",".join(
        b"%d=%d" % (field, value) if isinstance(value, int)
        else b"(%s)" % show(name, value) if name == "sendTouch"
        else b"%d=%s" % (field, value) for field, value in parse(message))


def read_frame():
    """The frame in the file: width, height, pixels."""
    stamp = os.stat(FOLDER / "frame").st_mtime_ns
    if STATE["time"] != stamp:
        raw = (FOLDER / "frame").read_bytes()
        width, height = struct.unpack_from("<II", raw)
        STATE["frame"] = width, height, raw[RAW_HEADER:]
        STATE["time"] = stamp
    return STATE["frame"]


def scale(frame, side):
    """A frame in a square of that side, by leaving out pixels."""
    width, height, pixels = frame
    if not side or side >= max(width, height):
        return frame
    small = width * side // max(width, height), height * side // max(
        width, height)
    rows = []
    columns = [4 * (x * width // small[0]) for x in range(small[0])]
    for y in range(small[1]):
        start = 4 * (y * height // small[1] * width)
        rows += [pixels[start + at:start + at + 4] for at in columns]
    return *small, b"".join(rows)


def scale_once(side):
    """The scaled frame; kept, since an emulator scales in no time."""
    frame = read_frame()
    key = STATE["time"], side
    if STATE.get("key") != key:
        STATE["small"] = scale(frame, side)
        STATE["key"] = key
    return STATE["small"]


def image(request, rotation=0):
    """A picture's message."""
    width, height, pixels = scale_once(dict(parse(request)).get(3))
    shape = (number(1, 1) + chunk(2, number(1, rotation)) + number(3, width)
             + number(4, height))
    return (chunk(1, shape) + chunk(4, pixels[::-1] if rotation else pixels) + number(5, 7)
            + number(6, 1234567))


def get_screenshot(request, context):
    """Answer with a picture, or misbehave."""
    if FAULT == "slow":
        time.sleep(600)
    if FAULT == "status":
        context.abort(grpc.StatusCode.INTERNAL, "the GPU is gone: 50 %")
    if FAULT == "die":
        threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGKILL)).start()
    faults = {"rotated": lambda: image(request, 1),
              "off": lambda: chunk(1, number(1, 1)),
              "huge": lambda: b"\1" * (40 << 20),
              "garbage": lambda: b"\xff" * 5}
    return faults.get(FAULT, lambda: image(request))()


def send_touch(_, context):
    """Answer, or misbehave at the third touch."""
    STATE["touches"] += 1
    fault = FAULT if STATE["touches"] == 3 else ""
    if fault == "touch-status":
        context.abort(grpc.StatusCode.INTERNAL, "the GPU is gone: 50 %")
    if fault == "touch-silent":
        time.sleep(600)
    if fault == "touch-die":
        os.kill(os.getpid(), signal.SIGKILL)
    return b""


def set_clipboard(request, _):
    """Remember a text."""
    STATE["clipboard"] = dict(parse(request)).get(1, b"")
    return b""


def get_clipboard(*_):
    """Answer with that text."""
    return chunk(1, STATE["clipboard"]) if STATE["clipboard"] else b""


def check(name, request, context):
    """Refuse a wrong token, and log the request."""
    given = dict(context.invocation_metadata()).get("authorization")
    if TOKEN and given != f"Bearer {TOKEN}":
        log(b"refused " + name.encode())
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "invalid token")
    log(name.encode() + b" " + show(name, request))


def stream_screenshot(request, context):
    """A picture now, and one each time the frame is written."""
    check("streamScreenshot", request, context)
    last = None
    while context.is_active():
        read_frame()
        if STATE["time"] != last:
            if last:
                log(b"drawn")
            last = STATE["time"]
            yield image(request)
        time.sleep(0.005)


def unary(name, handle):
    """The handler of a method with one answer."""
    def run(request, context):
        check(name, request, context)
        return handle(request, context)
    return grpc.unary_unary_rpc_method_handler(run)


def main():
    """Serve until standard input ends."""
    handlers = {
        "getScreenshot": unary("getScreenshot", get_screenshot),
        "sendTouch": unary("sendTouch", send_touch),
        "setClipboard": unary("setClipboard", set_clipboard),
        "getClipboard": unary("getClipboard", get_clipboard),
        "streamScreenshot": grpc.unary_stream_rpc_method_handler(
            stream_screenshot),
    }
    if FAULT == "touch-unknown":
        del handlers["sendTouch"]
    server = grpc.server(
        concurrent.futures.ThreadPoolExecutor(8),
        options=[("grpc.max_send_message_length", -1)])
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, handlers),))
    # Emulators listen like this, without TLS and on this machine only.
    port = server.add_secure_port(
        "[::1]:0", grpc.local_server_credentials())
    server.start()
    print(port, flush=True)
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGKILL)


main()
