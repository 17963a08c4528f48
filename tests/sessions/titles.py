#!/usr/bin/env python3
"""titles.py SQUINT: titles of activities with text that must be hidden, and
the search of excluded screenshots; TAP. Skipped without a recogniser of text.

Tries every argument by which a model can filter, with every beginning of the
hidden text, and searches all files that squint wrote for it."""

import json
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import needs_reading, run_in_folders
from past_asker import shots_of, start
from squint_server import PATIENCE, clean_environment

DAY = "2026-01-15"
SMALL = {"SQUINT_DEMO_WIDTH": "360", "SQUINT_DEMO_HEIGHT": "640",
         "SQUINT_DEMO_DENSITY": "1.25"}
# Each app shows a word that no other one has.
WORDS = {"settings": "mobile", "login": "password", "shop": "headphones"}
CARD, PROJECT, CLINIC = "4111111111111111", "zebra7788", "Clinic"
# A text that occurs nowhere, for each hidden one; the same rules hide it.
CONTROLS = {CARD: "5555555555554444", PROJECT: "zebra9966", CLINIC: "Kxqxqx"}
LABELS = (f"Pay {CARD} now", f"{PROJECT} plan", f"{CLINIC} results")
RULES = ["--redact", "cards", "--redact-patterns", "zebra[0-9]+",
         "--redact-apps", CLINIC, "--ocr-enabled"]


class Home:
    """A folder with three shots, their activities, and squint in it."""

    def __init__(self, squint, folder):
        self.squint = squint
        self.folder = pathlib.Path(folder).resolve()
        self.past = self.folder / "past"
        self.options = ["--archive", str(self.past), "--time-zone", "UTC",
                        "--activity", "csv", "--activity-path",
                        str(self.folder / "day.csv")]
        (self.past / DAY).mkdir(parents=True)
        rows = ""
        for number, app in enumerate(WORDS):
            self.run("launch", f"com.squint.demo.{app}", "--receipt", "none")
            self.run("screenshot", "-o", "shot.jpg", "--raw")
            shutil.move(self.folder / "shot.jpg", self.past / DAY / (
                f"{DAY}_1{number}-00-00_00-00_360_640_{number}_0.jpg"))
            rows += (f"{DAY}T{9 + number:02}:55:00Z,{DAY}T1{number}:30:00Z,"
                     f"{LABELS[number]}\n")
        (self.folder / "day.csv").write_text("start,end,label\n" + rows,
                                             encoding="utf-8")

    def run(self, *words):
        """Run squint; returns what it printed."""
        env = {**clean_environment(str(self.folder)), **SMALL}
        ran = subprocess.run([self.squint, *words], cwd=self.folder, env=env,
                             stdin=subprocess.DEVNULL, capture_output=True,
                             text=True, check=False, timeout=PATIENCE)
        assert ran.returncode == 0, (words, ran.stdout, ran.stderr)
        return ran.stdout

    def index(self, *options):
        """Read the text of all pictures."""
        return self.run("archive", "index", *self.options, *options)

    def serve(self, *options):
        """A server."""
        return start(self.squint, self.folder, [*self.options, *options], SMALL)

    def written(self):
        """All files that squint wrote: (path, bytes)."""
        for file in self.folder.rglob("*"):
            if (file.is_file() and self.past not in file.parents
                    and file.name != "day.csv"):
                yield file, file.read_bytes()


def search(server, **arguments):
    """The reply of search_screenshots as text."""
    return json.dumps(server.call("search_screenshots", **arguments))


def filters(server):
    """The tools about the past and their arguments that take any text."""
    for tool in server.request("tools/list")["result"]["tools"]:
        known = tool["inputSchema"].get("properties", {})
        if "startDate" not in known:
            continue
        for name, about in known.items():
            if (about.get("type") == "string" and "enum" not in about
                    and name not in ("startDate", "endDate", "at")):
                yield tool["name"], name, "text" in known


def check_filters(server):
    """No answer depends on whether a hidden text begins like the question."""
    count = 0
    for tool, name, has_text in filters(server):
        for secret, control in CONTROLS.items():
            # The pictures themselves show letters and digits.
            shortest = 4 if name in ("text", "query") else 1
            for length in range(shortest, len(secret) + 1):
                arguments = {"startDate": DAY, "endDate": DAY}
                if has_text:
                    arguments["text"] = "a"
                replies = []
                for text in (secret[:length], control[:length]):
                    reply = json.dumps(server.call(
                        tool, **{**arguments, name: text}))
                    # Errors quote what was given.
                    replies.append(reply.replace("\\", "").replace(
                        f'"{text}"', "?"))
                assert replies[0] == replies[1], (tool, name, length, replies)
                count += 1
    assert count > 60, count


def hidden_titles_stay_hidden(home):
    """Lists, sheets, search, index, journals and caches."""
    needs_reading()
    # An index without rules has the titles; it must be made again.
    home.index()
    with home.serve() as server:
        assert '"hits": [{' in json.dumps(json.loads(server.call(
            "search_screenshots", text="mobile", app="4111")["content"][0][
                "text"]))
    assert any(CARD.encode() in data for _, data in home.written())
    with home.serve(*RULES) as server:
        assert "rules of redaction have changed" in search(server, text="mobile")
    home.index(*RULES)
    window = {"startDate": DAY, "endDate": DAY}
    with home.serve(*RULES, "--journal", str(home.folder / "journal")) as server:
        replies = [server.call("search_screenshots", text=word)
                   for word in WORDS.values()]
        replies += [server.call("list_screenshots", **window),
                    server.call("contact_sheet", **window)]
        shown = [json.dumps([block for block in reply["content"]
                             if block["type"] == "text"]) for reply in replies]
    assert '\\"hits\\":[{' in shown[0], shown[0]
    for text in "Pay [redacted] now", "[redacted] plan", "[redacted app]":
        assert all(text in reply for reply in shown[3:]), (text, shown)
    for secret in CONTROLS:
        assert not any(secret in reply for reply in shown), secret
    with home.serve(*RULES) as server:
        check_filters(server)
    assert any("journal" in str(file) for file, _ in home.written())
    for file, data in home.written():
        for secret in CONTROLS:
            assert secret.lower().encode() not in data.lower(), (file, secret)


def excluded_text_is_not_found(home):
    """An index from before the exclusion, and after it was made again."""
    needs_reading()
    home.index()
    rules = {"settings": ["--exclude", f"{DAY} 10:00-10:30"],
             "login": ["--exclude-titles", "zebra"],
             "shop": ["--exclude-apps", "clinic"]}
    for app, rule in rules.items():
        with home.serve(*rule) as server:
            for other, word in WORDS.items():
                found = json.loads(server.call("search_screenshots", text=word)
                                   ["content"][0]["text"])
                assert bool(found["hits"]) == (other != app), (app, other)
                assert "note" not in found, found
    nested = ["--archive", f"{home.past / DAY}=thumbnail"]
    with home.serve(*nested) as server:
        assert "mobile" not in search(server, text="mobil"), "a quote"
    before = sum(data.count(b"mobile") for _, data in home.written())
    home.index(*rules["settings"])
    after = sum(data.count(b"mobile") for _, data in home.written())
    assert before > 0 and after == 0, (before, after)


if __name__ == "__main__":
    program = str(pathlib.Path(sys.argv[1]).resolve())
    sys.exit(run_in_folders(
        [hidden_titles_stay_hidden, excluded_text_is_not_found],
        "squint-titles-", lambda folder: Home(program, folder)))
