"""Which steps of a transcript which part of the budget pays for, where a method composes its parts one by one.

Added up over a whole run, a part that costs too much can hide behind another that costs less than its share; part by
part it cannot. Parts are told by the kinds of their questions and the order in which the proof pages ask them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpviz.audit.forced_source import Step
from dpviz.mechanisms import balcan, grid_cover
from dpviz.mechanisms.covering.shares import parts_of
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget


@dataclass(frozen=True, kw_only=True)
class PaidPart:
    """Places of some steps in a transcript, and what they may cost together."""

    name: str
    budget: Budget
    steps: tuple[int, ...]


def paid_parts(method: str, steps: Sequence[Step], public: Public, k: int, budget: Budget) -> list[PaidPart]:
    """The parts of a run; empty where the whole is precise enough."""
    if method in ("grid_cover", "balcan"):
        return list(_covering(method, steps, public, budget))
    if method == "peeled_balls_paper" and public.frame.dims == 2 and public.public_rows is not None:
        return list(_printed(steps, public.public_rows, k, budget))
    return []


def _covering(method: str, steps: Sequence[Step], public: Public, budget: Budget) -> Iterator[PaidPart]:
    module = grid_cover if method == "grid_cover" else balcan
    parts = parts_of(public.relation, budget, module.TOTAL_SHARE, module.SHARES, module.DELTAS)
    names = {"cover": "cover", "select": "search"}
    last = [place for place, step in enumerate(steps) if step.kind == "gaussian" and step.sensitivity is not None]
    noisy = [place for place, step in enumerate(steps) if step.kind == "laplace"]
    found: dict[str, list[int]] = {name: [] for name in parts}
    if "total" in parts:
        found["total"].append(noisy.pop(0))
    found["averages"].append(noisy.pop())
    found["tree" if method == "balcan" else "counts"].extend(noisy)
    found["last step"].extend(last)
    for place, step in enumerate(steps):
        if step.kind in names:
            found[names[step.kind]].append(place)
        elif step.kind == "gaussian" and place not in last:
            found["averages"].append(place)
    for name, places in found.items():
        yield PaidPart(name=name, budget=parts[name], steps=tuple(places))


def _printed(steps: Sequence[Step], rows: int, k: int, budget: Budget) -> Iterator[PaidPart]:
    """Every round begins with the choice of a radius and may cost its share, 3/(8k ln n) of the whole."""
    share = 3.0 / (8.0 * k * math.log(max(rows, 3)))
    each = Budget(epsilon=share * budget.epsilon * (1 + 1e-12), delta=share * budget.delta)
    starts = [place for place, step in enumerate(steps) if step.kind == "select"]
    for number, (start, stop) in enumerate(itertools.pairwise([*starts, len(steps)])):
        yield PaidPart(name=f"round {number + 1}", budget=each, steps=tuple(range(start, stop)))
