#!/usr/bin/env python3
"""run.py [--reads-text] [--only REVISION] [--phone demo|adb | --simulator FAKE]
    PROGRAM [ARGUMENT ...] -- FILE ...

Runs conversations of agents with squint about a phone (see phones.py); prints
TAP. With --reads-text they are skipped where no text can be read.
What a client adds (ids, versions, initialize) is added here; wire/ tests
the messages themselves. A line of a conversation begins with

#  a comment
$  further arguments of the program
%  files in its folder before it starts (see past_folders.py)
@  the revisions to run it in; each has its own server. Phones other than the
   demo phone use one of them unless SQUINT_TEST_ALL is set
=  the name of a case
>  a request: METHOD {params}, or TOOL {arguments}; several in a row are
   sent without waiting, and must be answered in that order
<  an expected answer, with placeholders (see pattern.py), line by line:
   result {..}          of a METHOD
   fault CODE "words"   of a METHOD: a protocol error
   text PATTERN         blocks of a TOOL, all of them in order; a text that
   image TYPE WxH       is JSON is matched as JSON
   link {..}
   failure {..}         of a TOOL: the JSON of a result with isError
!  a text that must not occur in any line of the server

and continues in indented lines. Structured content is validated with the tool's
output schema. At the end the server must have sent no further messages, written
nothing to standard error, and exit with 0.
"""

import base64
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

# pylint: disable=wrong-import-position
from demo_phone import find_adb
from output_schema import complaints
from past_folders import prepare
from pattern import Mismatch, fill, match, parse
from phone_clock import ATTEMPTS, this_minute
from phones import PHONES, SimulatorPhone
from picture_size import picture_size
from sandbox import end_without_reading
from squint_server import Server, ServerError, modern_meta

MARKS = "#$%@=><!"
# What squint.exe puts before paths of this machine under Wine: "Z:".
DRIVE = os.environ.get("SQUINT_TEST_DRIVE", "").encode()


