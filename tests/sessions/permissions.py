#!/usr/bin/env python3
"""permissions.py SQUINT: two entries of the configuration for one folder of
past screenshots, or one inside the other; TAP.

Walks all pairs of permissions, for entries that are related in every way, and
asks by all operations that return pixels, sizes, text or existence. The
strictest entry that covers a file holds."""

import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
import past_folders
from cases import run_all
from past_asker import longest_side, shots_of, start
from squint_server import clean_environment

LEVELS = ("none", "metadata", "labels", "thumbnail", "full")
DAYS = ("2026-01-15", "2026-01-16")
SIDES = {"none": 0, "metadata": 0, "labels": 0,
         "thumbnail": past_folders.THUMB_SIDE, "full": past_folders.FULL[0]}
TITLE = "Diary of a patient"
# Two paths below the home folder: the second is the same folder as the first,
# another name of it, or inside it.
RELATED = {
    "same": ("mt", "mt"),
    "slash": ("mt/", "mt"),
    "link": ("mt", "link"),
    "screenshots": ("mt", "mt/Screenshots"),
    "day": ("mt", f"mt/Screenshots/{DAYS[0]}"),
    "linked day": ("link", "linked-day"),
}


def make_home(squint, home):
    """Two days of screenshots, activities, and links to them."""
    for day in DAYS:
        past_folders.put_shots(squint, home / "mt" / "Screenshots" / day,
                               f"{day}T10:00:00", 1, 60)
    (home / "link").symlink_to("mt")
    (home / "linked-day").symlink_to(home / RELATED["day"][1])
    (home / "day.csv").write_text(
        "start,end,label\n" + "".join(
            f"{day}T00:00:00Z,{day}T23:59:00Z,{TITLE} {day}\n"
            for day in DAYS), encoding="utf-8")


def level_of(home, entries, day):
    """The model: the strictest entry whose folder encloses the day's."""
    folder = os.path.realpath(home / "mt" / "Screenshots" / day) + "/"
    levels = [LEVELS.index(level) for path, level in entries
              if folder.startswith(os.path.realpath(home / path) + "/")]
    return LEVELS[min(levels)]


def options_of(home, entries, is_manictime):
    """The options of squint for the entries, in this order."""
    options = ["--activity", "csv", "--activity-path", str(home / "day.csv"),
               "--time-zone", "UTC"]
    for number, (path, level) in enumerate(entries):
        flag = "--manictime" if is_manictime and number == 0 else "--archive"
        # "full" is also what an entry without a word means.
        word = "" if level == "full" else "=" + level
        options += [flag, f"{home / path}{word}" if not path.endswith("/")
                    else f"{home}/{path}{word}"]
    return options


def earlier_refs(squint, home):
    """The references that each path alone gave before, by day."""
    refs = {day: set() for day in DAYS}
    for path in sorted({path for pair in RELATED.values() for path in pair}):
        with start(squint, home, ["--archive", str(home / path)]) as server:
            for shot in shots_of(server.call(
                    "list_screenshots", startDate=DAYS[0], endDate=DAYS[1],
                    cursor="start")):
                refs[shot["displayLocalTime"][:10]].add(shot["screenshotRef"])
    return refs


def check_listed(server, levels):
    """Existence, sizes and titles; returns the references by day."""
    visible = [day for day in DAYS if levels[day] != "none"]
    shots = shots_of(server.call("list_screenshots", startDate=DAYS[0],
                                 endDate=DAYS[1]))
    listed = sorted(shot["displayLocalTime"][:10] for shot in shots)
    assert listed == visible, f"listed {listed}, not {visible}"
    for shot in shots:
        level = levels[shot["displayLocalTime"][:10]]
        has_title = TITLE in json.dumps(shot)
        assert has_title == (level != "metadata"), f"title with {level}"
        shows = level in ("thumbnail", "full")
        assert shot.get("access") == (None if shows else level), shot
    counted = json.loads(server.call("list_screenshots")["content"][0]["text"])
    months = counted.get("available", {}).get("months", {})
    assert sum(months.values()) == len(visible), months
    health = json.loads(server.request("resources/read", {
        "uri": "squint://health"})["result"]["contents"][0]["text"])
    roots = health["archive"]["roots"]
    assert sum(root["screenshotsSeen"] for root in roots) == len(visible), roots
    assert sum(root["folders"] for root in roots) <= len(visible), roots
    if not visible:
        assert "Screenshots" not in json.dumps(shots), shots
    return {shot["displayLocalTime"][:10]: shot["screenshotRef"]
            for shot in shots}


