"""Validates a value with the part of JSON Schema that our schemas use."""

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "integer": int, "number": (int, float), "null": type(None)}


def is_type(value, kind):
    """Whether a value has a type; true and false are not numbers."""
    wanted = TYPES[kind]
    return isinstance(value, wanted) and (kind == "boolean"
                                          or not isinstance(value, bool))


def complaints(schema, value, where="$"):
    """A text for each error."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_type(value, kind) for kind in kinds):
        yield f"{where} is no {' or '.join(kinds)}: {value!r}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} is none of {schema['enum']}: {value!r}"
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                yield f"{where}.{name} is missing"
        for name, member in value.items():
            if name in known:
                yield from complaints(known[name], member, f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{where}.{name} is not in the schema"
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            yield from complaints(schema["items"], item, f"{where}[{number}]")