def read_lines(text):
    """(number, mark, rest) of every line, continued ones joined."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith((" ", "\t")) and lines:
            lines[-1][2] += "\n" + line.strip()
        elif line.strip():
            if line[0] not in MARKS:
                raise SystemExit(f"line {number} begins with no mark: {line}")
            lines.append([number, line[0], line[1:].strip()])
    return [line for line in lines if line[1] != "#"]


class Talk:
    """One conversation in one revision."""

    def __init__(self, server, phone, schemas):
        self.server = server
        self.phone = phone
        self.schemas = schemas  # output schemas by tool
        self.known = {}
        self.pending = []       # (id, tool) of requests without an answer
        self.blocks = None      # unread blocks of a tool's result
        self.seen = []

    def send(self, text):
        """Execute a ">" line."""
        if not self.pending:
            self.settle()
        text = fill(text, self.known)
        word, _, rest = text.partition(" ")
        params = json.loads(rest) if rest else {}
        is_method = "/" in word or word == "ping"
        method = word if is_method else "tools/call"
        if not is_method:
            params = {"name": word, "arguments": params}
        params = self.phone.asked(params)
        if self.server.modern:
            params["_meta"] = {**modern_meta(), **params.get("_meta", {})}
        number = self.server.next_id
        self.server.next_id += 1
        self.server.send({"jsonrpc": "2.0", "id": number, "method": method,
                          "params": params})
        tool = params.get("name") if method == "tools/call" else None
        self.pending.append((number, tool))

    def next_message(self):
        """The next line, stored for check_never."""
        line = self.server.receive_bytes()
        if DRIVE:
            line = line.replace(DRIVE + b"/", b"/")
        if not line:
            raise ServerError("has gone: " + self.server.stderr_text())
        self.seen.append(line)
        return json.loads(line)

    def next_answer(self):
        """The answer to the next request; no other message may come before."""
        self.settle()
        message = self.next_message()
        wanted, tool = self.pending.pop(0)
        if message.get("id") != wanted:
            raise Mismatch(f"not an answer to {wanted}: {message}")
        self.check_structure(tool, message.get("result", {}))
        return message

    def check_structure(self, tool, result):
        """Only tools with an output schema return structured content, and it
        matches the schema."""
        schema = self.schemas.get(tool)
        value = result.get("structuredContent")
        if result.get("isError", False) or (schema is None and value is None):
            return
        if schema is None or value is None:
            raise Mismatch(f"{tool}: structure {value!r}, schema {schema!r}")
        wrong = list(complaints(schema, value))
        texts = [json.loads(block["text"]) for block in result["content"]
                 if block["type"] == "text"]
        if wrong or texts != [value]:
            raise Mismatch("; ".join(wrong) or f"{value!r} is not the text")

    def settle(self):
        """All blocks of the last result must have been read."""
        left, self.blocks = self.blocks, None
        if left:
            raise Mismatch(f"more than expected: {json.dumps(left)[:300]}")

    def give_up(self):
        """Discard unread answers after a mismatch."""
        self.blocks = None
        while self.pending:
            self.next_message()
            self.pending.pop()

    def next_block(self, is_error):
        """The next block of a tool's result, received if needed."""
        if self.blocks is None or (self.pending and not self.blocks):
            answer = self.next_answer()
            if "result" not in answer:
                raise Mismatch(f"no result: {answer}")
            result = answer["result"]
            if result.get("isError", False) != is_error:
                raise Mismatch(f"isError is not {is_error}: {result}")
            self.blocks = list(result["content"])
        if not self.blocks:
            raise Mismatch("no more blocks")
        return self.blocks.pop(0)

    def expect(self, text):
        """Execute a "<" line."""
        text = fill(text, self.known)
        word, _, rest = text.partition(" ")
        EXPECT[word](self, rest)

    def end(self):
        """No message may follow, and the server must exit with 0."""
        status = self.server.close()
        rest = self.server.receive_bytes()
        errors = self.server.stderr_text()
        if status or rest or errors:
            raise Mismatch(f"exit status {status}; last lines: "
                           f"{rest[:300]!r}; standard error: {errors}")

    def check_never(self, texts):
        """No line of the server may contain one of the texts."""
        heard = b"\n".join(self.seen)
        for text in texts:
            if text.encode() in heard:
                raise Mismatch(f"{text!r} came out")

    def match(self, pattern, value, where):
        """Match a value of the server, with the differences of this phone."""
        match(self.phone.answered(parse(pattern)), value, where, self.known)

    def expect_result(self, rest):
        """result PATTERN"""
        answer = self.next_answer()
        self.match(rest, answer.get("result", answer), "result")

    def expect_fault(self, rest):
        """fault CODE PATTERN"""
        code, _, words = rest.partition(" ")
        error = self.next_answer().get("error", {})
        match(int(code), error.get("code"), "code", self.known)
        match(parse(words), error.get("message"), "message", self.known)

    def expect_text(self, rest, is_error=False):
        """text PATTERN"""
        block = self.next_block(is_error)
        match("text", block["type"], "type", self.known)
        text = block["text"]
        value = json.loads(text) if text[:1] in "{[" else text
        self.match(rest, value, "text")

    def expect_failure(self, rest):
        """failure PATTERN"""
        self.expect_text(rest, is_error=True)

    def expect_image(self, rest):
        """image TYPE WxH"""
        block = self.next_block(False)
        match("image", block["type"], "type", self.known)
        kind, width, height = picture_size(base64.b64decode(block["data"]))
        match(rest, f"{block['mimeType']} {width}x{height}", "image",
              self.known)
        match(block["mimeType"], kind, "bytes", self.known)

    def expect_link(self, rest):
        """link PATTERN"""
        block = self.next_block(False)
        match("resource_link", block["type"], "type", self.known)
        self.match(rest, block, "link")


EXPECT = {"result": Talk.expect_result, "fault": Talk.expect_fault,
          "text": Talk.expect_text, "failure": Talk.expect_failure,
          "image": Talk.expect_image, "link": Talk.expect_link}


def cases_of(lines):
    """[(title, lines)]"""
    cases = []
    for line in lines:
        if line[1] == "=":
            cases.append((line[2], []))
        elif line[1] in "><":
            cases[-1][1].append(line)
    return cases


class MinuteOver(Exception):
    """A case has failed while the phone's clock changed."""


def run_case(talk, lines, may_be_the_clock):
    """Returns None, or the error."""
    minute = this_minute()
    steps = {">": talk.send, "<": talk.expect}
    for number, mark, rest in lines:
        try:
            steps[mark](rest)
        except (Mismatch, KeyError, ValueError) as error:
            if may_be_the_clock and minute != this_minute():
                raise MinuteOver from error
            talk.give_up()
            return f"line {number}: {error}"
    return None


