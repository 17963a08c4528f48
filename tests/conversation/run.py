#!/usr/bin/env python3
"""run.py PROGRAM [ARGUMENT ...] -- FILE ...: agents' conversations; TAP.

What the client would add (ids, versions, the greeting) is added here; wire/
is about the wire itself. A line of a conversation begins with

#  a remark
$  further arguments of the program
@  the revisions to hold it in; each has a server of its own
=  the name of a case
>  what is asked: METHOD {params}, or TOOL {arguments}; several in a row are
   sent without waiting, and must be answered in that order
<  what must come, with holes (see pattern.py), line by line:
   result {..}          of a METHOD
   fault CODE "words"   of a METHOD: a protocol error
   text PATTERN         blocks of a TOOL, all of them in order; a text that
   image TYPE WxH       is JSON is matched as JSON
   link {..}
   failure {..}         of a TOOL: the JSON of a result with isError
!  a text that may occur in no line the server writes

and goes on in lines that are indented. At the end the server must have nothing
more to say, have said nothing on standard error, and exit with 0.
"""

import base64
import json
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

# pylint: disable=wrong-import-position
from pattern import Mismatch, fill, match, parse
from picture_size import picture_size
from squint_server import Server, ServerError, modern_meta

MARKS = "#$@=><!"


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

    def __init__(self, server):
        self.server = server
        self.known = {}
        self.pending = []       # ids of requests without an answer, in order
        self.blocks = None      # what is left of a tool's result
        self.seen = []

    def send(self, text):
        """A ">" line."""
        if not self.pending:
            self.settle()
        text = fill(text, self.known)
        word, _, rest = text.partition(" ")
        params = json.loads(rest) if rest else {}
        is_method = "/" in word or word == "ping"
        method = word if is_method else "tools/call"
        if not is_method:
            params = {"name": word, "arguments": params}
        if self.server.modern:
            params["_meta"] = {**modern_meta(), **params.get("_meta", {})}
        number = self.server.next_id
        self.server.next_id += 1
        self.server.send({"jsonrpc": "2.0", "id": number, "method": method,
                          "params": params})
        self.pending.append(number)

    def next_message(self):
        """The next line, kept for the search at the end."""
        line = self.server.receive_bytes()
        if not line:
            raise ServerError("has gone: " + self.server.said())
        self.seen.append(line)
        return json.loads(line)

    def next_answer(self):
        """The answer to the next request; nothing else may come before."""
        self.settle()
        message = self.next_message()
        wanted = self.pending.pop(0)
        if message.get("id") != wanted:
            raise Mismatch(f"not an answer to {wanted}: {message}")
        return message

    def settle(self):
        """Nothing of the last result may be left over."""
        left, self.blocks = self.blocks, None
        if left:
            raise Mismatch(f"more than expected: {json.dumps(left)[:300]}")

    def give_up(self):
        """After a mismatch: what the next case need not see."""
        self.blocks = None
        while self.pending:
            self.next_message()
            self.pending.pop()

    def next_block(self, is_error):
        """The next block of a tool's result, read from the wire if needed."""
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
        """A "<" line."""
        text = fill(text, self.known)
        word, _, rest = text.partition(" ")
        EXPECT[word](self, rest)

    def end(self):
        """Nothing more may come, and all must have gone well."""
        status = self.server.close()
        rest = self.server.receive_bytes()
        said = self.server.said()
        if status or rest or said:
            raise Mismatch(f"exit status {status}; said at the end: "
                           f"{rest[:300]!r}; standard error: {said}")

    def check_never(self, texts):
        """What may have come in no line."""
        heard = b"\n".join(self.seen)
        for text in texts:
            if text.encode() in heard:
                raise Mismatch(f"{text!r} came out")

    def expect_result(self, rest):
        """result PATTERN"""
        answer = self.next_answer()
        match(parse(rest), answer.get("result", answer), "result", self.known)

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
        match(parse(rest), value, "text", self.known)

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
        match(parse(rest), block, "link", self.known)


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


def run_case(talk, lines):
    """None, or what went wrong."""
    steps = {">": talk.send, "<": talk.expect}
    for number, mark, rest in lines:
        try:
            steps[mark](rest)
        except (Mismatch, KeyError, ValueError) as error:
            talk.give_up()
            return f"line {number}: {error}"
    return None


def run_end(talk, lines):
    """None, or what was wrong with the whole of it."""
    try:
        talk.settle()
        talk.end()
        talk.check_never([rest for _, mark, rest in lines if mark == "!"])
    except Mismatch as error:
        return str(error)
    return None


def greet(server, revision):
    """Begin in the way of the revision."""
    answer = server.initialize(revision)
    if "result" not in answer:
        raise ServerError(f"greeting refused: {answer}")


def hold(argv, path, lines, revision):
    """Yield (name, what went wrong) for every case of one conversation."""
    flags = [word for _, mark, rest in lines if mark == "$"
             for word in rest.split()]
    name = f"{path.stem} {revision}"
    todo = [*cases_of(lines), ("ends well", None)]
    try:
        with Server([*argv, *flags]) as server:
            greet(server, revision)
            talk = Talk(server)
            while todo:
                title, part = todo[0]
                wrong = run_case(talk, part) if part else run_end(talk, lines)
                todo.pop(0)
                yield f"{name}: {title}", wrong
    except ServerError as error:
        for title, _ in todo:
            yield f"{name}: {title}", str(error)


def revisions_of(lines):
    """The revisions a conversation asks for."""
    return [word for _, mark, rest in lines if mark == "@"
            for word in rest.split()]


def main(*words):
    """All conversations, as TAP."""
    split = words.index("--")
    count = failed = 0
    for path in map(pathlib.Path, words[split + 1:]):
        lines = read_lines(path.read_text(encoding="utf-8"))
        for revision in revisions_of(lines):
            for name, wrong in hold(words[:split], path, lines, revision):
                count += 1
                failed += wrong is not None
                print(f"{'not ok' if wrong else 'ok'} {count} - {name}")
                if wrong:
                    print("# " + wrong.replace("\n", "\n# "))
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
