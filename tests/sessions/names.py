#!/usr/bin/env python3
"""names.py SQUINT: texts name only operations that the client can call; TAP.

Reads every text that a client can read in the four modes (--tools split,
--read-only, both, neither): instructions, descriptions, prompts, all pages of
rtfm, the guide, and the answers to many calls that fail. A second test reads
the source: advice marks every operation that it names (src/tools/offer.h).
"""

import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]
                       / "support"))

# pylint: disable=wrong-import-position
from cases import named, run_all
from squint_server import Server

ACTING = ("tap input scroll swipe key launch stop steps pinch open permission"
          " reset rotate appearance location clipboard notifications logs"
          " wake video install uninstall remember forget"
          " save_screenshot").split()
LOOKING = ("devices screenshot visual-snapshot dump find visual-find-text ocr"
           " apps wait accessibility-check visual-find-image info").split()
ARCHIVE = ("list_screenshots get_screenshot crop_screenshot contact_sheet"
           " search_screenshots").split()
# Operations whose names are no other words of these texts.
PLAIN = "dump tap swipe launch pinch uninstall remember apps".split()
# In backticks these are also arguments, values or members of an answer.
VALUES = {"steps", "open", "permission", "reset", "location", "clipboard",
          "notifications", "devices", "ocr", "key", "info", "find", "apps",
          "stop", "wait", "input", "scroll"}
# Of the instructions and the list of tools as compact JSON: 2,000 o200k tokens,
# at 1,993 for 8,363 bytes; without flags 1,150, at 1,131 for 4,700.
MAX_BYTES = 8390
MAX_PLAIN_BYTES = 4780
# What is off unless it is asked for.
EVERYTHING = ["--ocr-enabled", "--template-matching-enabled",
              "--install-from", "/", "--archive", "/"]
SELECTOR = {"selector": {"text": "zz"}}
REGION = {"region": {"x": 1, "y": 1, "width": 20, "height": 20}}
# Calls that fail, or whose answer contains advice: an operation, arguments.
CALLS = [
    ("launch", {"packageName": "zz"}), ("launch", {"packageName": "a b"}),
    ("tap", {"elementIndex": 3}), ("tap", SELECTOR), ("tap", {}),
    ("tap", {"x": 9999, "y": 1}), ("tap", {"x": 1, "y": 1,
                                           "screenshotId": "s99"}),
    ("tap", {"x": 1, "y": 1, "cell": "A1"}), ("input", {}),
    ("input", {"text": "a"}), ("input", {"text": "a", **SELECTOR}),
    ("scroll", {"direction": "down", **SELECTOR}), ("swipe", {}),
    ("pinch", {}), ("pinch", {"x": 1, "y": 1}), ("key", {"name": "zz"}),
    ("find", SELECTOR), ("find", {}), ("ocr", {}),
    ("visual-find-text", {"text": "zz"}), ("visual-find-image", {}),
    ("visual-find-image", {"name": "zz"}), ("remember", {"name": "zz"}),
    ("forget", {"name": "zz"}), ("stop", {"packageName": "zz"}),
    ("reset", {"packageName": "zz"}), ("rotate", {}), ("notifications", {}),
    ("logs", {}), ("clipboard", {}), ("video", {"record": "stop"}),
    ("install", {"paths": ["a.apk"]}), ("uninstall", {"packageName": "a.b"}),
    ("permission", {"packageName": "zz", "permission": "zz",
                    "change": "grant"}),
    ("location", {}), ("open", {"url": "zz"}), ("open", {"app": "zz"}),
    ("appearance", {}), ("steps", {"steps": []}), ("wake", {}), ("info", {}),
    ("steps", {"steps": [{"operation": "zz"}]}), ("apps", {"offset": 99}),
    ("wait", {"text": "zz", "timeoutMs": 50}),
    ("screenshot", {"deviceId": "zz"}), ("screenshot", {"deviceId": 7}),
    ("screenshot", REGION), ("screenshot", REGION), ("screenshot", {}),
    ("screenshot", {"screenshotId": "s99", **REGION}), ("dump", {}),
    ("accessibility-check", {}), ("visual-snapshot", {}),
    ("launch", {"packageName": "Vault"}), ("screenshot", {}), ("find", SELECTOR),
]
WRONG_NAMES = ["click", "press", "type", "back", "start", "close", "drag",
               "zoom", "snapshot", "tree", "search", "sleep", "list-apps",
               "grant", "record", "paste", "unlock", "clear", "batch", "zz"]


