"""Proof pages: who read which one against the code (`readings.json`), and where a page spends each charge."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from dpviz.privacy import Charge

RECORD = "readings.json"
READ = "read"


@lru_cache(maxsize=1)
def load_readings() -> dict[str, dict[str, Any]]:
    """Per page of docs/proofs: state, reader, date, and digests of what was read."""
    found: dict[str, dict[str, Any]] = json.loads((files("dpviz.mechanisms") / RECORD).read_text(encoding="utf-8"))
    return found


def is_up_to_date(page: str) -> bool:
    """Whether a reader has gone through this page and its code, and neither has changed since."""
    return load_readings().get(page, {}).get("state") == READ


def describe_reading(page: str) -> str:
    """Who read the page last and when, or that nobody has since it changed; one line for tables."""
    entry = load_readings().get(page, {})
    if entry.get("state") == READ:
        return f"{entry['reader']}, {entry['date']}"
    return str(entry.get("state") or "not read yet")


class ProofSteps(NamedTuple):
    """The symbol of a share of ε and the steps that spend it."""

    symbol: str
    steps: str


_at = ProofSteps
_TOTAL = _at("ε₁", "[P1]")
_AVERAGES = {"averages": _at("ε_G", "[P8]"), "last step": _at("ε_R", "[P9]")}
_TREE = {"noisy number of records": _at("a_n", "[P2]"), "tree and residual rounds": _at("a", "[P4] [P5] [P8]")}
SYMBOLS: Mapping[str, Mapping[str, ProofSteps]] = {  # by proof page, then by the charge's name
    "uniform_grid": {"total": _TOTAL, "counts": _at("ε₂", "[P3]")},
    "noisy_lloyd": {"round": _at("ε/t", "[P3]")},
    "hybrid": {"total": _TOTAL, "synopsis and step": _at("ε₂", "[P3] [P5]")},
    "genetic": {"total": _TOTAL, "selections": _at("ε₂", "[P4] [P6]")},
    "sample_aggregate": {"total": _TOTAL, "ranges": _at("ε₂/2", "[P5]"), "averages": _at("ε₂/2", "[P7]")},
    "centred_lines": {
        "total": _TOTAL,
        "quantiles": _at("ε_Q", "[P3]"),
        "means": _at("ε_M", "[P4]"),
        "sizes": _at("ε_S", "[P7]"),
        "intervals": _at("ε_I", "[P8]"),
    },
    "grid_cover": {"total": _TOTAL, "cover": _at("ε_C", "[P4] [P5]"), "counts": _at("ε_L", "[P6]"), **_AVERAGES},
    "balcan": {"total": _TOTAL, "tree": _at("ε_T", "[P3]"), "search": _at("ε_S", "[P6] [P7]"), **_AVERAGES},
    "adaptive_tree": _TREE,
    "peeled_balls": {"total": _TOTAL, "rounds": _at("ε₂", "[P3] [P4] [P6]")},
    "peeled_balls_paper": {"rounds": _at("ε′", "[P6] [P7] [P8] [P9]")},
    "subsampled": {"run on a secret sample": _at("ε₀", "[P1] [P3]")},
    "mean_split": {"mean, cells and steps": _at("E", "[P2] [P5] [P6] [P7] [P8]")},
    "own_levels": {
        "coarse counts by level": _at("s₁·c", "[P3]"),
        "tree and counts by level": _at("(1 − s₁)·c", "[P5] [P7]"),
    },
    "by_size": {"number of records": _at("ε_n", "[P2]"), "chosen method": _at("ε_M", "[P4]")},
    "trip_ends": {
        "trips": _at("ε_T", "[P2]"),
        "map of the first ends": _at("ε_1", "[P4]"),
        "map of the second ends": _at("ε_2", "[P4]"),
    },
    "regional": {"one record, in whichever part it lies": _at("ε_j", "[P2] [P4]")},
    "series": {
        "cells of the period": _at("ε", "[P1] [P4]"),
        "noisy number of records": _at("ε", "[P6]"),
        "tree and residual rounds": _at("ε", "[P6]"),
    },
}


def find_in_proof(page: str, charge: Charge) -> ProofSteps | None:
    """Where the page spends this charge; numbered rounds have one entry. None for a method that is not listed."""
    listed = SYMBOLS.get(page, {})
    return listed.get(charge.name) or listed.get(re.sub(r" \d+$", "", charge.name))
