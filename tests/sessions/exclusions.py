#!/usr/bin/env python3
"""exclusions.py SQUINT: screenshots that the configuration hides; TAP.

Makes random archives and configurations: folders, nesting, permissions,
excluded times, apps and titles, rules of redaction, and a record of activities
with gaps and times that cannot be read. A slow and simple model says which
shots are hidden. They are then deleted, and a server without these rules must
give the same answers as the one with them: what is excluded leaves no trace."""

import datetime
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import zoneinfo

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
import past_folders
from cases import run_all
from past_asker import shots_of, start
from squint_server import PATIENCE, clean_environment

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
LEVELS = ("none", "metadata", "labels", "thumbnail", "full")
# The second and the third have a change of clocks in Europe.
FIRST_DAYS = ("2026-09-03", "2026-10-23", "2026-03-27")
APPS = ("Mail", "First Bank", "Editor", "bankroll")
CARD = "4111111111111111"
TITLES = ("inbox", "Diary of a patient", f"card {CARD}", "dear diary",
          "notes\nInbox\nmore")
OFFSETS = (0, 60, 120, -480, 345)   # minutes
FULL, MINUTE = past_folders.FULL, datetime.timedelta(minutes=1)
NOTHING = {"isError": True}


def readings(local, zone):
    """The UTC times that a local time may mean."""
    return sorted({local.replace(tzinfo=zone, fold=fold).astimezone(
        datetime.timezone.utc).replace(tzinfo=None)
                   for fold in ((0, 1) if is_repeated(local, zone) else (0,))})


def is_repeated(local, zone):
    """Whether clocks show a time twice; they skip one if it is not the same
    after a conversion to UTC and back."""
    both = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    back = [time.astimezone(datetime.timezone.utc).astimezone(zone)
            .replace(tzinfo=None, fold=0) for time in both]
    return (both[0].utcoffset() != both[1].utcoffset()
            and back == [local, local])


