"""JSON patterns with placeholders, and matching of values.

<any> <str> <int> <num> <bool>  a value of that kind; in a text, a part of it
<str:name>                      the same, remembered: ${name} stands for it
...                             in an object or array: there may be more
"""

import json
import re

HOLE = re.compile(r"<(any|str|int|num|bool)(?::(\w+))?>")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\.\.\.|' + HOLE.pattern + r"|[\[\]{}]")
MORE = "..."
KINDS = {
    "any": lambda value: True,
    "str": lambda value: isinstance(value, str),
    "int": lambda value: isinstance(value, int)
    and not isinstance(value, bool),
    "num": lambda value: isinstance(value, (int, float))
    and not isinstance(value, bool),
    "bool": lambda value: isinstance(value, bool),
}
PARTS = {"any": ".*", "str": ".*", "int": r"-?\d+", "num": r"-?[\d.]+",
         "bool": "true|false"}


class Mismatch(Exception):
    """Where and how a value differs from its pattern."""


def parse(text):
    """Parse the text of a pattern."""
    open_brackets = []

    def quote(match):
        token = match[0]
        if token in "[{":
            open_brackets.append(token)
        elif token in "]}":
            open_brackets.pop()
        elif token == MORE:
            in_object = open_brackets and open_brackets[-1] == "{"
            return '"...": 0' if in_object else '"..."'
        elif token.startswith("<"):
            return f'"{token}"'
        return token

    return json.loads(TOKEN.sub(quote, text))


def fill(text, known):
    """${name} replaced by what was remembered."""
    return re.sub(r"\$\{(\w+)\}", lambda m: str(known[m[1]]), text)


def match_text(pattern, value, where, known):
    """Match a text that contains placeholders."""
    names = [m[2] for m in HOLE.finditer(pattern)]
    parts = HOLE.split(pattern)
    regex = "".join(re.escape(part) if i % 3 == 0
                    else f"({PARTS[part]})" if i % 3 == 1 else ""
                    for i, part in enumerate(parts))
    found = re.fullmatch(regex, value, re.DOTALL) \
        if isinstance(value, str) else None
    if not found:
        raise Mismatch(f"{where}: {value!r}, not {pattern!r}")
    known.update({name: text for name, text in zip(names, found.groups())
                  if name})


def match_object(pattern, value, where, known):
    """Match every member; other members are allowed only with "..."."""
    if not isinstance(value, dict):
        raise Mismatch(f"{where}: {value!r} is no object")
    missing = [key for key in pattern if key not in value and key != MORE]
    extra = [key for key in value if key not in pattern]
    if missing:
        raise Mismatch(f"{where}: {', '.join(missing)} missing in {value!r}")
    if extra and MORE not in pattern:
        raise Mismatch(f"{where}: unexpected {', '.join(extra)} in {value!r}")
    for key, wanted in pattern.items():
        if key != MORE:
            match(wanted, value[key], f"{where}.{key}", known)


def match_array(pattern, value, where, known):
    """Match every item in order; "..." at the end allows more."""
    open_end = bool(pattern) and pattern[-1] == MORE
    wanted = pattern[:-1] if open_end else pattern
    if not isinstance(value, list) or len(value) < len(wanted) \
            or (len(value) > len(wanted) and not open_end):
        raise Mismatch(f"{where}: {value!r}, not {pattern!r}")
    for i, item in enumerate(wanted):
        match(item, value[i], f"{where}[{i}]", known)


def match(pattern, value, where, known):
    """Raise Mismatch unless value matches; store named values in known."""
    whole = HOLE.fullmatch(pattern) if isinstance(pattern, str) else None
    if whole:
        if not KINDS[whole[1]](value):
            raise Mismatch(f"{where}: {value!r} is not <{whole[1]}>")
        if whole[2]:
            known[whole[2]] = value
    elif isinstance(pattern, str) and HOLE.search(pattern):
        match_text(pattern, value, where, known)
    elif isinstance(pattern, dict):
        match_object(pattern, value, where, known)
    elif isinstance(pattern, list):
        match_array(pattern, value, where, known)
    elif pattern != value or isinstance(pattern, bool) != isinstance(value,
                                                                     bool):
        raise Mismatch(f"{where}: {value!r}, not {pattern!r}")
