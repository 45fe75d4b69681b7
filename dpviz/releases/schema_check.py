"""Whether a JSON document follows one of our published schemas: the few keywords of JSON Schema that those use."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
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


def find_breach(value: Any, schema: Mapping[str, Any], where: str = "") -> str | None:
    """The place of the first thing that does not follow the schema, such as "request.k"; None where all does."""
    here = where or "the document"
    for check in (_kind, _choice, _number, _text, _object, _array, _logic):
        found = check(value, schema, where)
        if found is not None:
            return found or here
    return None


def _kind(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    wanted = schema.get("type")
    if wanted is None:
        return None
    names = [wanted] if isinstance(wanted, str) else wanted
    for name in names:
        numeric = name in ("number", "integer")
        if isinstance(value, _TYPES[name]) and not (numeric and isinstance(value, bool)):
            return None
        if name == "integer" and isinstance(value, float) and value.is_integer():
            return None
    return where


def _choice(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    if "const" in schema and not _same(value, schema["const"]):
        return where
    if "enum" in schema and not any(_same(value, one) for one in schema["enum"]):
        return where
    return None


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def _number(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    within = (
        value >= schema.get("minimum", value)
        and value <= schema.get("maximum", value)
        and ("exclusiveMinimum" not in schema or value > schema["exclusiveMinimum"])
        and ("exclusiveMaximum" not in schema or value < schema["exclusiveMaximum"])
    )
    return None if within else where


def _text(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    if not isinstance(value, str):
        return None
    fits = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
    return None if fits and re.search(schema.get("pattern", ""), value) else where


def _object(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    if not isinstance(value, dict):
        return None
    for name in schema.get("required", ()):
        if name not in value:
            return f"{where}.{name}".lstrip(".")
    parts, others = schema.get("properties", {}), schema.get("additionalProperties", True)
    for name, part in value.items():
        inside = f"{where}.{name}".lstrip(".")[:120]
        if not follows(name, schema.get("propertyNames", {})) or (name not in parts and others is False):
            return inside
        wanted = parts.get(name, others if isinstance(others, Mapping) else {})
        found = find_breach(part, wanted, inside)
        if found is not None:
            return found
    return None


def _array(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    if not isinstance(value, list):
        return None
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return where
    for at, part in enumerate(value):
        found = find_breach(part, schema.get("items", {}), f"{where}[{at}]")
        if found is not None:
            return found
    return None


def _logic(value: Any, schema: Mapping[str, Any], where: str) -> str | None:
    for part in schema.get("allOf", ()):
        found = find_breach(value, part, where)
        if found is not None:
            return found
    if "anyOf" in schema and not any(follows(value, part) for part in schema["anyOf"]):
        return where
    if "not" in schema and follows(value, schema["not"]):
        return where
    if "if" in schema:
        branch = "then" if follows(value, schema["if"]) else "else"
        return find_breach(value, schema.get(branch, {}), where)
    return None
