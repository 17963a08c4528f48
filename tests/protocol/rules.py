#!/usr/bin/env python3
"""rules.py MESSAGES REVISION: what messages.txt says of a revision of the
protocol, as a JSON Schema on standard output."""

import json
import re
import sys

TOKEN = re.compile(r'\s*("[^"]*"|-?\d+|[A-Za-z]+|\.\.|[\[\]{}()|])')
PLAIN = ("string", "integer", "number", "boolean", "object")
LINE = re.compile(r"^(?P<what>.*?)(?:\s+@(?P<first>[\d-]*)\.\.(?P<last>[\d-]*))?$")


class RuleError(Exception):
    """A line of messages.txt that cannot be read."""


class Type:
    """Reads one type; see messages.txt."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            raise RuleError(f"not a type: {text}")

    def peek(self):
        """The next token, or None."""
        return self.tokens[0] if self.tokens else None

    def take(self, wanted=None):
        """The next token, which must be the wanted one if there is one."""
        token = self.tokens.pop(0) if self.tokens else None
        if token is None or (wanted and token != wanted):
            raise RuleError(f"{token!r} where {wanted or 'a type'} belongs")
        return token

    def whole(self):
        """The type, and nothing after it."""
        schema = self.choice()
        if self.tokens:
            raise RuleError(f"{self.tokens} after a type")
        return schema

    def choice(self):
        """A|B|..."""
        parts = [self.single()]
        while self.peek() == "|":
            self.take()
            parts.append(self.single())
        if len(parts) == 1:
            return parts[0]
        if all("const" in part for part in parts):
            return {"enum": [part["const"] for part in parts]}
        if all(list(part) == ["type"] for part in parts):
            return {"type": [part["type"] for part in parts]}
        return {"anyOf": parts}

    def single(self):
        """Anything but a choice."""
        token = self.take()
        if token == "[":
            schema = {"type": "array", "items": self.choice()}
            self.take("]")
            if self.peek() == "(":
                self.take()
                schema["maxItems"] = int(self.take())
                self.take(")")
            return schema
        if token == "{":
            schema = {"type": "object", "additionalProperties": self.choice()}
            self.take("}")
            return schema
        if token[0] == '"' or token.lstrip("-").isdigit():
            return {"const": json.loads(token)}
        if token == "any":
            return {}
        if token in PLAIN:
            return {"type": token, **self.limits()}
        if not token.isalpha():
            raise RuleError(f"{token!r} where a type belongs")
        return {"$ref": f"#/$defs/{token}"}

    def limits(self):
        """(LEAST..MOST), either of which may be missing; or nothing."""
        found = {}
        if self.peek() == "(":
            self.take()
            if self.peek() != "..":
                found["minimum"] = int(self.take())
            self.take("..")
            if self.peek() != ")":
                found["maximum"] = int(self.take())
            self.take(")")
        return found


def lines_of(text, revision):
    """(whether it is a member, text) of the lines that apply to a revision."""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.match(line.strip())
        first, last = match["first"] or "", match["last"] or "9"
        yield line[0] == " ", match["what"], first <= revision <= last


def schema_of(text, revision):
    """The definitions of one revision."""
    defined, current = {}, None
    for is_member, what, counts in lines_of(text, revision):
        if is_member:
            if counts and current is not None:
                add_member(current, what)
            continue
        name, _, alias = (part.strip() for part in what.partition("="))
        current = None
        if not counts:
            continue
        if name in defined:
            raise RuleError(f"{name} is defined twice in {revision}")
        if alias:
            defined[name] = Type(alias).whole()
        else:
            current = {"type": "object", "properties": {}, "required": []}
            defined[name] = current
    check_names(defined, revision)
    return {"$defs": defined}


def add_member(schema, line):
    """A line of an object."""
    if line == "...":
        schema["additionalProperties"] = True
        return
    name, _, kind = line.partition(" ")
    if not name.endswith("?"):
        schema["required"].append(name)
    name = name.removesuffix("?")
    if name in schema["properties"]:
        raise RuleError(f"{name} is there twice")
    schema["properties"][name] = Type(kind).whole()


def check_names(defined, revision):
    """Every name that is used is defined."""
    for name in re.findall(r"#/\$defs/(\w+)", json.dumps(defined)):
        if name not in defined:
            raise RuleError(f"{name} is not defined in {revision}")


def main(path, revision):
    """The command line."""
    with open(path, encoding="utf-8") as file:
        json.dump(schema_of(file.read(), revision), sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