def run_end(talk, lines):
    """Returns None, or the error at the end of the conversation."""
    try:
        talk.settle()
        talk.end()
        talk.check_never([rest for _, mark, rest in lines if mark == "!"])
    except Mismatch as error:
        return str(error)
    return None


def greet(server, revision):
    """Start a session as the revision requires; returns the output schemas."""
    answer = server.initialize(revision)
    if "result" not in answer:
        raise ServerError(f"greeting refused: {answer}")
    tools = server.request("tools/list")["result"]["tools"]
    return {tool["name"]: tool["outputSchema"] for tool in tools
            if "outputSchema" in tool}


def words_of(lines, wanted):
    """All words of the lines with this mark."""
    return [word for _, mark, rest in lines if mark == wanted
            for word in rest.split()]


def hold(argv, phone, path, lines, revision):
    """[(name, error)] for every case of one conversation."""
    for attempt in range(1, ATTEMPTS + 1):
        done = []
        try:
            for case in hold_once(argv, phone, path, lines, revision,
                                  attempt < ATTEMPTS):
                done.append(case)
            break
        except MinuteOver:
            print(f"# {path.stem}: the minute has changed: once more")
    return done


def hold_once(argv, phone, path, lines, revision, may_be_the_clock):
    """Yield (name, error) for every case of one conversation."""
    flags = words_of(lines, "$")

    def make_folder(home):
        for _, mark, rest in lines:
            if mark == "%":
                prepare(argv[0], home, rest)

    name = f"{path.stem} {revision}"
    todo = [*cases_of(lines), ("ends well", None)]
    try:
        phone.renew()
        with Server([*argv, *flags], prepare=make_folder,
                    env=phone.env) as server:
            talk = Talk(server, phone, greet(server, revision))
            while todo:
                title, part = todo[0]
                wrong = run_case(talk, part, may_be_the_clock) if part \
                    else run_end(talk, lines)
                todo.pop(0)
                yield f"{name}: {title}", wrong
    except ServerError as error:
        for title, _ in todo:
            yield f"{name}: {title}", str(error)


def choose_revisions(named, phone, path, only):
    """The revisions of a conversation that are run, of those it names.

    What differs between revisions does not depend on the phone, so all are
    tried only with the fastest phone."""
    if only:
        return [revision for revision in named if revision == only]
    if phone.fast or os.environ.get("SQUINT_TEST_ALL"):
        return named
    return [named[len(path.stem) % len(named)]]


def hold_all(argv, phone, path, only):
    """Run one conversation on this phone, in one or more revisions."""
    text = path.read_text(encoding="utf-8")
    different = phone.differences(path)
    lines = different.leave_out(read_lines(different.change(text)))
    yield from different.left_out
    for revision in choose_revisions(words_of(lines, "@"), phone, path, only):
        yield from hold(argv, phone, path, lines, revision)
    yield from different.unused()


def report(argv, phone, paths, only):
    """Run all conversations, as TAP; returns whether all passed."""
    count = failed = 0
    for path in map(pathlib.Path, paths):
        for name, wrong in hold_all(argv, phone, path, only):
            skip = f" {wrong}" if wrong and wrong.startswith("# SKIP") else ""
            bad = bool(wrong) and not skip
            count += 1
            failed += bad
            print(f"{'not ok' if bad else 'ok'} {count} - {name}{skip}")
            if bad:
                print("# " + wrong.replace("\n", "\n# "))
    print(f"1..{count}")
    return not failed


def choose_phone(words):
    """The phone named by the first words, and the remaining words."""
    if words[0] == "--simulator":
        return SimulatorPhone(words[2], words[1]), words[2:]
    if words[0] == "--phone":
        return PHONES[words[1]](words[2]), words[2:]
    return PHONES["demo"](words[0]), words


def main(*words):
    """The command line."""
    if words[:2] == ("--phone", "adb") and not find_adb():
        print("1..0 # SKIP adb is not installed")
        return 0
    if words[0] == "--reads-text":
        end_without_reading()
        words = words[1:]
    only = None
    if words[0] == "--only":
        only, words = words[1], words[2:]
    phone, words = choose_phone(words)
    split = words.index("--")
    with phone:
        good = report(words[:split], phone, words[split + 1:], only)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