def check_pictures(server, ref, level, is_current):
    """All operations that take a reference, also one from before."""
    most = SIDES[level]
    replies = [
        server.call("get_screenshot", screenshotRef=ref, full="inline"),
        server.call("crop_screenshot", screenshotRef=ref, x=0, y=0, width=100,
                    height=100),
        server.call("contact_sheet", refs=[ref]),
        server.call("save_screenshot", screenshotRef=ref, outputPath="copy.jpg"),
        server.request("resources/read", {
            "uri": f"squint://screenshot/{ref}"}).get("result", {}),
    ]
    sides = [longest_side(reply) for reply in replies]
    # A sheet has margins.
    assert sides[0] <= most and sides[1] <= (most if level == "full" else 0)
    assert sides[4] <= most and (sides[2] == 0 or most > 0), sides
    saved = list(pathlib.Path(server.folder.name).rglob("copy.jpg"))
    for file in saved:
        file.unlink()
    assert not saved or level == "full", f"saved with {level}"
    if is_current and most > 0:
        assert sides[0] == sides[4] == most and sides[2] > 0, (level, sides)
    if is_current and level == "full":
        assert sides[1] > 0 and saved, sides
    if level == "none":
        assert all(reply.get("isError") for reply in replies[:2]), replies


def check_pair(squint, home, entries, number, refs):
    """Ask a server with these entries. Of the earlier references of a day, each
    pair tries another one."""
    is_manictime = number % 5 == 0
    levels = {day: level_of(home, entries, day) for day in DAYS}
    options = options_of(home, entries, is_manictime) + [
        "--save-directory", "saved"]
    with start(squint, home, options) as server:
        current = check_listed(server, levels)
        for day in DAYS:
            earlier = sorted(refs[day])[number % len(refs[day])]
            for ref in {earlier, current.get(day)} - {None}:
                check_pictures(server, ref, levels[day],
                               ref == current.get(day))


def pairs():
    """All pairs of entries: relation, entries and number; each relation has
    them in one of the two orders."""
    number = 0
    for relation, paths in RELATED.items():
        for levels in itertools.product(LEVELS, repeat=2):
            number += 1
            entries = list(zip(paths, levels))
            is_turned = number % 2 == 1 and relation != "day"
            is_turned = is_turned or (relation == "day" and number % 3 == 0)
            yield relation, entries[::-1] if is_turned else entries, number


def strictest_entry_holds(squint, home):
    """All pairs; a part of them unless SQUINT_TEST_ALL is set."""
    refs = earlier_refs(squint, home)
    step = 1 if os.environ.get("SQUINT_TEST_ALL") else 4
    wrong = []
    for relation, entries, number in list(pairs())[::step]:
        try:
            check_pair(squint, home, entries, number, refs)
        except AssertionError as error:
            wrong.append(f"{relation} {entries}: {error}")
    assert not wrong, "\n".join(wrong)


