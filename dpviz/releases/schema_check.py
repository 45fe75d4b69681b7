"""Whether a JSON document follows one of our published schemas: the few keywords of JSON Schema that those use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def published_schema(name: str) -> dict[str, Any]:
    """One of the JSON schemas of dpviz: "release-2", "dcat-record", "registry-entry"."""
    text = resources.files("dpviz.releases").joinpath(f"schema/{name}.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def follows(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether the value follows the schema."""
    return find_breach(value, schema) is None


def find_breach(value: Any, schema: Mapping[str, Any]) -> str | None:
    """The place of the first thing that does not follow the schema, such as "request.k"; None where all does."""
    return next((where or "the document" for where in _breaches(value, schema, "")), None)


def _breaches(value: Any, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    """Every place, at this value and inside it, that does not follow the schema."""
    if not _fits(value, schema):
        yield where
    if isinstance(value, dict):
        yield from (f"{where}.{name}".lstrip(".") for name in schema.get("required", ()) if name not in value)
        parts, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        for name, part in value.items():
            inside = f"{where}.{name}".lstrip(".")[:120]
            if not follows(name, schema.get("propertyNames", {})) or (name not in parts and others is False):
                yield inside
            yield from _breaches(part, parts.get(name, others if isinstance(others, Mapping) else {}), inside)
    if isinstance(value, list):
        for at, part in enumerate(value):
            yield from _breaches(part, schema.get("items", {}), f"{where}[{at}]")
    for part in schema.get("allOf", ()):
        yield from _breaches(value, part, where)
    if "anyOf" in schema and not any(follows(value, part) for part in schema["anyOf"]):
        yield where
    if "not" in schema and follows(value, schema["not"]):
        yield where
    if "if" in schema:
        yield from _breaches(value, schema.get("then" if follows(value, schema["if"]) else "else", {}), where)


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether type, choice, range, length and pattern of one value are those of the schema."""
    kinds = schema.get("type", tuple(_TYPES))
    if not any(_is_a(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return False
    if not any(_same(value, one) for one in schema.get("enum", [schema.get("const", value)])):
        return False
    if isinstance(value, str):
        fits = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        return bool(fits and re.search(schema.get("pattern", ""), value))
    if isinstance(value, list):
        return bool(schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    return bool(
        schema.get("minimum", value) <= value <= schema.get("maximum", value)
        and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or value < schema["exclusiveMaximum"])
    )


def _is_a(value: Any, kind: str) -> bool:
    """Whether a value is of this type of JSON Schema; 2.0 is an integer, and true is no number."""
    if kind in ("number", "integer") and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES[kind]) or (kind == "integer" and isinstance(value, float) and value.is_integer())


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)
