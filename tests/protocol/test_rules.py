"""Our rules of the protocol (messages.txt) can be parsed, are parsed as
documented, and are never weaker than the official schemas, if present."""

import json
import os
import pathlib
import sys

import rules

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
             "2026-07-28")
# Parts of our rules that have no name in some or all official schemas.
OUR_NAMES = {"Error", "Annotations", "UnsupportedVersion",
             "VersionsToChooseFrom", "ResultMeta", "Meta", "ListCapability", "ResourceCapability", "InputSchema",
             "OutputSchema", "ResourceContents", "Completion",
             "SubscriptionMeta", "NotificationMeta", "LogNotification", "Log",
             "UpdatedNotification", "Updated", "ListChangedNotification",
             "ListChanged", "AcknowledgedNotification", "Acknowledged",
             "Cancelled", "Progress"}


class Skip(Exception):
    """The case cannot be tried here."""


def ours(revision):
    """Our definitions."""
    text = (HERE / "messages.txt").read_text(encoding="utf-8")
    return rules.schema_of(text, revision)["$defs"]


def official(revision):
    """The official definitions, or None."""
    cache = os.environ.get("SQUINT_TEST_SCHEMAS", ROOT / ".cache/mcp-schemas")
    data = os.environ.get("SQUINT_TEST_DATA", ROOT / "../shared/data")
    for folder in (pathlib.Path(cache), pathlib.Path(data) / "mcp"):
        path = folder / f"schema-{revision}.json"
        if path.exists():
            schema = json.loads(path.read_text(encoding="utf-8"))
            return schema.get("$defs") or schema["definitions"]
    return None


def members(definitions, schema):
    """(names of all members, names it must have) of an object's schema, with
    those of the schemas that it refers to."""
    names, required = set(schema.get("properties", ())), set(
        schema.get("required", ()))
    inner = list(schema.get("allOf", ()))
    if "$ref" in schema:
        inner.append(definitions[schema["$ref"].rsplit("/", 1)[1]])
    for part in inner:
        more_names, more_required = members(definitions, part)
        names |= more_names
        required |= more_required
    return names, required


def differences(mine, theirs):
    """What our rules allow and the official definitions do not, as text."""
    for name, schema in mine.items():
        if schema.get("type") != "object":
            continue
        if name not in theirs:
            if name not in OUR_NAMES:
                yield f"{name} is not official"
            continue
        names, required = members(mine, schema)
        their_names, their_required = members(theirs, theirs[name])
        # Some official definitions leave the envelope to another one.
        missing = their_required - required
        unknown = names - their_names - {"_meta", "jsonrpc", "id"}
        if missing:
            yield f"{name} may lack {sorted(missing)}"
        if their_names and unknown:
            yield f"{name} may have {sorted(unknown)}"


def every_revision_can_be_read():
    """Every revision differs from the previous one."""
    seen = [json.dumps(ours(revision)) for revision in REVISIONS]
    assert len(set(seen)) == len(REVISIONS)
    for definitions in map(ours, REVISIONS):
        assert {"CallToolResult", "Tool", "EmptyResult",
                "ServerNotification"} <= set(definitions)


def types_are_parsed():
    """One row for each form."""
    rows = {
        "string": {"type": "string"},
        "any": {},
        "string|integer": {"type": ["string", "integer"]},
        '"a"|"b"': {"enum": ["a", "b"]},
        "-32022": {"const": -32022},
        "[string](100)": {"type": "array", "items": {"type": "string"},
                          "maxItems": 100},
        "{object}": {"type": "object",
                     "additionalProperties": {"type": "object"}},
        "number(0..1)": {"type": "number", "minimum": 0, "maximum": 1},
        "integer(0..)": {"type": "integer", "minimum": 0},
        "A|string": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]},
    }
    for text, schema in rows.items():
        got = rules.Type(text).whole()
        assert got == schema, f"{text}: {got}"


def members_apply_to_their_revisions():
    """@FIRST..LAST, of members and of whole definitions."""
    text = "A\n  x string @..2\n  y? integer @2..\n  ...\nB = A @3..\n"
    want = {
        "1": ({"x"}, ["x"], {"A"}),
        "2": ({"x", "y"}, ["x"], {"A"}),
        "3": ({"y"}, [], {"A", "B"}),
    }
    for revision, (names, required, defined) in want.items():
        got = rules.schema_of(text, revision)["$defs"]
        assert set(got) == defined, revision
        assert set(got["A"]["properties"]) == names, revision
        assert got["A"]["required"] == required, revision
        assert got["A"]["additionalProperties"] is True


def errors_are_refused():
    """They are not read as a rule that checks nothing."""
    for text in ("A = B", "A = [string", "A = string string", "A = %",
                 "A\n  x string\n  x string", "A = string\nA = string",
                 "A\n  x", "A = |"):
        try:
            rules.schema_of(text, "1")
        except rules.RuleError:
            continue
        raise AssertionError(f"{text!r} was taken")


def our_rules_are_as_strict_as_the_official_schemas():
    """Every official member is required, and no other is allowed."""
    seen = 0
    for revision in REVISIONS:
        theirs = official(revision)
        if theirs is None:
            print(f"# no official schema of {revision} is here")
            continue
        found = list(differences(ours(revision), theirs))
        assert not found, f"{revision}: {found}"
        seen += 1
    if not seen:
        raise Skip("the official schemas are not here: npm could not be "
                   "reached, or scripts/mcp-schemas was not run")


def weaker_rule_is_detected():
    """The comparison itself, with schemas of this test."""
    theirs = {"A": {"allOf": [{"$ref": "#/$defs/Base"}],
                    "properties": {"x": {}}, "required": ["x"]},
              "Base": {"properties": {"b": {}}, "required": ["b"]}}

    def rule(required, *names):
        return {"A": {"type": "object", "required": list(required),
                      "properties": dict.fromkeys(names)}}
    assert not list(differences(rule("xb", "x", "b"), theirs))
    assert list(differences(rule("x", "x", "b"), theirs)) == [
        "A may lack ['b']"]
    assert list(differences(rule("xb", "x", "b", "c"), theirs)) == [
        "A may have ['c']"]
    assert list(differences({"C": rule("")["A"]}, theirs)) == [
        "C is not official"]


CASES = (every_revision_can_be_read, types_are_parsed,
         members_apply_to_their_revisions, errors_are_refused,
         our_rules_are_as_strict_as_the_official_schemas,
         weaker_rule_is_detected)


def main():
    """TAP."""
    failed = 0
    print(f"1..{len(CASES)}")
    for number, case in enumerate(CASES, 1):
        result, note = "ok", ""
        try:
            case()
        except Skip as reason:
            note = f" # SKIP {reason}"
        except (AssertionError, rules.RuleError, KeyError) as error:
            print(f"# {type(error).__name__}: {error}")
            result, failed = "not ok", failed + 1
        print(f"{result} {number} {case.__name__}{note}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
