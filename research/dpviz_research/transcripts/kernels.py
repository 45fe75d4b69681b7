"""Further cases for lines and branches that ordinary data do not walk; those of a kernel are run uncompiled as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from dpviz.mechanisms import catalogue
from dpviz.mechanisms.baselines.centred_lines import CENTRED_LINES
from dpviz.mechanisms.baselines.noisy_lloyd import NOISY_LLOYD
from dpviz.mechanisms.by_size import BySize
from dpviz.mechanisms.trip_ends import TripEnds
from dpviz.privacy import Budget
from dpviz_research.transcripts.cases import Case, budget_for, counted, regional, with_maps
from dpviz_research.transcripts.edges import Limited
from dpviz_research.transcripts.rare import limited


def of_kernels() -> Iterator[Case]:
    """Costs that stop at their ceiling, scores that are not counted, merged cells, coins of many digits."""
    costs = counted("genetic", "heaps", "add-remove", Budget(epsilon=1.0), k=2).shorter(2, 1)
    yield replace(limited(costs, baselines__genetic__MOST_ROUNDS=8), uncompiled=True)
    scores = counted("grid_cover", "town", "add-remove", budget_for("grid_cover", 0.1)).shorter(2, 1)
    yield limited(scores, baselines__grid_cover__COUNTED=3)
    for printed in catalogue.AS_PRINTED:
        merged = counted(printed.info.name, "metropolis", "add-remove", Budget(epsilon=1.0)).shorter(2, 1)
        yield limited(merged, uniform_grid__SOLVER_POINTS=64)
    coin = counted("peeled_balls", "metropolis", "add-remove", Budget(epsilon=0.1)).shorter(2, 1)
    short = Limited(catalogue.get("peeled_balls"), {"noise.decisions:_DIGITS": 1, "noise.decisions:WORDS": 1})
    yield replace(coin, mechanism=short, label=f"coins of one digit, {coin.label}")


def of_parts() -> Iterator[Case]:
    """Parts of a map with one point, trips whose method has no answer or no cells."""
    for kind, epsilon in (("city", 1.0), ("town", 4.0)):
        yield regional("peeled_balls", kind, Budget(epsilon=epsilon), k=1).shorter(3, 1)
    candidates = catalogue.BY_SIZE.candidates
    trips = next(with_maps("by_size")).shorter(3, 1)
    for chosen, epsilon in ((CENTRED_LINES, 8e-6), (NOISY_LLOYD, 2.0)):
        method = TripEnds(BySize(dict.fromkeys(candidates, chosen)))
        yield replace(trips, mechanism=method, budget=Budget(epsilon=epsilon), label=f"one method, {trips.label}")


GROUPS: tuple[Callable[[], Iterator[Case]], ...] = (of_kernels, of_parts)


def in_kernels() -> Iterator[Case]:
    """All of them."""
    for group in GROUPS:
        yield from group()