class Shot:
    """One shot: its local time, the UTC times in which it may have been taken,
    its folder and files."""

    def __init__(self, rng, home, local, number, zone):
        self.local = local
        self.folder = home / "past" / f"{self.local:%Y-%m-%d}"
        form = rng.choice(("ManicTime", "ManicTime", "seconds", "minutes"))
        length, kind = datetime.timedelta(seconds=1), "full"
        begins = readings(self.local, zone)
        if form == "ManicTime":
            offset = rng.choice((*OFFSETS, int(zone.utcoffset(local)
                                               .total_seconds()) // 60))
            sign = "-" if offset < 0 else ""
            hours, minutes = divmod(abs(offset), 60)
            stem = (f"{self.local:%Y-%m-%d_%H-%M-%S}_{sign}{hours:02}-"
                    f"{minutes:02}_{FULL[0]}_{FULL[1]}_{number}_"
                    f"{rng.randrange(2)}")
            begins = [self.local - offset * MINUTE]
            kind = rng.choice(("both", "full", "thumb"))
        elif form == "seconds":
            stem = f"{number}_{self.local:%Y-%m-%d_%H-%M-%S}"
        else:
            stem = f"{self.local:%Y-%m-%d_%H-%M}_{number + 1}"
            self.local = self.local.replace(second=0)
            begins = readings(self.local, zone)
            length = MINUTE
        self.times = [(begin, begin + length) for begin in begins]
        self.files = [self.folder / f"{stem}{ending}.jpg"
                      for ending, other in (("", "thumb"), (".thumbnail", "full"))
                      if kind != other]

    def write(self, pictures):
        """Make its files."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for file in self.files:
            file.write_bytes(pictures[".thumbnail" in file.name])


class Time:
    """The start or the end of an activity: its text, without an offset if a
    zone is given, and the UTC times that it may mean."""

    def __init__(self, utc, zone, is_unknown=False):
        self.utc, self.texts = utc, {}
        local = utc.replace(tzinfo=datetime.timezone.utc).astimezone(
            zone or datetime.timezone.utc).replace(tzinfo=None, fold=0)
        meant = readings(local, zone) if zone else [utc]
        self.first, self.last = meant[0], meant[-1]
        self.text = f"{local.isoformat(sep=' ')}{'' if zone else 'Z'}"
        if is_unknown:
            self.first, self.last = datetime.datetime.min, datetime.datetime.max
            self.text = "?"


class Activity:
    """One row of the record."""

    def __init__(self, begin, end, app, title):
        self.begin, self.end, self.app, self.title = begin, end, app, title

    def line(self):
        """The row of a table."""
        return (f'{self.begin.text},{self.end.text},"{self.title}",'
                f"{self.app}\n")

    def overlaps(self, begin, end):
        """Whether it may have been done at that time."""
        last = max(self.end.last, self.begin.first
                   + datetime.timedelta(microseconds=1)) if (
                       self.end.last != datetime.datetime.max) else self.end.last
        return self.begin.first < end and last > begin


def write_csv(path, rows, _zone):
    """The record as a table."""
    path.write_text("start,end,label,group\n" + "".join(
        row.line() for row in rows), encoding="utf-8")


def write_manictime(path, rows, zone):
    """The record as ManicTime writes it: with the names of both generations,
    the first of them without UTC."""
    key = "CommonId" if zone is None else "CommonGroupId"
    kind = "Local" if zone else "Utc"
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as base:
        base.executescript(f"""
            PRAGMA synchronous = OFF;
            CREATE TABLE Ar_Timeline(ReportId INTEGER PRIMARY KEY,
                SchemaName TEXT, BaseSchemaName TEXT);
            CREATE TABLE Ar_CommonGroup({key} INTEGER PRIMARY KEY, Name TEXT);
            CREATE TABLE Ar_Activity(ReportId INTEGER, ActivityId INTEGER,
                Start{kind}Time TEXT, End{kind}Time TEXT, Name TEXT,
                GroupId INTEGER, CommonGroupId INTEGER,
                PRIMARY KEY (ReportId, ActivityId));
            INSERT INTO Ar_Timeline VALUES (7, 'ManicTime/Applications',
                'ManicTime/Applications');""")
        base.executemany("INSERT INTO Ar_CommonGroup VALUES (?, ?)",
                         enumerate(APPS))
        base.executemany(
            "INSERT INTO Ar_Activity VALUES (7, ?, ?, ?, ?, NULL, ?)",
            [(number, row.begin.text.rstrip("Z"), row.end.text.rstrip("Z"),
              row.title, APPS.index(row.app))
             for number, row in enumerate(rows)])
    base.close()


def write_watch(path, rows, _zone):
    """The record as ActivityWatch writes it."""
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as base:
        base.executescript("""
            PRAGMA synchronous = OFF;
            CREATE TABLE bucketmodel(key INTEGER PRIMARY KEY, id TEXT,
                type TEXT);
            CREATE TABLE eventmodel(id INTEGER PRIMARY KEY, bucket_id INTEGER,
                timestamp DATETIME, duration DECIMAL(10, 5), datastr TEXT);
            INSERT INTO bucketmodel VALUES (1, 'window', 'currentwindow');""")
        base.executemany(
            "INSERT INTO eventmodel(bucket_id, timestamp, duration, datastr)"
            " VALUES (1, ?, ?, ?)",
            [(row.begin.text.replace("Z", "+00:00"),
              -1 if row.end.text == "?" else
              (row.end.utc - row.begin.utc).total_seconds(),
              json.dumps({"app": row.app, "title": row.title}))
             for row in rows])
    base.close()


# How the record is written, whether without offsets, and the name of its kind.
RECORDERS = [(write_csv, False, "csv"), (write_csv, True, "csv"),
             (write_manictime, False, "manictime"),
             (write_manictime, True, "manictime"),
             (write_watch, False, "activitywatch")]


def excludes_time(rule, local):
    """Whether "DAYS FROM-TO" covers a local time; each minute of each day on
    which the time begins is tried."""
    parts = rule.split(" ")
    times = parts.pop() if ":" in parts[-1] else "00:00-24:00"
    days = parts[0] if parts else "Mon-Sun"
    begin, end = (int(t[:2]) * 60 + int(t[3:]) for t in times.split("-"))
    if end <= begin:
        end += 1440
    for back in (0, 1):
        day = (local - datetime.timedelta(days=back)).replace(
            hour=0, minute=0, second=0)
        minute = (local - day) // MINUTE
        if not begin <= minute < end:
            continue
        if days[0].isdigit():
            first, last = (days.split("..") * 2)[:2]
            if first <= f"{day:%Y-%m-%d}" <= last:
                return True
        else:
            first, last = (days.split("-") * 2)[:2]
            names, at = [first], WEEKDAYS.index(first)
            while names[-1] != last:
                at = (at + 1) % 7
                names.append(WEEKDAYS[at])
            if WEEKDAYS[day.weekday()] in names:
                return True
    return False


class World:
    """An archive, a record of activities and a configuration."""

    def __init__(self, rng, squint, home):
        self.rng, self.squint, self.home = rng, squint, home
        self.zone = zoneinfo.ZoneInfo(rng.choice(("UTC", "Europe/Zurich")))
        self.recorder, is_local, self.activity = rng.choice(RECORDERS)
        self.record_zone = self.zone if is_local else None
        first = datetime.datetime.fromisoformat(rng.choice(FIRST_DAYS))
        self.days = [first + datetime.timedelta(days=i) for i in range(4)]
        self.activities = self.make_activities()
        self.shots = [Shot(rng, home, self.choose_local(), number, self.zone)
                      for number in range(rng.randrange(6, 14))]
        self.times = self.choose_times()
        self.apps = rng.sample(("bank", "EDIT"), rng.choice((0, 0, 1, 2)))
        self.titles = rng.sample(("DIARY", "^inb.x$"), rng.choice((0, 0, 1, 2)))
        self.redaction = rng.choice(([], ["--redact-patterns", "[0-9]{6}[0-9]*"],
                                     ["--redact-apps", "Mail"],
                                     ["--redact-patterns", "Diary|[0-9]{6}[0-9]*",
                                      "--redact-apps", "editor"]))
        self.entries = self.choose_entries()
        # A hidden folder of ManicTime, whose record must not be used instead.
        self.has_manictime = rng.random() < 0.4
        self.has_record = not self.has_manictime or rng.random() < 0.5
        pictures = past_folders.pictures(squint)
        for shot in self.shots:
            shot.write(pictures)
        self.write_activities(self.activities)
        past_folders.put_shots(squint, home / "mt" / "Screenshots" / "x",
                               f"{first:%Y-%m-%d}T10:00:00", 2, 60)
        write_manictime(home / "mt" / "ManicTimeReports.db", self.activities,
                        self.record_zone)

    def make_activities(self):
        """Periods that may overlap, with gaps between them. Some begin and end
        within a second, and of some a time cannot be read."""
        rng = self.rng
        at = self.days[0] - datetime.timedelta(days=1)
        rows = []
        unknown = rng.choice((0, 0, 0, 0.1))
        while at < self.days[-1] + datetime.timedelta(days=2):
            end = (at + MINUTE * rng.randrange(30, 900)).replace(
                microsecond=rng.choice((0, 300000, 999999)))
            begin, end = (Time(time, self.record_zone, rng.random() < unknown)
                          for time in (at, end))
            if begin.text == "?" and self.recorder is write_watch:
                end.last = datetime.datetime.max
            rows.append(Activity(begin, end, rng.choice(APPS),
                                 rng.choice(TITLES)))
            at = end.utc + MINUTE * rng.choice((0, 0, 10, 300, -20))
        return rows

    def choose_local(self):
        """The local time of a shot: any, or near that of an activity."""
        rng, day = self.rng, self.rng.choice(self.days)
        local = day + datetime.timedelta(
            minutes=rng.choice((0, 1, 150, 359, 360, 719, 1199, 1200, 1201,
                                1439, rng.randrange(1440))))
        near = [time.utc for row in self.activities
                for time in (row.begin, row.end)]
        near = [time.replace(tzinfo=datetime.timezone.utc, microsecond=0)
                .astimezone(self.zone).replace(tzinfo=None, fold=0)
                + datetime.timedelta(seconds=rng.choice((0, 0, -1, -30)))
                for time in near]
        near = [time for time in near if self.days[0] <= time < self.days[-1]]
        return rng.choice([local, local, rng.choice(near), rng.choice(near)])

    def choose_times(self):
        """Rules of excluded times."""
        rng = self.rng
        days = [f"{day:%Y-%m-%d}" for day in self.days]
        first, last = sorted(rng.sample(days, 2))
        rules = ["", rng.choice(days), f"{first}..{last}",
                 rng.choice(WEEKDAYS), "-".join(rng.sample(WEEKDAYS, 2))]
        times = ["", "20:00-06:00", "06:00-20:00", "00:00-12:00",
                 "23:59-00:01", "12:00-24:00"]
        chosen = {f"{rng.choice(rules)} {rng.choice(times)}".strip()
                  for _ in range(rng.choice((0, 1, 2)))}
        return sorted(chosen - {""})

    def choose_entries(self):
        """Folders with permissions; the first is always shown."""
        rng = self.rng
        entries = [("past", rng.choice(LEVELS[1:]))]
        for _ in range(rng.choice((0, 0, 1, 2))):
            day = f"{rng.choice(self.shots).local:%Y-%m-%d}"
            entries.append((f"past/{day}", rng.choice(LEVELS)))
        return entries

    def write_activities(self, rows):
        """The record."""
        self.recorder(self.home / "record", rows, self.record_zone)

    def options(self, is_deleted):
        """The options; without those that hide shots if these are deleted."""
        options = ["--time-zone", self.zone.key, "--save-directory", "saved",
                   "--ocr-enabled", *self.redaction]
        if self.has_record:
            options += ["--activity", self.activity, "--activity-path",
                        str(self.home / "record")]
        if not is_deleted and self.has_manictime:
            options += ["--manictime", f"{self.home / 'mt'}=none"]
        for path, level in self.entries:
            if not is_deleted or not self.is_none(path):
                options += ["--archive", f"{self.home / path}={level}"]
        for flag, rules in (("--exclude", self.times),
                            ("--exclude-apps", self.apps),
                            ("--exclude-titles", self.titles)):
            if rules and not is_deleted:
                options += [flag, ",".join(rules)]
        return options

    def is_none(self, path):
        """Whether an entry hides a folder completely."""
        return (path, "none") in self.entries

    def is_excluded_activity(self, row):
        """Whether a rule excludes what was done."""
        return (any(app.lower() in row.app.lower() for app in self.apps)
                or any(re.search(title, row.title, re.I | re.M)
                       for title in self.titles))

    def is_hidden(self, shot):
        """The model: whether a shot must not be shown."""
        if self.is_none(f"past/{shot.folder.name}"):
            return True
        if any(excludes_time(rule, shot.local) for rule in self.times):
            return True
        if not self.apps and not self.titles:
            return False
        if not self.has_record:
            return True
        allowed = [row for row in self.activities
                   if not self.is_excluded_activity(row)]
        for begin, end in shot.times:
            if any(row.overlaps(begin, end) for row in self.activities
                   if self.is_excluded_activity(row)):
                return True
            for row in sorted(allowed, key=lambda row: row.begin.last):
                if row.begin.last <= begin < row.end.first:
                    begin = row.end.first
            if begin < end:
                return True
        return False

    def delete_hidden(self):
        """Delete what is hidden, also from the record of activities."""
        for shot in self.shots:
            if self.is_hidden(shot):
                for file in shot.files:
                    file.unlink(missing_ok=True)
        for folder in (self.home / "past").iterdir():
            path = f"past/{folder.name}"
            is_root = not self.is_none(path) and any(
                path == other for other, _ in self.entries)
            if not is_root and not any(folder.iterdir()):
                folder.rmdir()
        self.write_activities([row for row in self.activities
                               if not self.is_excluded_activity_name(row)])

    def is_excluded_activity_name(self, row):
        """Whether the name by which an activity is shown, its app, matches a
        rule of either kind."""
        return (any(app.lower() in row.app.lower() for app in self.apps)
                or any(re.search(title, row.app, re.IGNORECASE)
                       for title in self.titles))

    def window(self):
        """All of its days, in any offset."""
        day = datetime.timedelta(days=1)
        return {"startDate": f"{self.days[0] - day:%Y-%m-%d}",
                "endDate": f"{self.days[-1] + day:%Y-%m-%d}"}

    def describe(self):
        """The configuration, for a failure."""
        return " ".join(self.options(False))


def clean(value):
    """An answer without what differs between two equal servers."""
    if isinstance(value, dict):
        return {key: clean(item) for key, item in value.items()
                if key not in ("id", "uptimeSeconds", "uptimeMs", "startedAt")}
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, str) and value[:1] in "{[":
        try:
            return clean(json.loads(value))
        except ValueError:
            return value
    return value


def ask(server, world, refs):
    """All questions about the past: (question, answer)."""
    window = world.window()
    tools = [("list_screenshots", {})]
    ways = [{}, {"cursor": "start"}, {"links": True}, {"monitor": 1},
            {"intervalSeconds": 0}, {"maxCount": 2},
            {"samplingStrategy": "interval"},
            {"samplingStrategy": "coverage"}, {"samplingStrategy": "visual"},
            {"root": "past"}]
    tools += [("list_screenshots", {**window, **way}) for way in ways]
    tools += [("list_screenshots", {"startDate": f"{day:%Y-%m-%d}"})
              for day in world.days]
    tools += [("list_screenshots", {"at": f"{shot.local:%Y-%m-%dT%H:%M}"})
              for shot in world.shots[:3]]
    tools += [("contact_sheet", window),
              ("contact_sheet", {**window, "samplingStrategy": "interval"}),
              ("search_screenshots", {"text": "x"}),
              ("list_screenshots", {"startDate": "2020-01-01",
                                    "endDate": "2020-01-02"})]
    for number, ref in enumerate(refs):
        tools += [("get_screenshot", {"screenshotRef": ref, "full": "inline"}),
                  ("crop_screenshot", {"screenshotRef": ref, "x": 0, "y": 0,
                                       "width": 50, "height": 50}),
                  ("save_screenshot", {"screenshotRef": ref,
                                       "outputPath": f"{number}.jpg"}),
                  ("contact_sheet", {"refs": [ref]})]
    asked = [("tools/call", {"name": name, "arguments": arguments})
             for name, arguments in tools]
    asked += [("resources/read", {"uri": f"squint://screenshot/{ref}"})
              for ref in refs]
    asked += [("resources/read", {"uri": resource["uri"]}) for resource in
              server.request("resources/list")["result"]["resources"]]
    asked += [("prompts/get", {"name": prompt["name"], "arguments": {
        a["name"]: window["startDate"] for a in prompt.get("arguments", [])}})
              for prompt in server.request("prompts/list")["result"]["prompts"]
              if prompt["name"] != "investigate-screen"]
    asked.append(("completion/complete", {
        "ref": {"type": "ref/resource",
                "uri": "squint://screenshot/{screenshotRef}"},
        "argument": {"name": "screenshotRef", "value": ""}}))
    return [(f"{method} {params}", clean(server.request(method, params)))
            for method, params in asked]


def old_refs(world):
    """References of all shots, made before anything was excluded."""
    with start(world.squint, world.home, [
            "--archive", str(world.home / "past")]) as server:
        shots = shots_of(server.call(
            "list_screenshots", **world.window(), cursor="start",
            maxCount=100))
    assert len(shots) == len(world.shots), (len(shots), len(world.shots))
    return [shot["screenshotRef"] for shot in shots]


def check_world(squint, seed):
    """Compare one server that hides with one from which all was deleted."""
    with tempfile.TemporaryDirectory(prefix="squint-exclusions-") as name:
        home = pathlib.Path(name).resolve()
        world = World(random.Random(seed), squint, home)
        refs = world.rng.sample(old_refs(world), 4)
        replies = []
        for is_deleted in (False, True):
            if is_deleted:
                world.delete_hidden()
            with start(squint, home, world.options(is_deleted), {
                    "XDG_CACHE_HOME": str(home / f"cache{is_deleted}")
                    }) as server:
                replies.append(ask(server, world, refs))
        for (question, hiding), (_, deleted) in zip(*replies):
            assert hiding == deleted, (
                f"seed {seed}: {world.describe()}\n{question}\n"
                f"{json.dumps(hiding)[:3000]}\n{json.dumps(deleted)[:3000]}")
        if "--redact-patterns" in world.redaction:
            for question, reply in replies[0]:
                assert CARD not in json.dumps(reply), question
        return sum(world.is_hidden(shot) for shot in world.shots)


def hidden_is_like_deleted(squint):
    """Random worlds; twenty times as many with SQUINT_TEST_ALL."""
    count = 240 if os.environ.get("SQUINT_TEST_ALL") else 12
    begin = int(os.environ.get("SQUINT_TEST_SEED", "1"))
    hidden = [check_world(squint, seed) for seed in range(begin, begin + count)]
    assert sum(number > 0 for number in hidden) * 3 > count, hidden


def shown_hours(squint, home, csv, *rules):
    """Write shots at 9:30, 10:30 and 11:30 and a record; return the hours
    of those that are listed and whose picture is shown."""
    day, shown = "2026-01-15", []
    folder = home / "past" / day
    folder.mkdir(parents=True, exist_ok=True)
    for hour in (9, 10, 11):
        (folder / f"{day}_{hour:02}-30-00_00-00_{FULL[0]}_{FULL[1]}_1_0.jpg"
         ).write_bytes(past_folders.pictures(squint)[0])
    (home / "day.csv").write_text("".join(
        re.sub(r"\b(\d\d:\d\d)", rf"{day}T\1Z", line) + "\n" for line in csv),
        encoding="utf-8")
    with start(squint, home, [
            "--archive", str(home / "past"), "--activity", "csv",
            "--activity-path", str(home / "day.csv"), "--time-zone", "UTC",
            *rules]) as server:
        for shot in shots_of(server.call("list_screenshots", startDate=day,
                                         cursor="start")):
            replies = [server.call("get_screenshot",
                                   screenshotRef=shot["screenshotRef"]),
                       server.call("crop_screenshot", x=0, y=0, width=50,
                                   height=50,
                                   screenshotRef=shot["screenshotRef"])]
            seen = {not reply.get("isError")
                    and '"redacted"' not in reply["content"][-1]["text"]
                    for reply in replies}
            assert len(seen) == 1, replies
            if True in seen:
                shown.append(int(shot["displayLocalTime"][11:13]))
    return shown


RECORDS = [  # lines, the hours in which neither "bank" nor an unknown app is
    (["start,end,label", "09:00,11:00,Mail", "10:00,11:00,Bank",
      "11:00,12:00,Mail"], [9, 11]),
    (["start,end,label", "10:00,11:00,Bank", "10:00,11:00,Mail",
      "11:00,12:00,Mail"], [11]),
    (["start,end,label", "09:00,11:00,Bank", "10:00,10:40,Mail",
      "11:00,12:00,Mail"], [11]),
    (["start,end,title,app", "09:00,10:00,x,Mail", "10:00,11:00,Mail,",
      "11:00,12:00,,Mail"], [9, 11]),
    (["start,end,title", "09:00,12:00,Mail"], []),
]


def rules_about_apps_agree(squint):
    """Activities that overlap, and those without a name."""
    with tempfile.TemporaryDirectory(prefix="squint-exclusions-") as name:
        home = pathlib.Path(name).resolve()
        for csv, expected in RECORDS:
            for rule in "--redact-apps", "--exclude-apps":
                hours = shown_hours(squint, home, csv, rule, "bank")
                assert hours == expected, (csv, rule, hours)
        titles = shown_hours(squint, home, RECORDS[3][0],
                             "--exclude-titles", "diary")
        assert titles == [9, 10], titles


MAIL, AUTUMN = "T08:00Z,{}T12:00Z,Mail", "2026-10-25"
# The name of a shot, rows of the record beside "Mail", and whether it is shown.
MOMENTS = [
    ("{}_10-00-05", "T09:00Z,{}T10:00:05.3Z,Bank", False),
    ("{}_10-00-06", "T09:00Z,{}T10:00:05.3Z,Bank", True),
    ("{}_10-00-05", "T10:00:05.5Z,{}T10:00:05.5Z,Bank", False),
    ("{}_10-00", "T10:00:40Z,{}T10:00:50Z,Bank", False),
    ("{}_10-01", "T10:00:40Z,{}T10:00:59.5Z,Bank", True),
    ("{}_11-59", "T12:00Z,{}T13:00Z,Other", True),
    ("{}_12-00", "T12:00:10Z,{}T13:00Z,Other", False),
    ("{}_09-00-00", "T10:00Z,?,Bank", True),
    ("{}_11-00-00", "T10:00Z,?,Bank", False),
    ("{}_09-00-00", "?,{}T10:00Z,Bank", False),
    ("{}_11-00-00", "?,{}T10:00Z,Bank", True),
    ("{}_11-00-00", "?,?,Bank", False),
    ("{}_11-00-00", "?,?,Other", True),
]
# The same on the day on which clocks in Zurich are set back.
REPEATED = [
    ("{}_02-30-00", "T00:20Z,{}T00:40Z,Bank", False),
    ("{}_02-30-00", "T01:20Z,{}T01:40Z,Bank", False),
    ("{}_02-30-00", "T02:20Z,{}T02:40Z,Bank", True),
    ("{}_02-30-00_02-00_640_400_1_0", "T01:20Z,{}T01:40Z,Bank", True),
    ("{}_02-30-00_02-00_640_400_1_0", "T02:20,{}T02:40,Bank", False),
    ("{}_02-30-00_01-00_640_400_1_0", "T02:20,{}T02:40,Bank", False),
    ("{}_03-30-00", "T02:20,{}T02:40,Bank", True),
]


def uncertain_times_are_hidden(squint):
    """Whatever is not known of a time, it does not show too much."""
    def fill(row, day):
        return (day if row[0] == "T" else "") + row.format(day, day)
    for cases, day, mail, zone in (
            (MOMENTS, "2026-01-15", MAIL, "UTC"),
            (REPEATED, AUTUMN, MAIL.replace("08:00", "00:00"),
             "Europe/Zurich")):
        for name, row, expected in cases:
            with tempfile.TemporaryDirectory(prefix="squint-") as folder:
                home = pathlib.Path(folder).resolve()
                (home / "past").mkdir()
                (home / "past" / f"{name.format(day)}.jpg").write_bytes(
                    past_folders.pictures(squint)[0])
                (home / "day.csv").write_text(
                    "start,end,label\n" + "\n".join(
                        fill(text, day) for text in (mail, row)),
                    encoding="utf-8")
                options = ["--archive", str(home / "past"), "--activity",
                           "csv", "--activity-path", str(home / "day.csv"),
                           "--time-zone", zone]
                # Where activities overlap, redact.apps hides more.
                for rule in "--exclude-apps", "--redact-apps":
                    shown = is_shown(squint, home, day, [*options, rule, "bank"])
                    assert shown == expected or (
                        "redact" in rule and not shown), (name, row, rule)
                said = check_config(squint, home, {
                    "roots": [str(home / "past")], "excludeApps": ["bank"],
                    "activityPath": str(home / "day.csv"), "timeZone": zone})
                assert ("cannot be read" in said) == ("?" in row
                                                      and "Bank" in row), said


def check_config(squint, home, archive):
    """What squint config check says about a configuration of the archive."""
    (home / "squint.yaml").write_text(json.dumps({"archive": archive}),
                                      encoding="utf-8")
    ran = subprocess.run(
        [squint, "config", "check", "--config", str(home / "squint.yaml")],
        check=False, capture_output=True, text=True, timeout=PATIENCE,
        env=clean_environment(str(home)))
    return ran.stdout + ran.stderr


def is_shown(squint, home, day, options):
    """Whether the picture of the only shot is shown."""
    with start(squint, home, options) as server:
        shots = shots_of(server.call("list_screenshots", startDate=day,
                                     cursor="start"))
        if not shots:
            return False
        reply = server.call("get_screenshot",
                            screenshotRef=shots[0]["screenshotRef"])
        return (not reply.get("isError")
                and '"redacted"' not in reply["content"][-1]["text"])


def changed_record_counts_at_once(squint):
    """Also for a day long ago, which was asked for before the change."""
    with tempfile.TemporaryDirectory(prefix="squint-exclusions-") as name:
        home = pathlib.Path(name).resolve()
        shown_hours(squint, home, RECORDS[0][0])
        record = home / "day.csv"
        all_day = "start,end,label\n2026-01-15,2026-01-16,Mail\n"
        record.write_text(all_day, encoding="utf-8")
        with start(squint, home, [
                "--archive", str(home / "past"), "--activity", "csv",
                "--activity-path", str(record), "--time-zone", "UTC",
                "--exclude-apps", "bank"]) as server:
            counts = []
            for more in "", "2026-01-15T10:00Z,2026-01-15T11:00Z,Bank\n":
                record.write_text(all_day + more, encoding="utf-8")
                counts.append(len(shots_of(server.call(
                    "list_screenshots", startDate="2026-01-15",
                    cursor="start"))))
            assert counts == [3, 2], counts


if __name__ == "__main__":
    sys.exit(run_all([hidden_is_like_deleted, rules_about_apps_agree,
                      uncertain_times_are_hidden,
                      changed_record_counts_at_once],
                     str(pathlib.Path(sys.argv[1]).resolve())))