class Mode:
    """A server in one mode, and the texts that it has sent."""

    def __init__(self, squint, flags):
        self.split = "split" in flags
        self.read_only = "--read-only" in flags
        self.server = Server([squint, "mcp", *flags])
        answer = self.server.initialize()
        self.texts = [("instructions", answer["result"]["instructions"])]

    def callable(self):
        """The names that can be called."""
        names = LOOKING + ([] if self.read_only else ACTING)
        own = [name for name in names if name.endswith("_screenshot")]
        names = [name for name in names if name not in own]
        if self.split:
            names = ["ui_" + name.replace("-", "_") for name in names]
        return set(names + own + ARCHIVE + ["rtfm"]
                   + ([] if self.split else ["ui"]))

    def add(self, where, found):
        """Remember all strings in a JSON value."""
        if isinstance(found, str):
            self.texts.append((where, found))
        elif isinstance(found, (dict, list)):
            values = found.values() if isinstance(found, dict) else found
            for value in values:
                self.add(where, value)

    def call(self, operation, arguments):
        """Call an operation and remember its advice, not what a screen has."""
        tool = "ui_" + operation.replace("-", "_") if self.split else "ui"
        if not self.split:
            arguments = {"operation": operation, **arguments}
        reply = self.server.request("tools/call",
                                    {"name": tool, "arguments": arguments})
        # The name that does not exist is not advice.
        self.add(f"tool {tool}", reply.get("error", {}).get(
            "message", "").partition(f"Unknown tool: {tool}")[2])
        for block in reply.get("result", {}).get("content", []):
            if block["type"] == "text":
                self.add_advice(f"{operation} {arguments}",
                                json.loads(block["text"]))

    def add_advice(self, where, answer):
        """Remember the members that advise."""
        for key, value in answer.items():
            if isinstance(value, dict):
                self.add_advice(where, value)
            elif key in ("suggestion", "message", "hint", "note", "warning",
                         "usage", "guidance"):
                self.add(where, value)

    def read_all(self):
        """Read every text."""
        server = self.server
        tools = server.request("tools/list")["result"]["tools"]
        for tool in tools:
            self.add("tools/list " + tool["name"], tool["description"])
        for name, arguments in (("explore-ui", {}),
                                ("investigate-screen", {"question": "?"}),
                                ("daily_review", {"date": "today"}),
                                ("screenshot_investigation",
                                 {"datetime": "2026-01-15T10:00"})):
            reply = server.request("prompts/get", {"name": name,
                                                   "arguments": arguments})
            self.add("prompt " + name,
                     reply["result"]["messages"][0]["content"]["text"])
        pages = ([{}, {"toolName": "zz"}, {"toolName": "ui"},
                  {"toolName": "rtfm"}, {"toolName": "ios"}]
                 + [{"toolName": name} for name in LOOKING + ACTING + ARCHIVE]
                 + [{"toolName": "ui", "operation": name}
                    for name in WRONG_NAMES])
        for arguments in pages:
            result = server.call("rtfm", **arguments)
            self.add(f"rtfm {arguments}", result["content"][0]["text"])
        guide = server.request("resources/read", {"uri": "squint://guide"})
        self.add("guide", guide["result"]["contents"][0]["text"])
        for operation, arguments in CALLS:
            self.call(operation, arguments)
        for name in [] if self.split else WRONG_NAMES:
            self.call(name, {})

    def wrong_names(self, text):
        """Yield the names in a text that cannot be called."""
        names = self.callable()
        # A refusal says why an operation is missing, which names it.
        text = re.sub(r"[\w-]+ (can change|changes|reads more)[^.]*read-only",
                      "", text)
        text = re.sub(r"no operation \\?\"[^\"]*\"", "", text)
        if "@" in re.sub(r"\w@\w|@2x", "", text):
            yield "@"
        known = LOOKING + ACTING
        for name in re.findall(r"\bui_[a-z_]+", text):
            if name not in names and name != "ui_":
                yield name
        for name in re.findall(r"`([a-z_-]+)`", text):
            if name in known and name not in VALUES and name not in names:
                yield f"`{name}`"
        for name in re.findall(r"(?:\bui|operation|Use|Run|run) ([a-z_-]+)\b",
                               text):
            if name in known and name not in names:
                yield name
        for name in PLAIN:
            found = re.search(rf"(?<![\w`#\"-]){name}(?![\w`\"-])", text)
            if found and name not in names:
                yield text[max(0, found.start() - 30):found.end() + 30]
        if self.split and re.search(r"\btool `?ui`?\b|\bui \{", text):
            yield "ui"


# Sentences in which these words are no names of operations.
ENGLISH = [
    r"[Tt]o tap,? ", r"a tap\b", r"double tap", r"tap x,y", "before a tap",
    r"List apps", r"what apps", r"which apps", r" for apps", r" of apps",
    r"\bapps? (whose|that|forbid|and|which|without)", r"some apps", "system apps",
    "the apps", "For apps", r"On Android, apps", r"## scroll", "UI dump",
    "two apps", "uninstalling apps", r"^(tap|pinch) (does not|says)", "the tap",
    "Long press; swipe", "can scroll", "slow swipe",
]


