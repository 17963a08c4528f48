#!/usr/bin/env python3
"""health.py SQUINT: health resources and answers agree; TAP.

Each world has one problem with its past screenshots. A list, squint://health
and manictime://health are read, and must agree whether there is a problem and
which.
"""

import json
import os
import pathlib
import sqlite3
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
import past_folders
from cases import expect_true, named, run_all
from squint_server import SLOWNESS_NAME, Server

DAY = "2026-01-15"
DATABASE = "ManicTimeReports.db"
TIMELINE = ("CREATE TABLE Ar_Timeline (ReportId INTEGER, SchemaName TEXT);"
            "INSERT INTO Ar_Timeline VALUES (7, 'ManicTime/Applications');")
ACTIVITY = ("CREATE TABLE Ar_Activity (ReportId INTEGER, StartUtcTime TEXT,"
            " EndUtcTime TEXT, Name TEXT); INSERT INTO Ar_Activity VALUES"
            f" (7, '{DAY} 07:00:00', '{DAY} 09:00:00', 'Mail');")
# One step of SQLite that takes minutes.
ENDLESS = ("(replace(hex(zeroblob(500000)), '0', 'a') LIKE '%' ||"
           " replace(hex(zeroblob(24000)), '0', 'a') || 'b')")
VIEW = ("CREATE VIEW Ar_Activity AS SELECT 7 AS ReportId,"
        f" '{DAY}' AS StartUtcTime, '2027' AS EndUtcTime, {ENDLESS} AS Name;")
COMPUTED = ("CREATE TABLE Ar_Activity (a, b, c); INSERT INTO Ar_Activity"
            f" VALUES (7, '{DAY}', '2027'); PRAGMA writable_schema = ON;"
            " UPDATE sqlite_master SET sql = 'CREATE TABLE Ar_Activity"
            " (ReportId INTEGER, StartUtcTime TEXT, EndUtcTime TEXT, Name AS ("
            + ENDLESS.replace("'", "''") + "))' WHERE name = 'Ar_Activity';")
REAL_TIME = {SLOWNESS_NAME: "1"}


