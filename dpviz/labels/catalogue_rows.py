"""The catalogue of methods, for screens and commands: they import no mechanism."""

from __future__ import annotations

from typing import Any


def methods() -> list[dict[str, Any]]:
    """The catalogue as plain rows."""
    from dpviz.mechanisms import catalogue

    return catalogue.rows()


def method_title(name: str) -> str:
    """What a method is called, one that wraps another included; its name where the catalogue does not know it."""
    from dpviz.mechanisms import catalogue

    return catalogue.describe(name).title