def check_mode(squint, flags):
    """Every text of a mode."""
    mode = Mode(squint, flags)
    try:
        mode.read_all()
    finally:
        mode.server.close()
    wrong = []
    for where, text in mode.texts:
        for sentence in ENGLISH:
            text = re.sub(sentence, " ", text)
        wrong += [f"{where}: {name}" for name in mode.wrong_names(text)]
    if len(mode.texts) < 100:
        raise AssertionError(f"only {len(mode.texts)} texts were read")
    if wrong:
        raise AssertionError("\n# ".join([""] + wrong))


ADVICE = re.compile(r"sq_(?:fail_hint|put_advice|fail_argument)\((.*?)\);",
                    re.DOTALL)
LITERALS = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Names that are part of another program's command or of another sentence.
NOT_NAMES = re.compile(r"adb|brew|xcrun|apt|squint |monkey|--|Device >"
                       r"|looks? for|see what|Example: |another app|of the apps"
                       r"|scroll the screen|installing and|or tap the keys"
                       r"|does not say|says in|a (double )?tap|two apps")


def check_source(_squint):
    """Advice in the source."""
    source = pathlib.Path(__file__).resolve().parents[2] / "src"
    wrong = []
    for room in ("tools", "session", "device", "tool"):
        for path in sorted((source / room).rglob("*.c")):
            text = path.read_text(encoding="utf-8")
            for call in ADVICE.findall(text):
                advice = "".join(LITERALS.findall(call))
                for sentence in re.split(r"(?<=[.;])\s", advice):
                    names = re.findall(
                        rf"(?<![@\w-])(?:{'|'.join(PLAIN)})(?![\w-])",
                        sentence)
                    if names and not NOT_NAMES.search(sentence):
                        wrong.append(f"{path.name}: {names[0]}: {sentence}")
    if wrong:
        raise AssertionError("\n# ".join([""] + wrong))


def check_size(squint):
    """The list of tools stays small, also with everything switched on."""
    sizes = []
    for flags in ([], EVERYTHING):
        with Server([squint, "mcp", *flags]) as server:
            answer = server.initialize()["result"]
            said = answer["instructions"]
            if "logging" in answer["capabilities"]:
                raise AssertionError("logging is declared, but nothing is logged")
            tools = server.request("tools/list")["result"]["tools"]
            sizes.append((len(said.encode()),
                          len(json.dumps(tools, separators=(",", ":"),
                                         ensure_ascii=False).encode())))
    print(f"# instructions and list: {sizes[0]} bytes, with everything "
          f"{sizes[1]}")
    if sum(sizes[0]) > MAX_PLAIN_BYTES or sum(sizes[1]) > MAX_BYTES:
        raise AssertionError(f"the list of tools has {sizes} bytes")


def check_secrets(squint):
    """The instructions name stored secrets that may be typed, each once."""
    allow = ["--allow-secret", "pin=com.a,web=https://b.example,pin=com.c"]
    for flags, end in ((allow, "ui input {secret} types a stored secret: pin, "
                               "web."),
                       ([*allow, "--tools", "split"], "ui_input {secret} types "
                        "a stored secret: pin, web."),
                       ([*allow, "--read-only"], "rtfm has the rest."),
                       ([], "rtfm has the rest.")):
        with Server([squint, "mcp", *flags]) as server:
            said = server.initialize()["result"]["instructions"]
            if not said.endswith(end):
                raise AssertionError(f"{flags}: {said}")


def check_synonyms(squint, flags):
    """Names of other programs' tools are answered with the right one."""
    mode = Mode(squint, flags)
    try:
        for wrong, right in (("ui_click", "ui_tap"), ("ui_type", "ui_input"),
                             ("ui_press", "ui_key"), ("click", "ui_tap")):
            reply = mode.server.request("tools/call", {"name": wrong,
                                                       "arguments": {}})
            error = reply["error"]
            said = error["message"].partition(f"Unknown tool: {wrong}. Use ")[2]
            if error["code"] != -32602 or right not in said:
                raise AssertionError(f"{wrong}: {error}")
    finally:
        mode.server.close()


if __name__ == "__main__":
    modes = [[], ["--read-only"], ["--tools", "split"],
             ["--tools", "split", "--read-only"]]
    sys.exit(run_all(
        [named("every text with " + (" ".join(flags) or "no flags"),
               check_mode, flags) for flags in modes]
        + [named("names of other programs' tools", check_synonyms,
                 ["--tools", "split"]), check_source, check_size,
                check_secrets],
        str(pathlib.Path(sys.argv[1]).resolve())))