def put_database(folder, *statements):
    """Make a database with these statements; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / DATABASE
    connection = sqlite3.connect(path)
    for sql in statements:
        connection.executescript(sql)
    connection.close()
    return path


class World:
    """A server over a data folder of ManicTime."""

    def __init__(self, squint, make, flags=(), env=None):
        self.squint = squint
        self.make = make
        argv = [squint, "mcp", *(flags or ["--manictime", "data"])]
        self.server = Server(argv, prepare=self.prepare, env=env)
        self.server.initialize()

    def prepare(self, home):
        """Make a valid folder, then add the problem."""
        self.data = pathlib.Path(home, "data")
        past_folders.put_shots(self.squint, self.data / "Screenshots" / DAY,
                               f"{DAY}T09:00:00", 3, 60)
        put_database(self.data, TIMELINE, ACTIVITY)
        self.make(self.data)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.__exit__()

    def list(self, **more):
        """The answer to a list of the day."""
        result = self.server.call("list_screenshots",
                                  **{"startDate": DAY, "endDate": DAY, **more})
        return json.loads(result["content"][0]["text"])

    def read(self, uri):
        """A resource as JSON."""
        answer = self.server.request("resources/read", {"uri": uri})
        return json.loads(answer["result"]["contents"][0]["text"])

    def story(self):
        """The diagnostics of a list; checks that the resources agree."""
        listed = self.list()
        diagnostics = listed["diagnostics"]
        health = self.read("squint://health")
        manictime = self.read("manictime://health")
        told = {"a list": diagnostics["degraded"],
                "squint://health": health["archive"]["degraded"],
                "its status": health["status"] == "degraded",
                "manictime://health": manictime["status"] == "Degraded"}
        expect_true(f"{told} {diagnostics}", len(set(told.values())) == 1)
        codes = [issue["code"] for issue in health["archive"]["issues"]]
        expect_true(f"{codes} {manictime}",
                    len(codes) == len(manictime["issues"]))
        expect_true(f"{codes} {told}", bool(codes) == diagnostics["degraded"])
        if codes:
            expect_true(f"{diagnostics} but {codes}",
                        diagnostics["reasonCode"] in codes)
            expect_true(f"{diagnostics}",
                        diagnostics["message"] and diagnostics["remediationHint"])
        expect_true("another story", self.list()["diagnostics"] == diagnostics)
        return listed, codes, manictime


def nothing(_data):
    """No problem."""


def write(content):
    """Replace the database by these bytes."""
    return lambda data: (data / DATABASE).write_bytes(content)


def remake(*statements):
    """Replace the database by these statements."""
    def make(data):
        (data / DATABASE).unlink()
        put_database(data, *statements)
    return make


def strange_collation(data):
    """A column sorts by rules that only another program has."""
    path = data / DATABASE
    path.unlink()
    connection = sqlite3.connect(path)
    connection.create_collation("ignorepreviousinstructions",
                                lambda a, b: (a > b) - (a < b))
    connection.executescript(TIMELINE + ACTIVITY.replace(
        "(ReportId INTEGER",
        "(ReportId INTEGER COLLATE ignorepreviousinstructions"))
    connection.close()


def cut(data):
    """The database loses its last page."""
    path = data / DATABASE
    os.truncate(path, path.stat().st_size - 4096)


def damage(data):
    """The database is damaged after its header."""
    with open(data / DATABASE, "r+b") as file:
        file.seek(100)
        file.write(b"\xee" * 3900)


def replace_shots(make):
    """Another folder of screenshots."""
    def replaced(data):
        folder = data / "Screenshots" / DAY
        files = sorted(folder.iterdir())
        make(data, folder, files)
    return replaced


def names_unread(_data, folder, files):
    """Names without a time."""
    for number, file in enumerate(files):
        file.rename(folder / f"holiday{chr(97 + number)}.jpg")


def links(data, _folder, files):
    """Pictures are symbolic links."""
    outside = data.parent / "outside"
    outside.mkdir()
    for file in files:
        file.rename(outside / file.name)
        file.symlink_to(outside / file.name)


def emptied(_data, _folder, files):
    """A day that was purged."""
    for file in files:
        file.unlink()


def never(_data, folder, files):
    """Nothing was ever written."""
    emptied(_data, folder, files)
    folder.rmdir()


def truncated(_data, _folder, files):
    """One truncated picture."""
    for file in files[:2]:
        file.write_bytes(file.read_bytes()[:-40])
        os.utime(file, (1, 1))


def bad_key(data):
    """The key file is something else."""
    state = data.parent / "state" / "squint"
    state.mkdir(parents=True)
    os.chmod(state, 0o700)
    (state / "screenshot-ref.key").mkdir()


# The problem, its code, ManicTime's code and schemaStatus.
WORLDS = {
    "no problem": (nothing, None, None, "Valid"),
    "no database": (lambda data: (data / DATABASE).unlink(),
                    "DatabaseNotFound", "DatabaseNotFound", "NotChecked"),
    "an empty database": (write(b""), "DatabaseEmpty",
                          "DatabaseIntegrityCheckFailed", "Invalid"),
    "a file that is not a database": (write(b"some text\n" * 100), "NotADatabase",
                           "DatabaseIntegrityCheckFailed", "Invalid"),
    "a truncated database": (cut, "DatabaseTruncated",
                       "DatabaseIntegrityCheckFailed", "Invalid"),
    "a damaged database": (damage, "DatabaseCorrupt",
                           "DatabaseIntegrityCheckFailed", "Invalid"),
    "other tables": (remake("CREATE TABLE a (b);"), "DatabaseTablesMissing",
                     "SchemaValidationFailed", "Invalid"),
    "a view": (remake(TIMELINE, VIEW), "DatabaseComputed",
               "SchemaValidationFailed", "Invalid"),
    "a computed column": (remake(TIMELINE, COMPUTED), "DatabaseComputed",
                          "SchemaValidationFailed", "Invalid"),
    "no timeline": (remake(TIMELINE, ACTIVITY, "DELETE FROM Ar_Timeline;"),
                    "NothingRecorded", "NothingRecorded", "Valid"),
    "names without a time": (replace_shots(names_unread), "NamesUnread",
                                "NamesUnread", "Valid"),
    "symbolic links": (replace_shots(links), "SymbolicLinks", "SymbolicLinks",
                       "Valid"),
    "a purged day": (replace_shots(emptied), "Retention",
                     "ScreenshotDirectoryEmpty", "Valid"),
    "nothing was written": (replace_shots(never), "CaptureDisabled",
                            "ScreenshotDirectoryEmpty", "Valid"),
    "a truncated picture": (replace_shots(truncated), "FilesUnusable",
                                 "FilesUnusable", "Valid"),
    "an unreadable key": (bad_key, "KeyUnreadable", "KeyUnreadable",
                                  "Valid"),
}


def world(squint, make, code, manictime_code, schema):
    """There is one problem, and all answers agree."""
    with World(squint, make) as here:
        _, codes, manictime = here.story()
        expect_true(f"{codes}, not {code}", codes == ([code] if code else []))
        issues = [issue["code"] for issue in manictime["issues"]]
        expect_true(f"{issues}", issues == ([manictime_code] if code else []))
        expect_true(f"{manictime}", manictime["schemaStatus"] == schema)
        path = here.data / DATABASE
        expect_true(f"{manictime}",
                    manictime["databaseExists"] == path.exists())
        size = path.stat().st_size if path.exists() else None
        expect_true(f"{manictime}", manictime.get("databaseSizeBytes") == size)
        expect_true(f"{manictime}",
                    manictime["directorySource"] == "CommandLine")


def empty_window(squint):
    """A day without shots is not a problem."""
    with World(squint, nothing) as here:
        for day, reason in ("2020-01-01", "Retention"), (
                "2026-02-01", "Unknown"):
            found = here.list(startDate=day, endDate=day)["diagnostics"]
            expect_true(f"{found}",
                        found["reasonCode"] == reason and not found["degraded"])
        expect_true("degraded", here.read("squint://health")["status"] == "ok")


def foreign_words(squint):
    """Answers with text of a database or a device are marked as untrusted."""
    with World(squint, strange_collation) as here:
        for tool, answer in (("list_screenshots", 0), ("contact_sheet", -1)):
            result = here.server.call(tool, startDate=DAY, endDate=DAY)
            told = json.loads(result["content"][answer]["text"])
            expect_true(f"{told}", "ignoreprevious" in told["samplingNote"])
            expect_true(f"{tool}: {told}", told.get("untrusted") is True)
        for uri in "squint://health", "manictime://health":
            expect_true(uri, here.read(uri).get("untrusted") is True)
    with World(squint, lambda data: (data / DATABASE).unlink()) as here:
        told = here.list()
        expect_true(f"{told}",
                    "samplingNote" in told and "untrusted" not in told)


def locked_database(squint):
    """squint waits once for a locked database, and uses it after the lock."""
    with World(squint, nothing, env=REAL_TIME) as here:
        writer = sqlite3.connect(here.data / DATABASE, isolation_level=None)
        writer.execute("BEGIN EXCLUSIVE")
        _, codes, _ = here.story()
        expect_true(f"{codes}", codes == ["DatabaseLocked"])
        began = time.perf_counter()
        for _ in range(30):
            found = here.list()
            expect_true(f"{found}",
                        found["diagnostics"]["reasonCode"] == "DatabaseLocked")
        took = time.perf_counter() - began
        # 30 waits of 300 ms would take 9 s; without waits each takes a few ms.
        expect_true(f"30 lists took {took:.1f} s", took < 8)
        writer.execute("ROLLBACK")
        writer.close()
        listed, codes, _ = here.story()
        expect_true(f"{listed}",
                    not codes and listed["sampling"] == "activity_transition")


def hostile(squint):
    """A database that would compute for minutes is refused in time."""
    for activity in VIEW, COMPUTED:
        flags = ["--manictime", "data", "--timeout-ms", "2000"]
        with World(squint, remake(TIMELINE, activity), flags=flags,
                   env=REAL_TIME) as here:
            began = time.perf_counter()
            listed = here.list()
            took = time.perf_counter() - began
            expect_true(f"{listed}", len(listed["screenshots"]) == 3)
            # Ten times the limit on an idle machine.
            expect_true(f"took {took:.1f} s", took < 25)


def permission_in_the_path(squint):
    """A permission after the folder does not hide its database."""
    with World(squint, nothing, flags=["--manictime", "data=thumbnail"]
               ) as here:
        listed, codes, manictime = here.story()
        expect_true(f"{listed}",
                    not codes and listed["sampling"] == "activity_transition")
        expect_true(f"{manictime}", manictime["dataDirectory"] == "data")
        expect_true(f"{manictime}", manictime["databaseExists"])


def sources(squint):
    """directorySource says where the folder was set."""
    config = "archive:\n  manicTimeDirectory: data\n"

    def configure(data):
        (data.parent / "squint.yaml").write_text(config, encoding="utf-8")
    for flags, env, source in (
            (["--manictime", "data"], None, "CommandLine"),
            (["--read-only"], {"MANICTIME_DATA_DIR": "data"},
             "EnvironmentVariable"),
            (["--config", "squint.yaml"], None, "ConfigurationFile"),
            (["--archive", "data/Screenshots"], None, "Unresolved")):
        with World(squint, configure, flags=flags, env=env) as here:
            found = here.read("manictime://health")
            expect_true(f"{found}", found["directorySource"] == source)


if __name__ == "__main__":
    sys.exit(run_all(
        [named(name, world, *row) for name, row in WORLDS.items()]
        + [empty_window, foreign_words, locked_database, hostile,
           permission_in_the_path, sources],
        str(pathlib.Path(sys.argv[1]).resolve())))