def people_are_told(squint, home):
    """config check and doctor say what is in force."""
    env = {**clean_environment(str(home)),
           "MANICTIME_DATA_DIR": str(home / "mt"),
           "SQUINT_ARCHIVE_ROOTS": f"{home}/link=thumbnail,"
           f"{home}/linked-day=metadata,{home}/mt/Screenshots/{DAYS[1]}=none"}
    for words in (["config", "check"], ["doctor"]):
        ran = subprocess.run([squint, *words], env=env, cwd=home, check=False,
                             stdin=subprocess.DEVNULL, capture_output=True,
                             text=True)
        for line in (
                f"{home}/mt: thumbnail, as another entry requires, not full",
                f"{home}/link: thumbnail; an earlier entry lists it",
                f"{home}/linked-day: metadata",
                f"{home}/mt/Screenshots/{DAYS[1]}: none"):
            shown = " ".join(ran.stdout.split())
            assert line in shown, f"{words}: {ran.stdout} {ran.stderr}"


def replaced_lists_are_told(squint, home):
    """A flag replaces what the environment has, which may be stricter."""
    env = {**clean_environment(str(home)),
           "SQUINT_ARCHIVE_ROOTS": f"{home}/mt,{home}/link=none",
           "SQUINT_ARCHIVE_EXCLUDE": "Sat-Sun"}
    ran = subprocess.run(
        [squint, "doctor", "--archive", str(home / "mt"), "--exclude", "Mon"],
        env=env, cwd=home, check=False, stdin=subprocess.DEVNULL,
        capture_output=True, text=True)
    shown = " ".join(ran.stdout.split())
    for text in (f"archive.roots: a flag replaces what was set before: "
                 f"{home}/mt, {home}/link=none",
                 "archive.exclude: a flag replaces what was set before: "
                 "Sat-Sun"):
        assert text in shown, ran.stdout
    for flag in "--exclude", "--exclude-apps", "--exclude-titles", "--archive":
        ran = subprocess.run(
            [squint, "list", "--archive", str(home / "mt"), flag, ""], env=env,
            cwd=home, check=False, stdin=subprocess.DEVNULL,
            capture_output=True, text=True)
        assert (ran.returncode, f"{flag} is empty" in ran.stderr) == (2, True), (
            ran)


def a_day_with_its_own_entry_is_not_missing(squint, home):
    """A folder is not emptied if another entry lists all that it has."""
    past_folders.put_shots(squint, home / "one" / DAYS[0],
                           f"{DAYS[0]}T10:00:00", 1, 60)
    with start(squint, home, [
            "--archive", str(home / "one"), "--archive",
            f"{home}/one/{DAYS[0]}=metadata", "--activity", "none"]) as server:
        for day, count in zip(DAYS, (1, 0)):
            reply = server.call("list_screenshots", startDate=day)
            text = reply["content"][-1]["text"]
            assert len(shots_of(reply)) == count, reply
            assert '"degraded":true' not in text, text
            assert "emptied" not in text and "deleted" not in text, text


def mistakes_are_told(squint, home):
    """A permission after a file has no effect, and one after a folder that
    does not exist may be misspelled."""
    file = next((home / "mt").rglob("*.jpg"))
    for level, path, status, said in (
            ("none", file, 1, "it is not a folder"),
            ("thumbnail", file, 1, "it is not a folder"),
            ("none", home / "mtt", 0, "mtt: none, but there is no such folder"),
            ("none", home / "mt", 0, "mt: none")):
        env = {**clean_environment(str(home)),
               "SQUINT_ARCHIVE_ROOTS": f"{home}/mt,{path}={level}"}
        for words in (["config", "check"], ["doctor"], ["list"]):
            ran = subprocess.run([squint, *words], env=env, cwd=home,
                                 check=False, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True)
            shown = " ".join((ran.stdout + ran.stderr).split())
            if words != ["list"] or status:
                assert said in shown, f"{words}: {shown}"
            assert words[0] != "config" or ran.returncode == status, ran


def main():
    """Run them all."""
    squint = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="squint-permissions-") as name:
        home = pathlib.Path(name).resolve()
        make_home(squint, home)
        return run_all([strictest_entry_holds, people_are_told,
                        replaced_lists_are_told,
                        a_day_with_its_own_entry_is_not_missing,
                        mistakes_are_told], squint, home)


if __name__ == "__main__":
    sys.exit(main())
