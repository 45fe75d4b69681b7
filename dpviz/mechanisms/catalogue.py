"""The catalogue: an explicit tuple of methods, in teaching order, and the methods of other packages (entry points)."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.domain.trip_ends import are_trips
from dpviz.errors import InputError
from dpviz.extensions import Extension, extensions
from dpviz.mechanisms import forecast, proof_pages
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, AdaptiveTree
from dpviz.mechanisms.baselines.balcan import BALCAN
from dpviz.mechanisms.baselines.centred_lines import CENTRED_LINES
from dpviz.mechanisms.baselines.genetic import GENETIC
from dpviz.mechanisms.baselines.grid_cover import GRID_COVER
from dpviz.mechanisms.baselines.hybrid import HYBRID, HYBRID_PAPER
from dpviz.mechanisms.baselines.noisy_lloyd import NOISY_LLOYD
from dpviz.mechanisms.baselines.sample_aggregate import SAMPLE_AGGREGATE, SAMPLE_AGGREGATE_3K
from dpviz.mechanisms.by_size import BySize
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, MethodInfo, NoAnswer, Plan, Public, Purpose
from dpviz.mechanisms.mean_split.mechanism import MEAN_SPLIT
from dpviz.mechanisms.own_levels import OWN_LEVELS, OwnLevelsTree
from dpviz.mechanisms.peeled_balls.mechanism import PEELED_BALLS
from dpviz.mechanisms.peeled_balls.paper_mechanism import PEELED_BALLS_PAPER
from dpviz.mechanisms.regional import Regional
from dpviz.mechanisms.series_cells import SERIES_CELLS
from dpviz.mechanisms.subsampled import Subsampled
from dpviz.mechanisms.trip_ends import PREFIX as ENDS, TripEnds
from dpviz.mechanisms.uniform_grid import UNIFORM_GRID, UNIFORM_GRID_PAPER, UniformGrid
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget, Region

METHODS: tuple[Mechanism, ...] = (
    PEELED_BALLS,
    PEELED_BALLS_PAPER,
    ADAPTIVE_TREE,
    MEAN_SPLIT,
    UNIFORM_GRID,
    NOISY_LLOYD,
    HYBRID,
    SAMPLE_AGGREGATE,
    SAMPLE_AGGREGATE_3K,
    GENETIC,
    CENTRED_LINES,
    GRID_COVER,
    BALCAN,
    SERIES_CELLS,
)

BY_SIZE = BySize(
    {method.info.name: method for method in (ADAPTIVE_TREE, UNIFORM_GRID, NOISY_LLOYD, HYBRID)}
)  # what `auto` is where a choice needs the number of records and that is secret

# The same noise, with the search that the paper prints: for its tables. Ours search as `adaptive_tree` does.
AS_PRINTED: tuple[Mechanism, ...] = (UNIFORM_GRID_PAPER, HYBRID_PAPER)

FORMER = {"turned_tree": "mean_split from five dimensions on, adaptive_tree below"}  # what took their places

MANY_DIMENSIONS = 5  # from here on `auto` is `mean_split` where centers are asked for

SAMPLED = "subsampled:"
REGIONAL = "regional:"
WRAPPERS: dict[str, Callable[[Mechanism], Mechanism]] = {SAMPLED: Subsampled, REGIONAL: Regional, ENDS: TripEnds}


def own_methods() -> dict[str, Mechanism]:
    """dpviz's own methods, by name."""
    return {method.info.name: method for method in (*METHODS, BY_SIZE, OWN_LEVELS, *AS_PRINTED)}


class ForeignMethod:
    """A method of another package. It is unvetted, whatever it says about itself."""

    def __init__(self, found: Extension) -> None:
        self._found, self._base = found, found.value
        self.info: MethodInfo = replace(found.value.info, vetted=False, package=found.package)

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        with self._found.named_failures():
            plan: Plan = replace(self._base.plan(public, k=k, budget=budget), method=self.info.name)
        return plan

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        with self._found.named_failures():
            answer = self._base.run(data, plan, noise)
            if not isinstance(answer, Answer | NoAnswer):
                raise TypeError
        return answer


def foreign_methods() -> dict[str, ForeignMethod]:
    """The methods of other packages, by name."""
    found = extensions("dpviz.methods", ("auto", *own_methods()), _is_method)
    return {name: ForeignMethod(one) for name, one in found.items()}


def _is_method(name: str, value: Any) -> bool:
    """Whether it has info, plan and run, the entry point's name, and texts without markup."""
    info = value.info
    texts = (info.title, info.summary, info.paper, info.proof)
    plain = all(text.isprintable() and not set(text) & set("<>[]`$\\") for text in texts)
    named = info.name == name and re.fullmatch(r"[a-z0-9_]+", name) is not None
    return isinstance(info, MethodInfo) and named and plain and callable(value.plan) and callable(value.run)


def describe(name: str) -> MethodInfo:
    """What is public about a method, also of one that dpviz had or whose package is not installed here."""
    with suppress(InputError):
        return get(name).info
    had = name.rpartition(":")[2] in FORMER
    absent, unknown = "an earlier dpviz" if had else "a package that is not installed here", "unknown here"
    known = replace(UNIFORM_GRID.info, name=name, title=name, vetted=False, package=absent)
    return replace(known, summary=unknown, paper=unknown, proof=unknown)


