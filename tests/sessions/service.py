#!/usr/bin/env python3
"""service.py SQUINT: the units for the user's service manager; TAP."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "http")]

# pylint: disable=wrong-import-position
from cases import Skip, run_in_folders
import served

SQUINT = os.path.abspath(sys.argv[1])
UNITS = TESTS.parent / "share" / "systemd"
SERVICE = (UNITS / "squint.service").read_text(encoding="ascii")


def setting(name):
    """The value of a setting of the service."""
    return re.search(rf"(?m)^{name}=(.*)$", SERVICE).group(1)


def units_are_valid(folder):
    """As systemd reads them, and they protect what they should."""
    if not shutil.which("systemd-analyze"):
        raise Skip("systemd-analyze is not installed")
    for name in ("squint.service", "squint.socket"):
        text = (UNITS / name).read_text(encoding="ascii")
        (folder / name).write_text(
            text.replace("ExecStart=squint", f"ExecStart={SQUINT}"),
            encoding="ascii")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no",
         str(folder / "squint.service"), str(folder / "squint.socket")],
        check=False, capture_output=True, text=True,
        env={**os.environ, "XDG_RUNTIME_DIR": str(folder)})
    assert (done.returncode, done.stderr) == (0, ""), done
    assert (setting("ProtectSystem"), setting("ProtectHome")) == (
        "strict", "read-only")


def memory_matches_the_documented_bounds(_):
    """MemoryMax is the next gigabyte above the sum of docs/http.md."""
    text = (TESTS.parent / "docs" / "http.md").read_text(encoding="utf-8")
    table = text[text.index("| memory of the service |"):]
    table = table[:table.index("\n\n")]
    parts = [int(n) for n in re.findall(r"(?m)\| (\d+) MB \|$", table)]
    total = parts.pop()
    assert total == sum(parts), (total, parts)
    limit = int(re.fullmatch(r"(\d+)G", setting("MemoryMax")).group(1)) << 10
    assert limit - 1024 < total <= limit, (total, limit)


def a_server_needs_no_other_folder(folder):
    """A home that is read-only but for those of the unit is enough."""
    if os.geteuid() != 0 or subprocess.run(
            ["unshare", "-m", "true"], check=False,
            stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("no mounts can be made")
    home = folder / "home"
    paths = [p.replace("%h", str(home)).lstrip("-")
             for p in setting("ReadWritePaths").split()]
    for path in paths:
        os.makedirs(path)
    script = "; ".join(
        ["set -e", f"mount --bind {home} {home}",
         *(f"mount --bind {path} {path}" for path in paths),
         f"mount -o remount,bind,ro {home}", 'exec "$@"'])
    name, value = setting("Environment").replace("%h", str(home)).split("=")
    env = {name: value, "HOME": str(home), "XDG_RUNTIME_DIR": "",
           **{f"XDG_{x}_HOME": "" for x in ("STATE", "CACHE", "DATA",
                                             "CONFIG")}}
    server = served.Server(
        ["unshare", "-m", "sh", "-c", script, "sh", "env",
         *(f"{k}={v}" for k, v in env.items()), SQUINT], home=paths[0])
    try:
        result = server.call("ui", {"operation": "screenshot",
                                    "localPath": "a.jpg"})
        assert not result.get("isError"), result
        assert pathlib.Path(value, "a.jpg").exists(), os.listdir(paths[0])
    finally:
        status = server.stop()
    assert status == 0, server.lines
    assert not [l for l in server.lines if "Read-only" in l], server.lines


CASES = [units_are_valid, memory_matches_the_documented_bounds,
         a_server_needs_no_other_folder]

if __name__ == "__main__":
    sys.exit(run_in_folders(CASES, "squint-service-", pathlib.Path))
