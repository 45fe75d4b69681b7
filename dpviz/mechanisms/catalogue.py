"""The catalogue: an explicit tuple of methods, in teaching order."""

from __future__ import annotations

from typing import Any

from dpviz.errors import InputError
from dpviz.mechanisms import auto
from dpviz.mechanisms.adaptive_tree import ADAPTIVE_TREE
from dpviz.mechanisms.balcan import BALCAN
from dpviz.mechanisms.centred_lines import CENTRED_LINES
from dpviz.mechanisms.genetic import GENETIC
from dpviz.mechanisms.grid_cover import GRID_COVER
from dpviz.mechanisms.hybrid import HYBRID
from dpviz.mechanisms.interface import Mechanism, Public
from dpviz.mechanisms.noisy_lloyd import NOISY_LLOYD
from dpviz.mechanisms.peeled_balls import PEELED_BALLS
from dpviz.mechanisms.peeled_balls_paper import PEELED_BALLS_PAPER
from dpviz.mechanisms.regional import Regional
from dpviz.mechanisms.sample_aggregate import SAMPLE_AGGREGATE, SAMPLE_AGGREGATE_3K
from dpviz.mechanisms.subsampled import Subsampled
from dpviz.mechanisms.uniform_grid import UNIFORM_GRID
from dpviz.privacy import Budget
from dpviz.privacy.regions import Region

METHODS: tuple[Mechanism, ...] = (
    PEELED_BALLS,
    PEELED_BALLS_PAPER,
    ADAPTIVE_TREE,
    UNIFORM_GRID,
    NOISY_LLOYD,
    HYBRID,
    SAMPLE_AGGREGATE,
    SAMPLE_AGGREGATE_3K,
    GENETIC,
    CENTRED_LINES,
    GRID_COVER,
    BALCAN,
)

SAMPLED = "subsampled:"
REGIONAL = "regional:"


def get(name: str) -> Mechanism:
    """The method of this name; `subsampled:<method>` and `regional:<method>` wrap any of them."""
    if isinstance(name, str) and name.startswith(SAMPLED):
        return Subsampled(get(name[len(SAMPLED) :]))
    if isinstance(name, str) and name.startswith(REGIONAL):
        return Regional(get(name[len(REGIONAL) :]))
    for method in METHODS:
        if method.info.name == name:
            return method
    known = ", ".join(["auto", *(method.info.name for method in METHODS), f"{SAMPLED}<method>", f"{REGIONAL}<method>"])
    raise InputError(f"method {name!r} is not known; use one of {known}.", method=name)


def choose(name: str, public: Public, *, k: int, budget: Budget) -> Mechanism:
    """The method that a request means: itself, or, for `auto`, the one expected to be best from public numbers."""
    return get(auto.choose(public, k, budget).method if name == "auto" else name)


def choose_with_regions(name: str, regions: tuple[Region, ...], public: Public, *, k: int, budget: Budget) -> Mechanism:
    """The same, run in every region with the region's own level."""
    found = choose(name, public, k=k, budget=budget)
    if name == "auto" and not found.info.gives_coreset:
        found = ADAPTIVE_TREE
    return Regional(found.base if isinstance(found, Regional) else found, regions)


def rows() -> list[dict[str, Any]]:
    """The catalogue as plain rows, for `dpviz.methods()`, the command line and the screen."""
    return [
        {
            "name": info.name,
            "title": info.title,
            "summary": info.summary,
            "paper": info.paper,
            "adjacencies": sorted(relation.value for relation in info.adjacencies),
            "guarantee": "approximate" if info.needs_delta else "pure",
            "dims": list(info.dims),
            "gives_coreset": info.gives_coreset,
            "person_cap": info.person_cap,
            "objective": info.objective,
            "vetted": info.vetted,
            "proof": f"docs/proofs/{info.proof}.md",
        }
        for info in (method.info for method in METHODS)
    ]
