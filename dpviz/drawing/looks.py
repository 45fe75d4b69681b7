"""The four styles of a picture (page, dark page, bright room, paper) and their shades of density."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from dpviz.errors import InputError

# Of each shade: sparse ground lets the map through, dense ground does not. All differ: the app tells shades by them.
SHADE_OPACITY: Final = (0.1, 0.3, 0.46, 0.6, 0.72, 0.82, 0.9)


@dataclass(frozen=True, kw_only=True)
class Look:
    """Colours and weights of one appearance."""

    name: str
    paper: str
    ink: str
    faint: str
    rule: str
    land: str
    sea: str
    water: str
    green: str
    edge: str  # the line around the map
    streets: Mapping[str, tuple[str, float]]  # colour, and width in metres
    cells: tuple[str, ...]  # few records to many
    center: str
    center_ink: str
    name_ink: str
    name_halo: str
    letters: float  # how much larger words and lines are

    @classmethod
    def from_facts(cls, name: str, facts: Mapping[str, Any]) -> Look:
        """Read one table of `looks.toml`."""
        streets = {kind: (colour, metres) for kind, (colour, metres) in facts["streets"].items()}
        made = {**facts, "name": name, "streets": streets, "cells": tuple(facts["cells"])}
        return cls(**{field.name: made[field.name] for field in fields(cls)})


LOOKS: Final = {
    name: Look.from_facts(name, facts)
    for name, facts in tomllib.loads(Path(__file__).with_name("looks.toml").read_text(encoding="utf-8")).items()
}


def find_look(name: str) -> Look:
    """The style with this name."""
    if name not in LOOKS:
        raise InputError(f"style={name!r} is not known; use {', '.join(LOOKS)}.", style=name)
    return LOOKS[name]