def get(name: str) -> Mechanism:
    """Find a method by name; `subsampled:<method>` and `regional:<method>` wrap any method, `ends:<method>` some."""
    if isinstance(name, str) and name.startswith(SAMPLED + ENDS):
        raise InputError(f"method {name!r}: maps of both ends are not bought on a sample; use one alone.", method=name)
    for prefix, wrap in WRAPPERS.items():
        if isinstance(name, str) and name.startswith(prefix):
            return wrap(_get_own(name[len(prefix) :]))
    if isinstance(name, str) and (found := own_methods().get(name) or foreign_methods().get(name)) is not None:
        return found
    if name in FORMER:
        raise InputError(f"method {name!r} is no longer part of dpviz; use auto, or {FORMER[name]}.", method=name)
    wrapped = (f"{prefix}<method>" for prefix in WRAPPERS)
    known = ", ".join(
        ["auto", *(one for one in own_methods() if one != BY_SIZE.info.name), *foreign_methods(), *wrapped]
    )
    raise InputError(f"method {name!r} is not known; use one of {known}.", method=name)


def _get_own(name: str) -> Mechanism:
    """A method that may be wrapped: proofs of wrappers hold for dpviz's own methods."""
    found = get(name)
    if found.info.package:
        raise InputError(f"{name} comes from {found.info.package}; it runs alone: not on samples, ends or regions.")
    return found


def choose(
    name: str, public: Public, *, k: int, budget: Budget, purpose: Purpose = Purpose.CENTERS, maps_of_ends: bool = True
) -> Mechanism:
    """Choose the method of a request: the named one or, for `auto`, the expected best by public numbers.

    For trips that will answer questions, `auto` also buys a map of each end, unless nobody will query these.
    """
    if name == "auto" and public.unit.levels:
        name = OWN_LEVELS.info.name
    elif name == "auto" and purpose is Purpose.CENTERS and public.frame.dims >= MANY_DIMENSIONS:
        name = MEAN_SPLIT.info.name
    elif name == "auto" and public.streamed:
        name = ADAPTIVE_TREE.info.name  # the one that asks records where they are
    elif name == "auto" and purpose is Purpose.CENTERS:
        name = _automatic(public, k, budget)
    elif name == "auto":
        name = (ENDS if maps_of_ends and are_trips(public.frame) else "") + ADAPTIVE_TREE.info.name
    return divide_for_purpose(get(name), purpose)


def _automatic(public: Public, k: int, budget: Budget) -> str:
    """On maps one method is best at every size; elsewhere a noisy number of records is bought first."""
    few, many = BY_SIZE.info.dims
    if few <= public.frame.dims <= many and public.relation in BY_SIZE.info.adjacencies:
        return BY_SIZE.info.name
    return forecast.choose_by_forecast(public, k, budget).method


def divide_for_purpose(method: Mechanism, purpose: Purpose) -> Mechanism:
    """Divide a method's budget for a purpose; refuse methods without cells to spend it on."""
    if purpose is Purpose.CENTERS:
        return method
    if isinstance(method, Regional):
        return Regional(divide_for_purpose(method.base, purpose), method.regions)
    if isinstance(method, Subsampled | TripEnds):
        return type(method)(divide_for_purpose(method.base, purpose))
    if isinstance(method, AdaptiveTree | OwnLevelsTree):
        return method.made_for(purpose)
    if isinstance(method, UniformGrid):
        return method  # all that it buys are counts, whatever for
    raise InputError(
        f"{method.info.name} cannot be made for purpose={purpose.value!r}: it has no cells to spend the budget on. Use "
        "method='auto', 'adaptive_tree' or 'uniform_grid', or purpose='centers'.",
        method=method.info.name,
    )


def choose_with_regions(
    name: str,
    regions: tuple[Region, ...],
    public: Public,
    *,
    k: int,
    budget: Budget,
    purpose: Purpose = Purpose.CENTERS,
) -> Mechanism:
    """Choose a method as `choose` does, and run it in every region with the region's own level."""
    found = divide_for_purpose(ADAPTIVE_TREE if name == "auto" else _get_own(name), purpose)
    return Regional(found.base if isinstance(found, Regional) else found, regions)


def rows() -> list[dict[str, Any]]:
    """List the catalogue as plain rows, for `dpviz.methods()`, the command line and the screen."""
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
            "proof": info.page,
            "reading": "not checked" if info.package else proof_pages.describe_reading(info.proof),
            "package": info.package,
        }
        for info in (method.info for method in (*METHODS, *foreign_methods().values()))
    ]


def warm_up() -> None:
    """Compile the kernels of `peeled_balls`, some ten seconds' worth, ahead of need: one run on a made-up map."""
    cells = np.zeros((256, 256), np.int64)
    cells[40:60, 40:60], cells[180:200, 150:170] = 200, 100
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 1.0, 1.0), 256), cells)
    plan = PEELED_BALLS.plan(Public.of(counts), k=2, budget=Budget(epsilon=2.0, delta=1e-6))
    PEELED_BALLS.run(counts, plan, replayable_source(0))
